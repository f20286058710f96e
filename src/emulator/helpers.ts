import type { ChainRecord } from '../observation/observation.ts';
import type { KnownRun } from './known-runs.ts';
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
  /** How many at a time, if each process takes so many bytes or what processes usually do. */
  readonly most: (each?: number) => number;
  /** Bytes that this process has taken. */
  readonly taken: () => number;
  /** Passes of so many instructions in all are worth it that they are asked: behind the first pass, and ahead of it. */
  readonly from: number;
  readonly fromAhead: number;
  /** Asks another one. */
  readonly ask: (task: HelpTask) => Promise<Helper>;
  /** The same before the first pass, when it is not known yet what that will read. */
  readonly askAhead: (task: HelpTask) => Promise<Helper>;
}

/** One who was asked, and can begin without this process. */
export interface Helper {
  /**
   * Is to be asked for when this process has run passes of its own. Undefined where it did not come to an end, or has seen another program or
   * other files than those.
   */
  readonly answer: () => Promise<HelpResult | undefined>;
  /** Ends it: its answer does not matter any more. */
  readonly dismiss: () => void;
}

/** Helpers of whom one has enough to do. */
export const allButOne = (helpers: Helpers): Helpers => ({
  ...helpers,
  most: (each) => helpers.most(each) - 1,
});

/** A helper, and its parts of a run. */
export interface Share extends Helper {
  readonly parts: readonly Part[];
}

/** A run that is to be measured in parts. */
export interface SeenRun extends Pick<HelpTask, 'outgrown'> {
  readonly executed: number;
  /** Measures a part here. */
  measure(part: Part): readonly PartCounts[];
  /** Hears how many passes others take. */
  asked(passes: number): void;
}

/** What helpers are asked for: each gets as much, as far as is known, beside what is done here. */
export const sharesBehind = (
  parts: readonly Part[],
  executed: number,
  { most }: Helpers,
): readonly (readonly Part[])[] => sharesOf(parts, executed, Math.min(most(), parts.length - 1), 0);

/** The same where the first pass is still to be run here. */
export const sharesAhead = (
  { parts, executed, memory }: KnownRun,
  { most }: Helpers,
): readonly (readonly Part[])[] => sharesOf(parts, executed, Math.min(most(memory), parts.length), executed);

/** Asks a helper for each of these shares. */
export const askFor = (
  shares: readonly (readonly Part[])[],
  outgrown: HelpTask['outgrown'],
  ask: Helpers['ask'],
): Promise<readonly Share[]> =>
  Promise.all(shares.map(async (parts) => ({ parts, ...(await ask({ parts, outgrown })) })));

/**
 * Measures parts here, but for what helpers were asked for. What one of them has not done is done here, so that helpers change nothing but the
 * time. In the parts' order. Tells as well whether all of them saw this run: one whose pass ended too early, where threads end later than they did, did so.
 */
export async function measureTogether(
  run: SeenRun,
  parts: readonly Part[],
  shares: readonly Share[],
): Promise<{ readonly found: readonly (readonly PartCounts[])[]; readonly sawThisRun: boolean }> {
  run.asked(shares.reduce((sum, share) => sum + share.parts.length, 0));
  const asked = new Set(shares.flatMap((share) => share.parts.map(nameOf)));
  const found = new Map<string, readonly PartCounts[]>();
  for (const part of parts) if (!asked.has(nameOf(part))) found.set(nameOf(part), run.measure(part));
  const own = new Map(parts.map((part) => [nameOf(part), part]));
  let sawThisRun = true;
  for (const share of shares) {
    const result = await share.answer();
    if (result === undefined) sawThisRun = false;
    // Trees of all parts are with one of them.
    const isWhole = share.parts.every((part, i) => {
      const theirs = result?.parts[i];
      return theirs !== undefined && isAllOf(own.get(nameOf(part))!, theirs.executed, run.executed);
    });
    for (const [i, part] of share.parts.entries()) {
      const name = nameOf(part);
      found.set(name, isWhole ? result!.parts[i].counts : run.measure(own.get(name)!));
    }
  }
  return { found: parts.map((part) => found.get(nameOf(part))!), sawThisRun };
}

/** Whether these are the same parts, wherever each of them ends. */
export function areSame(parts: readonly Part[], others: readonly Part[]): boolean {
  return parts.length === others.length && parts.every((part, i) => nameOf(part) === nameOf(others[i]));
}

/** Tells parts of a run apart. */
function nameOf(part: Part): string {
  return JSON.stringify({ ...part, until: undefined });
}

/** Whether so many instructions are what there was to measure of a part. A pass that is to end early does so at the end of a slice. */
function isAllOf(part: Part, measured: number, executed: number): boolean {
  const until = untilOf(part);
  return until === undefined ? measured === executed : measured >= until && measured <= executed;
}

const untilOf = (part: Part): number | undefined => (part.kind === 'threads' ? part.until : undefined);

const lengthOf = (part: Part, executed: number): number => untilOf(part) ?? executed;

/** Whether parts are so much to measure that they are worth asking. */
export function isLong(parts: readonly Part[], executed: number, from: number): boolean {
  return parts.reduce((sum, part) => sum + lengthOf(part, executed), 0) >= from;
}

/** The parts in so many shares beside this process's own: the longest first, each to whom has least to do by then. */
function sharesOf(
  parts: readonly Part[],
  executed: number,
  many: number,
  here: number,
): readonly (readonly Part[])[] {
  const shares = Array.from({ length: 1 + Math.max(0, many) }, (_, i) => ({
    parts: [] as Part[],
    instructions: i === 0 ? here : 0,
  }));
  const length = (part: Part): number => lengthOf(part, executed);
  for (const part of [...parts].sort((a, b) => length(b) - length(a))) {
    const least = shares.reduce((a, b) => (b.instructions < a.instructions ? b : a));
    least.parts.push(part);
    least.instructions += length(part);
  }
  return shares.slice(1).map((share) => share.parts);
}
