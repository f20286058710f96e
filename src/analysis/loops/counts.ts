import type { CodeInstruction, MemoryAccess } from '../../x86/block.ts';
import { isGeneral, type Location, STACK_POINTER } from '../../x86/locations.ts';

/**
 * What instructions do, by type (figure 25). Floating-point and integer operations, loads and stores are of elements,
 * whatever the width of the instruction; the rest are instructions. All may be fractions where blocks have weights.
 */
export interface MachineCounts {
  readonly instructions: number;
  /** Bytes of code. */
  readonly length: number;
  readonly fa: number;
  readonly fm: number;
  readonly fma: number;
  readonly fmisc: number;
  /** Instructions that do floating-point operations. */
  readonly floating: number;
  readonly loads: number;
  readonly stores: number;
  /** Of floating-point elements. */
  readonly floatLoads: number;
  readonly floatStores: number;
  /** Instructions that load, and that store. */
  readonly loading: number;
  readonly storing: number;
  readonly integer: number;
  /** Instructions that do integer operations. */
  readonly integerInstructions: number;
  /** Instructions that compute nothing but addresses and the loop's counter. */
  readonly address: number;
  readonly compares: number;
  readonly moves: number;
  readonly shuffles: number;
  readonly branches: number;
  readonly calls: number;
  readonly nops: number;
  /** Stores to and loads from slots of the stack frame: rsp or a frame pointer and a number. */
  readonly spills: number;
  readonly reloads: number;
  readonly other: number;
}

/** Whether it computes nothing but addresses or the loop's own counter, or does something of its own. */
export type Role = 'overhead' | 'own';

/** What each instruction of a loop counts as; in the order given. */
export function countsOf(
  instructions: readonly CodeInstruction[],
  frame: boolean,
  roles: readonly Role[],
  sizes: ElementSizes,
): MachineCounts {
  const sum: Record<keyof MachineCounts, number> = { ...NOTHING };
  instructions.forEach((instruction, i) => {
    addTo(sum, instruction, frame, roles[i], sizes);
  });
  return sum;
}

export const NOTHING: MachineCounts = {
  instructions: 0,
  length: 0,
  fa: 0,
  fm: 0,
  fma: 0,
  fmisc: 0,
  floating: 0,
  loads: 0,
  stores: 0,
  floatLoads: 0,
  floatStores: 0,
  loading: 0,
  storing: 0,
  integer: 0,
  integerInstructions: 0,
  address: 0,
  compares: 0,
  moves: 0,
  shuffles: 0,
  branches: 0,
  calls: 0,
  nops: 0,
  spills: 0,
  reloads: 0,
  other: 0,
};

/** Sum of counts, each with a weight. */
export function weighted(parts: readonly (readonly [MachineCounts, number])[]): MachineCounts {
  const sum: Record<keyof MachineCounts, number> = { ...NOTHING };
  for (const [counts, weight] of parts)
    for (const key of Object.keys(sum) as (keyof MachineCounts)[]) sum[key] += counts[key] * weight;
  return sum;
}

function addTo(
  sum: Record<keyof MachineCounts, number>,
  instruction: CodeInstruction,
  frame: boolean,
  role: Role,
  sizes: ElementSizes,
): void {
  const { work, loads, stores, length, stackChange } = instruction;
  sum.instructions++;
  sum.length += length;
  const elements = work.elements ?? Math.max(1, work.vector / (work.elementSize ?? sizes.integer));
  switch (work.kind) {
    case 'fa':
    case 'fm':
    case 'fma':
    case 'fmisc':
      sum[work.kind] += elements;
      sum.floating++;
      break;
    case 'integer':
      if (role === 'overhead') sum.address++;
      else {
        sum.integer += elements;
        sum.integerInstructions++;
      }
      break;
    case 'address':
      // A lea that leaves a value which is no address is arithmetic.
      if (role === 'overhead') sum.address++;
      else {
        sum.integer++;
        sum.integerInstructions++;
      }
      break;
    case 'compare':
      sum.compares++;
      break;
    case 'move':
      if (role === 'overhead' && loads.length + stores.length === 0) sum.address++;
      else if (loads.length + stores.length === 0) sum.moves++;
      break;
    case 'shuffle':
      sum.shuffles++;
      break;
    case 'branch':
      sum.branches++;
      break;
    case 'call':
      sum.calls++;
      return;
    case 'nop':
      sum.nops++;
      break;
    case 'other':
      sum.other++;
  }
  if (loads.length > 0) sum.loading++;
  if (stores.length > 0) sum.storing++;
  for (const access of loads) {
    const { count, floating } = elementsOf(instruction, access, sizes);
    sum.loads += count;
    if (floating) sum.floatLoads += count;
    if (isSlot(access, frame) || stackChange > 0) sum.reloads++;
  }
  for (const access of stores) {
    const { count, floating } = elementsOf(instruction, access, sizes);
    sum.stores += count;
    if (floating) sum.floatStores += count;
    if (isSlot(access, frame) || stackChange < 0) sum.spills++;
  }
}

