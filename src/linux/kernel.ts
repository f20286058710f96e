import type { Image } from '../elf/image.ts';
import type { GuestMemory } from '../guest/memory.ts';
import { unsupportedCall } from './blocked.ts';
import { fromText, toText } from './bytes.ts';
import { SYSCALLS } from './calls/table.ts';
import { ERRNO, LinuxError } from './errno.ts';
import { type Changes, changesOf } from './fs/changes.ts';
import { syscallName } from './names.ts';
import { NotYet, type Wait } from './not-yet.ts';
import type { Disk, Input, Output } from './ports.ts';
import { writeBackShared } from './regions.ts';
import { initialState, startDirectoryOf } from './start.ts';
import type { KernelState, SignalAction } from './state.ts';
import type { Control, Module, StartedThread, System } from './system.ts';
import { switchThread } from './threads.ts';
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
  readonly parseImage: (path: string, bytes: Uint8Array) => Image;
  /** Absolute host path of the directory that the guest starts in, which it sees as WORKING_DIRECTORY. */
  readonly directory: string;
  /**
   * Texts the user gave (program, arguments, values of variables): absolute paths in them that lead into the host's
   * /tmp are visible to the guest, whose /tmp is empty otherwise.
   */
  readonly mentions: readonly string[];
  /** Anonymous mappings of so many bytes are far (guest/far-memory.ts), for tests; else that depends on what is left. */
  readonly farFrom?: number;
}

export type SyscallOutcome =
  | {
      readonly kind: 'return';
      /** For rax, signed. */
      readonly result: bigint;
      /** How many of rdi, rsi, rdx, r10, r8, r9 the call's prototype takes (rule 8's sources, beside rax). */
      readonly sources: number;
      /** Guest bytes that the kernel wrote: they get the instruction's cycle. Newly mapped pages are not among them. */
      readonly written: readonly Range[];
      readonly fsBase?: bigint;
      readonly gsBase?: bigint;
      /** The thread that the call has started. */
      readonly started?: StartedThread;
      /** Other threads that are ready run first. */
      readonly yields?: boolean;
    }
  | (Exclude<Control, { kind: 'thread-exit' }> & { readonly sources: number })
  | { readonly kind: 'thread-exit'; readonly sources: number; readonly written: readonly Range[] }
  /** Not yet: the same call is to be made again later, with this as `waited`. */
  | Wait;

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
  readonly parseImage: (path: string, bytes: Uint8Array) => Image;
  readonly farFrom: number;
  readonly modules: Module[] = [];
  setBase?: 'fs' | 'gs' | undefined;
  started?: StartedThread | undefined;
  yields = false;
  waited?: Wait | undefined;

  /** Throws Failure `working-directory-missing`. */
  constructor(options: KernelOptions) {
    this.memory = options.memory;
    this.user = new UserMemory(options.memory);
    this.disk = options.disk;
    this.input = options.input;
    this.output = options.output;
    this.instructions = options.instructions;
    this.parseImage = options.parseImage;
    this.farFrom = options.farFrom ?? Infinity;
    this.state = initialState([options.directory, ...options.mentions].map(fromText));
    startDirectoryOf(this, fromText(options.directory));
  }

  /**
   * Performs a system call, or goes on with one that has waited. Throws Failure `unsupported-syscall` or
   * `unsupported-signal` where the guest cannot go on; every other error is the guest's to see in rax.
   */
  syscall(number: number, args: readonly bigint[], waited?: Wait): SyscallOutcome {
    const row = SYSCALLS.get(number);
    if (row === undefined) throw unsupportedCall(syscallName(number), number);
    this.setBase = undefined;
    this.started = undefined;
    this.yields = false;
    this.waited = waited;
    const result = this.run(() => row.run(this, args));
    const written = this.user.takeWritten();
    if (typeof result === 'object') {
      if (result.kind === 'wait') return result;
      if (result.kind === 'thread-exit') return { ...result, sources: row.args, written };
      writeBackShared(this);
      return { ...result, sources: row.args };
    }
    return {
      kind: 'return',
      result: BigInt.asIntN(64, BigInt(result)),
      sources: row.args,
      written,
      ...this.effects(),
    };
  }

  /** What the call at hand did besides. */
  private effects() {
    const { setBase, started, yields, state } = this;
    return {
      ...(setBase === 'fs' && { fsBase: state.fsBase }),
      ...(setBase === 'gs' && { gsBase: state.gsBase }),
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

  private run(handler: () => number | bigint | Control): number | bigint | Control | Wait {
    try {
      return handler();
    } catch (problem) {
      if (problem instanceof NotYet) return problem.wait;
      if (problem instanceof LinuxError) return -ERRNO[problem.errno];
      throw problem;
    }
  }

  /** System calls are another thread's from now on. */
  switchTo(thread: number): void {
    switchThread(this, thread);
  }

  /** How the guest handles a signal; undefined for the default. */
  signalAction(signal: number): SignalAction | undefined {
    return this.state.signals.actions.get(signal);
  }

  /** Host paths of the files that the guest read, by the name it opened them under, in order. */
  opened(): readonly { readonly path: string; readonly hostPath: string }[] {
    return [...this.state.opened].map(([path, hostPath]) => ({
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
