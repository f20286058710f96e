import { FIRST_GUEST_ADDRESS, MEMORY_END, PAGE_SIZE, valueOffset } from '../guest/layout.ts';
import { EXECUTE, GuestMemory } from '../guest/memory.ts';
import { CALLS_PER_PARENT, type Executions } from '../observation/observation.ts';
import type { ThreadShares } from '../observation/shares.ts';
import { CodeCache, type CodeStatistics } from '../translate/cache.ts';
import type { CodeEvents } from '../translate/code-events.ts';
import { CodePlaces } from '../translate/code-places.ts';
import { Counters, type Instruments, NO_INSTRUMENTS, Stopwatch } from '../translate/instruments.ts';
import { RecordSpace } from '../translate/interpreter/blocks.ts';
import {
  type HandlerLibrary,
  type PreparedHandlers,
  preparedFor,
} from '../translate/interpreter/prepared.ts';
import { does, ENGINE_LIMITS, type EngineLimits } from '../translate/limits.ts';
import { Probes } from '../translate/probes.ts';
import { type ContextFunctions, contextFunctions } from '../translate/support-contexts.ts';
import { Tally, takeCells } from '../translate/tally.ts';
import { TraceLog } from '../translate/trace-log.ts';
import { CodeReader, LONGEST } from '../x86/decode.ts';
import type { LevelWatch } from '../x86/required-level.ts';
import { FPU_TOP, MXCSR } from '../x86/state.ts';
import { DividedCounts } from './divided-counts.ts';
import { ExecutionCounts } from './executions.ts';
import { FaultSites } from './fault-sites.ts';
import type { Forks } from './forks.ts';
import { LanesLedger } from './lanes-ledger.ts';
import { firstLanes, firstTags, type MeasurePlan, nextPlan, type Outgrown } from './measure-plan.ts';
import { eventsFor, type Occupant } from './occupant.ts';
import { measureFor } from './plan-measure.ts';
import type { CodeKey, CodeStore, CollectGarbage, ReservedMemory } from './ports.ts';
import { QuietPages } from './quiet.ts';
import { reserveMemory } from './reserve-memory.ts';
import { addedCode, memoryStatistics, type PassStatistics } from './statistics.ts';
import { TagsLedger } from './tags-ledger.ts';
import { limitsOf, type Tier, Tiers } from './tiers.ts';
import type { Tracer } from './tracer.ts';

/** How people who work on the engine look into a code space. */
export interface Look {
  /** Statistics are collected. The clock counts milliseconds. */
  readonly clock?: () => number;
  readonly onRegion?: NonNullable<Instruments['onRegion']>;
}

/** What a code space does besides measuring. */
export interface CodeSpaceOptions extends Look {
  /** Executions of instructions are counted. */
  readonly counts?: boolean;
  /** Loops are sampled. */
  readonly tracer?: Tracer;
  /** What is counted is divided among threads and their regions. Not with a tracer. */
  readonly forks?: Forks;
  /** Hears of the instructions' levels. */
  readonly levels?: LevelWatch;
  /** What is measured at first; else lanes. */
  readonly plan?: MeasurePlan;
  readonly prepared?: HandlerLibrary;
  readonly reserved?: ReservedMemory;
  readonly collectGarbage?: CollectGarbage;
  /** Where code is found and kept, and under what name. */
  readonly codeStore?: ProgramStore;
}

/** A store, and what program and command are called there. */
export interface ProgramStore extends CodeKey {
  readonly store: CodeStore;
}

const INTERPRETED = 'tiers: instructions interpreted';

/**
 * One WebAssembly memory and the code translated for it. Passes with the same kind of measurement take turns in it: a
 * run is deterministic, so what one pass translated the next one executes, and only memory starts anew.
 */
