import { Failure } from '../base/failure.ts';
import { isGo } from '../elf/go/table.ts';
import type { Image } from '../elf/image.ts';
import { CONTROL, HOST_STACK, STEPS, VALUES, valueOffset } from '../guest/layout.ts';
import { type GuestMemory, WRITE } from '../guest/memory.ts';
import type { Fault } from '../ir/node.ts';
import { Kernel, type KernelOptions, type SyscallOutcome } from '../linux/kernel.ts';
import { loadProgram } from '../linux/loader.ts';
import type { Wait } from '../linux/not-yet.ts';
import { randomBytes } from '../linux/random.ts';
import type { BornProcess, LoadedProgram } from '../linux/system.ts';
import type { GuestExit } from '../observation/observation.ts';
import { does } from '../translate/limits.ts';
import type { ServiceSite } from '../translate/region-interface.ts';
import { processorFacts } from '../x86/features.ts';
import { X87Unmasked } from '../x86/float/helpers.ts';
import * as x86 from '../x86/state.ts';
import { ASKED_REGISTERS } from './asked-registers.ts';
import { CaughtFaults, faultOf } from './caught-faults.ts';
import type { CodeSpace } from './code-space.ts';
import { type ContextPlan, Contexts } from './contexts.ts';
import { Deadlines } from './deadlines.ts';
import { GuestEnd, GuestFault, GuestMoved } from './fault.ts';
import type { Forks } from './forks.ts';
import type { Guest } from './guest.ts';
import type { LanesLedger } from './lanes-ledger.ts';
import type { Ledger } from './ledger.ts';
import { Outgrown } from './measure-plan.ts';
import {
  countsInLane,
  describePart,
  firstDepthOf,
  laneOfFunction,
  type MeasuredPart,
} from './measured-part.ts';
import { MemoryEvents } from './memory-events.ts';
import { ModuleMap } from './modules.ts';
import type { Occupant } from './occupant.ts';
import type { Family, Origin, PassCounts, Process, Turn } from './process.ts';
import { AllWait } from './scheduler.ts';
import { Served, SYSCALL_ARGUMENTS } from './served.ts';
import { type After, RT_SIGRETURN, Signals } from './signals.ts';
import { SliceClock } from './slice-clock.ts';
import { SliceLength } from './slice-length.ts';
import { StateMachine } from './state.ts';
import type { TagsLedger } from './tags-ledger.ts';
import type { RootSearch } from './thread-root.ts';
import { type PendingCall, Threads } from './threads.ts';
import type { Tier } from './tiers.ts';
import type { Tracer } from './tracer.ts';

export interface PassOptions extends MeasuredPart {
  readonly guest: Guest;
  /** Where it runs, which decides what it measures: lanes or tags. */
  readonly space: CodeSpace;
  /** Who runs the processes that the guest starts; without it there can be none. */
  readonly family?: Family;
  /** The process goes on from where another one started it; else it begins with the command. */
  readonly origin?: Origin;
}

/** Thrown out of generated code, all state being in memory: another thread is to run, or the same one's call is made again. */
const SWITCH = new Error('another thread runs');

/** Instructions between two looks at the log, which holds some thousand of them. */
const LOGGED_SLICE = 1000;
const FPU_CONTROL_DEFAULT = 0x37f;
const MXCSR_DEFAULT = 0x1f80;
/** execve and execveat. */
const EXECUTE_CALLS: readonly number[] = [59, 322];
/** No instruction is there. */
const NOWHERE = -1;

/** One execution of the guest from its first instruction, measured in one way. The one place where the parts of a run meet. */
export class Pass implements Occupant, Process {
  contexts!: Contexts;
  modules!: ModuleMap;
  readonly kernel: Kernel;
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  private readonly options: PassOptions;
  readonly memory: GuestMemory;
  readonly memoryEvents: MemoryEvents;
  private readonly machine: StateMachine;
  private readonly clock: SliceClock;
  private readonly served: Served;
  private readonly ledger: Ledger;
  private readonly signals: Signals;
  private readonly faults: CaughtFaults;
  private readonly lengths: SliceLength;
  private entry = 0;
  programEntry = 0;
  /** Where the call tree begins: main, or the ELF entry of a program without that name. */
  private root = 0;
  /** Instructions that were executed before the present program. */
  private before = 0;
  private readonly deadlines: Deadlines;
  /** Whether other processes run next. */
  private isTurnOver = false;
  /** Whether nothing has run in the present turn. */
  private isTurnNew = false;
  private readonly staysInPlace: boolean;
  private threads!: Threads;
  /** Index of the thread whose call is followed by tags, once that has begun. */
  private followed: number | undefined;
  /** Where the next slice begins. */
  next = 0n;
  /** What code the present slice executes. */
  private tier: Tier = 'usual';

