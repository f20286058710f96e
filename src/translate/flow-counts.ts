import type { Edge, Region, RegionBlock } from './region.ts';

/**
 * A way between two blocks of a region, or between one and the outside (OUTSIDE). What goes into a block comes out of it
 * again, so that only those ways are counted that are not in a spanning tree of them all; the others follow (Knuth and
 * Stevenson 1973; Ball and Larus, "Optimally profiling and tracing programs", 1994).
 */
interface Way {
  readonly from: number;
  readonly to: number;
  /** How often it is taken, by guess: the tree keeps the often ones free of counters. */
  readonly weight: number;
  /** Number of its counter, or of its first one: there is one for each routed jump. */
  counter: number | undefined;
  readonly isRouted: boolean;
}

const OUTSIDE = -1;
const NONE = -1;
/** Times as often as what is around it that a loop's body is taken. */
const TRIPS = 10;

/** Counters for pairs of a routed jump and its target, at most. */
const MOST_PAIRS = 0x4000;

/**
 * The ways of a region, and which of them have counters. Where several indirect jumps come to the dispatching block, its
 * ways on are counted for each of them: which jump it was is not to be found out otherwise.
 */
export class FlowCounts {
  /** Counters in all. */
  readonly counters: number;
  private readonly ways: Way[] = [];
  private readonly blocks: readonly RegionBlock[];
  private readonly enterWay: number;
  /** By block: its end in a call, a return and the like; the end of a slice before it; its successors. */
  private readonly outWays: number[];
  private readonly leaveWays: number[];
  private readonly alongWays: number[][];
  /** Addresses of the indirect jumps that go through the dispatching block, and the number of its targets. */
  readonly routed: readonly number[];
  readonly targets: number;
  /** Whether pairs of them are counted, the jumps being more than one. */
  readonly countsPairs: boolean;

  constructor({ blocks }: Region) {
    this.blocks = blocks;
    const loops = loopsAround(blocks);
    const common = (a: number, b: number): number =>
      loops[a].filter((loop) => loops[b].includes(loop)).length;
    this.routed = blocks.filter(isRouted).map(({ lifted }) => lifted.instructions.at(-1)!.address);
    this.targets = blocks.find(({ targets }) => targets !== undefined)?.successors.length ?? 0;
    this.countsPairs = this.routed.length > 1 && this.routed.length * this.targets <= MOST_PAIRS;
    const add = (from: number, to: number, weight: number, isRouted = false): number =>
      this.ways.push({ from, to, weight, counter: undefined, isRouted }) - 1;
    const usual = (index: number): number => TRIPS ** loops[index].length;
    this.enterWay = add(OUTSIDE, 0, 1);
    this.leaveWays = blocks.map((block) => (isLoopHead(block) ? add(block.index, OUTSIDE, 0) : NONE));
    this.outWays = blocks.map((block) => {
      if (!endsOutside(block)) return NONE;
      return add(block.index, OUTSIDE, block.targets === undefined ? usual(block.index) : 0);
    });
    this.alongWays = blocks.map((block) => {
      const from = resumes(block) ? OUTSIDE : block.index;
      return block.successors.map((edge, i) => {
        const isRare = block.gate !== undefined && i > 0;
        const hasPairs = this.countsPairs && block.targets !== undefined;
        if (edge.kind === 'exit') return from === OUTSIDE ? NONE : add(from, OUTSIDE, 1, hasPairs);
        if (from === OUTSIDE) return add(from, edge.index, usual(edge.index));
        return add(from, edge.index, isRare ? 0 : TRIPS ** common(from, edge.index), hasPairs);
      });
    });
    this.counters = this.chooseCounters();
  }

  /** Kruskal's tree of most weight; what closes a circle is counted. */
  private chooseCounters(): number {
    const { ways } = this;
    const roots = Int32Array.from({ length: this.blocks.length + 1 }, (_, i) => i);
    const rootOf = (node: number): number => {
      let root = node + 1;
      while (roots[root] !== root) {
        roots[root] = roots[roots[root]];
        root = roots[root];
      }
      return root;
    };
    // The pairs come first, in rows by jump.
    let count = 0;
    for (const way of ways) if (way.isRouted) way.counter = count++;
    count *= this.routed.length;
    for (const way of [...ways].sort((a, b) => b.weight - a.weight)) {
      if (way.isRouted) continue;
      const [a, b] = [rootOf(way.from), rootOf(way.to)];
      if (a === b) way.counter = count++;
      else roots[a] = b;
    }
    return count;
  }

  private counterOf(way: number): number | undefined {
    return way === NONE ? undefined : this.ways[way].counter;
  }

