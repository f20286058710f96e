import { Failure } from '../base/failure.ts';
import type { Image } from '../elf/image.ts';
import { CONTEXT_OPENS, CONTEXT_SLOT, FUEL, HOST_STACK } from '../guest/layout.ts';
import { type GuestMemory, WRITE } from '../guest/memory.ts';
import type { Fault } from '../ir/node.ts';
import { Kernel } from '../linux/kernel.ts';
import { type Command, loadProgram } from '../linux/loader.ts';
import type { Disk, Input, Output } from '../linux/ports.ts';
import type { GuestExit } from '../observation/observation.ts';
import type { ServiceSite } from '../translate/region-interface.ts';
import { readRflags } from '../x86/rflags.ts';
import type { ServiceEffects } from '../x86/service.ts';
import { SERVICES } from '../x86/services/index.ts';
import * as x86 from '../x86/state.ts';
import type { CodeSpace, Occupant } from './code-space.ts';
import { type ContextPlan, Contexts, type LaneMeter, NO_SLOT } from './contexts.ts';
import { GuestEnd, GuestFault, SIGNALS } from './fault.ts';
import type { LanesLedger } from './lanes-ledger.ts';
import type { Ledger } from './ledger.ts';
import { ModuleMap } from './modules.ts';
import { StateMachine } from './state.ts';
import type { TagsLedger } from './tags-ledger.ts';

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
  /** Tags only: told when a context opens and closes; may end the pass by throwing PassOver. */
  readonly window?: { opened(pass: Pass): void; closed(pass: Pass): void };
  /** Ends the pass at the first chance after this many instructions. */
  readonly stopAt?: number;
}

/** A pass that has seen all it needs ends so. */
export class PassOver extends Error {}

