import { isGo } from '../../elf/go/table.ts';
import { mainFunction } from '../../elf/main-function.ts';
import { CONTROL, STEPS, VALUES } from '../../guest/layout.ts';
import { type GuestMemory, WRITE } from '../../guest/memory.ts';
import type { Kernel } from '../../linux/kernel.ts';
import { lentBy } from '../../linux/lend.ts';
import { loadProgram } from '../../linux/loader.ts';
import { mainStackOf, noteMainStack } from '../../linux/main-stack.ts';
import type { LoadedProgram } from '../../linux/system.ts';
import * as x86 from '../../x86/state.ts';
import type { CodeSpace } from '../code/code-space.ts';
import { type ContextPlan, Contexts } from '../contexts/contexts.ts';
import { goroutines } from '../contexts/goroutines.ts';
import { ModuleMap } from '../contexts/modules.ts';
import type { Guest } from '../guest.ts';
import type { StateMachine } from '../machine/state.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import type { Ledger } from '../memory/ledger.ts';
import { Outgrown } from '../memory/measure-plan.ts';
import type { TagsLedger } from '../memory/tags-ledger.ts';
import type { Origin, PassCounts } from '../processes/process.ts';
import type { Continuation } from '../slices/continuation.ts';
import type { SliceClock } from '../slices/slice-clock.ts';
import type { Signals } from '../threads/signals.ts';
import { Threads } from '../threads/threads.ts';
import { countsInLane, firstDepthOf, laneOfFunction, type MeasuredPart } from './measured-part.ts';
import type { Served } from './served.ts';

interface ProgramParts {
  /** What is measured of it. */
  readonly part: MeasuredPart;
  readonly guest: Guest;
  readonly space: CodeSpace;
  readonly memory: GuestMemory;
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  readonly ledger: Ledger;
  readonly clock: SliceClock;
  readonly kernel: Kernel;
  readonly machine: StateMachine;
  readonly served: Served;
  readonly signals: Signals;
  readonly continuation: Continuation;
  /** Whether there can be no other processes. */
  readonly isAlone: boolean;
  /** Where the process began, if another one started it. */
  readonly origin: Origin | undefined;
}

const FPU_CONTROL_DEFAULT = 0x37f;
const MXCSR_DEFAULT = 0x1f80;
/** No instruction is there. */
const NOWHERE = -1;

/** The program that a process is, until it becomes another one: where it begins, its modules, its threads and their contexts. */
export class Program {
  modules!: ModuleMap;
  contexts!: Contexts;
  threads!: Threads;
  /** The ELF entry: nobody called it, so it has no return address. */
  programEntry = 0;
  private readonly parts: ProgramParts;
  private entry = 0;
  /** Where the call tree begins: main, or the ELF entry of a program without that name. */
  private root = 0;
  /** Instructions that were executed before it. */
  private before = 0;
  /** Index of the thread whose call is followed by tags, or was last, once one has begun. */
  private followed: number | undefined;
  /** Followed calls that have ended. */
  private windowsClosed = 0;

  constructor(parts: ProgramParts) {
    this.parts = parts;
  }

  /** The process begins, with the command or as a copy of the one that started it. */
  start(): void {
    const { kernel, guest, space, origin } = this.parts;
    if (origin !== undefined) this.copy(origin);
    else this.begin(space.instruments.within('load', () => loadProgram(kernel, guest.command)));
  }

  /** From a program's first instruction; nothing was written before. */
  private begin(loaded: LoadedProgram): void {
    const { kernel, continuation, space, origin } = this.parts;
    kernel.user.takeWritten();
    this.entry = loaded.entry;
    continuation.next = BigInt(loaded.entry);
    this.programEntry = loaded.programEntry;
    const [program] = loaded.modules;
    // Go's runtime begins with both: a program of 2e8 instructions took 0.4 of 2.9 s to find them out one by one.
    if (isGo(program.image) && !(space.knowsThreads && space.followsFar))
      throw new Outgrown('far memory and threads');
    const isCopy = origin !== undefined;
    const main = mainFunction(program.image);
    this.root = isCopy ? NOWHERE : main === undefined ? this.programEntry : main.address + program.base;
    this.initialise(loaded.stackPointer);
    this.follow();
  }

  private initialise(stackPointer: number): void {
    const { machine } = this.parts;
    machine.writeI64(x86.RSP, BigInt(stackPointer));
    machine.writeI64(x86.ZR, 1n);
    machine.writeI64(x86.SR, 1n);
    machine.writeI32(x86.FPU_CONTROL, FPU_CONTROL_DEFAULT);
    machine.writeI32(x86.MXCSR, MXCSR_DEFAULT);
  }

