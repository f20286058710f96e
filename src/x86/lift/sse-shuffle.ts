import { shuffle, widened } from './sse-operands.ts';
import { binary, binarySelected, type Shape, unarySelected, type VectorTable } from './vector-form.ts';

/** Rearrangements: each is one byte shuffle of the first source (bytes 0-15) and the second (16-31). */

/** unpck and punpck: lanes of `bytes` bytes from the low or high halves, in turn. */
function interleave(bytes: number, half: 'low' | 'high'): Shape {
  const count = 16 / bytes;
  const first = half === 'low' ? 0 : count / 2;
  const lanes = widened(
    Array.from({ length: count / 2 }, (_, i) => [first + i, count + first + i]).flat(),
    bytes,
  );
  return binary((c, x, y) => shuffle(c, lanes, x, y));
}

/** Field `i` of the selector, two bits each. */
const field = (select: number, i: number): number => (select >> (2 * i)) & 3;

/** shufps: two lanes of the first source, then two of the second. */
const shuffleSingles = binarySelected((c, x, y, s) =>
  shuffle(c, widened([field(s, 0), field(s, 1), 4 + field(s, 2), 4 + field(s, 3)], 4), x, y),
);

/** shufpd has a bit of its own for each lane of 256 bits. */
const shuffleDoubles = binarySelected((c, x, y, select, half) => {
  const s = select >> (2 * half);
  return shuffle(c, widened([s & 1, 2 + ((s >> 1) & 1)], 8), x, y);
});

/** pshufd, pshuflw and pshufhw have one source. */
const permute = (lanesOf: (select: number) => number[]): Shape =>
  unarySelected((c, x, select) => shuffle(c, lanesOf(select), x, x));

const fields = (select: number): number[] => [0, 1, 2, 3].map((i) => field(select, i));

export const SSE_SHUFFLE: VectorTable = [
  ['Unpcklps', interleave(4, 'low')],
  ['Unpckhps', interleave(4, 'high')],
  ['Unpcklpd', interleave(8, 'low')],
  ['Unpckhpd', interleave(8, 'high')],
  ['Punpcklbw', interleave(1, 'low')],
  ['Punpckhbw', interleave(1, 'high')],
  ['Punpcklwd', interleave(2, 'low')],
  ['Punpckhwd', interleave(2, 'high')],
  ['Punpckldq', interleave(4, 'low')],
  ['Punpckhdq', interleave(4, 'high')],
  ['Punpcklqdq', interleave(8, 'low')],
  ['Punpckhqdq', interleave(8, 'high')],
  ['Shufps', shuffleSingles],
  ['Shufpd', shuffleDoubles],
  ['Pshufd', permute((s) => widened(fields(s), 4))],
  ['Pshuflw', permute((s) => widened([...fields(s), 4, 5, 6, 7], 2))],
  ['Pshufhw', permute((s) => widened([0, 1, 2, 3, ...fields(s).map((i) => 4 + i)], 2))],
];
