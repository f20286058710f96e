import { type Args, int, size } from '../arguments.ts';
import { fromBytes, toBytes } from '../bytes.ts';
import { SEND_BUFFER, STREAM } from '../connections.ts';
import { ERRNO, fail } from '../errno.ts';
import { GROUP_ID, USER_ID } from '../fs/initial.ts';
import type { SocketNode } from '../fs/node.ts';
import { AF_INET, AF_UNIX, TCP, UDP } from '../internet.ts';
import { MTU, NAME } from '../loopback.ts';
import { AF_NETLINK } from '../netlink.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { readDuration } from './durations.ts';
import { socketOf } from './sockets.ts';

/** Options of sockets: socket(7), ip(7), tcp(7), udp(7). */

const SOL_IP = 0;
const SOL_SOCKET = 1;
const SOL_NETLINK = 270;

/**
 * What can be set and only is remembered, as nothing that could be seen depends on it. What would have to be answered for, or
 * changes what others receive, is not here and refused: filters, SO_TXTIME, TCP_INQ, TCP_MD5SIG, UDP_CORK, UDP_SEGMENT.
 */
const SOCKET_OPTIONS = [
  1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 29, 32, 33, 34, 35, 36, 37, 40, 41, 43, 44, 45, 46, 47, 49,
  63, 64, 69, 70, 74, 75,
];
const IP_OPTIONS_KNOWN = [
  1, 2, 4, 6, 7, 8, 10, 11, 12, 13, 15, 18, 19, 20, 21, 23, 24, 25, 26, 32, 33, 34, 35, 36, 37, 38, 39, 40,
  42, 43, 44, 45, 46, 47, 49, 50, 51,
];
const TCP_OPTIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 18, 23, 25, 27, 30, 34];
/** UDP_NO_CHECK6_TX, UDP_NO_CHECK6_RX, UDP_GRO. */
const UDP_OPTIONS = [101, 102, 104];

/** Undefined: nobody knows the level. */
function optionsOf({ family, type }: SocketNode, level: number): readonly number[] | undefined {
  if (level === SOL_SOCKET) return SOCKET_OPTIONS;
  if (family !== AF_INET) return undefined;
  if (level === SOL_IP) return IP_OPTIONS_KNOWN;
  if (level === TCP && type === STREAM) return TCP_OPTIONS;
  return level === UDP && type !== STREAM ? UDP_OPTIONS : undefined;
}

/** By level and option, where it is not 0. */
const INITIAL: Readonly<Record<string, number>> = {
  // SO_RCVLOWAT, SO_MAX_PACING_RATE, SO_INCOMING_CPU.
  '1 18': 1,
  '1 47': -1,
  '1 49': -1,
  // IP_TTL, IP_MTU_DISCOVER, IP_MULTICAST_TTL, IP_MULTICAST_LOOP, IP_MULTICAST_ALL.
  '0 2': 64,
  '0 10': 1,
  '0 33': 1,
  '0 34': 1,
  '0 49': 1,
  // TCP_MAXSEG, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_SYNCNT, TCP_LINGER2, TCP_QUICKACK.
  '6 2': 536,
  '6 4': 7200,
  '6 5': 75,
  '6 6': 9,
  '6 7': 6,
  '6 8': 60,
  '6 12': 1,
};

type Value = Int32Array | BigInt64Array | Uint8Array;

function remembered(node: SocketNode, level: number, option: number): Int32Array {
  const known = optionsOf(node, level) ?? fail('EOPNOTSUPP');
  if (!known.includes(option)) fail('ENOPROTOOPT');
  const key = `${level} ${option}`;
  return Int32Array.of(node.options.get(key) ?? INITIAL[key] ?? 0);
}

