import type { CodeInstruction } from '../../x86/block.ts';
import { isGeneral, type Location } from '../../x86/locations.ts';
import type { Decoded } from './decoded.ts';
import type { LoopedFunction } from './find.ts';
import { predecessorsOf } from './graph.ts';

/**
 * What is known to be executed before a loop: instructions in order, and between them the registers that something on one of
 * several ways may have changed. It tells what the registers hold that a loop only reads: which arrays they point to.
 */
export type Before = readonly BeforeStep[];

export type BeforeStep =
  | { readonly kind: 'instruction'; readonly instruction: CodeInstruction }
  | { readonly kind: 'changed'; readonly locations: readonly Location[] };

/** How far back it is looked. */
const MOST_BLOCKS = 24;
const MOST_BETWEEN = 256;

/** Finds what comes before the loops of a function. */
export function beforeLoops(looped: LoopedFunction, instructionsOf: Decoded): (loop: number) => Before {
  const { graph, loops } = looped;
  const predecessors = predecessorsOf(graph.successors);
  /** Blocks on the ways from one block to where `sources` lead. */
  const between = (from: number, sources: readonly number[]): ReadonlySet<number> | undefined => {
    const seen = new Set<number>();
    const work = sources.filter((each) => each !== from);
    while (work.length > 0) {
      const block = work.pop()!;
      if (seen.has(block)) continue;
      seen.add(block);
      if (seen.size > MOST_BETWEEN) return undefined;
      for (const each of predecessors[block]) if (each !== from) work.push(each);
    }
    return seen;
  };
  return (loop) => {
    const { header, latches } = loops.loops[loop];
    const steps: BeforeStep[] = [];
    let at = header;
    let sources: readonly number[] = predecessors[header].filter((block) => !latches.includes(block));
    for (let count = 0; count < MOST_BLOCKS; count++) {
      const above = loops.dominators[at];
      if (above < 0) break;
      const ways = between(above, sources);
      if (ways === undefined) break;
      if (ways.size > 0) {
        const changed = new Set<Location>();
        for (const block of ways)
          for (const { writes, flow } of instructionsOf(block)) {
            for (const location of writes) if (isGeneral(location)) changed.add(location);
            if (flow === 'call') for (const location of CHANGED_BY_CALLS) changed.add(location);
          }
        steps.push({ kind: 'changed', locations: [...changed] });
      }
      for (const instruction of [...instructionsOf(above)].reverse()) {
        if (instruction.flow === 'call') steps.push({ kind: 'changed', locations: CHANGED_BY_CALLS });
        else steps.push({ kind: 'instruction', instruction });
      }
      at = above;
      sources = predecessors[above];
    }
    return steps.reverse();
  };
}

/** System V ABI, AMD64 supplement, 3.2.1: what a called function need not preserve of the general registers. */
export const CHANGED_BY_CALLS: readonly Location[] = [0, 1, 2, 6, 7, 8, 9, 10, 11];
