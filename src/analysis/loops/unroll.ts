import type { CodeInstruction, MemoryAccess } from '../../x86/block.ts';
import { isGeneral, type Location } from '../../x86/locations.ts';
import { type ElementSizes, elementsOf } from './counts.ts';

/** How many source iterations one of the machine code does, and how that was found. */
export interface Unrolling {
  readonly degree: number;
  /** Elements that its widest accesses with a stride hold at once: the part of the degree that is vectors. */
  readonly lanes: number;
  /**
   * `code`: from strides, vectors and repeated groups of accesses. `operations`: from what the source asks for.
   * `counts`: from executed iterations. Absent where nothing was found, so that the degree is 1.
   */
  readonly from: 'code' | 'operations' | 'counts' | undefined;
  /** It has vectors of several elements, and yet no degree but 1 was found. */
  readonly isDoubtful: boolean;
}

export const NOT_UNROLLED: Unrolling = { degree: 1, lanes: 1, from: undefined, isDoubtful: false };

/**
 * From the code alone: the largest number of copies of a body such that the accesses through each register with a stride are
 * as many copies of fewer, at equal steps within the stride, an access of several elements being as many copies itself; and
 * that each form of floating-point instruction, and all stores together, do a multiple of that many elements.
 *
 * A loop over complex numbers whose parts are treated alike looks like one that was copied: the source's counts tell.
 */
export function unrollingOf(instructions: readonly CodeInstruction[], sizes: ElementSizes): Unrolling {
  const groups = stridedGroups(instructions, sizes);
  const isDoubtful = instructions.some(({ work }) => COPIED.has(work.kind) && (work.elements ?? 1) > 1);
  if (groups.length === 0) return { ...NOT_UNROLLED, isDoubtful };
  const multiples = elementCounts(instructions, sizes);
  const most = Math.min(...groups.map(({ elements, displacements }) => elements * displacements.length));
  for (let degree = Math.min(most, MOST_COPIES); degree > 1; degree--)
    if (multiples.every((count) => count % degree === 0) && groups.every((group) => isCopied(group, degree)))
      return {
        degree,
        lanes: Math.max(...groups.map(({ elements }) => elements)),
        from: 'code',
        isDoubtful: false,
      };
  return { ...NOT_UNROLLED, from: 'code', isDoubtful };
}

const MOST_COPIES = 256;

/** Elements that each form of floating-point instruction computes, and all stores write, in an iteration. */
function elementCounts(instructions: readonly CodeInstruction[], sizes: ElementSizes): readonly number[] {
  const counts = new Map<string, number>();
  const add = (what: string, count: number): void => {
    counts.set(what, (counts.get(what) ?? 0) + count);
  };
  for (const instruction of instructions) {
    const { form, work, stores } = instruction;
    if (COPIED.has(work.kind)) add(form, work.elements ?? 1);
    for (const access of stores) add('store', elementsOf(instruction, access, sizes).count);
  }
  return [...counts.values()];
}

const COPIED: ReadonlySet<string> = new Set(['fa', 'fm', 'fma', 'fmisc']);

/** Whether the displacements are those of one copy, shifted by equal steps that add up to the stride. */
function isCopied({ stride, displacements, elements }: StridedGroup, degree: number): boolean {
  const copies = degree / elements;
  const step = stride / copies;
  if (!Number.isInteger(copies) || !Number.isInteger(step) || displacements.length % copies !== 0)
    return false;
  const wrap = (value: number): number => ((value % stride) + Math.abs(stride)) % Math.abs(stride);
  const tally = new Map<number, number>();
  for (const each of displacements) tally.set(wrap(each), (tally.get(wrap(each)) ?? 0) + 1);
  return [...tally].every(([at, count]) => tally.get(wrap(at + step)) === count);
}

/** Accesses of one kind through the same registers, and how far these move in an iteration. */
interface StridedGroup {
  readonly stride: number;
  readonly displacements: readonly number[];
  /** Elements of each access. */
  readonly elements: number;
}

function stridedGroups(
  instructions: readonly CodeInstruction[],
  sizes: ElementSizes,
): readonly StridedGroup[] {
  const increments = incrementsOf(instructions);
  const groups = new Map<string, { stride: number; displacements: number[]; elements: number }>();
  const moved = new Map<Location, number>();
  for (const instruction of instructions) {
    for (const [kind, accesses] of [
      ['load', instruction.loads],
      ['store', instruction.stores],
    ] as const)
      for (const access of accesses) {
        const stride = strideOf(access, increments);
        if (stride === undefined || stride === 0) continue;
        const { base, index, scale } = access;
        const elements = elementsOf(instruction, access, sizes).count;
        const key = `${kind} ${base} ${index} ${scale} ${elements}`;
        const group = groups.get(key) ?? {
          stride,
          displacements: [],
          elements,
        };
        groups.set(key, group);
        group.displacements.push(access.displacement + movedBy(access, moved));
      }
    const { value } = instruction;
    if (value?.kind === 'sum' && value.to === value.from)
      moved.set(value.to, (moved.get(value.to) ?? 0) + value.plus);
  }
  return [...groups.values()];
}

const movedBy = ({ base, index, scale }: MemoryAccess, moved: ReadonlyMap<Location, number>): number =>
  (base === undefined ? 0 : (moved.get(base) ?? 0)) +
  (index === undefined ? 0 : scale * (moved.get(index) ?? 0));

/** By how much registers change in an iteration, of those that only known numbers are added to; 0 for what never changes. */
export function incrementsOf(
  instructions: readonly CodeInstruction[],
): (location: Location) => number | undefined {
  const sums = new Map<Location, number>();
  const unknown = new Set<Location>();
  for (const { value, writes } of instructions) {
    const isStep = value?.kind === 'sum' && value.to === value.from;
    if (isStep) sums.set(value.to, (sums.get(value.to) ?? 0) + value.plus);
    for (const location of writes)
      if (isGeneral(location) && !(isStep && location === value.to)) unknown.add(location);
  }
  return (location) => (unknown.has(location) ? undefined : (sums.get(location) ?? 0));
}

function strideOf(
  { base, index, scale }: MemoryAccess,
  increments: (location: Location) => number | undefined,
): number | undefined {
  const first = base === undefined ? 0 : increments(base);
  const second = index === undefined ? 0 : increments(index);
  return first === undefined || second === undefined ? undefined : first + scale * second;
}