  constructor(options: PassOptions) {
    this.options = options;
    const { guest } = options;
    const { space } = options;
    space.enter(this);
    this.memory = space.guest;
    this.lanes = space.lanes;
    this.tags = space.tags;
    this.ledger = space.ledger;
    this.clock = new SliceClock(this.memory.view);
    this.lengths = new SliceLength(space);
    this.memoryEvents = new MemoryEvents(this.memory, this.ledger, space);
    this.staysInPlace = does(space.limits, 'slices in place');
    const { program, args, env } = guest.command;
    const { origin } = options;
    const kernelOptions: KernelOptions = {
      memory: this.memory,
      disk: guest.disk,
      input: guest.input,
      output: guest.output,
      instructions: () => BigInt(this.executed()),
      register: (name) => this.memory.view.getBigInt64(valueOffset(ASKED_REGISTERS[name]), true),
      parseImage: guest.parseImage,
      directory: guest.directory,
      mentions: [program, ...args, ...Object.values(env)],
      farFrom: space.limits.farFrom,
      processor: processorFacts(guest.isa),
    };
    this.kernel = new Kernel(kernelOptions, origin?.born.process.state);
    this.machine = new StateMachine(this.memory, {
      isa: guest.isa,
      clock: () => BigInt(this.executed()) + this.kernel.state.shared.elsewhere,
      random: (length) => randomBytes(this.kernel, length),
      prepareStore: (page) => this.memoryEvents.prepareStore(page),
      signalsX87: space.signalsX87,
    });
    this.served = new Served({
      memory: this.memory,
      machine: this.machine,
      ledger: this.ledger,
      space,
      isLogging: () => this.tier === 'logging',
    });
    this.deadlines = new Deadlines({
      clock: this.clock,
      kernel: this.kernel,
      guest,
      scheduler: () => this.threads.scheduler,
      family: options.family,
      halt: options.halt,
    });
    this.signals = new Signals({
      memory: this.memory,
      machine: this.machine,
      kernel: this.kernel,
      ledger: this.ledger,
      forgetCode: (start, end) => this.served.forgetCode(start, end),
    });
    this.faults = new CaughtFaults({ memory: this.memory, kernel: this.kernel, clock: this.clock, space });
    if (origin === undefined)
      this.begin(space.instruments.within('load', () => loadProgram(this.kernel, guest.command)));
    else this.copy(origin);
  }

  /** From a program's first instruction; nothing was written before. */
  private begin(loaded: LoadedProgram): void {
    this.kernel.user.takeWritten();
    this.entry = loaded.entry;
    this.next = BigInt(loaded.entry);
    this.programEntry = loaded.programEntry;
    const [program] = loaded.modules;
    const { space } = this.options;
    // Go's runtime begins with both: a program of 2e8 instructions took 0.4 of 2.9 s to find them out one by one.
    if (isGo(program.image) && !(space.knowsThreads && space.followsFar))
      throw new Outgrown('far memory and threads');
    const isCopy = this.options.origin !== undefined;
    this.root = isCopy ? NOWHERE : (this.mainOf(program.base, program.image) ?? this.programEntry);
    this.initialise(loaded.stackPointer);
    this.follow();
  }

  private follow(): void {
    const { space, window } = this.options;
    this.modules = new ModuleMap(this.kernel.modules, this.options.guest.demangle);
    this.contexts = new Contexts(this.memory.buffer, space.opener, this.contextPlan(), space.places);
    if (window !== undefined) this.tags?.awaitWindow();
    this.threads = new Threads(
      {
        memory: this.memory,
        kernel: this.kernel,
        ledger: this.ledger,
        contexts: this.contexts,
        signals: this.signals,
        executed: () => this.executed(),
        isAlone: this.options.family === undefined,
        quantum: this.options.guest.quantum,
        onSwitch: () => this.countForThread(),
      },
      this.kernel.state.running,
    );
    this.countForThread();
    this.contexts.start();
  }

