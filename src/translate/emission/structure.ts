import type { FunctionBuilder } from '../../wasm/function.ts';
import type { FlowOrder } from '../regions/order.ts';
import type { Edge, Region, RegionBlock } from '../regions/region.ts';
import type { ExitEdge } from './exits/exits.ts';

/** What the structure is made of. */
export interface StructureParts {
  /** Emits one block; returns the block that comes right behind it, if any. */
  emitBlock(block: RegionBlock): number | undefined;
  /** Right before a loop: on the way in, not every time round. */
  beforeLoop(index: number): void;
  /** At the head of a loop. */
  enterLoop(index: number): void;
  leave(from: RegionBlock, edge: ExitEdge): void;
}

/**
 * Structured control flow for a region: Ramsey, "Beyond Relooper" (ICFP 2022), on the dominator tree; one loop around a
 * table of all blocks where the region is not reducible.
 */
export class Structure {
  private readonly f: FunctionBuilder;
  private readonly region: Region;
  private readonly parts: StructureParts;
  private readonly order: FlowOrder;
  private readonly blockLabels = new Map<number, number>();
  private readonly loopLabels = new Map<number, number>();
  private dispatch: { label: number; selector: number } | undefined;

  constructor(f: FunctionBuilder, region: Region, order: FlowOrder, parts: StructureParts) {
    this.f = f;
    this.region = region;
    this.parts = parts;
    this.order = order;
  }

  /** Emits the whole region. */
  emit(): void {
    if (this.order.reducible) this.emitTree(0);
    else this.emitDispatch();
  }

  /**
   * Emits a block and all that it dominates. What follows in a line (merges, the last way out of a block) is worked off
   * a list: recursion is left for the arms of branches, or long functions would exhaust the host's stack.
   */
  emitTree(root: number): void {
    const { f, order } = this;
    const work: (number | 'end of block' | 'end of loop')[] = [root];
    while (work.length > 0) {
      const item = work.pop()!;
      if (item === 'end of block') {
        f.end();
        continue;
      }
      if (item === 'end of loop') {
        f.unreachable();
        f.end();
        continue;
      }
      if (order.isLoopHeader[item]) {
        this.parts.beforeLoop(item);
        this.loopLabels.set(item, f.loop());
        this.parts.enterLoop(item);
        work.push('end of loop');
      }
      // The innermost block ends right before the merge that comes first.
      const merges = order.children[item].filter((child) => order.isMerge[child]);
      for (const merge of [...merges].reverse()) {
        this.blockLabels.set(merge, f.block());
        work.push(merge, 'end of block');
      }
      const next = this.parts.emitBlock(this.region.blocks[item]);
      if (next !== undefined) work.push(next);
    }
  }

  /** A region that no nesting of loops can express: one loop around a table of all blocks. */
  private emitDispatch(): void {
    const { f, region } = this;
    const selector = f.local('i32');
    const label = f.loop();
    this.dispatch = { label, selector };
    const labels = region.blocks.map(() => f.block()).reverse();
    f.get(selector);
    f.brTable(labels, labels[0]);
    for (const block of region.blocks) {
      f.end();
      if (this.order.isLoopHeader[block.index]) this.parts.enterLoop(block.index);
      if (this.parts.emitBlock(block) !== undefined) throw new Error('a block fell out of the dispatch loop');
    }
    f.unreachable();
    f.end();
  }

  /** Blocks that are emitted along the edge, right here; 0 where it only jumps. */
  weight(from: RegionBlock, edge: Edge): number {
    return this.isInline(from, edge) ? this.order.sizes[edge.index] : 0;
  }

  /** Whether the edge leads to a block that is emitted right here, because nothing else leads to it. */
  private isInline(from: RegionBlock, edge: Edge): edge is Edge & { kind: 'block' } {
    return (
      this.dispatch === undefined &&
      edge.kind === 'block' &&
      edge.index > from.index &&
      !this.order.isMerge[edge.index]
    );
  }

  /** Goes where the edge leads; a block that is to be emitted right here is returned. */
  follow(from: RegionBlock, edge: Edge): number | undefined {
    const { f } = this;
    if (edge.kind === 'exit') this.parts.leave(from, edge);
    else if (this.dispatch !== undefined) {
      f.i32(edge.index);
      f.set(this.dispatch.selector);
      f.br(this.dispatch.label);
    } else if (edge.index <= from.index) f.br(this.loopLabels.get(edge.index)!);
    else if (this.order.isMerge[edge.index]) f.br(this.blockLabels.get(edge.index)!);
    else return edge.index;
    return undefined;
  }
}
