import { availableParallelism } from 'node:os';
import type { HelperProcesses } from '../pipeline/ports.ts';
import { fittingIn, memoryThere } from './available-memory.ts';
import { type WorkerOptions, WorkerProcess } from './worker-process.ts';

/**
 * A process takes 0.4 s to begin, and each pass is slower beside another one. Second runs on two cores, over one process alone: four passes of 134 million
 * instructions 1.19 of the time, two of 173 million 1.13; pigz with two threads (three passes, 3.4e9 instructions) 0.72, an encoder with 15 threads 0.77.
 */
const WORTH_IT = 1_000_000_000;

interface HelpersOptions extends WorkerOptions {
  /** How many; else one for each other core, as far as memory allows. */
  readonly most?: number;
}

/** Processes that help this one. */
export function helperProcesses({ most, ...workers }: HelpersOptions): HelperProcesses {
  const processes: WorkerProcess[] = [];
  return {
    from: WORTH_IT,
    most: most ?? Math.min(availableParallelism(), fittingIn(memoryThere())) - 1,
    async start(job) {
      try {
        const process = new WorkerProcess(workers);
        processes.push(process);
        const { sent, answer } = process.help(job);
        const found = answer.catch(() => undefined);
        await sent;
        return { answer: found };
      } catch {
        // No process is to be had; the one that asks does it by itself.
        return { answer: Promise.resolve(undefined) };
      }
    },
    close() {
      for (const process of processes) process.close();
    },
  };
}
