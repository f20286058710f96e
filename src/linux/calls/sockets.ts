import { type Args, int, size } from '../arguments.ts';
import { DATAGRAM, hasEnded, newConnection, newSocket, SEND_BUFFER, STREAM } from '../connections.ts';
import { ERRNO, fail } from '../errno.ts';
import { GROUP_ID, USER_ID } from '../fs/initial.ts';
import type { OpenFile, SocketNode } from '../fs/node.ts';
import { AF_INET, AF_UNIX } from '../internet.ts';
import { AF_NETLINK, NETLINK_ROUTE } from '../netlink.ts';
import { openUnnamed } from '../objects.ts';
import { O, openFile } from '../open-file.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { readDuration } from './durations.ts';

/** Sockets between processes of the guest (unix(7), ip(7)). There is no network beyond them. */

const TYPE_MASK = 0xf;
/** SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET. */
const TYPES = [1, 2, 5];
const SOCK_FLAGS = O.NON_BLOCKING | O.CLOSE_ON_EXEC;

function pair(system: System, [family, typeBits, protocol, address]: Args): number {
  if (int(family) !== AF_UNIX) fail(int(family) === 2 || int(family) === 10 ? 'EOPNOTSUPP' : 'EAFNOSUPPORT');
  const { type, flags } = kindOf(typeBits, protocol);
  system.user.requireWritable(size(address), 8);
  newConnection(system, type).forEach((node, i) => {
    system.user.putI32(size(address) + 4 * i, openUnnamed(system, node, 'socket', flags, O.READ_WRITE));
  });
  return 0;
}

function socket(system: System, [family, typeBits, protocol]: Args): number {
  const kind = KINDS.get(int(family)) ?? fail('EAFNOSUPPORT');
  const { type, flags } = kind(typeBits, protocol);
  return openUnnamed(system, newSocket(system, type, int(family)), 'socket', flags, O.READ_WRITE);
}

interface Kind {
  readonly type: number;
  readonly flags: number;
}

function kindOf(typeBits: bigint, protocol: bigint): Kind {
  const kind = split(typeBits);
  if (!TYPES.includes(kind.type)) fail('ESOCKTNOSUPPORT');
  if (int(protocol) !== 0 && int(protocol) !== AF_UNIX) fail('EPROTONOSUPPORT');
  return kind;
}

const SOCK_RAW = 3;
const [TCP, UDP] = [6, 17];

/** Only root may look below TCP and UDP. */
function internetKindOf(typeBits: bigint, protocol: bigint): Kind {
  const kind = split(typeBits);
  if (kind.type === SOCK_RAW) fail(int(protocol) === 0 ? 'EPROTONOSUPPORT' : 'EPERM');
  if (kind.type !== STREAM && kind.type !== DATAGRAM) fail('ESOCKTNOSUPPORT');
  if (int(protocol) !== 0 && int(protocol) !== (kind.type === STREAM ? TCP : UDP)) fail('EPROTONOSUPPORT');
  return kind;
}

/** Both types are messages that the kernel answers. */
function netlinkKindOf(typeBits: bigint, protocol: bigint): Kind {
  const { type, flags } = split(typeBits);
  if (type !== SOCK_RAW && type !== DATAGRAM) fail('ESOCKTNOSUPPORT');
  if (int(protocol) !== NETLINK_ROUTE) fail('EPROTONOSUPPORT');
  return { type: DATAGRAM, flags };
}

const KINDS = new Map([
  [AF_UNIX, kindOf],
  [AF_INET, internetKindOf],
  [AF_NETLINK, netlinkKindOf],
]);

function split(typeBits: bigint): Kind {
  const flags = int(typeBits) & ~TYPE_MASK;
  if ((flags & ~SOCK_FLAGS) !== 0) fail('EINVAL');
  return { type: int(typeBits) & TYPE_MASK, flags };
}

export function socketOf(
  system: System,
  number: bigint,
): { readonly file: OpenFile; readonly node: SocketNode } {
  const file = openFile(system, int(number));
  return file.node.kind === 'socket' ? { file, node: file.node } : fail('ENOTSOCK');
}

const SHUT_READ = 0;
const SHUT_WRITE = 1;
const SHUT_BOTH = 2;

function shutdown(system: System, [number, how]: Args): number {
  const { node } = socketOf(system, number);
  if (int(how) < SHUT_READ || int(how) > SHUT_BOTH) fail('EINVAL');
  const isAlone = !node.isConnected && node.waiting === undefined && node.family === AF_INET;
  if ((isAlone && node.type === STREAM) || hasEnded(system, node)) fail('ENOTCONN');
  if (int(how) !== SHUT_READ) node.isMute = true;
  if (int(how) !== SHUT_WRITE) shutReading(node);
  // Whoever waits for datagrams has been woken all the same.
  return isAlone ? fail('ENOTCONN') : 0;
}

/** What has come can be read; who listens by TCP does so no more. */
function shutReading(node: SocketNode): void {
  if (node.inbox !== undefined) node.inbox.isShut = true;
  if (node.waiting !== undefined) node.waiting.isShut = true;
  if (node.family === AF_INET) node.waiting = undefined;
}

const SOL_SOCKET = 1;
const SOL_NETLINK = 270;
const SO_PASSCRED = 16;
const SO_PEERCRED = 17;
/** Of kernels with 64-bit time, the only ones on x86-64. */
const SO_RCVTIMEO = 20;
const SO_SNDTIMEO = 21;

/** SO_REUSEADDR, SO_ERROR, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_PROTOCOL. */
const CONSTANTS: Readonly<Record<number, number>> = {
  2: 0,
  4: 0,
  7: SEND_BUFFER,
  8: SEND_BUFFER,
  9: 0,
  38: 0,
};
const SO_TYPE = 3;
const SO_ERROR = 4;
const SO_ACCEPTCONN = 30;

