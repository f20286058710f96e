import { realTime } from './clock.ts';
import { fail } from './errno.ts';
import type { OpenFile, PipeNode, SocketNode } from './fs/node.ts';
import { AF_INET, AF_UNIX, sendDatagram, takeError } from './internet.ts';
import { AF_NETLINK, sendToKernel } from './netlink.ts';
import { isReadable, isWritable, O } from './open-file.ts';
import { hasEnd, isAsked } from './open-files.ts';
import { append, newPipe } from './pipes.ts';
import { fromProcess } from './signals/information.ts';
import { send } from './signals/pending.ts';
import { SIGPIPE } from './signals/sets.ts';
import type { System } from './system.ts';
import { deadlineAfter, giveWay, isOver, waitFor } from './wait.ts';

/** Sockets that are connected to each other: net/unix/af_unix.c. */

export const STREAM = 1;
export const DATAGRAM = 2;

/** net.core.wmem_default. */
export const SEND_BUFFER = 212_992;
/**
 * TCP puts small writes together, so that only bytes count: about so many go by the loopback interface to an end that does not
 * read, whatever the size of the writes (tcp_wmem's 4 MiB but for what buffers take beside the bytes).
 */
const TCP_CAPACITY = 60 * 65_536;

/** Two ends that are connected. */
export function newConnection(system: System, type: number): readonly [SocketNode, SocketNode] {
  const ends = [newSocket(system, type), newSocket(system, type)] as const;
  connect(ends[0], ends[1]);
  return ends;
}

/** An end that is not connected; datagrams can come all the same. */
export function newSocket(system: System, type: number, family = AF_UNIX): SocketNode {
  return {
    kind: 'socket',
    inode: 0,
    mode: 0o777,
    modified: realTime(system),
    inbox: type === DATAGRAM ? newPipe(SEND_BUFFER) : undefined,
    outbox: undefined,
    family,
    type,
    maker: system.state.process.id,
    name: undefined,
    peerName: undefined,
    isConnected: false,
    isMute: false,
    acceptance: undefined,
    waiting: undefined,
    asksSender: false,
    patience: { receiving: undefined, sending: undefined },
    knowsLoss: false,
    error: undefined,
    isConnecting: false,
    options: new Map(),
  };
}

export function connect(a: SocketNode, b: SocketNode): void {
  const capacity = a.family === AF_INET ? TCP_CAPACITY : SEND_BUFFER;
  const [there, back] = [newPipe(capacity), newPipe(capacity)];
  const [ofA, ofB] = [a.maker, b.maker];
  Object.assign(a, { inbox: back, outbox: there, isConnected: true, maker: ofB, peerName: b.name });
  Object.assign(b, { inbox: there, outbox: back, isConnected: true, maker: ofA, peerName: a.name });
}

/** Whether the other end is there no more. */
function isAlone(system: System, { inbox, outbox }: SocketNode): boolean {
  if (inbox !== undefined) return !hasEnd(system, inbox, isWritable) && !isHeardThrough(system, outbox);
  return !isHeardThrough(system, outbox);
}

const isHeardThrough = (system: System, outbox: PipeNode | undefined): boolean =>
  outbox !== undefined && hasEnd(system, outbox, isReadable);

/** Whether nothing can come any more. Datagrams may come from anywhere, so that an end of them does not end. */
export function isInboxOver(system: System, { inbox, type }: SocketNode): boolean {
  if (inbox === undefined || inbox.isShut) return true;
  return type !== DATAGRAM && !hasEnd(system, inbox, isWritable);
}

export function isOutboxOver(system: System, node: SocketNode): boolean {
  return node.isMute || (node.type !== DATAGRAM && !isTaken(system, node));
}

/** Whether the other end takes what is sent. One that reads no more does not, but TCP does not tell that it reads no more. */
function isTaken(system: System, { outbox, family, knowsLoss }: SocketNode): boolean {
  return isHeardThrough(system, outbox) && !(family === AF_UNIX ? outbox!.isShut : knowsLoss);
}

/** TCP: whether both ways are over, so that there is no connection any more. */
export function hasEnded(system: System, node: SocketNode): boolean {
  if (node.family !== AF_INET || node.type !== STREAM || !node.isConnected) return false;
  if (node.knowsLoss || hasLoss(system, node)) return true;
  return node.isMute && !hasEnd(system, node.inbox!, isWritable);
}

/** Whether the other end has closed and left unread what it was sent, or was never accepted, and nobody was told. */
export function hasLoss(system: System, node: SocketNode): boolean {
  const { inbox, outbox, type, acceptance, knowsLoss } = node;
  if (type === DATAGRAM || knowsLoss || inbox === undefined || !isAlone(system, node)) return false;
  return (outbox?.parcels.length ?? 0) > 0 || acceptance?.isDone === false;
}

/** Waits until something is there or nothing can come any more, and tells whether something is. */
export function awaitParcel(system: System, file: OpenFile, node: SocketNode): boolean {
  const { inbox, patience, type } = node;
  takeError(node);
  const isUnix = node.family === AF_UNIX;
  if (!node.isConnected && type !== DATAGRAM) fail(isUnix && type === STREAM ? 'EINVAL' : 'ENOTCONN');
  if (inbox !== undefined && inbox.parcels.length > 0) return true;
  const waits = (file.flags & O.NON_BLOCKING) === 0;
  // Of datagrams only who waits is told that no more come.
  if (isInboxOver(system, node) && (waits || type !== DATAGRAM)) {
    if (!hasLoss(system, node)) return false;
    node.knowsLoss = true;
    return fail('ECONNRESET');
  }
  const deadline = deadlineAfter(system, patience.receiving);
  if (!waits || isOver(system, deadline)) {
    giveWay(system);
    return fail('EAGAIN');
  }
  return waitFor({
    call: 'read',
    reason: 'nobody writes to the connection',
    ...(deadline !== undefined && { deadline, endsBySignal: true }),
    isReady: () => inbox!.parcels.length > 0 || isInboxOver(system, node),
  });
}

