import type { Machine, Needs } from '../../machines/machine.ts';
import type { BlockInstruction } from '../../x86/block.ts';
import { deliveryEnds } from './delivery.ts';
import { fusesWith } from './macro-fusion.ts';

export type UopKind = 'compute' | 'load' | 'address' | 'data' | 'sync';

/** A micro-operation of a loop body. */
export interface Uop {
  readonly instruction: number;
  readonly kind: UopKind;
  /** Ports that can execute it; empty for none (eliminated, or only retired). */
  readonly ports: string;
  /** Cycles from its start to its result. */
  readonly latency: number;
  /** Cycles that the divider is busy with it. */
  readonly divider: number;
  /** A register copy that renaming may do, without a port and without latency. */
  readonly move: 'general' | 'vector' | undefined;
}

/** What goes through the front end as one: micro-operations that share a slot where they can. */
export interface Slot {
  readonly instruction: number;
  /** Indices into `uops`. */
  readonly uops: readonly number[];
}

/** An instruction as the front end sees it. */
export interface Fetched {
  /** Index of the first of the (one or two) instructions that it stands for. */
  readonly instruction: number;
  readonly length: number;
  readonly opcodeAt: number;
  readonly changesLength: boolean;
  /** Micro-operations that a decoder makes; more than the machine's `complexUops` come from microcode. */
  readonly decoded: number;
  /** Fused with the one before: decoded with it. */
  readonly fusedWithPrevious: boolean;
  readonly mayFuse: boolean;
  readonly branch: boolean;
  /** Its slots: indices into `slots`. */
  readonly slots: readonly number[];
}

/** A loop body, or a block that is repeated, in a machine's terms. */
export interface Body {
  readonly instructions: readonly BlockInstruction[];
  readonly fetched: readonly Fetched[];
  readonly slots: readonly Slot[];
  readonly uops: readonly Uop[];
  /** For each instruction, its micro-operations by role. */
  readonly roles: readonly Roles[];
  /** Forms that the machine model does not know; they count as one micro-operation on any port of the general ones. */
  readonly unknown: readonly string[];
  /** Slots up to and with each taken branch, or wherever else the lines of code end a cycle's delivery, ascending. */
  readonly breaks: readonly number[];
  /** Of the instructions: where they lie, if that is known and matters, and which are taken branches. */
  readonly addresses: readonly number[] | undefined;
  readonly taken: ReadonlySet<number>;
}

export interface Roles {
  readonly loads: readonly number[];
  readonly compute: readonly number[];
  /** Whether the computing ones wait for one another. */
  readonly chained: boolean;
  readonly addresses: readonly number[];
  readonly data: readonly number[];
  readonly sync: number | undefined;
  /** Sources do not matter: a zeroing or ones idiom of one register. */
  readonly independent: boolean;
}

const NO_NEEDS: Needs = {
  compute: [],
  loads: undefined,
  stores: undefined,
  latency: 0,
  divider: 0,
  slots: undefined,
};

/**
 * `taken` are the positions of branches that are taken; by itself the last instruction, which repeats it all. `addresses` are
 * where the instructions lie, at least within a page, where that is known.
 */
export function bodyOf(
  instructions: readonly BlockInstruction[],
  machine: Machine,
  taken: ReadonlySet<number> = new Set([instructions.length - 1]),
  addresses?: readonly number[],
): Body {
  const breaks: number[] = [];
  const uops: Uop[] = [];
  const slots: Slot[] = [];
  const roles: Roles[] = [];
  const fetched: Fetched[] = [];
  const unknown: string[] = [];
  const syncs = stackSyncs(instructions, machine);
  instructions.forEach((instruction, i) => {
    const fused = i > 0 && fusesWith(instructions[i - 1], instruction, machine);
    const firstSlot = slots.length;
    const sync = syncs[i] ? addSync(i, uops, slots, machine) : undefined;
    // Of a fused pair the branch does the work of both.
    const fusesAhead = i + 1 < instructions.length && fusesWith(instruction, instructions[i + 1], machine);
    const needs = fusesAhead
      ? { ...NO_NEEDS, latency: 1, compute: branchPorts(instructions[i + 1], machine) }
      : fused
        ? NO_NEEDS
        : needsOf(instruction, machine, unknown);
    const role = addUops(instruction, i, needs, sync, machine, uops);
    roles.push(role);
    const decoded = fused ? 0 : addSlots(instruction, i, needs, role, machine, slots);
    fetched.push({
      instruction: i,
      length: instruction.length,
      opcodeAt: instruction.opcodeAt,
      changesLength: instruction.changesLength,
      decoded,
      fusedWithPrevious: fused,
      mayFuse: FUSIBLE.test(instruction.mnemonic),
      branch: instruction.flow !== 'next' || fusesAhead,
      slots: slots.slice(firstSlot).map((_, k) => firstSlot + k),
    });
    if (taken.has(i)) breaks.push(slots.length);
  });
  const { lines, width } = machine.uopCache;
  return {
    instructions,
    fetched,
    slots,
    uops,
    roles,
    unknown: [...new Set(unknown)],
    breaks:
      lines === undefined || addresses === undefined
        ? breaks
        : deliveryEnds(fetched, addresses, taken, lines, width),
    addresses: lines === undefined ? undefined : addresses,
    taken,
  };
}

