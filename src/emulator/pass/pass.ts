import { Failure } from '../../base/failure.ts';
import { valueOffset } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import type { Fault } from '../../ir/node.ts';
import { Kernel } from '../../linux/kernel.ts';
import { randomBytes } from '../../linux/random.ts';
import type { GuestExit } from '../../observation/observation.ts';
import type { ServiceSite } from '../../translate/region-interface.ts';
import { processorFacts } from '../../x86/features.ts';
import type { CodeSpace } from '../code/code-space.ts';
import type { Occupant } from '../code/occupant.ts';
import type { Contexts } from '../contexts/contexts.ts';
import type { ModuleMap } from '../contexts/modules.ts';
import type { Guest } from '../guest.ts';
import { ASKED_REGISTERS } from '../machine/asked-registers.ts';
import { GuestFault } from '../machine/fault.ts';
import { StateMachine } from '../machine/state.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import { executedNow } from '../memory/last-retired.ts';
import { MemoryEvents } from '../memory/memory-events.ts';
import type { TagsLedger } from '../memory/tags-ledger.ts';
import type { Family, Origin, PassCounts, Process, Turn } from '../processes/process.ts';
import { Continuation } from '../slices/continuation.ts';
import { Deadlines } from '../slices/deadlines.ts';
import { SliceClock } from '../slices/slice-clock.ts';
import { Slices } from '../slices/slices.ts';
import { Signals } from '../threads/signals.ts';
import { CaughtFaults } from './caught-faults.ts';
import { describePart, type MeasuredPart } from './measured-part.ts';
import { ProcessTurn } from './process-turn.ts';
import { Program } from './program.ts';
import { RunLoop } from './run-loop.ts';
import { Served } from './served.ts';
import { SystemCalls } from './system-calls.ts';

export interface PassOptions extends MeasuredPart {
  readonly guest: Guest;
  /** Where it runs, which decides what it measures: lanes or tags. */
  readonly space: CodeSpace;
  /** Who runs the processes that the guest starts; without it there can be none. */
  readonly family?: Family;
  /** The process goes on from where another one started it; else it begins with the command. */
  readonly origin?: Origin;
}

/** One execution of the guest from its first instruction, measured in one way. The one place where the parts of a run meet. */
export class Pass implements Occupant, Process {
  readonly kernel: Kernel;
  readonly memory: GuestMemory;
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  readonly memoryEvents: MemoryEvents;
  private readonly options: PassOptions;
  private readonly clock: SliceClock;
  private readonly served: Served;
  private readonly program: Program;
  private readonly continuation: Continuation;
  private readonly slices: Slices;
  private readonly calls: SystemCalls;
  private readonly loop: RunLoop;

  constructor(options: PassOptions) {
    this.options = options;
    const { guest, space, family, origin, halt } = options;
    space.enter(this);
    const memory = space.guest;
    const { lanes, tags, ledger } = space;
    this.memory = memory;
    this.lanes = lanes;
    this.tags = tags;
    const clock = new SliceClock(memory.view);
    this.clock = clock;
    const memoryEvents = new MemoryEvents(memory, ledger, space);
    this.memoryEvents = memoryEvents;
    const kernel = this.newKernel();
    this.kernel = kernel;
    const machine = new StateMachine(memory, {
      isa: guest.isa,
      clock: () => BigInt(clock.executed) + kernel.state.shared.elsewhere,
      random: (length) => randomBytes(kernel, length),
      prepareStore: (page, place, size) => memoryEvents.prepareStore(page, place, size),
      signalsX87: space.signalsX87,
    });
    const isLogging = () => this.slices.tier === 'logging';
    const served = new Served({ memory, machine, ledger, space, isLogging });
    this.served = served;
    const signals = new Signals({
      memory,
      machine,
      kernel,
      ledger,
      enterAlternate: (before, start, end) => this.contexts.enterAlternate(before, start, end),
    });
    const continuation = new Continuation(kernel, signals);
    this.continuation = continuation;
    const program = new Program({
      part: options,
      guest,
      space,
      memory,
      lanes,
      tags,
      ledger,
      clock,
      kernel,
      machine,
      served,
      signals,
      continuation,
      isAlone: family === undefined,
      origin,
    });
    this.program = program;
    const scheduler = () => program.threads.scheduler;
    const deadlines = new Deadlines({ clock, kernel, guest, scheduler, family, halt });
    const slices = new Slices({ guest, space, lanes, tags, clock, deadlines });
    this.slices = slices;
    const turn = new ProcessTurn({ process: this, family, deadlines });
    const calls = new SystemCalls({ kernel, space, clock, served, program, continuation, slices, turn });
    this.calls = calls;
    this.loop = new RunLoop({
      halt,
      isChild: origin !== undefined,
      space,
      memory,
      lanes,
      tags,
      clock,
      kernel,
      machine,
      faults: new CaughtFaults({ memory, kernel, clock, machine, space }),
      program,
      continuation,
      deadlines,
      slices,
      turn,
      calls,
    });
    program.start();
  }

