import type { GuestMemory } from '../../guest/memory.ts';
import type { CodeStatistics } from '../../translate/cache.ts';
import type { CodeEvents } from '../../translate/code-events.ts';
import { Counters, type Instruments, NO_INSTRUMENTS, Stopwatch } from '../../translate/instruments.ts';
import { addedCode, memoryStatistics, type PassStatistics } from './statistics.ts';

/** How people who work on the engine look into a code space. */
export interface Look {
  /** Statistics are collected. The clock counts milliseconds. */
  readonly clock?: () => number;
  readonly onRegion?: NonNullable<Instruments['onRegion']>;
}

const INTERPRETED = 'tiers: instructions interpreted';

/** What such a look is answered with: how each pass was spent. */
export class EngineLook {
  readonly instruments: Instruments;
  /** How the passes so far were spent, if anybody asked. */
  readonly passes: PassStatistics[] = [];
  private readonly counters: Counters | undefined;
  private readonly stopwatch: Stopwatch | undefined;
  private codeBefore: CodeStatistics | undefined;

  constructor({ clock, onRegion }: Look) {
    if (clock !== undefined) {
      this.counters = new Counters();
      this.stopwatch = new Stopwatch(clock);
    }
    this.instruments = {
      counters: this.counters ?? NO_INSTRUMENTS.counters,
      within: this.stopwatch?.within ?? NO_INSTRUMENTS.within,
      ...(onRegion && { onRegion }),
    };
  }

  get isCounting(): boolean {
    return this.counters !== undefined;
  }

  /** Of code in another memory from now on, of which there is none yet. */
  attach(memory: ArrayBuffer): void {
    this.codeBefore = undefined;
    this.counters?.attach(memory);
  }

  /** Refers to no memory any more. */
  letGo(): void {
    this.counters?.letGo();
  }

  startPass(): void {
    this.counters?.restart();
  }

  /** The events, of which those that are of interest are counted. */
  counted(events: CodeEvents): CodeEvents {
    const { counters, instruments } = this;
    if (counters === undefined) return events;
    return {
      ...events,
      endSlice: () => {
        const leaves = events.endSlice();
        counters.add(leaves ? 'slices: over' : 'slices: over, the next begun in place');
        return leaves;
      },
      service: (site) => {
        counters.add(`services: ${site.service}`);
        instruments.within('system', () => events.service(site));
      },
    };
  }

  /** A pass is over: notes how the engine spent it, if anybody asks. `code` tells of each cache of the usual code. */
  finishPass(what: string, executed: number, guest: GuestMemory, code: readonly CodeStatistics[]): void {
    const { counters, stopwatch } = this;
    if (counters === undefined) return;
    const counts = Object.fromEntries(counters.values());
    const interpreted = counts[INTERPRETED] ?? 0;
    delete counts[INTERPRETED];
    this.passes.push({
      what,
      instructions: executed,
      interpreted,
      code: addedCode(code, this.codeBefore),
      counts,
      phases: Object.fromEntries(stopwatch?.take() ?? []),
      memory: memoryStatistics(guest),
    });
    this.codeBefore = addedCode(code, undefined);
  }
}
