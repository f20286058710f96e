import { EPOCH } from '../clock.ts';
import type { Terminal, TerminalNode, TerminalSettings } from '../fs/node.ts';
import { newPipe } from '../pipes.ts';
import type { SharedState } from '../state.ts';

/** asm-generic/termbits.h: c_iflag. */
export const INPUT = {
  STRIP: 0o40,
  NEWLINE_TO_RETURN: 0o100,
  IGNORE_RETURN: 0o200,
  RETURN_TO_NEWLINE: 0o400,
  LOWER: 0o1000,
  FLOW: 0o2000,
  ANY_STARTS: 0o4000,
  BELL: 0o20000,
  UTF8: 0o40000,
  MARK: 0o10,
} as const;

/** c_oflag. */
export const OUTPUT = {
  PROCESS: 0o1,
  UPPER: 0o2,
  NEWLINE_TO_BOTH: 0o4,
  RETURN_TO_NEWLINE: 0o10,
  NO_RETURN_AT_START: 0o20,
  NEWLINE_RETURNS: 0o40,
  TABS: 0o14000,
  TABS_TO_SPACES: 0o14000,
} as const;

/** c_cflag: what a pseudo-terminal does not let anybody change. */
export const CONTROL = { SIZE: 0o60, EIGHT_BITS: 0o60, READS: 0o200, PARITY: 0o400, SPEED: 0o10017 } as const;

/** c_lflag. */
export const LOCAL = {
  SIGNALS: 0o1,
  CANONICAL: 0o2,
  ECHO: 0o10,
  ECHO_ERASE: 0o20,
  ECHO_KILL: 0o40,
  ECHO_NEWLINE: 0o100,
  NO_FLUSH: 0o200,
  STOPS_BACKGROUND: 0o400,
  ECHO_CONTROL: 0o1000,
  ECHO_PRINT: 0o2000,
  ECHO_KILL_ERASES: 0o4000,
  EXTENDED: 0o100000,
  EXTERNAL: 0o200000,
} as const;

/** Numbers of control characters: c_cc. */
export const CHARACTER = {
  INTERRUPT: 0,
  QUIT: 1,
  ERASE: 2,
  KILL: 3,
  END: 4,
  TIME: 5,
  LEAST: 6,
  START: 8,
  STOP: 9,
  SUSPEND: 10,
  END_OF_LINE: 11,
  REPRINT: 12,
  ERASE_WORD: 14,
  LITERAL: 15,
  END_OF_LINE_2: 16,
} as const;

/** A control character of this value stands for none. */
const DISABLED = 0;
/** In place of a byte: VEOF ended the line, and is not part of it. */
export const END_MARK = 256;

/** N_TTY_BUF_SIZE: a line, or what can be read otherwise. */
export const INPUT_CAPACITY = 4096;
/** What tty buffers take beside it. */
const BUFFER_CAPACITY = 65_536;

/** tty_std_termios with B38400 and INIT_C_CC. */
const STANDARD: TerminalSettings = {
  input: INPUT.RETURN_TO_NEWLINE | INPUT.FLOW,
  output: OUTPUT.PROCESS | OUTPUT.NEWLINE_TO_BOTH,
  control: 0o17 | CONTROL.EIGHT_BITS | CONTROL.READS,
  local:
    LOCAL.SIGNALS |
    LOCAL.CANONICAL |
    LOCAL.ECHO |
    LOCAL.ECHO_ERASE |
    LOCAL.ECHO_KILL |
    LOCAL.ECHO_CONTROL |
    LOCAL.ECHO_KILL_ERASES |
    LOCAL.EXTENDED,
  discipline: 0,
  characters: Uint8Array.of(3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0, 0, 0),
  inputSpeed: 38_400,
  outputSpeed: 38_400,
};

/** A new terminal with the lowest number that is free; gives its slave's node. */
export function newTerminal(shared: SharedState): TerminalNode {
  let number = 0;
  while (shared.terminals.has(number)) number++;
  const terminal: Terminal = {
    number,
    settings: STANDARD,
    size: [0, 0, 0, 0],
    isLocked: true,
    isExclusive: false,
    isHungUp: false,
    opened: 0,
    session: undefined,
    foreground: undefined,
    incoming: newPipe(BUFFER_CAPACITY),
    outgoing: newPipe(BUFFER_CAPACITY + INPUT_CAPACITY),
    lines: [],
    editing: [],
    isLiteral: false,
    isErasing: false,
    column: 0,
    lineColumn: 0,
    isStopped: false,
    isPacket: false,
    happened: 0,
  };
  const node: TerminalNode = {
    kind: 'terminal',
    side: 'slave',
    terminal,
    inode: 0,
    mode: 0o620,
    modified: EPOCH,
  };
  shared.terminals.set(number, node);
  return node;
}

export const isCanonical = ({ settings }: Terminal): boolean => (settings.local & LOCAL.CANONICAL) !== 0;

/** How many bytes of input there are, lines and what follows them. */
export function inputLength({ lines, editing }: Terminal): number {
  return lines.reduce((sum, line) => sum + line.length, editing.length);
}

/** Whether the byte is the control character; 0 is none. */
export function is({ characters }: TerminalSettings, name: keyof typeof CHARACTER, byte: number): boolean {
  return byte !== DISABLED && characters[CHARACTER[name]] === byte;
}