/** What may fuse with a branch (Intel's optimization manual, 3.4.2.2). */
const FUSIBLE = /^(?:cmp|test|add|sub|and|inc|dec)$/;

function branchPorts(branch: BlockInstruction, machine: Machine): readonly string[] {
  return machine.needsOf(branch.form)?.compute ?? [];
}

/**
 * Where the stack engine must bring rsp up to date: before an instruction that names it, after pushes and pops changed it
 * without doing so. The state at the block's start is that of its end, because it repeats.
 */
function stackSyncs(instructions: readonly BlockInstruction[], machine: Machine): readonly boolean[] {
  const syncs: boolean[] = instructions.map(() => false);
  if (machine.rename.stackEngine.syncPorts === undefined) return syncs;
  let changed = false;
  for (let round = 0; round < 2; round++)
    instructions.forEach((instruction, i) => {
      const reads =
        instruction.usesStackPointer &&
        (instruction.addressReads.includes(4) || instruction.reads.includes(4));
      syncs[i] = changed && reads;
      if (syncs[i]) changed = false;
      if (instruction.stackChange !== 0) changed = true;
      if (instruction.writesStackPointer && instruction.stackChange === 0) changed = false;
    });
  return syncs;
}

function addSync(instruction: number, uops: Uop[], slots: Slot[], machine: Machine): number {
  const index = uops.length;
  const ports = machine.rename.stackEngine.syncPorts!;
  uops.push({ instruction, kind: 'sync', ports, latency: 1, divider: 0, move: undefined });
  slots.push({ instruction, uops: [index] });
  return index;
}

function needsOf(instruction: BlockInstruction, machine: Machine, unknown: string[]): Needs {
  const { zeroIdioms, onesIdioms } = machine.rename;
  if (instruction.sameSources && zeroIdioms.has(instruction.mnemonic)) return NO_NEEDS;
  const needs = machine.needsOf(instruction.form) ?? withoutLock(instruction, machine);
  if (needs === undefined) {
    unknown.push(instruction.form);
    return { ...NO_NEEDS, compute: [generalPorts(machine)], latency: 1 };
  }
  if (instruction.sameSources && onesIdioms.has(instruction.mnemonic)) return { ...needs, latency: 0 };
  return needs;
}

function withoutLock(instruction: BlockInstruction, machine: Machine): Needs | undefined {
  return instruction.form.startsWith('lock ') ? machine.needsOf(instruction.form.slice(5)) : undefined;
}

/** Where additions go. */
function generalPorts(machine: Machine): string {
  return machine.needsOf('add r64,r64')?.compute[0] ?? machine.ports[0];
}

function isIndependent(instruction: BlockInstruction, machine: Machine): boolean {
  const { zeroIdioms, onesIdioms } = machine.rename;
  return (
    instruction.sameSources && (zeroIdioms.has(instruction.mnemonic) || onesIdioms.has(instruction.mnemonic))
  );
}