const SO_TYPE = 3;
const SO_ERROR = 4;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const SO_LINGER = 13;
const SO_PASSCRED = 16;
const SO_PEERCRED = 17;
/** Of kernels with 64-bit time, the only ones on x86-64. */
const SO_RCVTIMEO = 20;
const SO_SNDTIMEO = 21;
const SO_BINDTODEVICE = 25;
const SO_ACCEPTCONN = 30;
const SO_PROTOCOL = 38;
const SO_DOMAIN = 39;
const SO_ZEROCOPY = 60;
/** tcp_wmem and tcp_rmem. */
const TCP_BUFFERS = { send: 16_384, receive: 131_072 } as const;

function socketOption(node: SocketNode, option: number): Value {
  const { patience, type, asksSender, maker, waiting, family, error } = node;
  const isTcp = family === AF_INET && type === STREAM;
  const bufferSize = (initial: number): Value =>
    Int32Array.of(2 * (node.options.get(`${SOL_SOCKET} ${option}`) ?? initial / 2));
  switch (option) {
    case SO_DOMAIN:
      return Int32Array.of(family);
    case SO_TYPE:
      return Int32Array.of(type);
    case SO_PROTOCOL:
      return Int32Array.of(family === AF_INET ? (isTcp ? TCP : UDP) : 0);
    case SO_ERROR:
      node.error = undefined;
      return Int32Array.of(error === undefined ? 0 : ERRNO[error]);
    case SO_SNDBUF:
      return bufferSize(isTcp ? TCP_BUFFERS.send : SEND_BUFFER);
    case SO_RCVBUF:
      return bufferSize(isTcp ? TCP_BUFFERS.receive : SEND_BUFFER);
    case SO_LINGER:
      return Int32Array.of(...remembered(node, SOL_SOCKET, SO_LINGER), 0);
    case SO_ACCEPTCONN:
      return Int32Array.of(waiting === undefined ? 0 : 1);
    case SO_PASSCRED:
      return Int32Array.of(asksSender ? 1 : 0);
    case SO_PEERCRED:
      return family === AF_UNIX ? Int32Array.of(maker, USER_ID, GROUP_ID) : Int32Array.of(0, -1, -1);
    case SO_RCVTIMEO:
      return timeOption(patience.receiving);
    case SO_SNDTIMEO:
      return timeOption(patience.sending);
    case SO_BINDTODEVICE:
      return new Uint8Array(0);
    default:
      return remembered(node, SOL_SOCKET, option);
  }
}

/** struct timeval; 0 is for ever. */
function timeOption(nanoseconds = 0n): BigInt64Array {
  return BigInt64Array.of(nanoseconds / 1_000_000_000n, (nanoseconds % 1_000_000_000n) / 1000n);
}

const IP_OPTIONS = 4;
const IP_MTU = 14;

function ipOption(node: SocketNode, option: number): Value {
  if (option === IP_OPTIONS) return new Uint8Array(0);
  if (option === IP_MTU) return Int32Array.of(node.isConnected ? MTU : fail('ENOTCONN'));
  return remembered(node, SOL_IP, option);
}

const TCP_INFO = 11;
const TCP_CONGESTION = 13;
const TCP_ULP = 31;
const TCP_INFO_SIZE = 104;
const TCP_STATES = { established: 1, close: 7, listen: 10 } as const;
/** The algorithms that anybody may choose, the first one unless told otherwise. */
const ALGORITHMS = ['cubic', 'reno'];
const ALGORITHM_SIZE = 16;

function tcpOption(node: SocketNode, option: number): Value {
  if (option === TCP_INFO) {
    const { established, close, listen } = TCP_STATES;
    const words = new Int32Array(TCP_INFO_SIZE / 4);
    words[0] = node.waiting !== undefined ? listen : node.isConnected ? established : close;
    return words;
  }
  if (option === TCP_CONGESTION) return toBytes(ALGORITHMS[0].padEnd(ALGORITHM_SIZE, '\0'));
  return remembered(node, TCP, option);
}

function optionValue(node: SocketNode, level: number, option: number): Value {
  if (level === SOL_SOCKET) return socketOption(node, option);
  if (node.family === AF_INET && level === SOL_IP) return ipOption(node, option);
  if (node.family === AF_INET && level === TCP && node.type === STREAM) return tcpOption(node, option);
  return remembered(node, level, option);
}

