import { COUNTERS, COUNTERS_END } from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import type { Region } from './regions/region.ts';

/** What the engine spends its time on. 'run' is generated code, and all that has no phase of its own. */
export const PHASES = [
  'load',
  'decode',
  'handlers',
  'lift',
  'plan',
  'emit',
  'compile',
  'system',
  'sweep',
  'run',
] as const;
export type Phase = (typeof PHASES)[number];

/** How people who work on the engine look into it. Without them nothing of it is in generated code. */
export interface Instruments {
  readonly counters: Counting;
  /** Does some work as part of a phase. */
  readonly within: <T>(phase: Phase, work: () => T) => T;
  /** Hears of each region that is made. Its code then says where each block begins (see MARK). */
  readonly onRegion?: (made: MadeRegion) => void;
}

export interface Counting {
  readonly isOn: boolean;
  /** Emits code that adds one, or the i64 that `push` pushes, to the counter of a name. Names are "group: what". */
  emit(f: FunctionBuilder, name: string, push?: () => void): void;
  add(name: string, count?: number): void;
}

export interface MadeRegion {
  readonly region: Region;
  /** Its WebAssembly module. */
  readonly bytes: Uint8Array;
  /** What locals hold, by number, as far as they have a meaning of their own. */
  readonly locals: ReadonlyMap<number, string>;
}

/** MARK + n is pushed and dropped where block n begins. */
export const MARK = 0x7ead_0000;

export const NO_INSTRUMENTS: Instruments = {
  counters: { isOn: false, emit: () => {}, add: () => {} },
  within: (_, work) => work(),
};

/** Counters in memory, where generated code counts too. */
export class Counters implements Counting {
  readonly isOn = true;
  private readonly places = new Map<string, number>();
  private view: DataView | undefined;
  /** What JavaScript counts. */
  private readonly added = new Map<string, number>();

  /** Counts in another memory from now on, from 0. */
  attach(memory: ArrayBuffer): void {
    this.view = new DataView(memory);
    this.restart();
  }

  /** Refers to no memory any more. */
  letGo(): void {
    this.view = undefined;
  }

  /** Counts from 0 again: what generated code counts is gone with the state area. */
  restart(): void {
    this.added.clear();
  }

  private placeOf(name: string): number {
    let place = this.places.get(name);
    if (place === undefined) {
      place = COUNTERS + 8 * this.places.size;
      if (place >= COUNTERS_END) throw new Error('there are more counters than places for them');
      this.places.set(name, place);
    }
    return place;
  }

  emit(f: FunctionBuilder, name: string, push: () => void = () => f.i64(1n)): void {
    const place = this.placeOf(name);
    f.i32(0);
    f.i32(0);
    f.memory('i64.load', place);
    push();
    f.op('i64.add');
    f.memory('i64.store', place);
  }

  add(name: string, count = 1): void {
    this.added.set(name, (this.added.get(name) ?? 0) + count);
  }

  /** All that are not 0, by name. */
  values(): ReadonlyMap<string, number> {
    const counts = new Map(this.added);
    for (const [name, place] of this.places)
      counts.set(name, (counts.get(name) ?? 0) + Number(this.view!.getBigInt64(place, true)));
    return new Map([...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Divides time among phases. The clock counts milliseconds. */
export class Stopwatch {
  private readonly clock: () => number;
  private readonly times = new Map<Phase, number>();
  private current: Phase = 'run';
  private since: number;

  constructor(clock: () => number) {
    this.clock = clock;
    this.since = clock();
  }

  readonly within = <T>(phase: Phase, work: () => T): T => {
    const before = this.current;
    this.turnTo(phase);
    try {
      return work();
    } finally {
      this.turnTo(before);
    }
  };

  private turnTo(phase: Phase): void {
    const now = this.clock();
    this.times.set(this.current, (this.times.get(this.current) ?? 0) + now - this.since);
    this.since = now;
    this.current = phase;
  }

  /** Milliseconds by phase since the last time it was asked. */
  take(): ReadonlyMap<Phase, number> {
    this.turnTo(this.current);
    const taken = new Map(PHASES.map((phase) => [phase, this.times.get(phase) ?? 0]));
    this.times.clear();
    return taken;
  }
}
