import type { Errno } from '../errno.ts';
import type { Timer } from '../timer.ts';

/**
 * The guest's files: one tree of nodes in memory that starts as the host's tree and is loaded from it where the guest
 * looks. Writing changes nodes only, so the tree is the overlay: `data` is copy-on-write, `entries` hold additions,
 * null for what is not (or no longer) there, and nodes may sit elsewhere than their `origin`.
 * Everything is plain data: structuredClone makes a checkpoint.
 */
export type FsNode =
  | FileNode
  | DirectoryNode
  | LinkNode
  | TextNode
  | DeviceNode
  | MagicNode
  | PipeNode
  | SocketNode
  | TerminalNode;

interface NodeBase {
  /** Given out in the order of asking, so that neither the host's numbers nor its paths show. 0: not asked yet. */
  inode: number;
  /** Permission bits. */
  mode: number;
  /** Nanoseconds since 1970 on the virtual clock. */
  modified: bigint;
  /** Where it was set; else as `modified`. */
  accessed?: bigint;
  /** Once anything about it was changed: its contents, mode, owner, times or names. Else as `modified`. */
  changed?: bigint;
  /** Once anybody locked it. */
  locks?: LockTable;
  /** The last entry that it was made, unless it is a directory: who watches that hears of it. */
  entry?: Entry;
  /** What further entries it has, by link(2). */
  otherEntries?: readonly Entry[];
  /** Watches of inotify descriptors that lead here. */
  watchers?: readonly { readonly by: WatchNode; readonly watch: number }[] | undefined;
}

/** Where something is that is no directory, as long as it is not removed from there. */
export interface Entry {
  directory: DirectoryNode;
  name: string;
  isGone?: true;
}

/** Locks on a file (locks.ts): of fcntl in order of place, and of flock, which know nothing of each other. */
export interface LockTable {
  ranges: readonly Lock[];
  whole: readonly Lock[];
}

export interface Lock {
  readonly owner: LockOwner;
  /** Which process set it. */
  readonly process: number;
  /** `end` is exclusive, Infinity for the end of all files. */
  readonly start: number;
  readonly end: number;
  readonly isExclusive: boolean;
}

/** A process's descriptors stand for it, so that those who share them share its locks. */
export type LockOwner =
  | { readonly kind: 'process'; readonly descriptors: ReadonlyMap<number, unknown> }
  | { readonly kind: 'file'; readonly file: OpenFile };

export interface FileNode extends NodeBase {
  readonly kind: 'file';
  /** Host path of the contents, while `data` is absent. */
  readonly origin?: string;
  /** What it has in place of the host's contents there. */
  readonly supplied?: Uint8Array<ArrayBuffer>;
  /** Contents the guest wrote; only the first `size` bytes count. */
  data?: Uint8Array<ArrayBuffer>;
  size: number;
  links: number;
  /** Whether the guest chose the mode. */
  ownMode: boolean;
  /** Since somebody mapped it so that others see stores: how often it was written to, and when each page was, by that count. */
  writes?: { count: number; readonly pages: Map<number, number> };
  /** Of memfd_create: what nobody may do to it (seals.ts). */
  seals?: number;
}

/** File systems that have a directory of the tree as their root (file-systems.ts). */
export type Mounted = 'root' | 'devices' | 'terminals' | 'shared memory' | 'proc' | 'sys';

export interface DirectoryNode extends NodeBase {
  readonly kind: 'directory';
  parent: DirectoryNode;
  name: string;
  readonly entries: Map<string, FsNode | null>;
  /** Further names of directories in it, which are not listed: those on the way to the working directory. */
  ways?: Map<string, DirectoryNode>;
  /** What it is the root of. */
  readonly mounted?: Mounted;
  /** Host directory of the names that `entries` does not hold. */
  readonly origin?: string;
  /** Only these names come from the host, and they are not listed: /tmp and /dev/shm start empty. */
  readonly exposed?: readonly string[];
  /** Names that do not come from the host, whatever it has: /etc/ld.so.cache. */
  readonly absent?: readonly string[];
  /** Whether all names are in `entries`. */
  complete: boolean;
  /** It has no name any more, and gets no entries. */
  isRemoved?: true;
  /**
   * Not the host's. 'fixed': the guest can add and remove nothing; 'processes': /proc; 'descriptors': /proc/PID/fd;
   * 'descriptor facts': /proc/PID/fdinfo; 'threads': /proc/PID/task; 'terminals': /dev/pts; 'private': the guest may write, the host never sees it.
   */
  readonly special?: 'fixed' | 'processes' | 'terminals' | NumberedDirectory | 'private';
  /** Whose descriptors or threads. */
  readonly process?: number;
}