  /** Tells the measurement in which contexts the running thread's instructions count (rule 9). */
  private countForThread(): void {
    const { index } = this.threads.running;
    this.lanes?.count((lane) => countsInLane(this.options, index, lane));
    this.tags?.count(this.followed === undefined || this.followed === index);
    const { space } = this.options;
    space.forks?.switchTo(index);
    space.divideCounts();
  }

  /** As a copy of another process, behind the call that made it. */
  private copy({ parent, born, call, isMeasured }: Origin): void {
    const { machine, memory, kernel } = this;
    memory.copyFrom(parent.memory);
    memory.bytes.set(parent.memory.bytes.subarray(VALUES, STEPS), VALUES);
    kernel.modules.push(...parent.kernel.modules);
    if (born.borrows) kernel.lender = parent.kernel;
    this.entry = call.next;
    this.programEntry = parent.programEntry;
    this.root = NOWHERE;
    this.follow();
    if (isMeasured) this.lanes!.inherit(parent.lanes!);
    if (born.word !== undefined && memory.allows(born.word, 4, WRITE))
      kernel.user.putI32(born.word, born.process.id);
    const { fsBase } = born;
    this.served.finishCall(call, {
      kind: 'return',
      result: 0n,
      sources: kernel.sourcesOf(call.number),
      written: kernel.user.takeWritten(),
      ...(fsBase !== undefined && { fsBase }),
    });
    if (born.stackPointer !== undefined) machine.writeI64(x86.RSP, born.stackPointer);
    this.next = BigInt(call.next);
  }

  /** The guest has become another program. */
  private become(loaded: LoadedProgram): void {
    const { space, origin } = this.options;
    space.forks?.restart();
    this.before = this.executed();
    this.memory.bytes.fill(0, VALUES, CONTROL);
    this.ledger.start();
    // Where nothing is called by name, names do not matter.
    if (origin === undefined) space.dropCode();
    this.begin(loaded);
  }

  /** Of the program that the guest is, or was in the end. */
  private counts(): Omit<PassCounts, 'cycles'> {
    const modules = [...this.kernel.modules];
    const program = modules[0]?.path ?? '';
    return { program, instructions: this.executed() - this.before, modules };
  }

  /** All calls of the program are over. Throws Outgrown. */
  private finishContexts(): void {
    this.contexts.finish();
    this.lanes?.checkExact();
  }

  /** The run is over while the guest waits. */
  stop(): PassCounts {
    this.finishContexts();
    return this.finalCounts();
  }

  /** Once it is over. */
  finalCounts(): PassCounts {
    return { ...this.counts(), cycles: this.contexts.runCycles };
  }

  /** Instructions the guest has retired. */
  executed(): number {
    return this.clock.executed;
  }

  private mainOf(base: number, image: Image): number | undefined {
    const main = image.functions.find((symbol) => symbol.name === 'main');
    return main && main.address + base;
  }

  private initialise(stackPointer: number): void {
    const { machine } = this;
    machine.writeI64(x86.RSP, BigInt(stackPointer));
    machine.writeI64(x86.ZR, 1n);
    machine.writeI64(x86.SR, 1n);
    machine.writeI32(x86.FPU_CONTROL, FPU_CONTROL_DEFAULT);
    machine.writeI32(x86.MXCSR, MXCSR_DEFAULT);
  }

  /** What a linkage stub jumps to is a function, even one without a symbol: its context must see it (rule 9). */
  entersFunction(from: number, target: number): boolean {
    return this.modules.entersFunction(from, target) || this.modules.isStub(from);
  }

  isRoot(address: number): boolean {
    return address === this.root;
  }

  isNamed(address: number, name: string): boolean {
    return this.modules.isNamed(address, name);
  }

