import { type Args, int, size } from '../arguments.ts';
import { fromBytes, toBytes } from '../bytes.ts';
import { realTime } from '../clock.ts';
import { connect, DATAGRAM, hasEnded, newSocket } from '../connections.ts';
import { fail } from '../errno.ts';
import type { OpenFile, SocketNode } from '../fs/node.ts';
import { setEntry } from '../fs/tree.ts';
import { find, walk } from '../fs/walk.ts';
import {
  AF_INET,
  AF_UNIX,
  ANY_HOST,
  bindAnywhere,
  bindTo,
  endpointOf,
  NO_ENDPOINT,
  recordOf,
} from '../internet.ts';
import { AF_NETLINK, NETLINK_ADDRESS_SIZE, netlinkPort, netlinkRecord } from '../netlink.ts';
import { addDescriptor, O } from '../open-file.ts';
import { isHeld } from '../open-files.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, giveWay, isOver, waitFor } from '../wait.ts';
import { IN, tellEntry } from '../watches.ts';
import { connectInternet, internetNameAt } from './internet.ts';
import { socketOf } from './sockets.ts';

/** Names of sockets, and connections by them: paths, or texts behind a zero byte that are no paths (unix(7)). */

const FAMILY_SIZE = 2;
const LONGEST_ADDRESS = 110;

/** An address of the socket's family; undefined for one that names nothing. */
export function nameAt(
  system: System,
  { family }: SocketNode,
  address: bigint,
  length: bigint,
): string | undefined {
  if (family === AF_NETLINK) return netlinkNameAt(system, address, length);
  return family === AF_INET ? internetNameAt(system, address, length) : pathAt(system, address, length);
}

/** struct sockaddr_nl; undefined where the kernel is to choose. */
function netlinkNameAt(system: System, address: bigint, length: bigint): string | undefined {
  if (int(length) < NETLINK_ADDRESS_SIZE) fail('EINVAL');
  const record = fromBytes(system.user.read(size(address), NETLINK_ADDRESS_SIZE).slice());
  if (record.charCodeAt(0) !== AF_NETLINK || record.charCodeAt(1) !== 0) fail('EINVAL');
  const port = netlinkPort(record);
  return port === 0 ? undefined : netlinkRecord(port);
}

/** struct sockaddr_un. */
function pathAt(system: System, address: bigint, length: bigint): string | undefined {
  if (int(length) < FAMILY_SIZE || int(length) > LONGEST_ADDRESS) fail('EINVAL');
  const bytes = system.user.read(size(address), int(length)).slice();
  if (bytes[0] !== AF_UNIX || bytes[1] !== 0) fail('EINVAL');
  const text = fromBytes(bytes.subarray(FAMILY_SIZE));
  if (text === '') return undefined;
  return text.startsWith('\0') ? text : text.split('\0')[0];
}

/** Tells a name as far as there is room for it, and how long it is. */
export function putName(
  system: System,
  { family }: SocketNode,
  name: string | undefined,
  address: bigint,
  length: bigint,
): void {
  const record = toBytes(recordOfName(family, name));
  const room = system.user.i32(size(length));
  if (room < 0) fail('EINVAL');
  system.user.write(size(address), record.subarray(0, room));
  system.user.putI32(size(length), record.length);
}

function recordOfName(family: number, name: string | undefined): string {
  if (family === AF_NETLINK) return name ?? netlinkRecord(0);
  return family === AF_INET ? (name ?? recordOf(NO_ENDPOINT)) : pathRecord(name);
}

/** struct sockaddr_un. */
function pathRecord(name: string | undefined): string {
  const isPath = name !== undefined && !name.startsWith('\0');
  return `\x01\0${name ?? ''}${isPath ? '\0' : ''}`;
}

function bind(system: System, [number, address, length]: Args): number {
  const { node } = socketOf(system, number);
  const { state } = system;
  const given = nameAt(system, node, address, length);
  if (node.family === AF_INET) {
    bindTo(system, node, given === undefined ? NO_ENDPOINT : endpointOf(given));
    return 0;
  }
  if (node.family === AF_NETLINK) {
    if (node.name !== undefined && node.name !== (given ?? node.name)) fail('EINVAL');
    node.name ??= given ?? netlinkRecord(system.state.process.id);
    return 0;
  }
  const name = given ?? freeName(system);
  if (node.name !== undefined) fail('EINVAL');
  if (name.startsWith('\0')) {
    if (abstract(system, name) !== undefined) fail('EADDRINUSE');
    state.shared.abstractSockets.set(name, node);
  } else {
    const place = walk(system, state.paths.cwd, name, false);
    if (place.node !== undefined) fail('EADDRINUSE');
    node.mode = 0o777 & ~state.paths.umask;
    setEntry(place.directory, place.name, node, realTime(system));
    tellEntry(place.directory, place.name, node, IN.CREATE);
  }
  node.name = name;
  return 0;
}

/** Autobind: five hexadecimal digits. */
function freeName(system: System): string {
  for (let number = 0; ; number++) {
    const name = `\0${number.toString(16).padStart(5, '0')}`;
    if (abstract(system, name) === undefined) return name;
  }
}

/** Names that are no paths go with the last who has the socket. */
function abstract(system: System, name: string): SocketNode | undefined {
  const node = system.state.shared.abstractSockets.get(name);
  return node !== undefined && isHeld(system, node) ? node : undefined;
}