function addUops(
  instruction: BlockInstruction,
  i: number,
  needs: Needs,
  sync: number | undefined,
  machine: Machine,
  uops: Uop[],
): Roles {
  const { memory } = machine;
  const add = (
    kind: UopKind,
    ports: string,
    latency: number,
    divider = 0,
    move?: 'general' | 'vector',
  ): number => {
    uops.push({ instruction: i, kind, ports, latency, divider, move });
    return uops.length - 1;
  };
  const times = (count: number, each: (k: number) => number): number[] =>
    Array.from({ length: count }, (_, k) => each(k));
  const loadCount = needs.loads ?? instruction.loads.length;
  const storeCount = needs.stores ?? instruction.stores.length;
  const vector = instruction.width > 0;
  const loadPorts = vector ? (memory.loadVector ?? memory.load) : memory.load;
  const loadLatency = memory.loadLatency[instruction.width];
  const loads = times(loadCount, () => add('load', loadPorts, loadLatency));
  const count = needs.compute.length;
  const chained = count > 1 && count <= needs.latency;
  const independent = isIndependent(instruction, machine);
  // An instruction that renaming alone does (a copy, an exchange) still passes its sources on.
  const passes =
    count + loadCount + storeCount === 0 &&
    !independent &&
    needs !== NO_NEEDS &&
    instruction.writes.length > 0;
  // Fewer cycles than micro-operations: one has the latency, the others run beside it (a division's, microcode's).
  const compute = passes
    ? [add('compute', '', needs.latency)]
    : times(count, (k) => {
        const latency = chained
          ? k === count - 1
            ? needs.latency - count + 1
            : 1
          : k === 0
            ? needs.latency
            : 1;
        const move =
          count === 1 && loadCount + storeCount === 0 ? eliminable(instruction, machine) : undefined;
        return add('compute', needs.compute[k], latency, k === 0 ? needs.divider : 0, move);
      });
  const addressPorts = instruction.indexed ? memory.storeAddressIndexed : memory.storeAddress;
  const dataPorts = vector ? (memory.storeDataVector ?? memory.storeData) : memory.storeData;
  const addresses = times(storeCount, () => add('address', addressPorts, 1));
  const data = times(storeCount, () => add('data', dataPorts, 1));
  return { loads, compute, chained, addresses, data, sync, independent };
}

function eliminable(instruction: BlockInstruction, machine: Machine): 'general' | 'vector' | undefined {
  const { move } = instruction;
  return move !== undefined && machine.rename.moveElimination[move] !== undefined ? move : undefined;
}

/** Groups an instruction's micro-operations into slots; gives how many the decoder makes, before indexed ones come apart. */
function addSlots(
  instruction: BlockInstruction,
  i: number,
  needs: Needs,
  roles: Roles,
  machine: Machine,
  slots: Slot[],
): number {
  const groups: number[][] = [];
  const { micro } = machine.fusion;
  const fuses =
    micro === 'whole' || (micro === 'pairs' && !(instruction.ripRelative && instruction.immediate));
  const compute = roles.compute.map((uop) => [uop]);
  // A load shares the slot of the operation that takes it, a store's address that of its data.
  roles.loads.forEach((load, k) => {
    if (fuses && k < compute.length) compute[k].push(load);
    else groups.push([load]);
  });
  groups.push(...compute);
  roles.addresses.forEach((address, k) => {
    if (micro === 'whole' && groups.length > 0) groups.at(-1)!.push(address, roles.data[k]);
    else if (fuses) groups.push([address, roles.data[k]]);
    else groups.push([address], [roles.data[k]]);
  });
  if (groups.length === 0) groups.push([]);
  const decoded = needs.slots ?? groups.length;
  const issued =
    needs.slots === undefined
      ? groups.flatMap((group) => comeApart(group, instruction, roles, machine))
      : spread(groups, needs.slots);
  for (const uops of issued) slots.push({ instruction: i, uops });
  return decoded;
}

/** The same micro-operations in as many slots as the model says. */
function spread(groups: readonly number[][], count: number): number[][] {
  const all = groups.flat();
  return Array.from({ length: Math.max(1, count) }, (_, k) =>
    all.filter((_, at) => Math.min(at, count - 1) === k),
  );
}

function comeApart(
  group: readonly number[],
  instruction: BlockInstruction,
  roles: Roles,
  machine: Machine,
): readonly number[][] {
  if (group.length < 2 || !instruction.indexed) return [[...group]];
  const isStore = group.includes(roles.addresses[0]);
  switch (machine.fusion.unlaminate) {
    case 'none':
      return [[...group]];
    case 'sandybridge':
      return group.map((uop) => [uop]);
    case 'haswell':
      // Stores stay together, and operations that read what they write.
      return isStore || instruction.readsDestination ? [[...group]] : group.map((uop) => [uop]);
  }
}
