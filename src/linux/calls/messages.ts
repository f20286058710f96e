import { type Args, int, size, uint } from '../arguments.ts';
import {
  awaitParcel,
  type Beside,
  DATAGRAM,
  isInboxOver,
  NOTHING_BESIDE,
  STREAM,
  sendParcels,
} from '../connections.ts';
import { fail, LinuxError } from '../errno.ts';
import { GROUP_ID, USER_ID } from '../fs/initial.ts';
import type { OpenFile, SocketNode } from '../fs/node.ts';
import { AF_INET } from '../internet.ts';
import { AF_NETLINK } from '../netlink.ts';
import { NotYet } from '../not-yet.ts';
import { addDescriptor, descriptor, O } from '../open-file.ts';
import { whileOpening } from '../open-files.ts';
import { lookInto, type Received, takeFrom } from '../pipes.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, isOver, waitFor } from '../wait.ts';
import { readDuration } from './durations.ts';
import { type Buffer, gathered, lengthOf, one, requireRoom, scatter, vector } from './read-write.ts';
import { nameAt, putName, socketNamed } from './socket-names.ts';
import { socketOf } from './sockets.ts';

/** Sending and receiving through connections, with open files and senders beside the bytes: unix(7), cmsg(3). */

const MSG_OOB = 0x01;
const MSG_PEEK = 0x02;
const MSG_CTRUNC = 0x08;
const MSG_TRUNC = 0x20;
const MSG_DONTWAIT = 0x40;
const MSG_WAITALL = 0x100;
const MSG_ERRQUEUE = 0x2000;
const MSG_NOSIGNAL = 0x4000;
const MSG_WAITFORONE = 0x1_0000;
const MSG_FASTOPEN = 0x2000_0000;
const MSG_CMSG_CLOEXEC = 0x4000_0000;
const MSG_CMSG_COMPAT = 0x8000_0000 | 0;

/** Other flags change nothing that could be seen, as on Linux. There is no urgent data. */
function requireSendable({ family, type, isConnected }: SocketNode, flags: number): void {
  if ((flags & MSG_OOB) !== 0) fail('EOPNOTSUPP');
  if ((flags & MSG_FASTOPEN) !== 0 && family === AF_INET && type === STREAM)
    fail(isConnected ? 'EISCONN' : 'EOPNOTSUPP');
}

function requireReceivable({ family, type }: SocketNode, flags: number): void {
  const isUdp = family === AF_INET && type === DATAGRAM;
  if ((flags & MSG_OOB) !== 0 && !isUdp) fail(type === STREAM ? 'EINVAL' : 'EOPNOTSUPP');
  // What went wrong is told by calls, never here.
  if ((flags & MSG_ERRQUEUE) !== 0 && family === AF_INET) fail('EAGAIN');
}

/** As read and write, but that a flag keeps this one call from waiting. */
function withFlags<T>(file: OpenFile, flags: number, run: () => T): T {
  const before = file.flags;
  if ((flags & MSG_DONTWAIT) !== 0) file.flags |= O.NON_BLOCKING;
  try {
    return run();
  } finally {
    file.flags = before;
  }
}

function sendBytes(
  system: System,
  number: bigint,
  buffers: readonly Buffer[],
  flags: number,
  beside: Beside,
): number {
  const { file, node } = socketOf(system, number);
  requireSendable(node, flags);
  const isQuiet = (flags & MSG_NOSIGNAL) !== 0;
  const bytes = gathered(system, buffers);
  return withFlags(file, flags, () => sendParcels(system, file, node, bytes, { ...beside, isQuiet }));
}

function sendTo(system: System, [number, buffer, length, flags, address, addressLength]: Args): number {
  const { node } = socketOf(system, number);
  const name = size(address) === 0 ? undefined : nameAt(system, node, address, addressLength);
  return towards(system, node, name, () =>
    sendBytes(system, number, one(buffer, length), int(flags), NOTHING_BESIDE),
  );
}

/**
 * A datagram may go to another socket than the one that its own is connected to; TCP and packets in sequence pay no heed to a
 * name (tcp_sendmsg, unix_seqpacket_sendmsg).
 */
