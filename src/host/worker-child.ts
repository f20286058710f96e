import { Failure } from '../base/failure.ts';
import type { Help, MeasureQuietly } from '../pipeline/ports.ts';
import { type Answer, type Job, KEEPS_CODE, toPlain } from './worker-messages.ts';

/** Whether the process that started this one says that what is kept of code can be used. */
export const mayUseKeptCode = (): boolean => process.argv.includes(KEEPS_CODE);

/** Does what the process that started this one asks for, one job after another, until it closes the channel. */
export function serveJobs(measure: MeasureQuietly, help: Help): void {
  process.on('message', async (job: Job) => answer(await answerTo(job, measure, help)));
}

async function answerTo(job: Job, measure: MeasureQuietly, help: Help): Promise<Answer> {
  // A run never lets this process hear that its channel was closed, so it asks whether anybody is waiting.
  const endAlone = () => {
    if (process.ppid !== job.parent) process.exit();
  };
  try {
    if (job.kind === 'help') return { kind: 'helped', answer: await help(job.help, endAlone) };
    const measurement = await measure(job.request, (state) => {
      endAlone();
      if (job.watched) answer({ kind: 'progress', state });
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
