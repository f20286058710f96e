import type { Edge, Region, RegionBlock } from '../regions/region.ts';

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
  /** Addresses of the indirect jumps that go through the dispatching block, and the number of its targets. */
  readonly routed: readonly number[];
  readonly targets: number;
  /** Whether pairs of them are counted, the jumps being more than one. */
  readonly countsPairs: boolean;
  /** By way: the blocks, and its counter; NONE has none. */
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  private readonly counterOf: Int32Array;
  /** The ways whose counters are those of pairs. */
  private readonly pairs: ReadonlySet<number>;
  private readonly enterWay: number;
  /** By block: its end in a call, a return and the like; that the region is left before it; where the ways of its successors begin. */
  private readonly outWays: Int32Array;
  private readonly leaveWays: Int32Array;
  private readonly alongWays: Int32Array;
  private readonly alongAt: Int32Array;
  /** By block: whether what comes behind it counts for nothing, see `resumes`. */
  private readonly isResumed: Uint8Array;

  /** `isVolatile`: it may be left before any of its blocks. */
  constructor({ blocks }: Region, isVolatile: boolean) {
    const loops = loopsAround(blocks);
    const common = (a: number, b: number): number =>
      loops[a].filter((loop) => loops[b].includes(loop)).length;
    this.routed = blocks.filter(isRouted).map(({ lifted }) => lifted.instructions.at(-1)!.address);
    this.targets = blocks.find(({ targets }) => targets !== undefined)?.successors.length ?? 0;
    this.countsPairs = this.routed.length > 1 && this.routed.length * this.targets <= MOST_PAIRS;
    const ways: Way[] = [];
    const add = (from: number, to: number, weight: number): number => ways.push({ from, to, weight }) - 1;
    const usual = (index: number): number => TRIPS ** loops[index].length;
    this.enterWay = add(OUTSIDE, 0, 1);
    this.leaveWays = Int32Array.from(blocks, (block) =>
      isVolatile || isLoopHead(block) ? add(block.index, OUTSIDE, 0) : NONE,
    );
    this.outWays = Int32Array.from(blocks, (block) => {
      if (!endsOutside(block)) return NONE;
      return add(block.index, OUTSIDE, block.targets === undefined ? usual(block.index) : 0);
    });
    const along: number[] = [];
    const pairs = new Set<number>();
    const alongAt = [0];
    for (const block of blocks) {
      const from = resumes(block) ? OUTSIDE : block.index;
      for (const [i, edge] of block.successors.entries()) {
        const isRare = block.gate !== undefined && i > 0;
        if (this.countsPairs && block.targets !== undefined) pairs.add(ways.length);
        if (edge.kind === 'exit') along.push(from === OUTSIDE ? NONE : add(from, OUTSIDE, 1));
        else if (from === OUTSIDE) along.push(add(from, edge.index, usual(edge.index)));
        else along.push(add(from, edge.index, isRare ? 0 : TRIPS ** common(from, edge.index)));
      }
      alongAt.push(along.length);
    }
    this.alongWays = Int32Array.from(along);
    this.alongAt = Int32Array.from(alongAt);
    this.isResumed = Uint8Array.from(blocks, (block) => (resumes(block) ? 1 : 0));
    this.pairs = pairs;
    this.from = Int32Array.from(ways, ({ from }) => from);
    this.to = Int32Array.from(ways, ({ to }) => to);
    this.counterOf = new Int32Array(ways.length).fill(NONE);
    this.counters = this.chooseCounters(ways, blocks.length);
  }

  /** Kruskal's tree of most weight; what closes a circle is counted. */
  private chooseCounters(ways: readonly Way[], blocks: number): number {
    const roots = Int32Array.from({ length: blocks + 1 }, (_, i) => i);
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
    for (const way of this.pairs) this.counterOf[way] = count++;
    count *= Math.max(1, this.routed.length);
    const order = [...ways.keys()].sort((a, b) => ways[b].weight - ways[a].weight);
    for (const way of order) {
      if (this.pairs.has(way)) continue;
      const [a, b] = [rootOf(ways[way].from), rootOf(ways[way].to)];
      if (a === b) this.counterOf[way] = count++;
      else roots[a] = b;
    }
    return count;
  }

  private counter(way: number): number | undefined {
    const counter = way === NONE ? NONE : this.counterOf[way];
    return counter === NONE ? undefined : counter;
  }

  /** Counter of the way into the region. */
  get enter(): number | undefined {
    return this.counter(this.enterWay);
  }

  /** Of leaving the region before the block: at the end of a slice, or because code has changed. */
  leave(index: number): number | undefined {
    return this.counter(this.leaveWays[index]);
  }

  /** Of what ends the block and leads elsewhere. */
  out(index: number): number | undefined {
    return this.counter(this.outWays[index]);
  }

  /** Of one of the block's successors; for a routed jump's, in the first row. */
  along({ index, successors }: RegionBlock, edge: Edge): number | undefined {
    return this.counter(this.alongWays[this.alongAt[index] + successors.indexOf(edge)]);
  }

  /** All ways' counts, from those of the counters. */
  solve(counted: (counter: number) => number): SolvedFlow {
    const { from, to, outWays, alongWays, alongAt, isResumed } = this;
    const counts = new Float64Array(from.length).fill(NONE);
    const unknown = new Int32Array(outWays.length);
    /** What came in by the known ways, less what went out. */
    const balance = new Float64Array(outWays.length);
    const settle = (way: number, count: number): void => {
      counts[way] = count;
      if (from[way] >= 0) balance[from[way]] -= count;
      if (to[way] >= 0) balance[to[way]] += count;
    };
    /** The unknown ways of a block, all of them xored: the last one is what is left. */
    const last = new Int32Array(outWays.length);
    for (let way = 0; way < from.length; way++) {
      const counter = this.counterOf[way];
      if (this.pairs.has(way))
        settle(
          way,
          this.routed.reduce((sum, _, i) => sum + counted(counter + i * this.targets), 0),
        );
      else if (counter !== NONE) settle(way, counted(counter));
      else
        for (const block of [from[way], to[way]])
          if (block >= 0) {
            unknown[block]++;
            last[block] ^= way;
          }
    }
    const ready = [...unknown.keys()].filter((block) => unknown[block] === 1);
    for (let block = ready.pop(); block !== undefined; block = ready.pop()) {
      if (unknown[block] !== 1) continue;
      const way = last[block];
      settle(way, from[way] === block ? balance[block] : -balance[block]);
      for (const end of [from[way], to[way]])
        if (end >= 0) {
          last[end] ^= way;
          if (--unknown[end] === 1) ready.push(end);
        }
    }
    if (counts.includes(NONE))
      throw new Error('the ways of a region do not follow from those that are counted');
    const count = (way: number): number => (way === NONE ? 0 : counts[way]);
    return {
      executions: (index) => {
        let sum = count(outWays[index]);
        if (isResumed[index] === 0)
          for (let i = alongAt[index]; i < alongAt[index + 1]; i++) sum += count(alongWays[i]);
        return sum;
      },
      along: (index, successor) => count(alongWays[alongAt[index] + successor]),
    };
  }
}

export interface SolvedFlow {
  /** How often a block was executed. */
  executions(index: number): number;
  /** How often it went on to one of its successors. */
  along(index: number, successor: number): number;
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