function towards(system: System, node: SocketNode, name: string | undefined, run: () => number): number {
  const isHeeded = node.type === DATAGRAM || (node.type === STREAM && node.family !== AF_INET);
  if (name === undefined || !isHeeded || node.family === AF_NETLINK) return run();
  if (node.type !== DATAGRAM) return fail(node.isConnected ? 'EISCONN' : 'EOPNOTSUPP');
  if (node.family === AF_INET) return towardsAddress(node, name, run);
  const { inbox, type } = socketNamed(system, name);
  if (type !== DATAGRAM) fail('EPROTOTYPE');
  const { outbox, isConnected } = node;
  Object.assign(node, { outbox: inbox, isConnected: true });
  try {
    return whileOpening(system, undefined, run);
  } finally {
    Object.assign(node, { outbox, isConnected });
  }
}

/** Who is not connected hears of nothing that goes wrong behind the call. */
function towardsAddress(node: SocketNode, name: string, run: () => number): number {
  const { peerName, isConnected } = node;
  Object.assign(node, { peerName: name, isConnected: true });
  try {
    return run();
  } finally {
    Object.assign(node, { peerName, isConnected });
    if (!isConnected) node.error = undefined;
  }
}

/** What to do with what was received: nothing where the connection is over. */
type Delivery = (received: Received | undefined) => number;

/** Waits for what there is to receive, and takes it unless the receiver only looks. */
function receive(
  system: System,
  number: bigint,
  buffers: readonly Buffer[],
  flags: number,
  deliver: Delivery,
): number {
  const { file, node } = socketOf(system, number);
  requireReceivable(node, flags);
  const wanted = lengthOf(buffers);
  const received = withFlags(file, flags, () => {
    if ((wanted === 0 && node.type === STREAM) || !awaitParcel(system, file, node)) return undefined;
    return lookInto(node.inbox!, wanted);
  });
  if (received === undefined) return deliver(undefined);
  const isAll = (flags & (MSG_WAITALL | MSG_PEEK | MSG_TRUNC)) === MSG_WAITALL && node.type === STREAM;
  if (isAll) return receiveAll(system, number, buffers, flags, deliver);
  requireRoom(system, buffers, received.bytes.length);
  scatter(system, buffers, received.bytes);
  if ((flags & MSG_PEEK) === 0) takeFrom(node.inbox!, wanted);
  return deliver(received);
}

/** MSG_WAITALL, of bytes that come one after another: takes what comes until there is no more room, or no more comes. */
function receiveAll(
  system: System,
  number: bigint,
  buffers: readonly Buffer[],
  flags: number,
  deliver: Delivery,
): number {
  const { file, node } = socketOf(system, number);
  const wanted = lengthOf(buffers);
  requireRoom(system, buffers, wanted);
  const inbox = node.inbox!;
  const deadline = deadlineAfter(system, node.patience.receiving);
  const waits = ((file.flags & O.NON_BLOCKING) | (flags & MSG_DONTWAIT)) === 0;
  const taken = new Uint8Array(wanted);
  let all = lookInto(inbox, 0);
  const deliverAll = () => {
    scatter(system, buffers, all.bytes);
    return deliver(all);
  };
  const goOn = (): number => {
    while (all.whole < wanted && all.rights.length === 0 && inbox.parcels.length > 0) {
      const { bytes, rights } = takeFrom(inbox, wanted - all.whole);
      taken.set(bytes, all.whole);
      const whole = all.whole + bytes.length;
      all = { ...all, rights, whole, bytes: taken.subarray(0, whole) };
    }
    const isWhole = all.whole === wanted || all.rights.length > 0;
    if (!isWhole && waits && !isInboxOver(system, node) && !isOver(system, deadline))
      waitFor({
        call: 'recvfrom',
        reason: 'nobody writes to the connection',
        ...(deadline !== undefined && { deadline, endsBySignal: true }),
        isReady: () => inbox.parcels.length > 0 || isInboxOver(system, node),
        interrupted: deliverAll,
        goOn,
        done: all.whole,
      });
    return deliverAll();
  };
  return goOn();
}

function receiveFrom(system: System, [number, buffer, length, flagBits, address, nameLength]: Args): number {
  const { node } = socketOf(system, number);
  const flags = int(flagBits);
  return receive(system, number, one(buffer, length), flags, (received) => {
    if (size(address) !== 0) putSource(system, node, received, address, nameLength);
    return lengthToTell(received, flags);
  });
}

function lengthToTell(received: Received | undefined, flags: number): number {
  if (received === undefined) return 0;
  return (flags & MSG_TRUNC) !== 0 ? received.whole : received.bytes.length;
}