/** Bytes of a floating-point and of an integer element, where an instruction does not say: what most others of the loop use. */
export interface ElementSizes {
  readonly floating: number;
  readonly integer: number;
  /** What moves that serve both carry. */
  readonly isFloating: boolean;
}

export function elementSizesOf(instructions: readonly CodeInstruction[]): ElementSizes {
  const floating = new Map<number, number>();
  const integer = new Map<number, number>();
  for (const { work } of instructions) {
    if (work.elementSize === undefined || work.vector === 0) continue;
    if (work.kind === 'move' && work.floating !== true) continue;
    const tally = work.floating === true ? floating : integer;
    tally.set(work.elementSize, (tally.get(work.elementSize) ?? 0) + 1);
  }
  return {
    floating: commonest(floating) ?? 8,
    integer: commonest(integer) ?? 4,
    isFloating: floating.size > 0,
  };
}

function commonest(tally: ReadonlyMap<number, number>): number | undefined {
  return [...tally].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0];
}

/** Elements of one access, and whether they are floating point. */
export function elementsOf(
  { work }: CodeInstruction,
  access: MemoryAccess,
  sizes: ElementSizes,
): { readonly count: number; readonly floating: boolean } {
  if (work.vector === 0) return { count: 1, floating: work.floating === true };
  const floating = work.floating ?? (work.kind === 'move' && sizes.isFloating);
  const size = work.elementSize ?? (floating ? sizes.floating : sizes.integer);
  return { count: Math.max(1, access.size / size), floating };
}

const FRAME_POINTER: Location = 5;

export function isSlot({ base, index }: MemoryAccess, frame: boolean): boolean {
  return index === undefined && (base === STACK_POINTER || (frame && base === FRAME_POINTER));
}

/** Loops above this length are not followed use by use: only what computes an address by its nature is overhead. */
const LONGEST = 4096;

/**
 * Which instructions are overhead: all that reads the general register which they leave, until it is written anew, are
 * addresses of accesses, other such instructions, or comparisons that may end the loop.
 */
export function rolesOf(instructions: readonly CodeInstruction[]): readonly Role[] {
  if (instructions.length > LONGEST)
    return instructions.map(({ work }) => (work.kind === 'address' ? 'overhead' : 'own'));
  const uses = instructions.map((instruction, i) =>
    isCandidate(instruction) ? usesOf(instruction, i, instructions) : undefined,
  );
  const isOverhead = uses.map((each) => each !== undefined);
  const rejects = (i: number): boolean =>
    uses[i]!.readers.some((reader) => !isOverhead[reader] && !isComparison(instructions[reader]));
  // Take back what has another use, until nothing changes.
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < instructions.length; i++) {
      if (!isOverhead[i] || !rejects(i)) continue;
      isOverhead[i] = false;
      changed = true;
    }
  }
  // And of the rest only what an address or a comparison comes of.
  const reaches = instructions.map(
    (each, i) =>
      isOverhead[i] &&
      (uses[i]!.asAddress ||
        uses[i]!.readers.some((reader) => isComparison(instructions[reader])) ||
        counts(each, i)),
  );
  function counts(each: CodeInstruction, i: number): boolean {
    return each.value?.kind === 'sum' && instructions[i + 1]?.flow === 'conditional';
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < instructions.length; i++) {
      if (!isOverhead[i] || reaches[i] || !uses[i]!.readers.some((reader) => reaches[reader])) continue;
      reaches[i] = true;
      changed = true;
    }
  }
  return reaches.map((each) => (each ? 'overhead' : 'own'));
}

const isComparison = ({ work, loads }: CodeInstruction): boolean =>
  work.kind === 'compare' && loads.length === 0;

const isCandidate = ({ work: { kind, vector }, loads, stores }: CodeInstruction): boolean =>
  loads.length + stores.length === 0 &&
  vector === 0 &&
  (kind === 'integer' || kind === 'address' || kind === 'move');

interface Uses {
  readonly asAddress: boolean;
  /** Instructions that read it as data. */
  readonly readers: readonly number[];
}

/** Who reads what an instruction leaves in its general register, around the loop once. */
function usesOf(instruction: CodeInstruction, i: number, all: readonly CodeInstruction[]): Uses {
  const [to] = instruction.writes.filter(isGeneral);
  const readers: number[] = [];
  let asAddress = false;
  if (to === undefined) return { asAddress, readers };
  for (let step = 1; step <= all.length; step++) {
    const at = (i + step) % all.length;
    const each = all[at];
    const accesses = each.loads.length + each.stores.length > 0;
    if (each.addressReads.includes(to)) {
      if (accesses) asAddress = true;
      else readers.push(at);
    }
    if (each.reads.includes(to)) readers.push(at);
    if (each.writes.includes(to)) break;
  }
  return { asAddress, readers };
}