  private contextPlan(): ContextPlan {
    const { options } = this;
    const { depth, listsCalls = true, window, named } = options;
    return {
      entry: this.entry,
      programEntry: this.programEntry,
      root: this.root,
      depth,
      listsCalls,
      firstDepthOf: (index) => firstDepthOf(options, index),
      lanes: this.lanes?.shape.lanes ?? 1,
      hasNamed: named.length > 0,
      laneOfFunction: (entry, index) => laneOfFunction(options, this.modules, entry, index),
      isStub: (address) => this.modules.isStub(address),
      entersFunction: (from, target) => this.modules.entersFunction(from, target),
      window,
      windowOpened: () => this.openWindow(),
      windowClosed: () => window?.closed(this.tags!),
    };
  }

  private openWindow(): void {
    this.tags?.openWindow(this.clock.left);
    this.followed = this.threads.running.index;
    this.countForThread();
  }

  /** Runs until the guest ends or waits, or others have waited long enough. Throws Failure when it cannot go on, PassOver when it has seen enough, Outgrown. */
  turn(): Turn {
    const { space } = this.options;
    this.isTurnOver = false;
    this.isTurnNew = true;
    this.deadlines.startTurn();
    try {
      this.lanes?.rebase();
      this.look();
      this.threads.wake();
      for (;;) {
        const exit = space.tracer === undefined ? this.slice() : this.tracedSlice(space.tracer);
        if (exit !== undefined) return { kind: 'ended', exit };
        if (space.forks !== undefined) this.divide(space.forks);
        space.renewCode();
        if (this.isTurnOver || this.kernel.isStopped) return { kind: 'yields' };
      }
    } catch (problem) {
      if (!(problem instanceof AllWait)) throw problem;
      this.pauseIfAsked();
      return { kind: 'waits', wait: problem.wait };
    }
  }

  /** The pass is over. */
  finish(): void {
    this.options.space.finishPass(describePart(this.options, this.lanes), this.executed());
  }

  /** Runs one slice, of usual length unless it is said. Gives the guest's exit if it has ended; throws as `run`. */
  slice(instructions?: number, tier: 'usual' | 'logging' = 'usual'): GuestExit | undefined {
    try {
      this.switchThread();
      const { search } = this.threads.running;
      if (search !== undefined) this.searchRoot(search);
      else this.runSlice(instructions, tier);
      return undefined;
    } catch (problem) {
      if (problem === SWITCH) return this.finishSlice();
      // A call that was made again between two slices.
      if (problem instanceof GuestMoved) this.next = problem.address;
      if (problem instanceof GuestMoved) return this.finishSlice();
      const exit = this.exitOf(problem);
      if (exit === undefined) throw problem;
      this.finishContexts();
      return exit;
    }
  }

  private runSlice(instructions: number | undefined, tier: Tier): void {
    const { space } = this.options;
    this.startSlice(instructions, tier);
    this.memory.view.setInt32(HOST_STACK, space.limits.hostStack, true);
    this.next = this.orMoved(() => space.dispatch(this.next, this.tier));
    this.finishSlice();
  }

  /** Signals of timers that have expired by now go to their handlers. */
  private seeTimers(): void {
    this.kernel.expireTimers();
    this.next = this.place(this.signals.deliver(this.kernel.nextDelivery(), this.next));
  }

  /** Runs until the slice is over, or a signal's handler is entered or left. */
  private orMoved(run: () => bigint): bigint {
    try {
      return run();
    } catch (problem) {
      if (problem instanceof GuestMoved) return problem.address;
      if (problem instanceof X87Unmasked) throw new Outgrown('x87 exceptions');
      const fault = faultOf(problem);
      if (fault === undefined || !this.faults.catches(fault)) throw problem;
      const next = this.faults.take(fault, this.tier);
      return this.place(this.signals.deliver(this.kernel.nextDelivery(), next));
    }
  }

  private tracedSlice(tracer: Tracer): GuestExit | undefined {
    if (!tracer.begin()) return this.slice();
    try {
      return this.slice(LOGGED_SLICE, 'logging');
    } finally {
      tracer.drain();
    }
  }

  /** Between two slices while generated code goes on: the stack of the host stays as it is, and so do all steps. */
  endSlice(): boolean {
    if (this.tier !== 'usual') return true;
    const { space } = this.options;
    if (!this.staysInPlace || this.lanes?.wantsRebase() === true || space.wantsNewCode()) return true;
    if (space.forks?.hasStopped === true) return true;
    this.look();
    if (!this.lengths.canGoOn(this.deadlines.bounds)) return true;
    this.startSlice(undefined, 'usual');
    return false;
  }

