import type { LoopCause } from '../../profile/loops.ts';
import { alignmentCauses } from './alignment.ts';
import { callCauses } from './calls.ts';
import { chainOf } from './chains.ts';
import { type Context, shows } from './context.ts';
import { indexedStoreCauses } from './indexed-stores.ts';
import { reuseCauses } from './memory-reuse.ts';
import { multiplyAddCauses } from './multiply-adds.ts';
import { overheadCauses } from './overhead.ts';
import { redundantCauses } from './redundant.ts';
import { savingCauses } from './savings.ts';
import { isUnoptimised, stackCauses } from './stack.ts';
import { vectorCauses } from './vectors.ts';

/** Gap C, from MA to MAC: what the compiler added to what the source asks for, or saved of it. */
export function causesOfC(context: Context, gap: number | undefined): readonly LoopCause[] {
  if (context.paths.length === 0) return gap === undefined || gap >= 0 ? [] : savingCauses(context, gap);
  const added = [
    ...stackCauses(context),
    ...callCauses(context),
    ...vectorCauses(context),
    ...multiplyAddCauses(context),
    ...reuseCauses(context),
    ...redundantCauses(context),
    ...overheadCauses(context),
    ...indexedStoreCauses(context),
    ...alignmentCauses(context),
    ...chainCause(context),
  ];
  if (gap === undefined) return added;
  if (gap < 0) return [...added, ...savingCauses(context, gap)];
  return [...added, ...restCause(context, gap, added)];
}

/** The compiled recurrence where it is longer than what the source has. */
function chainCause(context: Context): readonly LoopCause[] {
  const { bounds, cycles, unroll } = context;
  const chain = chainOf(context);
  // What goes through the stack is that cause's.
  if (chain === undefined || cycles.limits.MAC !== 'recurrence' || isUnoptimised(context)) return [];
  const others = Math.max(
    0,
    ...cycles.parts.filter(({ part }) => part !== 'recurrence').map((each) => each.cycles),
  );
  const cost = bounds.MAC - Math.max(bounds.MA ?? 0, others / unroll);
  if (!shows(cost) || cost < 0) return [];
  const { text, advice, instructions, isLoadChain } = chain;
  const at = instructions.map(({ address }) => address);
  return [
    context.cause('C', isLoadChain ? 'load-chain' : 'latency-bound-recurrence', {
      text,
      advice,
      at,
      cycles: cost,
    }),
  ];
}

/** A gap that is no small part of MAC, and nothing that was found makes any of it. */
function restCause(context: Context, gap: number, found: readonly LoopCause[]): readonly LoopCause[] {
  if (gap < context.bounds.MAC / 10 || found.some(({ cycles }) => (cycles ?? 0) > gap / 10)) return [];
  const { cycles, unroll, counts } = context;
  const count = counts.instructions / unroll;
  return [
    context.cause('C', 'compiled-work', {
      text: `All compiled instructions together need ${cycles.limits.MAC} for so long; none of the causes looked for makes a notable part of it alone`,
      advice: 'Compare the compiled instructions with what the source asks for',
      count,
      cycles: gap,
    }),
  ];
}