/** The socket of a name. Names that are paths outlive their sockets. */
export function socketNamed(system: System, name: string): SocketNode {
  const found = name.startsWith('\0') ? abstract(system, name) : find(system, system.state.paths.cwd, name);
  if (found?.kind !== 'socket' || !isHeld(system, found)) return fail('ECONNREFUSED');
  return found;
}

const LARGEST_BACKLOG = 4096;

function listen(system: System, [number, backlog]: Args): number {
  const { node } = socketOf(system, number);
  if (node.type === DATAGRAM) fail('EOPNOTSUPP');
  if (node.family === AF_INET && !node.isConnected) bindAnywhere(system, node, ANY_HOST);
  if (node.name === undefined || node.isConnected) fail('EINVAL');
  const most = Math.min(int(backlog) >>> 0, LARGEST_BACKLOG);
  node.waiting = { queue: [], isShut: false, ...node.waiting, most };
  node.maker = system.state.process.id;
  return 0;
}

function connectTo(system: System, [number, address, length]: Args): number {
  const { file, node } = socketOf(system, number);
  const given = nameAt(system, node, address, length);
  if (node.family === AF_INET) return connectInternet(system, file, node, given);
  if (node.family === AF_NETLINK) {
    // There is only the kernel to send to.
    if (given !== undefined) fail('ECONNREFUSED');
    node.name ??= netlinkRecord(system.state.process.id);
    Object.assign(node, { isConnected: true, peerName: netlinkRecord(0) });
    return 0;
  }
  const name = given ?? fail('EINVAL');
  const target = socketNamed(system, name);
  if (target.type !== node.type) fail('EPROTOTYPE');
  if (node.type === DATAGRAM) {
    Object.assign(node, { outbox: target.inbox, isConnected: true, peerName: target.name, knowsLoss: false });
    return 0;
  }
  if (node.isConnected) fail('EISCONN');
  if (node.waiting !== undefined) fail('EINVAL');
  const { waiting } = target;
  if (waiting === undefined || waiting.isShut) return fail('ECONNREFUSED');
  const hasRoom = () => waiting.queue.length <= waiting.most;
  if (!hasRoom()) {
    if ((file.flags & O.NON_BLOCKING) !== 0) return fail('EAGAIN');
    return waitFor({
      call: 'connect',
      reason: 'nobody accepts the connection',
      isReady: () => hasRoom() || target.waiting !== waiting || waiting.isShut,
    });
  }
  const other: SocketNode = { ...newSocket(system, node.type), name: target.name, maker: target.maker };
  connect(node, other);
  node.acceptance = { isDone: false };
  other.acceptance = node.acceptance;
  waiting.queue.push({ node: other, path: 'socket', openedAs: 'socket', flags: O.READ_WRITE, offset: 0 });
  return 0;
}

const ACCEPT_FLAGS = O.NON_BLOCKING | O.CLOSE_ON_EXEC;

function accept(system: System, [number, address, length]: Args, flags: number): number {
  const { file, node } = socketOf(system, number);
  if ((flags & ~ACCEPT_FLAGS) !== 0) fail('EINVAL');
  if (node.type === DATAGRAM) fail('EOPNOTSUPP');
  const { waiting } = node;
  if (waiting === undefined) return fail('EINVAL');
  const [first] = waiting.queue;
  if (first === undefined) {
    const deadline = deadlineAfter(system, node.patience.receiving);
    if ((file.flags & O.NON_BLOCKING) === 0 && !isOver(system, deadline)) {
      if (waiting.isShut) fail('EINVAL');
      return waitFor({
        call: 'accept',
        reason: 'nobody connects to the socket',
        ...(deadline !== undefined && { deadline, endsBySignal: true }),
        isReady: () => waiting.queue.length > 0 || waiting.isShut || node.waiting !== waiting,
      });
    }
    giveWay(system);
    return fail('EAGAIN');
  }
  const opened: OpenFile = { ...first, flags: first.flags | (flags & O.NON_BLOCKING) };
  const descriptor = addDescriptor(system, opened, (flags & O.CLOSE_ON_EXEC) !== 0);
  waiting.queue.shift();
  const end = first.node as SocketNode;
  if (end.acceptance !== undefined) end.acceptance.isDone = true;
  if (size(address) !== 0) putName(system, end, end.peerName, address, length);
  return descriptor;
}

function ownName(system: System, [number, address, length]: Args): number {
  const { node } = socketOf(system, number);
  putName(system, node, node.name, address, length);
  return 0;
}

function peerName(system: System, [number, address, length]: Args): number {
  const { node } = socketOf(system, number);
  if (!node.isConnected || hasEnded(system, node)) fail('ENOTCONN');
  putName(system, node, node.peerName, address, length);
  return 0;
}

export const SOCKET_NAME_CALLS: readonly SyscallRow[] = [
  row(42, 'connect', 3, connectTo),
  row(43, 'accept', 3, (s, args) => accept(s, args, 0)),
  row(288, 'accept4', 4, (s, args) => accept(s, args, int(args[3]))),
  row(49, 'bind', 3, bind),
  row(50, 'listen', 2, listen),
  row(51, 'getsockname', 3, ownName),
  row(52, 'getpeername', 3, peerName),
];
