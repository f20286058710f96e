import type { EngineLimits } from '../translate/limits.ts';
import { CodeSpace } from './code-space.ts';
import type { MeasurePlan } from './measure-plan.ts';

/**
 * Where child processes run: each in a memory of its own while it lives, which the next one takes over with the code that was
 * translated for it. A shell that starts the same program again and again translates it once.
 */
export class ChildSpaces {
  private readonly limits: EngineLimits;
  private readonly free: CodeSpace[] = [];

  constructor(limits: EngineLimits) {
    this.limits = limits;
  }

  /** A space with the plan. */
  take(plan: MeasurePlan): CodeSpace {
    const at = this.free.findLastIndex((space) => space.measurePlan === plan);
    if (at >= 0) return this.free.splice(at, 1)[0];
    return new CodeSpace([], this.limits, { plan });
  }

  release(space: CodeSpace): void {
    this.free.push(space);
  }
}
