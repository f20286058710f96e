import { fromBytes, toBytes } from './bytes.ts';
import { ERRNO } from './errno.ts';
import type { SocketNode } from './fs/node.ts';
import { AF_INET } from './internet.ts';
import { ADDRESS, INDEX, LOOPBACK_TYPE, MASK_BITS, MTU, NAME, QUEUE_LENGTH, STATE } from './loopback.ts';
import { append } from './pipes.ts';
import type { System } from './system.ts';

/**
 * rtnetlink(7), as far as it tells of interfaces and their addresses: what getifaddrs(3) asks. Whoever is asked for something else says
 * that it cannot (EOPNOTSUPP).
 */
export const AF_NETLINK = 16;
export const NETLINK_ROUTE = 0;

/** struct sockaddr_nl: family, port, groups. Names of these sockets are such records. */
export const NETLINK_ADDRESS_SIZE = 12;

export function netlinkRecord(port: number): string {
  const record = new DataView(new ArrayBuffer(NETLINK_ADDRESS_SIZE));
  record.setUint16(0, AF_NETLINK, true);
  record.setUint32(4, port, true);
  return fromBytes(new Uint8Array(record.buffer));
}

export const netlinkPort = (record: string): number => viewOf(toBytes(record)).getUint32(4, true);

/** struct nlmsghdr: length, type, flags, sequence, port. */
const HEADER = 16;
const TYPE = { error: 2, done: 3, newLink: 16, getLink: 18, newAddress: 20, getAddress: 22, getRoute: 26 };
const FLAGS = { multi: 2, acknowledge: 4, dump: 0x300 };

/** What an answer takes beside its bytes, roughly: struct sk_buff. */
const OVERHEAD = 768;

interface Request {
  readonly type: number;
  readonly flags: number;
  readonly sequence: number;
  readonly port: number;
  /** Its header, and what follows it. */
  readonly header: Uint8Array;
  readonly body: Uint8Array;
}

/** What is sent to the kernel is answered before the call returns. */
export function sendToKernel(system: System, node: SocketNode, bytes: Uint8Array): number {
  node.name ??= netlinkRecord(system.state.process.id);
  const port = netlinkPort(node.name);
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const view = viewOf(bytes.subarray(at));
    const length = view.getUint32(0, true);
    if (length < HEADER || at + length > bytes.length) break;
    const message = bytes.slice(at, at + length);
    const [type, flags] = [view.getUint16(4, true), view.getUint16(6, true)];
    const [header, body] = [message.subarray(0, HEADER), message.subarray(HEADER)];
    const request = { type, flags, sequence: view.getUint32(8, true), port, header, body };
    for (const datagram of answersTo(request)) tell(node, datagram);
    at += aligned(length);
  }
  return bytes.length;
}

/** Who does not listen misses what there is no room for, and is told so. */
function tell(node: SocketNode, bytes: Uint8Array): void {
  const inbox = node.inbox!;
  if (inbox.weight >= inbox.capacity) {
    node.error = 'ENOBUFS';
    return;
  }
  // Who sends is the kernel, whose port is 0.
  const from = { ...node, name: netlinkRecord(0) };
  append(inbox, { bytes, overhead: OVERHEAD, rights: [], sender: undefined, from, isMessage: true });
}

/** Datagrams. */
function answersTo(request: Request): Uint8Array[] {
  const { type, flags, body } = request;
  const isDump = (flags & FLAGS.dump) === FLAGS.dump;
  if (isDump && [TYPE.getLink, TYPE.getAddress, TYPE.getRoute].includes(type)) {
    const family = body[0] ?? 0;
    const parts =
      type === TYPE.getLink ? [link()] : type === TYPE.getAddress && family !== AF_INET6 ? [address()] : [];
    const answer = type === TYPE.getLink ? TYPE.newLink : TYPE.newAddress;
    return [
      ...parts.map((part) => message(request, answer, FLAGS.multi, part)),
      message(request, TYPE.done, FLAGS.multi, words(0)),
    ];
  }
  if (type === TYPE.getLink)
    return isAboutLoopback(body)
      ? [message(request, TYPE.newLink, 0, link())]
      : [error(request, -ERRNO.ENODEV)];
  const isControl = type < TYPE.newLink;
  if (isControl) return (flags & FLAGS.acknowledge) !== 0 ? [error(request, 0)] : [];
  return [error(request, -ERRNO.EOPNOTSUPP)];
}

