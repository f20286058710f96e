import type { Terminal, TerminalSettings } from '../fs/node.ts';
import { takeFrom } from '../pipes.ts';
import type { System } from '../system.ts';
import { echo, echoRaw, endErasing } from './echo.ts';
import { erase } from './editing.ts';
import { BACKSPACE, NEWLINE, RETURN } from './output.ts';
import { signalGroup } from './sessions.ts';
import { END_MARK, INPUT, INPUT_CAPACITY, inputLength, is, isCanonical, LOCAL } from './terminal.ts';

/** What the master writes on its way to the slave: c_iflag and c_lflag of termios(3). After drivers/tty/n_tty.c. */

const BELL = 7;
const CARET = 94;
const SIGINT = 2;
const SIGQUIT = 3;
const SIGTSTP = 20;

/** Takes in what the master wrote, as far as there is room for it. */
export function takeIn(system: System, terminal: Terminal): void {
  const { incoming } = terminal;
  while (incoming.length > 0) {
    const isFull = inputLength(terminal) >= INPUT_CAPACITY - 1;
    // A line that is too long loses what follows, until it ends: else nobody could read it.
    const losesRest = isFull && isCanonical(terminal) && terminal.lines.length === 0;
    if (isFull && !losesRest) return;
    const [byte] = takeFrom(incoming, 1).bytes;
    takeByte(system, terminal, byte);
  }
}

const has = (flags: number, flag: number): boolean => (flags & flag) !== 0;

function takeByte(system: System, terminal: Terminal, given: number): void {
  const { settings } = terminal;
  const { input, local } = settings;
  let byte = has(input, INPUT.STRIP) ? given & 0x7f : given;
  const isUpper = byte >= 65 && byte <= 90;
  if (has(input, INPUT.LOWER) && has(local, LOCAL.EXTENDED) && isUpper) byte += 32;
  if (terminal.isLiteral) {
    terminal.isLiteral = false;
    return takePlain(terminal, byte);
  }
  if (has(local, LOCAL.EXTERNAL)) return put(terminal, byte);
  if (has(input, INPUT.FLOW)) {
    if (is(settings, 'START', byte)) {
      terminal.isStopped = false;
      return;
    }
    if (is(settings, 'STOP', byte)) {
      terminal.isStopped = true;
      return;
    }
  }
  const signal = has(local, LOCAL.SIGNALS) ? signalOf(settings, byte) : undefined;
  if (signal !== undefined) return interrupt(system, terminal, byte, signal);
  if (has(input, INPUT.FLOW) && has(input, INPUT.ANY_STARTS)) terminal.isStopped = false;
  if (byte === RETURN) {
    if (has(input, INPUT.IGNORE_RETURN)) return;
    if (has(input, INPUT.RETURN_TO_NEWLINE)) byte = NEWLINE;
  } else if (byte === NEWLINE && has(input, INPUT.NEWLINE_TO_RETURN)) byte = RETURN;
  if (has(local, LOCAL.CANONICAL) && edit(terminal, byte)) return;
  takePlain(terminal, byte);
}

function signalOf(settings: TerminalSettings, byte: number): number | undefined {
  if (is(settings, 'INTERRUPT', byte)) return SIGINT;
  if (is(settings, 'QUIT', byte)) return SIGQUIT;
  return is(settings, 'SUSPEND', byte) ? SIGTSTP : undefined;
}

function interrupt(system: System, terminal: Terminal, byte: number, signal: number): void {
  const { input, local } = terminal.settings;
  signalGroup(system.state.shared, terminal.foreground, signal);
  if (!has(local, LOCAL.NO_FLUSH)) flushInput(terminal);
  if (has(input, INPUT.FLOW)) terminal.isStopped = false;
  if (has(local, LOCAL.ECHO)) echo(terminal, byte);
}

/** Forgets all input. */
export function flushInput(terminal: Terminal): void {
  terminal.lines = [];
  terminal.editing = [];
  terminal.isErasing = false;
  terminal.isLiteral = false;
}

/** What the byte does to the line at hand; whether it did anything but become a part of it. */
function edit(terminal: Terminal, byte: number): boolean {
  const { settings } = terminal;
  const { local } = settings;
  const echoes = has(local, LOCAL.ECHO);
  const isExtended = has(local, LOCAL.EXTENDED);
  if (
    is(settings, 'ERASE', byte) ||
    is(settings, 'KILL', byte) ||
    (isExtended && is(settings, 'ERASE_WORD', byte))
  ) {
    erase(terminal, byte);
    return true;
  }
  if (isExtended && is(settings, 'LITERAL', byte)) {
    terminal.isLiteral = true;
    if (!echoes) return true;
    endErasing(terminal);
    if (has(local, LOCAL.ECHO_CONTROL)) echoRaw(terminal, CARET, BACKSPACE);
    return true;
  }
  if (isExtended && echoes && is(settings, 'REPRINT', byte)) {
    endErasing(terminal);
    echo(terminal, byte);
    echoRaw(terminal, NEWLINE);
    for (const each of terminal.editing) echo(terminal, each);
    return true;
  }
  if (byte === NEWLINE) {
    if (echoes || has(local, LOCAL.ECHO_NEWLINE)) echoRaw(terminal, NEWLINE);
    endLine(terminal, byte);
    return true;
  }
  if (is(settings, 'END', byte)) {
    endLine(terminal, END_MARK);
    return true;
  }
  if (is(settings, 'END_OF_LINE', byte) || (isExtended && is(settings, 'END_OF_LINE_2', byte))) {
    if (echoes) echoFirst(terminal, byte);
    endLine(terminal, byte);
    return true;
  }
  return false;
}

function endLine(terminal: Terminal, last: number): void {
  terminal.lines.push([...terminal.editing, last]);
  terminal.editing = [];
}

function takePlain(terminal: Terminal, byte: number): void {
  const { input, local } = terminal.settings;
  if (has(local, LOCAL.ECHO)) {
    endErasing(terminal);
    if (byte === NEWLINE) echoRaw(terminal, byte);
    else echoFirst(terminal, byte);
  }
  // PARMRK: the byte that marks errors stands for itself when it comes twice.
  if (byte === 0xff && has(input, INPUT.MARK)) put(terminal, byte);
  put(terminal, byte);
}

function put(terminal: Terminal, byte: number): void {
  if (inputLength(terminal) < INPUT_CAPACITY - 1) terminal.editing.push(byte);
  else if (has(terminal.settings.input, INPUT.BELL)) echoRaw(terminal, BELL);
}

/** Where a line begins, tabs in it count from there. */
function echoFirst(terminal: Terminal, byte: number): void {
  if (terminal.editing.length === 0) terminal.lineColumn = terminal.column;
  echo(terminal, byte);
}
