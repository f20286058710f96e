import { Mnemonic } from 'iced-x86';
import type { Row, Rows } from './row.ts';
import { packed, selector, shuffle, vectorOnly, widened } from './sse-operands.ts';

/** Rearrangements: each is one byte shuffle of the destination (bytes 0-15) and the source (16-31). */

/** unpck and punpck: lanes of `bytes` bytes from the low or high halves, in turn. */
function interleave(bytes: number, half: 'low' | 'high'): Row {
  const count = 16 / bytes;
  const first = half === 'low' ? 0 : count / 2;
  const lanes = widened(
    Array.from({ length: count / 2 }, (_, i) => [first + i, count + first + i]).flat(),
    bytes,
  );
  return vectorOnly((c) => {
    const x = c.readXmm(0);
    c.writeXmm(0, shuffle(c, lanes, x, packed(c, 1)));
  });
}

/** Field `i` of the selector, two bits each. */
const field = (select: number, i: number): number => (select >> (2 * i)) & 3;

/** shufps: two lanes of the destination, then two of the source. */
const shuffleSingles: Row = (c) => {
  const s = selector(c, 2);
  const x = c.readXmm(0);
  c.writeXmm(
    0,
    shuffle(c, widened([field(s, 0), field(s, 1), 4 + field(s, 2), 4 + field(s, 3)], 4), x, packed(c, 1)),
  );
};

const shuffleDoubles: Row = (c) => {
  const s = selector(c, 2);
  const x = c.readXmm(0);
  c.writeXmm(0, shuffle(c, widened([s & 1, 2 + ((s >> 1) & 1)], 8), x, packed(c, 1)));
};

/** pshufd, pshuflw and pshufhw read the source only. */
function permute(lanesOf: (select: number) => number[]): Row {
  return vectorOnly((c) => {
    const x = packed(c, 1);
    c.writeXmm(0, shuffle(c, lanesOf(selector(c, 2)), x, x));
  });
}

const fields = (select: number): number[] => [0, 1, 2, 3].map((i) => field(select, i));

export const SSE_SHUFFLE_ROWS: Rows = [
  [Mnemonic.Unpcklps, interleave(4, 'low')],
  [Mnemonic.Unpckhps, interleave(4, 'high')],
  [Mnemonic.Unpcklpd, interleave(8, 'low')],
  [Mnemonic.Unpckhpd, interleave(8, 'high')],
  [Mnemonic.Punpcklbw, interleave(1, 'low')],
  [Mnemonic.Punpckhbw, interleave(1, 'high')],
  [Mnemonic.Punpcklwd, interleave(2, 'low')],
  [Mnemonic.Punpckhwd, interleave(2, 'high')],
  [Mnemonic.Punpckldq, interleave(4, 'low')],
  [Mnemonic.Punpckhdq, interleave(4, 'high')],
  [Mnemonic.Punpcklqdq, interleave(8, 'low')],
  [Mnemonic.Punpckhqdq, interleave(8, 'high')],
  [Mnemonic.Shufps, shuffleSingles],
  [Mnemonic.Shufpd, shuffleDoubles],
  [Mnemonic.Pshufd, permute((s) => widened(fields(s), 4))],
  [Mnemonic.Pshuflw, permute((s) => widened([...fields(s), 4, 5, 6, 7], 2))],
  [Mnemonic.Pshufhw, permute((s) => widened([0, 1, 2, 3, ...fields(s).map((i) => 4 + i)], 2))],
];
