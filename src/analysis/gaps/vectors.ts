import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction } from '../../x86/block.ts';
import { incrementsOf } from '../loops/unroll.ts';
import { recurrencesOf, UNIT_LATENCIES } from '../macs/essential-recurrence.ts';
import { levelOf } from '../macs/isa-level.ts';
import type { Context } from './context.ts';
import { isUnoptimised } from './stack.ts';
import { listed, numbered, printed } from './words.ts';

/** Operations on one element at a time, or on fewer than the level's vectors hold, that no recurrence keeps apart. */
export function vectorCauses(context: Context): readonly LoopCause[] {
  const { loop, instructions, machine, isa, weights } = context;
  if (!loop.innermost || isUnoptimised(context)) return [];
  const { vectorBytes } = levelOf(machine, isa);
  const executed = instructions.filter(({ address }) => (weights.get(address) ?? 0) > 0);
  const work = executed.filter((each) => isOperation(each, context));
  const packed = work.filter(({ work: { elements } }) => (elements ?? 2) > 1);
  if (work.length === 0) return [];
  if (packed.length > 0) return narrowCause(context, packed, vectorBytes);
  if (isSequential(context)) return [];
  const strides = stridesOf(context);
  if (!strides.some((each) => each !== 0)) return [];
  const size = Math.max(...work.map((each) => sizeOf(each, context)));
  const lanes = vectorBytes / size;
  if (lanes < 2) return [];
  const cycles = worthOf(context, lanes);
  if (cycles <= 0.005) return [];
  const reasons = reasonsFor(context, size);
  return [
    context.cause('C', 'missed-vectorisation', {
      text: `${numbered(work.length, 'instruction works', 'instructions work')} on one element where vectors of ${isa} hold ${lanes}${reasons.length === 0 ? '' : `; what may stand in the way: ${listed(reasons.map(({ text }) => text))}`}`,
      advice: (reasons[0] ?? PLAIN).advice,
      at: work.map(({ address }) => address),
      cycles,
    }),
  ];
}

interface Reason {
  readonly text: string;
  readonly advice: string;
}

const PLAIN: Reason = {
  text: '',
  advice:
    'Build with -O3 (or -O2 -ftree-vectorize -fvect-cost-model=dynamic); #pragma omp simd with -fopenmp-simd asks for it',
};

function isOperation({ work, address, flow, immediate }: CodeInstruction, { roles }: Context): boolean {
  if (flow !== 'next') return false;
  switch (work.kind) {
    case 'fa':
    case 'fm':
    case 'fma':
      return work.vector > 0;
    case 'integer':
      return work.vector > 0 || (roles.get(address) === 'own' && !(immediate && work.elements !== 1));
    default:
      return false;
  }
}

function sizeOf({ work, form }: CodeInstruction, { loop }: Context): number {
  if (work.elementSize !== undefined) return work.elementSize;
  const accessed = loop.blocks.flatMap(({ instructions }) =>
    instructions.flatMap(({ loads, stores, flow }) =>
      flow === 'next' ? [...loads, ...stores].map(({ size }) => size) : [],
    ),
  );
  // What is loaded and stored says how wide integers are; registers are as wide as the language makes them.
  const narrow = accessed.length === 0 ? undefined : Math.max(...accessed);
  return Math.min(narrow ?? 8, /r64/.test(form) ? 8 : 4);
}

/** A loop whose every operation waits for the iteration before is not to be vectorised. */
function isSequential({ source, cycles }: Context): boolean {
  if (source === undefined) {
    const recurrence = cycles.parts.find(({ part }) => part === 'recurrence')?.cycles ?? 0;
    return cycles.class !== 'high-ilp' || (cycles.limits.MAC === 'recurrence' && recurrence > 1);
  }
  const { demand, weigh, reassociate } = source;
  const held = new Set<number>();
  for (const { steps, reassociable, cycles: around, distance } of recurrencesOf(
    demand,
    UNIT_LATENCIES,
    weigh,
  )) {
    const isWhole = steps.every((each) => demand.steps[each].class !== 'float');
    // One that spans several iterations leaves so many to be done at once.
    if (around > 0 && distance === 1 && !(reassociable && (reassociate === true || isWhole)))
      for (const each of steps) held.add(each);
  }
  // A loop that ends when it finds something cannot do several iterations before it knows.
  return demand.induction === undefined || demand.steps.every(({ counts }, i) => !counts || held.has(i));
}

