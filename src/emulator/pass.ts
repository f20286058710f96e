import { Failure } from '../base/failure.ts';
import type { Image } from '../elf/image.ts';
import type { Demangle } from '../elf/ports.ts';
import { FAR_END } from '../guest/far-memory.ts';
import { CLOCK, CONTROL, FUEL, GUEST_END, HOST_STACK, STEPS, VALUES, valueOffset } from '../guest/layout.ts';
import { EXECUTE, type GuestMemory, READ, WRITE } from '../guest/memory.ts';
import type { Fault } from '../ir/node.ts';
import { Kernel, type KernelOptions, type SyscallOutcome } from '../linux/kernel.ts';
import { type Command, loadProgram } from '../linux/loader.ts';
import type { Wait } from '../linux/not-yet.ts';
import type { Disk, Input, Output } from '../linux/ports.ts';
import { randomBytes } from '../linux/random.ts';
import type { BornProcess, LoadedProgram } from '../linux/system.ts';
import type { GuestExit } from '../observation/observation.ts';
import { does } from '../translate/limits.ts';
import type { ServiceSite } from '../translate/region-interface.ts';
import { X87Unmasked } from '../x86/float/helpers.ts';
import { readRflags } from '../x86/rflags.ts';
import { type ServiceEffects, ServiceFault } from '../x86/service.ts';
import { SERVICES } from '../x86/services/index.ts';
import * as x86 from '../x86/state.ts';
import { type CodeSpace, farCode, type Occupant } from './code-space.ts';
import { type ContextPlan, Contexts } from './contexts.ts';
import { GuestEnd, GuestFault, GuestMoved, SIGNALS } from './fault.ts';
import type { LanesLedger } from './lanes-ledger.ts';
import type { Ledger } from './ledger.ts';
import { Outgrown } from './measure-plan.ts';
import { ModuleMap } from './modules.ts';
import { type After, RT_SIGRETURN, Signals } from './signals.ts';
import { StateMachine } from './state.ts';
import type { TagsLedger } from './tags-ledger.ts';
import type { Tracer } from './tracer.ts';

/** The program of a run and everything around it that it can see. */
export interface Guest {
  readonly command: Command;
  readonly directory: string;
  readonly disk: Disk;
  readonly input: Input;
  readonly output: Output;
  readonly parseImage: (path: string, bytes: Uint8Array) => Image;
  /** Absent: functions have the names of their symbols. */
  readonly demangle?: Demangle;
  /** Most instructions, if there is a limit. */
  readonly fuel?: number;
  readonly progress?: (instructions: number) => void;
}

export interface PassOptions {
  readonly guest: Guest;
  /** Where it runs, which decides what it measures: lanes or tags. */
  readonly space: CodeSpace;
  /** The functions measured by name, by lane. */
  readonly named: readonly string[];
  /** Deepest context, and the depth that lane 0 measures; lane k measures k more. */
  readonly depth: number;
  readonly firstDepth: number | undefined;
  /** Tags only: the call that is followed, by the instructions executed when it begins and ends. `closed` may throw PassOver. */
  readonly window?: { readonly start: number; readonly end: number; closed(pass: Pass): void };
  /** Ends the pass at the first chance after this many instructions. */
  readonly stopAt?: number;
  /** Who runs the processes that the guest starts; without it there can be none. */
  readonly family?: Family;
  /** The process goes on from where another one started it; else it begins with the command. */
  readonly origin?: Origin;
}

/** Who runs several processes. */
export interface Family {
  /** A process has started another. */
  born(parent: Pass, born: BornProcess, site: CallSite): void;
  /** A process has become another program; what it was before executed so many instructions and took so many cycles. */
  replaced(
    pass: Pass,
    program: string,
    counts: { readonly instructions: number; readonly cycles: number },
  ): void;
  /** Instructions of all processes but this one. */
  elsewhere(): number;
}

