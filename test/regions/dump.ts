import { printBlock } from '../../src/ir/printer.ts';
import { MARK, type MadeRegion } from '../../src/translate/instruments.ts';
import type { RegionBlock } from '../../src/translate/regions/region.ts';
import { formatInstruction } from '../../src/x86/format.ts';
import { VARIABLES } from '../../src/x86/state.ts';
import { wasmText } from './wasm-text.ts';

/** What is known of a program's code. */
export interface Code {
  readonly read: (address: number, length: number) => Uint8Array;
  /** Where an address comes from, in words. */
  readonly lineOf?: (address: number) => string | undefined;
}

const hex = (address: number): string => `0x${address.toString(16)}`;

/**
 * A region as text: for each block, in the order in which the code is, its instructions, the IR that they were lifted to,
 * and the WebAssembly that the block begins. What closes a block's structure stands behind the last block in it.
 */
export function dumpRegion({ region, bytes, locals }: MadeRegion, code: Code): string {
  const { entry, blocks, top, usesFpu } = region;
  const lines = [
    `region ${hex(entry)}${usesFpu ? `, x87 top ${top}` : ''}: ${blocks.length} blocks, ${bytes.length} bytes of WebAssembly`,
    '',
    'entry',
  ];
  for (const line of wasmText(bytes, locals)) {
    const mark = /^( *)i32\.const (\d+) drop$/.exec(line);
    const index = mark === null ? -1 : Number(mark[2]) - MARK;
    if (mark === null || !(index in blocks)) lines.push(`    ${line}`);
    else lines.push('', ...heading(blocks[index], code));
  }
  return `${lines.join('\n')}\n`;
}

function heading(block: RegionBlock, code: Code): string[] {
  const { index, lifted, targets, gate } = block;
  const successors = block.successors.map((edge) =>
    edge.kind === 'block' ? `block ${edge.index}` : `exit ${hex(edge.address)}`,
  );
  const ways = successors.length === 0 ? '' : `, to ${successors.join(', ')}`;
  if (targets !== undefined) return [`block ${index}: the table of jump targets${ways}`];
  if (gate !== undefined)
    return [`block ${index}: a gate to the loops that the region can be entered at${ways}`];
  const [, ...ir] = printBlock(lifted, VARIABLES).trimEnd().split('\n');
  return [
    `block ${index}: ${hex(lifted.address)} to ${hex(lifted.end)}${ways}`,
    ...instructionLines(lifted, code).map((line) => `  ${line}`),
    '  ir',
    ...ir.map((line) => `  ${line}`),
    '  wasm',
  ];
}

function instructionLines({ instructions, address, end }: RegionBlock['lifted'], code: Code): string[] {
  const starts = instructions.map((instruction) => instruction.address);
  const last = instructions.at(-1);
  // What runs as a service or faults is none of the block's instructions, but its end lies behind it.
  const after = last === undefined ? address : last.address + last.length;
  if (after < end) starts.push(after);
  let line: string | undefined;
  return starts.map((at, i) => {
    const bytes = code.read(at, (starts[i + 1] ?? end) - at);
    const text = `${hex(at)}  ${Buffer.from(bytes).toString('hex').padEnd(20)}  ${formatInstruction(bytes, at)}`;
    const before = line;
    line = code.lineOf?.(at);
    return line === undefined || line === before ? text : `${text.padEnd(70)}  ${line}`;
  });
}
