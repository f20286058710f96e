import type { Address } from '../../base/brand.ts';
import type { ForkFunction, RegionRecord } from '../../observation/shares.ts';
import type { Probes } from '../../translate/counts/probes.ts';

/** Where a thread is that a probe has stopped. */
export interface Stop {
  readonly address: number;
  readonly stackPointer: number;
  /** The integer arguments, if a function is about to be called. */
  argument(index: number): number;
  /** Where it returns to. */
  returnAddress(): number;
}

interface OpenRegion {
  readonly region: number;
  /** Where the return address of the call is that it is; Infinity where threads were started one by one. */
  readonly slot: number;
  /** How many barriers of it a thread has come to, and which part of the region began behind each of them. */
  readonly passed: Map<number, number>;
  readonly parts: number[];
  isOver: boolean;
}

interface ThreadState {
  readonly creator: number | undefined;
  /** The lowest number that no other thread had when it was started. */
  readonly processor: number;
  hasEnded: boolean;
  /** Regions that it has forked and not joined, the innermost last. */
  open: OpenRegion[];
  /** The region of another thread's whose function it has entered last. */
  joined: OpenRegion | undefined;
  /** The probe that has stopped it, until it goes on. */
  pending: number | undefined;
  /** Whether it was started in a region without a fork function. */
  readonly isLoose: boolean;
}

interface Region {
  readonly parent: number | undefined;
  /** Processor of the thread that forks it, and those of its team. */
  readonly forker: number;
  readonly entry: number | undefined;
  readonly behind: number | undefined;
  times: number;
  readonly team: Set<number>;
}

/** Regions told apart, at most: what more there are count as the one around them. */
const MOST_REGIONS = 256;

/**
 * In which region each thread is: that of the innermost fork which it has not joined yet, else the one whose function it has
 * entered, until that is joined, else that of the thread that started it. So the threads of a pool are in a region while the
 * one that owns the pool is. Threads that are started elsewhere (pthread_create) are a region from the first one's start to
 * the last one's end. A thread takes the place of one that has ended: they have a processor in common.
 *
 * Behind a barrier another part of the region begins for the thread, a region of its own. Which one it is the barrier's place
 * tells in the code of the thread that comes to it first: others may have a copy.
 *
 * Where calls of fork functions return to, and what their teams execute, is known only once they are called: the run is to be
 * repeated while `hasLearned`.
 */
export class Forks {
  private readonly functions: ReadonlyMap<number, ForkFunction>;
  private readonly joins = new Set<number>();
  private readonly entries = new Set<number>();
  private probes: Probes | undefined;
  private regions: Region[] = [];
  private byPlace = new Map<string, number>();
  private threads: ThreadState[] = [];
  private running = 0;
  private loose = 0;
  hasLearned = false;
  /** Whether a probe has stopped control, so that `stopped` is to be called. */
  hasStopped = false;

  constructor(functions: readonly ForkFunction[]) {
    this.functions = new Map(functions.map((each) => [each.address, each]));
    this.restart();
  }

  get addresses(): Iterable<number> {
    return new Set([...this.functions.keys(), ...this.joins, ...this.entries]);
  }

  /** A run begins, or another program in it. */
  restart(): void {
    this.regions = [
      { parent: undefined, forker: 0, entry: undefined, behind: undefined, times: 1, team: new Set([0]) },
    ];
    this.byPlace.clear();
    this.threads = [newThread(undefined, 0, false)];
    this.running = 0;
    this.loose = 0;
    this.hasStopped = false;
    this.hasLearned = false;
  }

  /** Code is about to go. */
  detach(): void {
    const state = this.threads[this.running];
    if (state.pending !== undefined && this.probes?.left(state.pending) !== 1) state.pending = undefined;
    this.probes = undefined;
  }

  /** New code stops at these: every time. */
  attach(probes: Probes): void {
    this.probes = probes;
    for (const address of this.addresses) probes.set(address, 0);
    const { pending } = this.threads[this.running];
    if (pending !== undefined) probes.set(pending, 1);
  }

  /** What instructions count for now. */
  get current(): { readonly region: number; readonly thread: number; readonly processor: number } {
    return { region: this.regionOf(this.running), thread: this.running, processor: this.processor };
  }

  /** Of the running thread. */
  private get processor(): number {
    return this.threads[this.running].processor;
  }

  private regionOf(thread: number): number {
    const within = this.openFor(thread);
    if (within === undefined) return 0;
    const passed = within.passed.get(thread) ?? 0;
    return passed === 0 ? within.region : within.parts[passed - 1];
  }

  /** The region that a thread is in, forked by itself or by another one. */
  private openFor(thread: number): OpenRegion | undefined {
    const { open, joined, creator } = this.threads[thread];
    if (open.length > 0) return open[open.length - 1];
    if (joined?.isOver === false) return joined;
    return creator === undefined ? undefined : this.openFor(creator);
  }

  // --- threads

