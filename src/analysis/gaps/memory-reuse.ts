import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction, MemoryAccess } from '../../x86/block.ts';
import type { CodePath } from '../loops/bounds.ts';
import { isSlot } from '../loops/counts.ts';
import { incrementsOf } from '../loops/unroll.ts';
import { Addresses } from '../macs/addresses.ts';
import { essentialCounts } from '../macs/essential.ts';
import { type Context, shows } from './context.ts';
import type { Part } from './what-if.ts';
import { numbered } from './words.ts';

/** An access of a path, and where it is. */
interface Walk {
  readonly instruction: CodeInstruction;
  readonly access: MemoryAccess;
  /** Bytes that its address moves in an iteration; undefined where that is not an even step. */
  readonly stride: number | undefined;
  /** Accesses with one root lie `at` bytes from one another. */
  readonly root: string;
  readonly at: number;
}

function walksOf(
  path: CodePath,
  frame: boolean,
): { readonly loads: readonly Walk[]; readonly stores: readonly Walk[] } {
  const { instructions, before } = path;
  const increments = incrementsOf(instructions);
  const strideOf = ({ base, index, scale }: MemoryAccess): number | undefined => {
    const first = base === undefined ? 0 : increments(base);
    const second = index === undefined ? 0 : increments(index);
    return first === undefined || second === undefined ? undefined : first + scale * second;
  };
  const addresses = new Addresses('distinct');
  for (const step of before)
    if (step.kind === 'instruction') addresses.follow(step.instruction);
    else addresses.forget(step.locations);
  const loads: Walk[] = [];
  const stores: Walk[] = [];
  instructions.forEach((instruction, i) => {
    for (const [list, accesses] of [
      [loads, instruction.loads],
      [stores, instruction.stores],
    ] as const) {
      // Where a store goes is asked for as a load from there would be.
      const spans = addresses.enter({ ...instruction, loads: accesses }).loads;
      accesses.forEach((access, k) => {
        if (instruction.flow !== 'next' || instruction.stackChange !== 0 || isSlot(access, frame)) return;
        const { root, plus: at } = spans[k];
        list.push({ instruction, access, stride: strideOf(access), root, at });
      });
    }
    addresses.leave(instruction, i, 0, []);
  });
  return { loads, stores };
}

/** Elements that are farther apart are not kept in registers. */
const MOST_APART = 16;

/** Loads whose bytes another load brings, of this or an earlier iteration. */
function reloads(loads: readonly Walk[]): readonly Walk[] {
  const groups = new Map<string, Walk[]>();
  for (const walk of loads) {
    if (walk.stride === undefined || walk.stride === 0) continue;
    const key = `${walk.root} ${walk.stride}`;
    groups.set(key, [...(groups.get(key) ?? []), walk]);
  }
  return [...groups.values()].flatMap((group) => {
    const stride = group[0].stride!;
    const size = Math.abs(stride);
    // The one that comes to an element first stays.
    const sorted = [...group].sort((a, b) => Math.sign(stride) * (b.at - a.at));
    const covered = new Set<number>();
    let last: number | undefined;
    return sorted.filter(({ at, access }) => {
      const isFar = last !== undefined && Math.abs(last - at) > MOST_APART * size;
      if (isFar) covered.clear();
      last = at;
      const bytes = Array.from({ length: access.size }, (_, i) => (((at + i) % size) + size) % size);
      const isThere = bytes.every((byte) => covered.has(byte));
      for (const byte of bytes) covered.add(byte);
      return isThere;
    });
  });
}

const partOf = ({ work }: CodeInstruction, part: Part): Part => (work.kind === 'move' ? 'whole' : part);

export function reuseCauses(context: Context): readonly LoopCause[] {
  const again = new Map<number, CodeInstruction>();
  const fixed = new Map<number, CodeInstruction>();
  const kept = new Map<number, CodeInstruction>();
  for (const path of context.paths) {
    const { loads, stores } = walksOf(path, context.loop.frame);
    for (const { instruction } of reloads(loads)) again.set(instruction.address, instruction);
    for (const { instruction, stride } of stores)
      if (stride === 0) kept.set(instruction.address, instruction);
    const written = new Set(stores.filter(({ stride }) => stride === 0).map(spelled));
    for (const load of loads) {
      if (load.stride !== 0) continue;
      // Read and written at one place: a variable in memory.
      if (written.has(spelled(load))) kept.set(load.instruction.address, load.instruction);
      else fixed.set(load.instruction.address, load.instruction);
    }
  }
  return [
    ...reloadCause(context, [...again.values()]),
    ...invariantCause(context, [...fixed.values()]),
    ...keptCause(context, [...kept.values()]),
    ...forwardedCause(context, new Set(kept.keys())),
  ];
}

