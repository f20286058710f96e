import type { Instruction, Node } from '../ir/node.ts';
import { LOCATIONS, RBP, RSP } from '../x86/state.ts';
import { Bits } from './bits.ts';
import type { RegionBlock } from './region.ts';

/**
 * The cycles of a block's instructions (rule 5) as max-plus expressions of what the block starts from.
 *
 * c = 1 + max(sources) composes symbolically: inside a block every cycle is a maximum of terms `base + k`, the bases being
 * the steps that locations have at entry, the steps that loads find in shadow memory, and the context's floor. Dominated
 * terms vanish here, once, instead of being computed at every execution (measured on eight kernels: 6.5 -> 4.1 times native).
 *
 * C is kept lazily: at every block boundary C = max(MAXIMUM, steps of all locations). A block folds into MAXIMUM only the
 * cycles that no location's step covers any more.
 */
export type Base =
  | { readonly kind: 'location'; readonly location: number }
  | { readonly kind: 'load'; readonly load: number }
  | { readonly kind: 'temporary'; readonly temporary: number }
  | { readonly kind: 'floor' };

/** Terms by base number (see `baseNumber`): offset k. */
export type Terms = ReadonlyMap<number, number>;

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

export function planSteps(block: RegionBlock): StepPlan {
  const { instructions } = block.lifted;
  const current = new Map<number, Terms>();
  const cycles: Terms[] = [];
  const loads: number[][] = [];
  const temporaries: { instruction: number; terms: Terms }[] = [];
  const all = new Map<number, number>();
  const bounds: (Terms | undefined)[] = [];
  let loadCount = 0;

  instructions.forEach((instruction, index) => {
    const numbers = instruction.loads.map(() => loadCount++);
    loads.push(numbers);
    for (const { address } of instruction.loads)
      bounds.push(isFixed(address) ? undefined : boundOf(instruction, current));
    let terms = sourceTerms(instruction, numbers, current);
    for (const [base, offset] of terms) raise(all, base, offset);
    if (terms.size > TERM_LIMIT) {
      temporaries.push({ instruction: index, terms });
      terms = new Map([[temporaryBase(temporaries.length - 1), 0]]);
    }
    cycles.push(terms);
    for (const location of instruction.destinations) current.set(location, terms);
  });

  const finals = current;
  const folds = new Map<number, number>();
  for (const [base, offset] of all) {
    let carried = false;
    for (const terms of finals.values()) {
      const has = terms.get(base) ?? viaTemporary(terms, base, temporaries);
      if (has !== undefined && has >= offset) {
        carried = true;
        break;
      }
    }
    if (!carried && !(base === FLOOR_BASE && hasLarger(all, offset))) folds.set(base, offset);
  }
  const dropped = [...finals.keys()].filter((location) => !all.has(location)).sort((a, b) => a - b);
  const uses = new Bits(LOCATIONS);
  const use = (terms: Terms) => {
    for (const base of terms.keys()) if (base < LOCATIONS) uses.add(base);
  };
  for (const terms of finals.values()) use(terms);
  for (const { terms } of temporaries) use(terms);
  for (const terms of bounds) if (terms !== undefined) use(terms);
  instructions.forEach((instruction, index) => {
    if (instruction.stores.length > 0) use(cycles[index]);
  });
  use(folds);
  const covered = new Bits(LOCATIONS);
  for (const [location, terms] of finals)
    if ([...terms].every(([b, k]) => (folds.get(b) ?? -1) >= k)) covered.add(location);
  return {
    cycles,
    loads,
    bounds,
    temporaries,
    finals,
    folds,
    dropped,
    uses,
    writes: Bits.of(LOCATIONS, finals.keys()),
    covered,
  };
}

/** In the stack frame or a global: such memory is written all the time, or too small to be worth it. */
function isFixed(address: Node): boolean {
  if (address.op === 'const') return true;
  const base = address.op === 'i64.add' && address.args[1].op === 'const' ? address.args[0] : address;
  return base.op === 'get' && (base.imm === RSP || base.imm === RBP);
}

/** Each term costs an operation at every load. */
const BOUND_LIMIT = 3;

function boundOf(instruction: Instruction, current: ReadonlyMap<number, Terms>): Terms | undefined {
  const terms = sourceTerms(instruction, [], current);
  if (terms.size > BOUND_LIMIT) return undefined;
  return new Map([...terms].map(([base, offset]) => [base, offset - 1]));
}

function viaTemporary(
  terms: Terms,
  base: number,
  temporaries: readonly { terms: Terms }[],
): number | undefined {
  let best: number | undefined;
  for (const [b, k] of terms) {
    if (b < FIRST_OTHER || ((b - FIRST_OTHER) & 1) === 0) continue;
    const inner = temporaries[(b - FIRST_OTHER) >> 1].terms.get(base);
    if (inner !== undefined && (best === undefined || inner + k > best)) best = inner + k;
  }
  return best;
}

/** Locations and temporaries are never below the floor: opening a context raises every location to it. */
function hasLarger(terms: ReadonlyMap<number, number>, offset: number): boolean {
  for (const [base, k] of terms) if (k >= offset && base !== FLOOR_BASE && !isLoad(base)) return true;
  return false;
}

const isLoad = (base: number) => base >= FIRST_OTHER && ((base - FIRST_OTHER) & 1) === 0;

function sourceTerms(
  instruction: Instruction,
  loads: readonly number[],
  current: ReadonlyMap<number, Terms>,
): Map<number, number> {
  const terms = new Map<number, number>();
  for (const location of instruction.sources) {
    const known = current.get(location);
    if (known === undefined) raise(terms, location, 1);
    else for (const [base, offset] of known) raise(terms, base, offset + 1);
  }
  for (const load of loads) raise(terms, loadBase(load), 1);
  // Memory may hold steps from before the context; without a location among the sources the floor must be said.
  const floor = terms.get(FLOOR_BASE) ?? 1;
  if (hasLarger(terms, floor)) terms.delete(FLOOR_BASE);
  else terms.set(FLOOR_BASE, floor);
  return terms;
}

function raise(terms: Map<number, number>, base: number, offset: number): void {
  const known = terms.get(base);
  if (known === undefined || known < offset) terms.set(base, offset);
}
