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
  /** Several after a signal's handler changed some of the bytes that hold a register. */
  private readonly locationWriters = new Map<number, readonly Step[]>();
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
    this.producers.push([...found].sort((a, b) => a - b));
  }

  /** A signal's handler is entered: what the kernel writes is the last retired instruction's, but for what it saves (rule 8). */
  enterHandler(written: readonly ByteRange[], saved: readonly SavedLocation[], set: readonly number[]): void {
    const last = this.length - 1;
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

/** I, C and the canonical chain of the instructions from `start` up to, not including, `end` (rules 5, 6, 9, 10). */
export function measure(graph: DataFlowGraph, start: Step, end: Step): Measured {
  const cycle = new Int32Array(end - start);
  let cycles = 0;
  let last = start;
  for (let step = start; step < end; step++) {
    let latest = 0;
    // What was written before the context is available at cycle 0.
    for (const producer of graph.producersOf(step))
      if (producer >= start) latest = Math.max(latest, cycle[producer - start]);
    cycle[step - start] = latest + 1;
    if (latest + 1 > cycles) {
      cycles = latest + 1;
      last = step;
    }
  }
  return { instructions: end - start, cycles, chain: chainTo(graph, start, last, cycle) };
}

/** Follows the source with the largest cycle, of several the one whose writer ran last. */
function chainTo(graph: DataFlowGraph, start: Step, last: Step, cycle: Int32Array): Step[] {
  if (cycle.length === 0) return [];
  const chain: Step[] = [];
  for (let step: Step | undefined = last; step !== undefined; ) {
    chain.push(step);
    let next: Step | undefined;
    for (const producer of graph.producersOf(step))
      if (producer >= start && (next === undefined || cycle[producer - start] >= cycle[next - start]))
        next = producer;
    step = next;
  }
  return chain.reverse();
}
