import type { FlowOrder } from './order.ts';
import type { Region, RegionBlock } from './region.ts';

/**
 * Where the guest's state stays in locals. A region is divided into segments; along an edge from one to another everything
 * goes through memory. Inside a loop that calls nothing it stays in locals; elsewhere a segment is a tree of blocks, none of
 * which is reached but from the one before it.
 *
 * With locals all over a region (which the engine had before), V8's optimising compiler spent three quarters of its time in
 * assigning registers to them.
 */
export interface Segments {
  /** By block: the number of its segment. */
  readonly of: Int32Array;
  /** Whether the block's segment is a loop or a nest of them. */
  readonly isInLoop: Uint8Array;
}

/** Whether an edge between two blocks stays inside a segment. A tree's own back edges go through memory to its root. */
export const staysInside = ({ of, isInLoop }: Segments, from: number, to: number): boolean =>
  of[from] === of[to] && (isInLoop[to] === 1 || of[to] !== to);

/** Loops of at most so many blocks make one segment with the loops inside them. */
const NEST_BLOCKS = 64;

export function findSegments({ blocks }: Region, order: FlowOrder, keepsLocals: boolean): Segments {
  if (!keepsLocals) return { of: Int32Array.from(blocks.keys()), isInLoop: new Uint8Array(blocks.length) };
  const of = new Int32Array(blocks.length).fill(-1);
  const isInLoop = new Uint8Array(blocks.length);
  if (order.reducible)
    for (const { index } of blocks) {
      if (order.isLoopHeader[index] === 0 || of[index] >= 0) continue;
      const body = loopBody(blocks, index);
      if (body.some((b) => clobbers(blocks[b]))) continue;
      // A large loop around others is a segment only if it is innermost.
      if (body.length > NEST_BLOCKS && body.some((b) => b !== index && order.isLoopHeader[b] === 1)) continue;
      for (const b of body) {
        of[b] = index;
        isInLoop[b] = 1;
      }
    }
  for (const { index, predecessors } of blocks) {
    if (of[index] >= 0) continue;
    const [before] = predecessors;
    const joins =
      index > 0 &&
      predecessors.length === 1 &&
      before < index &&
      isInLoop[before] === 0 &&
      !clobbers(blocks[before]) &&
      !standsForNoCode(blocks[before]) &&
      !standsForNoCode(blocks[index]);
    of[index] = joins ? of[before] : index;
  }
  return { of, isInLoop };
}

/** Whether all state is in memory behind it. */
export const clobbers = ({ calls, lifted: { terminator } }: RegionBlock): boolean =>
  (terminator.kind === 'call' && calls === undefined) || terminator.kind === 'service';

const standsForNoCode = ({ targets, gate }: RegionBlock): boolean =>
  targets !== undefined || gate !== undefined;

/** The natural loop of a header, the header first. */
function loopBody(blocks: readonly RegionBlock[], header: number): number[] {
  const body = new Set([header]);
  const pending = blocks[header].predecessors.filter((p) => p >= header);
  while (pending.length > 0) {
    const b = pending.pop()!;
    if (body.has(b)) continue;
    body.add(b);
    pending.push(...blocks[b].predecessors);
  }
  return [...body];
}
