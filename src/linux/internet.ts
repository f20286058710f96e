import { fromBytes, toBytes } from './bytes.ts';
import { fail } from './errno.ts';
import type { SocketNode } from './fs/node.ts';
import { isHeld } from './open-files.ts';
import { append } from './pipes.ts';
import type { System } from './system.ts';

/**
 * Sockets of the family AF_INET (ip(7)), of which there is the loopback interface: the guest's processes reach one another, and
 * every other address is out of reach. A name is a struct sockaddr_in.
 */

export const AF_UNIX = 1;
export const AF_INET = 2;
/** IPPROTO_TCP, IPPROTO_UDP. */
export const TCP = 6;
export const UDP = 17;
const DATAGRAM = 2;

export interface Endpoint {
  /** As a number: 127.0.0.1 is 0x7f000001. */
  readonly host: number;
  readonly port: number;
}

export const ANY_HOST = 0;
export const LOOPBACK = 0x7f00_0001;
export const NO_ENDPOINT: Endpoint = { host: ANY_HOST, port: 0 };

/** sizeof(struct sockaddr_in) */
export const ADDRESS_SIZE = 16;

export function recordOf({ host, port }: Endpoint): string {
  const view = new DataView(new ArrayBuffer(ADDRESS_SIZE));
  view.setUint16(0, AF_INET, true);
  view.setUint16(2, port);
  view.setUint32(4, host);
  return fromBytes(new Uint8Array(view.buffer));
}

export function endpointOf(record: string): Endpoint {
  const bytes = toBytes(record);
  const view = new DataView(bytes.buffer, bytes.byteOffset, ADDRESS_SIZE);
  return { host: view.getUint32(4), port: view.getUint16(2) };
}

/** 127.0.0.0/8 */
const isLoopback = (host: number): boolean => host >>> 24 === 127;

/** Whom an address means: who asks for no host in particular means this one. Throws ENETUNREACH. */
export function reachable({ host, port }: Endpoint): Endpoint {
  if (host === ANY_HOST) return { host: LOOPBACK, port };
  return isLoopback(host) ? { host, port } : fail('ENETUNREACH');
}

/** Ports below are root's. */
const FIRST_PORT = 1024;
/** ip_local_port_range; given out in order. */
export const FIRST_FREE = 32_768;
const LAST_FREE = 60_999;

/** Gives the socket a name. Throws EADDRINUSE. */
export function bindTo(system: System, node: SocketNode, { host, port }: Endpoint): void {
  if (node.name !== undefined) fail('EINVAL');
  if (host !== ANY_HOST && !isLoopback(host)) fail('EADDRNOTAVAIL');
  if (port !== 0 && port < FIRST_PORT) fail('EACCES');
  const endpoint = { host, port: port === 0 ? freePort(system, node, host) : port };
  if (!isFree(system, node, endpoint)) fail('EADDRINUSE');
  node.name = recordOf(endpoint);
  system.state.shared.internetSockets.add(node);
}

function freePort(system: System, node: SocketNode, host: number): number {
  const { shared } = system.state;
  for (let count = FIRST_FREE; count <= LAST_FREE; count++) {
    const port = shared.nextPort;
    shared.nextPort = port === LAST_FREE ? FIRST_FREE : port + 1;
    if (isFree(system, node, { host, port })) return port;
  }
  return fail('EADDRINUSE');
}

/** Those that have names, but for the ends that were accepted. */
function* bound(system: System, type: number): Iterable<SocketNode> {
  const { internetSockets } = system.state.shared;
  for (const node of internetSockets)
    if (!isHeld(system, node)) internetSockets.delete(node);
    else if (node.type === type) yield node;
}

const SO_REUSEADDR = '1 2';
const SO_REUSEPORT = '1 15';

/** Who lets others have its address has it together with others that do, as long as nobody listens there. */
function isFree(system: System, node: SocketNode, { host, port }: Endpoint): boolean {
  const both = (other: SocketNode, option: string) =>
    (node.options.get(option) ?? 0) !== 0 && (other.options.get(option) ?? 0) !== 0;
  for (const other of bound(system, node.type)) {
    const its = endpointOf(other.name!);
    if (its.port !== port || !(its.host === host || its.host === ANY_HOST || host === ANY_HOST)) continue;
    if (both(other, SO_REUSEPORT) || (both(other, SO_REUSEADDR) && other.waiting === undefined)) continue;
    return false;
  }
  return true;
}

/** The socket that has the address: a listening one for connections; of several, one for that host before one for any. */
export function socketAt(system: System, type: number, { host, port }: Endpoint): SocketNode | undefined {
  const found = [...bound(system, type)].filter((node) => {
    const its = endpointOf(node.name!);
    const isThere = type === DATAGRAM || node.waiting !== undefined;
    return isThere && its.port === port && (its.host === host || its.host === ANY_HOST);
  });
  return found.find((node) => endpointOf(node.name!).host === host) ?? found[0];
}

/** A name of its own for who has none and sends, listens or connects. */
export function bindAnywhere(system: System, node: SocketNode, host: number): void {
  if (node.name === undefined) bindTo(system, node, { host, port: 0 });
}

const LONGEST_DATAGRAM = 65_507;
/** What a datagram takes beside its bytes. */
const OVERHEAD = 768;

/** UDP: what nobody is there for, or has no room for, is lost; who is connected hears of the former by the next call. */
export function sendDatagram(system: System, node: SocketNode, bytes: Uint8Array): number {
  takeError(node);
  if (node.peerName === undefined) return fail('EDESTADDRREQ');
  if (node.isMute) fail('EPIPE');
  if (bytes.length > LONGEST_DATAGRAM) fail('EMSGSIZE');
  const to = reachable(endpointOf(node.peerName));
  bindAnywhere(system, node, ANY_HOST);
  const target = socketAt(system, DATAGRAM, to);
  if (target === undefined) node.error = 'ECONNREFUSED';
  else if (
    target.peerName === undefined ||
    endpointOf(target.peerName).port === endpointOf(node.name!).port
  ) {
    const inbox = target.inbox!;
    const from = { ...node, name: recordOf({ host: LOOPBACK, port: endpointOf(node.name!).port }) };
    const parcel = {
      bytes: bytes.slice(),
      isMessage: true,
      overhead: OVERHEAD,
      rights: [],
      sender: undefined,
    };
    if (inbox.weight < inbox.capacity) append(inbox, { ...parcel, from });
  }
  return bytes.length;
}

/** What went wrong since the last call is that call's error. */
export function takeError(node: SocketNode): void {
  const { error } = node;
  node.error = undefined;
  if (error !== undefined) fail(error);
}
