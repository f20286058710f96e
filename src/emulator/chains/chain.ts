import type { Address } from '../../base/brand.ts';
import { Failure } from '../../base/failure.ts';
import type { ChainRecord } from '../../observation/observation.ts';
import type { LongestCall } from '../contexts/function-records.ts';
import { orOutgrown } from '../memory/measure-plan.ts';
import type { TagsLedger } from '../memory/tags-ledger.ts';
import type { Halt, HaltedPass } from '../slices/halt.ts';
import { PassOver } from '../slices/pass-over.ts';
import { World, type WorldOptions } from '../world.ts';
import { Lineages } from './lineages.ts';
import type { LinkCounts } from './link-counts.ts';
import { LongestSoFar } from './longest-so-far.ts';

/** A call whose chain is asked for. */
export type FollowedCall = LongestCall & { readonly entry: number };

/** Undefined for the run. */
type ChainWindow = FollowedCall | undefined;

/**
 * The canonical longest chain (rule 10) of the run or of one call.
 *
 * A pass logs every instruction's producer into a ring. Now and then the chain that is the longest one by then is read backwards, as far as it
 * has not been read before (longest-so-far.ts). So a chain takes one pass, however long its window is, unless it parts from the one
 * that was the longest for more instructions than the log holds: bzip2's, for instance, which has blocks to compress. What came before that is read in two more passes. The first notes where
 * the chains of all live values come from, stretch by stretch (lineages.ts), so that an instruction of the chain is known in each; the second reads
 * the stretches on its way. Where more would have to be noted than there is room for, early stretches are left to further passes.
 */
export function chainOf(options: WorldOptions, window: ChainWindow): ChainRecord {
  const start = window?.start ?? 0;
  const following = new Following(start);
  const { tags, end } = runWindow(options, window, following);
  const { longest } = following;
  longest.note(tags.producers, tags.newest, end.instruction);
  const links = longest.links();
  /** The chain's last instruction that has not been read. */
  let last = longest.unread;
  while (last > 0) {
    const noting = new Noting(start, last, options.space.limits.lineageEntries);
    const { tags } = runWindow(options, window, noting);
    const before = links.read(tags.producers, last, noting.lineages.until);
    const reading = new Reading(start, noting.lineages.lineOf(before), links);
    if (before > 0) runWindow(options, window, reading);
    last = reading.before;
  }
  return recordOf(window, end.cycles, links, tags);
}

/** The record of a chain of which all links were read. */
export function recordOf(
  window: ChainWindow,
  length: number,
  links: LinkCounts,
  tags: TagsLedger,
): ChainRecord {
  if (links.total !== length) throw new Error(`a chain of ${length} cycles has ${links.total} links`);
  return {
    ...(window !== undefined && { entry: window.entry as Address }),
    callIndex: window?.index ?? 0,
    length,
    links: links.inOrder((place) => tags.addressOf(place)),
  };
}

const TOO_LONG = 'chain-too-long';

/** Tags have 32 bits for the number of an instruction (translate/measures/tags.ts). */
export function chainTooLong(what: string, most: number): Failure {
  return new Failure(
    'guest',
    TOO_LONG,
    `the chain of ${what} cannot be followed: it goes through more than ${most} instructions`,
    { instructions: most },
  );
}

/** Whether a chain cannot be followed to its end. */
export const isTooLong = (problem: unknown): problem is Failure =>
  problem instanceof Failure && problem.code === TOO_LONG;

/** How often it is read while the log goes round once. Less often it would have to be longer ago that chains have parted. */
const READINGS = 4;

/** Reads the links of the longest chain as the window goes on. */
class Following implements Halt {
  readonly purpose = 'its links';
  readonly isExact = false;
  longest!: LongestSoFar;
  at = 0;
  private readonly start: number;

  constructor(start: number) {
    this.start = start;
  }

  begin(entries: number): void {
    this.longest = new LongestSoFar();
    this.goOn(this.start, entries);
  }

  reached({ executed, tags }: HaltedPass): void {
    this.longest.note(tags.producers, executed - this.start, tags.end().instruction);
    this.goOn(executed, tags.producers.entries);
  }

