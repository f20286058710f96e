import { int, size } from '../arguments.ts';
import { fromBytes } from '../bytes.ts';
import { connect, DATAGRAM, newSocket } from '../connections.ts';
import { fail } from '../errno.ts';
import type { OpenFile, SocketNode } from '../fs/node.ts';
import {
  ADDRESS_SIZE,
  AF_INET,
  ANY_HOST,
  bindAnywhere,
  endpointOf,
  LOOPBACK,
  reachable,
  recordOf,
  socketAt,
  takeError,
} from '../internet.ts';
import { O } from '../open-file.ts';
import type { System } from '../system.ts';
import { waitFor } from '../wait.ts';

const AF_UNSPEC = 0;

/** struct sockaddr_in, as a name; undefined for AF_UNSPEC. */
export function internetNameAt(system: System, address: bigint, length: bigint): string | undefined {
  if (int(length) < 2) fail('EINVAL');
  const family = system.user.read(size(address), 2)[0];
  if (family === AF_UNSPEC) return undefined;
  if (int(length) < ADDRESS_SIZE) fail('EINVAL');
  if (family !== AF_INET) fail('EAFNOSUPPORT');
  return recordOf(endpointOf(fromBytes(system.user.read(size(address), ADDRESS_SIZE).slice())));
}

/** Who does not wait is told the outcome by the next call, or by SO_ERROR: the answer takes its time, even from nearby. */
export function connectInternet(
  system: System,
  file: OpenFile,
  node: SocketNode,
  name: string | undefined,
): number {
  if (node.type === DATAGRAM) {
    const peerName = name === undefined ? undefined : recordOf(reachable(endpointOf(name)));
    if (peerName !== undefined) bindAnywhere(system, node, LOOPBACK);
    Object.assign(node, { peerName, isConnected: peerName !== undefined });
    return 0;
  }
  takeError(node);
  if (node.isConnecting) {
    node.isConnecting = false;
    return 0;
  }
  if (name === undefined) return fail('EAFNOSUPPORT');
  if (node.isConnected || node.waiting !== undefined) fail('EISCONN');
  const to = reachable(endpointOf(name));
  bindAnywhere(system, node, LOOPBACK);
  const waits = (file.flags & O.NON_BLOCKING) === 0;
  const target = socketAt(system, node.type, to);
  const waiting = target?.waiting;
  if (target === undefined || waiting === undefined) {
    if (waits) fail('ECONNREFUSED');
    node.error = 'ECONNREFUSED';
    return fail('EINPROGRESS');
  }
  const hasRoom = () => waiting.queue.length <= waiting.most;
  if (waits && !hasRoom())
    return waitFor({
      call: 'connect',
      reason: 'nobody accepts the connection',
      isReady: () => hasRoom() || target.waiting !== waiting,
    });
  const other: SocketNode = {
    ...newSocket(system, node.type, AF_INET),
    name: recordOf(to),
    maker: target.maker,
  };
  if (endpointOf(node.name!).host === ANY_HOST)
    node.name = recordOf({ host: LOOPBACK, port: endpointOf(node.name!).port });
  connect(node, other);
  node.acceptance = { isDone: false };
  other.acceptance = node.acceptance;
  waiting.queue.push({ node: other, path: 'socket', openedAs: 'socket', flags: O.READ_WRITE, offset: 0 });
  if (waits) return 0;
  node.isConnecting = true;
  return fail('EINPROGRESS');
}
