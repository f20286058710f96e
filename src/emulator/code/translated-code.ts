import { PAGE_SIZE, valueOffset } from '../../guest/layout.ts';
import { CodeCache, type CodeStatistics } from '../../translate/cache.ts';
import type { CodeEvents } from '../../translate/code-events.ts';
import { Probes } from '../../translate/counts/probes.ts';
import { takeCells } from '../../translate/counts/tally.ts';
import { TraceLog } from '../../translate/counts/trace-log.ts';
import {
  type HandlerLibrary,
  type PreparedHandlers,
  preparedFor,
} from '../../translate/interpreter/prepared.ts';
import { RecordSpace } from '../../translate/interpreter/record-space.ts';
import type { EngineLimits } from '../../translate/limits.ts';
import type { Asking } from '../../translate/steps/quiet-pages.ts';
import { CodeReader } from '../../x86/decode.ts';
import type { LevelWatch } from '../../x86/required-level.ts';
import { FPU_TOP, MXCSR } from '../../x86/state.ts';
import type { CountedExecutions } from '../counts/counted-executions.ts';
import type { Forks } from '../counts/forks.ts';
import type { Tracer } from '../counts/tracer.ts';
import type { MeasuredMemory } from '../memory/measured-memory.ts';
import type { EngineLook } from './engine-look.ts';
import type { FaultSites } from './fault-sites.ts';
import { fetchCode, isVolatile } from './guest-code.ts';
import type { LeavingCode } from './leaving-code.ts';
import type { Occupant } from './occupant.ts';
import { measureFor } from './plan-measure.ts';
import { limitsOf, type Tier, Tiers } from './tiers.ts';

interface TranslatedCodeParts {
  readonly measured: MeasuredMemory;
  readonly limits: EngineLimits;
  /** Entering a function of one of these names is an event. */
  readonly named: readonly string[];
  readonly occupant: () => Occupant;
  readonly events: CodeEvents;
  readonly faults: () => FaultSites;
  readonly look: EngineLook;
  readonly counted: CountedExecutions;
  readonly leaving: LeavingCode;
  readonly tracer: Tracer | undefined;
  readonly forks: Forks | undefined;
  readonly levels: LevelWatch | undefined;
  readonly prepared: HandlerLibrary | undefined;
}

/** The code that was translated for a memory since it, or all code, began anew: a cache for each tier and mode, and what they share. */
export class TranslatedCode {
  private readonly parts: TranslatedCodeParts;
  private readonly tiers = new Tiers((cache) => this.parts.leaving.drop(cache));
  private readonly records = new RecordSpace();
  private readonly probes: Probes | undefined;
  private readonly log: TraceLog | undefined;

  constructor(parts: TranslatedCodeParts) {
    this.parts = parts;
    const { measured, counted, tracer, forks } = parts;
    const { buffer } = measured.memory;
    const take = (count: number) => takeCells(buffer, this.records, count);
    counted.startTally(measured, this.records);
    if (forks !== undefined) {
      this.probes = new Probes(buffer, forks.addresses, take);
      forks.attach(this.probes);
    }
    if (tracer === undefined) return;
    this.probes = new Probes(buffer, tracer.headers, take);
    this.log = new TraceLog(buffer, take, measured.places);
    tracer.attach(this.probes, this.log);
  }

  /** Runs from an address, in the code for the mode that MXCSR asks for, until the slice ends or the mode changes. */
  dispatch(address: bigint, tier: Tier): bigint {
    this.parts.look.instruments.counters.add('slices: begun by the run loop');
    const { mode } = this;
    const make = (index: number) => this.newCache(mode, tier, index);
    return this.tiers.get(tier, mode, make).dispatch(address);
  }

  /** MXCSR's control bits: code is made for one value of them. */
  get mode(): number {
    return this.parts.measured.guest.view.getInt32(valueOffset(MXCSR), true);
  }

