import { MEMORY_END } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import type { Executions } from '../../observation/observation.ts';
import type { ThreadShares } from '../../observation/shares.ts';
import type { CodePlaces } from '../../translate/code-places.ts';
import type { ContextFunctions } from '../../translate/contexts/functions.ts';
import type { Instruments } from '../../translate/instruments.ts';
import type { HandlerLibrary } from '../../translate/interpreter/prepared.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../translate/limits.ts';
import type { LevelWatch } from '../../x86/required-level.ts';
import { CountedExecutions } from '../counts/counted-executions.ts';
import type { Forks } from '../counts/forks.ts';
import type { Tracer } from '../counts/tracer.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import { firstLanes, firstTags, type MeasurePlan, nextPlan, type Outgrown } from '../memory/measure-plan.ts';
import { MeasuredMemory } from '../memory/measured-memory.ts';
import { reserveMemory } from '../memory/reserve-memory.ts';
import type { TagsLedger } from '../memory/tags-ledger.ts';
import type { CollectGarbage, HostPages, ReservedMemory } from '../ports.ts';
import { EngineLook, type Look } from './engine-look.ts';
import { FaultSites } from './fault-sites.ts';
import { isIndirectCall } from './guest-code.ts';
import { LeavingCode, type ProgramStore } from './leaving-code.ts';
import { eventsFor, type Occupant } from './occupant.ts';
import type { PassStatistics } from './statistics.ts';
import type { Tier } from './tiers.ts';
import { TranslatedCode } from './translated-code.ts';

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
  readonly hostPages?: HostPages;
  /** Where code is found and kept, and under what name. */
  readonly codeStore?: ProgramStore;
}

/**
 * One WebAssembly memory and the code translated for it. Passes with the same kind of measurement take turns in it: a
 * run is deterministic, so what one pass translated the next one executes, and only memory starts anew.
 */
export class CodeSpace {
  readonly limits: EngineLimits;
  readonly tracer: Tracer | undefined;
  readonly forks: Forks | undefined;
  /** Contexts that one pass measures, as far as is known by now. */
  contextsAtOnce = 1;
  /** Where faults come to the guest's handlers. */
  faults = new FaultSites();
  private readonly named: readonly string[];
  private readonly options: CodeSpaceOptions;
  private readonly look: EngineLook;
  private readonly counted: CountedExecutions;
  private readonly leaving: LeavingCode;
  private measured!: MeasuredMemory;
  private code!: TranslatedCode;
  private occupant!: Occupant;
  private readonly events = eventsFor(
    () => this.occupant,
    (instructions) => this.noteStretch(instructions),
  );
  private stretch = 0;
  /** Whether code is made otherwise from now on. */
  isOutdated = false;

  /** Entering a function of one of these names is an event in every pass. */
  constructor(
    named: readonly string[],
    limits: EngineLimits = ENGINE_LIMITS,
    options: CodeSpaceOptions = {},
  ) {
    const { counts, tracer, forks, plan, reserved, codeStore } = options;
    this.named = named;
    this.limits = limits;
    this.options = options;
    this.tracer = tracer;
    this.forks = forks;
    this.look = new EngineLook(options);
    this.counted = new CountedExecutions(counts === true, forks);
    this.leaving = new LeavingCode(codeStore);
    this.become(plan ?? firstLanes(limits), reserved?.());
  }

  // --- what is measured, and in which memory

  /** From the next pass on producers are logged instead of what was measured until now. */
  followChains(): void {
    this.become(firstTags(this.limits, this.measurePlan));
  }

  /** From the next pass on there is more room for what there was too little of. */
  outgrow(what: Outgrown['what']): void {
    if (what !== 'faults' && what !== 'children')
      return this.become(nextPlan(this.measurePlan, what, this.limits));
    // Only what was counted so far is wrong, and code that logs is not made for a fault that is sought.
    this.counted.restart();
    if (this.counted.tally !== undefined || this.tracer !== undefined) this.startCode();
  }

  /** All that was known is forgotten with its memory, so that it is not there twice. */
  private become(plan: MeasurePlan, reserved?: WebAssembly.Memory): void {
    const isReplaced = this.measured !== undefined;
    if (isReplaced) this.letGo();
    // Beside it there is what was made meanwhile.
    if (isReplaced) this.options.collectGarbage?.(MEMORY_END / 2);
    this.measured = new MeasuredMemory(reserved ?? reserveMemory(), plan, {
      limits: this.limits,
      contexts: this.events.contexts,
      executed: () => this.occupant.executed(),
      forgetCode: (start, end) => this.forgetCode(start, end),
      hostPages: this.options.hostPages,
    });
    this.look.attach(this.guest.buffer);
    this.counted.restart();
    this.isOutdated = false;
    this.code = this.newCode();
    if (plan.kind === 'lanes') this.contextsAtOnce = plan.shape.lanes;
  }

  /** Of everything that refers to memory. */
  private letGo(): void {
    this.code.end();
    this.leaving.keep();
    this.leaving.clear();
    this.leaving.begin();
    this.counted.letGo();
    this.look.letGo();
    const none = undefined as never;
    this.measured = none;
    this.code = none;
    this.occupant = none;
  }

  /** What is measured at present. */
  get measurePlan(): MeasurePlan {
    return this.measured.plan;
  }

  /** Whether measurement can tell threads apart. */
  get knowsThreads(): boolean {
    return this.measurePlan.threads;
  }

  /** A thread has been started: code that tells it apart is to take the place of what there is before anything else is executed. */
  meetThreads(): void {
    if (this.knowsThreads) return;
    this.measured.meetThreads();
    this.isOutdated = true;
  }

  /** Whether generated code may access far memory. */
  get followsFar(): boolean {
    return this.measurePlan.followsFar;
  }

