import { elapsed } from '../clock.ts';
import { fail } from '../errno.ts';
import type { OpenFile, Terminal, TerminalNode } from '../fs/node.ts';
import { isWritable, O } from '../open-file.ts';
import { isHeld } from '../open-files.ts';
import { append, roomIn, takeFrom } from '../pipes.ts';
import { SIGTTIN, SIGTTOU } from '../signals/sets.ts';
import type { System } from '../system.ts';
import { deadlineAfter, giveWay, isOver, waitFor } from '../wait.ts';
import { takeIn } from './input.ts';
import { canWrite, writeOutput } from './output.ts';
import { requireForeground } from './sessions.ts';
import { CHARACTER, END_MARK, INPUT_CAPACITY, inputLength, isCanonical, LOCAL } from './terminal.ts';

/** Reading and writing at both ends of a terminal. */

/** A read gets no more at once: what n_tty's buffer holds. */
const LONGEST_READ = INPUT_CAPACITY - 1;
const TENTH = 100_000_000n;

/** Whether the slave's end was open and is so no more. */
export function isSlaveClosed(system: System, terminal: Terminal): boolean {
  const slave = system.state.shared.terminals.get(terminal.number);
  return terminal.opened > 0 && slave !== undefined && !isHeld(system, slave);
}

/** How many bytes a read of `wanted` gets: waits until there are some. */
export function availableInTerminal(
  system: System,
  file: OpenFile,
  node: TerminalNode,
  wanted: number,
): number {
  if (wanted === 0) return 0;
  return node.side === 'master'
    ? availableToMaster(system, file, node.terminal, wanted)
    : availableToSlave(system, file, node.terminal, wanted);
}

function refuseToWait(system: System, { flags }: OpenFile): void {
  if ((flags & O.NON_BLOCKING) === 0) return;
  giveWay(system);
  fail('EAGAIN');
}

function availableToMaster(system: System, file: OpenFile, terminal: Terminal, wanted: number): number {
  const { outgoing, isPacket, happened } = terminal;
  if (isPacket && happened !== 0) return 1;
  const most = Math.min(isPacket ? wanted - 1 : wanted, LONGEST_READ);
  if (outgoing.length > 0) return Math.min(most, outgoing.length) + (isPacket ? 1 : 0);
  if (isSlaveClosed(system, terminal)) fail('EIO');
  refuseToWait(system, file);
  return waitFor({
    call: 'read',
    reason: 'nobody writes to the terminal',
    isReady: () =>
      outgoing.length > 0 || (isPacket && terminal.happened !== 0) || isSlaveClosed(system, terminal),
  });
}

/** termios(3): canonical input comes by lines; other input when MIN bytes are there, or TIME is over. */
function availableToSlave(system: System, file: OpenFile, terminal: Terminal, wanted: number): number {
  if (terminal.isHungUp) return 0;
  requireForeground(system, terminal, SIGTTIN);
  const most = Math.min(wanted, LONGEST_READ);
  if (isCanonical(terminal)) {
    const [line] = terminal.lines;
    if (line !== undefined) return Math.min(most, line.length - (line.at(-1) === END_MARK ? 1 : 0));
    refuseToWait(system, file);
    return waitFor({
      call: 'read',
      reason: 'nobody writes to the terminal',
      isReady: () => terminal.isHungUp || terminal.lines.length > 0 || !isCanonical(terminal),
    });
  }
  const { characters } = terminal.settings;
  const least = Math.min(Math.max(1, characters[CHARACTER.LEAST]), most);
  const time = BigInt(characters[CHARACTER.TIME]) * TENTH;
  const there = inputLength(terminal);
  if (there >= least) return Math.min(most, there);
  const waitsForever = characters[CHARACTER.LEAST] > 0 && (time === 0n || there === 0);
  if (!waitsForever) {
    // MIN bytes or, from the first one on, TIME; without MIN, TIME from now on.
    const deadline = deadlineAfter(system, time) ?? elapsed(system) + time;
    if (isOver(system, deadline)) return there;
    refuseToWait(system, file);
    return waitFor({
      call: 'read',
      reason: 'nobody writes to the terminal',
      deadline,
      isReady: () => terminal.isHungUp || inputLength(terminal) >= least,
    });
  }
  if ((file.flags & O.NON_BLOCKING) !== 0 && there > 0) return there;
  refuseToWait(system, file);
  return waitFor({
    call: 'read',
    reason: 'nobody writes to the terminal',
    isReady: () =>
      terminal.isHungUp || inputLength(terminal) >= (time > 0n ? 1 : least) || isCanonical(terminal),
  });
}