/** Directories of /proc/PID whose entries are numbers that come and go. */
export type NumberedDirectory = 'descriptors' | 'descriptor facts' | 'threads';

export interface LinkNode extends NodeBase {
  readonly kind: 'link';
  readonly target: string;
  readonly origin?: string;
}

/** A file of /proc or /sys whose text is ours: fixed, or made from the guest's state when opened. */
export interface TextNode extends NodeBase {
  readonly kind: 'text';
  readonly text:
    | string
    | { readonly about: 'uptime' }
    | { readonly about: SelfText; readonly process: number; readonly thread?: number }
    | { readonly about: 'descriptor'; readonly process: number; readonly descriptor: number };
}

/** What there is a file about in /proc/PID, and for some in /proc/PID/task/TID. */
export type SelfText =
  | 'auxv'
  | 'cmdline'
  | 'comm'
  | 'environ'
  | 'limits'
  | 'maps'
  | 'oom_score_adj'
  | 'stat'
  | 'statm'
  | 'status';

export interface DeviceNode extends NodeBase {
  readonly kind: 'device';
  readonly device: 'null' | 'zero' | 'full' | 'random' | 'tty' | 'ptmx' | 'other';
}

/** Links of /proc that lead to a thing rather than to a path. */
export interface MagicNode extends NodeBase {
  readonly kind: 'magic';
  readonly process: number;
  readonly leadsTo: 'cwd' | 'exe' | { readonly descriptor: number };
}

/** Bytes between descriptors: a pipe, one direction of a connection, or what a name in a directory leads to (mkfifo). */
export interface PipeNode extends NodeBase {
  readonly kind: 'pipe';
  /** What has been written and not read, in order, as far as it must be told apart. */
  readonly parcels: Parcel[];
  /** Bytes in them, and what they weigh. */
  length: number;
  weight: number;
  /** What they may weigh together. */
  capacity: number;
  /** How often something came in, and how often out where it was full. */
  came: number;
  madeRoom: number;
  /** How often a parcel was read to its end. */
  freed: number;
  /** How often it was opened for each: who opens a named pipe waits for somebody on the other side. */
  readonly opened: { readers: number; writers: number };
  /** SHUT_RD at its reading end, which gets what has come and then the end. */
  isShut?: true;
  /** A FIFO. Of others nobody waits for the other side who opens an end again, by /proc/self/fd. */
  readonly isNamed?: true;
}

/** What was written in one piece. */
export interface Parcel {
  readonly bytes: Uint8Array;
  /** Whether it is read as a whole or not at all: what does not fit is lost. */
  readonly isMessage: boolean;
  /** What it takes of the capacity beside its bytes. */
  readonly overhead: number;
  /** Open files that come with its first byte (SCM_RIGHTS). */
  readonly rights: readonly OpenFile[];
  /** The process that sent it, where somebody asked for that (SCM_CREDENTIALS). */
  readonly sender: number | undefined;
  /** The socket that it came from, which may get its name later. */
  readonly from?: SocketNode;
}

/** The guest's descriptors 0 to 2: pipes to the guest, ports to us. */
export interface StreamNode extends NodeBase {
  readonly kind: 'stream';
  readonly stream: 'stdin' | 'stdout' | 'stderr';
}

/** One end of a pseudo-terminal: what /dev/ptmx was opened as, or /dev/pts/N. */
export interface TerminalNode extends NodeBase {
  readonly kind: 'terminal';
  readonly side: 'master' | 'slave';
  readonly terminal: Terminal;
}

