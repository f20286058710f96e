import type { MachineLoop } from './machine-loop.ts';

export interface Position {
  readonly file: string;
  readonly line: number;
}

/** Tells source lines of addresses, and where functions are declared. */
export interface LineKnowledge {
  line(address: number): Position | undefined;
  declaration(address: number): Position | undefined;
}

/** The lines of a loop in one file. */
export interface LoopLines {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
}

/**
 * Where a loop is in the source: the file of the instruction that repeats it, and the lines of that file that its code comes
 * from, those of the loops inside it (`inner`) among them. Code that was inlined from above the function is left out; where
 * the whole loop was, its condition stands first, as in a `for`.
 */
function linesOf(
  loop: MachineLoop,
  inner: readonly LoopLines[],
  knowledge: LineKnowledge,
): LoopLines | undefined {
  const last = loop.blocks.find(({ start }) => start === loop.latches.at(-1))?.instructions.at(-1);
  const repeats = last === undefined ? undefined : knowledge.line(last.address);
  const own = loop.blocks.flatMap(({ instructions }) =>
    instructions.flatMap(({ address }) => knowledge.line(address) ?? []),
  );
  const anchor = repeats ?? own[0];
  if (anchor === undefined) return undefined;
  const declared = knowledge.declaration(loop.functionStart);
  const isOwn = declared !== undefined && declared.file === anchor.file && anchor.line >= declared.line;
  const from = isOwn ? declared.line : anchor.line;
  let [line, endLine] = [anchor.line, anchor.line];
  for (const each of [...own.map((at) => ({ ...at, endLine: at.line })), ...inner]) {
    if (each.file !== anchor.file || each.line < from) continue;
    line = Math.min(line, each.line);
    endLine = Math.max(endLine, each.endLine);
  }
  return { file: anchor.file, line, endLine };
}

/** The lines of a function's loops, which are given in front of those inside them. */
export function linesOfAll(
  loops: readonly MachineLoop[],
  knowledge: LineKnowledge,
): readonly (LoopLines | undefined)[] {
  const result: (LoopLines | undefined)[] = loops.map(() => undefined);
  const inside = new Map<number, LoopLines[]>();
  for (let i = loops.length - 1; i >= 0; i--) {
    const { address, outer } = loops[i];
    const lines = linesOf(loops[i], inside.get(address) ?? [], knowledge);
    result[i] = lines;
    if (lines === undefined || outer === undefined) continue;
    const siblings = inside.get(outer) ?? [];
    inside.set(outer, siblings);
    siblings.push(lines);
  }
  return result;
}
