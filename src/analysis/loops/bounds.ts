import type { Machine } from '../../machines/machine.ts';
import type { CodeInstruction } from '../../x86/block.ts';
import type { Location } from '../../x86/locations.ts';
import { isGeneral, LOCATION_COUNT } from '../../x86/locations.ts';
import { type LoopCycles, type LoopPath, loopBounds } from '../macs/loop.ts';
import { type MachineCounts, weighted } from './counts.ts';
import type { MachineLoop } from './machine-loop.ts';
import { type BlockPath, type LoopWeights, pathsOf } from './paths.ts';

/** A load that takes what a store wrote so many iterations of the machine code before. Addresses are those of the instructions. */
export interface LoopMemoryDependence {
  readonly store: number;
  readonly load: number;
  /** 0 for the same iteration. */
  readonly distance: number;
  /** How many of the load's executions do; 1 where it is left out. Below a half the dependence does not count. */
  readonly share?: number;
}

/** What is known of a loop beside its code. */
export interface LoopKnowledge {
  /** Absent: every block once in each iteration. */
  readonly weights?: LoopWeights;
  /** All that the run had. Absent: what the spelling of the addresses tells. */
  readonly memory?: readonly LoopMemoryDependence[];
  /** Whether its addresses are those at which it is executed, but for whole pages: it was linked. */
  readonly isPlaced: boolean;
}

/** The bounds of a loop in cycles per iteration of the machine code; undefined where it is too long. */
export function boundsOfLoop(
  loop: MachineLoop,
  machine: Machine,
  knowledge: LoopKnowledge,
): LoopCycles | undefined {
  return loopBounds(loopPaths(loop, knowledge), machine);
}

/** A way through a loop, with the addresses of its instructions. */
export interface CodePath extends LoopPath {
  readonly instructions: readonly CodeInstruction[];
}

/** The ways through a loop that its bounds are the mean of. */
export function loopPaths(
  loop: MachineLoop,
  { weights, memory, isPlaced }: LoopKnowledge,
): readonly CodePath[] {
  return pathsOf(loop, weights).map((path) => {
    const found = pathOf(path, loop, memory);
    return isPlaced ? { ...found, addresses: found.instructions.map(({ address }) => address) } : found;
  });
}

/** What a mean iteration of the machine code does, by type. */
export function countsWith({ blocks }: MachineLoop, weights: LoopWeights): MachineCounts {
  return weighted(blocks.map(({ start, counts }) => [counts, weights.blocks.get(start) ?? 0]));
}

function pathOf(
  { blocks, share }: BlockPath,
  { before }: MachineLoop,
  memory: readonly LoopMemoryDependence[] | undefined,
): CodePath {
  const instructions = blocks.flatMap((block) => block.instructions);
  const taken = new Set<number>();
  let end = 0;
  blocks.forEach((block, i) => {
    end += block.instructions.length;
    const next = blocks[i + 1] ?? blocks[0];
    if (next.start !== block.end && block.instructions.at(-1)?.flow !== 'next') taken.add(end - 1);
  });
  const position = new Map(instructions.map(({ address }, i) => [address, i]));
  const given = memory?.flatMap(({ store, load, distance, share: often }) => {
    const [from, to] = [position.get(store), position.get(load)];
    const holds =
      from !== undefined && to !== undefined && (often ?? 1) >= 0.5 && (distance > 0 || from < to);
    return holds ? [{ store: from, load: to, distance }] : [];
  });
  return { instructions: instructions.map(withoutCallee), taken, share, memory: given, before: before() };
}

/**
 * A call leaves something new in every register that the called function may change (System V ABI, AMD64 supplement, 3.2.1),
 * and the stack pointer as it was, because what was pushed is taken off again.
 */
function withoutCallee(instruction: CodeInstruction): CodeInstruction {
  if (instruction.flow !== 'call') return instruction;
  return { ...instruction, writes: CALLER_SAVED, stackChange: 0 };
}

const PRESERVED: ReadonlySet<Location> = new Set([3, 4, 5, 12, 13, 14, 15]);
const CALLER_SAVED: readonly Location[] = Array.from(
  { length: LOCATION_COUNT },
  (_, location) => location,
).filter((location) => !(isGeneral(location) && PRESERVED.has(location)));
