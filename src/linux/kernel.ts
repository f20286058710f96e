import type { Image } from '../elf/image.ts';
import type { GuestMemory } from '../guest/memory.ts';
import { unsupportedCall } from './blocked.ts';
import { fromText, toText } from './bytes.ts';
import { SYSCALLS } from './calls/table.ts';
import { ERRNO, LinuxError } from './errno.ts';
import { type Changes, changesOf } from './fs/changes.ts';
import type { Processor } from './fs/machine-texts.ts';
import { syscallName } from './names.ts';
import type { Disk, Input, Output } from './ports.ts';
import { writeBackShared } from './regions.ts';
import { initialState, startDirectoryOf } from './start.ts';
import type { KernelState, SignalAction } from './state.ts';
import type { Control, Module, System } from './system.ts';
import { type Range, UserMemory } from './user-memory.ts';

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
  /** What /proc/cpuinfo shows. */
  readonly processor: Processor;
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
    }
  | (Control & { readonly sources: number });

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
    this.state = initialState([options.directory, ...options.mentions].map(fromText), options.processor);
    startDirectoryOf(this, fromText(options.directory));
  }

  /**
   * Performs a system call. Throws Failure `unsupported-syscall`, `unsupported-signal` or `guest-blocked` where the
   * guest cannot go on; every other error is the guest's to see in rax.
   */
  syscall(number: number, args: readonly bigint[]): SyscallOutcome {
    const row = SYSCALLS.get(number);
    if (row === undefined) throw unsupportedCall(syscallName(number), number);
    this.setBase = undefined;
    const result = this.run(() => row.run(this, args));
    const written = this.user.takeWritten();
    if (typeof result === 'object') {
      writeBackShared(this);
      return { ...result, sources: row.args };
    }
    return {
      kind: 'return',
      result: BigInt.asIntN(64, BigInt(result)),
      sources: row.args,
      written,
      ...(this.setBase === 'fs' && { fsBase: this.state.fsBase }),
      ...(this.setBase === 'gs' && { gsBase: this.state.gsBase }),
    };
  }

  private run(handler: () => number | bigint | Control): number | bigint | Control {
    try {
      return handler();
    } catch (problem) {
      if (problem instanceof LinuxError) return -ERRNO[problem.errno];
      throw problem;
    }
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
