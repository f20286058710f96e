import type { Image } from '../elf/image.ts';
import type { GuestMemory } from '../guest/memory.ts';
import { unsupportedCall } from './blocked.ts';
import { fromText, toText } from './bytes.ts';
import { SYSCALLS } from './calls/table.ts';
import { ERRNO, LinuxError } from './errno.ts';
import { type Changes, changesOf } from './fs/changes.ts';
import type { Processor } from './fs/machine-texts.ts';
import { growStack } from './main-stack.ts';
import { syscallName } from './names.ts';
import { NotYet, type Wait } from './not-yet.ts';
import { whileOpening } from './open-files.ts';
import type { Disk, Input, Output } from './ports.ts';
import { endProcess } from './processes.ts';
import { isBeyondFile, refreshShared, sharedFiles, wipeAfterFork, writeBackShared } from './regions.ts';
import { restarted } from './restartable.ts';
import { sandboxed } from './seccomp/filters.ts';
import { type Delivery, nextDelivery, restarts, stopsNext } from './signals/delivery.ts';
import {
  type EnteredHandler,
  enterHandler,
  type LeftHandler,
  leaveHandler,
  type UserContext,
} from './signals/frame.ts';
import { fromFault, fromKernel, SI_KERNEL } from './signals/information.ts';
import { force, interrupts, isHandled } from './signals/pending.ts';
import { signalBit } from './signals/sets.ts';
import { initialState, startDirectoryOf } from './start.ts';
import type { KernelState, ProcessEnd } from './state.ts';
import type {
  BornProcess,
  Control,
  Lender,
  Module,
  RegisterName,
  Replaced,
  SegmentBases,
  StartedThread,
  SyscallRow,
  System,
} from './system.ts';
import { endThreads, switchThread } from './threads.ts';
import { expireTimers, hasTimers, nextTimerSignal, untilNextExpiry } from './timers.ts';
import { type Range, UserMemory } from './user-memory.ts';
import { passTime } from './wait.ts';

export interface KernelOptions {
  readonly memory: GuestMemory;
  /** Answers the same each time it is asked the same: see frozenDisk. */
  readonly disk: Disk;
  readonly input: Input;
  readonly output: Output;
  /** Instructions the guest has executed. */
  readonly instructions: () => bigint;
  /** What the running thread has in its stack pointer, or as a segment's base. */
  readonly register: (name: RegisterName) => bigint;
  readonly parseImage: (path: string, bytes: Uint8Array) => Image;
  /** Absolute host path of the directory that the guest starts in, which it sees as WORKING_DIRECTORY. */
  readonly directory: string;
  /**
   * Texts the user gave (program, arguments, values of variables): paths in them that lead into the host's
   * /tmp and /dev/shm are visible to the guest, for which both are empty otherwise.
   */
  readonly mentions: readonly string[];
  /** Anonymous mappings of so many bytes are far (guest/far-memory.ts), for tests; else that depends on what is left. */
  readonly farFrom?: number;
  /** What /proc/cpuinfo shows. */
  readonly processor: Processor;
}

export type SyscallOutcome =
  | ({
      readonly kind: 'return';
      /** For rax, signed. */
      readonly result: bigint;
      /** How many of rdi, rsi, rdx, r10, r8, r9 the call's prototype takes (rule 8's sources, beside rax). */
      readonly sources: number;
      /** Guest bytes that the kernel wrote: they get the instruction's cycle. Newly mapped pages are not among them. */
      readonly written: readonly Range[];
      /** A signal is to be handled before the guest goes on; then there may be more (`nextDelivery`). */
      readonly delivery?: Delivery;
      /** The call is to be made again after the handler: a signal interrupted it. */
      readonly restarts?: boolean;
      /** The thread that the call has started. */
      readonly started?: StartedThread;
      /** Other threads that are ready run first. */
      readonly yields?: boolean;
    } & SegmentBases)
  | ((ProcessEnd | Replaced) & { readonly sources: number })
  | { readonly kind: 'thread-exit'; readonly sources: number; readonly written: readonly Range[] }
  /** Not yet: the same call is to be made again later, with this as `waited`. */
  | Wait;

/** Throws Failure `unsupported-syscall` for what our Linux has and we do not. */
function rowOf(number: number): SyscallRow {
  const row = SYSCALLS.get(number);
  if (row !== undefined) return row;
  const name = syscallName(number);
  if (name !== undefined && number <= LAST_CALL) throw unsupportedCall(name, number);
  return { number, name: 'none', args: 0, run: () => -ERRNO.ENOSYS };
}

/** set_mempolicy_home_node, the last call of Linux 6.1, as which uname tells ours. */
const LAST_CALL = 450;

