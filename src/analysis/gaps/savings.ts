import type { LoopCause } from '../../profile/loops.ts';
import { essentialCounts } from '../macs/essential.ts';
import { levelOf } from '../macs/isa-level.ts';
import type { Context } from './context.ts';
import type { CauseKind } from './kinds.ts';
import { SourceWhatIf } from './source-what-if.ts';
import { listed, printed } from './words.ts';

interface Saving {
  readonly kind: CauseKind;
  /** Below 0; undefined where that cannot be told alone. */
  readonly cycles: number | undefined;
  readonly text: string;
}

/** Why MAC is below MA: every negative gap has a reason, and what no other explains is the last one's. */
export function savingCauses(context: Context, gap: number): readonly LoopCause[] {
  const causes: LoopCause[] = [];
  let rest = gap;
  for (const { kind, cycles, text } of savingsOf(context)) {
    if (rest >= 0) break;
    const part = cycles === undefined ? rest : Math.max(rest, Math.min(0, cycles));
    if (part > -0.00005) continue;
    rest = Math.round((rest - part) * 10_000) / 10_000;
    causes.push(context.cause('C', kind, { text, cycles: part }));
  }
  return causes;
}

function savingsOf(context: Context): readonly Saving[] {
  const { source, isa, machine, instructions, cycles, unroll, counts } = context;
  const savings: Saving[] = [];
  const level = levelOf(machine, isa);
  const whatIf = source === undefined ? undefined : new SourceWhatIf(context, source);
  const whole = whatIf?.MA();
  const to = (bound: number | undefined): number | undefined =>
    bound === undefined || whole === undefined ? undefined : bound - whole;
  const recurrence = (cycles.parts.find(({ part }) => part === 'recurrence')?.cycles ?? 0) / unroll;
  const widest = Math.max(
    0,
    ...instructions.flatMap(({ work }) => ((work.elements ?? 2) > 1 ? [work.vector] : [])),
  );
  const contraction: readonly Saving[] =
    counts.fma > 0 && !level.fused
      ? [
          {
            kind: 'contraction',
            cycles: to(whatIf?.MA(whatIf.demand, { isa: 'x86-64-v3' })),
            text: `Products and sums are fused, which ${isa} does not have`,
          },
        ]
      : [];
  const isChain = whatIf?.limit() === 'recurrence';
  // A chain of products and sums is shorter fused, and no vector makes it so.
  if (isChain) savings.push(...contraction);
  if (whatIf !== undefined && isChain) {
    const reordered = whatIf.MA(whatIf.demand, { reassociate: true });
    if (reordered < whole! - 1e-9)
      savings.push({
        kind: 'reassociation',
        cycles: to(Math.max(reordered, recurrence)),
        text: `The compiler was allowed to add in another order, so that an iteration waits ${printed(recurrence)} instead of ${printed(whole!)} cycles for the one before`,
      });
    else if (recurrence < whole! - 1e-9)
      savings.push({
        kind: 'reassociation',
        cycles: to(Math.max(whatIf.MA(whatIf.withoutRecurrences()), recurrence)),
        text: `The compiled recurrence takes ${printed(recurrence)} cycles an iteration, that of the source ${printed(whole!)}: fewer or quicker operations are on the way around`,
      });
  }
  if (widest > level.vectorBytes)
    savings.push({
      kind: 'wider-vectors',
      cycles: whatIf === undefined ? undefined : to(wholeOf(whatIf, level.vectorBytes / widest)),
      text: `The code has vectors of ${widest} bytes where MA counts on the ${level.vectorBytes} of ${isa}`,
    });
  if (!isChain) savings.push(...contraction);
  const fewer = source === undefined ? [] : fewerOf(context);
  if (fewer.length > 0)
    savings.push({
      kind: 'fewer-operations',
      cycles: undefined,
      text: `The compiled code does less than the source asks for: ${listed(fewer)} an iteration were eliminated, moved out of the loop or done in another one`,
    });
  savings.push({
    kind: 'cheaper-instructions',
    cycles: undefined,
    text: `The compiled code does the same with instructions that take less of the machine than MA counts for them (${cycles.limits.MAC} gives MAC)`,
  });
  return savings;
}

const wholeOf = (whatIf: SourceWhatIf, share: number): number => whatIf.MA() * share;

function fewerOf({ source, unroll, counts }: Context): readonly string[] {
  const asked = essentialCounts(source!.demand, source!.weigh);
  const floating = ({ fa, fm, fma }: { fa: number; fm: number; fma: number }): number => fa + fm + 2 * fma;
  const pairs: readonly (readonly [what: string, made: number, wanted: number])[] = [
    ['additions and multiplications', floating(counts) / unroll, floating(asked)],
    ['other floating-point operations', counts.fmisc / unroll, asked.fmisc],
    ['integer operations', counts.integer / unroll, asked.integer ?? 0],
    ['loads', counts.loads / unroll, asked.loads + (asked.integerLoads ?? 0)],
    ['stores', counts.stores / unroll, asked.stores + (asked.integerStores ?? 0)],
  ];
  return pairs.flatMap(([what, made, wanted]) =>
    made < wanted - 0.01 ? [`${printed(wanted - made)} of ${printed(wanted)} ${what}`] : [],
  );
}
