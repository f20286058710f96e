import { LOCATIONS } from '../../src/x86/state.ts';

/** Index of an executed instruction, from 0. */
export type Step = number;

/** What one executed instruction read and wrote: locations, and memory as byte ranges. */
export interface Dependences {
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  readonly loads: readonly ByteRange[];
  readonly stores: readonly ByteRange[];
}

export interface ByteRange {
  readonly address: number;
  readonly length: number;
}

/**
 * The whole data-flow graph of a run: for every executed instruction its address and the distinct instructions that
 * last wrote what it reads. Naive on purpose: it is what the fast measurement is compared with.
 */
export class DataFlowGraph {
  private readonly addresses: number[] = [];
  private readonly producers: (readonly Step[])[] = [];
  /** By step: the thread that executed it. */
  private readonly threads: number[] = [];
  private running = 0;
  /** Of the threads that do not run. */
  private readonly parked = new Map<number, Map<number, readonly Step[]>>();
  /** Several after a signal's handler changed some of the bytes that hold a register. */
  private locationWriters = new Map<number, readonly Step[]>();
  private readonly byteWriters = new Map<number, Step | readonly Step[]>();

  get length(): number {
    return this.addresses.length;
  }

  address(step: Step): number {
    return this.addresses[step];
  }

  /** In ascending order. */
  producersOf(step: Step): readonly Step[] {
    return this.producers[step];
  }

  threadOf(step: Step): number {
    return this.threads[step];
  }

  /** What is appended from now on was executed by another thread. */
  switchThread(index: number): void {
    if (index === this.running) return;
    this.parked.set(this.running, this.locationWriters);
    this.locationWriters = this.parked.get(index)!;
    this.running = index;
  }

  /** The last instruction started a thread, and wrote some of its registers besides what it wrote here. */
  startThread(index: number, written: readonly number[]): void {
    const writers = new Map(this.locationWriters);
    for (const location of written) writers.set(location, [this.length - 1]);
    this.parked.set(index, writers);
  }

  append(address: number, { sources, destinations, loads, stores }: Dependences): void {
    const step = this.length;
    const found = new Set<Step>();
    const note = (writers: Step | readonly Step[] | undefined): void => {
      for (const writer of writersOf(writers)) found.add(writer);
    };
    for (const location of sources) {
      if (location < 0 || location >= LOCATIONS) throw new Error(`location ${location} does not exist`);
      for (const writer of this.locationWriters.get(location) ?? []) found.add(writer);
    }
    forEachByte(loads, (byte) => note(this.byteWriters.get(byte)));
    for (const location of destinations) this.locationWriters.set(location, [step]);
    forEachByte(stores, (byte) => this.byteWriters.set(byte, step));
    this.addresses.push(address);
    this.threads.push(this.running);
    this.producers.push([...found].sort((a, b) => a - b));
  }

  /** A signal's handler is entered: what the kernel writes is the thread's last retired instruction's, but for what it saves (rule 8). */
  enterHandler(written: readonly ByteRange[], saved: readonly SavedLocation[], set: readonly number[]): void {
    const last = this.threads.lastIndexOf(this.running);
    const writers = saved.map(({ location }) => this.locationWriters.get(location) ?? []);
    forEachByte(written, (byte) => {
      if (last >= 0) this.byteWriters.set(byte, last);
      else this.byteWriters.delete(byte);
    });
    saved.forEach(({ range }, i) => {
      forEachByte([range], (byte) => this.byteWriters.set(byte, writers[i]));
    });
    for (const location of set) this.locationWriters.set(location, last < 0 ? [] : [last]);
  }

  /** It returns: registers have again what their bytes in the frame have. */
  leaveHandler(saved: readonly SavedLocation[]): void {
    for (const { location, range } of saved) {
      const writers = new Set<Step>();
      forEachByte([range], (byte) => {
        for (const writer of writersOf(this.byteWriters.get(byte))) writers.add(writer);
      });
      this.locationWriters.set(location, [...writers]);
    }
  }

  /** Newly mapped bytes count as never written (rule 8). */
  forget({ address, length }: ByteRange): void {
    for (const byte of [...this.byteWriters.keys()])
      if (byte >= address && byte < address + length) this.byteWriters.delete(byte);
  }
}

/** A location and the bytes that hold its value. */
export interface SavedLocation {
  readonly location: number;
  readonly range: ByteRange;
}

function writersOf(writers: Step | readonly Step[] | undefined): readonly Step[] {
  if (writers === undefined) return [];
  return typeof writers === 'number' ? [writers] : writers;
}

function forEachByte(ranges: readonly ByteRange[], visit: (byte: number) => void): void {
  for (const { address, length } of ranges) for (let i = 0; i < length; i++) visit(address + i);
}

export interface Measured {
  readonly instructions: number;
  readonly cycles: number;
  /** The canonical longest chain (rule 10), first instruction first. */
  readonly chain: readonly Step[];
}

/**
 * I, C and the canonical chain of the instructions from `start` up to, not including, `end` (rules 5, 6, 9, 10): of all
 * threads, or of one, in which what others execute counts nothing, costs nothing and passes on the latest of its sources. What comes
 * before `counted` takes its cycles, and is not counted: another process executed it.
 */
export function measure(
  graph: DataFlowGraph,
  start: Step,
  end: Step,
  thread?: number,
  counted = start,
): Measured {
  const cycle = new Int32Array(end - start);
  /** By step: the instruction that counts whose cycle it has: itself, or the one whose result it passes on; -1 for none. */
  const origin = new Int32Array(end - start);
  let instructions = 0;
  let cycles = 0;
  let last: Step | undefined;
  const originOf = (step: Step): Step => origin[step - start];
  for (let step = start; step < end; step++) {
    const from = latestOrigin(graph.producersOf(step), start, originOf, (each) => cycle[each - start]);
    const latest = from < 0 ? 0 : cycle[from - start];
    if (thread !== undefined && graph.threadOf(step) !== thread) {
      cycle[step - start] = latest;
      origin[step - start] = from;
      continue;
    }
    cycle[step - start] = latest + 1;
    origin[step - start] = step;
    if (step < counted) continue;
    instructions++;
    if (latest + 1 > cycles) {
      cycles = latest + 1;
      last = step;
    }
  }
  const chain: Step[] = [];
  for (let step = last ?? -1; step >= 0; ) {
    chain.push(step);
    step = latestOrigin(graph.producersOf(step), start, originOf, (each) => cycle[each - start]);
  }
  return { instructions, cycles, chain: chain.reverse() };
}

/** Of what the producers are or pass on: the one with the largest cycle, of several the one that ran last; -1 for none. */
function latestOrigin(
  producers: readonly Step[],
  start: Step,
  originOf: (step: Step) => Step,
  cycleOf: (step: Step) => number,
): Step {
  let best = -1;
  for (const producer of producers) {
    // What was written before the context is available at cycle 0.
    const from = producer < start ? -1 : originOf(producer);
    if (from < 0) continue;
    if (best < 0 || cycleOf(from) > cycleOf(best) || (cycleOf(from) === cycleOf(best) && from > best))
      best = from;
  }
  return best;
}