  private newCache(mxcsr: number, tier: Tier, index: number): CodeCache {
    const { records, probes, log } = this;
    const { measured, named, occupant, events, look, counted, leaving, levels } = this.parts;
    const { memory, guest, plan, places, opener } = measured;
    const { tally, isDivided } = counted;
    const faults = this.parts.faults();
    const limits = limitsOf(tier, this.parts.limits);
    const prepared = this.preparedFor(limits, mxcsr);
    // The first slots are those of prepared handlers.
    const firstSlots = prepared?.count ?? 0;
    const key =
      tier === 'usual' && this.isPlain
        ? leaving.keyOf([named, preparedFor(plan, limits, mxcsr), index, firstSlots])
        : undefined;
    const cache = new CodeCache({
      memory,
      code: new CodeReader((address) => fetchCode(guest, address), plan),
      isVolatile: (address) => isVolatile(guest, address),
      places,
      measure: measureFor(plan, places, limits),
      events,
      contexts: opener,
      entersFunction: (from, target) => occupant().entersFunction(from, target),
      isHooked:
        named.length === 0
          ? (address) => occupant().isRoot(address)
          : (address) =>
              occupant().isRoot(address) || named.some((name) => occupant().isNamed(address, name)),
      onCode: (page) => {
        this.newest = {};
        guest.watchCode(page * PAGE_SIZE);
      },
      fpuTop: () => guest.view.getInt32(valueOffset(FPU_TOP), true),
      limits,
      mxcsr,
      index,
      // A region must not be left at a probe where its counters say nothing of it.
      isPrecise:
        tier === 'stepping' || (tier === 'logging' && faults.isSeeking)
          ? () => true
          : (address) => faults.has(address) || (isDivided && probes?.has(address) === true),
      records,
      instruments: look.instruments,
      ...(tally && { tally }),
      ...(probes && { probes }),
      ...(tier === 'logging' && log && { log }),
      ...(levels && { levels }),
      ...(prepared && { prepared }),
      ...(key && { leavesCode: true, stored: leaving.find(key) }),
    });
    if (key !== undefined) leaving.add(key, cache);
    return cache;
  }

  /** Whether nobody asks for more than a measurement. */
  private get isPlain(): boolean {
    const { counted, look } = this.parts;
    return counted.tally === undefined && this.probes === undefined && !look.isCounting;
  }

  /** Handlers that are there already. */
  private preparedFor(limits: EngineLimits, mxcsr: number): PreparedHandlers | undefined {
    const { prepared, measured } = this.parts;
    return this.isPlain ? prepared?.(preparedFor(measured.plan, limits, mxcsr)) : undefined;
  }

  /** Another object where something has been made of code since, or found to be as it was. */
  newest: object = {};

  /** Whether something was made of code in [start, end). */
  holds(start: number, end: number): boolean {
    return this.tiers.holds(start, end);
  }

  /** Memory in [start, end) may hold other code from now on. */
  forget(start: number, end: number): void {
    this.tiers.forget(start, end);
  }

  /** The instruction at an address is executed by itself from now on. */
  setApart(address: number): void {
    this.tiers.setApart(address);
  }

  /** An instruction was counted as executed that did not retire. */
  uncount(address: number, tier: Tier): void {
    this.tiers.find(tier, this.mode)?.uncount(address);
  }

  /** Whether it is time to begin anew: programs that write code for ever take no more memory for it in the end. */
  get isWornOut(): boolean {
    return this.records.isWornOut;
  }

  /** Between slices: makes the regions that were to be made while slices had to end soon. */
  translatePostponed(): void {
    for (const cache of this.tiers.usual) cache.translatePostponed();
  }

  /** Between slices: makes more regions, the longer the run lasts. */
  hasten(executed: number): void {
    for (const cache of this.tiers.usual) cache.hasten(executed);
  }

  /** Which loads ask whether their page is quiet. */
  get asking(): Asking {
    return this.tiers.usual[0]?.asking ?? { words: false, bytes: false };
  }

  /** Notes the largest steps of a page, where somebody asks. */
  readonly noteQuiet = (page: number): void => this.tiers.usual[0].noteQuiet(page);

  /** Many quiet pages have steps of their bytes: loads of bytes ask whether theirs is one, in code that is made from now on. */
  letBytesAsk(): void {
    for (const cache of this.tiers.usual) cache.letBytesAsk();
  }

  /** Of each cache of the usual code. */
  statistics(): readonly CodeStatistics[] {
    return this.tiers.usual.map((cache) => cache.counts);
  }

  /** Nothing runs in it for a while. */
  rest(): void {
    this.tiers.rest();
  }

  /** Other code takes its place. */
  end(): void {
    this.tiers.clear();
  }
}