/** A fault as arch/x86/kernel/traps.c and mm/fault.c tell of it. */
export interface FaultInformation {
  readonly signal: number;
  /** si_code. */
  readonly code: number;
  /** si_addr. */
  readonly address: bigint;
  /** Number of the processor's exception, and its error code. */
  readonly trap: bigint;
  readonly error: bigint;
  readonly isPageFault: boolean;
}

/**
 * The Linux the guest sees: its state is plain data, reached by `checkpoint` and `restore`; guest memory is not part
 * of it. A kernel made with the same options and called in the same way answers in the same way.
 */
export class Kernel implements System {
  state: KernelState;
  readonly memory: GuestMemory;
  readonly user: UserMemory;
  readonly disk: Disk;
  readonly input: Input;
  readonly output: Output;
  readonly instructions: () => bigint;
  readonly register: (name: RegisterName) => bigint;
  readonly parseImage: (path: string, bytes: Uint8Array) => Image;
  readonly farFrom: number;
  readonly modules: Module[] = [];
  setBase?: SegmentBases | undefined;
  born?: BornProcess | undefined;
  lender?: Lender | undefined;
  started?: StartedThread | undefined;
  yields = false;
  waited?: Wait | undefined;

  /** With a state it is that of a process which another has started. Throws Failure `working-directory-missing`. */
  constructor(options: KernelOptions, state?: KernelState) {
    this.memory = options.memory;
    this.memory.grow = (address) => growStack(this, address);
    this.user = new UserMemory(options.memory);
    this.disk = options.disk;
    this.input = options.input;
    this.output = options.output;
    this.instructions = options.instructions;
    this.register = options.register;
    this.parseImage = options.parseImage;
    this.farFrom = options.farFrom ?? Infinity;
    this.state =
      state ?? initialState(fromText(options.directory), options.mentions.map(fromText), options.processor);
    if (state === undefined) startDirectoryOf(this, fromText(options.directory));
  }

  /** How many arguments the prototype of a call takes, after rule 8. */
  sourcesOf(number: number): number {
    return SYSCALLS.get(number)?.args ?? 0;
  }

  /**
   * Performs a system call, or goes on with one that has waited. Throws Failure `unsupported-syscall` where the guest cannot
   * go on; every other error is the guest's to see in rax.
   */
  syscall(number: number, args: readonly bigint[], waited?: Wait): SyscallOutcome {
    const row = rowOf(number);
    return whileOpening(this, row.name, () => this.perform(row, args, waited));
  }

  private perform(row: SyscallRow, args: readonly bigint[], waited: Wait | undefined): SyscallOutcome {
    this.setBase = undefined;
    this.born = undefined;
    this.started = undefined;
    this.yields = false;
    this.waited = waited;
    this.expireTimers();
    let result = this.run(row, args, waited);
    let canRestart = false;
    if (typeof result === 'object' && result.kind === 'wait') {
      if (result.isUninterruptible === true) return result;
      while (this.interrupts() && stopsNext(this)) if (this.isStopped) return result;
      if (!this.interrupts()) return result;
      const { done = 0, endsBySignal, interrupted } = result;
      interrupted?.();
      canRestart = endsBySignal !== true && done === 0;
      result = done > 0 ? done : -ERRNO.EINTR;
    }
    const written = this.user.takeWritten();
    const sources = row.args;
    if (typeof result === 'object') {
      if (result.kind === 'replaced') return { ...result, sources };
      if (result.kind === 'thread-exit') return { ...result, sources, written };
      return this.ended(result, sources);
    }
    const delivery = this.nextDelivery();
    if (delivery !== undefined && delivery.kind !== 'deliver') return this.ended(delivery, sources);
    const returned = {
      kind: 'return',
      result: typeof result === 'bigint' ? BigInt.asIntN(64, result) : BigInt(result),
      sources,
      written,
    } as const;
    // Most calls do nothing besides, and an object that is put together of several takes longer to make.
    if (delivery === undefined && !this.hasEffects) return returned;
    return {
      ...returned,
      ...(delivery && { delivery }),
      ...(canRestart && delivery && restarts(delivery) && { restarts: true }),
      ...this.effects(),
    };
  }

  /** Whether the process may make every system call. */
  private get isFree(): boolean {
    const { isStrict, filters } = this.state.sandbox;
    return !isStrict && filters.length === 0;
  }

  private get hasEffects(): boolean {
    return this.setBase !== undefined || this.started !== undefined || this.yields;
  }

  /** What the call at hand did besides. */
  private effects() {
    const { setBase, started, yields } = this;
    return {
      ...setBase,
      ...(started && { started }),
      ...(yields && { yields }),
    };
  }

  /** The same where nobody else can run while the call waits. Throws Failure `guest-blocked`, too. */
  answer(number: number, args: readonly bigint[], waited?: Wait): Exclude<SyscallOutcome, Wait> {
    let outcome: SyscallOutcome = waited ?? this.syscall(number, args);
    while (outcome.kind === 'wait') {
      passTime(this, outcome);
      outcome = this.syscall(number, args, outcome);
    }
    return outcome;
  }

