import type { Machine } from '../../machines/machine.ts';
import type { BlockInstruction } from '../../x86/block.ts';
import { LOCATION_COUNT, type Location, STACK_POINTER } from '../../x86/locations.ts';
import { Addresses, type StartingValues } from './addresses.ts';
import type { Body } from './body.ts';

/** A micro-operation waits for the result of another, of its own repetition (distance 0) or an earlier one. */
export interface Wait {
  readonly on: number;
  readonly distance: number;
  /** Cycles that the result is there sooner than for others. */
  readonly sooner: number;
}

/** A load takes its value from a store: its result is not there before the store's data started and `latency` passed. */
export interface Forward {
  readonly on: number;
  readonly distance: number;
  readonly latency: number;
}

export interface Dependences {
  /** For each micro-operation what it waits for before it starts. */
  readonly waits: readonly (readonly Wait[])[];
  readonly forwards: readonly (readonly Forward[])[];
  /** Cycles that a micro-operation takes longer (or, below 0, less long) than usual: loads do. */
  readonly extra: readonly number[];
}

/** Repetitions that are looked at, so that distances up to one less are seen. */
const ROUNDS = 9;

interface Writer {
  readonly round: number;
  readonly uops: readonly number[];
  /** Form of the instruction that computed it: of a copy that renaming does, what its source has. */
  readonly form: string;
  /** The instruction loaded the value into a general register and did nothing else with it. */
  readonly loaded: boolean;
}

/** A load takes what a store wrote `distance` repetitions before. Both are positions of instructions. */
export interface MemoryDependence {
  readonly store: number;
  readonly load: number;
  readonly distance: number;
}

/** What came before the body, in order: instructions, and between them registers that something not known changed. */
export type Earlier =
  | { readonly kind: 'instruction'; readonly instruction: BlockInstruction }
  | { readonly kind: 'changed'; readonly locations: readonly Location[] };

export interface DataflowKnowledge {
  /** All dependences through memory; undefined: those that addresses tell. */
  readonly memory?: readonly MemoryDependence[] | undefined;
  readonly before?: readonly Earlier[];
}

/**
 * Follows registers, flags and memory through several repetitions and takes the last one's dependences for all: in the
 * steady state the distances are the same in each. With `memory`, dependences through memory are these and no others.
 */
export function dependencesOf(
  body: Body,
  machine: Machine,
  start: StartingValues,
  { memory, before }: DataflowKnowledge = {},
): Dependences {
  const state: State = {
    writers: new Array(LOCATION_COUNT).fill(undefined),
    addresses: new Addresses(start),
    held: [],
    isGiven: memory !== undefined,
  };
  for (const step of before ?? [])
    if (step.kind === 'instruction') state.addresses.follow(step.instruction);
    else state.addresses.forget(step.locations);
  let result: Dependences = { waits: [], forwards: [], extra: [] };
  for (let round = 0; round < ROUNDS; round++) result = oneRound(body, machine, round, state);
  return memory === undefined ? result : withMemory(result, memory, body, machine);
}

/** What earlier instructions left. */
interface State {
  /** Dependences through memory are known otherwise. */
  readonly isGiven: boolean;
  readonly writers: (Writer | undefined)[];
  readonly addresses: Addresses;
  /** Loads that had to wait until a store was written. */
  readonly held: { readonly round: number; readonly instruction: number; readonly load: number }[];
}

