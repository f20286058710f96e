import { blockBounds } from '../analysis/macs/block.ts';
import { Failure } from '../base/failure.ts';
import type { Machine } from '../machines/machine.ts';
import { decodeBlock } from '../x86/block.ts';

/** What a block takes when it is repeated in a row: MACS in cycles per repetition, and what limits. */
export interface BlockResult {
  readonly cycles: number;
  readonly bottleneck: string;
  /** What the machine model does not know; it counts as one addition each. Absent where it knows all. */
  readonly unknown?: readonly string[];
}

/**
 * The bounds of blocks given as text, one a line: machine code in hexadecimal, up to a comma. Empty lines are left out.
 * Blocks are met for the first time and repeated without a branch, with registers and memory as BHive prepares them.
 */
export function boundBlocks(text: string, where: string, machine: Machine): readonly BlockResult[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    return [boundBlock(bytesOf(line.split(',', 1)[0].trim(), `${where}:${i + 1}`), machine)];
  });
}

function boundBlock(bytes: Uint8Array, machine: Machine): BlockResult {
  const { instructions, invalidAt } = decodeBlock(bytes);
  const { macs, bottleneck, unknown } = blockBounds(instructions, machine, 'unrolled', 'alike');
  const all = invalidAt === undefined ? unknown : [...unknown, `no instruction at byte ${invalidAt}`];
  const result = { cycles: Math.round(macs * 10_000) / 10_000, bottleneck };
  return all.length === 0 ? result : { ...result, unknown: all };
}

function bytesOf(code: string, where: string): Uint8Array {
  if (code === '') throw new Failure('usage', 'bad-hex', `${where}: there is no machine code`);
  const bad = /[^0-9a-f]/i.exec(code);
  if (bad !== null)
    throw new Failure(
      'usage',
      'bad-hex',
      `${where}: ${JSON.stringify(bad[0])} at column ${bad.index + 1} is not a hexadecimal digit`,
    );
  if (code.length % 2 === 1)
    throw new Failure('usage', 'bad-hex', `${where}: ${code.length} hexadecimal digits are not whole bytes`);
  return Uint8Array.from(code.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