/** A system call: its instruction's address, where the guest goes on, and its number. */
export interface CallSite {
  readonly address: number;
  readonly next: number;
  readonly number: number;
}

export interface Origin {
  readonly parent: Pass;
  readonly born: BornProcess;
  readonly site: CallSite;
  /** Whether steps are copied, too; the spaces' plans are the same then. */
  readonly isMeasured: boolean;
}

/** How a process's turn ended. */
export type Turn =
  | { readonly kind: 'ended'; readonly exit: GuestExit }
  | { readonly kind: 'waits'; readonly wait: Wait };

/** The guest is in a system call that cannot be answered yet. */
class Waiting extends Error {}

/** The guest is another program now. */
class OtherProgram extends Error {}

/** A pass that has seen all it needs ends so. */
export class PassOver extends Error {}

const SYSCALL_ARGUMENTS = [x86.GPR[7], x86.GPR[6], x86.GPR[2], x86.GPR[10], x86.GPR[8], x86.GPR[9]];
/** Instructions between two looks at the log, which holds some thousand of them. */
const LOGGED_SLICE = 1000;
const FPU_CONTROL_DEFAULT = 0x37f;
const MXCSR_DEFAULT = 0x1f80;
/** No instruction is there. */
const NOWHERE = -1;

const locationOf = (variable: number): number => x86.VARIABLES[variable].location!;

/** One execution of the guest from its first instruction, measured in one way. The one place where the parts of a run meet. */
export class Pass implements Occupant {
  contexts!: Contexts;
  modules!: ModuleMap;
  readonly kernel: Kernel;
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  private readonly options: PassOptions;
  private readonly memory: GuestMemory;
  private readonly machine: StateMachine;
  private readonly ledger: Ledger;
  private readonly signals: Signals;
  private entry = 0;
  /** The ELF entry: nobody called it, so it has no return address. */
  private programEntry = 0;
  /** Where the call tree begins: main, or the ELF entry of a program without that name. */
  private root = 0;
  /** Instructions that were executed before the present program. */
  private before = 0;
  /** The system call that the guest is in while it waits. */
  private pending: { readonly site: CallSite; readonly wait: Wait } | undefined;
  private readonly staysInPlace: boolean;
  /** Where the next slice begins. */
  next = 0n;
  /** How long slices are by now. */
  private wanted = 0;
  /** Whether what the present slice does is logged. */
  private logs = false;

  constructor(options: PassOptions) {
    this.options = options;
    const { guest } = options;
    const { space } = options;
    space.enter(this);
    this.memory = space.guest;
    this.lanes = space.lanes;
    this.tags = space.tags;
    this.ledger = space.ledger;
    this.staysInPlace = does(space.limits, 'slices in place');
    const { program, args, env } = guest.command;
    const { origin } = options;
    const kernelOptions: KernelOptions = {
      memory: this.memory,
      disk: guest.disk,
      input: guest.input,
      output: guest.output,
      instructions: () => BigInt(this.executed()),
      stackPointer: () => this.memory.view.getBigInt64(valueOffset(x86.RSP), true),
      parseImage: guest.parseImage,
      directory: guest.directory,
      mentions: [program, ...args, ...Object.values(env)],
      farFrom: space.limits.farFrom,
    };
    this.kernel = new Kernel(kernelOptions, origin?.born.process.state);
    this.machine = new StateMachine(this.memory, {
      clock: () => BigInt(this.executed()) + this.kernel.state.shared.elsewhere,
      random: (length) => randomBytes(this.kernel, length),
      prepareStore: (page) => this.prepareStore(page),
      signalsX87: space.signalsX87,
    });
    this.signals = new Signals({
      memory: this.memory,
      machine: this.machine,
      kernel: this.kernel,
      ledger: this.ledger,
      forgetCode: (start, end) => this.forgetCode(start, end),
    });
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
    const isCopy = this.options.origin !== undefined;
    this.root = isCopy ? NOWHERE : (this.mainOf(program.base, program.image) ?? this.programEntry);
    this.initialise(loaded.stackPointer);
    this.follow();
  }

