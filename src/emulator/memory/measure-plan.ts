import { Failure } from '../../base/failure.ts';
import { GUEST_END, MEMORY_END, REACH, SHADOW } from '../../guest/layout.ts';
import type { EngineLimits } from '../../translate/limits.ts';
import { LOG_ENTRY, LOG_TAIL, type TagLog } from '../../translate/measures/tag-code.ts';
import {
  COMPACT,
  COMPACT_WIDE,
  type LaneShape,
  NARROW,
  SINGLE,
  WIDE,
} from '../../translate/steps/lane-shape.ts';

/** How the memory above SHADOW is divided, and what else code is translated for. */
interface Division {
  /** End of the guest addresses that have steps. */
  readonly end: number;
  /** Whether generated code may access far memory. */
  readonly followsFar: boolean;
  /** Whether there are threads, whose instructions do not count in each other's contexts (rule 9). */
  readonly threads: boolean;
  /** Whether MXCSR's sticky exception bits are kept, which the program looks at. */
  readonly keepsStatus: boolean;
  /** Whether exceptions of the x87 are delivered, which the program unmasks. */
  readonly signalsX87: boolean;
  /** A step takes 2^bits bytes. */
  readonly bits: 4 | 3 | 2;
  /** Where byte-exact steps are kept: most of the time a small part of it is used. */
  readonly pool: { readonly start: number; readonly end: number };
  /** Whether pages of them go out of the memory where that does not suffice (emulator/memory/paged-out.ts). */
  readonly pagesOut: boolean;
}

export interface LanesPlan extends Division {
  readonly kind: 'lanes';
  readonly shape: LaneShape;
  /** Whether anybody asks for cycles; else they begin anew when there are many. */
  readonly keepsCycles: boolean;
}

export interface TagsPlan extends Division {
  readonly kind: 'tags';
  readonly log: TagLog;
}

/** What is measured, and where. */
export type MeasurePlan = LanesPlan | TagsPlan;

/** What there is not enough of; of the last two the plan knows nothing. */
type Lack =
  | 'cycles'
  | 'addresses'
  | 'bytes'
  | 'far memory'
  | 'threads'
  | 'far memory and threads'
  | 'status'
  | 'x87 exceptions'
  | 'faults'
  | 'children';

/**
 * The guest does more than the present plan has room for: the run is to begin anew with the next one. Whether that happens
 * depends on the guest alone, so that every host and every pass comes to the same plan.
 */
export class Outgrown extends Error {
  readonly what: Lack;

  constructor(what: Outgrown['what']) {
    super(`the measurement lacks ${what}`);
    this.what = what;
  }
}

/** What `run` gives, or what it lacked room for. The error itself would hold on to memory that is to be let go. */
export function orOutgrown<T extends object>(run: () => T): T | Outgrown['what'] {
  try {
    return run();
  } catch (problem) {
    if (problem instanceof Outgrown) return problem.what;
    throw problem;
  }
}

/** What the guest was seen to do. */
type Met = Pick<Division, 'followsFar' | 'threads' | 'keepsStatus' | 'signalsX87'>;
const NOT_MET: Met = { followsFar: false, threads: false, keepsStatus: false, signalsX87: false };

export const firstLanes = (limits: EngineLimits): LanesPlan => lanes(NARROW, limits.window, NOT_MET);

/** What the guest does is known from another plan. */
export const firstTags = (limits: EngineLimits, met: Met): TagsPlan =>
  tags(limits.logEntries, limits, limits.window, met);

/**
 * Lanes are divided otherwise when cycles ask for it. Steps of 8 bytes instead of 16 double what there is room for, and
 * the passes; steps of 4 bytes are for many bytes with steps of their own. A program that uses high addresses leaves less
 * room for those, and for the log of producers.
 */
