import type { Instruction, Node } from '../../ir/node.ts';
import type { LiftedBlock } from '../../x86/lift/block.ts';
import { LOCATIONS, RBP, RSP } from '../../x86/state.ts';
import { exceedsMaximum } from '../contexts/meters.ts';
import { Bits } from '../regions/bits.ts';
import type { RegionBlock } from '../regions/region.ts';

/**
 * The cycles of a block's instructions (rule 5) as max-plus expressions of what the block starts from.
 *
 * c = 1 + max(sources) composes symbolically: inside a block every cycle is a maximum of terms `base + k`, the bases being
 * the steps that locations have at entry, the steps that loads find in shadow memory, and the context's floor. Dominated
 * terms vanish here, once, instead of being computed at every execution (measured on eight kernels: 6.5 -> 4.1 times native).
 *
 * C is kept lazily: at every block boundary C = max(MAXIMUM, steps of the locations that may exceed it). A block folds into
 * MAXIMUM only the cycles that no such location's step covers any more.
 */
export type Base =
  | { readonly kind: 'location'; readonly location: number }
  | { readonly kind: 'load'; readonly load: number }
  | { readonly kind: 'temporary'; readonly temporary: number }
  | { readonly kind: 'floor' };

/**
 * The maximum of some terms, each base once, as pairs of base (see `baseOf`) and offset k. There are a handful of them for
 * each instruction: two lists take a third of the memory of a Map, and reading them makes no pairs.
 */
export class Terms {
  readonly bases: number[] = [];
  readonly offsets: number[] = [];

  get(base: number): number | undefined {
    const at = this.bases.indexOf(base);
    return at < 0 ? undefined : this.offsets[at];
  }

  /** Adds a term; of two with one base the larger stays. */
  raise(base: number, offset: number): void {
    const at = this.bases.indexOf(base);
    if (at < 0) {
      this.bases.push(base);
      this.offsets.push(offset);
    } else if (this.offsets[at] < offset) this.offsets[at] = offset;
  }

  /** Adds all terms of another maximum, with something more. */
  raiseAll({ bases, offsets }: Terms, more: number): void {
    for (let i = 0; i < bases.length; i++) this.raise(bases[i], offsets[i] + more);
  }

  delete(base: number): void {
    const at = this.bases.indexOf(base);
    if (at < 0) return;
    this.bases.splice(at, 1);
    this.offsets.splice(at, 1);
  }
}

export interface StepPlan {
  /** Cycle of each instruction. */
  readonly cycles: readonly Terms[];
  /** Load numbers of each instruction, in order of its accesses. */
  readonly loads: readonly (readonly number[])[];
  /**
   * By load number: the largest step among the instruction's other sources, where it is worth comparing with a page's (see
   * quiet-pages.ts).
   */
  readonly bounds: readonly (Terms | undefined)[];
  /** Long expressions that are computed once, after the loads of their instruction. */
  readonly temporaries: readonly { readonly instruction: number; readonly terms: Terms }[];
  readonly finals: ReadonlyMap<number, Terms>;
  /** What must go into MAXIMUM at the end, apart from overwritten locations. */
  readonly folds: Terms;
  /** Locations overwritten before any instruction consumed their step: folded unless MAXIMUM covers them. */
  readonly dropped: readonly number[];
  /** Locations whose step at entry the expressions use. */
  readonly uses: Bits;
  /** Whether the expressions use the floor. */
  readonly usesFloor: boolean;
  readonly writes: Bits;
  /** Written locations whose final step MAXIMUM covers. */
  readonly covered: Bits;
}

const FLOOR_BASE = LOCATIONS;
const FIRST_OTHER = LOCATIONS + 1;
/** Loads have even numbers after the locations, temporaries odd ones. */
const loadBase = (load: number) => FIRST_OTHER + 2 * load;
const temporaryBase = (temporary: number) => FIRST_OTHER + 2 * temporary + 1;