  private follow(): void {
    const { space, window } = this.options;
    this.modules = new ModuleMap(this.kernel.modules, this.options.guest.demangle);
    this.contexts = new Contexts(this.memory.buffer, space.opener, this.contextPlan());
    if (window !== undefined) this.tags?.awaitWindow();
    this.contexts.start();
  }

  /** As a copy of another process, behind the call that made it. */
  private copy({ parent, born, site, isMeasured }: Origin): void {
    const { machine, memory, kernel } = this;
    memory.copyFrom(parent.memory);
    memory.bytes.set(parent.memory.bytes.subarray(VALUES, STEPS), VALUES);
    kernel.modules.push(...parent.kernel.modules);
    if (born.borrows) kernel.lender = parent.kernel;
    this.entry = site.next;
    this.programEntry = parent.programEntry;
    this.root = NOWHERE;
    this.follow();
    if (isMeasured) this.lanes!.inherit(parent.lanes!);
    if (born.word !== undefined && memory.allows(born.word, 4, WRITE))
      kernel.user.putI32(born.word, born.process.id);
    const { fsBase } = born;
    this.answer(site, {
      kind: 'return',
      result: 0n,
      sources: kernel.sourcesOf(site.number),
      written: kernel.user.takeWritten(),
      ...(fsBase !== undefined && { fsBase }),
    });
    if (born.stackPointer !== undefined) machine.writeI64(x86.RSP, born.stackPointer);
    this.next = BigInt(site.next);
  }

  /** The guest has become another program. */
  private become(loaded: LoadedProgram): void {
    const { space, family } = this.options;
    const program = this.modules.at(this.programEntry)?.path ?? '';
    this.contexts.finish();
    const executed = this.executed();
    family?.replaced(this, program, {
      instructions: executed - this.before,
      cycles: this.contexts.runCycles,
    });
    this.before = executed;
    this.memory.bytes.fill(0, VALUES, CONTROL);
    this.ledger.start();
    // Where nothing is called by name, names do not matter.
    if (this.options.origin === undefined) space.dropCode();
    this.begin(loaded);
  }

  /** Instructions and cycles of the program that the guest is now, or was in the end. */
  counts(): { readonly program: string; readonly instructions: number; readonly cycles: number } {
    return {
      program: this.kernel.modules[0]?.path ?? '',
      instructions: this.executed() - this.before,
      cycles: this.contexts.runCycles,
    };
  }

  /** Instructions the guest has retired. */
  executed(): number {
    const { view } = this.memory;
    return Number(view.getBigInt64(CLOCK, true) - view.getBigInt64(FUEL, true));
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
    const { firstDepth, depth, window } = this.options;
    return {
      entry: this.entry,
      programEntry: this.programEntry,
      root: this.root,
      depth,
      firstDepth,
      lanes: this.lanes?.shape.lanes ?? 1,
      laneOfFunction: (entry) => this.laneOfFunction(entry),
      isStub: (address) => this.modules.isStub(address),
      entersFunction: (from, target) => this.modules.entersFunction(from, target),
      window,
      windowOpened: () => this.tags?.openWindow(this.fuelLeft),
      windowClosed: () => window?.closed(this),
    };
  }

  private laneOfFunction(entry: number): number | undefined {
    const lane = this.options.named.findIndex((name) => this.modules.isNamed(entry, name));
    return lane < 0 ? undefined : lane;
  }

  /** Runs until the guest ends or waits. Throws Failure when it cannot go on, PassOver when the window is over, Outgrown. */
  turn(): Turn {
    const { space } = this.options;
    for (;;) {
      try {
        const exit =
          this.retry() ?? (space.tracer === undefined ? this.slice() : this.tracedSlice(space.tracer));
        if (exit !== undefined) return { kind: 'ended', exit };
        space.renewCode();
      } catch (problem) {
        if (problem instanceof Waiting) return { kind: 'waits', wait: this.pending!.wait };
        if (!(problem instanceof OtherProgram)) throw problem;
      }
    }
  }