  /** The running thread has started one. */
  started(): void {
    const creator = this.running;
    const { open, isLoose } = this.threads[creator];
    if (this.regionOf(creator) === 0) open.push(opened(this.enter(0, undefined), Infinity));
    const isNew = isLoose || this.regions[this.regionOf(creator)].entry === undefined;
    if (isNew) this.loose++;
    const taken = new Set(this.threads.flatMap(({ processor, hasEnded }) => (hasEnded ? [] : [processor])));
    let processor = 0;
    while (taken.has(processor)) processor++;
    this.threads.push(newThread(creator, processor, isNew));
  }

  /** The running thread has ended. */
  ended(): void {
    const thread = this.threads[this.running];
    thread.hasEnded = true;
    if (!thread.isLoose || --this.loose > 0) return;
    for (const each of this.threads) {
      for (const region of each.open) region.isOver ||= region.slot === Infinity;
      each.open = each.open.filter(({ isOver }) => !isOver);
    }
  }

  switchTo(thread: number): void {
    const { probes } = this;
    const before = this.threads[this.running];
    if (before.pending !== undefined && probes !== undefined) {
      // Others are to be stopped there, too.
      if (probes.left(before.pending) === 1) probes.set(before.pending, 0);
      else before.pending = undefined;
    }
    this.running = thread;
    const { pending } = this.threads[thread];
    if (pending !== undefined) probes?.set(pending, 1);
  }

  // --- regions

  private enter(parent: number, entry: number | undefined): number {
    const region = this.regionAt({ parent, forker: this.processor, entry, behind: undefined });
    if (region === undefined) return parent;
    this.regions[region].times++;
    return region;
  }

  /** Undefined where there are too many already. */
  private regionAt(which: Pick<Region, 'parent' | 'forker' | 'entry' | 'behind'>): number | undefined {
    const place = `${which.parent} ${which.forker} ${which.entry} ${which.behind}`;
    const known = this.byPlace.get(place);
    if (known !== undefined || this.regions.length === MOST_REGIONS) return known;
    this.byPlace.set(place, this.regions.length);
    return this.regions.push({ ...which, times: 0, team: new Set() }) - 1;
  }

  /** The running thread waits for the others of its region; behind that it is in another part of it. */
  private passBarrier(returnAddress: number): void {
    const within = this.openFor(this.running);
    if (within === undefined) return;
    const passed = within.passed.get(this.running) ?? 0;
    if (passed === within.parts.length) {
      const place = { ...this.regions[within.region], behind: returnAddress };
      within.parts.push(this.regionAt(place) ?? this.regionOf(this.running));
    }
    within.passed.set(this.running, passed + 1);
    const part = within.parts[passed];
    const { team, entry } = this.regions[part];
    if (entry !== undefined) team.add(this.processor);
    if (this.threads[this.running].open.at(-1) === within) this.regions[part].times++;
  }

  /** The open region that the running thread enters with its function: of those who started it before any other's. */
  private joinedBy(entry: number): OpenRegion | undefined {
    const isOne = ({ region }: OpenRegion): boolean => this.regions[region].entry === entry;
    for (
      let each = this.threads[this.running].creator;
      each !== undefined;
      each = this.threads[each].creator
    ) {
      const own = this.threads[each].open.findLast(isOne);
      if (own !== undefined) return own;
    }
    return this.threads.flatMap(({ open }) => open.findLast(isOne) ?? [])[0];
  }

  /** The running thread is about to execute what is at a probe. */
  stopped(stop: Stop): void {
    this.hasStopped = false;
    const { address, stackPointer } = stop;
    const state = this.threads[this.running];
    // What is above the stack pointer has returned, or was jumped out of.
    while (state.open.length > 0 && state.open[state.open.length - 1].slot < stackPointer)
      state.open.pop()!.isOver = true;
    const fork = this.functions.get(address);
    if (fork?.kind === 'fork') {
      const entry = stop.argument(fork.argument);
      this.learn(this.joins, stop.returnAddress());
      this.learn(this.entries, entry);
      state.open.push(opened(this.enter(this.regionOf(this.running), entry), stackPointer));
    }
    if (fork?.kind === 'barrier') this.passBarrier(stop.returnAddress());
    if (this.entries.has(address) && state.open.length === 0) state.joined = this.joinedBy(address);
    const region = this.regions[this.regionOf(this.running)];
    if (region.entry === address) region.team.add(this.processor);
    state.pending = address;
    this.probes?.set(address, 1);
  }

  private learn(known: Set<number>, address: number): void {
    this.hasLearned ||= !known.has(address);
    known.add(address);
  }

  /** `executed` tells which processors executed something in a region. */
  records(executed: (region: number) => readonly number[]): readonly RegionRecord[] {
    return this.regions.map(({ parent, forker, entry, behind, times, team }, region) => ({
      ...(parent !== undefined && { parent }),
      forker,
      ...(entry !== undefined && { entry: entry as Address }),
      ...(behind !== undefined && { behind: behind as Address }),
      times,
      team: [...new Set(entry === undefined ? executed(region) : team)].sort((a, b) => a - b),
    }));
  }
}

const opened = (region: number, slot: number): OpenRegion => ({
  region,
  slot,
  passed: new Map(),
  parts: [],
  isOver: false,
});

const newThread = (creator: number | undefined, processor: number, isLoose: boolean): ThreadState => ({
  creator,
  processor,
  hasEnded: false,
  open: [],
  joined: undefined,
  pending: undefined,
  isLoose,
});
