import type {
  Called,
  DirectoryNode,
  FileNode,
  InUse,
  Lock,
  LockTable,
  MessageQueueNode,
  OpenFile,
  SocketNode,
  TerminalNode,
  TimerNode,
} from './fs/node.ts';
import type { IpcState } from './ipc/state.ts';
import type { MemoryPolicy } from './memory-policy.ts';
import type { RegionList } from './region-list.ts';
import type { Instruction } from './seccomp/program.ts';
import type { Timer } from './timer.ts';

/** All that the kernel remembers of one process of the guest, as plain data: structuredClone of it is a checkpoint. */
export interface KernelState {
  readonly shared: SharedState;
  readonly process: Process;
  /** Processes have it in common after clone with CLONE_FS. */
  paths: { cwd: DirectoryNode; umask: number };
  descriptors: Map<number, Descriptor>;
  /** Named pipes that threads are opening, which wait for somebody on the other side. */
  opening: readonly OpenFile[];
  /** What threads wait for in fcntl. */
  awaitedLocks: readonly { readonly holder: { locks?: LockTable }; readonly lock: Lock }[];
  /** Of files that are mapped so that others see stores: how many writes to them the mappings show, and which size. */
  readonly shown: Map<FileNode, { readonly writes: number; readonly size: number }>;
  readonly regions: RegionList;
  /** Where files were whose code is mapped no more: nothing else comes there unless it is named, so that an address is one function's. */
  formerCode: readonly FormerCode[];
  /** Where things go in the program's address space (address-plan.ts). */
  addresses: AddressPlan;
  breakStart: number;
  break: number;
  readonly signals: SignalState;
  /** By what names them: `real`, `virtual`, `profile` of setitimer, numbers of timer_create. */
  readonly timers: Map<string | number, Timer>;
  readonly limits: Map<number, Limit>;
  scheduling: Scheduling;
  sandbox: Sandbox;
  memoryPolicy: MemoryPolicy;
  controls: Controls;
  /** What it registered with membarrier. */
  barriers: number;
  /** The area that rseq registered. */
  restartable: RestartableArea | undefined;
  program: ProgramState;
  /** The threads that live, in order of creation. */
  threads: Map<number, ThreadState>;
  /** The thread that makes system calls: signals but for `actions`, and `restartable`, are its own. */
  running: number;
  /** Instructions of the process when it began to run. */
  runningSince: bigint;
  /** What the first thread said when it ended before the others. */
  status: number;
}

/** What all processes have in common. */
export interface SharedState {
  readonly root: DirectoryNode;
  /** The working directory the guest starts in; WORKING_DIRECTORY is its name to the guest. */
  home: DirectoryNode;
  nextInode: number;
  /** Watches that inotify descriptors ever had, and moves that were told of. */
  watchers: number;
  moves: number;
  /** How many bytes of standard input were read. */
  inputOffset: number;
  /** Paths of the host's files that the guest opened, as the guest names them → host path, in order. */
  readonly opened: Map<string, string>;
  /** Nanoseconds the virtual clock ran while the guest slept. */
  slept: bigint;
  /** Instructions of all other processes than the one that runs: it is alone on its processor, which goes on counting. */
  elsewhere: bigint;
  /** State of the generator behind getrandom. */
  random: number;
  /** What the auxiliary vector of every program says of the processor. */
  capabilities: { readonly hwcap: number; readonly hwcap2: number };
  /** By number: those that run, and those that ended while nobody has waited for them. In order of birth. */
  readonly processes: Map<number, Process>;
  /** Slaves' ends by number, as long as the master's end is open. */
  readonly terminals: Map<number, TerminalNode>;
  /** Message queues of POSIX by name. */
  readonly queues: Map<string, MessageQueueNode>;
  /** Those of timer descriptors, which may go on when who made them has ended. */
  readonly timers: Set<TimerNode>;
  /** Sockets whose names are no paths. */
  readonly abstractSockets: Map<string, SocketNode>;
  /** Those of AF_INET that have a port, and the port to try next. */
  readonly internetSockets: Set<SocketNode>;
  nextPort: number;
  /** All that is open, where that is known, and whether it may be kept (open-files.ts). */
  inUse: InUse | undefined;
  isSettled: boolean;
  /** In the order in which they began to wait. */
  futexWaiters: readonly FutexWaiter[];
  readonly ipc: IpcState;
  /** Number of the next process or thread. */
  nextId: number;
}

export interface FormerCode {
  readonly file: FileNode;
  readonly start: number;
  readonly end: number;
}

export interface AddressPlan {
  /** End of the main stack, which grows down. */
  readonly stackTop: number;
  /** mmap hands out addresses from mmapTop down to mmapBase, then elsewhere. */
  readonly mmapTop: number;
  readonly mmapBase: number;
  /** brk cannot grow beyond this. */
  readonly breakLimit: number;
}