/** Of a datagram the name of the socket that it came from, if that has one; a connection's other end is known. */
function putSource(
  system: System,
  node: SocketNode,
  received: Received | undefined,
  address: bigint,
  length: bigint,
): void {
  const name = received?.from?.name;
  const isKnown = node.family === AF_INET && node.type !== DATAGRAM;
  if (name === undefined || isKnown) system.user.putI32(size(length), 0);
  else putName(system, node, name, address, length);
}

/** struct msghdr: name, its length, vector, its length, control, its length, flags. */
interface Message {
  readonly at: number;
  readonly buffers: readonly Buffer[];
  readonly control: number;
  readonly controlLength: number;
}

function messageAt(system: System, at: number): Message {
  const { user } = system;
  return {
    at,
    buffers: vector(system, user.u64(at + 16), user.u64(at + 24)),
    control: Number(user.u64(at + 32)),
    controlLength: Number(user.u64(at + 40)),
  };
}

/** struct cmsghdr: length with the header, level, type; SOL_SOCKET's SCM_RIGHTS and SCM_CREDENTIALS. */
const HEADER = 16;
const SOL_SOCKET = 1;
const SCM_RIGHTS = 1;
const SCM_CREDENTIALS = 2;
const MOST_RIGHTS = 253;
const aligned = (length: number): number => Math.ceil(length / 8) * 8;

function besideOf(system: System, { control, controlLength }: Message): Beside {
  const rights: OpenFile[] = [];
  let tellsSender = false;
  const { user } = system;
  for (let at = 0; at + HEADER <= controlLength; ) {
    const length = Number(user.u64(control + at));
    if (length < HEADER || at + length > controlLength) fail('EINVAL');
    const data = user.read(control + at + HEADER, length - HEADER).slice();
    const words = new Int32Array(data.buffer, 0, data.length >> 2);
    // Of other levels the family knows nothing.
    if (user.i32(control + at + 8) === SOL_SOCKET)
      switch (user.i32(control + at + 12)) {
        case SCM_RIGHTS:
          for (const number of words) rights.push(descriptor(system, number).file);
          break;
        case SCM_CREDENTIALS:
          requireOwn(system, words);
          tellsSender = true;
          break;
        default:
          fail('EINVAL');
      }
    at += aligned(length);
  }
  if (rights.length > MOST_RIGHTS) fail('EINVAL');
  return { ...NOTHING_BESIDE, rights, tellsSender };
}

function requireOwn(system: System, [process, user, group, ...rest]: Int32Array): void {
  if (group === undefined || rest.length > 0) fail('EINVAL');
  if (process !== system.state.process.id || user !== USER_ID || group !== GROUP_ID) fail('EPERM');
}

function sendMessage(system: System, number: bigint, at: number, flags: number): number {
  const { node } = socketOf(system, number);
  if ((flags & MSG_CMSG_COMPAT) !== 0) fail('EINVAL');
  const message = messageAt(system, at);
  const { user } = system;
  const hasName = user.u64(at) !== 0n && user.i32(at + 8) > 0;
  const name = hasName ? nameAt(system, node, user.u64(at), BigInt(user.i32(at + 8))) : undefined;
  return towards(system, node, name, () =>
    sendBytes(system, number, message.buffers, flags, besideOf(system, message)),
  );
}

function receiveMessage(system: System, number: bigint, at: number, flags: number): number {
  const { node } = socketOf(system, number);
  if ((flags & MSG_CMSG_COMPAT) !== 0) fail('EINVAL');
  const message = messageAt(system, at);
  return receive(system, number, message.buffers, flags, (received) => {
    const isCut = received !== undefined && received.whole > received.bytes.length;
    const told = putBeside(system, message, node, received, (flags & MSG_CMSG_CLOEXEC) !== 0);
    if (system.user.u64(at) === 0n) system.user.putI32(at + 8, 0);
    else putSource(system, node, received, system.user.u64(at), BigInt(at + 8));
    system.user.putI64(at + 40, BigInt(told.length));
    system.user.putI32(
      at + 48,
      (isCut ? MSG_TRUNC : 0) | (told.isCut ? MSG_CTRUNC : 0) | (flags & MSG_CMSG_CLOEXEC),
    );
    return lengthToTell(received, flags);
  });
}

