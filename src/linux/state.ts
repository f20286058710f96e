import type { DirectoryNode, FileNode, OpenNode } from './fs/node.ts';

/** All that the kernel remembers of the guest, as plain data: structuredClone of it is a checkpoint. */
export interface KernelState {
  readonly root: DirectoryNode;
  /** The working directory the guest starts in; WORKING_DIRECTORY is its name to the guest. */
  home: DirectoryNode;
  cwd: DirectoryNode;
  umask: number;
  nextInode: number;
  readonly descriptors: Map<number, Descriptor>;
  /** How many bytes of standard input were read. */
  inputOffset: number;
  /** Paths of the host's files that the guest opened, as the guest names them → host path, in order. */
  readonly opened: Map<string, string>;
  /** Sorted by address, disjoint. */
  readonly regions: Region[];
  breakStart: number;
  break: number;
  /** Nanoseconds the virtual clock ran while the guest slept. */
  slept: bigint;
  /** State of the generator behind getrandom. */
  random: number;
  readonly signals: SignalState;
  readonly limits: Map<number, Limit>;
  fsBase: bigint;
  gsBase: bigint;
  /** The area that rseq registered. */
  restartable: RestartableArea | undefined;
  program: ProgramState;
  /** The threads that live, in order of creation. */
  readonly threads: Map<number, ThreadState>;
  /** The thread that makes system calls: signals but for `actions`, segment bases and `restartable` are its own. */
  running: number;
  /** Number of the next thread. */
  nextThread: number;
  /** In the order in which they began to wait. */
  futexWaiters: readonly FutexWaiter[];
  /** What the first thread said when it ended before the others. */
  status: number;
}

export interface Descriptor {
  readonly file: OpenFile;
  closeOnExec: boolean;
}

/** Linux's "open file description": shared by duplicates of a descriptor. */
export interface OpenFile {
  readonly node: OpenNode;
  /** As the guest would name it, free of links. */
  readonly path: string;
  /** The path that was given to open. */
  readonly openedAs: string;
  /** O_* flags that F_GETFL shows. */
  flags: number;
  offset: number;
  /** Directory entries as they were when reading began. */
  listing?: readonly ListedEntry[];
  /** Text of a /proc file, made when it was opened. */
  readonly text?: Uint8Array<ArrayBuffer>;
}

export interface ListedEntry {
  readonly name: string;
  readonly inode: number;
  readonly type: number;
}

export interface Region {
  readonly start: number;
  readonly end: number;
  /** READ | WRITE | EXECUTE. */
  readonly protection: number;
  readonly shared: boolean;
  /** For /proc/self/maps: a file's path, [heap], [stack] or nothing. */
  readonly label: string;
  readonly file?: FileNode;
  /** The path under which the file was opened. */
  readonly openedAs?: string;
  /** Where in the file the region starts. */
  readonly offset: number;
}

export interface SignalState {
  readonly actions: Map<number, SignalAction>;
  blocked: bigint;
  pending: bigint;
  alternateStack: { readonly address: bigint; readonly flags: number; readonly size: bigint };
}

/** struct sigaction of the kernel. */
export interface SignalAction {
  readonly handler: bigint;
  readonly flags: bigint;
  readonly restorer: bigint;
  readonly mask: bigint;
}

export interface Limit {
  readonly soft: bigint;
  readonly hard: bigint;
}

export interface RestartableArea {
  readonly address: number;
  readonly length: number;
  readonly signature: number;
}

export interface ProgramState {
  /** Path of the executable as the guest would name it. */
  readonly path: string;
  /** First 15 bytes of its name; prctl can change it. */
  readonly name: string;
  readonly argumentBytes: string;
  readonly environmentBytes: string;
}

/** What the kernel remembers of one thread of the guest. */
export interface ThreadState {
  /** What gettid tells: the process's number for the first one. */
  readonly id: number;
  /** A word that becomes 0, and is woken, when the thread ends; 0 for none (CLONE_CHILD_CLEARTID, set_tid_address). */
  clearedAtEnd: number;
  /** struct robust_list_head, 0 for none. */
  robustList: number;
  /** What KernelState has for the running thread, while this one is not it. */
  own: ThreadOwn;
}

/** The parts of KernelState that each thread has for itself. */
export interface ThreadOwn {
  readonly blocked: bigint;
  readonly pending: bigint;
  readonly alternateStack: SignalState['alternateStack'];
  readonly fsBase: bigint;
  readonly gsBase: bigint;
  readonly restartable: KernelState['restartable'];
  readonly name: string;
}

/** A thread that waits in futex(2); in KernelState in the order in which they began to. */
export interface FutexWaiter {
  readonly thread: number;
  /** Of the word. */
  address: number;
  /** It is woken by those who name one of these bits. */
  readonly bits: number;
  /** For a lock with an owner (FUTEX_LOCK_PI), which is handed over. */
  readonly takesLock: boolean;
  isWoken: boolean;
}