export function baseOf(number: number): Base {
  if (number < LOCATIONS) return { kind: 'location', location: number };
  if (number === FLOOR_BASE) return { kind: 'floor' };
  const other = number - FIRST_OTHER;
  return (other & 1) === 0
    ? { kind: 'load', load: other >> 1 }
    : { kind: 'temporary', temporary: other >> 1 };
}

/** Longer expressions become temporaries: each term costs an addition and a maximum at every use. */
const TERM_LIMIT = 5;

/** Kept as long as the lifted block is, which the regions of one code space share. */
const plans = new WeakMap<LiftedBlock, StepPlan>();

export function planSteps({ lifted }: RegionBlock, hasTemporaries: boolean): StepPlan {
  let plan = plans.get(lifted);
  if (plan === undefined) {
    plan = makePlan(lifted, hasTemporaries);
    plans.set(lifted, plan);
  }
  return plan;
}

function makePlan({ instructions }: LiftedBlock, hasTemporaries: boolean): StepPlan {
  const finals = new Map<number, Terms>();
  const cycles: Terms[] = [];
  const loads: number[][] = [];
  const temporaries: { instruction: number; terms: Terms }[] = [];
  /** The largest offset of each base, in any instruction. */
  const all = new Map<number, number>();
  const bounds: (Terms | undefined)[] = [];
  const uses = new Bits(LOCATIONS);
  let loadCount = 0;

  for (let index = 0; index < instructions.length; index++) {
    const instruction = instructions[index];
    const numbers = instruction.loads.map(() => loadCount++);
    loads.push(numbers);
    for (const { address } of instruction.loads)
      bounds.push(isFixed(address) ? undefined : boundOf(instruction, finals, uses));
    let terms = sourceTerms(instruction, numbers, finals);
    const { bases, offsets } = terms;
    for (let i = 0; i < bases.length; i++)
      if (!(all.get(bases[i])! >= offsets[i])) all.set(bases[i], offsets[i]);
    if (hasTemporaries && bases.length > TERM_LIMIT) {
      temporaries.push({ instruction: index, terms });
      use(uses, terms);
      terms = new Terms();
      terms.raise(temporaryBase(temporaries.length - 1), 0);
    }
    cycles.push(terms);
    if (instruction.stores.length > 0) use(uses, terms);
    for (const location of instruction.destinations) finals.set(location, terms);
  }

  // The destinations of one instruction share their terms. Reading maps and sets by callbacks makes no pairs.
  const kept = new Set<Terms>();
  const exceeding = new Set<Terms>();
  finals.forEach((terms, location) => {
    kept.add(terms);
    if (exceedsMaximum(location)) exceeding.add(terms);
  });
  kept.forEach((terms) => {
    use(uses, terms);
  });
  const distinct = [...exceeding];
  const folds = new Terms();
  all.forEach((offset, base) => {
    if (
      !isCarried(base, offset, distinct, temporaries) &&
      !(base === FLOOR_BASE && reachesAboveFloor(all, offset))
    )
      folds.raise(base, offset);
  });
  use(uses, folds);
  const coveredTerms = new Set(distinct.filter((terms) => isCovered(terms, folds)));
  const writes = new Bits(LOCATIONS);
  const covered = new Bits(LOCATIONS);
  const dropped: number[] = [];
  finals.forEach((terms, location) => {
    writes.add(location);
    if (coveredTerms.has(terms)) covered.add(location);
    if (!all.has(location) && exceedsMaximum(location)) dropped.push(location);
  });
  dropped.sort((a, b) => a - b);
  const usesFloor = all.has(FLOOR_BASE) || bounds.some((bound) => bound?.get(FLOOR_BASE) !== undefined);
  return { cycles, loads, bounds, temporaries, finals, folds, dropped, uses, usesFloor, writes, covered };
}

