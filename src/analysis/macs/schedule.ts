import type { Machine } from '../../machines/machine.ts';
import type { Body } from './body.ts';
import type { Dependences, Forward } from './dataflow.ts';
import { frontEndOf } from './front-end.ts';
import { type Fetching, latencyOf } from './mac.ts';
import { MoveElimination } from './move-elimination.ts';
import { StateHash } from './state-hash.ts';

/** The steady state of a schedule. */
export interface Schedule {
  /** Cycles per repetition. */
  readonly cycles: number;
  /** The whole state came back, so that the figure is exact; else it is a mean over many repetitions. */
  readonly exact: boolean;
}

/**
 * MACS: the body on the machine with its finite windows, deterministically. Each cycle, in this order: retire, start what is
 * ready (the oldest on each port), rename, decode. Every constraint of MAC holds in it: no more slots are renamed than
 * the issue width, a port and the divider start no more than they can, nothing starts before the latency of what it waits
 * for, and the front end is the one whose rate the bounds give. So over a period that repeats, MAC <= MACS.
 */
export function scheduleOf(
  body: Body,
  dependences: Dependences,
  machine: Machine,
  fetching: Fetching,
  least: number,
): Schedule {
  if (body.slots.length === 0) return { cycles: 0, exact: true };
  return new Simulation(body, dependences, machine, fetching).run(least);
}

/** Cycles between renaming and the first possible start (uiCA, section 4.3). */
const START_DELAY = 5;
/** Enough repetitions for windows to fill and patterns to show. */
const MOST_UOPS = 12_000;
const LEAST_ROUNDS = 24;
/** Slots retired between two looks at whether the state has come back. */
const SLOTS_BETWEEN = 64;

/** Of a repetition whose last slot has retired. */
interface End {
  readonly round: number;
  readonly cycle: number;
  /** What has come in and has not retired: slots, and instructions that are not decoded yet. */
  readonly stock: number;
}

/**
 * Cycles per repetition where stretches of repetitions took the same time again and again, though the whole state (which
 * port each addition went to) has not come back; undefined where they did not, or lived on what had come in before. A stretch is a whole
 * number of blocks of 16 and of 32 bytes.
 */
function steadyCycles(ends: readonly End[], slots: number, least: number): number | undefined {
  const last = ends.at(-1)!;
  let end = last;
  let cycles: number | undefined;
  for (let at = ends.length - 1; at >= 0 && last.round - end.round < STEADY * STRETCH; at--) {
    const rounds = end.round - ends[at].round;
    if (rounds < STRETCH) continue;
    const taken = end.cycle - ends[at].cycle;
    if (rounds > STRETCH || (cycles !== undefined && taken !== cycles)) return undefined;
    cycles = taken;
    end = ends[at];
    // What is as quick as it can ever be stays so.
    const isQuickest = Math.abs(cycles / STRETCH - least) < 1e-9;
    const all = last.round - end.round;
    if (all < (isQuickest ? QUICKEST : STEADY) * STRETCH) continue;
    const drained = Math.abs(end.stock - last.stock);
    return isQuickest || drained <= MOST_DRAINED * all * slots ? cycles / STRETCH : undefined;
  }
  return undefined;
}

const STRETCH = 32;
const STEADY = 6;
const QUICKEST = 4;
/** Of what retires. */
const MOST_DRAINED = 0.01;

class Simulation {
  private readonly body: Body;
  private readonly dependences: Dependences;
  private readonly machine: Machine;
  private readonly frontEnd;
  private readonly moves: MoveElimination;
  private readonly uopCount: number;
  private readonly slotCount: number;
  private readonly latency: readonly number[];
  /** Rings over micro-operations in flight and those that they may wait for. */
  private readonly size: number;
  private readonly started: Float64Array;
  private readonly results: Float64Array;
  private readonly renamedAt: Float64Array;
  private readonly eliminated: Uint8Array;
  private readonly port: Int8Array;
  /** When all that it waits for is there, once that is known; -1 before. */
  private readonly readyFrom: Float64Array;
  /** While that is not known, a micro-operation that it waits for and whose result is not known. */
  private readonly blocker: Float64Array;
  /** Lists of those that look again when a micro-operation starts. */
  private readonly firstSleeper: Float64Array;
  private readonly nextSleeper: Float64Array;
  /** Which micro-operation a place of the rings is about. */
  private readonly entered: Float64Array;
  private readonly renamedNow: number[] = [];
  private readonly portSets: readonly (readonly number[])[];
  private readonly taken: Uint8Array;
  private readonly forwards: readonly Forward[];
  private readonly usageBefore: number[];