/** Tells what came beside the bytes, as far as there is room: who sent them, then descriptors for open files. */
function putBeside(
  system: System,
  { control, controlLength }: Message,
  { asksSender }: SocketNode,
  received: Received | undefined,
  closeOnExec: boolean,
): { readonly length: number; readonly isCut: boolean } {
  let at = 0;
  let isCut = false;
  const put = (type: number, words: readonly number[]): void => {
    const length = HEADER + 4 * words.length;
    const room = Math.min(length, controlLength - at);
    isCut ||= room < length;
    if (room < HEADER) return;
    const record = new Uint8Array(length);
    new DataView(record.buffer).setBigUint64(0, BigInt(room), true);
    record.set(new Uint8Array(Int32Array.of(SOL_SOCKET, type, ...words).buffer), 8);
    system.user.write(control + at, record.subarray(0, room));
    at = Math.min(at + aligned(room), controlLength);
  };
  if (asksSender && received !== undefined) {
    const { sender } = received;
    put(SCM_CREDENTIALS, sender === undefined ? [0, NOBODY, NOBODY] : [sender, USER_ID, GROUP_ID]);
  }
  const rights = received?.rights ?? [];
  if (rights.length > 0) {
    const fits = Math.max(0, Math.floor((controlLength - at - HEADER) / 4));
    isCut ||= fits < rights.length;
    const given = rights.slice(0, fits);
    if (given.length > 0)
      put(
        SCM_RIGHTS,
        given.map((file) => addDescriptor(system, file, closeOnExec)),
      );
  }
  return { length: at, isCut };
}

/** overflowuid, for whom there is no number. */
const NOBODY = 65_534;
/** sizeof(struct mmsghdr): a msghdr, and how many bytes went. */
const MESSAGE_SIZE = 64;
const COUNT_AT = 56;
const MOST_MESSAGES = 1024;

/** What goes wrong with a later one is for the next call to find; none but the first one waits. */
function sendMessages(system: System, [number, address, count, flagBits]: Args): number {
  let sent = 0;
  for (; sent < Math.min(uint(count), MOST_MESSAGES); sent++) {
    const at = size(address) + MESSAGE_SIZE * sent;
    const flags = int(flagBits) | (sent > 0 ? MSG_DONTWAIT : 0);
    const length = afterOthers(sent, () => sendMessage(system, number, at, flags));
    if (length === undefined) break;
    system.user.putI32(at + COUNT_AT, length);
  }
  return sent;
}

/**
 * Waits for all, or for the first one only where a flag says so, but not until each is full, which datagrams are. The timeout
 * is looked at behind each: recvmmsg(2), BUGS.
 */
function receiveMessages(system: System, [number, address, count, flagBits, timeout]: Args): number {
  const deadline = deadlineAfter(system, readDuration(system, size(timeout), 1n));
  let received = system.waited?.done ?? 0;
  for (; received < Math.min(uint(count), MOST_MESSAGES); received++) {
    if (received > 0 && isOver(system, deadline)) break;
    const at = size(address) + MESSAGE_SIZE * received;
    const waits = received === 0 || (int(flagBits) & MSG_WAITFORONE) === 0;
    const flags = (int(flagBits) & ~MSG_WAITALL) | (waits ? 0 : MSG_DONTWAIT);
    const length = afterOthers(received, () => receiveMessage(system, number, at, flags));
    if (length === undefined) break;
    system.user.putI32(at + COUNT_AT, length);
  }
  return received;
}

function afterOthers(done: number, run: () => number): number | undefined {
  try {
    return run();
  } catch (problem) {
    if (done === 0) throw problem;
    if (problem instanceof NotYet) throw new NotYet({ ...problem.wait, done });
    if (problem instanceof LinuxError) return undefined;
    throw problem;
  }
}

export const MESSAGE_CALLS: readonly SyscallRow[] = [
  row(44, 'sendto', 6, sendTo),
  row(45, 'recvfrom', 6, receiveFrom),
  row(46, 'sendmsg', 3, (s, [number, at, flags]) => sendMessage(s, number, size(at), int(flags))),
  row(47, 'recvmsg', 3, (s, [number, at, flags]) => receiveMessage(s, number, size(at), int(flags))),
  row(299, 'recvmmsg', 5, receiveMessages),
  row(307, 'sendmmsg', 4, sendMessages),
];
