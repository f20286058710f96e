import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction } from '../../x86/block.ts';
import { type CodePath, countsWith, loopPaths } from '../loops/bounds.ts';
import { type MachineCounts, type Role, rolesOf } from '../loops/counts.ts';
import type { LoopFindings } from './findings.ts';
import type { CauseKind } from './kinds.ts';
import { type Change, WhatIf } from './what-if.ts';

/** Findings with what all causes are looked for in. */
export interface Context extends LoopFindings {
  readonly whatIf: WhatIf;
  readonly paths: readonly CodePath[];
  /** Of the loop, ascending, without what the run never executed. */
  readonly instructions: readonly CodeInstruction[];
  /** Whether an instruction computes nothing but addresses and the loop's counter. */
  readonly roles: ReadonlyMap<number, Role>;
  /** What an iteration of the machine code does. */
  readonly counts: MachineCounts;
  /** Executions in an iteration of the machine code, by address. */
  readonly weights: ReadonlyMap<number, number>;
  /** Cycles per source iteration that MAC would be less. */
  saves(change: Change): number;
  cause(gap: LoopCause['gap'], kind: CauseKind, what: CauseFacts): LoopCause;
}

export interface CauseFacts {
  readonly text: string;
  readonly advice?: string;
  /** Per source iteration. */
  readonly cycles?: number | undefined;
  readonly count?: number | undefined;
  /** Of the instructions that it is about; they give the line and, where nothing else does, the count. */
  readonly at?: readonly number[];
  /** A line of the loop's own file, where there are no instructions. */
  readonly line?: number;
}

/** Loops above this length have their bounds, but nothing is taken away from them: it would take too long. */
const LONGEST_EXPLAINED = 1000;

export function contextOf(findings: LoopFindings): Context {
  const { loop, knowledge, machine, unroll, line } = findings;
  const all = loopPaths(loop, knowledge);
  const paths = all.filter(({ instructions }) => instructions.length <= LONGEST_EXPLAINED);
  const whatIf = new WhatIf(paths, machine);
  const code = loop.blocks.flatMap((block) => block.instructions);
  const weights = new Map(
    loop.blocks.flatMap((block) => {
      const weight = knowledge.weights === undefined ? 1 : (knowledge.weights.blocks.get(block.start) ?? 0);
      return block.instructions.map(({ address }) => [address, weight] as const);
    }),
  );
  const roles = rolesOf(code);
  const base = whatIf.MAC({});
  return {
    ...findings,
    whatIf,
    paths: whatIf.paths().map((path) => path.code),
    instructions: code.filter(({ address }) => weights.get(address) !== 0),
    counts: knowledge.weights === undefined ? loop.counts : countsWith(loop, knowledge.weights),
    roles: new Map(code.map(({ address }, i) => [address, roles[i]])),
    weights,
    saves: (change) => Math.max(0, base - whatIf.MAC(change)) / unroll,
    cause: (gap, kind, { text, advice, cycles, count, at = [], line: own }) => {
      const executed = at.reduce((sum, address) => sum + (weights.get(address) ?? 0), 0) / unroll;
      const counted = count ?? (at.length === 0 ? undefined : executed);
      const place = commonest(at.flatMap((address) => line(address) ?? []));
      return {
        gap,
        kind,
        ...(counted === undefined ? {} : { count: fourDigits(counted) }),
        ...(cycles === undefined ? {} : { cycles: fourDigits(cycles) }),
        ...(place === undefined
          ? own === undefined
            ? {}
            : { line: own }
          : { file: place.file, line: place.line }),
        text,
        ...(advice === undefined ? {} : { advice }),
      };
    },
  };
}

const fourDigits = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;

interface Place {
  readonly file: string;
  readonly line: number;
}

/** The line that most are in, the first of several. */
function commonest(places: readonly Place[]): Place | undefined {
  const tally = new Map<string, { readonly place: Place; count: number }>();
  for (const place of places) {
    const key = `${place.line} ${place.file}`;
    const known = tally.get(key);
    if (known === undefined) tally.set(key, { place, count: 1 });
    else known.count++;
  }
  let best: { readonly place: Place; count: number } | undefined;
  for (const each of tally.values()) if (best === undefined || each.count > best.count) best = each;
  return best?.place;
}

/** A cost that does not show in a bound of two decimals is none. */
export const shows = (cycles: number): boolean => Math.abs(cycles) >= 0.005;