  private now = 0;
  private delivered = 0;
  private renamed = 0;
  private retired = 0;
  /** Renamed and not started. */
  private waiting = 0;
  /** Of these, what could start now, the oldest first; and what can from a later cycle on. */
  private readonly candidates: number[] = [];
  private readonly due = new Map<number, number[]>();
  private readonly usage: number[];
  private startedBefore: number[] = [];
  private dividerFree = 0;

  constructor(body: Body, dependences: Dependences, machine: Machine, fetching: Fetching) {
    this.body = body;
    this.dependences = dependences;
    this.machine = machine;
    this.frontEnd = frontEndOf(body, machine, fetching);
    this.moves = new MoveElimination(machine);
    this.uopCount = body.uops.length;
    this.slotCount = body.slots.length;
    this.latency = body.uops.map((uop, i) =>
      uop.move === undefined ? latencyOf(body, dependences.extra, i) : uop.latency,
    );
    const farthest = Math.max(0, ...dependences.forwards.flat().map(({ distance }) => distance));
    const inSlot = Math.max(8, ...body.slots.map(({ uops }) => uops.length));
    const inFlight =
      (machine.window.reorder + machine.issue.width) * inSlot + (12 + farthest) * this.uopCount;
    this.size = 2 ** Math.ceil(Math.log2(inFlight + 1));
    this.started = new Float64Array(this.size).fill(-1);
    this.results = new Float64Array(this.size).fill(-1);
    this.renamedAt = new Float64Array(this.size).fill(-1);
    this.eliminated = new Uint8Array(this.size);
    this.port = new Int8Array(this.size);
    this.readyFrom = new Float64Array(this.size).fill(-1);
    this.blocker = new Float64Array(this.size).fill(-1);
    this.firstSleeper = new Float64Array(this.size).fill(-1);
    this.nextSleeper = new Float64Array(this.size).fill(-1);
    this.entered = new Float64Array(this.size).fill(-1);
    this.usage = [...machine.ports].map(() => 0);
    this.usageBefore = [...this.usage];
    this.taken = new Uint8Array(machine.ports.length);
    this.forwards = dependences.forwards.flat();
    this.portSets = body.uops.map(({ ports }) => [...ports].map((port) => machine.ports.indexOf(port)));
  }

  /** No schedule takes fewer than `least` cycles (MAC). */
  run(least: number): Schedule {
    const rounds = Math.max(LEAST_ROUNDS, Math.ceil(MOST_UOPS / (this.uopCount + this.slotCount)));
    const seen = new Map<number, readonly [round: number, cycle: number]>();
    const ends: End[] = [];
    const every = Math.ceil(SLOTS_BETWEEN / this.slotCount);
    let round = 0;
    let looked = 0;
    for (; round < rounds; this.now++) {
      this.retire();
      const done = Math.floor(this.retired / this.slotCount);
      this.start();
      this.rename();
      this.delivered += this.frontEnd.cycle(this.delivered - this.renamed);
      if (done > round) {
        round = done;
        const stock = this.delivered - this.retired + this.frontEnd.held;
        ends.push({ round, cycle: this.now, stock });
        // Looking at all that is in flight costs as much as some dozen slots do.
        if (round - looked < every) continue;
        looked = round;
        const state = this.state();
        const before = seen.get(state);
        if (before !== undefined)
          return { cycles: (this.now - before[1]) / (round - before[0]), exact: true };
        seen.set(state, [round, this.now]);
        const steady = steadyCycles(ends, this.slotCount, least);
        if (steady !== undefined) return { cycles: steady, exact: false };
      }
    }
    const from = ends[Math.floor(ends.length / 2)];
    const to = ends.at(-1)!;
    return { cycles: (to.cycle - from.cycle) / Math.max(1, to.round - from.round), exact: false };
  }

  private retire(): void {
    const { retire } = this.machine.issue;
    for (let count = 0; count < retire && this.retired < this.renamed; count++) {
      const slot = this.body.slots[this.retired % this.slotCount];
      const base = Math.floor(this.retired / this.slotCount) * this.uopCount;
      for (const uop of slot.uops) {
        const result = this.resultOf(base + uop);
        if (result < 0 || result > this.now) return;
      }
      this.retired++;
    }
  }

