import type { CodeInstruction, MemoryAccess } from '../../x86/block.ts';
import { type AreaBlock, areasOf } from './areas.ts';
import { type Before, beforeLoops } from './before.ts';
import type { ImageBytes } from './code.ts';
import { countsOf, elementSizesOf, type MachineCounts, rolesOf, weighted } from './counts.ts';
import { type Decoded, decodedBlocks } from './decoded.ts';
import type { LoopedFunction } from './find.ts';
import type { LoopBlock, MachineLoop, UnacceptableLoop } from './machine-loop.ts';
import type { NaturalLoop } from './natural-loops.ts';
import type { Callees } from './no-return.ts';
import { NOT_UNROLLED, unrollingOf } from './unroll.ts';

/** Names the function that begins at the address and has no symbol. */
export type NameAddress = (address: number) => string;

/** A function's loops in full, each in front of those inside it, and by address beside one another. */
export function describeLoops(
  looped: LoopedFunction,
  bytes: ImageBytes,
  callees: Callees,
  nameAddress: NameAddress,
): readonly MachineLoop[] {
  const instructionsOf = decodedBlocks(looped.graph, bytes);
  const before = beforeLoops(looped, instructionsOf);
  return outerFirst(looped.loops.loops).map((index) =>
    describeLoop(looped, index, instructionsOf, callees, nameAddress, before),
  );
}

function outerFirst(loops: readonly NaturalLoop[]): readonly number[] {
  const inside = new Map<number | undefined, number[]>();
  loops.forEach(({ outer }, index) => {
    const siblings = inside.get(outer) ?? [];
    inside.set(outer, siblings);
    siblings.push(index);
  });
  const result: number[] = [];
  const work = [...(inside.get(undefined) ?? [])].reverse();
  while (work.length > 0) {
    const index = work.pop()!;
    result.push(index);
    for (const each of [...(inside.get(index) ?? [])].reverse()) work.push(each);
  }
  return result;
}

export function unacceptableLoops(
  looped: LoopedFunction,
  nameAddress: NameAddress,
): readonly UnacceptableLoop[] {
  const { code, graph, loops } = looped;
  return loops.irreducible.map(({ entry, blocks }) => ({
    function: code.name ?? nameAddress(code.start),
    functionStart: code.start,
    address: graph.starts[entry],
    blocks: blocks.map((block) => graph.starts[block]),
  }));
}

function describeLoop(
  looped: LoopedFunction,
  index: number,
  instructionsOf: Decoded,
  callees: Callees,
  nameAddress: NameAddress,
  before: (loop: number) => Before,
): MachineLoop {
  const { code, graph, loops, frame } = looped;
  const loop = loops.loops[index];
  const decoded = loop.blocks.map(instructionsOf);
  const instructions = decoded.flat();
  const sizes = elementSizesOf(instructions);
  const roles = rolesOf(instructions);
  let first = 0;
  const blocks = loop.blocks.map((block, i): LoopBlock => {
    const own = roles.slice(first, first + decoded[i].length);
    first += decoded[i].length;
    return {
      start: graph.starts[block],
      end: graph.ends[block],
      instructions: decoded[i],
      successors: graph.successors[block].map((to) => graph.starts[to]),
      counts: countsOf(decoded[i], frame, own, sizes),
    };
  });
  const sum = (parts: readonly MachineCounts[]): MachineCounts => weighted(parts.map((each) => [each, 1]));
  // Only loops that are bounded ask.
  let earlier: Before | undefined;
  const odd = loops.irreducible.filter(({ outer }) => outer === index);
  return {
    function: code.name ?? nameAddress(code.start),
    functionStart: code.start,
    address: graph.starts[loop.header],
    latches: loop.latches.map((block) => graph.starts[block]),
    outer: loop.outer === undefined ? undefined : graph.starts[loops.loops[loop.outer].header],
    depth: loop.depth,
    innermost: loop.innermost,
    blocks,
    before: () => (earlier ??= mayMeetInMemory(instructions) ? before(index) : []),
    areas: loop.innermost ? areasOf(areaBlocks(blocks), sum) : [],
    counts: sum(blocks.map((block) => block.counts)),
    unrolling: loop.innermost ? unrollingOf(instructions, sizes) : NOT_UNROLLED,
    frame,
    notes: notesOf(instructions, looped, odd.length, callees),
  };
}

/** Whether a store and a load are written with different registers, so that these must be known to tell whether they meet. */
function mayMeetInMemory(instructions: readonly CodeInstruction[]): boolean {
  const spelled = ({ base, index }: MemoryAccess): string => `${base} ${index}`;
  const stores = new Set(instructions.flatMap((each) => each.stores.map(spelled)));
  if (stores.size === 0) return false;
  return instructions.some(({ loads }) =>
    loads.some((load) => stores.size > 1 || !stores.has(spelled(load))),
  );
}

function areaBlocks(blocks: readonly LoopBlock[]): readonly AreaBlock[] {
  return blocks.map(({ start, end, instructions, successors, counts }) => {
    const last = instructions.at(-1);
    const branches = last !== undefined && (last.flow === 'conditional' || last.flow === 'jump');
    return {
      start,
      end,
      exit: branches ? { address: last.address, targets: successors.filter((to) => to !== end) } : undefined,
      counts,
    };
  });
}

function notesOf(
  instructions: readonly CodeInstruction[],
  { graph }: LoopedFunction,
  odd: number,
  callees: Callees,
): readonly string[] {
  const notes: string[] = [];
  const called = instructions.filter(({ flow }) => flow === 'call');
  if (called.length > 0) {
    const names = called.map(({ target, mnemonic }) => {
      if (mnemonic === 'syscall') return 'the system';
      return target === undefined ? 'a pointer' : (callees.nameOf(target) ?? 'a function without a name');
    });
    const list = [...new Set(names)];
    const shown = list.slice(0, 4).join(', ') + (list.length > 4 ? `, and ${list.length - 4} more` : '');
    notes.push(`calls ${shown}; what the called code takes is not in the bounds`);
  }
  if (odd > 0)
    notes.push(
      odd === 1
        ? 'has a cycle with several entries inside it, whose repetitions are not in the bounds'
        : `has ${odd} cycles with several entries inside it, whose repetitions are not in the bounds`,
    );
  if (graph.unresolved.length > 0)
    notes.push(
      `its function has ${graph.unresolved.length === 1 ? 'an indirect jump' : `${graph.unresolved.length} indirect jumps`} whose targets are not known; they count as exits`,
    );
  return notes;
}