  /** Between two slices. */
  private finishSlice(): undefined {
    this.lanes?.rebase();
    this.look();
    this.options.space.translatePostponed();
    const executed = this.executed();
    const { deadlines } = this;
    if (executed >= deadlines.timer) this.seeTimers();
    const { until } = deadlines;
    if (executed > until) throw new Error(`a slice ended ${executed - until} instructions late`);
    if (deadlines.isTurnSpent) this.endTurn();
    if (executed === this.threads.scheduler.until) this.threads.reached();
    this.pauseIfAsked();
  }

  private pauseIfAsked(): void {
    const { halt } = this.options;
    if (this.deadlines.isHalt) halt!.reached({ executed: this.executed(), tags: this.tags! });
  }

  /** Other processes that can run do so now. */
  private endTurn(): void {
    this.isTurnOver = this.options.family!.areOthersReady(this);
    this.deadlines.startTurn();
  }

  private look(): void {
    const executed = this.executed();
    this.options.guest.progress?.(executed + this.deadlines.elsewhere);
    this.options.space.sweep(executed);
    this.options.space.hasten(executed);
    this.deadlines.check();
  }

  private startSlice(instructions: number | undefined, tier: Tier): void {
    const { bounds } = this.deadlines;
    const slice = this.lengths.next(instructions, tier, bounds);
    this.tier = slice.tier;
    this.clock.start(slice.length);
    this.lanes?.startSlice(bounds.executed);
    this.tags?.startSlice(slice.length);
  }

  // --- threads

  /** Goes one instruction on the way to the function that the running thread was started for. */
  private searchRoot(search: RootSearch): void {
    const isCall = this.options.space.isIndirectCall(Number(this.next));
    this.runSlice(0, 'stepping');
    search.note(isCall, Number(this.next));
    if (search.isFound) this.contexts.enterRoot(Number(this.next));
    if (!search.isOver) return;
    this.contexts.nameRoot(search.root);
    this.threads.running.search = undefined;
  }

  /** Between slices: the running thread may have come into another region, by a probe or by starting another thread. */
  private divide(forks: Forks): void {
    if (forks.hasStopped) this.fork(forks);
    this.options.space.divideCounts();
  }

  private fork(forks: Forks): void {
    const { machine, memory } = this;
    const stackPointer = Number(machine.readI64(x86.RSP));
    forks.stopped({
      address: Number(this.next),
      stackPointer,
      argument: (index) => Number(BigInt.asUintN(64, machine.readI64(SYSCALL_ARGUMENTS[index]))),
      returnAddress: () => Number(memory.view.getBigUint64(memory.offsetOf(stackPointer, 8), true)),
    });
  }

  isToStop(): boolean {
    return this.deadlines.until < Infinity;
  }

  overshootGrew(): void {
    if (this.tier === 'usual' && this.isToStop()) this.clock.spend(this.clock.left + 1);
  }

  /** The slice is to end in time for what has changed since it began. */
  private shorten(): void {
    const most = this.lengths.left(this.tier, this.deadlines.bounds);
    if (most < 0) throw SWITCH;
    if (most < this.clock.left) this.clock.spend(this.clock.left - most);
  }

  /** Between slices: the thread runs whose turn it is, and what it waited for is there. */
  private switchThread(): void {
    const { threads, isTurnNew } = this;
    this.isTurnNew = false;
    const before = threads.running;
    before.next = this.next;
    threads.switch();
    const { running } = threads;
    this.next = running.next;
    if (running.call === undefined) {
      if (running === before && !isTurnNew) return;
      this.next = this.place(this.signals.restart(this.next));
      // Signals that came while others ran.
      if (this.kernel.interrupts())
        this.next = this.place(this.signals.deliver(this.kernel.nextDelivery(), this.next));
      return;
    }
    const { call, wait, retire } = running.call;
    running.call = undefined;
    // It retires now.
    this.clock.count(1);
    retire();
    this.next = BigInt(call.next);
    this.make(call, wait);
    // It was an instruction, too: the slice that was to begin may be over.
    if (this.executed() >= this.deadlines.until) throw SWITCH;
  }

  // --- events of generated code

