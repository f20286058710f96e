import type { Image } from '../elf/image.ts';
import type { GuestMemory } from '../guest/memory.ts';
import type { Wait } from './not-yet.ts';
import type { Disk, Input, Output } from './ports.ts';
import type { RegionList } from './region-list.ts';
import type { KernelState, Process, ProcessEnd } from './state.ts';
import type { UserMemory } from './user-memory.ts';

/** Whose memory a process has borrowed (lend.ts), and what that was like. */
export interface Lender {
  readonly system: System;
  readonly regions: RegionList;
  readonly break: number;
}

/** What a handler of a system call works with. */
export interface System {
  readonly state: KernelState;
  /** Anonymous mappings of so many bytes are far. */
  readonly farFrom: number;
  readonly memory: GuestMemory;
  readonly user: UserMemory;
  readonly disk: Disk;
  readonly input: Input;
  readonly output: Output;
  /** Instructions the guest has executed: one nanosecond each. */
  readonly instructions: () => bigint;
  /** What the running thread has in its stack pointer, or as a segment's base. */
  readonly register: (name: RegisterName) => bigint;
  readonly parseImage: (path: string, bytes: Uint8Array) => Image;
  /** Files that were mapped executable, in order of their first mapping. */
  readonly modules: Module[];
  /** What the call at hand sets. */
  setBase?: SegmentBases | undefined;
  /** The process that the call at hand started. */
  born?: BornProcess | undefined;
  /** Whose memory it is that this process has a copy of until it gives it back (vfork). */
  lender?: Lender | undefined;
  /** The thread that the call at hand started. */
  started?: StartedThread | undefined;
  /** Whether the call at hand lets other threads run first. */
  yields?: boolean;
  /** What the call at hand answered before, when it is made again. */
  waited?: Wait | undefined;
}

/** The thread's registers are the processor's: programs change segment bases by themselves (wrfsbase). */
export type RegisterName = 'rsp' | 'fs' | 'gs';

export interface SegmentBases {
  readonly fsBase?: bigint;
  readonly gsBase?: bigint;
}

export interface Module {
  /** As the command or the dynamic linker named it. */
  readonly path: string;
  /** The same file as the guest would name it free of links, as a byte string. */
  readonly file: string;
  readonly image: Image;
  /** Added to the file's own addresses. */
  readonly base: number;
  /** Mapped range, end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface LoadedProgram {
  /** The first instruction: the dynamic linker's entry where there is one. */
  readonly entry: number;
  /** The program's own entry point (AT_ENTRY). */
  readonly programEntry: number;
  readonly stackPointer: number;
  /** The program first, then its dynamic linker; libraries join Kernel.modules when the linker maps them. */
  readonly modules: readonly Module[];
}

/** How a system call ended when it does not return to the guest. */
export type Control =
  | ProcessEnd
  /** Only the thread that made the call has ended. */
  | { readonly kind: 'thread-exit' };

/** A new thread goes on behind the call that started it, as the thread that made it does, except for this. */
export interface StartedThread {
  readonly id: number;
  readonly stackPointer?: bigint;
  /** Where its stack lies, if the program has said so (clone3). */
  readonly stack?: { readonly start: number; readonly end: number };
  readonly fsBase?: bigint;
}

/** The process is another program now: nothing goes on behind the call. */
export interface Replaced {
  readonly kind: 'replaced';
  readonly loaded: LoadedProgram;
}

/** A new process goes on behind the call that started it, as the one that made it does, except for this. */
export interface BornProcess {
  readonly process: Process & { readonly state: KernelState };
  readonly stackPointer?: bigint;
  readonly fsBase?: bigint;
  /** Where its number is to be written in its own memory. */
  readonly word?: number;
  /** Its memory is its parent's, who waits for it. */
  readonly borrows: boolean;
}

/** A handler returns what rax gets (negative for -errno), or how the guest ended. It throws NotYet where it must wait. */
export type Handler = (system: System, args: readonly bigint[]) => number | bigint | Control | Replaced;

/** One system call: `args` is how many registers its prototype in the kernel's sources takes (rule 8's sources). */
export interface SyscallRow {
  readonly number: number;
  readonly name: string;
  readonly args: number;
  readonly run: Handler;
}

export function row(number: number, name: string, args: number, run: Handler): SyscallRow {
  return { number, name, args, run };
}
