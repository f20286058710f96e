import type { Edge, RegionBlock } from '../regions/region.ts';

/** Where blocks end and go on. */

/** The edges that ask for what the block assigns; undefined where all of it is wanted, as where a function in line returns elsewhere. */
export const waysOut = (block: RegionBlock): readonly (Edge | undefined)[] => {
  const { calls, lifted, successors } = block;
  const { terminator } = lifted;
  if (terminator.kind === 'branch') return successors;
  if (calls !== undefined) return [...successors, undefined];
  return [terminator.kind === 'return' ? undefined : successors[0]];
};

/** Of the instruction that is not counted in the block because it is a service or faults. */
export function lastAddress(block: RegionBlock): number {
  const last = block.lifted.instructions.at(-1);
  return last === undefined ? block.lifted.address : last.address + last.length;
}