/** What is sent beside the bytes. */
export interface Beside {
  readonly rights: readonly OpenFile[];
  /** Whether who sends is told even where nobody asked. */
  readonly tellsSender: boolean;
  /** MSG_NOSIGNAL. */
  readonly isQuiet: boolean;
}

export const NOTHING_BESIDE: Beside = { rights: [], tellsSender: false, isQuiet: false };

/** Sends all of it, or as much as there is room for and the call does not wait. */
export function sendParcels(
  system: System,
  file: OpenFile,
  node: SocketNode,
  bytes: Uint8Array,
  beside: Beside = NOTHING_BESIDE,
): number {
  if (node.family === AF_NETLINK) return sendToKernel(system, node, bytes);
  if (node.family === AF_INET && node.type === DATAGRAM) return sendDatagram(system, node, bytes);
  if (node.family === AF_INET && node.type === STREAM && isUnheard(system, node)) return bytes.length;
  const done = system.waited?.done ?? 0;
  requirePeer(system, node, beside, done);
  return node.type === STREAM
    ? sendStream(system, file, node, bytes, beside, done)
    : sendMessage(system, file, node, bytes, beside);
}

/** TCP: what is sent first to an end that has closed, or shut both ways, goes out; its answer is that nobody is there. */
function isUnheard(system: System, node: SocketNode): boolean {
  const { isConnected, isMute, inbox, outbox, knowsLoss } = node;
  if (!isConnected || isMute || outbox === undefined || knowsLoss) return false;
  const isShut = outbox.isShut === true && !hasEnd(system, inbox!, isWritable);
  if (!isShut && hasEnd(system, outbox, isReadable)) return false;
  const isReset = hasLoss(system, node);
  node.knowsLoss = true;
  return isReset ? fail('ECONNRESET') : true;
}

function requirePeer(system: System, node: SocketNode, { isQuiet }: Beside, done: number): void {
  const { outbox, type, family } = node;
  takeError(node);
  if (!node.isConnected && family === AF_UNIX) fail('ENOTCONN');
  if (done > 0 || (!node.isMute && isTaken(system, node))) return;
  if (type === DATAGRAM && !node.isMute && !isHeardThrough(system, outbox)) {
    const errno = node.knowsLoss ? 'ENOTCONN' : 'ECONNREFUSED';
    node.knowsLoss = true;
    fail(errno);
  }
  if (type === STREAM && !isQuiet) send(system.state, fromProcess(system.state.process, SIGPIPE));
  fail('EPIPE');
}

/** The kernel takes a stream apart: what its buffers hold beside 32 KiB in pages. */
const LARGEST_PIECE = 48_832;

function sendStream(
  system: System,
  file: OpenFile,
  node: SocketNode,
  bytes: Uint8Array,
  beside: Beside,
  done: number,
): number {
  const outbox = node.outbox!;
  let at = done;
  while (at < bytes.length) {
    if (isOutboxOver(system, node)) return at;
    if (outbox.weight >= outbox.capacity) break;
    const piece = bytes.slice(at, at + LARGEST_PIECE);
    const rights = at === 0 ? beside.rights : [];
    append(outbox, { ...parcel(system, node, piece, beside), rights, isMessage: false });
    at += piece.length;
  }
  if (at === bytes.length) return at;
  return waitForRoom(system, file, node, at);
}

function sendMessage(
  system: System,
  file: OpenFile,
  node: SocketNode,
  bytes: Uint8Array,
  beside: Beside,
): number {
  const outbox = node.outbox!;
  if (bytes.length > SEND_BUFFER - 32) fail('EMSGSIZE');
  if (outbox.weight >= outbox.capacity) return waitForRoom(system, file, node, 0);
  append(outbox, { ...parcel(system, node, bytes.slice(), beside), isMessage: true });
  return bytes.length;
}

function parcel(system: System, node: SocketNode, bytes: Uint8Array, { rights, tellsSender }: Beside) {
  const { outbox, asksSender } = node;
  const isTold = tellsSender || asksSender || (outbox !== undefined && isAsked(system, outbox));
  const sender = isTold ? system.state.process.id : undefined;
  const overhead = node.family === AF_INET ? 0 : overheadOf(bytes.length);
  return { bytes, overhead, rights, sender, from: node };
}

/** truesize of a buffer: struct sk_buff, and its data in a piece of the allocator's next size; large ones in pages. */
function overheadOf(length: number): number {
  const HEAD = 256;
  const SHARED = 320;
  let piece = 512;
  while (piece < length + SHARED && piece < 8192) piece *= 2;
  const space = length + SHARED <= piece ? piece : Math.ceil((length + SHARED) / PAGE) * PAGE;
  return HEAD + space - length;
}

const PAGE = 4096;

function waitForRoom(system: System, file: OpenFile, node: SocketNode, done: number): number {
  const outbox = node.outbox!;
  const deadline = deadlineAfter(system, node.patience.sending);
  if ((file.flags & O.NON_BLOCKING) !== 0 || isOver(system, deadline)) {
    if (done > 0) return done;
    giveWay(system);
    return fail('EAGAIN');
  }
  return waitFor({
    call: 'write',
    reason: 'nobody reads from the connection',
    done,
    ...(deadline !== undefined && { deadline, endsBySignal: true }),
    isReady: () => outbox.weight < outbox.capacity || node.isMute || !isTaken(system, node),
  });
}
