import { RSP } from '../../x86/state.ts';
import { type BlockNode, orderedBlocks } from './ordered-blocks.ts';
import { type CallInLine, type Edge, type Region, type RegionBlock, sizeOfRegion } from './region.ts';
import { findStackOffsets, isRise, stackOffset, stackSetIn } from './stack-offsets.ts';

/** What may be in line. */
export interface InLineLimits {
  /** The function at an address as a region, if it may be in line (see isLeaf). */
  readonly leafAt: (address: number) => Region | undefined;
  /** Where a call went whose target is known when it is executed only, as far as it did often; none where not all of it can be in line. */
  readonly targetsOf: (from: number) => readonly number[];
  /** Most instructions that are added. */
  readonly room: number;
}

/**
 * Calls of small functions that call nothing, with the function's code in the caller's region. A call of its own takes all state through memory, twice, and a
 * hundred host instructions; where it opens a context, the steps of all registers are raised, and all looked at when it closes. In
 * line, state stays in locals, and only what the function reads is raised, only what it wrote is looked at.
 *
 * Each call has a copy. A return that leads elsewhere, and blocks that are not warm, leave the region. So does a call through a pointer, as of a
 * virtual function, that goes elsewhere than it did before.
 */
export function withCallsInLine(region: Region, { leafAt, targetsOf, room }: InLineLimits): Region {
  if (region.usesFpu) return region;
  const leaves = new Map<RegionBlock, readonly Region[]>();
  let left = room;
  for (const block of region.blocks) {
    const { instructions, terminator } = block.lifted;
    if (terminator.kind !== 'call' || block.successors[0].kind === 'exit') continue;
    const { target } = terminator;
    const targets = typeof target === 'number' ? [target] : targetsOf(instructions.at(-1)!.address);
    const called = targets.map(leafAt);
    if (called.length === 0 || !called.every((leaf) => leaf !== undefined)) continue;
    const size = called.reduce((sum, leaf) => sum + sizeOfRegion(leaf), 0);
    if (size > left) continue;
    left -= size;
    leaves.set(block, called);
  }
  return leaves.size === 0 ? region : { ...region, blocks: spliced(region.blocks, leaves) };
}

/**
 * Whether a function is one to be in line: it calls nothing, does nothing that asks JavaScript, and moves rsp by constants on one stack, never
 * above where it was on entry but by its returns.
 */
export function isLeaf({ blocks, usesFpu }: Region): boolean {
  if (usesFpu) return false;
  const offsets = findStackOffsets(blocks);
  let returns = false;
  for (const { index, lifted, successors } of blocks) {
    const { kind } = lifted.terminator;
    if (kind !== 'jump' && kind !== 'branch' && kind !== 'return') return false;
    if (successors.some((edge) => edge.kind === 'exit' && edge.enters)) return false;
    const offset = offsets[index];
    if (offset === undefined || stackSetIn(lifted) !== undefined) return false;
    let rises = lifted.stackRises;
    if (kind === 'return') {
      const after = stackOffset(lifted.assignments.get(RSP)!);
      if (after === undefined || offset + after !== 8) return false;
      returns = true;
      rises = rises.filter(({ instruction }) => instruction < lifted.instructions.length - 1);
    }
    if (rises.some(({ value }) => isRise(value, offset))) return false;
  }
  return returns;
}

interface Node extends BlockNode<Node> {
  readonly block: RegionBlock;
  readonly inside: CallInLine | undefined;
  readonly calls: readonly CallInLine[] | undefined;
}

function spliced(
  blocks: readonly RegionBlock[],
  leaves: ReadonlyMap<RegionBlock, readonly Region[]>,
): readonly RegionBlock[] {
  const nodeOf = (block: RegionBlock, inside?: CallInLine, calls?: readonly CallInLine[]): Node => ({
    block,
    inside,
    calls,
    successors: [],
    index: -1,
  });
  const link = (node: Node, edges: readonly Edge[], nodes: readonly Node[]) => {
    Object.assign(node, {
      successors: edges.map((edge) => (edge.kind === 'block' ? nodes[edge.index] : edge)),
    });
  };
  const callsOf = (block: RegionBlock): readonly CallInLine[] | undefined => {
    const { terminator } = block.lifted;
    if (terminator.kind !== 'call') return undefined;
    return leaves.get(block)?.map(({ entry }) => ({ target: entry, next: terminator.next }));
  };
  const nodes = blocks.map((block) => nodeOf(block, undefined, callsOf(block)));
  for (const node of nodes) {
    const { block, calls } = node;
    link(node, block.successors, nodes);
    if (calls === undefined) continue;
    const behind = node.successors;
    const firsts = leaves.get(block)!.map((leaf, i) => {
      const inner = leaf.blocks.map((each) => nodeOf(each, calls[i]));
      for (const each of inner)
        if (each.block.lifted.terminator.kind === 'return') Object.assign(each, { successors: behind });
        else link(each, each.block.successors, inner);
      return inner[0];
    });
    Object.assign(node, { successors: firsts });
  }
  return orderedBlocks(nodes[0], ({ block, inside, calls }) => ({
    ...block,
    ...(inside && { inside }),
    ...(calls && { calls }),
  }));
}
