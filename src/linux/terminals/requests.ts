import { int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { OpenFile, Terminal, TerminalNode, WindowSize } from '../fs/node.ts';
import { isReadable } from '../open-file.ts';
import { forget } from '../pipes.ts';
import { SIGTTOU } from '../signals/sets.ts';
import type { System } from '../system.ts';
import { flushInput } from './input.ts';
import { openPeer } from './open.ts';
import { send } from './output.ts';
import {
  control,
  controllingTerminal,
  giveUpTerminal,
  leadsSession,
  requireForeground,
  signalGroup,
} from './sessions.ts';
import { change, type Shape, SIZES, settingsFrom, settingsRecord } from './settings.ts';
import { CHARACTER } from './terminal.ts';
import { feed, unreadInTerminal } from './transfer.ts';

/** ioctl(2) on either end of a terminal: ioctl_tty(2). */

const SIGWINCH = 28;
const IS_MASTER = (node: TerminalNode): boolean => node.side === 'master';
/** TIOCPKT_*: what a master in packet mode is told. */
const PACKET = { FLUSH_READ: 1, FLUSH_WRITE: 2 } as const;

interface Request {
  readonly system: System;
  readonly file: OpenFile;
  readonly node: TerminalNode;
  readonly terminal: Terminal;
  readonly argument: bigint;
}

type Handler = (request: Request) => number;

function get(shape: Shape): Handler {
  return ({ system, terminal, argument }) => {
    system.user.write(size(argument), settingsRecord(terminal.settings, shape));
    return 0;
  };
}

function set(shape: Shape, flushes = false): Handler {
  return ({ system, terminal, argument, node }) => {
    if (!IS_MASTER(node)) requireForeground(system, terminal, SIGTTOU);
    const record = system.user.read(size(argument), SIZES[shape]).slice();
    if (flushes) flushInput(terminal);
    change(system, terminal, settingsFrom(terminal.settings, record, shape));
    return 0;
  };
}

/** TCSBRK, TCSBRKP, TCXONC and TCFLSH are only for who is in the foreground. */
function fromForeground(handler: Handler): Handler {
  return (request) => {
    if (!IS_MASTER(request.node)) requireForeground(request.system, request.terminal, SIGTTOU);
    return handler(request);
  };
}

/** TCOOFF, TCOON, TCIOFF, TCION. */
function flow({ system, terminal, node, argument }: Request): number {
  switch (int(argument)) {
    case 0:
    case 1:
      terminal.isStopped = int(argument) === 0;
      return 0;
    // The other end gets VSTOP or VSTART.
    case 2:
    case 3: {
      const byte = terminal.settings.characters[int(argument) === 2 ? CHARACTER.STOP : CHARACTER.START];
      if (byte !== 0 && IS_MASTER(node)) feed(system, terminal, Uint8Array.of(byte));
      else if (byte !== 0) send(terminal.outgoing, Uint8Array.of(byte));
      return 0;
    }
    default:
      return fail('EINVAL');
  }
}

/** TCIFLUSH, TCOFLUSH, TCIOFLUSH: of the master's end what it reads is what the slave wrote. */
function flush({ terminal, node, argument }: Request): number {
  const which = int(argument);
  if (which < 0 || which > 2) fail('EINVAL');
  const input = which !== 1;
  if (IS_MASTER(node) ? !input || which === 2 : input) flushInput(terminal);
  if (IS_MASTER(node) && input) forget(terminal.outgoing);
  if (terminal.isPacket && !IS_MASTER(node))
    terminal.happened |= (input ? PACKET.FLUSH_READ : 0) | (which !== 0 ? PACKET.FLUSH_WRITE : 0);
  return 0;
}

function putWord({ system, argument }: Request, value: number): number {
  system.user.putI32(size(argument), value);
  return 0;
}

const word = ({ system, argument }: Request): number => system.user.i32(size(argument));

/** TIOCSCTTY */
function becomeControlling({ system, file, terminal, node }: Request): number {
  const { process, shared } = system.state;
  if (leadsSession(process) && terminal.session === process.session) return 0;
  if (!leadsSession(process) || controllingTerminal(shared, process) !== undefined) fail('EPERM');
  // Only root takes it from another session.
  if (terminal.session !== undefined || !isReadable(file)) fail('EPERM');
  if (IS_MASTER(node)) fail('EPERM');
  control(terminal, process);
  return 0;
}

/** TIOCNOTTY */
function giveUp({ system, terminal }: Request): number {
  const { process, shared } = system.state;
  if (controllingTerminal(shared, process)?.terminal !== terminal) fail('ENOTTY');
  if (leadsSession(process)) giveUpTerminal(shared, process, false);
  return 0;
}

/** The master may ask whoever's terminal it is. */
function requireOwn({ system, terminal, node }: Request): void {
  const { process } = system.state;
  if (!IS_MASTER(node) && terminal.session !== process.session) fail('ENOTTY');
}

function getForeground(request: Request): number {
  requireOwn(request);
  return putWord(request, request.terminal.foreground ?? 0);
}

function setForeground(request: Request): number {
  const { system, terminal, node } = request;
  const { process, shared } = system.state;
  if (!IS_MASTER(node)) requireForeground(system, terminal, SIGTTOU);
  if (terminal.session !== process.session) fail('ENOTTY');
  const group = word(request);
  if (group < 0) fail('EINVAL');
  const member = [...shared.processes.values()].find((each) => each.group === group);
  if (member === undefined) return fail('ESRCH');
  if (member.session !== process.session) fail('EPERM');
  terminal.foreground = group;
  return 0;
}

function getSession(request: Request): number {
  requireOwn(request);
  return putWord(request, request.terminal.session ?? fail('ENOTTY'));
}

function setSize({ system, terminal, argument }: Request): number {
  const record = system.user.read(size(argument), 8);
  const view = new DataView(record.buffer, record.byteOffset, 8);
  const wanted = [0, 2, 4, 6].map((at) => view.getUint16(at, true)) as unknown as WindowSize;
  const isSame = wanted.every((each, i) => each === terminal.size[i]);
  terminal.size = wanted;
  if (!isSame) signalGroup(system.state.shared, terminal.foreground, SIGWINCH);
  return 0;
}

/** TIOCSTI: the byte comes as if the master had written it. */
function simulate({ system, terminal, node, argument }: Request): number {
  const byte = system.user.read(size(argument), 1).slice();
  if (IS_MASTER(node) || terminal.session !== system.state.process.session) fail('EPERM');
  feed(system, terminal, byte);
  return 0;
}

/** What only the master may ask for; the slave's end does not know it. */
function ofMaster(handler: Handler): Handler {
  return (request) => (IS_MASTER(request.node) ? handler(request) : fail('ENOTTY'));
}

/** TIOCSIG */
function signalFromMaster({ system, terminal, argument }: Request): number {
  const signal = int(argument);
  // SIGINT, SIGQUIT, SIGTSTP
  if (![2, 3, 20].includes(signal)) fail('EINVAL');
  signalGroup(system.state.shared, terminal.foreground, signal);
  return 0;
}

/** asm-generic/ioctls.h */
const HANDLERS: ReadonlyMap<number, Handler> = new Map([
  [0x5401, get('termios')],
  [0x5402, set('termios')],
  [0x5403, set('termios')],
  [0x5404, set('termios', true)],
  [0x5405, get('termio')],
  [0x5406, set('termio')],
  [0x5407, set('termio')],
  [0x5408, set('termio', true)],
  [0x802c_542a, get('termios2')],
  [0x402c_542b, set('termios2')],
  [0x402c_542c, set('termios2')],
  [0x402c_542d, set('termios2', true)],
  // TCSBRK, TCSBRKP, TIOCSBRK, TIOCCBRK: what was written has been sent, and there is no line to break.
  [0x5409, fromForeground(() => 0)],
  [0x5425, fromForeground(() => 0)],
  [0x5427, fromForeground(() => 0)],
  [0x5428, fromForeground(() => 0)],
  [0x540a, fromForeground(flow)],
  [0x540b, fromForeground(flush)],
  // TIOCEXCL, TIOCNXCL, TIOCGEXCL
  [0x540c, ({ terminal }) => setExclusive(terminal, true)],
  [0x540d, ({ terminal }) => setExclusive(terminal, false)],
  [0x8004_5440, (request) => putWord(request, request.terminal.isExclusive ? 1 : 0)],
  [0x540e, becomeControlling],
  [0x5422, giveUp],
  [0x540f, getForeground],
  [0x5410, setForeground],
  [0x5429, getSession],
  // TIOCOUTQ, FIONREAD
  [0x5411, (request) => putWord(request, 0)],
  [0x541b, (request) => putWord(request, unreadInTerminal(request.node))],
  [0x5412, simulate],
  [
    0x5413,
    ({ system, terminal, argument }) => {
      system.user.write(size(argument), new Uint8Array(Uint16Array.from(terminal.size).buffer));
      return 0;
    },
  ],
  [0x5414, setSize],
  // TIOCGETD, TIOCSETD: there is one line discipline.
  [0x5424, (request) => putWord(request, 0)],
  [0x5423, (request) => (word(request) === 0 ? 0 : fail('EINVAL'))],
  // TIOCPKT, TIOCGPKT
  [
    0x5420,
    ofMaster((request) => {
      request.terminal.isPacket = word(request) !== 0;
      request.terminal.happened = 0;
      return 0;
    }),
  ],
  [0x8004_5438, ofMaster((request) => putWord(request, request.terminal.isPacket ? 1 : 0))],
  // TIOCGPTN, TIOCSPTLCK, TIOCGPTLCK, TIOCGPTPEER
  [0x8004_5430, ofMaster((request) => putWord(request, request.terminal.number))],
  [
    0x4004_5431,
    ofMaster((request) => {
      request.terminal.isLocked = word(request) !== 0;
      return 0;
    }),
  ],
  [0x8004_5439, ofMaster((request) => putWord(request, request.terminal.isLocked ? 1 : 0))],
  [0x5441, ofMaster(({ system, terminal, argument }) => openPeer(system, terminal, uint(argument)))],
  [0x4004_5436, ofMaster(signalFromMaster)],
]);

function setExclusive(terminal: Terminal, isExclusive: boolean): number {
  terminal.isExclusive = isExclusive;
  return 0;
}

/** Undefined for what every descriptor knows. */
export function terminalControl(
  system: System,
  file: OpenFile,
  node: TerminalNode,
  request: number,
  argument: bigint,
): number | undefined {
  const { terminal } = node;
  const handler = HANDLERS.get(request);
  if (terminal.isHungUp && handler !== undefined) fail(request === 0x5410 ? 'ENOTTY' : 'EIO');
  return handler?.({ system, file, node, terminal, argument });
}