export class CodeSpace {
  private guestNow!: GuestMemory;
  private plan!: MeasurePlan;
  private ledgerNow: LanesLedger | TagsLedger | undefined;
  private openerNow!: ContextFunctions;
  /** Contexts that one pass measures, as far as is known by now. */
  contextsAtOnce = 1;
  private readonly tiers = new Tiers();
  private memory!: WebAssembly.Memory;
  private records = new RecordSpace();
  private readonly named: readonly string[];
  readonly limits: EngineLimits;
  private occupant!: Occupant;
  private readonly events = eventsFor(
    () => this.occupant,
    (instructions) => this.noteStretch(instructions),
  );
  private quiet: QuietPages | undefined;
  readonly instruments: Instruments;
  private readonly counters: Counters | undefined;
  private readonly stopwatch: Stopwatch | undefined;
  /** How the passes so far were spent, if anybody asked. */
  readonly passes: PassStatistics[] = [];
  private codeBefore: CodeStatistics | undefined;
  private readonly counts: boolean;
  private tally: Tally | undefined;
  private counted = new ExecutionCounts();
  private isCounted = false;
  readonly tracer: Tracer | undefined;
  readonly forks: Forks | undefined;
  private divided: DividedCounts | undefined;
  private readonly levels: LevelWatch | undefined;
  private readonly prepared: HandlerLibrary | undefined;
  private readonly collectGarbage: CollectGarbage | undefined;
  private codeStore: ProgramStore | undefined;
  /** Caches whose code is to be kept, and under what name. */
  private leaving: { readonly key: CodeKey; readonly cache: CodeCache }[] = [];
  private probes: Probes | undefined;
  private log: TraceLog | undefined;
  /** What stands for addresses of code in memory. */
  places = new CodePlaces();
  /** Where faults come to the guest's handlers. */
  faults = new FaultSites();

  /** Entering a function of one of these names is an event in every pass. */
  constructor(
    named: readonly string[],
    limits: EngineLimits = ENGINE_LIMITS,
    {
      clock,
      onRegion,
      counts,
      tracer,
      forks,
      plan,
      levels,
      prepared,
      reserved,
      collectGarbage,
      codeStore,
    }: CodeSpaceOptions = {},
  ) {
    this.limits = limits;
    this.counts = counts === true;
    this.tracer = tracer;
    this.forks = forks;
    this.levels = levels;
    this.prepared = prepared;
    this.collectGarbage = collectGarbage;
    this.codeStore = codeStore;
    if (clock !== undefined) {
      this.counters = new Counters();
      this.stopwatch = new Stopwatch(clock);
    }
    this.instruments = {
      counters: this.counters ?? NO_INSTRUMENTS.counters,
      within: this.stopwatch?.within ?? NO_INSTRUMENTS.within,
      ...(onRegion && { onRegion }),
    };
    this.named = named;
    this.become(plan ?? firstLanes(limits), reserved?.());
  }

  /** Of everything that refers to memory. */
  private letGo(): void {
    this.storeCode();
    this.leaving = [];
    const none = undefined as never;
    this.tally = none;
    this.probes = none;
    this.log = none;
    this.guestNow = none;
    this.memory = none;
    this.ledgerNow = none;
    this.openerNow = none;
    this.occupant = none;
    this.quiet = none;
    this.counters?.letGo();
  }

  private newOpener(): ContextFunctions {
    return contextFunctions(
      this.memory,
      this.lanes?.shape,
      CALLS_PER_PARENT,
      this.events.contexts,
      does(this.limits, 'context caches'),
    );
  }

  get ledger(): LanesLedger | TagsLedger {
    return this.ledgerNow!;
  }

  get lanes(): LanesLedger | undefined {
    return this.ledgerNow instanceof LanesLedger ? this.ledgerNow : undefined;
  }

  get tags(): TagsLedger | undefined {
    return this.ledgerNow instanceof TagsLedger ? this.ledgerNow : undefined;
  }

  /** Opens and closes contexts. */
  get opener(): ContextFunctions {
    return this.openerNow;
  }

  /** From the next pass on producers are logged instead of what was measured until now. */
  followChains(): void {
    this.become(firstTags(this.limits, this.plan));
  }

  /** From the next pass on there is more room for what there was too little of. */
  outgrow(what: Outgrown['what']): void {
    if (what !== 'faults' && what !== 'children') return this.become(nextPlan(this.plan, what, this.limits));
    // Only what was counted so far is wrong.
    this.startCounting();
    if (this.tally !== undefined) this.startCode();
  }

  /** Another process comes in here; where it faults is known from when it ran before. */
  expect(faults: FaultSites): void {
    this.faults = faults;
    faults.unsettle();
  }

