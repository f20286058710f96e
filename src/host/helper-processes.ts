import { availableParallelism } from 'node:os';
import type { HelperProcesses } from '../pipeline/ports.ts';
import { fittingIn, memoryThere } from './available-memory.ts';
import { KEEPS_CODE } from './worker-messages.ts';
import { WorkerProcess } from './worker-process.ts';

/** Processes on the other cores, as far as memory allows. `keepsCode`: they may use what earlier processes have kept of code. */
export function helperProcesses({ keepsCode }: { readonly keepsCode: boolean }): HelperProcesses {
  const processes: WorkerProcess[] = [];
  return {
    most: Math.min(availableParallelism(), fittingIn(memoryThere())) - 1,
    async start(job) {
      const process = new WorkerProcess(undefined, keepsCode ? [KEEPS_CODE] : []);
      processes.push(process);
      const { sent, answer } = process.help(job);
      const found = answer.then(
        (answered) => answered,
        () => undefined,
      );
      await sent;
      return { answer: found };
    },
    close() {
      for (const process of processes) process.close();
    },
  };
}
