import type { ChainRecord } from '../observation/observation.ts';
import type { Outgrown } from './memory/measure-plan.ts';
import type { Part, PartCounts } from './parts.ts';

/** Parts of a run that somebody else is asked to measure. Plain data. */
export interface HelpTask {
  readonly parts: readonly Part[];
  /** What passes before have found too little of. */
  readonly outgrown: readonly Outgrown['what'][];
  /** Whether it is the chain of the run that is asked for: there are no parts then. */
  readonly followsRun?: boolean;
}

export interface HelpResult {
  readonly chain?: ChainRecord;
  /** Of each part: what its passes found, and the instructions of the run that the last one of them executed. */
  readonly parts: readonly { readonly counts: readonly PartCounts[]; readonly executed: number }[];
}

/** Others who run the same program at the same time: processes on other cores. */
export interface Helpers {
  /** How many at a time. */
  readonly most: number;
  /** Passes of so many instructions in all are worth it that they are asked. */
  readonly from: number;
  /**
   * Asks another one; done when it can begin without this process. The answer, which is to be asked for when this process has run passes of its own, is
   * undefined where it did not come to an end, or has seen another program or other files than those.
   */
  readonly ask: (task: HelpTask) => Promise<{ readonly answer: () => Promise<HelpResult | undefined> }>;
}

/** A run that is to be measured in parts. */
export interface SeenRun extends Pick<HelpTask, 'outgrown'> {
  readonly executed: number;
  /** Measures a part here. */
  measure(part: Part): readonly PartCounts[];
  /** Hears how many passes others take. */
  asked(passes: number): void;
}

/**
 * Measures parts here and with helpers, each of which gets as much, as far as is known. What one cannot do is done here, so that helpers change nothing but the
 * time. In the parts' order.
 */
export async function measureTogether(
  run: SeenRun,
  parts: readonly Part[],
  helpers: Helpers,
): Promise<readonly (readonly PartCounts[])[]> {
  const { outgrown, executed } = run;
  const many = 1 + Math.max(0, Math.min(helpers.most, parts.length - 1));
  const shares = sharesOf(parts, executed, many);
  const others = await Promise.all(
    shares.slice(1).map(async (share) => ({ share, ...(await helpers.ask({ parts: share, outgrown })) })),
  );
  run.asked(others.reduce((sum, { share }) => sum + share.length, 0));
  const found = new Map(shares[0].map((part) => [part, run.measure(part)]));
  for (const { share, answer } of others) {
    const result = await answer();
    // Trees of all parts are with one of them.
    const isWhole = share.every((part, i) => {
      const theirs = result?.parts[i];
      return theirs !== undefined && isAllOf(part, theirs.executed, executed);
    });
    for (const [i, part] of share.entries())
      found.set(part, isWhole ? result!.parts[i].counts : run.measure(part));
  }
  return parts.map((part) => found.get(part)!);
}

/** Whether so many instructions are what there was to measure of a part. A pass that is to end early does so at the end of a slice. */
function isAllOf(part: Part, measured: number, executed: number): boolean {
  const until = part.kind === 'calls' ? part.until : undefined;
  return until === undefined ? measured === executed : measured >= until && measured <= executed;
}

const lengthOf = (part: Part, executed: number): number => (part.kind === 'calls' && part.until) || executed;

/** Whether there is so much to measure that helpers are worth it. */
export function isLong(parts: readonly Part[], executed: number, { from }: Helpers): boolean {
  return parts.length > 1 && parts.reduce((sum, part) => sum + lengthOf(part, executed), 0) >= from;
}

/** The parts in so many shares: the longest first, each to whom has least to do by then. */
function sharesOf(parts: readonly Part[], executed: number, many: number): readonly (readonly Part[])[] {
  const shares = Array.from({ length: many }, () => ({ parts: [] as Part[], instructions: 0 }));
  const length = (part: Part): number => lengthOf(part, executed);
  for (const part of [...parts].sort((a, b) => length(b) - length(a))) {
    const least = shares.reduce((a, b) => (b.instructions < a.instructions ? b : a));
    least.parts.push(part);
    least.instructions += length(part);
  }
  return shares.map((share) => share.parts);
}