function stridesOf({ paths }: Context): readonly number[] {
  return paths.flatMap(({ instructions }) => {
    const increments = incrementsOf(instructions);
    return instructions.flatMap(({ loads, stores, flow }) =>
      flow !== 'next'
        ? []
        : [...loads, ...stores].flatMap(({ base, index, scale }) => {
            const first = base === undefined ? 0 : increments(base);
            const second = index === undefined ? 0 : increments(index);
            return first === undefined || second === undefined ? [] : [first + scale * second];
          }),
    );
  });
}

/** If all were done for so many iterations at a time, and never less than the source asks for. */
function worthOf({ bounds, cycles, unroll }: Context, lanes: number): number {
  const recurrence = (cycles.parts.find(({ part }) => part === 'recurrence')?.cycles ?? 0) / unroll;
  // Without a source, only the counter's own step is known to be done for all at once.
  const held = bounds.MA ?? (cycles.class === 'high-ilp' ? 0 : recurrence);
  return bounds.MAC - Math.max(bounds.MAC / lanes, held);
}

/** What of a loop keeps compilers from vectors, the hardest to get round first. */
function reasonsFor(context: Context, size: number): readonly Reason[] {
  const { loop, source, unroll, line, instructions } = context;
  const reasons: Reason[] = [];
  if (instructions.some(({ flow }) => flow === 'call'))
    reasons.push({
      text: 'a call',
      advice:
        'Let the called function be inlined, or declare a vector version of it (#pragma omp declare simd)',
    });
  if (source !== undefined && hasFloatReduction(source))
    reasons.push({
      text: 'a floating-point sum, which may not be done in another order',
      advice: 'Build with -fassociative-math (-ffast-math), or ask for it with #pragma omp simd reduction',
    });
  if ((source?.demand.areas.length ?? 1) > 1 || loop.areas.length > 0)
    reasons.push({
      text: 'a branch in the loop',
      advice:
        'Write the condition as a choice between two values (c ? a : b) that both can be computed, or split the loop',
    });
  const strides = stridesOf(context).filter((each) => each !== 0);
  const isIrregular = source?.demand.transfers.some(({ irregular }) => irregular) ?? false;
  if (isIrregular)
    reasons.push({
      text: 'addresses that come from a table',
      advice:
        'Sort or pack the elements so that neighbouring iterations use neighbouring elements; gathers help little',
    });
  const steps = strides.map((each) => Math.abs(each) / unroll);
  if (steps.some((each) => each > size))
    reasons.push({
      text: `steps of ${printed(Math.max(...steps))} bytes from one element to the next`,
      advice:
        'Interchange loops or lay the data out so that neighbouring iterations use neighbouring elements',
    });
  const file = instructions.map(({ address }) => line(address)).find((each) => each !== undefined)?.file;
  if (mayAlias(instructions) && !/\.f\w*$/i.test(file ?? ''))
    reasons.push({
      text: 'stores that might change what a later iteration loads',
      advice:
        'Declare pointers restrict, or say #pragma GCC ivdep (clang: #pragma clang loop vectorize(assume_safety)); build with -O3',
    });
  return reasons;
}

function hasFloatReduction({ demand, weigh }: NonNullable<Context['source']>): boolean {
  return recurrencesOf(demand, UNIT_LATENCIES, weigh).some(
    ({ steps, reassociable, cycles }) =>
      cycles > 0 && reassociable && steps.some((each) => demand.steps[each].class === 'float'),
  );
}

/** Loads and stores through different registers: what they point to is not to be seen. */
function mayAlias(instructions: readonly CodeInstruction[]): boolean {
  const own = instructions.filter(({ flow, stackChange }) => flow === 'next' && stackChange === 0);
  const stores = own.flatMap((each) => each.stores);
  return own.some(({ loads }) =>
    loads.some((load) =>
      stores.some((store) => store.base !== load.base && !load.absolute && !store.absolute),
    ),
  );
}

function narrowCause(
  context: Context,
  packed: readonly CodeInstruction[],
  vectorBytes: number,
): readonly LoopCause[] {
  const { isa } = context;
  const widest = Math.max(...packed.map(({ work }) => work.vector));
  if (widest >= vectorBytes) return [];
  const cycles = worthOf(context, vectorBytes / widest);
  if (cycles <= 0.005) return [];
  return [
    context.cause('C', 'narrow-vectors', {
      text: `Vectors of ${widest} bytes are used where ${isa} has ${vectorBytes}`,
      advice: `Build with -march=${isa}, and -mprefer-vector-width=${vectorBytes * 8} where the compiler prefers narrow ones`,
      at: packed.map(({ address }) => address),
      cycles,
    }),
  ];
}