function oneRound(body: Body, machine: Machine, round: number, state: State): Dependences {
  const { writers, addresses, held } = state;
  const waits: (readonly Wait[])[] = body.uops.map(() => []);
  const forwards: Forward[][] = body.uops.map(() => []);
  const extra: number[] = body.uops.map(() => 0);
  const isLast = round === ROUNDS - 1;
  body.instructions.forEach((instruction, i) => {
    const { loads, compute, chained, addresses: storeAddresses, data, sync, independent } = body.roles[i];
    // Earlier rounds are only followed.
    const of = (locations: readonly number[]): readonly Wait[] =>
      !isLast
        ? NO_WAITS
        : locations.flatMap((location) => {
            const writer = writers[location];
            if (writer === undefined) return [];
            const sooner = machine.soonerFor(writer.form, instruction.form);
            return writer.uops.map((on) => ({ on, distance: round - writer.round, sooner }));
          });
    if (sync !== undefined) {
      waits[sync] = of([STACK_POINTER]);
      writers[STACK_POINTER] = { round, uops: [sync], form: instruction.form, loaded: false };
    }
    const { kept } = instruction;
    const reads = independent ? [] : of(instruction.reads.filter((each) => !kept.includes(each)));
    const old = independent ? [] : of(kept);
    const address = of(instruction.addressReads);
    const here = (uops: readonly number[]): Wait[] => uops.map((on) => ({ on, distance: 0, sooner: 0 }));
    const accesses = addresses.enter(instruction);
    loads.forEach((load, k) => {
      waits[load] = address;
      extra[load] = addressExtra(instruction, machine, state.writers);
      const access = accesses.loads[Math.min(k, accesses.loads.length - 1)];
      const store = state.isGiven || access === undefined ? undefined : addresses.lastStore(access);
      if (store === undefined) return;
      const since = (writer: { readonly round: number }): number => round - writer.round;
      if (store.whole) {
        const latency = forwardLatency(instruction, store.spelling === access.spelling, machine);
        for (const on of store.uops) forwards[load].push({ on, distance: since(store), latency });
        return;
      }
      // The store is written after it is retired, so after the loads that were themselves held up before it.
      const earlier = held.findLast(
        (each) =>
          each.round < store.round || (each.round === store.round && each.instruction < store.instruction),
      );
      const behind = earlier === undefined ? [] : [{ on: earlier.load, distance: since(earlier), sooner: 0 }];
      waits[load] = [
        ...address,
        ...store.uops.map((on) => ({ on, distance: since(store), sooner: 0 })),
        ...behind,
      ];
      extra[load] = machine.memory.blocked - body.uops[load].latency;
      held.push({ round, instruction: i, load });
      if (held.length > MOST_HELD) held.shift();
    });
    compute.forEach((uop, k) => {
      const first = chained && k > 0 ? here([compute[k - 1]]) : [...reads, ...here(loads)];
      // Whether the old value stays is decided last (Haswell's cmov: 2 cycles from the flags, 1 from the destination).
      waits[uop] = k === compute.length - 1 ? [...first, ...old] : first;
    });
    const last = chained ? compute.slice(-1) : compute;
    const results = compute.length > 0 ? last : loads;
    for (const uop of storeAddresses) waits[uop] = address;
    for (const uop of data) waits[uop] = compute.length > 0 || loads.length > 0 ? here(results) : reads;
    const loaded = compute.length === 0 && loads.length > 0 && instruction.width === 0;
    // A micro-operation without a result (a store's, or none at all) leaves its destinations ready at once.
    const [only] = compute.map((uop) => body.uops[uop]);
    const isCopy = instruction.move !== undefined && (only?.move !== undefined || only?.ports === '');
    const source = isCopy ? writers[instruction.reads[0]] : undefined;
    const form = source?.form ?? instruction.form;
    for (const location of instruction.writes) writers[location] = { round, uops: results, form, loaded };
    addresses.leave(instruction, i, round, data);
  });
  return { waits: waits.map(unique), forwards, extra };
}

/** What was stored longer ago is in the cache, whatever the machine. */
const FARTHEST = 64;

function withMemory(
  { waits, extra }: Dependences,
  memory: readonly MemoryDependence[],
  body: Body,
  machine: Machine,
): Dependences {
  const forwards: Forward[][] = body.uops.map(() => []);
  for (const { store, load, distance } of memory) {
    if (distance > FARTHEST) continue;
    const { data } = body.roles[store];
    const alike = isSpelledAlike(body.instructions, store, load, distance);
    const latency = forwardLatency(body.instructions[load], alike, machine);
    for (const uop of body.roles[load].loads)
      for (const on of data) forwards[uop].push({ on, distance, latency });
  }
  return { waits, forwards, extra };
}

/** Whether a load names the address as the store did, with registers that nothing in between wrote. */
function isSpelledAlike(
  instructions: readonly BlockInstruction[],
  store: number,
  load: number,
  distance: number,
): boolean {
  const [to] = instructions[store].stores;
  const [from] = instructions[load].loads;
  if (to === undefined || from === undefined) return false;
  if (to.base !== from.base || to.index !== from.index) return false;
  if (to.scale !== from.scale || to.displacement !== from.displacement) return false;
  const between =
    distance === 0
      ? instructions.slice(store, load)
      : distance === 1
        ? [...instructions.slice(store), ...instructions.slice(0, load)]
        : instructions;
  return between.every(({ writes }) => !writes.some((each) => each === to.base || each === to.index));
}

function forwardLatency(
  { width, loads }: BlockInstruction,
  spelledAlike: boolean,
  { memory: { forward, forwardVector, renamed } }: Machine,
): number {
  if (width > 0) return forwardVector ?? forward;
  const base = loads[0]?.base;
  const isStack = base === STACK_POINTER || base === FRAME_POINTER;
  return renamed !== undefined && spelledAlike && (renamed.bases === 'any' || isStack)
    ? renamed.cycles
    : forward;
}

const FRAME_POINTER = 5;

const NO_WAITS: readonly Wait[] = [];

/** Loads that are remembered for those behind them. */
const MOST_HELD = 512;

/** Cycles that a load takes longer, or less long, than usual because of its address. */
function addressExtra(
  instruction: BlockInstruction,
  machine: Machine,
  writers: readonly (Writer | undefined)[],
): number {
  if (isFast(instruction, machine, writers)) return -1;
  const scaled = instruction.loads.some(({ index, scale }) => index !== undefined && scale > 1);
  return scaled ? (machine.memory.scaledIndex ?? 0) : 0;
}

function isFast(
  instruction: BlockInstruction,
  machine: Machine,
  writers: readonly (Writer | undefined)[],
): boolean {
  if (!machine.memory.fastPointer || instruction.indexed || instruction.width !== 0) return false;
  const [access] = instruction.loads;
  if (access?.base === undefined || access.displacement < 0 || access.displacement >= 2048) return false;
  return writers[access.base]?.loaded === true;
}

function unique(waits: readonly Wait[]): readonly Wait[] {
  const seen = new Set<number>();
  return waits.filter(({ on, distance }) => {
    const key = on * 64 + distance;
    return seen.has(key) ? false : seen.add(key);
  });
}
