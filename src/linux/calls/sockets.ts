import { type Args, int, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { PipeNode, SocketNode } from '../fs/node.ts';
import { NEW_NODE, openUnnamed } from '../objects.ts';
import { isReadable, O, openFile } from '../open-file.ts';
import type { OpenFile } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { type Buffer, OWN, one, read, vector, write } from './read-write.ts';
import { hasEnd } from './transfer.ts';

/** Connections between descriptors of the guest (socketpair). There is no network: no socket has a name or finds another. */

const AF_UNIX = 1;
const TYPE_MASK = 0xf;
/** SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET. */
const TYPES = [1, 2, 5];
const SOCK_FLAGS = O.NON_BLOCKING | O.CLOSE_ON_EXEC;

function pair(system: System, [family, typeBits, protocol, address]: Args): number {
  if (int(family) !== AF_UNIX) fail(int(family) === 2 || int(family) === 10 ? 'EOPNOTSUPP' : 'EAFNOSUPPORT');
  const flags = int(typeBits) & ~TYPE_MASK;
  const type = int(typeBits) & TYPE_MASK;
  if (!TYPES.includes(type)) fail('ESOCKTNOSUPPORT');
  if ((flags & ~SOCK_FLAGS) !== 0) fail('EINVAL');
  if (int(protocol) !== 0 && int(protocol) !== AF_UNIX) fail('EPROTONOSUPPORT');
  system.user.requireWritable(size(address), 8);
  const way = (): PipeNode => ({ ...NEW_NODE, kind: 'pipe', data: new Uint8Array(0) });
  const [there, back] = [way(), way()];
  const end = (inbox: PipeNode, outbox: PipeNode): number =>
    openUnnamed(system, { ...NEW_NODE, kind: 'socket', type, inbox, outbox }, 'socket', flags, O.READ_WRITE);
  system.user.putI32(size(address), end(back, there));
  system.user.putI32(size(address) + 4, end(there, back));
  return 0;
}

/** Of whatever family: there is nobody to connect to. */
function socket(): number {
  return fail('EAFNOSUPPORT');
}

function socketOf(system: System, number: bigint): { readonly file: OpenFile; readonly node: SocketNode } {
  const file = openFile(system, int(number));
  return file.node.kind === 'socket' ? { file, node: file.node } : fail('ENOTSOCK');
}

const SHUT_READ = 0;
const SHUT_WRITE = 1;
const SHUT_BOTH = 2;

function shutdown(system: System, [number, how]: Args): number {
  const { node } = socketOf(system, number);
  if (int(how) < SHUT_READ || int(how) > SHUT_BOTH) fail('EINVAL');
  if (int(how) !== SHUT_WRITE) node.inbox = undefined;
  if (int(how) !== SHUT_READ) node.outbox = undefined;
  return 0;
}

const MSG_PEEK = 0x02;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
const KNOWN_FLAGS = MSG_PEEK | MSG_DONTWAIT | MSG_NOSIGNAL | 0x100 | 0x4000_0000;

/** As read and write, but that a flag keeps this one call from waiting. */
function withFlags(file: OpenFile, flags: number, run: () => number): number {
  if ((flags & ~KNOWN_FLAGS) !== 0) fail('EOPNOTSUPP');
  const before = file.flags;
  if ((flags & MSG_DONTWAIT) !== 0) file.flags |= O.NON_BLOCKING;
  try {
    return run();
  } finally {
    file.flags = before;
  }
}

function sendBytes(system: System, number: bigint, buffers: readonly Buffer[], flags: number): number {
  const { file, node } = socketOf(system, number);
  const isHeard = node.outbox !== undefined && hasEnd(system, node.outbox, isReadable);
  if ((flags & MSG_NOSIGNAL) !== 0 && !isHeard) fail('EPIPE');
  return withFlags(file, flags, () => write(system, number, buffers, OWN));
}

function receiveBytes(system: System, number: bigint, buffers: readonly Buffer[], flags: number): number {
  const { file, node } = socketOf(system, number);
  return withFlags(file, flags, () => {
    const data = node.inbox?.data;
    const count = read(system, number, buffers, OWN);
    if ((flags & MSG_PEEK) !== 0 && node.inbox !== undefined && data !== undefined) node.inbox.data = data;
    return count;
  });
}

/** struct msghdr: name, its length, vector, its length, control, its length, flags. Nothing is sent beside the bytes. */
function message(system: System, address: bigint): readonly Buffer[] {
  const at = size(address);
  return vector(system, system.user.u64(at + 16), system.user.u64(at + 24));
}

function sendMessage(system: System, [number, address, flags]: Args): number {
  if (system.user.u64(size(address) + 40) !== 0n) fail('EOPNOTSUPP');
  return sendBytes(system, number, message(system, address), int(flags));
}

function receiveMessage(system: System, [number, address, flags]: Args): number {
  const count = receiveBytes(system, number, message(system, address), int(flags));
  const at = size(address);
  system.user.putI32(at + 8, 0);
  system.user.putI64(at + 40, 0n);
  system.user.putI32(at + 48, 0);
  return count;
}

const SOL_SOCKET = 1;
/** SO_TYPE, SO_ERROR, SO_SNDBUF, SO_RCVBUF, SO_ACCEPTCONN, SO_DOMAIN. */
const OPTIONS: Readonly<Record<number, number>> = { 4: 0, 7: 212_992, 8: 212_992, 30: 0, 39: AF_UNIX };
const SO_TYPE = 3;

function getOption(system: System, [number, level, option, address, length]: Args): number {
  const { node } = socketOf(system, number);
  if (int(level) !== SOL_SOCKET) fail('EOPNOTSUPP');
  const value = int(option) === SO_TYPE ? node.type : (OPTIONS[int(option)] ?? fail('ENOPROTOOPT'));
  const room = Math.min(4, system.user.i32(size(length)));
  system.user.write(size(address), new Uint8Array(Int32Array.of(value).buffer).subarray(0, room));
  system.user.putI32(size(length), room);
  return 0;
}

/** An address of the family without a name. */
function name(system: System, [number, address, length]: Args): number {
  socketOf(system, number);
  const room = Math.min(2, system.user.i32(size(length)));
  system.user.write(size(address), Uint8Array.of(AF_UNIX, 0).subarray(0, room));
  system.user.putI32(size(length), 2);
  return 0;
}

/** What only sockets with names can do. */
const unnamed = (number: number, called: string, args: number, errno: 'EINVAL' | 'EISCONN'): SyscallRow =>
  row(number, called, args, (system, [fd]) => {
    socketOf(system, fd);
    return fail(errno);
  });

export const SOCKET_CALLS: readonly SyscallRow[] = [
  row(41, 'socket', 3, socket),
  row(53, 'socketpair', 4, pair),
  row(44, 'sendto', 6, (s, [fd, buffer, length, flags]) => sendBytes(s, fd, one(buffer, length), int(flags))),
  row(45, 'recvfrom', 6, (s, [fd, buffer, length, flags]) =>
    receiveBytes(s, fd, one(buffer, length), int(flags)),
  ),
  row(46, 'sendmsg', 3, sendMessage),
  row(47, 'recvmsg', 3, receiveMessage),
  row(48, 'shutdown', 2, shutdown),
  row(51, 'getsockname', 3, name),
  row(52, 'getpeername', 3, name),
  row(55, 'getsockopt', 5, getOption),
  row(54, 'setsockopt', 5, (s, [fd]) => {
    socketOf(s, fd);
    return 0;
  }),
  unnamed(42, 'connect', 3, 'EISCONN'),
  unnamed(43, 'accept', 3, 'EINVAL'),
  unnamed(288, 'accept4', 4, 'EINVAL'),
  unnamed(49, 'bind', 3, 'EINVAL'),
  unnamed(50, 'listen', 2, 'EINVAL'),
  unnamed(299, 'recvmmsg', 5, 'EINVAL'),
  unnamed(307, 'sendmmsg', 4, 'EINVAL'),
];
