import { type KsrLoopBounds, ksrLoopBounds } from '../analysis/macs/ksr/bounds.ts';
import { type Counts, type Executed, executedLoops } from '../analysis/macs/ksr/executions.ts';
import { Failure } from '../base/failure.ts';
import type { Area } from '../ksr/areas.ts';
import { readListing } from '../ksr/listing.ts';
import { findLoops, type KsrLoop } from '../ksr/loops.ts';
import { macstat } from '../ksr/macstat.ts';
import type { Statistics } from '../ksr/statistics.ts';
import { ksr1 } from '../machines/catalog.ts';
import { degreeByOperations, type ListedSource, sourceLoopsByLabel } from './ksr-source.ts';

/** What a listing of KSR assembly code comes to: its loops as K-MACSTAT counts them, with MAC and MACS. */
export interface ListingBounds {
  readonly machine: 'ksr1';
  readonly file: string;
  /** In the order in which they end. */
  readonly loops: readonly ListingLoop[];
  readonly unacceptable: readonly {
    readonly label: string;
    readonly line: number;
    readonly endLine: number;
    readonly reason: string;
  }[];
  /** Instructions that are not known; each counts as one operation of its column. Absent where all are. */
  readonly unknown?: readonly string[];
  /** RB (4.15) of the loops that have a count; absent without counts. */
  readonly runTime?: number;
}

export interface ListingLoop {
  readonly label: string;
  readonly line: number;
  readonly endLine: number;
  readonly depth: number;
  readonly innermost: boolean;
  /** Label of the nearest loop around it. */
  readonly outer?: string;
  readonly statistics: Statistics;
  readonly areas: readonly {
    readonly target: string;
    readonly line: number;
    readonly endLine: number;
    readonly conditional: boolean;
    readonly statistics: Statistics;
    readonly crosses?: readonly number[];
  }[];
  readonly unroll: number;
  readonly unrollFrom?: KsrLoopBounds['unrollFrom'];
  readonly compiled: KsrLoopBounds['compiled'];
  /** Cycles per iteration of the source loop that each unit needs at least. */
  readonly units: {
    readonly floatingPoint: number;
    readonly memory: number;
    readonly issue: number;
    readonly dependence: number;
  };
  /** M and MA, A and C, and what is essential: of an innermost loop whose source is given. */
  readonly bounds: { readonly M?: number; readonly MA?: number; readonly MAC: number; readonly MACS: number };
  readonly perOperation?: { readonly MAC: number; readonly MACS: number };
  readonly limits: { readonly MAC: string; readonly MACS: string };
  readonly gaps: { readonly A?: number; readonly C?: number; readonly S: number };
  readonly essential?: ListedSource['essential'];
  /** Where the source loop stands. */
  readonly source?: { readonly function: string; readonly line: number };
  /** Of the source loop; with its part of RB, and that over the whole. Absent without a count. */
  readonly iterations?: number;
  readonly runTime?: number;
  readonly share?: number;
  readonly notes: readonly string[];
}

export interface ListingOptions {
  /** Degrees of unrolling by label; that of all others without a label. */
  readonly unroll?: ReadonlyMap<string | undefined, number>;
  readonly counts?: Counts;
  /** Loops of the source that was compiled. */
  readonly source?: readonly ListedSource[];
}

/** Whether text has the no-operations that hardly a listing of KSR assembly code is without. */
export const isKsrListing = (text: string): boolean => /\b(?:finop|cxnop)\b/.test(text);

/** The bounds of a listing, and the same in the layout of the paper's tool. */
export async function boundListing(
  text: string,
  file: string,
  options: ListingOptions,
): Promise<{ readonly bounds: ListingBounds; readonly macstat: string }> {
  const machine = await ksr1();
  const listing = readListing(text, file);
  const found = findLoops(listing);
  const { unroll = new Map() } = options;
  checkLabels(unroll, found.loops);
  const executed = options.counts === undefined ? undefined : executedLoops(found, options.counts);
  const sources = sourceLoopsByLabel(found.loops, options.source ?? []);
  const runTime = executed?.reduce((sum, loop) => sum + (loop?.cycles ?? 0), 0);
  const loops = found.loops.map((loop, i): ListingLoop => {
    const bounds = ksrLoopBounds(
      loop,
      listing,
      found,
      machine,
      (label) => unroll.get(label) ?? unroll.get(undefined),
      (label, compiled) => {
        const source = sources.get(label);
        return source && degreeByOperations(compiled, source);
      },
    );
    const whole = listingLoop(loop, found.loops, bounds, executed?.[i], runTime);
    if (options.source === undefined || !loop.innermost) return whole;
    const source = sources.get(loop.label);
    return source === undefined
      ? { ...whole, notes: [...whole.notes, UNMATCHED] }
      : withSource(whole, source);
  });
  return {
    bounds: {
      machine: 'ksr1',
      file,
      loops,
      unacceptable: found.unacceptable.map(({ label, line, branchLine, reason }) => ({
        label,
        line,
        endLine: branchLine,
        reason,
      })),
      ...(found.unknown.length === 0 ? {} : { unknown: found.unknown }),
      ...(runTime === undefined ? {} : { runTime }),
    },
    macstat: macstat(found),
  };
}

