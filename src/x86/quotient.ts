import type { Node } from '../ir/node.ts';
import type { Calculator } from './calculator.ts';

/**
 * 128 bits (high below the divisor) by 64 bits whose highest bit is set, in two digits of 32 bits (Knuth, The Art of
 * Computer Programming 2, 4.3.1, algorithm D).
 */
export function divideLong(
  c: Calculator,
  high: Node,
  low: Node,
  divisor: Node,
): { quotient: Node; remainder: Node } {
  const first = digit(c, high, c.op('shr_u', low, 32), divisor);
  const second = digit(c, first.remainder, c.op('and', low, 0xffff_ffffn), divisor);
  return {
    quotient: c.op('or', c.op('shl', first.digit, 32), second.digit),
    remainder: second.remainder,
  };
}

/** One digit of (u:next) / divisor. The estimate by the divisor's upper half is at most 2 too large (theorem B there). */
function digit(c: Calculator, u: Node, next: Node, divisor: Node): { digit: Node; remainder: Node } {
  const upper = c.op('shr_u', divisor, 32);
  const lower = c.op('and', divisor, 0xffff_ffffn);
  const tooLarge = (estimate: Node, rest: Node): Node =>
    c.op(
      'or',
      c.op('gt_u', estimate, 0xffff_ffffn),
      c.op('gt_u', c.op('mul', estimate, lower), c.op('or', c.op('shl', rest, 32), next)),
    );
  const first = c.op('div_u', u, upper);
  const firstRest = c.op('sub', u, c.op('mul', first, upper));
  const once = tooLarge(first, firstRest);
  const second = c.op('sub', first, c.wide(once));
  const secondRest = c.op('add', firstRest, c.choose(once, upper, 0));
  const twice = c.all(c.op('le_u', secondRest, 0xffff_ffffn), tooLarge(second, secondRest), once);
  const exact = c.op('sub', second, c.wide(twice));
  const shifted = c.op('or', c.op('shl', u, 32), next);
  return { digit: exact, remainder: c.op('sub', shifted, c.op('mul', exact, divisor)) };
}
