import { availableParallelism } from 'node:os';
import { resourceUsage } from 'node:process';
import type { HelperProcesses } from '../pipeline/ports.ts';
import { fittingIn, memoryThere } from './available-memory.ts';
import { type WorkerOptions, WorkerProcess } from './worker-process.ts';

/**
 * A process takes 0.4 s to begin, and each pass is slower beside another one. Second runs on two cores, over one process alone: four passes of 134 million
 * instructions 1.19 of the time, two of 173 million 1.13; pigz with two threads (three passes, 3.4e9 instructions) 0.72, an encoder with 15 threads 0.77.
 */
const WORTH_IT = 1_000_000_000;
/**
 * Of a command whose parts are known they begin together with the first pass. Second runs on two cores, over the version in which they began behind it, or did
 * not (parts of so many instructions in all): zstd 0.90 (273 million) and 0.67 (761), pigz with two threads 0.91 (1,900), a loop while one thread waits 0.97 (328, with
 * 1.4 times the processor's time), 0.86 (984) and 0.94 (3,300).
 */
const WORTH_IT_AHEAD = 400_000_000;

interface HelpersOptions extends WorkerOptions {
  /** How many; else one for each other core, as far as memory allows. */
  readonly most?: number;
}

/** Processes that help this one. */
export function helperProcesses({ most, ...workers }: HelpersOptions): HelperProcesses {
  const processes: WorkerProcess[] = [];
  return {
    from: WORTH_IT,
    fromAhead: WORTH_IT_AHEAD,
    most: (each) => most ?? Math.min(availableParallelism(), fittingIn(memoryThere(), each)) - 1,
    taken: () => resourceUsage().maxRSS * 1024,
    async start(job) {
      try {
        const process = new WorkerProcess(workers);
        processes.push(process);
        const { sent, answer } = process.help(job);
        const found = answer.catch(() => undefined);
        await sent;
        return { answer: found, end: () => process.close() };
      } catch {
        // No process is to be had; the one that asks does it by itself.
        return { answer: Promise.resolve(undefined), end: () => {} };
      }
    },
    close() {
      for (const process of processes) process.close();
    },
  };
}
