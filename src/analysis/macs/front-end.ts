import type { Machine } from '../../machines/machine.ts';
import type { Body, Fetched } from './body.ts';
import { type DecodeGroup, joins, microcodeCycles, newGroup, replayOf } from './front-end-bound.ts';
import type { Fetching } from './mac.ts';
import type { StateHash } from './state-hash.ts';

/** Brings slots to the queue before renaming, cycle by cycle. */
export interface FrontEnd {
  /** `waiting` slots are in the queue already; gives how many more are there after this cycle. */
  cycle(waiting: number): number;
  /** Instructions that it has found and not brought yet. */
  readonly held: number;
  /** Adds everything that its future depends on. */
  state(hash: StateHash): void;
}

export function frontEndOf(body: Body, machine: Machine, fetching: Fetching): FrontEnd {
  return fetching === 'unrolled' ? new Legacy(body, machine) : new Replayed(body, machine);
}

/** Code that is met for the first time: predecoder, instruction queue, decoders, microcode. */
class Legacy implements FrontEnd {
  private readonly body: Body;
  private readonly machine: Machine;
  /** Next instruction to be predecoded, within the body, and its address. */
  private next = 0;
  private address = 0;
  /** The block of bytes that the predecoder is at. */
  private block = 0;
  /** An instruction that began in the block before counts in this one. */
  private carried = false;
  private found = 0;
  private lengthStall = 0;
  /** Predecoded instructions, and the next of these to be decoded. */
  private queued = 0;
  private decoding = 0;
  private microcodeStall = 0;

  constructor(body: Body, machine: Machine) {
    this.body = body;
    this.machine = machine;
  }

  get held(): number {
    return this.queued;
  }

  cycle(waiting: number): number {
    const delivered = this.decode(waiting);
    this.predecode();
    return delivered;
  }

  state(hash: StateHash): void {
    const { next, address, block, carried, found, lengthStall, queued, decoding, microcodeStall } = this;
    const { bytes } = this.machine.predecode;
    const beside = address - block * bytes;
    for (const each of [next, beside, found, lengthStall, queued, decoding, microcodeStall, address % bytes])
      hash.add(each);
    hash.add(carried ? 1 : 0);
  }

  private predecode(): void {
    const { bytes, width, lengthChangingPenalty } = this.machine.predecode;
    if (this.lengthStall > 0) {
      this.lengthStall--;
      if (this.lengthStall > 0) return;
      this.queued += this.found;
      this.found = 0;
      return;
    }
    if (this.queued + width > this.machine.decode.queue) return;
    const { fetched } = this.body;
    let taken = 0;
    let changes = 0;
    const take = (): void => {
      if (fetched[this.next].changesLength) changes++;
      this.address += fetched[this.next].length;
      this.next = (this.next + 1) % fetched.length;
      this.carried = false;
      taken++;
    };
    const end = (this.block + 1) * bytes;
    if (this.carried) take();
    while (taken < width && this.address + fetched[this.next].length <= end) take();
    const each = fetched[this.next];
    if (this.address >= end) this.block++;
    else if (this.address + each.length > end && (taken < width || this.address + each.opcodeAt >= end)) {
      // It reaches into the next block: found there, as its first.
      this.carried = true;
      this.block++;
    }
    this.found = taken;
    this.lengthStall = lengthChangingPenalty * changes;
    if (this.lengthStall === 0) {
      this.queued += taken;
      this.found = 0;
    }
  }

  private decode(waiting: number): number {
    if (this.microcodeStall > 0) {
      this.microcodeStall--;
      return 0;
    }
    const { fetched } = this.body;
    const group: DecodeGroup = newGroup(this.machine);
    const room = this.machine.window.decodedQueue - waiting;
    let delivered = 0;
    while (this.queued > 0) {
      const each = fetched[this.decoding];
      if (!each.fusedWithPrevious) {
        if (group.taken > 0 && delivered + each.slots.length > room) break;
        if (waiting > 0 && delivered + each.slots.length > room) break;
        // A pair that fuses is decoded when both are there.
        if (this.fusesAhead() && this.queued < 2) break;
        if (!joins(group, each, this.machine, this.queued > 1)) break;
      }
      this.queued--;
      delivered += each.slots.length;
      this.decoding = (this.decoding + 1) % fetched.length;
      const stall = microcodeCycles(each, this.machine);
      if (stall > 0) {
        this.microcodeStall = stall;
        break;
      }
    }
    return delivered;
  }

  private fusesAhead(): boolean {
    const following: Fetched | undefined = this.body.fetched[this.decoding + 1];
    return following?.fusedWithPrevious === true;
  }
}

/** A loop that the cache of decoded instructions, or the loop buffer, holds. */
class Replayed implements FrontEnd {
  private readonly total: number;
  private readonly width: number;
  private readonly room: number;
  private readonly breaks: ReadonlySet<number>;
  private at = 0;
  readonly held = 0;

  constructor(body: Body, machine: Machine) {
    const { total, width, breaks } = replayOf(body, machine);
    this.total = total;
    this.width = width;
    this.breaks = new Set(breaks.map((end) => end % total));
    this.room = machine.window.decodedQueue;
  }

  cycle(waiting: number): number {
    let delivered = 0;
    while (delivered < this.width && waiting + delivered < this.room) {
      delivered++;
      this.at = (this.at + 1) % this.total;
      if (this.breaks.has(this.at)) break;
    }
    return delivered;
  }

  state(hash: StateHash): void {
    hash.add(this.at);
  }
}
