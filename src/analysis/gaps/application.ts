import type { LoopCause } from '../../profile/loops.ts';
import type { Step } from '../../source/demand.ts';
import { type Context, shows } from './context.ts';
import { SourceWhatIf } from './source-what-if.ts';
import { LOAD_CHAIN_ADVICE, listed, numbered } from './words.ts';

/** Gap A, from M to MA: what the source asks for beside floating-point operations at the machine's peak. */
export function causesOfA(context: Context, gap: number | undefined): readonly LoopCause[] {
  const { source, bounds } = context;
  if (source === undefined || bounds.MA === undefined) return [];
  const whatIf = new SourceWhatIf(context, source);
  const least = bounds.M ?? 0;
  const whole = whatIf.MA();
  // Vectors, where a recurrence no longer forbids them, may need a fuller port: then one would not use them.
  const saved = (demand: typeof source.demand): number =>
    Math.max(0, whole - Math.max(least, whatIf.MA(demand)));
  const causes: LoopCause[] = [];
  const recurrence = recurrenceCause(context, whatIf, saved(whatIf.withoutRecurrences()));
  if (recurrence !== undefined) causes.push(recurrence);
  // Without floating point there is no M, and what work there is is no loss.
  if (bounds.M === undefined || gap === undefined || !shows(gap)) return causes;
  const transfers = saved(whatIf.withoutTransfers());
  if (shows(transfers)) causes.push(transferCause(context, whatIf, transfers));
  for (const { kind, isOne, text, advice } of GROUPS) {
    const found = whatIf.demand.steps.filter((step, i) => step.counts && isOne(step, i, whatIf));
    const cycles = saved(whatIf.withoutSteps((step, i) => step.counts && isOne(step, i, whatIf)));
    if (found.length === 0 || !shows(cycles)) continue;
    const line = found[0].line;
    causes.push(context.cause('A', kind, { text: text(found), advice, cycles, count: found.length, line }));
  }
  if (!causes.some(({ cycles }) => (cycles ?? 0) > 0))
    causes.push(
      context.cause('A', 'essential-work', {
        text: `All that the source asks for together needs ${whatIf.limit()} for so long; no part of it alone makes MA longer than M`,
        advice: 'Look for work that the loop can do without, or that can be done before it',
        cycles: gap,
      }),
    );
  return causes;
}

interface Group {
  readonly kind: 'unfused-operations' | 'division' | 'other-operations';
  readonly isOne: (step: Step, i: number, whatIf: SourceWhatIf) => boolean;
  readonly text: (steps: readonly Step[]) => string;
  readonly advice: string;
}

const GROUPS: readonly Group[] = [
  {
    kind: 'division',
    isOne: ({ op, name }) => op === 'div' || op === 'sqrt' || (op === 'remainder' && name !== 'by constant'),
    text: (steps) =>
      `${numbered(steps.length, 'division or square root', 'divisions or square roots')} an iteration keep the divider busy`,
    advice:
      'Multiply by a reciprocal that is computed before the loop, or build with -freciprocal-math where its rounding will do',
  },
  {
    kind: 'unfused-operations',
    isOne: (step, i, { demand }) =>
      step.class === 'float' &&
      ['add', 'sub', 'mul'].includes(step.op) &&
      step.fusedWith === undefined &&
      !demand.steps.some(({ fusedWith }) => fusedWith === i),
    text: (steps) => {
      const products = steps.filter(({ op }) => op === 'mul').length;
      const sums = steps.length - products;
      return `${listed([...some(sums, 'addition'), ...some(products, 'multiplication')])} an iteration cannot be part of a multiply-add pair, which the peak M counts on`;
    },
    advice:
      'Rewrite the expression so that products are added or subtracted: a*c + b*c takes more pairs than (a + b)*c',
  },
  {
    kind: 'other-operations',
    isOne: ({ class: cls, op }) =>
      cls !== 'float' || !['add', 'sub', 'mul', 'fma', 'div', 'sqrt'].includes(op),
    text: (steps) =>
      `${numbered(steps.length, 'operation', 'operations')} an iteration beside addition and multiplication (${listed([...new Set(steps.map(({ op }) => op))])}) take the same units`,
    advice: 'Compute what does not change before the loop, and avoid conversions between types in it',
  },
];

const some = (count: number, word: string): readonly string[] =>
  count === 0 ? [] : [numbered(count, word, `${word}s`)];

function transferCause(context: Context, { demand }: SourceWhatIf, cycles: number): LoopCause {
  const loads = demand.transfers.filter(({ kind }) => kind === 'load');
  const stores = demand.transfers.length - loads.length;
  const operations = demand.steps.filter(({ counts, class: cls }) => counts && cls === 'float').length;
  const scattered = demand.transfers.filter(
    ({ irregular, stride, bytes }) => irregular || (stride !== undefined && Math.abs(stride) > bytes),
  ).length;
  const moved = listed([...some(loads.length, 'load'), ...some(stores, 'store')]);
  return context.cause('A', 'loads-and-stores', {
    text: `${moved} for ${numbered(operations, 'floating-point operation', 'floating-point operations')} an iteration keep the memory ports busy${scattered > 0 ? `; ${scattered} of them do not go from one element to the next` : ''}`,
    advice:
      scattered > 0
        ? 'Interchange loops or lay the data out so that neighbouring iterations use neighbouring elements'
        : 'Fuse loops that use the same arrays, or unroll an outer loop and jam, so that an element that is loaded is used more often',
    cycles,
    count: demand.transfers.length,
    line: demand.line,
  });
}

function recurrenceCause(context: Context, whatIf: SourceWhatIf, cycles: number): LoopCause | undefined {
  if (!shows(cycles)) return undefined;
  const found = whatIf.recurrence();
  if (found === undefined) return undefined;
  const isFloat = found.steps.some(({ class: cls }) => cls === 'float');
  const isChase = found.steps.every(({ op }) => op === 'load');
  if (isChase)
    return context.cause('A', 'load-chain', {
      text: 'Each iteration needs the address that the one before it loads',
      advice: LOAD_CHAIN_ADVICE,
      cycles,
      count: found.steps.length,
      ...(found.line === undefined ? {} : { line: found.line }),
    });
  const way = listed(found.steps.map(({ op }) => WORDS[op] ?? op));
  const back = found.distance === 1 ? 'the one before' : `that of ${found.distance} iterations before`;
  return context.cause('A', 'latency-bound-recurrence', {
    text: `Each iteration needs the result of ${back} for ${way}, so that iterations cannot be done side by side${found.reassociable && isFloat ? ', because floating-point sums may not be done in another order' : ''}`,
    advice: found.reassociable
      ? 'Build with -fassociative-math (-ffast-math), ask for it with #pragma omp simd reduction, or add into several accumulators'
      : 'Compute several independent sequences side by side, or rewrite the recurrence so that fewer operations are on the way around',
    cycles,
    count: found.steps.length,
    ...(found.line === undefined ? {} : { line: found.line }),
  });
}

const WORDS: Readonly<Record<string, string>> = {
  add: 'an addition',
  sub: 'a subtraction',
  mul: 'a multiplication',
  fma: 'a multiply-add',
  div: 'a division',
  sqrt: 'a square root',
  load: 'a load',
  min: 'a minimum',
  max: 'a maximum',
  compare: 'a comparison',
  convert: 'a conversion',
  neg: 'a negation',
  abs: 'an absolute value',
  round: 'a rounding',
  function: 'a function',
  shift: 'a shift',
  remainder: 'a remainder',
};