const spelled = ({ root, at }: Walk): string => `${root} ${at}`;

function reloadCause(context: Context, loads: readonly CodeInstruction[]): readonly LoopCause[] {
  if (loads.length === 0) return [];
  const { source, counts, unroll } = context;
  if (source !== undefined) {
    const essential = essentialCounts(source.demand, source.weigh);
    const asked = essential.loads + (essential.integerLoads ?? 0);
    // What the source asks for itself is no more than that.
    if (counts.loads / unroll <= asked + 1e-6) return [];
  }
  const at = loads.map(({ address }) => address);
  const cycles = context.saves({
    without: new Map(loads.map((each) => [each.address, partOf(each, 'load')])),
  });
  const names = arraysAt(context, at);
  const of = names.length === 1 ? ` of ${names[0]}` : '';
  return [
    context.cause('C', 'redundant-load', {
      text: `Elements${of} are loaded again that another load of this iteration or of one before has brought`,
      advice:
        'Keep them in local variables from one iteration to the next, or build with -O3 (-fpredictive-commoning); restrict tells that no store changes them',
      at,
      cycles,
    }),
  ];
}

/** Names that the source loads from in the lines of some instructions. */
function arraysAt({ source, line }: Context, at: readonly number[]): readonly string[] {
  if (source === undefined) return [];
  const lines = new Set(at.flatMap((address) => line(address)?.line ?? []));
  const names = source.demand.steps.flatMap(({ op, name, line: own }) =>
    op === 'load' && name !== undefined && /^\w+$/.test(name) && lines.has(own) ? [name] : [],
  );
  return [...new Set(names)];
}

function invariantCause(context: Context, loads: readonly CodeInstruction[]): readonly LoopCause[] {
  if (loads.length === 0) return [];
  const cycles = context.saves({
    without: new Map(loads.map((each) => [each.address, partOf(each, 'load')])),
  });
  const stores = context.instructions.some(
    (each) => each.flow === 'next' && each.stores.length > 0 && each.stackChange === 0,
  );
  // A constant that is an operand is no mistake where it costs nothing.
  if (!shows(cycles) && (!stores || loads.every((each) => each.ripRelative))) return [];
  return [
    context.cause('C', 'redundant-load', {
      text: `What is at one address is loaded in every iteration${stores ? ', because a store of the loop might change it' : ''}`,
      advice: stores
        ? 'Copy it to a local variable before the loop, or declare pointers restrict'
        : 'Copy it to a local variable before the loop',
      at: loads.map(({ address }) => address),
      cycles,
    }),
  ];
}

function keptCause(context: Context, all: readonly CodeInstruction[]): readonly LoopCause[] {
  if (all.length === 0) return [];
  const cycles = context.saves({
    without: new Map(all.map((each) => [each.address, partOf(each, 'memory')])),
  });
  const stores = all.filter((each) => each.stores.length > 0);
  return [
    context.cause('C', 'redundant-store', {
      text: `${numbered(stores.length, 'store goes', 'stores go')} to the same address in every iteration, where only the last value is needed`,
      advice:
        'Keep the value in a local variable and store it after the loop; or declare pointers restrict, so that the compiler knows that nothing else reads it',
      at: stores.map(({ address }) => address),
      cycles,
    }),
  ];
}

/** Loads that take what a store of the loop wrote not long before. */
function forwardedCause(context: Context, known: ReadonlySet<number>): readonly LoopCause[] {
  const found = new Map<number, { readonly instruction: CodeInstruction; readonly distance: number }>();
  for (const { body, dependences, code } of context.whatIf.paths())
    dependences.forwards.forEach((stores, uop) => {
      for (const { on, distance } of stores) {
        const load = code.instructions[body.uops[uop].instruction];
        const store = code.instructions[body.uops[on].instruction];
        const isStack = [...load.loads, ...store.stores].some((each) => isSlot(each, context.loop.frame));
        if (isStack || known.has(load.address) || load.stackChange !== 0 || load.flow !== 'next') continue;
        found.set(load.address, { instruction: load, distance });
      }
    });
  if (found.size === 0) return [];
  const all = [...found.values()];
  const cycles = context.saves({
    without: new Map(all.map(({ instruction }) => [instruction.address, partOf(instruction, 'load')])),
  });
  const near = Math.min(...all.map(({ distance }) => distance));
  const when =
    near === 0 ? 'the same iteration' : near === 1 ? 'the iteration before' : `${near} iterations before`;
  return [
    context.cause('C', 'reloaded-store', {
      text: `What a store of ${when} wrote is loaded again instead of staying in a register`,
      advice:
        'Keep the value in a local variable from one iteration to the next, or build with -O3; restrict tells that no other store comes between',
      at: all.map(({ instruction }) => instruction.address),
      cycles,
    }),
  ];
}
