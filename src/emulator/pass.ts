import { Failure } from '../base/failure.ts';
import type { Image } from '../elf/image.ts';
import { FAR_END } from '../guest/far-memory.ts';
import { CLOCK, FUEL, GUEST_END, HOST_STACK } from '../guest/layout.ts';
import { EXECUTE, type GuestMemory, READ, WRITE } from '../guest/memory.ts';
import type { Fault } from '../ir/node.ts';
import { Kernel } from '../linux/kernel.ts';
import { type Command, loadProgram } from '../linux/loader.ts';
import type { Disk, Input, Output } from '../linux/ports.ts';
import type { GuestExit } from '../observation/observation.ts';
import { does } from '../translate/limits.ts';
import type { ServiceSite } from '../translate/region-interface.ts';
import { readRflags } from '../x86/rflags.ts';
import { type ServiceEffects, ServiceFault } from '../x86/service.ts';
import { SERVICES } from '../x86/services/index.ts';
import * as x86 from '../x86/state.ts';
import { type CodeSpace, farCode, type Occupant } from './code-space.ts';
import { type ContextPlan, Contexts } from './contexts.ts';
import { GuestEnd, GuestFault, SIGNALS } from './fault.ts';
import type { LanesLedger } from './lanes-ledger.ts';
import type { Ledger } from './ledger.ts';
import { Outgrown } from './measure-plan.ts';
import { ModuleMap } from './modules.ts';
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
}

/** A pass that has seen all it needs ends so. */
export class PassOver extends Error {}

const SYSCALL_ARGUMENTS = [x86.GPR[7], x86.GPR[6], x86.GPR[2], x86.GPR[10], x86.GPR[8], x86.GPR[9]];
/** Instructions between two looks at the log, which holds some thousand of them. */
const LOGGED_SLICE = 1000;
const FPU_CONTROL_DEFAULT = 0x37f;
const MXCSR_DEFAULT = 0x1f80;

const locationOf = (variable: number): number => x86.VARIABLES[variable].location!;

/** One execution of the guest from its first instruction, measured in one way. The one place where the parts of a run meet. */
export class Pass implements Occupant {
  readonly contexts: Contexts;
  readonly modules: ModuleMap;
  readonly kernel: Kernel;
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  private readonly options: PassOptions;
  private readonly memory: GuestMemory;
  private readonly machine: StateMachine;
  private readonly ledger: Ledger;
  private readonly entry: number;
  /** The ELF entry: nobody called it, so it has no return address. */
  private readonly programEntry: number;
  /** Where the call tree begins: main, or the ELF entry of a program without that name. */
  private readonly root: number;
  private readonly staysInPlace: boolean;
  /** Where the next slice begins. */
  next: bigint;
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
    this.kernel = new Kernel({
      memory: this.memory,
      disk: guest.disk,
      input: guest.input,
      output: guest.output,
      instructions: () => BigInt(this.executed()),
      parseImage: guest.parseImage,
      directory: guest.directory,
      mentions: [program, ...args, ...Object.values(env)],
      farFrom: space.limits.farFrom,
    });
    const loaded = space.instruments.within('load', () => loadProgram(this.kernel, guest.command));
    this.kernel.user.takeWritten();
    this.modules = new ModuleMap(this.kernel.modules);
    this.machine = new StateMachine(
      this.memory,
      () => BigInt(this.executed()),
      (page) => this.prepareStore(page),
    );
    this.entry = loaded.entry;
    this.next = BigInt(loaded.entry);
    this.programEntry = loaded.programEntry;
    this.root = this.mainOf(loaded.modules[0].base, loaded.modules[0].image) ?? this.programEntry;
    this.initialise(loaded.stackPointer);
    this.contexts = new Contexts(this.memory.buffer, space.opener, this.contextPlan());
    if (options.window !== undefined) this.tags?.awaitWindow();
    this.contexts.start();
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

  /** Runs to the end of the guest. Throws Failure when it cannot go on, PassOver when the window is over, Outgrown. */
  run(): GuestExit {
    const { space } = this.options;
    try {
      for (;;) {
        const exit = space.tracer === undefined ? this.slice() : this.tracedSlice(space.tracer);
        if (exit !== undefined) return exit;
        space.renewCode();
      }
    } finally {
      this.options.space.finishPass(this.describe(), this.executed());
    }
  }

  /** Runs one slice, of usual length unless it is said. Gives the guest's exit if it has ended; throws as `run`. */
  slice(instructions?: number): GuestExit | undefined {
    try {
      this.startSlice(instructions);
      this.memory.view.setInt32(HOST_STACK, this.options.space.limits.hostStack, true);
      this.next = this.options.space.dispatch(this.next, this.logs);
      this.lanes?.rebase();
      this.finishSlice();
      return undefined;
    } catch (problem) {
      const exit = exitOf(problem);
      if (exit === undefined) throw problem;
      this.contexts.finish();
      return exit;
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
    this.options.guest.progress?.(executed);
    this.options.space.sweep(executed);
    const { fuel } = this.options.guest;
    if (fuel !== undefined && executed >= fuel)
      throw new Failure(
        'guest',
        'fuel-spent',
        `the program executed ${executed} instructions without ending; the limit is ${fuel}`,
        { fuel },
      );
    if (this.options.stopAt !== undefined && executed >= this.options.stopAt) throw new PassOver();
  }

  private startSlice(instructions?: number): void {
    const executed = this.executed();
    const { firstSlice, longestSlice } = this.options.space.limits;
    this.wanted = this.wanted === 0 ? firstSlice : Math.min(2 * this.wanted, longestSlice);
    const limits = [instructions ?? this.wanted];
    if (this.options.guest.fuel !== undefined) limits.push(this.options.guest.fuel - executed);
    if (this.options.stopAt !== undefined) limits.push(this.options.stopAt - executed);
    const slice = Math.max(0, Math.min(...limits));
    this.memory.view.setBigInt64(CLOCK, BigInt(executed + slice), true);
    this.memory.view.setBigInt64(FUEL, BigInt(slice), true);
    this.lanes?.startSlice(executed);
    this.tags?.startSlice(slice);
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
    if (service === 'syscall') return this.syscall(address, next);
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

  private syscall(address: number, next: number): void {
    const { machine } = this;
    const number = Number(BigInt.asIntN(32, machine.readI64(x86.RAX)));
    const args = SYSCALL_ARGUMENTS.map((variable) => machine.readI64(variable));
    const flags = readRflags(machine);
    const modules = this.kernel.modules.length;
    const outcome = this.kernel.syscall(number, args);
    if (this.kernel.modules.length > modules) this.contexts.forgetTargets();
    if (outcome.kind === 'return')
      for (const { address: at, length } of outcome.written)
        if (at < GUEST_END) this.options.space.forgetCode(at, at + length);
    const sources = [x86.RAX, ...SYSCALL_ARGUMENTS.slice(0, outcome.sources)].map(locationOf);
    const destinations = [x86.RAX, x86.RCX, x86.R11].map(locationOf);
    const effects: ServiceEffects = { sources, destinations, loads: [], stores: [] };
    if (outcome.kind !== 'return') {
      this.ledger.apply(effects, address);
      throw new GuestEnd(outcome);
    }
    machine.writeI64(x86.RAX, outcome.result);
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
  }
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
