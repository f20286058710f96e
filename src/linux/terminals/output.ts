import type { PipeNode, Terminal } from '../fs/node.ts';
import { append, roomIn } from '../pipes.ts';
import { INPUT, OUTPUT } from './terminal.ts';

/** What the slave writes on its way to the master: c_oflag, and where the cursor is. After drivers/tty/n_tty.c. */

export const BACKSPACE = 8;
export const TAB = 9;
export const NEWLINE = 10;
export const RETURN = 13;
export const SPACE = 32;
const RUBOUT = 127;

export const isControl = (byte: number): boolean => byte < SPACE || byte === RUBOUT;

/** A byte of a character of several bytes that is not its first one. */
export function isContinuation({ settings }: Terminal, byte: number): boolean {
  return (settings.input & INPUT.UTF8) !== 0 && (byte & 0xc0) === 0x80;
}

/** What becomes of a byte; moves the cursor. */
export function processed(terminal: Terminal, byte: number): readonly number[] {
  const { output } = terminal.settings;
  const has = (flag: number): boolean => (output & flag) !== 0;
  switch (byte) {
    case NEWLINE:
      if (has(OUTPUT.NEWLINE_RETURNS)) terminal.column = 0;
      if (has(OUTPUT.NEWLINE_TO_BOTH)) {
        terminal.column = terminal.lineColumn = 0;
        return [RETURN, NEWLINE];
      }
      terminal.lineColumn = terminal.column;
      return [byte];
    case RETURN:
      if (has(OUTPUT.NO_RETURN_AT_START) && terminal.column === 0) return [];
      if (has(OUTPUT.RETURN_TO_NEWLINE)) {
        if (has(OUTPUT.NEWLINE_RETURNS)) terminal.column = terminal.lineColumn = 0;
        return [NEWLINE];
      }
      terminal.column = terminal.lineColumn = 0;
      return [byte];
    case TAB: {
      const spaces = 8 - (terminal.column & 7);
      terminal.column += spaces;
      return (output & OUTPUT.TABS) === OUTPUT.TABS_TO_SPACES ? new Array(spaces).fill(SPACE) : [byte];
    }
    case BACKSPACE:
      if (terminal.column > 0) terminal.column--;
      return [byte];
    default: {
      if (isControl(byte)) return [byte];
      if (!isContinuation(terminal, byte)) terminal.column++;
      const isLower = byte >= 97 && byte <= 122;
      return [has(OUTPUT.UPPER) && isLower ? byte - 32 : byte];
    }
  }
}

/** Room that a byte may need. */
const MOST_OF_A_BYTE = 8;

/** Writes as much as there is room for, and gives how many of the bytes that were. */
export function writeOutput(terminal: Terminal, bytes: Uint8Array): number {
  const { outgoing, settings } = terminal;
  if (terminal.isStopped) return 0;
  if ((settings.output & OUTPUT.PROCESS) === 0) {
    const fitting = bytes.slice(0, roomIn(outgoing));
    send(outgoing, fitting);
    return fitting.length;
  }
  const made: number[] = [];
  let at = 0;
  while (at < bytes.length && made.length + MOST_OF_A_BYTE <= roomIn(outgoing))
    made.push(...processed(terminal, bytes[at++]));
  send(outgoing, Uint8Array.from(made));
  return at;
}

export function send(pipe: PipeNode, bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length === 0) return;
  append(pipe, { bytes, isMessage: false, overhead: 0, rights: [], sender: undefined });
}

export function canWrite({ isStopped, outgoing }: Terminal): boolean {
  return !isStopped && roomIn(outgoing) >= MOST_OF_A_BYTE;
}
