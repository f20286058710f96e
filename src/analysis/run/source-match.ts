import type { LoopDemand } from '../../source/demand.ts';
import type { LineKnowledge, Position } from '../loops/lines.ts';
import type { MachineLoop } from '../loops/machine-loop.ts';
import type { Weights } from '../macs/essential.ts';
import type { LoopRun } from './loop-run.ts';

/** Where the loop is repeated: the line of its last jump back, else of the first of its instructions that has one. */
export function anchorOf(loop: MachineLoop, knowledge: LineKnowledge): Position | undefined {
  const latch = loop.blocks.find(({ start }) => start === loop.latches.at(-1));
  const repeats = latch?.instructions.at(-1);
  const there = repeats === undefined ? undefined : knowledge.line(repeats.address);
  if (there !== undefined) return there;
  for (const { instructions } of loop.blocks)
    for (const { address } of instructions) {
      const position = knowledge.line(address);
      if (position !== undefined) return position;
    }
  return undefined;
}

/**
 * The source loop that a loop of machine code was made of, among those of the file that its anchor is in.
 *
 * Compilers give the jump back the line of the loop's condition. So it is the smallest source loop that holds that line;
 * of several on one line the one nested deepest for an innermost loop. An outer loop must hold, as an outer one, what the
 * loops inside it are (`inner`): where it does not, the compiler has cut one source loop into several nested ones.
 * Several loops of machine code may be of one source loop: a vectorised one and its remainder, copies of a function that
 * was inlined.
 */
export function sourceLoopFor(
  isInnermost: boolean,
  anchor: Position,
  inner: readonly LoopDemand[],
  demands: readonly LoopDemand[],
): LoopDemand | undefined {
  const holding = demands.filter(
    (each) =>
      each.line <= anchor.line &&
      anchor.line <= each.endLine &&
      inner.every((within) => isAround(each, within)),
  );
  // What is nested deeper in its function is smaller; a function within a function (a lambda) is smaller, too.
  const [first] = holding.sort((a, b) => a.endLine - a.line - (b.endLine - b.line) || b.depth - a.depth);
  return first !== undefined && (isInnermost || !first.innermost) ? first : undefined;
}

const isAround = (outer: LoopDemand, inner: LoopDemand): boolean =>
  outer.function !== inner.function ||
  (outer.line <= inner.line && inner.endLine <= outer.endLine && outer.depth < inner.depth);

/**
 * How often the areas that branches decide on happen in an iteration: as often as the instructions of their lines. Where
 * there are none of these, or the branch became a conditional move, it counts as every time.
 */
export function areaWeights(
  { areas }: LoopDemand,
  loop: MachineLoop,
  { weights }: LoopRun,
  file: string,
  knowledge: LineKnowledge,
): Weights {
  if (areas.length <= 1) return () => 1;
  const found = areas.map((): number[] => []);
  for (const { start, instructions } of loop.blocks) {
    const weight = weights.blocks.get(start) ?? 0;
    for (const { address } of instructions) {
      const position = knowledge.line(address);
      if (position?.file !== file) continue;
      found[smallest(areas, position.line)].push(weight);
    }
  }
  const own = found.map((each) => {
    if (each.length === 0) return undefined;
    const sorted = each.sort((a, b) => a - b);
    return Math.min(1, sorted[sorted.length >> 1]);
  });
  return (area) => {
    for (let at: number | undefined = area; at !== undefined && at > 0; at = areas[at].parent) {
      const weight = own[at];
      if (weight !== undefined) return weight;
    }
    return 1;
  };
}

function smallest(areas: LoopDemand['areas'], line: number): number {
  let best = 0;
  areas.forEach((each, i) => {
    if (i === 0 || line < each.line || line > each.endLine) return;
    // One that shares its line with what is around it cannot be told from it.
    if (line === areas[each.parent ?? 0].line) return;
    if (best === 0 || each.endLine - each.line <= areas[best].endLine - areas[best].line) best = i;
  });
  return best;
}