  private goOn(from: number, entries: number): void {
    this.at = from + Math.ceil(entries / READINGS);
  }
}

/** Notes where chains come from, up to the window's end or to an instruction of it. */
class Noting implements Halt {
  readonly purpose = 'where it comes from';
  readonly isExact = true;
  lineages!: Lineages;
  at = 0;
  private readonly start: number;
  private readonly last: number;
  private readonly mostEntries: number;

  constructor(start: number, last: number, mostEntries: number) {
    this.start = start;
    this.last = last;
    this.mostEntries = mostEntries;
  }

  begin(entries: number): void {
    this.lineages = new Lineages(this.mostEntries);
    this.goOn(entries);
  }

  reached({ executed, tags }: HaltedPass): void {
    const newest = executed - this.start;
    if (newest === this.last) throw new PassOver();
    this.lineages.note(tags, newest);
    this.goOn(tags.producers.entries);
  }

  /** To the end of the next stretch, which the log holds. */
  private goOn(entries: number): void {
    this.at = this.start + Math.min(this.lineages.until + entries, this.last);
  }
}

/** Reads the stretches' links. */
class Reading implements Halt {
  readonly purpose = 'its links';
  readonly isExact = true;
  at = 0;
  /** The chain's last instruction before all that was read; 0 for none. */
  before = 0;
  private readonly start: number;
  private readonly line: readonly number[];
  private readonly links: LinkCounts;
  private index = 0;

  /** An instruction of each stretch, the last one first. */
  constructor(start: number, line: readonly number[], links: LinkCounts) {
    this.start = start;
    this.line = line.toReversed();
    this.links = links;
  }

  begin(): void {
    this.at = this.start + this.line[0];
  }

  reached({ tags }: HaltedPass): void {
    const { line, links, index } = this;
    const from = line[index];
    const floor = from - tags.producers.entries;
    if (index === 0) this.before = links.read(tags.producers, from, Math.max(0, floor));
    else if (links.read(tags.producers, from, Math.max(line[index - 1], floor)) !== line[index - 1])
      throw new Error(`instruction ${from} has another chain than was noted`);
    this.index++;
    if (this.index === line.length) throw new PassOver();
    this.at = this.start + line[this.index];
  }
}

interface WindowRun {
  readonly tags: TagsLedger;
  readonly end: { readonly cycles: number; readonly instruction: number };
}

function runWindow(
  options: WorldOptions,
  window: ChainWindow,
  halt: Following | Noting | Reading,
): WindowRun {
  return untilPlanFits(options, () => {
    const { measurePlan: plan } = options.space;
    if (plan.kind === 'tags') halt.begin(plan.log.entries);
    return tryWindow(options, window, halt);
  });
}

/** What `run` gives, begun anew for as long as the run outgrows what was planned for it. */
export function untilPlanFits<T extends object>({ space }: WorldOptions, run: () => T): T {
  for (;;) {
    const result = orOutgrown(run);
    if (typeof result === 'object') return result;
    space.outgrow(result);
  }
}

function tryWindow(options: WorldOptions, window: ChainWindow, halt: Halt): WindowRun {
  let end: WindowRun['end'] | undefined;
  const windows = window && {
    calls: [window],
    closed(tags: TagsLedger) {
      end = tags.end();
      throw new PassOver();
    },
  };
  const tags = runUntilOver(
    options,
    windows === undefined ? { halt, firstDepth: 0 } : { halt, firstDepth: undefined, windows },
  );
  return { tags, end: end ?? (window === undefined ? tags.end() : { cycles: 0, instruction: 0 }) };
}

/** One context of tags, until it is over or a pass needs no more. */
export function runUntilOver(
  options: WorldOptions,
  asked: Pick<WorldOptions, 'halt' | 'firstDepth' | 'windows'>,
): TagsLedger {
  const world = new World({ ...options, depth: 0, ...asked });
  const { main } = world;
  try {
    world.run();
  } catch (problem) {
    if (!(problem instanceof PassOver)) throw problem;
  }
  return main.tags!;
}
