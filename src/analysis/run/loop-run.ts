import type { LoopBlock, MachineLoop } from '../loops/machine-loop.ts';
import type { LoopWeights } from '../loops/paths.ts';
import type { ExecutedCode } from './executed.ts';

/** How a run went through a loop. */
export interface LoopRun {
  /** Executions of its header. */
  readonly headers: number;
  /** How often control came to the header from outside. */
  readonly entries: number;
  /** Iterations of the machine code. */
  readonly iterations: number;
  /** Executed in its own blocks: all of an innermost loop, the residue of an outer one. */
  readonly instructions: number;
  /** In a mean iteration. */
  readonly weights: LoopWeights;
}

/** Undefined for a loop that was never executed. `inner` are the loops inside it. */
export function loopRun(
  loop: MachineLoop,
  inner: readonly MachineLoop[],
  executed: ExecutedCode,
): LoopRun | undefined {
  const headers = executed.at(loop.address);
  if (headers === 0) return undefined;
  const blocks = new Map(
    [loop, ...inner].flatMap((each) => each.blocks.map((block) => [block.start, block] as const)),
  );
  let repeated = 0;
  for (const start of loop.latches) {
    // The latch of an outer loop may be a block of one inside it.
    const latch = blocks.get(start);
    if (latch !== undefined) repeated += followed(latch, loop.address, executed);
  }
  repeated = Math.min(repeated, headers);
  // A test at the top that ends the loop begins no iteration: what goes on behind it is counted. Not where the header is most of
  // the loop, as where compilers leave copies of registers on the way back to it.
  const header = blocks.get(loop.address);
  const size = loop.blocks.reduce((sum, block) => sum + block.instructions.length, 0);
  const isTestedAtTop =
    header !== undefined &&
    !loop.latches.includes(loop.address) &&
    header.successors.some((to) => !blocks.has(to)) &&
    2 * header.instructions.length <= size;
  const inside = isTestedAtTop ? new Set(header.successors.filter((to) => blocks.has(to))) : [];
  const begun = [...inside].reduce((sum, to) => sum + followed(header!, to, executed), 0);
  const iterations = isTestedAtTop && begun > 0 ? begun : headers;
  // One by one: blocks go on behind calls, which may not come back (longjmp, exceptions).
  const instructions = loop.blocks
    .flatMap((block) => block.instructions)
    .reduce((sum, { address }) => sum + executed.at(address), 0);
  const taken = new Map<number, number>();
  for (const { instructions: own } of loop.blocks) {
    const last = own.at(-1);
    if (last?.flow === 'conditional') taken.set(last.address, executed.taken(last.address) / iterations);
  }
  return {
    headers,
    entries: headers - repeated,
    iterations,
    instructions,
    weights: {
      blocks: new Map(loop.blocks.map(({ start }) => [start, executed.at(start) / iterations])),
      taken,
    },
  };
}

/** How often `to` came after a block. */
function followed(block: LoopBlock, to: number, executed: ExecutedCode): number {
  const last = block.instructions.at(-1);
  if (last === undefined) return 0;
  // Less often than its first instruction, where a call in it has not come back.
  const own = executed.at(last.address);
  switch (last.flow) {
    case 'conditional': {
      const taken = executed.taken(last.address);
      return (last.target === to ? taken : 0) + (block.end === to ? own - taken : 0);
    }
    case 'jump': {
      if (last.target !== undefined) return own;
      const goes = executed.jumps(last.address).find(({ target }) => target === to);
      return goes?.executions ?? 0;
    }
    default:
      return own;
  }
}
