import type { Terminal, TerminalSettings } from '../fs/node.ts';
import type { System } from '../system.ts';
import { takeIn } from './input.ts';
import { CONTROL, END_MARK, isCanonical } from './terminal.ts';

/** termios as programs exchange it with the kernel: three shapes of it, and what a change of it does to the terminal. */

/** struct termios, termios2 and termio of asm-generic/termbits.h and termios.h. */
export type Shape = 'termios' | 'termios2' | 'termio';
export const SIZES: Readonly<Record<Shape, number>> = { termios: 36, termios2: 44, termio: 18 };

/** NCCS of the kernel, and NCC of struct termio. */
const CHARACTERS = 19;
const OLD_CHARACTERS = 8;

export function settingsRecord(settings: TerminalSettings, shape: Shape): Uint8Array {
  const record = new Uint8Array(SIZES[shape]);
  const view = new DataView(record.buffer);
  const flags = [settings.input, settings.output, settings.control, settings.local];
  if (shape === 'termio') {
    for (const [i, each] of flags.entries()) view.setUint16(2 * i, each, true);
    record[8] = settings.discipline;
    record.set(settings.characters.subarray(0, OLD_CHARACTERS), 9);
    return record;
  }
  for (const [i, each] of flags.entries()) view.setUint32(4 * i, each, true);
  record[16] = settings.discipline;
  record.set(settings.characters, 17);
  if (shape === 'termios2') {
    view.setUint32(36, settings.inputSpeed, true);
    view.setUint32(40, settings.outputSpeed, true);
  }
  return record;
}

/** B0 to B38400, then B57600 to B4000000, which have CBAUDEX. */
const SPEEDS = [
  0, 50, 75, 110, 134, 150, 200, 300, 600, 1200, 1800, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200,
  230_400, 460_800, 500_000, 576_000, 921_600, 1_000_000, 1_152_000, 1_500_000, 2_000_000, 2_500_000,
  3_000_000, 3_500_000, 4_000_000,
];
const EXTENDED_SPEED = 0o10000;
/** BOTHER: the speed is in the record. */
const OTHER_SPEED = 0o10000;

function speedOf(control: number, given: number): number {
  const code = control & CONTROL.SPEED;
  if (code === OTHER_SPEED) return given;
  return SPEEDS[(code & EXTENDED_SPEED) === 0 ? code : 15 + (code & 0o17)] ?? 0;
}

/** What a record asks for; it leaves alone what it has no room for. */
export function settingsFrom(before: TerminalSettings, record: Uint8Array, shape: Shape): TerminalSettings {
  const view = new DataView(record.buffer, record.byteOffset, record.length);
  const characters = before.characters.slice();
  const old = [before.input, before.output, before.control, before.local];
  const isOld = shape === 'termio';
  const [input, output, wanted, local] = old.map((each, i) =>
    isOld ? ((each & ~0xffff) | view.getUint16(2 * i, true)) >>> 0 : view.getUint32(4 * i, true),
  );
  characters.set(isOld ? record.subarray(9, 9 + OLD_CHARACTERS) : record.subarray(17, 17 + CHARACTERS));
  const control = ((wanted & ~(CONTROL.SIZE | CONTROL.PARITY)) | CONTROL.EIGHT_BITS | CONTROL.READS) >>> 0;
  const outputSpeed = speedOf(control, shape === 'termios2' ? view.getUint32(40, true) : before.outputSpeed);
  const hasInputSpeed = shape === 'termios2' && (control & INPUT_SPEED) !== 0;
  return {
    input,
    output,
    control,
    local,
    discipline: record[isOld ? 8 : 16],
    characters,
    inputSpeed: hasInputSpeed ? view.getUint32(36, true) : outputSpeed,
    outputSpeed,
  };
}

/** CIBAUD */
const INPUT_SPEED = 0o2003600000;

/** Where lines begin or cease to count, what is there already becomes one, or no line any more. */
export function change(system: System, terminal: Terminal, settings: TerminalSettings): void {
  const before = isCanonical(terminal);
  terminal.settings = settings;
  if (before !== isCanonical(terminal)) {
    const all = [...terminal.lines.flat(), ...terminal.editing];
    terminal.lines = before || all.length === 0 ? [] : [all];
    terminal.editing = before ? all.map((byte) => (byte === END_MARK ? 0 : byte)) : [];
    terminal.isErasing = false;
    terminal.isLiteral = false;
  }
  takeIn(system, terminal);
}