/** A pseudo-terminal: what both of its ends have in common (pty(7)), as plain data. */
export interface Terminal {
  /** Of /dev/pts/N. */
  readonly number: number;
  settings: TerminalSettings;
  size: WindowSize;
  /** TIOCSPTLCK: until it is let go, nobody opens the slave's end. */
  isLocked: boolean;
  /** TIOCEXCL: nobody opens it again. */
  isExclusive: boolean;
  /** The master's end was closed: whoever has the slave's reads the end of the file and can write no more. */
  isHungUp: boolean;
  /** How often the slave's end was opened. */
  opened: number;
  /** The session whose controlling terminal it is, and the group of it that is in the foreground. */
  session: number | undefined;
  foreground: number | undefined;
  /** What the master wrote that there is no room for in `lines` and `editing` yet. */
  readonly incoming: PipeNode;
  /** What the slave wrote, and echoes. */
  readonly outgoing: PipeNode;
  /** Whole lines of canonical input; what has been read of the first one is gone from it. */
  lines: number[][];
  /** The line at hand, which can be edited; all input where there are no lines. */
  editing: number[];
  /** The next byte is taken as it is (VLNEXT); erased characters are being printed (ECHOPRT). */
  isLiteral: boolean;
  isErasing: boolean;
  /** Column of the cursor, and where the line at hand began. */
  column: number;
  lineColumn: number;
  /** Output was stopped (VSTOP, TCOOFF). */
  isStopped: boolean;
  /** TIOCPKT: each read of the master begins with what has happened (TIOCPKT_*), which is collected here. */
  isPacket: boolean;
  happened: number;
}

/** struct ktermios: flags by the names of termios(3), and the control characters in the order of their numbers. */
export interface TerminalSettings {
  readonly input: number;
  readonly output: number;
  readonly control: number;
  readonly local: number;
  readonly discipline: number;
  readonly characters: Uint8Array<ArrayBuffer>;
  readonly inputSpeed: number;
  readonly outputSpeed: number;
}

/** struct winsize: rows, columns, and both in pixels. */
export type WindowSize = readonly [number, number, number, number];

/** One end of a connection: what it reads, and what the other end reads. Undefined: that way is not there yet. */
export interface SocketNode extends NodeBase {
  readonly kind: 'socket';
  inbox: PipeNode | undefined;
  outbox: PipeNode | undefined;
  /** AF_UNIX or AF_INET. */
  readonly family: number;
  /** SOCK_STREAM, SOCK_DGRAM or SOCK_SEQPACKET. */
  readonly type: number;
  /** The process that made the other end. */
  maker: number;
  /** What it is called, and the other end: a path, a text behind a zero byte, or an address (internet.ts); undefined for nothing. */
  name: string | undefined;
  peerName: string | undefined;
  isConnected: boolean;
  /** SHUT_WR: it writes no more. */
  isMute: boolean;
  /** Of a connection by name: whether somebody has accepted it. Both ends have it. */
  acceptance: { isDone: boolean } | undefined;
  /** Ends of connections that were made to it and nobody has accepted; whether no more are taken (SHUT_RD). */
  waiting: { readonly most: number; readonly queue: OpenFile[]; isShut: boolean } | undefined;
  /** SO_PASSCRED: whether it is told who sends. */
  asksSender: boolean;
  /** SO_RCVTIMEO and SO_SNDTIMEO in nanoseconds; undefined for ever. */
  readonly patience: { receiving: bigint | undefined; sending: bigint | undefined };
  /** Whether it was told that the other end closed without having read all (ECONNRESET), or is gone (ECONNREFUSED). */
  knowsLoss: boolean;
  /** Of AF_INET: what went wrong behind a call; whether connect has yet to tell that it is done. */
  error: Errno | undefined;
  isConnecting: boolean;
  /** Those that were set, by level and number. */
  readonly options: Map<string, number>;
}

/** eventfd(2). */
export interface CounterNode extends NodeBase {
  readonly kind: 'counter';
  /** How often something was added, and how often something was taken, which makes room. */
  came?: number;
  madeRoom?: number;
  value: bigint;
  /** EFD_SEMAPHORE: a read takes one. */
  readonly isSemaphore: boolean;
}

/** timerfd_create(2) */
export interface TimerNode extends NodeBase {
  readonly kind: 'timer';
  readonly timer: Timer;
}

/** signalfd(2). */
export interface SignalNode extends NodeBase {
  readonly kind: 'signals';
  set: bigint;
}

