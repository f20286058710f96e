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
 * from. `inner` are loops inside it, whose lines are its own, too. Code that was inlined from above the function is left
 * out; where the whole loop was, its condition stands first, as in a `for`.
 */
export function linesOf(
  loop: MachineLoop,
  inner: readonly MachineLoop[],
  knowledge: LineKnowledge,
): LoopLines | undefined {
  const last = loop.blocks.find(({ start }) => start === loop.latches.at(-1))?.instructions.at(-1);
  const repeats = last === undefined ? undefined : knowledge.line(last.address);
  const all = [loop, ...inner].flatMap(({ blocks }) =>
    blocks.flatMap(({ instructions }) =>
      instructions.flatMap(({ address }) => knowledge.line(address) ?? []),
    ),
  );
  const anchor = repeats ?? all[0];
  if (anchor === undefined) return undefined;
  const declared = knowledge.declaration(loop.functionStart);
  const isOwn = declared !== undefined && declared.file === anchor.file && anchor.line >= declared.line;
  const from = isOwn ? declared.line : anchor.line;
  let [line, endLine] = [anchor.line, anchor.line];
  for (const each of all) {
    if (each.file !== anchor.file || each.line < from) continue;
    line = Math.min(line, each.line);
    endLine = Math.max(endLine, each.line);
  }
  return { file: anchor.file, line, endLine };
}