function use(uses: Bits, terms: Terms): void {
  for (let i = 0; i < terms.bases.length; i++) if (terms.bases[i] < LOCATIONS) uses.add(terms.bases[i]);
}

/** Whether some location's final step is at least `base + offset`. */
function isCarried(
  base: number,
  offset: number,
  finals: readonly Terms[],
  temporaries: readonly { terms: Terms }[],
): boolean {
  for (let i = 0; i < finals.length; i++) {
    const has = finals[i].get(base) ?? viaTemporary(finals[i], base, temporaries);
    if (has !== undefined && has >= offset) return true;
  }
  return false;
}

function isCovered({ bases, offsets }: Terms, folds: Terms): boolean {
  for (let i = 0; i < bases.length; i++) if ((folds.get(bases[i]) ?? -1) < offsets[i]) return false;
  return true;
}

/** In the stack frame or a global: such memory is written all the time, or too small to be worth it. */
function isFixed(address: Node): boolean {
  if (address.op === 'const') return true;
  const base = address.op === 'i64.add' && address.args[1].op === 'const' ? address.args[0] : address;
  return base.op === 'get' && (base.imm === RSP || base.imm === RBP);
}

/** Each term costs an operation at every load that asks. With 3 of them, trees take as long as when lookups in them do not ask. */
const BOUND_LIMIT = 5;

function boundOf(
  instruction: Instruction,
  current: ReadonlyMap<number, Terms>,
  uses: Bits,
): Terms | undefined {
  const { bases, offsets } = sourceTerms(instruction, [], current);
  if (bases.length > BOUND_LIMIT) return undefined;
  const bound = new Terms();
  for (let i = 0; i < bases.length; i++) bound.raise(bases[i], offsets[i] - 1);
  use(uses, bound);
  return bound;
}

function viaTemporary(
  terms: Terms,
  base: number,
  temporaries: readonly { terms: Terms }[],
): number | undefined {
  if (temporaries.length === 0) return undefined;
  let best: number | undefined;
  for (let i = 0; i < terms.bases.length; i++) {
    const b = terms.bases[i];
    if (b < FIRST_OTHER || isLoad(b)) continue;
    const inner = temporaries[(b - FIRST_OTHER) >> 1].terms.get(base);
    if (inner === undefined) continue;
    const reached = inner + terms.offsets[i];
    if (best === undefined || reached > best) best = reached;
  }
  return best;
}

/** Locations and temporaries are never below the floor: opening a context raises every location to it. */
const isAboveFloor = (base: number): boolean => base !== FLOOR_BASE && !isLoad(base);

const isLoad = (base: number) => base >= FIRST_OTHER && ((base - FIRST_OTHER) & 1) === 0;

function reachesAboveFloor(all: ReadonlyMap<number, number>, offset: number): boolean {
  for (const [base, k] of all) if (k >= offset && isAboveFloor(base)) return true;
  return false;
}

/** Whether the floor plus an offset says no more than the other terms. */
function coversFloor({ bases, offsets }: Terms, offset: number): boolean {
  for (let i = 0; i < bases.length; i++) if (offsets[i] >= offset && isAboveFloor(bases[i])) return true;
  return false;
}

function sourceTerms(
  { sources }: Instruction,
  loads: readonly number[],
  current: ReadonlyMap<number, Terms>,
): Terms {
  const terms = new Terms();
  for (let i = 0; i < sources.length; i++) {
    const known = current.get(sources[i]);
    if (known === undefined) terms.raise(sources[i], 1);
    else terms.raiseAll(known, 1);
  }
  for (let i = 0; i < loads.length; i++) terms.raise(loadBase(loads[i]), 1);
  // Memory may hold steps from before the context; without a location among the sources the floor must be said.
  const floor = terms.get(FLOOR_BASE) ?? 1;
  if (coversFloor(terms, floor)) terms.delete(FLOOR_BASE);
  else terms.raise(FLOOR_BASE, floor);
  return terms;
}