  /** Makes the system call again that the guest waits in. Gives the guest's exit if it has ended. */
  private retry(): GuestExit | undefined {
    const { pending } = this;
    if (pending === undefined) return undefined;
    this.pending = undefined;
    return this.orExit(() => {
      this.lanes?.rebase();
      this.finishSlice();
      this.next = this.orMoved(() => {
        this.syscall(pending.site, pending.wait);
        return BigInt(pending.site.next);
      });
    });
  }

  /** The pass is over. */
  finish(): void {
    this.options.space.finishPass(this.describe(), this.executed());
  }

  /** Runs one slice, of usual length unless it is said. Gives the guest's exit if it has ended; throws as `run`. */
  slice(instructions?: number): GuestExit | undefined {
    return this.orExit(() => {
      this.startSlice(instructions);
      this.memory.view.setInt32(HOST_STACK, this.options.space.limits.hostStack, true);
      this.next = this.dispatch();
      this.lanes?.rebase();
      this.finishSlice();
    });
  }

  private orExit(run: () => void): GuestExit | undefined {
    try {
      run();
      return undefined;
    } catch (problem) {
      const exit = exitOf(problem);
      if (exit === undefined) throw problem;
      this.contexts.finish();
      return exit;
    }
  }

  /** Runs until the slice is over, or a signal's handler is entered or left. */
  private dispatch(): bigint {
    return this.orMoved(() => this.options.space.dispatch(this.next, this.logs));
  }

  private orMoved(run: () => bigint): bigint {
    try {
      return run();
    } catch (problem) {
      if (problem instanceof GuestMoved) return problem.address;
      if (problem instanceof X87Unmasked) throw new Outgrown('x87 exceptions');
      throw problem;
    }
  }

  private tracedSlice(tracer: Tracer): GuestExit | undefined {
    this.logs = tracer.begin();
    try {
      return this.slice(this.logs ? LOGGED_SLICE : undefined);
    } finally {
      if (this.logs) tracer.drain();
      this.logs = false;
    }
  }

  /** What the pass measures. */
  private describe(): string {
    const { named, firstDepth, window, stopAt } = this.options;
    if (this.tags !== undefined) {
      const whole = window === undefined ? 'the chain of the run' : `the chain of a call of ${named.join()}`;
      return stopAt === undefined ? whole : `${whole}, up to instruction ${stopAt}`;
    }
    const lanes = this.lanes!.shape.lanes;
    if (firstDepth === undefined) return `calls of ${named.join(', ')}`;
    return `calls of depth ${firstDepth} to ${firstDepth + lanes - 1}, ${128 / lanes} bits a step`;
  }

  /** Between two slices while generated code goes on: the stack of the host stays as it is, and so do all steps. */
  endSlice(): boolean {
    if (this.logs) return true;
    if (!this.staysInPlace || this.lanes?.wantsRebase() === true || this.options.space.wantsNewCode())
      return true;
    this.finishSlice();
    this.startSlice();
    return false;
  }

  private finishSlice(): void {
    const executed = this.executed();
    const total = executed + this.elsewhere;
    this.options.guest.progress?.(total);
    this.options.space.sweep(executed);
    const { fuel } = this.options.guest;
    if (fuel !== undefined && total >= fuel)
      throw new Failure(
        'guest',
        'fuel-spent',
        `the program executed ${total} instructions without ending; the limit is ${fuel}`,
        { fuel },
      );
    if (this.options.stopAt !== undefined && executed >= this.options.stopAt) throw new PassOver();
  }