function getOption(system: System, [number, level, option, address, length]: Args): number {
  const { node } = socketOf(system, number);
  const { buffer, byteOffset, byteLength } = optionValue(node, int(level), int(option));
  const value = new Uint8Array(buffer, byteOffset, byteLength);
  const room = Math.min(value.length, system.user.i32(size(length)));
  if (room < 0) fail('EINVAL');
  system.user.write(size(address), value.subarray(0, room));
  system.user.putI32(size(length), room);
  return 0;
}

function setOption(system: System, [number, level, option, address, length]: Args): number {
  const { node } = socketOf(system, number);
  if (int(length) < 0) fail('EINVAL');
  const given: Given = { at: size(address), length: int(length) };
  if (int(level) === SOL_SOCKET) setSocketOption(system, node, int(option), given);
  else if (node.family === AF_NETLINK) {
    // Those of netlink(7) ask for more to be told of errors, and of what changes.
    if (int(level) !== SOL_NETLINK) fail('ENOPROTOOPT');
  } else if (node.family === AF_INET) setInternetOption(system, node, int(level), int(option), given);
  else fail('EOPNOTSUPP');
  return 0;
}

/** Where a value is. */
interface Given {
  readonly at: number;
  readonly length: number;
}

function setSocketOption(system: System, node: SocketNode, option: number, given: Given): void {
  if (option === SO_BINDTODEVICE) {
    if (!['', NAME].includes(textAt(system, given))) fail('ENODEV');
    return;
  }
  const value = numberAt(system, given);
  switch (option) {
    case SO_PASSCRED:
      node.asksSender = value !== 0;
      return;
    case SO_RCVTIMEO:
    case SO_SNDTIMEO: {
      if (given.length < 16) fail('EINVAL');
      const time = readDuration(system, given.at, 1000n);
      const which = option === SO_RCVTIMEO ? 'receiving' : 'sending';
      node.patience[which] = time === 0n ? undefined : time;
      return;
    }
    case SO_ZEROCOPY:
      // Whoever has it waits to be told that each message was sent.
      return fail('EOPNOTSUPP');
    default:
      if (option === SO_LINGER && given.length < 8) fail('EINVAL');
      remember(node, SOL_SOCKET, option, value);
  }
}

function setInternetOption(
  system: System,
  node: SocketNode,
  level: number,
  option: number,
  given: Given,
): void {
  const isNamed = level === TCP && node.type === STREAM && (option === TCP_CONGESTION || option === TCP_ULP);
  if (isNamed) {
    if (option === TCP_ULP || !ALGORITHMS.includes(textAt(system, given))) fail('ENOENT');
    return;
  }
  if (optionsOf(node, level) === undefined) fail('ENOPROTOOPT');
  remember(node, level, option, level === SOL_IP ? byteOrNumberAt(system, given) : numberAt(system, given));
}

function numberAt(system: System, { at, length }: Given): number {
  return length < 4 ? fail('EINVAL') : system.user.i32(at);
}

function byteOrNumberAt(system: System, given: Given): number {
  const { at, length } = given;
  return length >= 4 ? numberAt(system, given) : length > 0 ? system.user.read(at, 1)[0] : 0;
}

function textAt(system: System, { at, length }: Given): string {
  return fromBytes(system.user.read(at, Math.min(length, ALGORITHM_SIZE - 1))).split('\0')[0];
}

function remember(node: SocketNode, level: number, option: number, value: number): void {
  if (!optionsOf(node, level)?.includes(option)) fail('ENOPROTOOPT');
  node.options.set(`${level} ${option}`, value);
}

export const SOCKET_OPTION_CALLS: readonly SyscallRow[] = [
  row(55, 'getsockopt', 5, getOption),
  row(54, 'setsockopt', 5, setOption),
];