  private newKernel(): Kernel {
    const { memory } = this;
    const { guest, space, origin } = this.options;
    const { program, args, env } = guest.command;
    return new Kernel(
      {
        memory,
        disk: guest.disk,
        input: guest.input,
        output: guest.output,
        instructions: () => executedNow(memory.view),
        register: (name) => memory.view.getBigInt64(valueOffset(ASKED_REGISTERS[name]), true),
        parseImage: guest.parseImage,
        directory: guest.directory,
        mentions: [program, ...args, ...Object.values(env)],
        farFrom: space.limits.farFrom,
        processor: processorFacts(guest.isa),
      },
      origin?.born.process.state,
    );
  }

  // --- its run

  /** See RunLoop.run. */
  turn(): Turn {
    return this.loop.run();
  }

  /** See RunLoop.slice. */
  slice(instructions?: number): GuestExit | undefined {
    return this.loop.slice(instructions);
  }

  /** Where the next slice begins. */
  get next(): bigint {
    return this.continuation.next;
  }

  /** Instructions the guest has retired. */
  executed(): number {
    return this.clock.executed;
  }

  /** The run is over while the guest waits. */
  stop(): PassCounts {
    this.program.finish();
    return this.finalCounts();
  }

  /** Once it is over. */
  finalCounts(): PassCounts {
    return this.program.finalCounts();
  }

  /** The pass is over. */
  finish(): void {
    this.options.space.finishPass(describePart(this.options, this.lanes), this.executed());
  }

  // --- its program

  get contexts(): Contexts {
    return this.program.contexts;
  }

  get modules(): ModuleMap {
    return this.program.modules;
  }

  get programEntry(): number {
    return this.program.programEntry;
  }

  /** What a linkage stub jumps to is a function, even one without a symbol: its context must see it (rule 9). */
  entersFunction(from: number, target: number): boolean {
    return this.modules.entersFunction(from, target) || this.modules.isStub(from);
  }

  isRoot(address: number): boolean {
    return this.program.isRoot(address);
  }

  isNamed(address: number, name: string): boolean {
    return this.modules.isNamed(address, name);
  }

  // --- events of generated code

  endSlice(): boolean {
    return this.slices.end();
  }

  isToStop(): boolean {
    return this.slices.isToStop();
  }

  overshootGrew(): void {
    this.slices.overshootGrew();
  }

  probed(): void {
    this.slices.probed();
  }

  service(site: ServiceSite): void {
    if (site.service === 'syscall') this.calls.serve(site.address, site.next);
    else this.served.run(site);
  }

  raise(fault: Fault, address: number): void {
    throw new GuestFault(fault, BigInt(address));
  }

  unsupported(instruction: string): void {
    const message = `the program uses an instruction that is not supported: ${instruction}`;
    throw new Failure('guest', 'unsupported-instruction', message, { instruction });
  }
}