  /** The cycle in which a micro-operation's result can be taken; -1 while it is not known. */
  private resultOf(uop: number): number {
    if (uop < 0) return 0;
    const at = uop & (this.size - 1);
    // A part of the same instruction may come in a later slot.
    if (this.entered[at] !== uop) return -1;
    const known = this.results[at];
    if (known >= 0) return known;
    if (this.started[at] < 0) return -1;
    const local = uop % this.uopCount;
    let result = this.started[at];
    if (this.eliminated[at] === 1) {
      const ready = this.readyAt(uop);
      if (ready < 0) return -1;
      // What renaming does passes its source on; what has no port for other reasons may still take time.
      result = Math.max(result, ready) + (this.body.uops[local].ports === '' ? this.latency[local] : 0);
    } else {
      result += this.latency[local];
      for (const { on, distance, latency } of this.dependences.forwards[local]) {
        const store = uop - local + on - distance * this.uopCount;
        if (store < 0) continue;
        const storeStart = this.started[store & (this.size - 1)];
        if (storeStart < 0) return -1;
        result = Math.max(result, storeStart + latency);
      }
    }
    this.results[at] = result;
    return result;
  }

  /** When the last of what it waits for is there; -1 while that is not known. */
  private readyAt(uop: number): number {
    const at = uop & (this.size - 1);
    const known = this.readyFrom[at];
    if (known >= 0) return known;
    const local = uop % this.uopCount;
    let ready = 0;
    for (const { on, distance, sooner } of this.dependences.waits[local]) {
      const source = uop - local + on - distance * this.uopCount;
      const result = this.resultOf(source);
      if (result < 0) {
        this.blocker[at] = source;
        return -1;
      }
      if (result - sooner > ready) ready = result - sooner;
    }
    this.readyFrom[at] = ready;
    return ready;
  }

  /** A micro-operation that has to start before the result of this one is known; -1 where it is known. */
  private missing(uop: number): number {
    if (uop < 0 || this.resultOf(uop) >= 0) return -1;
    const at = uop & (this.size - 1);
    if (this.entered[at] !== uop || this.started[at] < 0) return uop;
    const local = uop % this.uopCount;
    const base = uop - local;
    if (this.eliminated[at] === 1) {
      for (const { on, distance } of this.dependences.waits[local]) {
        const first = this.missing(base + on - distance * this.uopCount);
        if (first >= 0) return first;
      }
      return -1;
    }
    for (const { on, distance } of this.dependences.forwards[local]) {
      const store = base + on - distance * this.uopCount;
      if (store >= 0 && this.started[store & (this.size - 1)] < 0) return store;
    }
    return -1;
  }

  /** Puts a micro-operation where it is found again when it can start, or when more is known of what it waits for. */
  private watch(uop: number): void {
    const at = uop & (this.size - 1);
    const ready = this.readyAt(uop);
    if (ready < 0) {
      const first = this.missing(this.blocker[at]) & (this.size - 1);
      this.nextSleeper[at] = this.firstSleeper[first];
      this.firstSleeper[first] = uop;
      return;
    }
    const from = Math.max(ready, this.renamedAt[at] + START_DELAY);
    if (from <= this.now) insert(this.candidates, uop);
    else {
      const others = this.due.get(from);
      if (others === undefined) this.due.set(from, [uop]);
      else others.push(uop);
    }
  }

  private start(): void {
    for (const port of this.startedBefore) this.usage[port]--;
    this.startedBefore = [];
    const { taken, candidates } = this;
    taken.fill(0);
    for (const uop of this.due.get(this.now) ?? []) insert(candidates, uop);
    this.due.delete(this.now);
    // What is woken here is younger than what wakes it, so that it comes later in the same list.
    for (let i = 0; i < candidates.length; ) {
      const uop = candidates[i];
      const at = uop & (this.size - 1);
      const local = uop % this.uopCount;
      const { kind, divider } = this.body.uops[local];
      let port = this.port[at];
      if (taken[port] !== 0 && kind === 'load') {
        const other = this.portSets[local].find((each) => taken[each] === 0);
        if (other !== undefined) port = other;
      }
      if (taken[port] !== 0 || (divider > 0 && this.now < this.dividerFree)) {
        i++;
        continue;
      }
      candidates.splice(i, 1);
      taken[port] = 1;
      this.started[at] = this.now;
      this.waiting--;
      this.startedBefore.push(this.port[at]);
      if (divider > 0) this.dividerFree = this.now + divider;
      this.wake(at);
    }
  }

  /** What waited for this one to start looks again. */
  private wake(at: number): void {
    let sleeper = this.firstSleeper[at];
    this.firstSleeper[at] = -1;
    while (sleeper >= 0) {
      const next = this.nextSleeper[sleeper & (this.size - 1)];
      this.watch(sleeper);
      sleeper = next;
    }
  }

