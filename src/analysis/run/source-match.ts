import type { LoopDemand } from '../../source/demand.ts';
import type { MachineCounts } from '../loops/counts.ts';
import type { LineKnowledge, Position } from '../loops/lines.ts';
import type { MachineLoop } from '../loops/machine-loop.ts';
import { essentialCounts, type Weights } from '../macs/essential.ts';
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
 * Compilers give the jump back the line of the loop's condition. So it is the smallest source loop that holds that line. Of
 * several of one size, an innermost loop is one without others inside, and of these the one that does most nearly what the
 * compiled loop does, in whatever multiple; an outer loop is the one nested deepest. It must hold, as an outer one, what the
 * loops inside it are (`inner`): where it does not, the compiler has cut one source loop into several nested ones.
 * Several loops of machine code may be of one source loop: a vectorised one and its remainder, copies of a function that
 * was inlined.
 */
export function sourceLoopFor(
  isInnermost: boolean,
  anchor: Position,
  inner: readonly LoopDemand[],
  demands: readonly LoopDemand[],
  compiled: MachineCounts,
): LoopDemand | undefined {
  const holding = demands.filter(
    (each) =>
      each.line <= anchor.line &&
      anchor.line <= each.endLine &&
      inner.every((within) => isAround(each, within)),
  );
  // A function within a function (a lambda) is smaller, too.
  const rank = (a: LoopDemand, b: LoopDemand): number =>
    a.endLine - a.line - (b.endLine - b.line) ||
    (isInnermost ? Number(b.innermost) - Number(a.innermost) : b.depth - a.depth);
  const [smallest, ...others] = holding.toSorted(rank);
  const equals = others.filter((each) => rank(smallest, each) === 0);
  const likeness = (each: LoopDemand): number => likenessOf(each, compiled);
  const first = equals.reduce((best, each) => (likeness(each) > likeness(best) ? each : best), smallest);
  return first !== undefined && (isInnermost || !first.innermost) ? first : undefined;
}

/** The cosine between what both add, multiply, do otherwise, load and store: 1 for the same in any multiple. */
function likenessOf(demand: LoopDemand, compiled: MachineCounts): number {
  const [source, code] = [essentialCounts(demand), compiled].map(({ fa, fm, fma, fmisc, loads, stores }) => [
    fa + fma,
    fm + fma,
    fmisc,
    loads,
    stores,
  ]);
  const length = (of: readonly number[]): number => Math.hypot(...of) || 1;
  return source.reduce((sum, each, i) => sum + each * code[i], 0) / length(source) / length(code);
}

const isAround = (outer: LoopDemand, inner: LoopDemand): boolean =>
  outer.function !== inner.function ||
  (outer.line <= inner.line && inner.endLine <= outer.endLine && outer.depth < inner.depth);

/**
 * How often the areas that branches decide on happen in an iteration: as often as the instructions of their lines. Where
 * there are none of these, or the branch became a conditional move, it counts as every time.
 */
export function areaWeights(
  demand: LoopDemand,
  loop: MachineLoop,
  { weights }: LoopRun,
  file: string,
  knowledge: LineKnowledge,
): Weights {
  const { areas } = demand;
  if (areas.length <= 1) return () => 1;
  const areaOf = areaOfLines(demand);
  const found = areas.map((): number[] => []);
  for (const { start, instructions } of loop.blocks) {
    const weight = weights.blocks.get(start) ?? 0;
    for (const { address } of instructions) {
      const position = knowledge.line(address);
      if (position?.file !== file) continue;
      found[areaOf(position.line)].push(weight);
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

/**
 * Tells which area a line's instructions are in. A line with operations is that of the outermost area that has some there:
 * the line of an `if` begins with its condition. Others are of the smallest area around them.
 */
function areaOfLines({ areas, steps }: LoopDemand): (line: number) => number {
  const depths = areas.map((each) => {
    let depth = 0;
    for (let at = each.parent; at !== undefined; at = areas[at].parent) depth++;
    return depth;
  });
  const byLine = new Map<number, number>();
  for (const { line, area } of steps) {
    const known = byLine.get(line);
    if (known === undefined || depths[area] < depths[known]) byLine.set(line, area);
  }
  return (line) => {
    const known = byLine.get(line);
    if (known !== undefined) return known;
    let best = 0;
    areas.forEach((each, i) => {
      if (line >= each.line && line <= each.endLine && depths[i] > depths[best]) best = i;
    });
    return best;
  };
}