const AF_INET6 = 10;

/** struct ifinfomsg: family, type, index, flags, change. */
const LINK_SIZE = 16;
const LINK = { address: 1, broadcast: 2, name: 3, mtu: 4, queueLength: 13, operation: 16 };

/** By its index, or by its name. */
function isAboutLoopback(body: Uint8Array): boolean {
  if (body.length < LINK_SIZE) return false;
  const index = viewOf(body).getInt32(4, true);
  if (index !== 0) return index === INDEX;
  for (let at = LINK_SIZE; at + 4 <= body.length; ) {
    const view = viewOf(body.subarray(at));
    const length = view.getUint16(0, true);
    if (length < 4) return false;
    if (view.getUint16(2, true) === LINK.name)
      return fromBytes(body.subarray(at + 4, at + length)).split('\0')[0] === NAME;
    at += aligned(length);
  }
  return false;
}

function link(): Uint8Array {
  const head = new Uint8Array(LINK_SIZE);
  const view = viewOf(head);
  view.setUint16(2, LOOPBACK_TYPE, true);
  view.setInt32(4, INDEX, true);
  view.setUint32(8, STATE, true);
  return joined([
    head,
    attribute(LINK.name, named()),
    attribute(LINK.queueLength, words(QUEUE_LENGTH)),
    attribute(LINK.operation, new Uint8Array(1)),
    attribute(LINK.mtu, words(MTU)),
    attribute(LINK.address, new Uint8Array(6)),
    attribute(LINK.broadcast, new Uint8Array(6)),
  ]);
}

/** struct ifaddrmsg: family, bits of the mask, flags, scope, index. */
const ADDRESS_PERMANENT = 0x80;
const SCOPE_HOST = 254;
const OF_ADDRESS = { address: 1, local: 2, label: 3, flags: 8 };

const address = (): Uint8Array =>
  joined([
    Uint8Array.of(AF_INET, MASK_BITS, ADDRESS_PERMANENT, SCOPE_HOST),
    words(INDEX),
    attribute(OF_ADDRESS.address, Uint8Array.from(ADDRESS)),
    attribute(OF_ADDRESS.local, Uint8Array.from(ADDRESS)),
    attribute(OF_ADDRESS.label, named()),
    attribute(OF_ADDRESS.flags, words(ADDRESS_PERMANENT)),
  ]);

const named = (): Uint8Array => toBytes(`${NAME}\0`);

/** struct nlmsgerr: the error, and the header of what it is about. */
const error = (request: Request, code: number): Uint8Array =>
  message(request, TYPE.error, 0, joined([words(code), request.header]));

function message({ sequence, port }: Request, type: number, flags: number, body: Uint8Array): Uint8Array {
  const whole = new Uint8Array(HEADER + body.length);
  const view = viewOf(whole);
  view.setUint32(0, whole.length, true);
  view.setUint16(4, type, true);
  view.setUint16(6, flags, true);
  view.setUint32(8, sequence, true);
  view.setUint32(12, port, true);
  whole.set(body, HEADER);
  return whole;
}

/** struct rtattr: length, type; what follows is aligned to 4 bytes. */
function attribute(type: number, value: Uint8Array): Uint8Array {
  const whole = new Uint8Array(aligned(4 + value.length));
  const view = viewOf(whole);
  view.setUint16(0, 4 + value.length, true);
  view.setUint16(2, type, true);
  whole.set(value, 4);
  return whole;
}

const aligned = (length: number): number => Math.ceil(length / 4) * 4;
const words = (...values: readonly number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