function optionOf(node: SocketNode, option: number): Int32Array | BigInt64Array {
  const { patience, type, asksSender, maker, waiting } = node;
  switch (option) {
    case SO_DOMAIN:
      return Int32Array.of(node.family);
    case SO_TYPE:
      return Int32Array.of(type);
    case SO_ACCEPTCONN:
      return Int32Array.of(waiting === undefined ? 0 : 1);
    case SO_PASSCRED:
      return Int32Array.of(asksSender ? 1 : 0);
    case SO_PEERCRED:
      return Int32Array.of(maker, USER_ID, GROUP_ID);
    case SO_RCVTIMEO:
      return timeOption(patience.receiving);
    case SO_SNDTIMEO:
      return timeOption(patience.sending);
    default:
      return Int32Array.of(CONSTANTS[option] ?? fail('ENOPROTOOPT'));
  }
}

/** struct timeval; 0 is for ever. */
function timeOption(nanoseconds = 0n): BigInt64Array {
  return BigInt64Array.of(nanoseconds / 1_000_000_000n, (nanoseconds % 1_000_000_000n) / 1000n);
}

/** SO_LINGER and TCP_INFO are structures; of the others what is not set is 0. */
const SO_LINGER = 13;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const SO_PROTOCOL = 38;
const SO_DOMAIN = 39;
const SOL_TCP = 6;
const TCP_INFO = 11;
const TCP_INFO_SIZE = 104;
const TCP_STATES = { established: 1, close: 7, listen: 10 } as const;
/** tcp_wmem and tcp_rmem. */
const TCP_BUFFERS = { send: 16_384, receive: 131_072 } as const;

function internetOptionOf(node: SocketNode, level: number, option: number): Int32Array | BigInt64Array {
  const isStream = node.type === STREAM;
  const kept = node.options.get(`${level} ${option}`);
  if (level === SOL_TCP && option === TCP_INFO) {
    const { established, close, listen } = TCP_STATES;
    const state = node.waiting !== undefined ? listen : node.isConnected ? established : close;
    const words = new Int32Array(TCP_INFO_SIZE / 4);
    words[0] = state;
    return words;
  }
  if (level !== SOL_SOCKET) return Int32Array.of(kept ?? 0);
  switch (option) {
    case SO_ERROR: {
      const { error } = node;
      node.error = undefined;
      return Int32Array.of(error === undefined ? 0 : ERRNO[error]);
    }
    case SO_SNDBUF:
      return Int32Array.of(2 * (kept ?? (isStream ? TCP_BUFFERS.send : SEND_BUFFER) / 2));
    case SO_RCVBUF:
      return Int32Array.of(2 * (kept ?? (isStream ? TCP_BUFFERS.receive : SEND_BUFFER) / 2));
    case SO_LINGER:
      return Int32Array.of(kept ?? 0, 0);
    case SO_PROTOCOL:
      return Int32Array.of(isStream ? TCP : UDP);
    case SO_DOMAIN:
    case SO_TYPE:
    case SO_ACCEPTCONN:
    case SO_RCVTIMEO:
    case SO_SNDTIMEO:
      return optionOf(node, option);
    default:
      return Int32Array.of(kept ?? 0);
  }
}

function getOption(system: System, [number, level, option, address, length]: Args): number {
  const { node } = socketOf(system, number);
  const isInternet = node.family === AF_INET;
  if (int(level) !== SOL_SOCKET && !isInternet) fail('EOPNOTSUPP');
  const found = isInternet ? internetOptionOf(node, int(level), int(option)) : optionOf(node, int(option));
  const value = new Uint8Array(found.buffer);
  const room = Math.min(value.length, system.user.i32(size(length)));
  if (room < 0) fail('EINVAL');
  system.user.write(size(address), value.subarray(0, room));
  system.user.putI32(size(length), room);
  return 0;
}

/** What is not kept changes nothing that could be seen. */
function setOption(system: System, [number, level, option, address, length]: Args): number {
  const { node } = socketOf(system, number);
  if (int(level) !== SOL_SOCKET) {
    // Those of netlink(7) ask for more to be told of errors, and of what changes.
    if (node.family === AF_NETLINK) return int(level) === SOL_NETLINK ? 0 : fail('ENOPROTOOPT');
    if (node.family !== AF_INET) fail('EOPNOTSUPP');
    return keepOption(system, node, int(level), int(option), address, int(length));
  }
  switch (int(option)) {
    case SO_PASSCRED:
      if (int(length) < 4) fail('EINVAL');
      node.asksSender = system.user.i32(size(address)) !== 0;
      return 0;
    case SO_RCVTIMEO:
    case SO_SNDTIMEO: {
      if (int(length) < 16) fail('EINVAL');
      const time = readDuration(system, size(address), 1000n);
      const which = int(option) === SO_RCVTIMEO ? 'receiving' : 'sending';
      node.patience[which] = time === 0n ? undefined : time;
      return 0;
    }
    default:
      return keepOption(system, node, SOL_SOCKET, int(option), address, int(length));
  }
}

function keepOption(
  system: System,
  node: SocketNode,
  level: number,
  option: number,
  address: bigint,
  length: number,
): number {
  if (node.family === AF_INET && length >= 4)
    node.options.set(`${level} ${option}`, system.user.i32(size(address)));
  return 0;
}

export const SOCKET_CALLS: readonly SyscallRow[] = [
  row(41, 'socket', 3, socket),
  row(53, 'socketpair', 4, pair),
  row(48, 'shutdown', 2, shutdown),
  row(55, 'getsockopt', 5, getOption),
  row(54, 'setsockopt', 5, setOption),
];