  /** What is measured at present. */
  get measurePlan(): MeasurePlan {
    return this.plan;
  }

  /** Whether measurement can tell threads apart. */
  get knowsThreads(): boolean {
    return this.plan.threads;
  }

  get guest(): GuestMemory {
    return this.guestNow;
  }

  /** All that was known is forgotten with its memory, so that it is not there twice. */
  private become(plan: MeasurePlan, reserved?: WebAssembly.Memory): void {
    const { limits } = this;
    this.tiers.clear();
    this.codeBefore = undefined;
    const isReplaced = this.memory !== undefined;
    this.letGo();
    // Beside it there is what was made meanwhile.
    if (isReplaced) this.collectGarbage?.(MEMORY_END / 2);
    this.memory = reserved ?? reserveMemory();
    this.counters?.attach(this.memory.buffer);
    const guest = new GuestMemory(this.memory.buffer, {
      unmapFar: (address) => this.forgetCode(address, address + PAGE_SIZE),
      remap: (start, end) => {
        this.ledger.forget(start, end);
        this.forgetCode(start, end);
      },
      move: (from, to) => this.ledger.move(from, to),
    });
    this.guestNow = guest;
    this.records = new RecordSpace();
    this.places = new CodePlaces();
    this.plan = plan;
    this.startCounting();
    this.tally = this.newTally();
    this.attachTracer();
    if (plan.kind === 'lanes') this.contextsAtOnce = plan.shape.lanes;
    this.ledgerNow =
      plan.kind === 'lanes'
        ? new LanesLedger(guest, plan, limits)
        : new TagsLedger(guest, plan, limits, this.places, () => this.occupant.executed());
    this.openerNow = this.newOpener();
  }

  private startCounting(): void {
    this.counted = new ExecutionCounts();
    this.forks?.restart();
    this.divided = this.forks && new DividedCounts(this.forks);
  }

  /** Memory in [start, end) may hold other code from now on. */
  forgetCode(start: number, end: number): void {
    this.tiers.forget(start, end);
  }

  /** Runs from an address, in the code for the mode that MXCSR asks for, until the slice ends or the mode changes. */
  dispatch(address: bigint, tier: Tier): bigint {
    this.instruments.counters.add('slices: begun by the run loop');
    const mxcsr = this.guest.view.getInt32(valueOffset(MXCSR), true);
    const make = (index: number) => this.newCache(mxcsr, tier, index);
    return this.tiers.get(tier, mxcsr, make).dispatch(address);
  }

  private newCache(mxcsr: number, tier: Tier, index: number): CodeCache {
    const { memory, plan, named, records, probes, log, faults } = this;
    // A region must not be left at a probe where its counters say nothing of it.
    const isDivided = this.divided !== undefined;
    const limits = limitsOf(tier, this.limits);
    const prepared = this.preparedFor(limits, mxcsr);
    const store = tier === 'usual' && this.isPlain ? this.codeStore : undefined;
    // The first slots are those of prepared handlers.
    const firstSlots = prepared?.forms.length ?? 0;
    const kind = [named, preparedFor(plan, limits, mxcsr), index, firstSlots];
    const key = store && {
      command: JSON.stringify([store.command, ...kind]),
      program: JSON.stringify([store.program, ...kind]),
    };
    const cache = new CodeCache({
      memory,
      code: new CodeReader((address) => this.fetch(address), plan),
      places: this.places,
      measure: measureFor(plan, this.places, limits),
      events: {
        ...this.events.code,
        ...(this.counters && this.countedEvents(this.counters)),
      },
      contexts: this.opener,
      entersFunction: (from, target) => this.occupant.entersFunction(from, target),
      isHooked:
        named.length === 0
          ? (address) => this.occupant.isRoot(address)
          : (address) =>
              this.occupant.isRoot(address) || named.some((name) => this.occupant.isNamed(address, name)),
      onCode: (page) => this.guest.watchCode(page * PAGE_SIZE),
      fpuTop: () => this.guest.view.getInt32(valueOffset(FPU_TOP), true),
      limits,
      mxcsr,
      index,
      isPrecise:
        tier === 'stepping'
          ? () => true
          : (address) => faults.has(address) || (isDivided && probes?.has(address) === true),
      records,
      instruments: this.instruments,
      ...(this.tally && { tally: this.tally }),
      ...(probes && { probes }),
      ...(tier === 'logging' && log && { log }),
      ...(this.levels && { levels: this.levels }),
      ...(prepared && { prepared }),
      ...(key && { leavesCode: true, stored: store?.store.find(key) }),
    });
    if (key !== undefined) this.leaving.push({ key, cache });
    return cache;
  }