  private startSlice(instructions?: number): void {
    const executed = this.executed();
    const { firstSlice, longestSlice } = this.options.space.limits;
    this.wanted = this.wanted === 0 ? firstSlice : Math.min(2 * this.wanted, longestSlice);
    const limits = [instructions ?? this.wanted];
    if (this.options.guest.fuel !== undefined)
      limits.push(this.options.guest.fuel - executed - this.elsewhere);
    if (this.options.stopAt !== undefined) limits.push(this.options.stopAt - executed);
    const slice = Math.max(0, Math.min(...limits));
    this.memory.view.setBigInt64(CLOCK, BigInt(executed + slice), true);
    this.memory.view.setBigInt64(FUEL, BigInt(slice), true);
    this.lanes?.startSlice(executed);
    this.tags?.startSlice(slice);
  }

  /** Instructions of other processes. */
  private get elsewhere(): number {
    return this.options.family?.elsewhere() ?? 0;
  }

  /** Instructions left in the slice. */
  private get fuelLeft(): number {
    return Number(this.memory.view.getBigInt64(FUEL, true));
  }

  // --- events of generated code

  probed(): void {
    const executed = this.executed();
    const { view } = this.memory;
    view.setBigInt64(CLOCK, BigInt(executed - 1), true);
    view.setBigInt64(FUEL, -1n, true);
    this.options.space.tracer?.stop();
  }

  raise(fault: Fault, address: number): void {
    throw new GuestFault(fault, BigInt(address));
  }

  unsupported(instruction: string): void {
    const message = `the program uses an instruction that is not supported: ${instruction}`;
    throw new Failure('guest', 'unsupported-instruction', message, { instruction });
  }

  pageFault(address: bigint, isWrite: number): void {
    const at = this.memory.addressOf(Number(BigInt.asUintN(64, address)));
    if (at >= GUEST_END && isWrite === 0 && (this.memory.permission(at) & EXECUTE) !== 0) throw farCode(at);
    const isNear = at < GUEST_END || at < FAR_END;
    throw new GuestFault('page-fault', isNear ? BigInt(at) : BigInt.asUintN(64, address), isWrite !== 0);
  }

  beyond(address: bigint, size: number, isWrite: number): number {
    const { memory } = this;
    const start = Number(BigInt.asUintN(64, address));
    if (!memory.allows(start, size, isWrite !== 0 ? WRITE : READ)) this.pageFault(address, isWrite);
    const offset = memory.offsetOf(start, size);
    const { space } = this.options;
    if (!space.holds(offset + size)) throw new Outgrown('addresses');
    if (offset !== start && !space.followsFar) throw new Outgrown('far memory');
    memory.far.noteOffset(start);
    return offset;
  }

  prepareStore(page: number): void {
    const offset = page * 4096;
    if ((this.memory.permissionOfPage(page) & WRITE) === 0)
      throw new GuestFault('page-fault', BigInt(this.memory.addressOf(offset)), true);
    this.options.space.forgetCode(offset, offset + 4096);
    this.memory.touch(offset);
    this.ledger.preparePage(page);
    this.memory.allowFastStores(offset);
  }

  addBytePage(page: number): void {
    this.ledger.addBytePage(page);
  }

  service({ service, argument, address, next }: ServiceSite): void {
    if (service === 'syscall')
      return this.syscall({
        address,
        next,
        number: Number(BigInt.asIntN(32, this.machine.readI64(x86.RAX))),
      });
    if (service === 'status-observed') throw new Outgrown('status');
    const run = SERVICES.get(service);
    if (run === undefined) throw new Error(`no service ${service}`);
    let effects: ServiceEffects;
    try {
      effects = run(this.machine, argument);
    } catch (problem) {
      throw problem instanceof ServiceFault ? new GuestFault(problem.fault, BigInt(address)) : problem;
    }
    this.apply(effects, address);
  }

  private apply(effects: ServiceEffects, address: number): void {
    this.ledger.apply(effects, address);
    const { tracer } = this.options.space;
    if (tracer === undefined || !this.logs) return;
    for (const { address: at, length } of effects.loads) tracer.noteAccess('load', length, address, at);
    for (const { address: at, length } of effects.stores) tracer.noteAccess('store', length, address, at);
  }

