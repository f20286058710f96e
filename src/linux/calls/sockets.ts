import { type Args, int, size } from '../arguments.ts';
import { DATAGRAM, hasEnded, newConnection, newSocket, STREAM } from '../connections.ts';
import { fail } from '../errno.ts';
import type { OpenFile, SocketNode } from '../fs/node.ts';
import { AF_INET, AF_UNIX, TCP, UDP } from '../internet.ts';
import { AF_NETLINK, NETLINK_ROUTE } from '../netlink.ts';
import { openUnnamed } from '../objects.ts';
import { O, openFile } from '../open-file.ts';
import { row, type SyscallRow, type System } from '../system.ts';

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

export const SOCKET_CALLS: readonly SyscallRow[] = [
  row(41, 'socket', 3, socket),
  row(53, 'socketpair', 4, pair),
  row(48, 'shutdown', 2, shutdown),
];
