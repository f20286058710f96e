import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction } from '../../x86/block.ts';
import type { Context } from './context.ts';

/** One cause for each function that is called. What it takes itself is not in the bounds. */
export function callCauses(context: Context): readonly LoopCause[] {
  const calls = new Map<string, CodeInstruction[]>();
  for (const each of context.instructions) {
    if (each.flow !== 'call') continue;
    const name = calleeOf(each, context);
    calls.set(name, [...(calls.get(name) ?? []), each]);
  }
  return [...calls].map(([name, all]) =>
    context.cause('C', 'call', {
      text: `The loop calls ${name}, which was not inlined; what the called code takes is not in the bounds`,
      advice: adviceFor(name),
      at: all.map(({ address }) => address),
      cycles: context.saves({ without: new Map(all.map(({ address }) => [address, 'whole'])) }),
    }),
  );
}

function calleeOf({ target, mnemonic }: CodeInstruction, { nameOf }: Context): string {
  if (mnemonic === 'syscall') return 'the system';
  if (target === undefined) return 'a function through a pointer';
  return nameOf?.(target) ?? 'a function without a name';
}

/** Functions of the mathematics library, which has vector versions of the common ones. */
const MATHEMATICS =
  /^(?:sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|exp2|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|erf|floor|ceil|trunc|rint|round|fmod|fmin|fmax|fma)f?(?:@.*)?$/;

function adviceFor(name: string): string {
  if (MATHEMATICS.test(name))
    return 'Build with -O3 -ffast-math, so that vector versions of the library (libmvec) or single instructions take its place';
  if (name === 'the system') return 'Do more with each call';
  if (name.startsWith('a function')) return 'Call it by name, so that it can be inlined';
  return 'Let it be inlined: define it in the same file or a header as static inline, or build with -flto';
}