  /** As a copy of another process, behind the call that made it. */
  private copy({ parent, born, call, isMeasured }: Origin): void {
    const { machine, memory, kernel, lanes, served, continuation } = this.parts;
    memory.copyFrom(parent.memory);
    memory.bytes.set(parent.memory.bytes.subarray(VALUES, STEPS), VALUES);
    noteMainStack(memory, mainStackOf(parent.memory));
    kernel.modules.push(...parent.kernel.modules);
    if (born.borrows) kernel.lender = lentBy(parent.kernel);
    this.entry = call.next;
    this.programEntry = parent.programEntry;
    this.root = NOWHERE;
    this.follow();
    if (isMeasured) lanes!.inherit(parent.lanes!);
    if (!born.borrows) kernel.wipeAfterFork();
    if (born.word !== undefined && memory.allows(born.word, 4, WRITE))
      kernel.user.putI32(born.word, born.process.id);
    const { fsBase } = born;
    served.finishCall(call, {
      kind: 'return',
      result: 0n,
      sources: kernel.sourcesOf(call.number),
      written: kernel.user.takeWritten(),
      ...(fsBase !== undefined && { fsBase }),
    });
    if (born.stackPointer !== undefined) machine.writeI64(x86.RSP, born.stackPointer);
    continuation.next = BigInt(call.next);
  }

  /** The guest has become another program. */
  become(loaded: LoadedProgram): void {
    const { space, origin, clock, memory, ledger } = this.parts;
    this.before = clock.executed;
    memory.bytes.fill(0, VALUES, CONTROL);
    ledger.start();
    // Where nothing is called by name, names do not matter.
    if (origin === undefined) space.dropCode(loaded.modules[0].path);
    this.begin(loaded);
  }

  // --- its end

  /** Of the program that the guest is, or was in the end. */
  counts(): Omit<PassCounts, 'cycles'> {
    const { kernel, clock } = this.parts;
    const modules = [...kernel.modules];
    const program = modules[0]?.path ?? '';
    return { program, instructions: clock.executed - this.before, modules };
  }

  /** All calls of the program are over. Throws Outgrown. */
  finish(): void {
    this.contexts.finish();
    this.parts.lanes?.checkExact();
  }

  /** Once it is over. */
  finalCounts(): PassCounts {
    return { ...this.counts(), cycles: this.contexts.runCycles };
  }

  // --- its threads and contexts

  private follow(): void {
    const { guest, space, memory, kernel, ledger, signals, clock, isAlone } = this.parts;
    this.modules = new ModuleMap(kernel.modules, guest.demangle);
    this.contexts = new Contexts(memory.buffer, space.opener, this.contextPlan(), space.places);
    this.awaitWindow();
    this.threads = new Threads(
      {
        memory,
        kernel,
        ledger,
        contexts: this.contexts,
        signals,
        executed: () => clock.executed,
        isAlone,
        quantum: guest.quantum,
        onSwitch: () => this.countForThread(),
      },
      kernel.state.running,
    );
    this.countForThread();
    this.contexts.start();
  }

  /** Tells the measurement in which contexts the running thread's instructions count (rule 9). */
  private countForThread(): void {
    const { part, lanes, tags, space } = this.parts;
    const { index } = this.threads.running;
    lanes?.count((lane) => countsInLane(part, index, lane));
    tags?.count(this.followed === undefined || this.followed === index);
    space.forks?.switchTo(index);
    space.divideCounts();
  }

  private contextPlan(): ContextPlan {
    const { part, lanes, kernel, machine, memory } = this.parts;
    const { depth, listsCalls = true, named, entries } = part;
    return {
      entry: this.entry,
      programEntry: this.programEntry,
      root: this.root,
      depth,
      listsCalls,
      firstDepthOf: (index) => firstDepthOf(part, index),
      lanes: lanes?.shape.lanes ?? 1,
      layer: part.layer ?? 1,
      hasNamed: named.length > 0 || entries !== undefined,
      laneOfFunction: (entry, index) => laneOfFunction(part, this.modules, entry, index),
      isStub: (address) => this.modules.isStub(address),
      entersFunction: (from, target) => this.modules.entersFunction(from, target),
      spanOf: (from, target) => this.modules.spanOf(from, target),
      stackOwnerAt: goroutines(kernel.modules[0].image, {
        threadBase: () => Number(machine.readI64(x86.FS_BASE)),
        word: (address) => wordIn(memory, address),
      }),
      windowOpened: () => this.openWindow(),
      windowClosed: () => this.closeWindow(),
    };
  }

  private openWindow(): void {
    const { tags, clock } = this.parts;
    tags?.openWindow(clock.left);
    this.followed = this.threads.running.index;
    this.countForThread();
  }

  private closeWindow(): void {
    const { part, tags } = this.parts;
    part.windows?.closed(tags!, this.windowsClosed++);
    this.awaitWindow();
  }

  private awaitWindow(): void {
    const { part, tags } = this.parts;
    const window = part.windows?.calls[this.windowsClosed];
    if (window !== undefined) tags?.awaitWindow(window);
  }

  isRoot(address: number): boolean {
    return address === this.root;
  }
}

/** Nothing is made of far pages that have not been touched. */
function wordIn(memory: GuestMemory, address: number): number | undefined {
  if (address % 8 !== 0) return undefined;
  const isFar = memory.isFar(address);
  if (!isFar && memory.permission(address) === 0) return undefined;
  const at = isFar ? memory.far.peek(address) : address;
  if (at === undefined) return undefined;
  return memory.view.getUint32(at, true) + 2 ** 32 * memory.view.getUint32(at + 4, true);
}