export function nextPlan(
  plan: MeasurePlan,
  what: Exclude<Outgrown['what'], 'faults' | 'children'>,
  limits: EngineLimits,
): MeasurePlan {
  const { end } = plan;
  if (what === 'status') return { ...plan, keepsStatus: true };
  if (what === 'x87 exceptions') return { ...plan, signalsX87: true };
  if (what === 'far memory' || what === 'threads' || what === 'far memory and threads') {
    const met = {
      ...plan,
      followsFar: plan.followsFar || what !== 'threads',
      threads: plan.threads || what !== 'far memory',
    };
    const { pagesOut } = plan;
    return plan.kind === 'lanes'
      ? { ...lanes(plan.shape, end, met), pagesOut }
      : { ...tags(plan.log.entries, limits, end, met), pagesOut };
  }
  if (plan.kind === 'tags') {
    const entries = what === 'addresses' ? SHORT_LOG : SHORTEST_LOG;
    if (what === 'bytes' && (end < GUEST_END || plan.log.entries <= entries)) return pagedOut(plan);
    return tags(Math.min(limits.logEntries, entries), limits, GUEST_END, plan);
  }
  const { shape } = plan;
  const isWide = shape.laneBytes === 8;
  switch (what) {
    case 'cycles':
      return lanes(shape.bits === 4 ? WIDE : COMPACT_WIDE, end, plan);
    case 'addresses':
      return lanes(isWide ? COMPACT_WIDE : shape.bits === 4 ? COMPACT : shape, GUEST_END, plan);
    case 'bytes':
      if (shape === WIDE) return lanes(COMPACT_WIDE, end, plan);
      if (shape === NARROW) return lanes(COMPACT, end, plan);
      if (shape === COMPACT) return lanes(SINGLE, end, plan);
      return pagedOut(plan);
  }
}

function pagedOut<P extends MeasurePlan>(plan: P): P {
  if (plan.pagesOut) throw exhausted();
  return { ...plan, pagesOut: true };
}

/** How many tables of steps of bytes there may be, where another plan takes less memory. */
export interface ByteRoom {
  /** So many in any case... */
  readonly always: number;
  /** ...and more while all steps take no more bytes than this. */
  readonly memory: number;
}

export function byteRoom(plan: MeasurePlan, limits: EngineLimits): ByteRoom {
  const takesLeast = plan.kind === 'tags' || plan.shape.bits === 2 || plan.shape === COMPACT_WIDE;
  const always = takesLeast ? Number.POSITIVE_INFINITY : limits.bytePages << (4 - plan.bits);
  return { always, memory: limits.stepMemory };
}

/** Entries of the log beside which GUEST_END addresses have steps, and some bytes, or more. */
const SHORT_LOG = 1 << 24;
const SHORTEST_LOG = 1 << 22;

function lanes(
  shape: LaneShape,
  end: number,
  { followsFar, threads, keepsStatus, signalsX87 }: Met,
): LanesPlan {
  const { bits } = shape;
  return {
    kind: 'lanes',
    shape,
    keepsCycles: true,
    end,
    followsFar,
    threads,
    keepsStatus,
    signalsX87,
    bits,
    pool: { start: shadowEnd(bits, end), end: MEMORY_END },
    pagesOut: false,
  };
}

function tags(
  entries: number,
  { logSlots }: Pick<EngineLimits, 'logSlots'>,
  end: number,
  { followsFar, threads, keepsStatus, signalsX87 }: Met,
): TagsPlan {
  const slots = Math.max(logSlots, entries);
  const log = { at: MEMORY_END - LOG_TAIL - LOG_ENTRY * slots, slots, entries, threads };
  return {
    kind: 'tags',
    log,
    end,
    followsFar,
    threads,
    keepsStatus,
    signalsX87,
    bits: 3,
    pool: { start: shadowEnd(3, end), end: log.at },
    pagesOut: false,
  };
}

const shadowEnd = (bits: number, end: number): number => SHADOW + (end + REACH) * 2 ** (bits - 2);

function exhausted(): Failure {
  return new Failure(
    'guest',
    'shadow-exhausted',
    'the program writes single bytes to more memory than can be followed',
  );
}

/**
 * For processes that are run for what they do. Steps are as small as can be, which leaves the most room, and nobody asks for
 * cycles.
 */
export const UNMEASURED: LanesPlan = {
  ...lanes(SINGLE, GUEST_END, { followsFar: true, threads: true, keepsStatus: false, signalsX87: false }),
  keepsCycles: false,
};