const SYSCALL_ARGUMENTS = [x86.GPR[7], x86.GPR[6], x86.GPR[2], x86.GPR[10], x86.GPR[8], x86.GPR[9]];
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
  /** Instructions in finished slices and the current slice's length. */
  private finished = 0;
  private slice = 0;

  constructor(options: PassOptions) {
    this.options = options;
    const { guest } = options;
    const { space } = options;
    space.enter(this);
    this.memory = space.guest;
    this.lanes = space.lanes;
    this.tags = space.tags;
    this.ledger = space.ledger;
    const executed = () => this.executed();
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
    });
    const loaded = loadProgram(this.kernel, guest.command);
    this.kernel.user.takeWritten();
    this.modules = new ModuleMap(this.kernel.modules);
    this.machine = new StateMachine(
      this.memory,
      () => BigInt(this.executed()),
      (page) => this.prepareStore(page),
    );
    this.entry = loaded.entry;
    this.programEntry = loaded.programEntry;
    this.root = this.mainOf(loaded.modules[0].base, loaded.modules[0].image) ?? this.programEntry;
    this.initialise(loaded.stackPointer);
    this.contexts = new Contexts(this.contextPlan(), this.meter(), loaded.entry, executed);
    this.shareContexts();
  }

  /** Instructions the guest has retired. */
  executed(): number {
    return this.finished + this.slice - Number(this.memory.view.getBigInt64(FUEL, true));
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

  entersFunction(from: number, target: number): boolean {
    return this.modules.entersFunction(from, target);
  }

  isRoot(address: number): boolean {
    return address === this.root;
  }

  isNamed(address: number, name: string): boolean {
    return this.modules.isNamed(address, name);
  }

  private contextPlan(): ContextPlan {
    const { firstDepth, depth } = this.options;
    const lanes = this.lanes?.shape.lanes ?? 1;
    return {
      depth,
      laneOfDepth: (d) =>
        firstDepth !== undefined && d >= firstDepth && d < firstDepth + lanes ? d - firstDepth : undefined,
      laneOfFunction: (entry) => this.laneOfFunction(entry),
    };
  }

  private laneOfFunction(entry: number): number | undefined {
    const lane = this.options.named.findIndex((name) => this.modules.isNamed(entry, name));
    return lane < 0 ? undefined : lane;
  }

  private meter(): LaneMeter {
    if (this.lanes !== undefined) return this.lanes;
    return {
      open: () => this.options.window?.opened(this),
      cycles: () => {
        this.options.window?.closed(this);
        return 0;
      },
    };
  }

  /** Runs to the end of the guest. Throws Failure when it cannot go on, PassOver when the window is over, LanesFull. */
  run(): GuestExit {
    let address = BigInt(this.entry);
    try {
      const { firstSlice, longestSlice } = this.options.space.limits;
      for (let length = firstSlice; ; length = Math.min(2 * length, longestSlice)) {
        this.startSlice(length);
        address = this.options.space.dispatch(address);
        this.options.guest.progress?.(this.executed());
        this.lanes?.rebase();
        const { fuel } = this.options.guest;
        const executed = this.executed();
        if (fuel !== undefined && executed >= fuel)
          throw new Failure(
            'guest',
            'fuel-spent',
            `the program executed ${executed} instructions without ending; the limit is ${fuel}`,
            { fuel },
          );
        if (this.options.stopAt !== undefined && executed >= this.options.stopAt) throw new PassOver();
      }
    } catch (problem) {
      const exit = exitOf(problem);
      if (exit === undefined) throw problem;
      this.contexts.finish();
      return exit;
    }
  }

  private startSlice(wanted: number): void {
    const executed = this.executed();
    this.finished = executed;
    const limits = [wanted];
    if (this.options.guest.fuel !== undefined) limits.push(this.options.guest.fuel - executed);
    if (this.options.stopAt !== undefined) limits.push(this.options.stopAt - executed);
    this.slice = Math.max(0, Math.min(...limits));
    this.memory.view.setBigInt64(FUEL, BigInt(this.slice), true);
    this.memory.view.setInt32(HOST_STACK, this.options.space.limits.hostStack, true);
    this.tags?.startSlice(this.slice);
  }

  /** Instructions left in the slice. */
  get fuelLeft(): number {
    return Number(this.memory.view.getBigInt64(FUEL, true));
  }

  // --- events of generated code

  private get rsp(): bigint {
    return BigInt.asUintN(64, this.machine.readI64(x86.RSP));
  }

  private shareContexts(): void {
    this.memory.view.setInt32(CONTEXT_OPENS, this.contexts.opens ? 1 : 0, true);
    this.memory.view.setBigInt64(CONTEXT_SLOT, this.contexts.slot, true);
  }

  openByCall(target: bigint): void {
    const address = Number(BigInt.asUintN(32, target));
    this.contexts.call(address, this.rsp, this.modules.isStub(address));
    this.shareContexts();
  }

  openByJump(from: number, target: bigint): void {
    const address = Number(BigInt.asUintN(32, target));
    const isStub = this.modules.isStub(address);
    this.contexts.jump(address, this.rsp, isStub, this.modules.entersFunction(from, address));
    this.shareContexts();
  }

  enterHooked(address: number): void {
    const slot = address === this.programEntry ? NO_SLOT : this.rsp;
    if (address === this.root) this.contexts.root(address, slot);
    this.contexts.enterNamed(address, slot);
    this.shareContexts();
  }

  close(): void {
    this.contexts.unwind(this.rsp);
    this.shareContexts();
  }

  raise(fault: Fault, address: number): void {
    throw new GuestFault(fault, BigInt(address));
  }

  unsupported(instruction: string): void {
    const message = `the program uses an instruction that is not supported: ${instruction}`;
    throw new Failure('guest', 'unsupported-instruction', message, { instruction });
  }

  pageFault(address: bigint, isWrite: number): void {
    throw new GuestFault('page-fault', BigInt.asUintN(64, address), isWrite !== 0);
  }

  prepareStore(page: number): void {
    const address = page * 4096;
    const permission = this.memory.permission(address);
    if ((permission & WRITE) === 0) throw new GuestFault('page-fault', BigInt(address), true);
    this.options.space.forgetCode(address, address + 4096);
    this.memory.touch(address);
    this.ledger.preparePage(page);
    this.memory.allowFastStores(address);
  }

  addBytePage(page: number): void {
    this.ledger.addBytePage(page);
  }

  service({ service, argument, address, next }: ServiceSite): void {
    if (service === 'syscall') return this.syscall(address, next);
    const run = SERVICES.get(service);
    if (run === undefined) throw new Error(`no service ${service}`);
    this.ledger.apply(run(this.machine, argument), address);
  }

  private syscall(address: number, next: number): void {
    const { machine } = this;
    const number = Number(BigInt.asIntN(32, machine.readI64(x86.RAX)));
    const args = SYSCALL_ARGUMENTS.map((variable) => machine.readI64(variable));
    const flags = readRflags(machine);
    const outcome = this.kernel.syscall(number, args);
    if (outcome.kind === 'return')
      for (const { address: at, length } of outcome.written) this.options.space.forgetCode(at, at + length);
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
      destinations.push(locationOf(x86.FS_BASE));
    }
    if (outcome.gsBase !== undefined) {
      machine.writeI64(x86.GS_BASE, outcome.gsBase);
      destinations.push(locationOf(x86.GS_BASE));
    }
    this.ledger.apply({ sources, destinations, loads: [], stores: outcome.written }, address);
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
