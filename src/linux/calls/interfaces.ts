import { toBytes } from '../bytes.ts';
import { fail } from '../errno.ts';
import type { SocketNode } from '../fs/node.ts';
import { AF_INET } from '../internet.ts';
import { ADDRESS, INDEX, LOOPBACK_TYPE, MASK_BITS, MTU, NAME, QUEUE_LENGTH, STATE } from '../loopback.ts';
import type { System } from '../system.ts';

/** netdevice(7): ioctls that tell of network interfaces. */

/** struct ifreq: a name, and from its byte 16 on what is asked for. */
const NAME_SIZE = 16;
const REQUEST_SIZE = 40;

const SOCKET_REQUESTS = 0x8900;
const GET_NAME = 0x8910;
const GET_ALL = 0x8912;

const address = (...host: readonly number[]): Uint8Array => Uint8Array.of(AF_INET, 0, 0, 0, ...host);
const word = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
const short = (value: number): Uint8Array => new Uint8Array(Uint16Array.of(value).buffer);
const LOOPBACK_ADDRESS = address(...ADDRESS);

/** SIOCGIF*, by number, of addresses, which sockets of their family know: what each answers, zeros behind it. */
const OF_ADDRESSES: ReadonlyMap<number, Uint8Array> = new Map([
  [0x8915, LOOPBACK_ADDRESS],
  // The other end of a line between two, which is the interface itself here.
  [0x8917, LOOPBACK_ADDRESS],
  [0x8919, address(0, 0, 0, 0)],
  [0x891b, address(2 ** MASK_BITS - 1, 0, 0, 0)],
]);
/** Of all else. */
const ANSWERS: ReadonlyMap<number, Uint8Array> = new Map([
  [0x8913, short(STATE & 0xffff)],
  [0x891d, word(0)],
  [0x8921, word(MTU)],
  [0x8927, short(LOOPBACK_TYPE)],
  [0x8933, word(INDEX)],
  [0x8942, word(QUEUE_LENGTH)],
  // Places in the machine's memory: it has none.
  [0x8970, new Uint8Array(24)],
]);

/** The answer to an ioctl of a socket; undefined for what is no question about interfaces. */
export function interfaceControl(
  system: System,
  { family }: SocketNode,
  request: number,
  at: number,
): number | undefined {
  if (request === GET_ALL) return listAll(system, at);
  if (request === GET_NAME) {
    if (system.user.i32(at + NAME_SIZE) !== INDEX) fail('ENODEV');
    system.user.write(at, nameBytes());
    return 0;
  }
  // Sockets read what they are asked before they know whether they can tell.
  if ((request & ~0xff) === SOCKET_REQUESTS) system.user.read(at, REQUEST_SIZE);
  const answer = ANSWERS.get(request) ?? (family === AF_INET ? OF_ADDRESSES.get(request) : undefined);
  if (answer === undefined) return undefined;
  if (!isLoopback(system.user.read(at, NAME_SIZE))) fail('ENODEV');
  system.user.write(at + NAME_SIZE, padded(answer, REQUEST_SIZE - NAME_SIZE));
  return 0;
}

/** struct ifconf: how many bytes there are, or are wanted, and where. */
function listAll({ user }: System, at: number): number {
  const room = user.i32(at);
  const buffer = Number(user.u64(at + 8));
  if (buffer !== 0 && room >= REQUEST_SIZE) {
    user.write(buffer, nameBytes());
    user.write(buffer + NAME_SIZE, padded(LOOPBACK_ADDRESS, REQUEST_SIZE - NAME_SIZE));
  }
  user.putI32(at, buffer === 0 || room >= REQUEST_SIZE ? REQUEST_SIZE : 0);
  return 0;
}

const nameBytes = (): Uint8Array => padded(toBytes(NAME), NAME_SIZE);

/** Other names of one interface follow a colon. */
function isLoopback(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(0);
  const name = String.fromCharCode(...bytes.subarray(0, end < 0 ? NAME_SIZE - 1 : end));
  return name.split(':')[0] === NAME;
}

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length);
  whole.set(bytes.subarray(0, length));
  return whole;
}
