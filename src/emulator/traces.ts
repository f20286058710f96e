import type { LoopTrace, TraceRequest } from '../observation/trace.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../translate/limits.ts';
import { CodeSpace } from './code/code-space.ts';
import { Tracer } from './counts/tracer.ts';
import type { Guest } from './guest.ts';
import { orOutgrown } from './memory/measure-plan.ts';
import { World } from './world.ts';

export interface TraceOptions {
  readonly guest: Guest;
  /** One for each loop; of several with one header the last counts. */
  readonly requests: readonly TraceRequest[];
  /** Other sizes than the usual ones. */
  readonly limits?: Partial<EngineLimits>;
}

/**
 * Runs the guest once more and records what loops access, in the order of the requests. The run is deterministic, so that
 * the executions that an observation counted come again. Throws Failure.
 */
export function traceLoops({ guest, requests, limits }: TraceOptions): LoopTrace[] {
  if (requests.length === 0) return [];
  const tracer = new Tracer(requests);
  const space = new CodeSpace([], { ...ENGINE_LIMITS, ...limits }, { tracer });
  for (;;) {
    const done = orOutgrown(() => {
      const world = new World({ guest, space, named: [], depth: 0, firstDepth: 0 });
      world.run();
      return world;
    });
    if (typeof done === 'object') return tracer.finish();
    tracer.restart();
    space.outgrow(done);
  }
}
