import type { LoopBlock, MachineLoop } from './machine-loop.ts';

/** How often the parts of a loop are executed, in a mean iteration of the machine code. */
export interface LoopWeights {
  /** Executions of a block, by its start. What is not there is never executed. */
  readonly blocks: ReadonlyMap<number, number>;
  /** How often the branch at an address is taken; may be left out where the blocks tell. */
  readonly taken?: ReadonlyMap<number, number>;
}

/** Blocks in the order in which an iteration executes them, and its share of all iterations. */
export interface BlockPath {
  readonly blocks: readonly LoopBlock[];
  readonly share: number;
}

/** Paths are followed until they make up so much of all iterations, and no more of them than these. */
const ENOUGH = 0.98;
const MOST_PATHS = 8;

/**
 * The ways through a loop. Without weights one that executes every block once, as if no forward branch were ever taken.
 * With weights an innermost loop's iterations come apart into the most frequent paths; the residue of an outer loop is one
 * path of what is executed at least every second time.
 */
export function pathsOf(loop: MachineLoop, weights: LoopWeights | undefined): readonly BlockPath[] {
  const ordered = executionOrder(loop);
  if (weights === undefined) return [{ blocks: ordered, share: 1 }];
  const weightOf = (block: LoopBlock): number => weights.blocks.get(block.start) ?? 0;
  if (loop.innermost) {
    const paths = decomposed(loop, ordered, weights);
    if (paths.length > 0) return paths;
  }
  const most = Math.max(...ordered.map(weightOf));
  return [{ blocks: ordered.filter((block) => weightOf(block) >= most / 2), share: 1 }];
}

/** From the header on, each block after those that lead to it, the lowest address first among several. */
function executionOrder({ address, blocks }: MachineLoop): readonly LoopBlock[] {
  const byStart = new Map(blocks.map((block) => [block.start, block]));
  const before = new Map<number, number>(blocks.map(({ start }) => [start, 0]));
  const followers = (block: LoopBlock): readonly number[] =>
    block.successors.filter((to) => to !== address && byStart.has(to));
  for (const block of blocks) for (const to of followers(block)) before.set(to, before.get(to)! + 1);
  const result: LoopBlock[] = [];
  const left = new Set(blocks.map(({ start }) => start));
  const ready = new Heap();
  ready.push(address);
  while (left.size > 0) {
    // A residue has parts that only an inner loop leads to, a cycle with several entries none that is ready.
    const next = ready.pop() ?? lowest(left, before);
    if (!left.delete(next)) continue;
    const block = byStart.get(next)!;
    result.push(block);
    for (const to of followers(block)) {
      const waiting = before.get(to)! - 1;
      before.set(to, waiting);
      if (waiting === 0) ready.push(to);
    }
  }
  return result;
}

/** The lowest one that nothing leads to any more, else simply the lowest: sets keep the ascending order of blocks. */
function lowest(left: ReadonlySet<number>, before: ReadonlyMap<number, number>): number {
  let first: number | undefined;
  for (const start of left) {
    if (before.get(start) === 0) return start;
    first ??= start;
  }
  return first!;
}

/** A heap of numbers, the lowest first. */
class Heap {
  private readonly items: number[] = [];

  push(value: number): void {
    const { items } = this;
    items.push(value);
    for (let at = items.length - 1; at > 0; ) {
      const above = (at - 1) >> 1;
      if (items[above] <= items[at]) break;
      [items[above], items[at]] = [items[at], items[above]];
      at = above;
    }
  }

  pop(): number | undefined {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return top;
    items[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < items.length && items[below] < items[least]) least = below;
      if (least === at) return top;
      [items[least], items[at]] = [items[at], items[least]];
      at = least;
    }
  }
}

/** Follows the most frequent way from the header back to it, takes it off, and begins again. */
function decomposed(
  { address }: MachineLoop,
  ordered: readonly LoopBlock[],
  weights: LoopWeights,
): readonly BlockPath[] {
  const byStart = new Map(ordered.map((block) => [block.start, block]));
  const flows = new Map(ordered.map((block) => [block.start, flowsFrom(block, byStart, weights)]));
  const whole = weights.blocks.get(address) ?? 0;
  const paths: BlockPath[] = [];
  let covered = 0;
  while (paths.length < MOST_PATHS && covered < ENOUGH * whole) {
    const path: LoopBlock[] = [];
    const steps: [flow: Map<number, number>, to: number][] = [];
    const visited = new Set<number>();
    let at = address;
    let share = whole - covered;
    for (;;) {
      const block = byStart.get(at)!;
      path.push(block);
      visited.add(at);
      const flow = flows.get(at)!;
      const [to, amount] = [...flow].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
      if (amount <= 0) break;
      steps.push([flow, to]);
      share = Math.min(share, amount);
      if (visited.has(to)) break;
      at = to;
    }
    if (steps.length === 0 || share < whole / 1000) break;
    for (const [flow, to] of steps) flow.set(to, flow.get(to)! - share);
    if (steps.at(-1)![1] === address) paths.push({ blocks: path, share });
    covered += share;
  }
  return paths;
}

/** How often each of a block's followers in the loop comes after it. */
function flowsFrom(
  block: LoopBlock,
  byStart: ReadonlyMap<number, LoopBlock>,
  weights: LoopWeights,
): Map<number, number> {
  const own = weights.blocks.get(block.start) ?? 0;
  const last = block.instructions.at(-1);
  const taken = last === undefined ? undefined : weights.taken?.get(last.address);
  const inside = block.successors.filter((to) => byStart.has(to));
  const flows = new Map<number, number>();
  if (taken !== undefined && last!.flow === 'conditional') {
    for (const to of inside) flows.set(to, to === last!.target ? taken : own - taken);
    return flows;
  }
  const sum = inside.reduce((total, to) => total + (weights.blocks.get(to) ?? 0), 0);
  for (const to of inside) {
    const share = sum === 0 ? 0 : (weights.blocks.get(to) ?? 0) / sum;
    // Where control leaves the loop here, what follows is executed less often than this.
    flows.set(to, inside.length === 1 ? Math.min(own, weights.blocks.get(to) ?? 0) : own * share);
  }
  return flows;
}
