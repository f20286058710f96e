import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction } from '../../x86/block.ts';
import { type Context, shows } from './context.ts';
import type { Part } from './what-if.ts';
import { numbered, printed } from './words.ts';

/** Address arithmetic beyond the loop's counter, and what keeps the loop going. */
export function overheadCauses(context: Context): readonly LoopCause[] {
  const { control, excess } = overheadOf(context);
  return [...addressCause(context, excess), ...unrollCause(context, control)];
}

interface Overhead {
  /** Steps the counter, compares it, branches back. */
  readonly control: readonly CodeInstruction[];
  /** Other instructions that compute nothing but addresses. */
  readonly excess: readonly CodeInstruction[];
}

function overheadOf({ loop, instructions, roles }: Context): Overhead {
  const latch = loop.blocks.find(({ start }) => start === loop.latches.at(-1));
  const last = latch?.instructions.at(-1);
  if (latch === undefined || last === undefined || last.flow === 'next') return { control: [], excess: [] };
  const before = latch.instructions.slice(0, -1);
  const compare = before.findLast(({ work }) => work.kind === 'compare');
  const asked = compare === undefined ? undefined : [...compare.reads, ...compare.addressReads];
  const isOverhead = ({ address }: CodeInstruction): boolean => roles.get(address) === 'overhead';
  const isStep = ({ value }: CodeInstruction): boolean =>
    value?.kind === 'sum' && value.to === value.from && value.plus !== 0;
  const counter =
    instructions.findLast((each) => isStep(each) && (asked?.includes(each.value!.to) ?? false)) ??
    before.findLast((each) => isStep(each));
  const control = [counter, compare?.loads.length === 0 ? compare : undefined, last].filter(
    (each): each is CodeInstruction => each !== undefined,
  );
  return {
    control,
    excess: instructions.filter((each) => isOverhead(each) && !control.includes(each)),
  };
}

const whole = (all: readonly CodeInstruction[]): ReadonlyMap<number, Part> =>
  new Map(all.map(({ address }) => [address, 'whole']));

function addressCause(context: Context, excess: readonly CodeInstruction[]): readonly LoopCause[] {
  if (excess.length === 0) return [];
  const cycles = context.saves({ without: whole(excess) });
  if (!shows(cycles)) return [];
  const registers = new Set(
    excess.flatMap(({ value }) => (value?.kind === 'sum' && value.to === value.from ? [value.to] : [])),
  ).size;
  const bases =
    registers > 0
      ? `; ${numbered(registers, 'register is', 'registers are')} stepped beside the loop's counter`
      : '';
  return [
    context.cause('C', 'address-arithmetic', {
      text: `Instructions compute nothing but addresses${bases}`,
      advice:
        registers > 0
          ? 'Index all arrays with one counter, or let the function be inlined where the arrays are declared, so that one base register serves them'
          : 'Use a counter as wide as a pointer (size_t, ptrdiff_t), and compute what does not change before the loop',
      at: excess.map(({ address }) => address),
      cycles,
    }),
  ];
}

function unrollCause(context: Context, control: readonly CodeInstruction[]): readonly LoopCause[] {
  const { loop, unroll, counts, weights } = context;
  if (!loop.innermost || control.length === 0) return [];
  const cycles = context.saves({ without: whole(control) });
  if (!shows(cycles)) return [];
  const executed = control.reduce((sum, { address }) => sum + (weights.get(address) ?? 0), 0);
  const share = Math.round((100 * executed) / counts.instructions);
  const how = unroll === 1 ? 'is not unrolled' : `does ${printed(unroll)} iterations at a time`;
  return [
    context.cause('C', 'partial-unrolling', {
      text: `The loop ${how}: ${share} % of its instructions only count and branch back`,
      advice: 'Build with -funroll-loops, or ask for it with #pragma GCC unroll 4 (clang: #pragma unroll 4)',
      at: control.map(({ address }) => address),
      cycles,
    }),
  ];
}
