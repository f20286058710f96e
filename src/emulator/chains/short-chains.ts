import type { ChainRecord } from '../../observation/observation.ts';
import type { CodeSpace } from '../code/code-space.ts';
import type { TagsLedger, Window } from '../memory/tags-ledger.ts';
import { PassOver } from '../slices/pass-over.ts';
import type { WorldOptions } from '../world.ts';
import { type FollowedCall, recordOf, runUntilOver, untilPlanFits } from './chain.ts';
import { LinkCounts } from './link-counts.ts';

/**
 * The chains of calls that the log holds as a whole, by call, in as few passes as can be: each reads calls of which every one begins when the
 * one before has ended. Calls that a pass did not meet, or that were too long for the log after all, are left out.
 */
export function chainsOfShortCalls(
  options: WorldOptions,
  calls: readonly NamedCall[],
): ReadonlyMap<NamedCall, ChainRecord> {
  const found = new Map<NamedCall, ChainRecord>();
  for (const group of inTurn(calls)) {
    const names = [...new Set(group.map(({ name }) => name))];
    const closed = (tags: TagsLedger, at: number): void => {
      const { cycles, instruction } = tags.end();
      const call = group[at];
      if (call.end - call.start < tags.producers.entries) {
        const links = new LinkCounts();
        links.read(tags.producers, instruction, 0);
        found.set(call, recordOf(call, cycles, links, tags));
      }
      if (at === group.length - 1) throw new PassOver();
    };
    const asked = { firstDepth: undefined, windows: { calls: group, closed } };
    untilPlanFits(options, () => runUntilOver({ ...options, named: names }, asked));
  }
  return found;
}

/** Whether the log holds all of a call. */
export const isShort = ({ measurePlan: plan }: CodeSpace, { start, end }: Window): boolean =>
  plan.kind === 'tags' && end - start < plan.log.entries;

/** A call, and the name by which its function is asked for. */
export interface NamedCall extends FollowedCall {
  readonly name: string;
}

/** In groups of which each call begins when the one before has ended. */
function inTurn(calls: readonly NamedCall[]): readonly NamedCall[][] {
  const groups: NamedCall[][] = [];
  for (const call of [...calls].sort((a, b) => a.start - b.start)) {
    const group = groups.find((each) => each.at(-1)!.end < call.start);
    if (group === undefined) groups.push([call]);
    else group.push(call);
  }
  return groups;
}
