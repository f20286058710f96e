import { Failure } from '../base/failure.ts';
import { type Area, areasOf, type Forward, ForwardBranches } from './areas.ts';
import type { Label, Listing } from './listing.ts';
import { type Counted, combined, countPairs, type Statistics } from './statistics.ts';

/**
 * K-MACSTAT (Lee and Davidson, section 6.2 and appendix A): the loops of a listing in one pass forward. A branch to a label
 * that was met before ends a loop; one to a label further down skips an area. With sums over the pairs, a loop's counts are
 * those at its end less those at its label.
 */
export interface KsrLoops {
  /** In the order in which they end, as the paper lists them. */
  readonly loops: readonly KsrLoop[];
  /** Loops that K-MACSTAT does not accept (figure 7), which are in none of the counts. */
  readonly unacceptable: readonly UnacceptableLoop[];
  readonly unknown: readonly string[];
  readonly counted: Counted;
}

export interface KsrLoop {
  readonly label: string;
  /** Of the label, and of the branch that goes back to it. */
  readonly line: number;
  readonly branchLine: number;
  /** Pairs: the first, that of the branch, and the one behind the last. Delay slots that are executed are within (A.4). */
  readonly begin: number;
  readonly branch: number;
  readonly end: number;
  /** Delay slots behind the listing's end. */
  readonly missingSlots: number;
  /** 1 for a loop that is in no other. */
  readonly depth: number;
  readonly innermost: boolean;
  /** Index of the nearest loop around it. */
  readonly outer?: number;
  /** The whole of an innermost loop; of an outer one what is in no loop inside it (A.5). */
  readonly statistics: Statistics;
  /** Of an innermost loop (A.6), in the order of their branches. */
  readonly areas: readonly Area[];
  /** Lines of branches that leave an innermost loop forward, and of branches from before it to behind its label. */
  readonly exits: readonly number[];
  readonly entries: readonly number[];
}

export interface UnacceptableLoop {
  readonly label: string;
  readonly line: number;
  readonly branchLine: number;
  readonly reason: string;
}

/** Delay slots of a branch on the KSR1. */
const SLOTS = 2;
/** No compiler nests so deep; what does is no program. */
const DEEPEST = 1000;

interface Completed {
  readonly label: Label;
  readonly branch: number;
  readonly end: number;
  readonly missingSlots: number;
  readonly innermost: boolean;
  /** Of the loops that were complete before and are in this one, those in no other. */
  readonly inside: readonly number[];
}

export function findLoops(listing: Listing): KsrLoops {
  const counted = countPairs(listing.pairs);
  const { completed, forward, unacceptable } = scan(listing, counted);
  const outer: (number | undefined)[] = new Array(completed.length);
  completed.forEach(({ inside }, i) => {
    for (const each of inside) outer[each] = i;
  });
  const depth: number[] = new Array(completed.length);
  for (let i = completed.length - 1; i >= 0; i--) {
    const around = outer[i];
    depth[i] = around === undefined ? 1 : depth[around] + 1;
    if (depth[i] > DEEPEST)
      throw new Failure(
        'usage',
        'nested-too-deep',
        `loops are nested more than ${DEEPEST} deep at the label ${completed[i].label.name} on line ${completed[i].label.line}`,
      );
  }
  const branches = new ForwardBranches(forward);
  const loops = completed.map((loop, i): KsrLoop => {
    const { label, branch, end, missingSlots, innermost } = loop;
    const range = { begin: label.pair, branch };
    const line = (each: Forward): number => listing.pairs[each.at].line;
    return {
      label: label.name,
      line: label.line,
      branchLine: listing.pairs[branch].line,
      begin: label.pair,
      branch,
      end,
      missingSlots,
      depth: depth[i],
      innermost,
      ...(outer[i] === undefined ? {} : { outer: outer[i] }),
      statistics: residueOf(loop, completed, counted),
      areas: innermost ? areasOf(branches.within(range), listing.pairs, counted) : [],
      exits: innermost ? branches.leaving(range).map(line) : [],
      entries: innermost ? branches.entering(range).map(line) : [],
    };
  });
  return { loops, unacceptable, unknown: counted.unknown, counted };
}

/** One pass forward (A.1 to A.3). */
function scan(
  { pairs, labels }: Listing,
  { operations }: Counted,
): {
  readonly completed: readonly Completed[];
  readonly forward: readonly Forward[];
  readonly unacceptable: readonly UnacceptableLoop[];
} {
  const byName = new Map(labels.map((label) => [label.name, label]));
  const completed: Completed[] = [];
  const forward: Forward[] = [];
  const unacceptable: UnacceptableLoop[] = [];
  // Complete loops that are in no other complete one: side by side, so in the order of their labels.
  const shell: number[] = [];
  operations.forEach(({ right }, at) => {
    if (right.kind !== 'branch' || right.target === undefined) return;
    const label = byName.get(right.target);
    if (label === undefined) return;
    if (label.pair > at) {
      forward.push({ at, conditional: right.conditional, quash: right.quash, label });
      return;
    }
    let first = shell.length;
    while (first > 0 && completed[shell[first - 1]].label.pair >= label.pair) first--;
    const before = first > 0 ? completed[shell[first - 1]] : undefined;
    if (before !== undefined && before.branch >= label.pair) {
      unacceptable.push({
        label: label.name,
        line: label.line,
        branchLine: pairs[at].line,
        reason: `its label is inside the loop ${before.label.name}, which ends before it does: they cross and are not nested`,
      });
      return;
    }
    const inside = shell.splice(first);
    const behind = at + 1 + (right.quash === 'true' ? 0 : SLOTS);
    const end = Math.min(behind, pairs.length);
    shell.push(completed.length);
    // Innermost is what is complete before any loop whose label is not before its own (A.2).
    completed.push({
      label,
      branch: at,
      end,
      missingSlots: behind - end,
      innermost: inside.length === 0,
      inside,
    });
  });
  return { completed, forward, unacceptable };
}

/** What is in no loop inside it (figure 24, which takes every loop from all around it, each less what is in it already). */
function residueOf(
  { label, end, inside }: Completed,
  completed: readonly Completed[],
  counted: Counted,
): Statistics {
  return inside.reduce(
    (rest, i) => {
      const inner = completed[i];
      return combined(rest, counted.between(inner.label.pair, Math.min(inner.end, end)), -1);
    },
    counted.between(label.pair, end),
  );
}