  get signalsX87(): boolean {
    return this.measurePlan.signalsX87;
  }

  /** Whether memory up to an offset has steps. */
  holds(end: number): boolean {
    return end <= this.measurePlan.end;
  }

  get guest(): GuestMemory {
    return this.measured.guest;
  }

  get ledger(): LanesLedger | TagsLedger {
    return this.measured.ledger;
  }

  get lanes(): LanesLedger | undefined {
    return this.measured.lanes;
  }

  get tags(): TagsLedger | undefined {
    return this.measured.tags;
  }

  /** Opens and closes contexts. */
  get opener(): ContextFunctions {
    return this.measured.opener;
  }

  /** What stands for addresses of code in memory. */
  get places(): CodePlaces {
    return this.measured.places;
  }

  // --- passes

  /** Gives the space to a pass, as empty as it was for the first one. */
  enter(occupant: Occupant): void {
    this.occupant = occupant;
    this.leaving.restart();
    this.measured.clear();
    this.look.startPass();
  }

  /** Another process comes in here; where it faults is known from when it ran before. */
  expect(faults: FaultSites): void {
    this.faults = faults;
    faults.unsettle();
  }

  /** Nothing runs in it for a while. */
  private rest(): void {
    this.code.rest();
  }

  /** Nobody is here until another process enters: the last one knows its family, and so their memories. */
  vacate(): void {
    this.rest();
    this.occupant = undefined as never;
  }

  /** A pass is over: notes how the engine spent it, if anybody asks. */
  finishPass(what: string, executed: number): void {
    this.rest();
    this.look.finishPass(what, executed, this.guest, this.code.statistics());
  }

  get instruments(): Instruments {
    return this.look.instruments;
  }

  /** How the passes so far were spent, if anybody asked. */
  get passes(): readonly PassStatistics[] {
    return this.look.passes;
  }

  // --- code

  private newCode(): TranslatedCode {
    const { measured, limits, named, look, counted, leaving, tracer, forks } = this;
    const { levels, prepared } = this.options;
    return new TranslatedCode({
      measured,
      limits,
      named,
      occupant: () => this.occupant,
      events: look.counted(this.events.code),
      faults: () => this.faults,
      look,
      counted,
      leaving,
      tracer,
      forks,
      levels,
      prepared,
    });
  }

  /** What MXCSR asks for; code is made for one mode. */
  get mode(): number {
    return this.code.mode;
  }

  /** Runs from an address until the slice ends or the mode changes, as TranslatedCode.dispatch. */
  dispatch(address: bigint, tier: Tier): bigint {
    return this.code.dispatch(address, tier);
  }

  isIndirectCall(address: number): boolean {
    return isIndirectCall(this.guest, address);
  }

  /** Another object where something has been made of code since. */
  get newestCode(): object {
    return this.code.newest;
  }

  /** Whether something was made of code in [start, end). */
  holdsCode(start: number, end: number): boolean {
    return this.code.holds(start, end);
  }

  /** Memory in [start, end) may hold other code from now on. */
  forgetCode(start: number, end: number): void {
    this.code.forget(start, end);
  }

  /** The instruction at an address is executed by itself from now on. */
  setApart(address: number): void {
    this.code.setApart(address);
  }

  /** Whether `renewCode` has something to do. */
  wantsNewCode(): boolean {
    return this.isOutdated || this.code.isWornOut || this.faults.isNew;
  }

  /** Between slices, when all state is in memory: programs that write code for ever take no more memory for it in the end. */
  renewCode(): void {
    if (this.isOutdated) this.leaving.keep();
    if (this.wantsNewCode()) this.renew();
  }

  /**
   * The guest is the program at a path: what is at an address has another name, even where the code is the same, and what was
   * counted is not this program's (rule 11).
   */
  dropCode(path: string): void {
    this.leaving.become(path);
    this.counted.restart();
    this.tracer?.restart();
    this.startCode();
  }

  private renew(): void {
    this.counted.takeTally();
    this.startCode();
  }

  private startCode(): void {
    this.code.end();
    this.isOutdated = false;
    this.leaving.clear();
    this.faults.settle();
    this.tracer?.detach();
    this.forks?.detach();
    this.code = this.newCode();
  }

  /** Leaves what was translated so far for later runs. */
  storeCode(): void {
    this.leaving.keep();
  }

  /** Between slices: makes the regions that were to be made while slices had to end soon. */
  translatePostponed(): void {
    this.code.translatePostponed();
  }

  /** Between slices: makes more regions, the longer the run lasts. */
  hasten(executed: number): void {
    this.code.hasten(executed);
  }

  /** Between slices: finds quiet pages, and whether memory is to come in huge ones. */
  sweep(executed: number): void {
    this.measured.noteExecuted(executed);
    const { asking, noteQuiet } = this.code;
    if (!asking.words && !asking.bytes) return;
    const resting = this.instruments.within('sweep', () => this.measured.sweep(executed, asking, noteQuiet));
    if (resting > this.limits.restingPages) this.code.letBytesAsk();
  }

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

  // --- counted executions

  /** A system call waits: it was counted as executed, and retires when what this gives is called. */
  postpone(address: number): () => void {
    return this.counted.postpone(address);
  }

  /** An instruction was counted as executed that did not retire. */
  uncount(address: number, tier: Tier): void {
    this.code.uncount(address, tier);
  }

  /** What was executed since there is this memory. To be asked for once, after the first pass. */
  executions(): Executions {
    return this.counted.executions();
  }

  /** Counts go to the thread that runs, in the region that it is in. Between slices. */
  divideCounts(): void {
    this.counted.divide();
  }

  /** `executions`, divided. After the run. */
  threadShares(): ThreadShares {
    return this.counted.threadShares();
  }
}
