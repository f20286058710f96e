import { Failure } from '../base/failure.ts';
import type { MeasureQuietly } from '../pipeline/ports.ts';
import { type Answer, type Job, toPlain } from './worker-messages.ts';

/** Measures what the process that started this one asks for, one job after another, until it closes the channel. */
export function serveJobs(measure: MeasureQuietly): void {
  process.on('message', async (job: Job) => answer(await measured(measure, job)));
}

async function measured(measure: MeasureQuietly, { request, watched, parent }: Job): Promise<Answer> {
  try {
    const measurement = await measure(request, (state) => {
      // A run never lets this process hear that its channel was closed, so it asks whether anybody is waiting.
      if (process.ppid !== parent) process.exit();
      if (watched) answer({ kind: 'progress', state });
    });
    return { kind: 'measured', measurement };
  } catch (problem) {
    if (problem instanceof Failure) return { kind: 'failed', failure: toPlain(problem) };
    return {
      kind: 'mistake',
      text: problem instanceof Error ? (problem.stack ?? problem.message) : String(problem),
    };
  }
}

/** Goes out even while a run keeps the event loop waiting, as long as the channel is not full. */
function answer(message: Answer): void {
  process.send?.(message);
}