/** A process as the others see it. */
export interface Process {
  readonly id: number;
  parent: number;
  group: number;
  session: number;
  /** What personality(2) set. */
  persona: number;
  /** Whether it has become another program: its parent cannot change its group any more. */
  hasExecuted: boolean;
  /** Until it ends. */
  state: KernelState | undefined;
  /** The signal that stopped it, until another one lets it go on. */
  stoppedBy: number | undefined;
  /** What its parent has not been told by wait: that it stopped, or goes on. */
  news: { readonly kind: 'stopped'; readonly signal: number } | { readonly kind: 'continued' } | undefined;
  /** How it ended, and what it was called. */
  ended: (ProcessEnd & { readonly name: string }) | undefined;
  /** Instructions that it has executed, once it has ended, and those of its children that it has waited for. */
  instructions: bigint;
  childInstructions: bigint;
  /** Whether its parent waits until it has ended or become another program (vfork). */
  isWaitedFor: boolean;
  /** The signal that its parent gets when it ends; 0 for none. */
  readonly exitSignal: number;
}

export type ProcessEnd =
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'signal'; readonly signal: number };

export interface Descriptor {
  readonly file: OpenFile;
  closeOnExec: boolean;
}

export interface SignalState {
  readonly actions: Map<number, SignalAction>;
  blocked: bigint;
  /** What rt_sigsuspend and its like put aside: `blocked` again once a signal has been seen to. */
  savedMask: bigint | undefined;
  /** In the order of sending. */
  pending: SignalInfo[];
  /** Those of the process that every thread blocks: who lets one through first gets it. */
  readonly unclaimed: SignalInfo[];
  alternateStack: AlternateStack;
  /** Of the last fault that a handler was told of, as every later frame shows it. */
  lastFault: { readonly trap: bigint; readonly error: bigint; readonly address: bigint };
}

/** A signal that was sent: siginfo_t's number, code, and what follows them from its byte 16 on. */
export interface SignalInfo {
  readonly signal: number;
  readonly code: number;
  readonly payload: Uint8Array<ArrayBuffer>;
  /** The timer that sent it, if it is one of timer_create. */
  readonly timer?: number;
}

/** SS_DISABLE and SS_AUTODISARM are the flags that are kept. */
export interface AlternateStack {
  readonly address: bigint;
  readonly flags: number;
  readonly size: bigint;
}

/** struct sigaction of the kernel. */
export interface SignalAction {
  readonly handler: bigint;
  readonly flags: bigint;
  readonly restorer: bigint;
  readonly mask: bigint;
}

export interface Scheduling {
  /** SCHED_*. */
  readonly policy: number;
  readonly nice: number;
}

/** What seccomp set: only reading, writing and ending are left, or what programs allow that look at each call. */
export interface Sandbox {
  readonly isStrict: boolean;
  readonly filters: readonly (readonly Instruction[])[];
}

/** What prctl sets; yes is 1. */
export interface Controls {
  /** Sent when the parent ends; 0 for none. */
  readonly deathSignal: number;
  readonly isDumpable: number;
  readonly keepsCapabilities: number;
  /** Nanoseconds. */
  readonly timerSlack: number;
  /** Whether descendants without a parent become its children. */
  readonly isReaper: number;
  readonly hasNoNewPrivileges: number;
  readonly hasNoHugePages: number;
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

export interface ProgramState extends Called {
  /** The executable, once there is one. */
  readonly file?: FileNode;
  /** First 15 bytes of its name; prctl can change it. */
  readonly name: string;
  readonly argumentBytes: string;
  readonly environmentBytes: string;
  /** The auxiliary vector that it was started with. */
  readonly auxiliary: Uint8Array;
  /** Where its stack pointer was then: at the number of its arguments. */
  readonly stackStart: number;
  /** What it wrote to oom_score_adj. */
  readonly memoryPressure: number;
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
  /** Its instructions up to where it began to run last. */
  executed: bigint;
}

/** The parts of KernelState that each thread has for itself. */
export interface ThreadOwn {
  readonly blocked: bigint;
  readonly savedMask: bigint | undefined;
  readonly pending: SignalInfo[];
  readonly alternateStack: AlternateStack;
  readonly lastFault: SignalState['lastFault'];
  readonly restartable: RestartableArea | undefined;
  readonly sandbox: Sandbox;
  readonly memoryPolicy: MemoryPolicy;
  readonly name: string;
}

/** A thread that waits in futex(2). */
export interface FutexWaiter {
  readonly thread: number;
  /** The word, by the process that has it at this address. */
  readonly state: KernelState;
  readonly address: number;
  /** It is woken by those who name one of these bits. */
  readonly bits: number;
  /** For a lock with an owner (FUTEX_LOCK_PI), which is handed over. */
  readonly takesLock: boolean;
  /** The lock that it is to get in the end (FUTEX_WAIT_REQUEUE_PI). */
  readonly lockWord: number | undefined;
  isWoken: boolean;
}