  private ended(end: ProcessEnd, sources: number): SyscallOutcome {
    writeBackShared(this);
    return { ...end, sources };
  }

  private run(
    row: SyscallRow,
    args: readonly bigint[],
    waited: Wait | undefined,
  ): number | bigint | Control | Replaced | Wait {
    try {
      if (waited?.goOn !== undefined) return waited.goOn();
      const isFree = waited !== undefined || this.isFree;
      return (isFree ? undefined : sandboxed(this, row.number, args)) ?? row.run(this, args);
    } catch (problem) {
      if (problem instanceof NotYet) return problem.wait;
      if (problem instanceof LinuxError) return -ERRNO[problem.errno];
      throw problem;
    }
  }

  /** The process has ended: what it held is free, and its parent hears of it. */
  end(end: ProcessEnd): void {
    endThreads(this);
    writeBackShared(this);
    whileOpening(this, undefined, () => endProcess(this, end));
  }

  /** The process has had its turn: others find what it stored in memory that they share. */
  publish(): void {
    writeBackShared(this);
  }

  /** Others have had their turn: the process finds what they stored in memory that they share. */
  refresh(): void {
    for (const file of sharedFiles(this)) refreshShared(this, file);
  }

  /** The process is a copy of its parent now. */
  wipeAfterFork(): void {
    wipeAfterFork(this);
  }

  /** Where the running thread goes on, which is interrupted. Undefined: it ends by SIGSEGV. */
  restart(next: bigint): bigint | undefined {
    return restarted(this, next);
  }

  /** Whether a signal has stopped the process. */
  get isStopped(): boolean {
    return this.state.process.stoppedBy !== undefined;
  }

  /** Whether a signal is pending that ends what the guest waits for. */
  interrupts(): boolean {
    return interrupts(this.state);
  }

  /** What pending signals do to the guest next; see signals/pending.ts. */
  nextDelivery(): Delivery | ProcessEnd | undefined {
    return nextDelivery(this);
  }

  /** Whether the guest has a handler of its own for the signal, which is not blocked: an instruction may raise it. */
  catches(signal: number): boolean {
    return isHandled(this.state, signal) && (this.state.signals.blocked & signalBit(signal)) === 0n;
  }

  /** Whether the address is mapped to a file that has ended before. */
  isBeyondFile(address: number): boolean {
    return isBeyondFile(this, address);
  }

  /** An instruction has raised a signal that the guest catches. */
  fault({ signal, code, address, trap, error, isPageFault }: FaultInformation): void {
    const { signals } = this.state;
    // cr2 keeps the address of the last page fault.
    signals.lastFault = { trap, error, address: isPageFault ? address : signals.lastFault.address };
    force(this.state, code === SI_KERNEL ? fromKernel(signal) : fromFault(signal, code, address));
  }

  /** Makes the frame of a handler; what was written is for `user.takeWritten`. Undefined: the guest ends by SIGSEGV. */
  enterHandler(delivery: Delivery, context: UserContext): EnteredHandler | undefined {
    return enterHandler(this, delivery, context);
  }

  /** rt_sigreturn. Undefined: the guest ends by SIGSEGV. */
  leaveHandler(): LeftHandler | undefined {
    return leaveHandler(this, BigInt.asUintN(64, this.register('rsp')));
  }

  /** Lets timers expire that are due. */
  expireTimers(): void {
    if (hasTimers(this)) expireTimers(this);
  }

  /** How long it is until the next timer expires. */
  untilNextExpiry(): bigint | undefined {
    return hasTimers(this) ? untilNextExpiry(this) : undefined;
  }

  /** Count of instructions at which a timer's signal comes. */
  nextTimerSignal(others = false): bigint | undefined {
    return hasTimers(this) ? nextTimerSignal(this, others) : undefined;
  }

  /** System calls are another thread's from now on. */
  switchTo(thread: number): void {
    switchThread(this, thread);
  }

  /** Host paths of the files that the guest read, by the name it opened them under, in order. */
  opened(): readonly { readonly path: string; readonly hostPath: string }[] {
    return [...this.state.shared.opened].map(([path, hostPath]) => ({
      path: toText(path),
      hostPath: toText(hostPath),
    }));
  }

  /** How the guest's files differ from the host's by now. */
  changes(): Changes {
    return changesOf(this);
  }

  /** A copy of the kernel's state, to which `restore` goes back; modules once noted stay noted. */
  checkpoint(): KernelState {
    return structuredClone(this.state);
  }

  restore(checkpoint: KernelState): void {
    this.state = structuredClone(checkpoint);
  }
}
