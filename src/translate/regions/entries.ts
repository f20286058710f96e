import { BlockBuilder } from '../../ir/builder.ts';
import type { LiftedBlock } from '../../x86/lift/block.ts';
import { VARIABLES } from '../../x86/state.ts';
import { orderFlow } from './order.ts';
import { type BlockNode, orderedBlocks } from './ordered-blocks.ts';
import type { Gate, Region, RegionBlock, RegionEntry } from './region.ts';
import { findStackOffsets } from './stack-offsets.ts';

/**
 * Loops of a region, and targets of its indirect jumps, as ways into it. Otherwise a loop that is entered while its function's region exists, because a slice
 * has ended in it or the interpreter came to it, needs a region of its own, which is another copy of most of the function
 * (measured on sqlite3: 33 copies of the bytecode loop were 78 % of all that was compiled). In a bytecode loop whose jumps are
 * computed, every instruction's code is such a place: six copies of Python's were 76 %.
 *
 * A jump into a loop from outside would make the region irreducible. So a region with entries begins with a gate, and
 * loops around entries have one before their header: while the number of an entry is in a local, gates lead to it from
 * loop to loop. The table of jump targets leads to any target by itself, once control is there: it counts as one entry.
 */
export function withEntries(region: Region, most: number, entersTargets: boolean): Region {
  const { blocks } = region;
  // Blocks that use x87 are valid for one top of its stack, which whoever enters a loop would have to have.
  if (most === 0 || region.usesFpu || blocks.length === 1) return region;
  const { isLoopHeader, reducible } = orderFlow(region.blocks);
  if (!reducible || !isLoopHeader.includes(1)) return region;
  const parents = findParents(blocks, isLoopHeader);
  const offsets = findStackOffsets(blocks);
  const isEntry = ({ index, targets }: RegionBlock): boolean => {
    if (index === 0 || isLoopHeader[index] === 0 || targets !== undefined || offsets[index] === undefined)
      return false;
    // A table of targets can be no gate.
    for (let loop = parents[index]; loop >= 0; loop = parents[loop])
      if (blocks[loop].targets !== undefined) return false;
    return true;
  };
  const loops = blocks.filter(isEntry).slice(0, most);
  const entryOf = (block: RegionBlock, number: number, isTarget: boolean, address: number): RegionEntry => ({
    number,
    isTarget,
    address,
    stackOffset: offsets[block.index] as number,
  });
  const entries = loops.map((block, i) => entryOf(block, i + 1, false, block.lifted.address));
  const table = blocks.find(
    ({ index, targets }) =>
      targets !== undefined && isLoopHeader[index] === 1 && offsets[index] !== undefined,
  );
  if (table === undefined || !entersTargets) return build(region, loops, entries, parents);
  const isLoop = new Set(entries.map(({ address }) => address));
  const targets = table.targets!.filter((address) => !isLoop.has(address) && address !== region.entry);
  if (targets.length === 0 || targets.length > MOST_TARGETS) return build(region, loops, entries, parents);
  const number = loops.length + 1;
  entries.push(...targets.map((address) => entryOf(table, number, true, address)));
  return build(region, [...loops, table], entries, parents);
}

/** Each takes a slot, a function of 60 bytes, and a place in the list of each page of the region. Python's loop had 119. */
const MOST_TARGETS = 1000;

/** The innermost loop around each loop header, by the index of that loop's header; -1 for none. */
function findParents(blocks: readonly RegionBlock[], isLoopHeader: Uint8Array): Int32Array {
  const parents = new Int32Array(blocks.length).fill(-1);
  // Outer headers come first in reverse postorder, so that what inner ones write last stays.
  for (const { index, predecessors } of blocks) {
    if (isLoopHeader[index] === 0) continue;
    const body = new Set<number>();
    const pending = predecessors.filter((p) => p >= index);
    while (pending.length > 0) {
      const b = pending.pop()!;
      if (b === index || body.has(b)) continue;
      body.add(b);
      pending.push(...blocks[b].predecessors);
    }
    for (const b of body) if (isLoopHeader[b] === 1) parents[b] = index;
  }
  return parents;
}

/** A block on its way into the order: one of the region's, or a gate before one. */
interface Node extends BlockNode<Node> {
  readonly block: RegionBlock | undefined;
  /** The block that the gate stands before. */
  readonly before: number;
  readonly numbers: readonly number[];
}

/** `heads` are the blocks that the entries' numbers, from 1 on, stand for. */
function build(
  region: Region,
  heads: readonly RegionBlock[],
  entries: readonly RegionEntry[],
  parents: Int32Array,
): Region {
  if (entries.length === 0) return region;
  const { blocks } = region;
  /** Numbers of the entries inside each loop, the header's own not included; -1 stands for the region. */
  const inside = new Map<number, number[]>();
  heads.forEach(({ index }, i) => {
    for (let loop = parents[index]; ; loop = parents[loop]) {
      const numbers = inside.get(loop) ?? [];
      inside.set(loop, numbers);
      numbers.push(i + 1);
      if (loop < 0) break;
    }
  });
  const bodies: Node[] = blocks.map((block) => ({
    block,
    before: block.index,
    successors: [],
    numbers: [],
    index: -1,
  }));
  const gates = new Map<number, Node>();
  const nodeOf = (index: number): Node => gates.get(index) ?? bodies[index];
  /** The loop right inside `around` that holds the entry. */
  const loopTowards = (number: number, around: number): number => {
    let loop = heads[number - 1].index;
    while (parents[loop] !== around) loop = parents[loop];
    return loop;
  };
  for (const [loop, numbers] of inside)
    if (loop >= 0) gates.set(loop, { block: undefined, before: loop, successors: [], numbers, index: -1 });
  const root: Node = {
    block: undefined,
    before: 0,
    successors: [],
    numbers: inside.get(-1)!,
    index: -1,
  };
  const link = (gate: Node, around: number, first: Node) => {
    Object.assign(gate, {
      successors: [first, ...gate.numbers.map((number) => nodeOf(loopTowards(number, around)))],
    });
  };
  for (const [loop, gate] of gates) link(gate, loop, bodies[loop]);
  link(root, -1, nodeOf(0));
  blocks.forEach(({ successors }, b) => {
    Object.assign(bodies[b], {
      successors: successors.map((edge) => (edge.kind === 'block' ? nodeOf(edge.index) : edge)),
    });
  });

  const made = orderedBlocks(root, (node) => {
    if (node.block !== undefined) return node.block;
    const before = blocks[node.before];
    const gate: Gate = {
      isLoop: node !== root,
      arms: node.numbers.map((number) => ({
        number,
        isThere: loopTowards(number, node === root ? -1 : node.before) === heads[number - 1].index,
      })),
    };
    return { lifted: emptyBlock(before.lifted.address), top: before.top, gate };
  });
  return { ...region, blocks: made, entries };
}

/** A block that stands for no code. */
export function emptyBlock(address: number): LiftedBlock {
  const block = new BlockBuilder(VARIABLES, address).finish({ kind: 'jump', target: address });
  return { ...block, topAfter: 0, usesFpu: false };
}