  /** Counter of the way into the region. */
  get enter(): number | undefined {
    return this.counterOf(this.enterWay);
  }

  /** Of leaving the region at the end of a slice, before the block. */
  leave(index: number): number | undefined {
    return this.counterOf(this.leaveWays[index]);
  }

  /** Of what ends the block and leads elsewhere. */
  out(index: number): number | undefined {
    return this.counterOf(this.outWays[index]);
  }

  /** Of one of the block's successors; for a routed jump's, in the first row. */
  along({ index, successors }: RegionBlock, edge: Edge): number | undefined {
    return this.counterOf(this.alongWays[index][successors.indexOf(edge)]);
  }

  /** All ways' counts, from those of the counters. */
  solve(counted: (counter: number) => number): SolvedFlow {
    const { ways, blocks } = this;
    const counts = ways.map(({ counter, isRouted: hasPairs }) => {
      if (counter === undefined) return undefined;
      if (!hasPairs) return counted(counter);
      return this.routed.reduce((sum, _, i) => sum + counted(counter + i * this.targets), 0);
    });
    const unknown = new Int32Array(blocks.length);
    /** What came in by the known ways, less what went out. */
    const balance = new Float64Array(blocks.length);
    const waysOf: number[][] = blocks.map(() => []);
    const settle = (w: number, count: number): void => {
      counts[w] = count;
      const { from, to } = ways[w];
      if (from >= 0) balance[from] -= count;
      if (to >= 0) balance[to] += count;
    };
    for (const [w, { from, to }] of ways.entries()) {
      const count = counts[w];
      if (count !== undefined) settle(w, count);
      else
        for (const block of [from, to])
          if (block >= 0) {
            unknown[block]++;
            waysOf[block].push(w);
          }
    }
    const ready = blocks.filter(({ index }) => unknown[index] === 1).map(({ index }) => index);
    for (let block = ready.pop(); block !== undefined; block = ready.pop()) {
      const w = waysOf[block].find((way) => counts[way] === undefined);
      if (w === undefined) continue;
      const { from, to } = ways[w];
      settle(w, from === block ? balance[block] : -balance[block]);
      for (const end of [from, to]) if (end >= 0 && --unknown[end] === 1) ready.push(end);
    }
    const count = (way: number): number => (way === NONE ? 0 : counts[way]!);
    return {
      executions: ({ index, successors }) =>
        resumes(blocks[index])
          ? count(this.outWays[index])
          : successors.reduce(
              (sum, _, i) => sum + count(this.alongWays[index][i]),
              count(this.outWays[index]),
            ),
      along: ({ index }, successor) => count(this.alongWays[index][successor]),
    };
  }
}

export interface SolvedFlow {
  /** How often the block was executed. */
  executions(block: RegionBlock): number;
  /** How often it went on to one of its successors. */
  along(block: RegionBlock, successor: number): number;
}

/** Whether the block's indirect jump goes through the dispatching block. */
const isRouted = ({ lifted, successors, targets, gate }: RegionBlock): boolean =>
  targets === undefined &&
  gate === undefined &&
  lifted.terminator.kind === 'indirect-jump' &&
  successors.length > 0;

/** After a call or a service the region is entered anew, if it comes back at all. */
function resumes({ lifted: { terminator }, targets, gate }: RegionBlock): boolean {
  if (targets !== undefined || gate !== undefined) return false;
  return terminator.kind === 'call' || terminator.kind === 'service';
}

/** Whether control may go elsewhere at the block's end, other than along an edge. */
function endsOutside(block: RegionBlock): boolean {
  if (block.targets !== undefined) return true;
  return block.gate === undefined && (block.successors.length === 0 || resumes(block));
}

/** Whether a slice may end before the block, see RegionEmitter. */
function isLoopHead({ index, predecessors, gate }: RegionBlock): boolean {
  if (gate !== undefined) return gate.isLoop || predecessors.some((p) => p >= index);
  return predecessors.some((p) => p >= index);
}

/** The heads of the loops around each block. Blocks are in reverse postorder. */
function loopsAround(blocks: readonly RegionBlock[]): readonly (readonly number[])[] {
  const loops: number[][] = blocks.map(() => []);
  for (const { index, predecessors } of blocks) {
    const pending = predecessors.filter((p) => p >= index);
    if (pending.length === 0) continue;
    const body = new Set([index]);
    while (pending.length > 0) {
      const b = pending.pop()!;
      if (b < index || body.has(b)) continue;
      body.add(b);
      pending.push(...blocks[b].predecessors);
    }
    for (const b of body) loops[b].push(index);
  }
  return loops;
}
