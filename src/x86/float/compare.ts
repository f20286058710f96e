import { DENORMAL, INVALID } from './exceptions.ts';
import { type Extended, isNan, kindOf, scaleOf, signOf } from './extended.ts';

export type Order = 'less' | 'equal' | 'greater' | 'unordered';

/**
 * Compares; a quiet NaN is an invalid operation for the ordered forms (fcom) and not for the unordered ones (fucom),
 * a signalling NaN or an unsupported format always is.
 */
export function compare(x: Extended, y: Extended, ordered: boolean): { order: Order; flags: number } {
  const a = kindOf(x);
  const b = kindOf(y);
  if (isNan(a) || isNan(b) || a === 'unsupported' || b === 'unsupported') {
    const quiet =
      (a === 'quiet-nan' || b === 'quiet-nan') &&
      [a, b].every((kind) => kind !== 'signalling-nan' && kind !== 'unsupported');
    return { order: 'unordered', flags: quiet && !ordered ? 0 : INVALID };
  }
  const flags = a === 'denormal' || b === 'denormal' ? DENORMAL : 0;
  if (a === 'zero' && b === 'zero') return { order: 'equal', flags };
  if (a === 'zero') return { order: signOf(y) === 1 ? 'greater' : 'less', flags };
  if (b === 'zero' || signOf(x) !== signOf(y)) return { order: signOf(x) === 1 ? 'less' : 'greater', flags };
  const magnitude =
    scaleOf(x) - scaleOf(y) || Number(x.significand > y.significand) - Number(x.significand < y.significand);
  if (magnitude === 0) return { order: 'equal', flags };
  return { order: magnitude > 0 === (signOf(x) === 0) ? 'greater' : 'less', flags };
}
