import type { Address } from '../base/brand.ts';
import { Failure } from '../base/failure.ts';
import type { ChainRecord } from '../observation/observation.ts';
import type { LongestCall } from './contexts.ts';
import type { Halt, HaltedPass } from './halt.ts';
import { Lineages } from './lineages.ts';
import { LinkCounts } from './link-counts.ts';
import { orOutgrown } from './measure-plan.ts';
import { PassOver } from './pass-over.ts';
import type { TagsLedger } from './tags-ledger.ts';
import { World, type WorldOptions } from './world.ts';

/** The call whose chain is asked for; undefined for the run. */
export type ChainWindow = (LongestCall & { readonly entry: number }) | undefined;

/**
 * The canonical longest chain (rule 10) of the run or of one call.
 *
 * A pass logs every instruction's producer into a ring, which holds one stretch of the window. From the window's end the
 * chain is read backwards, to where the last stretch began. Of each stretch before, the pass has noted where chains come
 * from (lineages.ts), so that an instruction of the chain is known in each, and a second pass reads the stretches on its
 * way. So a chain takes two passes, however long its window is, in bounded memory; where more would have to be noted than
 * there is room for, early stretches are left to further passes.
 */
export function chainOf(options: WorldOptions, window: ChainWindow): ChainRecord {
  const start = window?.start ?? 0;
  const links = new LinkCounts();
  let length: number | undefined;
  /** The chain's last instruction that has not been read; undefined for the window's end. */
  let last: number | undefined;
  do {
    const noting = new Noting(start, last, options.space.limits.lineageEntries);
    const { tags, end } = runWindow(options, window, noting);
    length ??= end.cycles;
    const before = links.read(tags, last ?? end.instruction, noting.lineages.until);
    const reading = new Reading(start, noting.lineages.lineOf(before), links);
    if (before > 0) runWindow(options, window, reading);
    last = reading.before;
  } while (last > 0);
  if (links.total !== length) throw new Error(`a chain of ${length} cycles has ${links.total} links`);
  return {
    ...(window !== undefined && { entry: window.entry as Address }),
    callIndex: window?.index ?? 0,
    length,
    links: links.inOrder(),
  };
}

/** Tags have 32 bits for the number of an instruction (translate/tags.ts). */
export function chainTooLong(what: string, most: number): Failure {
  return new Failure(
    'guest',
    'chain-too-long',
    `the chain of ${what} cannot be followed: it goes through more than ${most} instructions`,
    { instructions: most },
  );
}

/** Notes where chains come from, up to the window's end or to an instruction of it. */
class Noting implements Halt {
  readonly purpose = 'where it comes from';
  readonly isExact = true;
  lineages!: Lineages;
  at = 0;
  private readonly start: number;
  private readonly last: number | undefined;
  private readonly mostEntries: number;

  constructor(start: number, last: number | undefined, mostEntries: number) {
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
    this.goOn(tags.entries);
  }

  /** To the end of the next stretch, which the log holds. */
  private goOn(entries: number): void {
    this.at = this.start + Math.min(this.lineages.until + entries, this.last ?? Infinity);
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
    const floor = from - tags.entries;
    if (index === 0) this.before = links.read(tags, from, Math.max(0, floor));
    else if (links.read(tags, from, Math.max(line[index - 1], floor)) !== line[index - 1])
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

function runWindow(options: WorldOptions, window: ChainWindow, halt: Noting | Reading): WindowRun {
  for (;;) {
    const { measurePlan: plan } = options.space;
    if (plan.kind === 'tags') halt.begin(plan.log.entries);
    const run = orOutgrown(() => tryWindow(options, window, halt));
    if (typeof run === 'object') return run;
    options.space.outgrow(run);
  }
}

function tryWindow(options: WorldOptions, window: ChainWindow, halt: Halt): WindowRun {
  let end: { cycles: number; instruction: number } | undefined;
  const world = new World({
    ...options,
    depth: 0,
    firstDepth: window === undefined ? 0 : undefined,
    halt,
    ...(window !== undefined && {
      window: {
        start: window.start,
        end: window.end,
        closed: (tags) => {
          end = tags.end();
          throw new PassOver();
        },
      },
    }),
  });
  const { main } = world;
  try {
    world.run();
    if (window === undefined) end = main.tags!.end();
  } catch (problem) {
    if (!(problem instanceof PassOver)) throw problem;
  }
  return { tags: main.tags!, end: end ?? { cycles: 0, instruction: 0 } };
}