  private rename(): void {
    const { issue, window } = this.machine;
    this.moves.nextCycle();
    if (this.renamed - this.retired + issue.width > window.reorder) return;
    if (this.waiting + issue.width > window.scheduler) return;
    const usage = this.usageBefore;
    let vectors = issue.vector ?? issue.width;
    for (let position = 0; position < issue.width && this.renamed < this.delivered; position++) {
      if (position % 2 === 0) for (let port = 0; port < usage.length; port++) usage[port] = this.usage[port];
      const index = this.renamed % this.slotCount;
      if (this.body.instructions[this.body.slots[index].instruction].width > 0 && vectors-- === 0) break;
      const base = Math.floor(this.renamed / this.slotCount) * this.uopCount;
      for (const uop of this.body.slots[index].uops) this.enter(base + uop, uop, position, usage);
      const isLast =
        index + 1 === this.slotCount ||
        this.body.slots[index + 1].instruction !== this.body.slots[index].instruction;
      if (isLast) this.moves.write(this.body.instructions[this.body.slots[index].instruction]);
      this.renamed++;
    }
    for (const uop of this.renamedNow) this.watch(uop);
    this.renamedNow.length = 0;
  }

  private enter(uop: number, local: number, position: number, usage: readonly number[]): void {
    const at = uop & (this.size - 1);
    const { ports, move, instruction } = this.body.uops[local];
    this.results[at] = -1;
    this.renamedAt[at] = this.now;
    this.started[at] = -1;
    this.eliminated[at] = 0;
    this.readyFrom[at] = -1;
    this.blocker[at] = -1;
    this.entered[at] = uop;
    if (move !== undefined && this.moves.eliminates(this.body.instructions[instruction])) {
      this.eliminated[at] = 1;
      this.started[at] = this.now;
      this.wake(at);
      return;
    }
    if (ports === '') {
      this.eliminated[at] = 1;
      this.started[at] = this.now;
      this.wake(at);
      return;
    }
    const port = this.choosePort(this.portSets[local], position, usage);
    this.port[at] = port;
    this.usage[port]++;
    this.waiting++;
    this.renamedNow.push(uop);
  }

  /**
   * The least used port, the highest numbered of equals; in every second slot the second least, where it is not three
   * behind (Abel and Reineke measured this; uiCA, section 4.2). Slots look in pairs: they report that all slots of a cycle
   * see the same counters, but then code that is decoded three at a time would take 1.7 times what Haswell takes.
   */
  private choosePort(ports: readonly number[], position: number, usage: readonly number[]): number {
    let first = -1;
    let second = -1;
    for (let k = ports.length - 1; k >= 0; k--) {
      const port = ports[k];
      if (first < 0 || usage[port] < usage[first]) {
        second = first;
        first = port;
      } else if (second < 0 || usage[port] < usage[second]) second = port;
    }
    if (position % 2 === 0 || second < 0 || usage[second] >= usage[first] + 3) return first;
    return second;
  }

  /** A hash of everything that the future depends on, relative to now. */
  private state(): number {
    const hash = new StateHash();
    const mask = this.size - 1;
    this.frontEnd.state(hash);
    this.moves.state(hash);
    hash.add(this.delivered - this.retired);
    hash.add(this.renamed - this.retired);
    hash.add(this.retired % this.slotCount);
    hash.add(Math.max(0, this.dividerFree - this.now));
    for (const each of this.usage) hash.add(each);
    hash.add(this.startedBefore.length);
    for (const each of this.startedBefore) hash.add(each);
    // A store's data can be younger than its retirement as long as loads may still take it.
    const round = Math.floor(this.retired / this.slotCount);
    for (const { on, distance } of this.forwards)
      for (let back = 0; back <= distance; back++) {
        const uop = (round - back) * this.uopCount + on;
        if (uop >= 0)
          hash.add(Math.min(this.machine.memory.forward + 20, this.now - this.started[uop & mask]));
      }
    for (let slot = this.retired; slot < this.renamed; slot++) {
      const base = Math.floor(slot / this.slotCount) * this.uopCount;
      for (const local of this.body.slots[slot % this.slotCount].uops) {
        const uop = base + local;
        const at = uop & mask;
        const result = this.resultOf(uop);
        // Known result, started without one, or waiting: three ranges of numbers.
        if (result >= 0) hash.add(Math.max(0, result - this.now) * 4);
        else if (this.started[at] >= 0) hash.add((this.now - this.started[at]) * 4 + 1);
        else {
          hash.add(this.port[at] * 4 + 2);
          hash.add(Math.max(0, this.renamedAt[at] + START_DELAY - this.now));
        }
      }
    }
    return hash.value;
  }
}

/** Into an ascending list. */
function insert(list: number[], value: number): void {
  let at = list.length;
  while (at > 0 && list[at - 1] > value) at--;
  list.splice(at, 0, value);
}