  private syscall(site: CallSite, waited?: Wait): void {
    const { machine, kernel } = this;
    const { family } = this.options;
    const { number } = site;
    const args = SYSCALL_ARGUMENTS.map((variable) => machine.readI64(variable));
    const modules = kernel.modules.length;
    if (number === RT_SIGRETURN) return this.leaveHandler(site.address);
    const outcome = family === undefined ? kernel.answer(number, args) : kernel.syscall(number, args, waited);
    if (kernel.modules.length > modules) this.contexts.forgetTargets();
    if (kernel.born !== undefined) this.start(kernel.born, site);
    switch (outcome.kind) {
      case 'return':
        return this.answer(site, outcome);
      case 'wait':
        this.pending = { site, wait: outcome };
        throw new Waiting();
      case 'replaced':
        this.become(outcome.loaded);
        throw new OtherProgram();
      case 'exit':
      case 'signal': {
        this.ledger.apply({ ...effectsOf(outcome.sources), loads: [], stores: [] }, site.address);
        throw new GuestEnd(outcome);
      }
    }
  }

  private start(born: BornProcess, site: CallSite): void {
    const { family } = this.options;
    if (family === undefined)
      throw new Failure('guest', 'no-processes', 'child processes cannot be started here');
    family.born(this, born, site);
  }

  /** The guest goes on behind a system call. */
  private answer(
    { address, next, number }: CallSite,
    outcome: Extract<SyscallOutcome, { kind: 'return' }>,
  ): void {
    const { machine } = this;
    const flags = readRflags(machine);
    for (const { address: at, length } of outcome.written) this.forgetCode(at, at + length);
    const { sources, destinations } = effectsOf(outcome.sources);
    machine.writeI64(x86.RAX, outcome.restarts === true ? BigInt(number) : outcome.result);
    machine.writeI64(x86.RCX, BigInt(next));
    machine.writeI64(x86.R11, flags);
    if (outcome.fsBase !== undefined) {
      machine.writeI64(x86.FS_BASE, outcome.fsBase);
      machine.writeI32(x86.FS, 0);
      destinations.push(locationOf(x86.FS_BASE));
    }
    if (outcome.gsBase !== undefined) {
      machine.writeI64(x86.GS_BASE, outcome.gsBase);
      machine.writeI32(x86.GS, 0);
      destinations.push(locationOf(x86.GS_BASE));
    }
    this.apply({ sources, destinations, loads: [], stores: outcome.written }, address);
    if (outcome.delivery === undefined) return;
    this.goOn(this.signals.deliver(outcome.delivery, BigInt(outcome.restarts === true ? address : next)));
  }

  private leaveHandler(address: number): never {
    this.apply({ sources: [locationOf(x86.RAX)], destinations: [], loads: [], stores: [] }, address);
    return this.goOn(this.signals.leave(() => this.options.space.opener.close()));
  }

  private goOn(after: After): never {
    if (after.kind === 'go') throw new GuestMoved(after.address);
    throw new GuestEnd(after);
  }

  private forgetCode(start: number, end: number): void {
    if (start < GUEST_END) this.options.space.forgetCode(start, end);
  }
}

/** What rule 8 says of every call. */
function effectsOf(count: number): { readonly sources: number[]; readonly destinations: number[] } {
  return {
    sources: [x86.RAX, ...SYSCALL_ARGUMENTS.slice(0, count)].map(locationOf),
    destinations: [x86.RAX, x86.RCX, x86.R11].map(locationOf),
  };
}

function exitOf(problem: unknown): GuestExit | undefined {
  if (problem instanceof GuestEnd) return problem.outcome;
  if (problem instanceof GuestFault)
    return { kind: 'signal', signal: SIGNALS[problem.fault], address: Number(problem.address) };
  // Generated code only leaves its memory where the guest's address was wild.
  if (problem instanceof WebAssembly.RuntimeError && /out of bounds/.test(problem.message))
    return { kind: 'signal', signal: 11 };
  return undefined;
}