/** Takes `length` bytes, no more than are available. */
export function takeFromTerminal(
  system: System,
  { side, terminal }: TerminalNode,
  length: number,
): Uint8Array {
  if (side === 'master') {
    if (!terminal.isPacket || length === 0) return takeFrom(terminal.outgoing, length).bytes;
    const { happened } = terminal;
    terminal.happened = 0;
    const rest = happened === 0 ? takeFrom(terminal.outgoing, length - 1).bytes : [];
    return Uint8Array.of(happened, ...rest);
  }
  const taken = isCanonical(terminal) ? takeFromLine(terminal, length) : takeAny(terminal, length);
  takeIn(system, terminal);
  return Uint8Array.from(taken);
}

/** A mark at the end goes with what is before it, so that nobody takes it for the end of the file besides. */
function takeFromLine({ lines }: Terminal, length: number): readonly number[] {
  const [line] = lines;
  if (line === undefined) return [];
  const taken = line.splice(0, length);
  if (line.length === 0 || line[0] === END_MARK) lines.shift();
  return taken;
}

function takeAny(terminal: Terminal, length: number): readonly number[] {
  return terminal.editing.splice(0, length);
}

/** Writes the bytes and returns how many; waits until all of them are written. */
export function putInTerminal(
  system: System,
  file: OpenFile,
  { side, terminal }: TerminalNode,
  bytes: Uint8Array,
): number {
  if (!isWritable(file)) fail('EBADF');
  if (terminal.isHungUp) fail('EIO');
  const done = system.waited?.done ?? 0;
  const stops = (terminal.settings.local & LOCAL.STOPS_BACKGROUND) !== 0;
  if (side === 'slave' && stops) requireForeground(system, terminal, SIGTTOU);
  const rest = bytes.subarray(done);
  const at = done + (side === 'slave' ? writeOutput(terminal, rest) : feed(system, terminal, rest));
  if (at === bytes.length) return at;
  if ((file.flags & O.NON_BLOCKING) !== 0) {
    if (at > done) return at;
    giveWay(system);
    return fail('EAGAIN');
  }
  return waitFor({
    call: 'write',
    reason: 'nobody reads from the terminal',
    done: at,
    isReady: () => terminal.isHungUp || hasRoom(side, terminal),
  });
}

function hasRoom(side: TerminalNode['side'], terminal: Terminal): boolean {
  return side === 'slave' ? canWrite(terminal) : roomIn(terminal.incoming) > 0;
}

/** The master writes as much as there is room for. */
export function feed(system: System, terminal: Terminal, bytes: Uint8Array): number {
  const { incoming } = terminal;
  const fitting = bytes.slice(0, roomIn(incoming));
  if (fitting.length > 0)
    append(incoming, { bytes: fitting, isMessage: false, overhead: 0, rights: [], sender: undefined });
  takeIn(system, terminal);
  return fitting.length;
}

/** What poll tells of an end. */
export function terminalReadiness(system: System, { side, terminal }: TerminalNode) {
  const output = terminal.isHungUp || hasRoom(side, terminal);
  if (side === 'master') {
    const { outgoing, isPacket, happened } = terminal;
    const hangUp = isSlaveClosed(system, terminal);
    return {
      input: outgoing.length > 0 || (isPacket && happened !== 0),
      output,
      hangUp,
      error: false,
      readHangUp: false,
    };
  }
  if (terminal.isHungUp) return { input: true, output, hangUp: true, error: true, readHangUp: false };
  return { input: hasInput(terminal), output, hangUp: false, error: false, readHangUp: false };
}

function hasInput(terminal: Terminal): boolean {
  if (isCanonical(terminal)) return terminal.lines.length > 0;
  const { characters } = terminal.settings;
  const least = characters[CHARACTER.TIME] === 0 ? Math.max(1, characters[CHARACTER.LEAST]) : 1;
  return inputLength(terminal) >= least;
}

/** Bytes that a read would get at most: FIONREAD. */
export function unreadInTerminal({ side, terminal }: TerminalNode): number {
  if (side === 'master') return terminal.outgoing.length;
  if (!isCanonical(terminal)) return inputLength(terminal);
  return terminal.lines.flat().filter((byte) => byte !== END_MARK).length;
}