  probed(): void {
    this.clock.end();
    this.options.space.tracer?.stop();
    const { forks } = this.options.space;
    if (forks !== undefined) forks.hasStopped = true;
  }

  raise(fault: Fault, address: number): void {
    throw new GuestFault(fault, BigInt(address));
  }

  unsupported(instruction: string): void {
    const message = `the program uses an instruction that is not supported: ${instruction}`;
    throw new Failure('guest', 'unsupported-instruction', message, { instruction });
  }

  service(site: ServiceSite): void {
    if (site.service === 'syscall') this.syscall(site.address, site.next);
    else this.served.run(site);
  }

  private syscall(address: number, next: number): void {
    const call = this.served.callAt(address, next);
    if (call.number === RT_SIGRETURN) return this.leaveHandler(address);
    this.make(call, undefined);
  }

  /**
   * Makes a system call, again if it has waited. Throws SWITCH when another thread is to run before this one goes on, or the
   * turn is over, or the guest is another program.
   */
  private make(call: PendingCall, waited: Wait | undefined): void {
    const { kernel, threads } = this;
    const { family } = this.options;
    const modules = kernel.modules.length;
    // Before another program's names are there.
    const counts = EXECUTE_CALLS.includes(call.number) ? this.counts() : undefined;
    const outcome = this.ask(call, waited);
    if (kernel.born !== undefined) this.start(kernel.born, call);
    switch (outcome.kind) {
      case 'wait':
        // It retires when it is answered.
        this.clock.count(-1);
        threads.wait(call, outcome, this.options.space.postpone(call.address));
        throw SWITCH;
      case 'replaced':
        this.finishContexts();
        family?.replaced(this, { ...counts!, cycles: this.contexts.runCycles });
        this.become(outcome.loaded);
        throw SWITCH;
    }
    if (kernel.modules.length > modules) this.contexts.forgetTargets();
    this.served.finishCall(call, outcome);
    if (outcome.kind === 'thread-exit') {
      this.options.space.forks?.ended();
      threads.exit();
      throw SWITCH;
    }
    if (outcome.kind !== 'return') throw new GuestEnd(outcome);
    if (outcome.started !== undefined) {
      if (!this.options.space.knowsThreads) throw new Outgrown('threads');
      threads.start(outcome.started, call.next);
      this.options.space.forks?.started();
    }
    const { delivery, restarts = false, yields = false } = outcome;
    this.next = BigInt(restarts ? call.address : call.next);
    if (delivery !== undefined) this.next = this.place(this.signals.deliver(delivery, this.next));
    this.isTurnOver ||= kernel.isStopped || (yields && family?.areOthersReady(this) === true);
    // Counts go elsewhere from here on.
    const divides = outcome.started !== undefined && this.options.space.forks !== undefined;
    if (threads.called(yields) || this.isTurnOver || delivery !== undefined || divides) throw SWITCH;
    this.shorten();
  }

  /** While there is nobody else to run, what a call waits for is time. */
  private ask({ number, args }: PendingCall, waited: Wait | undefined): SyscallOutcome {
    const outcome = this.kernel.syscall(number, args, waited);
    if (outcome.kind !== 'wait' || this.options.family !== undefined || this.threads.scheduler.isShared)
      return outcome;
    return this.kernel.answer(number, args, outcome);
  }

  private start(born: BornProcess, call: PendingCall): void {
    const { family } = this.options;
    if (family === undefined)
      throw new Failure('guest', 'no-processes', 'child processes cannot be started here');
    family.born(this, born, call);
    this.deadlines.startTurn();
  }

  private leaveHandler(address: number): never {
    this.served.retire(
      { sources: [x86.locationOf(x86.RAX)], destinations: [], loads: [], stores: [] },
      address,
    );
    throw new GuestMoved(this.place(this.signals.leave(() => this.options.space.opener.close())));
  }

  /** Where the guest goes on, unless that is its end. */
  private place(after: After): bigint {
    if (after.kind === 'go') return after.address;
    throw new GuestEnd(after);
  }

  private exitOf(problem: unknown): GuestExit | undefined {
    if (problem instanceof GuestEnd) return problem.outcome;
    const fault = faultOf(problem);
    return fault && { kind: 'signal', signal: this.faults.signalOf(fault), address: Number(fault.address) };
  }
}
