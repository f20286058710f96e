import { type CodeInstruction, isGeneral, type Location, type MemoryAccess } from '../../x86/block.ts';
import { type ElementSizes, elementsOf } from './counts.ts';

/** How many source iterations one of the machine code does, and how that was found. */
export interface Unrolling {
  readonly degree: number;
  /** Elements that its vectors hold, and copies of the body: the degree is their product. */
  readonly lanes: number;
  readonly copies: number;
  /**
   * `code`: from strides, vectors and repeated groups of instructions. `operations`: from what the source asks for.
   * `counts`: from executed iterations. Absent where nothing was found, so that the degree is 1.
   */
  readonly from: 'code' | 'operations' | 'counts' | undefined;
}

export const NOT_UNROLLED: Unrolling = { degree: 1, lanes: 1, copies: 1, from: undefined };

/**
 * From the code alone. Vectors hold several elements; and where every access with a stride has copies of itself at equal
 * steps within it, and every kind of operation comes as often, the body was copied so many times.
 *
 * A loop over complex numbers whose parts are treated alike looks like one that was copied: the source's counts tell.
 */
export function unrollingOf(instructions: readonly CodeInstruction[], sizes: ElementSizes): Unrolling {
  const groups = stridedGroups(instructions, sizes);
  if (groups.length === 0) return NOT_UNROLLED;
  const lanes = lanesOfAccesses(groups) ?? lanesOf(instructions, sizes);
  const copies = copiesOf(groups, instructions);
  if (lanes * copies === 1) return { ...NOT_UNROLLED, from: 'code' };
  return { degree: lanes * copies, lanes, copies, from: 'code' };
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
        const { base, index, scale, size } = access;
        const key = `${kind} ${base} ${index} ${scale} ${size} ${instruction.form}`;
        const group = groups.get(key) ?? {
          stride,
          displacements: [],
          elements: elementsOf(instruction, access, sizes).count,
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

/** Where every access with a stride is of as many elements; an addition in order may still be done one by one. */
function lanesOfAccesses([first, ...others]: readonly StridedGroup[]): number | undefined {
  return first.elements > 1 && others.every(({ elements }) => elements === first.elements)
    ? first.elements
    : undefined;
}

/** What most vector instructions that compute hold; without any, what most that load or store do. */
function lanesOf(instructions: readonly CodeInstruction[], sizes: ElementSizes): number {
  const tally = new Map<number, number>();
  const add = (lanes: number, weight: number): void => {
    tally.set(lanes, (tally.get(lanes) ?? 0) + weight);
  };
  for (const instruction of instructions) {
    const { work, loads, stores } = instruction;
    const computes = ['fa', 'fm', 'fma', 'fmisc', 'integer'].includes(work.kind);
    if (work.vector > 0 && computes && !instruction.sameSources)
      add(work.elements ?? Math.max(1, work.vector / (work.elementSize ?? sizes.integer)), 1000);
    else if (work.vector > 0)
      for (const access of [...loads, ...stores]) add(elementsOf(instruction, access, sizes).count, 1);
  }
  return [...tally].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 1;
}

function copiesOf(groups: readonly StridedGroup[], instructions: readonly CodeInstruction[]): number {
  const forms = new Map<string, number>();
  for (const { form, work } of instructions)
    if (COPIED.has(work.kind)) forms.set(form, (forms.get(form) ?? 0) + 1);
  const largest = Math.max(...groups.map(({ displacements }) => displacements.length));
  for (let copies = Math.min(largest, MOST_COPIES); copies > 1; copies--)
    if (
      [...forms.values()].every((count) => count % copies === 0) &&
      groups.every((group) => hasCopies(group, copies))
    )
      return copies;
  return 1;
}

const COPIED: ReadonlySet<string> = new Set(['fa', 'fm', 'fma', 'fmisc']);
const MOST_COPIES = 64;

/** Whether the displacements are those of one copy, shifted by equal steps that add up to the stride. */
function hasCopies({ stride, displacements }: StridedGroup, copies: number): boolean {
  const step = stride / copies;
  if (!Number.isInteger(step) || displacements.length % copies !== 0) return false;
  const wrap = (value: number): number => ((value % stride) + Math.abs(stride)) % stride;
  const tally = new Map<number, number>();
  for (const each of displacements) tally.set(wrap(each), (tally.get(wrap(each)) ?? 0) + 1);
  return [...tally].every(([at, count]) => tally.get(wrap(at + step)) === count);
}

/** What an iteration of the source asks for, as far as it tells how often the machine code does it. */
export interface SourceOperations {
  readonly fa: number;
  readonly fm: number;
  readonly fma: number;
  readonly fmisc: number;
  readonly loads: number;
  readonly stores: number;
}

/**
 * From the source's operations: compilers may contract, but seldom change how many additions and multiplications there
 * are, nor how many elements are stored. Undefined where the two do not fit.
 */
export function degreeFromOperations(
  compiled: SourceOperations,
  source: SourceOperations,
): number | undefined {
  const floating = ({ fa, fm, fma }: SourceOperations): number => fa + fm + 2 * fma;
  for (const [made, asked] of [
    [floating(compiled), floating(source)],
    [compiled.stores, source.stores],
    [compiled.loads, source.loads],
  ]) {
    if (asked === 0 || made === 0) continue;
    const ratio = made / asked;
    const whole = Math.round(ratio);
    if (whole >= 1 && Math.abs(ratio - whole) < 0.01) return whole;
  }
  return undefined;
}
