import { Failure } from '../base/failure.ts';
import { GUEST_END, MEMORY_END, REACH, SHADOW } from '../guest/layout.ts';
import type { TagLog } from '../translate/interpreter/handler-measure.ts';
import { COMPACT, COMPACT_WIDE, type LaneShape, NARROW, WIDE } from '../translate/lane-shape.ts';
import type { EngineLimits } from '../translate/limits.ts';

/** How the memory above SHADOW is divided. */
interface Division {
  /** End of the guest addresses that have steps. */
  readonly end: number;
  /** A step takes 2^bits bytes. */
  readonly bits: 4 | 3;
  /** Where byte-exact steps are kept: most of the time a small part of it is used. */
  readonly pool: { readonly start: number; readonly end: number };
}

export interface LanesPlan extends Division {
  readonly kind: 'lanes';
  readonly shape: LaneShape;
}

export interface TagsPlan extends Division {
  readonly kind: 'tags';
  readonly log: TagLog;
}

/** What is measured, and where. */
export type MeasurePlan = LanesPlan | TagsPlan;

/**
 * The guest does more than the present plan has room for: the run is to begin anew with the next one. Whether that happens
 * depends on the guest alone, so that every host and every pass comes to the same plan.
 */
export class Outgrown extends Error {
  readonly what: 'cycles' | 'addresses' | 'bytes';

  constructor(what: Outgrown['what']) {
    super(`the measurement lacks room for ${what}`);
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

export const firstLanes = (limits: EngineLimits): LanesPlan => lanes(NARROW, limits.window);

export const firstTags = (limits: EngineLimits): TagsPlan => tags(limits.logEntries, limits.window);

/**
 * Lanes are divided otherwise when cycles ask for it. Steps of 8 bytes instead of 16 double what there is room for, and
 * the passes. A program that uses high addresses leaves less room for steps of bytes, and to the log of producers.
 */
export function nextPlan(plan: MeasurePlan, what: Outgrown['what'], limits: EngineLimits): MeasurePlan {
  if (plan.kind === 'tags') {
    if (what !== 'addresses') throw exhausted();
    return tags(Math.min(limits.logEntries, SHORT_LOG), GUEST_END);
  }
  const { shape, end } = plan;
  switch (what) {
    case 'cycles':
      return lanes(shape.bits === 4 ? WIDE : COMPACT_WIDE, end);
    case 'addresses':
      return lanes(compact(shape), GUEST_END);
    case 'bytes':
      if (shape.bits === 3) throw exhausted();
      return lanes(compact(shape), end);
  }
}

const compact = (shape: LaneShape): LaneShape => (shape.laneBytes === 4 ? COMPACT : COMPACT_WIDE);

/** Of the log beside which GUEST_END addresses have steps. */
const SHORT_LOG = 1 << 22;

function lanes(shape: LaneShape, end: number): LanesPlan {
  const { bits } = shape;
  return { kind: 'lanes', shape, end, bits, pool: { start: shadowEnd(bits, end), end: MEMORY_END } };
}

function tags(entries: number, end: number): TagsPlan {
  const log = { at: MEMORY_END - 8 * entries, entries };
  return { kind: 'tags', log, end, bits: 3, pool: { start: shadowEnd(3, end), end: log.at } };
}

const shadowEnd = (bits: number, end: number): number => SHADOW + (end + REACH) * 2 ** (bits - 2);

function exhausted(): Failure {
  return new Failure(
    'guest',
    'shadow-exhausted',
    'the program writes single bytes to more memory than can be followed',
  );
}
