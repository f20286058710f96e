import type { Errno } from '../errno.ts';
import type { FileNode } from '../fs/node.ts';

/** All of System V's inter-process communication, as plain data: nothing of it ends with the process that made it. */
export interface IpcState {
  readonly queues: IpcSpace<MessageQueue>;
  readonly semaphores: IpcSpace<SemaphoreSet>;
  readonly segments: IpcSpace<Segment>;
}

export function initialIpc(): IpcState {
  return { queues: emptySpace(), semaphores: emptySpace(), segments: emptySpace() };
}

function emptySpace<T extends IpcObject>(): IpcSpace<T> {
  return { objects: new Map(), lastIndex: -1, round: 0 };
}

/** struct kern_ipc_perm. */
export interface IpcObject {
  readonly id: number;
  /** IPC_PRIVATE for none, and for a segment that is to go. */
  key: number;
  /** Permission bits, and SHM_DEST. */
  mode: number;
  user: number;
  group: number;
  /** When it was made, or its rights were changed; nanoseconds since 1970. */
  changed: bigint;
}

/** All queues, all sets of semaphores or all segments there are. */
export interface IpcSpace<T extends IpcObject> {
  readonly objects: Map<number, T>;
  /** Numbers go round: the low bits of the last one, and how often they began anew. */
  lastIndex: number;
  round: number;
}

export interface SemaphoreSet extends IpcObject {
  readonly semaphores: readonly Semaphore[];
  /** When operations last happened; 0 for never. */
  operated: bigint;
  /** By process: what is added to each semaphore when it ends. */
  readonly undo: Map<number, number[]>;
  /** In the order in which they began to wait. */
  waiters: readonly SemaphoreWaiter[];
}

export interface Semaphore {
  value: number;
  /** The process that changed it last. */
  process: number;
}

/** struct sembuf. */
export interface Operation {
  readonly semaphore: number;
  readonly change: number;
  readonly flags: number;
}

export interface SemaphoreWaiter {
  readonly process: number;
  readonly operations: readonly Operation[];
  /** The first one that cannot happen yet. */
  blocking: Operation;
  /** What the call ends with, once that is known. */
  outcome: 'done' | Errno | undefined;
}

export interface MessageQueue extends IpcObject {
  messages: readonly Message[];
  /** Most bytes that are queued. */
  capacity: number;
  readonly sent: Trace;
  readonly received: Trace;
  /** In the order in which they began to wait. */
  receivers: readonly Receiver[];
}

/** Who did it last, and when; 0 for nobody. */
export interface Trace {
  process: number;
  time: bigint;
}

export interface Message {
  readonly type: bigint;
  readonly bytes: Uint8Array;
}

/** What msgrcv asks for. */
export interface Receiver {
  readonly process: number;
  readonly type: bigint;
  readonly flags: number;
  readonly most: number;
  /** What it got. */
  outcome: Message | Errno | undefined;
}

/** Shared memory: a file without a name. */
export interface Segment extends IpcObject {
  readonly file: FileNode;
  /** As it was asked for: the file has whole pages. */
  readonly size: number;
  readonly maker: number;
  /** The process that attached or detached it last. */
  lastProcess: number;
  /** When it was attached and detached last; 0 for never. */
  attached: bigint;
  detached: bigint;
}
