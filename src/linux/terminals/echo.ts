import type { Terminal } from '../fs/node.ts';
import { roomIn } from '../pipes.ts';
import { BACKSPACE, isControl, processed, send, TAB } from './output.ts';
import { LOCAL, OUTPUT } from './terminal.ts';

/** What the master reads of what it wrote itself. Echoes do not wait: what there is no room for is lost. */

const CARET = 94;
const SLASH = 47;

export function echo(terminal: Terminal, byte: number): void {
  const isCaret = (terminal.settings.local & LOCAL.ECHO_CONTROL) !== 0 && isControl(byte) && byte !== TAB;
  if (isCaret) echoCaret(terminal, byte);
  else echoRaw(terminal, byte);
}

export function echoRaw(terminal: Terminal, ...bytes: readonly number[]): void {
  const isProcessed = (terminal.settings.output & OUTPUT.PROCESS) !== 0;
  const made = isProcessed ? bytes.flatMap((byte) => processed(terminal, byte)) : bytes;
  if (made.length <= roomIn(terminal.outgoing)) send(terminal.outgoing, Uint8Array.from(made));
}

/** ^X for a control character; the cursor moves by two. */
function echoCaret(terminal: Terminal, byte: number): void {
  if (roomIn(terminal.outgoing) < 2) return;
  send(terminal.outgoing, Uint8Array.of(CARET, byte ^ 0o100));
  terminal.column += 2;
}

/** The cursor goes back over a tab, so many characters behind where the line began or the last tab ended. */
export function echoBackTab(terminal: Terminal, characters: number, isAfterTab: boolean): void {
  const column = characters + (isAfterTab ? 0 : terminal.lineColumn);
  const steps = 8 - (column & 7);
  if (steps > roomIn(terminal.outgoing)) return;
  terminal.column = Math.max(0, terminal.column - steps);
  send(terminal.outgoing, new Uint8Array(steps).fill(BACKSPACE));
}

/** ECHOPRT: what was erased stands between \ and /. */
export function endErasing(terminal: Terminal): void {
  if (terminal.isErasing) echoRaw(terminal, SLASH);
  terminal.isErasing = false;
}