  /** Whether nobody asks for more than a measurement. */
  private get isPlain(): boolean {
    return this.tally === undefined && this.probes === undefined && this.counters === undefined;
  }

  /** Leaves what was translated so far for later runs. */
  storeCode(): void {
    for (const { key, cache } of this.leaving) {
      const code = cache.toStore();
      if (code !== undefined) this.codeStore?.store.keep(key, code);
    }
  }

  /** Handlers that are there already. */
  private preparedFor(limits: EngineLimits, mxcsr: number): PreparedHandlers | undefined {
    return this.isPlain ? this.prepared?.(preparedFor(this.plan, limits, mxcsr)) : undefined;
  }

  /** A system call waits: it was counted as executed, and retires when what this gives is called. */
  postpone(address: number): () => void {
    return (this.divided ?? this.counted).postpone(address);
  }

  /** An instruction was counted as executed that did not retire. */
  uncount(address: number, tier: Tier): void {
    const mxcsr = this.guest.view.getInt32(valueOffset(MXCSR), true);
    this.tiers.find(tier, mxcsr)?.uncount(address);
  }

  private attachTracer(): void {
    const take = (count: number) => takeCells(this.memory.buffer, this.records, count);
    if (this.forks !== undefined) {
      this.probes = new Probes(this.memory.buffer, this.forks.addresses, take);
      this.forks.attach(this.probes);
    }
    if (this.tracer === undefined) return;
    this.probes = new Probes(this.memory.buffer, this.tracer.headers, take);
    this.log = new TraceLog(this.memory.buffer, take, this.places);
    this.tracer.attach(this.probes, this.log);
  }

  /** Chains are found by running again: what is executed is known by then. */
  private newTally(): Tally | undefined {
    if (!this.counts || this.plan.kind !== 'lanes') return undefined;
    const tally = new Tally(this.memory.buffer, this.records, this.places);
    if (this.isCounted) tally.close();
    return tally;
  }

  /** What was executed since there is this memory. To be asked for once, after the first pass. */
  executions(): Executions {
    if (this.tally !== undefined) this.counted.add(this.tally, true);
    this.tally?.close();
    const result = this.counted.result();
    this.counted = new ExecutionCounts();
    this.isCounted = true;
    return result;
  }

  /** Counts go to the thread that runs, in the region that it is in. Between slices. */
  divideCounts(): void {
    if (this.tally !== undefined) this.divided?.follow(this.tally);
  }

  /** `executions`, divided. After the run. */
  threadShares(): ThreadShares {
    this.takeCounts();
    this.tally?.close();
    return this.divided!.result();
  }

  private takeCounts(): void {
    if (this.tally === undefined) return;
    if (this.divided === undefined) this.counted.add(this.tally, false);
    else this.divided.take(this.tally);
  }

  /** The events that are of interest, counted. */
  private countedEvents(counters: Counters): Pick<CodeEvents, 'endSlice' | 'service'> {
    return {
      endSlice: () => {
        const leaves = this.occupant.endSlice();
        counters.add(leaves ? 'slices: over' : 'slices: over, the next begun in place');
        return leaves;
      },
      service: (site) => {
        counters.add(`services: ${site.service}`);
        this.instruments.within('system', () => this.occupant.service(site));
      },
    };
  }

  /** Whether `renewCode` has something to do. */
  wantsNewCode(): boolean {
    return this.records.isWornOut || this.faults.isNew;
  }

  /** The guest is another program: what is at an address has another name, even where the code is the same. */
  dropCode(): void {
    this.storeCode();
    // Its name is not that under which the code is kept.
    this.codeStore = undefined;
    this.renew();
  }

