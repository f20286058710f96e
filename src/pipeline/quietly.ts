import { Failure } from '../base/failure.ts';
import { OutputTail } from './output-tail.ts';
import type { MeasureAll, MeasureQuietly, QuietMeasurement } from './ports.ts';
import type { Measure } from './request.ts';

/** Measuring for check and update, which show of a guest's output no more than its end. */
export function quietly(measure: Measure): MeasureQuietly {
  return async (request, progress) => {
    const tail = new OutputTail();
    const measurement = await measure(request, {
      stdout: (bytes) => tail.stdout(bytes),
      stderr: (bytes) => tail.stderr(bytes),
      ...(progress === undefined ? {} : { progress }),
    });
    return { ...measurement, output: tail.lines() };
  };
}

/** One after another, in this process. */
export function serially(measure: MeasureQuietly): MeasureAll {
  return async (requests, listener) => {
    const progress = listener?.progress?.bind(listener);
    const results: (QuietMeasurement | Failure)[] = [];
    for (const [at, request] of requests.entries()) {
      try {
        results.push(await measure(request, progress && ((state) => progress(at, state))));
      } catch (problem) {
        if (!(problem instanceof Failure)) throw problem;
        results.push(problem);
      }
      listener?.finished?.(at);
    }
    return results;
  };
}