/** epoll_create(2). */
export interface InterestNode extends NodeBase {
  readonly kind: 'interests';
  /** By descriptor. */
  readonly interests: Map<number, Interest>;
  /** What is before all places that interests have, and behind them. */
  before: number;
  behind: number;
}

/** What it is called that a path led to. */
export interface Called {
  /** As the guest would name it, free of links. */
  readonly path: string;
  /** What the path was, which may be another by now (pathNow). */
  readonly entry?: Entry | undefined;
}

/** Linux's "open file description": shared by duplicates of a descriptor. */
export interface OpenFile extends Called {
  readonly node: OpenNode;
  /** O_* flags that F_GETFL shows. */
  flags: number;
  /** The path that was given to open. */
  readonly openedAs: string;
  offset: number;
  /** Directory entries as they were when reading began. */
  listing?: readonly ListedEntry[];
  /** Text of a /proc file, made when its beginning was read. */
  text?: Uint8Array<ArrayBuffer>;
  /** Whom F_SETOWN named. */
  owner?: number;
  /** Of a named pipe: how often it had been opened for writing. Until that grows, nobody has hung up. */
  readonly writersBefore?: number;
}

/** What is open, to be looked up. */
export interface InUse {
  readonly files: ReadonlySet<OpenFile>;
  readonly nodes: ReadonlySet<OpenNode>;
  /** Pipes that can be read from through something of that, and written to. */
  readonly readable: ReadonlySet<PipeNode>;
  readonly writable: ReadonlySet<PipeNode>;
  /** Those of sockets that ask who sends. */
  readonly asking: ReadonlySet<PipeNode>;
}

export interface ListedEntry {
  readonly name: string;
  readonly inode: number;
  readonly type: number;
}

export interface Interest {
  readonly file: OpenFile;
  /** They are told in the order of their places. */
  place: number;
  /** EPOLL*. */
  events: number;
  data: bigint;
  /** EPOLLET: what was told of last and has been ready ever since. */
  told: { events: number; readonly activity: readonly unknown[] } | undefined;
  /** EPOLLONESHOT, and it was told. */
  isSpent: boolean;
}

/** inotify_init(2). */
export interface WatchNode extends NodeBase {
  readonly kind: 'watches';
  next: number;
  /** By number. */
  readonly watches: Map<number, { readonly node: FsNode; mask: number }>;
  readonly queue: WatchEvent[];
  activity: number;
}

/** `mask` has IN_* bits; the name is that of an entry, of a directory that is watched. */
export interface WatchEvent {
  readonly watch: number;
  readonly mask: number;
  readonly cookie: number;
  readonly name: string;
}

/** pidfd_open(2). */
export interface ProcessNode extends NodeBase {
  readonly kind: 'process';
  /** Its number, which no other one ever has. */
  readonly process: number;
}

/** mq_open(3): messages in the order in which they are received. */
export interface MessageQueueNode extends NodeBase {
  readonly kind: 'messages';
  /** How many messages it takes, and how many bytes each. */
  readonly capacity: number;
  readonly largest: number;
  readonly messages: QueuedMessage[];
  /** Threads that wait for one. */
  readonly receivers: Set<number>;
  /** Who is told when a message comes to the empty queue (mq_notify), by a signal or not at all. */
  notifies:
    | { readonly process: number; readonly signal: number | undefined; readonly value: bigint }
    | undefined;
  /** How often something came or went. */
  activity: number;
}

export interface QueuedMessage {
  readonly priority: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What only descriptors lead to, and what transfers records (objects.ts). */
export type ObjectNode =
  | CounterNode
  | TimerNode
  | SignalNode
  | InterestNode
  | WatchNode
  | ProcessNode
  | MessageQueueNode;

export type OpenNode = FsNode | PipeNode | StreamNode | SocketNode | ObjectNode;

export function isObject(node: OpenNode): node is ObjectNode {
  return ['counter', 'timer', 'signals', 'interests', 'watches', 'process', 'messages'].includes(node.kind);
}

/** Whether bytes go through it: what was read is gone, and there is no offset. */
export function isStream(node: OpenNode): node is PipeNode | StreamNode | SocketNode | TerminalNode {
  return ['pipe', 'stream', 'socket', 'terminal'].includes(node.kind);
}

export function isExecutable(node: FileNode): boolean {
  return (node.mode & 0o111) !== 0;
}
