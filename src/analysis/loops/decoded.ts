import { type CodeInstruction, decodeCode } from '../../x86/block.ts';
import type { ImageBytes } from './code.ts';
import type { FlowGraph } from './graph.ts';

/** The instructions of a function's block; each block is decoded once, however many loops it is in or before. */
export type Decoded = (block: number) => readonly CodeInstruction[];

export function decodedBlocks({ starts, ends }: FlowGraph, bytes: ImageBytes): Decoded {
  const known = new Map<number, readonly CodeInstruction[]>();
  return (block) => {
    const before = known.get(block);
    if (before !== undefined) return before;
    const start = starts[block];
    const instructions = decodeCode(bytes.at(start, ends[block] - start), start);
    known.set(block, instructions);
    return instructions;
  };
}
