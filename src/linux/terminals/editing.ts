import type { Terminal } from '../fs/node.ts';
import { echo, echoBackTab, echoRaw, endErasing } from './echo.ts';
import { BACKSPACE, isContinuation, isControl, NEWLINE, SPACE, TAB } from './output.ts';
import { is, LOCAL } from './terminal.ts';

/** The characters that erase (n_tty.c, eraser): one character, a word, or the whole line at hand. */

const BACKSLASH = 92;
const UNDERSCORE = 95;

const isWordByte = (byte: number): boolean =>
  byte === UNDERSCORE || /[0-9A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\xff]/.test(String.fromCharCode(byte));

/** `by` is the character that erases. */
export function erase(terminal: Terminal, by: number): void {
  const { editing, settings } = terminal;
  const { local } = settings;
  const has = (flag: number): boolean => (local & flag) !== 0;
  if (editing.length === 0) return;
  const isOne = is(settings, 'ERASE', by);
  const isWord = !isOne && is(settings, 'ERASE_WORD', by);
  if (!isOne && !isWord) {
    if (!has(LOCAL.ECHO)) {
      editing.length = 0;
      return;
    }
    if (!has(LOCAL.ECHO_KILL) || !has(LOCAL.ECHO_KILL_ERASES) || !has(LOCAL.ECHO_ERASE)) {
      editing.length = 0;
      endErasing(terminal);
      echo(terminal, by);
      if (has(LOCAL.ECHO_KILL)) echoRaw(terminal, NEWLINE);
      return;
    }
  }
  let sawWord = false;
  while (editing.length > 0) {
    let start = editing.length - 1;
    while (start > 0 && isContinuation(terminal, editing[start])) start--;
    // Half a character stays.
    if (isContinuation(terminal, editing[start])) break;
    if (isWord) {
      if (isWordByte(editing[start])) sawWord = true;
      else if (sawWord) break;
    }
    const bytes = editing.splice(start);
    if (has(LOCAL.ECHO)) echoErased(terminal, bytes, isOne ? by : undefined);
    if (isOne) break;
  }
  if (editing.length === 0) endErasing(terminal);
}

/** The bytes of a character have been taken off the line, by `one` if that erases one only. */
function echoErased(terminal: Terminal, bytes: readonly number[], one: number | undefined): void {
  const { local } = terminal.settings;
  const has = (flag: number): boolean => (local & flag) !== 0;
  const [first] = bytes;
  if (has(LOCAL.ECHO_PRINT)) {
    if (!terminal.isErasing) echoRaw(terminal, BACKSLASH);
    terminal.isErasing = true;
    echo(terminal, first);
    for (const byte of bytes.slice(1)) echoRaw(terminal, byte);
  } else if (one !== undefined && !has(LOCAL.ECHO_ERASE)) echo(terminal, one);
  else if (first === TAB) {
    const { width, isAfterTab } = widthSinceTab(terminal);
    echoBackTab(terminal, width, isAfterTab);
  } else {
    const isCaret = isControl(first) && has(LOCAL.ECHO_CONTROL);
    const steps = isCaret ? 2 : isControl(first) ? 0 : 1;
    for (let step = 0; step < steps; step++) echoRaw(terminal, BACKSPACE, SPACE, BACKSPACE);
  }
}

/** Columns that the line at hand takes behind its last tab. */
function widthSinceTab(terminal: Terminal): { readonly width: number; readonly isAfterTab: boolean } {
  const { editing, settings } = terminal;
  const showsControl = (settings.local & LOCAL.ECHO_CONTROL) !== 0;
  const tab = editing.lastIndexOf(TAB);
  const width = editing.slice(tab + 1).reduce((sum, byte) => {
    if (isControl(byte)) return sum + (showsControl ? 2 : 0);
    return sum + (isContinuation(terminal, byte) ? 0 : 1);
  }, 0);
  return { width, isAfterTab: tab >= 0 };
}
