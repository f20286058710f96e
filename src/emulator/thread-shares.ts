import type { ForkFunction, ThreadShares } from '../observation/shares.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../translate/limits.ts';
import { CodeSpace } from './code/code-space.ts';
import { Forks } from './counts/forks.ts';
import type { Guest } from './guest.ts';
import { orOutgrown } from './memory/measure-plan.ts';
import { World } from './world.ts';

export interface SharesOptions {
  readonly guest: Guest;
  /** Functions that fork teams; others' threads are told apart, too. */
  readonly forks: readonly ForkFunction[];
  /** Other sizes than the usual ones. */
  readonly limits?: Partial<EngineLimits>;
}

/**
 * Runs the guest again and counts executions for each thread in each region: exactly those of an observation, divided. Twice
 * where there are forks, since where they are joined is only known afterwards. Throws Failure.
 */
export function shareExecutions({ guest, forks: functions, limits }: SharesOptions): ThreadShares {
  const forks = new Forks(functions);
  for (;;) {
    const space = new CodeSpace([], { ...ENGINE_LIMITS, ...limits }, { forks, counts: true });
    const shares = sharesIn(space, guest);
    if (!forks.hasLearned) return shares;
  }
}

function sharesIn(space: CodeSpace, guest: Guest): ThreadShares {
  for (;;) {
    const done = orOutgrown(() => {
      new World({ guest, space, named: [], depth: 0, firstDepth: 0 }).run();
      return space.threadShares();
    });
    if (typeof done === 'object') return done;
    space.outgrow(done);
  }
}