  private renew(): void {
    this.takeCounts();
    this.startCode();
  }

  private startCode(): void {
    this.leaving = [];
    this.tiers.clear();
    this.faults.settle();
    this.tracer?.detach();
    this.records = new RecordSpace();
    this.tally = this.newTally();
    this.attachTracer();
  }

  /** Between slices, when all state is in memory: programs that write code for ever take no more memory for it in the end. */
  renewCode(): void {
    if (this.wantsNewCode()) this.renew();
  }

  private stretch = 0;

  /**
   * Instructions that the usual code executes, at most, after a slice is over: through a region without coming to a loop, a call or
   * a return, or through an interpreted block. Twice as many, because a variant of a region for another top of the x87
   * stack may be made and entered at once.
   */
  get overshoot(): number {
    return 2 * Math.max(this.stretch, this.limits.blockInstructions);
  }

  /** A region was made. */
  private noteStretch(instructions: number): void {
    if (instructions <= this.stretch) return;
    this.stretch = instructions;
    this.occupant.overshootGrew();
  }

  /** Between slices: makes the regions that were to be made while slices had to end soon. */
  translatePostponed(): void {
    for (const cache of this.tiers.usual) cache.translatePostponed();
  }

  /** Between slices: makes more regions, the longer the run lasts. */
  hasten(executed: number): void {
    for (const cache of this.tiers.usual) cache.hasten(executed);
  }

  /** Whether generated code may access far memory. */
  get followsFar(): boolean {
    return this.plan.followsFar;
  }

  get signalsX87(): boolean {
    return this.plan.signalsX87;
  }

  /** Whether memory up to an offset has steps. */
  holds(end: number): boolean {
    return end <= this.plan.end;
  }

  /** Between slices. */
  sweep(executed: number): void {
    const quietPage = this.tiers.usual[0]?.quietPage;
    if (quietPage !== undefined)
      this.instruments.within('sweep', () => this.quiet?.sweep(executed, quietPage));
  }

  /** Nothing runs in it for a while. */
  rest(): void {
    this.tiers.rest();
  }

  /** A pass is over: notes how the engine spent it, if anybody asks. */
  finishPass(what: string, executed: number): void {
    const { counters, stopwatch, guest } = this;
    this.rest();
    if (counters === undefined) return;
    const counts = Object.fromEntries(counters.values());
    const interpreted = counts[INTERPRETED] ?? 0;
    delete counts[INTERPRETED];
    const now = this.tiers.usual.map((cache) => cache.counts);
    this.passes.push({
      what,
      instructions: executed,
      interpreted,
      code: addedCode(now, this.codeBefore),
      counts,
      phases: Object.fromEntries(stopwatch?.take() ?? []),
      memory: memoryStatistics(guest),
    });
    this.codeBefore = addedCode(now, undefined);
  }

  /** Gives the space to a pass, as empty as it was for the first one. */
  enter(occupant: Occupant): void {
    this.occupant = occupant;
    this.guest.unmapAll();
    this.guest.bytes.fill(0, 0, FIRST_GUEST_ADDRESS);
    this.counters?.restart();
    this.ledger.start();
    const { lanes, limits } = this;
    this.quiet =
      lanes?.shape.hasQuietPages && does(limits, 'quiet pages')
        ? new QuietPages(this.guest, lanes, limits.firstSweep)
        : undefined;
  }

  isIndirectCall(address: number): boolean {
    // A decoder copies all bytes that it is given.
    const reader = new CodeReader((at) => this.fetch(at).subarray(0, LONGEST));
    const { flow } = reader.scan(address);
    reader.free();
    return flow === 'indirect-call';
  }

  /** Executable bytes from an address, to the end of the next page at most. */
  private fetch(address: number): Uint8Array {
    const { guest } = this;
    const next = address - (address % PAGE_SIZE) + PAGE_SIZE;
    if (!guest.allows(address, 1, EXECUTE)) return new Uint8Array(0);
    const end = guest.allows(next, 1, EXECUTE) ? Math.min(next + PAGE_SIZE, address + STRETCH) : next;
    return guest.read(address, end - address);
  }
}

/** Bytes of code read at once: most regions are shorter. */
const STRETCH = 1024;