const UNMATCHED =
  'M and MA are not known: the source has another number of innermost loops than the listing, and more than one';

/** With M, MA and the gaps to them (figure 1 of the paper). */
function withSource(loop: ListingLoop, { essential, bounds, ...source }: ListedSource): ListingLoop {
  const { M, MA } = bounds;
  const { MAC, MACS } = loop.bounds;
  return {
    ...loop,
    essential,
    source: { function: source.function, line: source.line },
    bounds: { ...(M === undefined ? {} : { M }), MA, MAC, MACS },
    gaps: { ...(M === undefined ? {} : { A: rounded(MA - M) }), C: rounded(MAC - MA), S: loop.gaps.S },
    notes: [...loop.notes, ...(source.reasons ?? [])],
  };
}

function listingLoop(
  loop: KsrLoop,
  loops: readonly KsrLoop[],
  bounds: KsrLoopBounds,
  executed: Executed | undefined,
  runTime: number | undefined,
): ListingLoop {
  const { unroll, unrollFrom, compiled, mac, macs, limit, perOperation } = bounds;
  const notes = [...bounds.notes];
  if (runTime !== undefined && executed === undefined) notes.push('it has no count and is not in RB');
  return {
    label: loop.label,
    line: loop.line,
    endLine: loop.branchLine,
    depth: loop.depth,
    innermost: loop.innermost,
    ...(loop.outer === undefined ? {} : { outer: loops[loop.outer].label }),
    statistics: loop.statistics,
    areas: loop.areas.map(area),
    unroll,
    ...(unrollFrom === undefined ? {} : { unrollFrom }),
    compiled: {
      fa: rounded(compiled.fa),
      fm: rounded(compiled.fm),
      fma: rounded(compiled.fma),
      fmisc: rounded(compiled.fmisc),
      loads: rounded(compiled.loads),
      stores: rounded(compiled.stores),
    },
    units: {
      floatingPoint: rounded(mac.floatingPoint),
      memory: rounded(mac.memory),
      issue: rounded(mac.issue),
      dependence: rounded(mac.dependence),
    },
    bounds: { MAC: rounded(mac.cycles), MACS: rounded(macs) },
    ...(perOperation === undefined
      ? {}
      : { perOperation: { MAC: rounded(perOperation.MAC), MACS: rounded(perOperation.MACS) } }),
    limits: { MAC: limit, MACS: macs > mac.cycles ? 'schedule' : limit },
    gaps: { S: rounded(macs - mac.cycles) },
    ...(executed === undefined || runTime === undefined
      ? {}
      : {
          iterations: executed.executions * unroll,
          runTime: executed.cycles,
          share: rounded(runTime === 0 ? 0 : executed.cycles / runTime),
        }),
    notes,
  };
}

function area(each: Area): ListingLoop['areas'][number] {
  const { target, branchLine, targetLine, conditional, statistics, crosses } = each;
  return {
    target,
    line: branchLine,
    endLine: targetLine,
    conditional,
    statistics,
    ...(crosses.length === 0 ? {} : { crosses }),
  };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function checkLabels(unroll: ReadonlyMap<string | undefined, number>, loops: readonly KsrLoop[]): void {
  for (const label of unroll.keys())
    if (label !== undefined && !loops.some((loop) => loop.label === label))
      throw new Failure(
        'usage',
        'unknown-loop',
        `there is no loop ${label} in the listing; there are: ${loops.map((loop) => loop.label).join(', ')}`,
        { label },
      );
}

/**
 * Counts by label: an object in JSON, or lines of `LABEL,COUNT` (a first line that has no number is a heading). `where` is
 * for messages.
 */
export function readCounts(text: string, where: string): Counts {
  const isJson = text.trimStart().startsWith('{');
  const entries = isJson ? jsonEntries(text, where) : lineEntries(text);
  const counts = new Map<string, number>();
  for (const [label, count] of entries) {
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
      throw badCounts(where, `the count of ${JSON.stringify(label)} is not a whole number`);
    if (counts.has(label)) throw badCounts(where, `${JSON.stringify(label)} has two counts`);
    counts.set(label, count);
  }
  if (counts.size === 0) throw badCounts(where, 'there are no counts');
  return counts;
}

function jsonEntries(text: string, where: string): readonly (readonly [string, unknown])[] {
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>);
  } catch (error) {
    throw badCounts(where, `it is not JSON: ${(error as Error).message}`);
  }
}

function lineEntries(text: string): readonly (readonly [string, unknown])[] {
  const rows = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): readonly [string, unknown] => {
      const comma = line.lastIndexOf(',');
      const count = line.slice(comma + 1).trim();
      return [line.slice(0, comma).trim(), comma > 0 && /^\d+$/.test(count) ? Number(count) : undefined];
    });
  return rows.length > 0 && rows[0][1] === undefined && /,/.test(text) ? rows.slice(1) : rows;
}

const badCounts = (where: string, problem: string): Failure =>
  new Failure('usage', 'bad-counts', `${where}: ${problem}`, { file: where });
