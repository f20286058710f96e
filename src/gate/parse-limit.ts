import { isWorseBelow, type Limit, type Metric } from './limits.ts';

export type ParsedLimit =
  | { readonly kind: 'limit'; readonly limit: Limit }
  | { readonly kind: 'refused'; readonly expected: string };

/**
 * Reads a limit as users write it: `0`, `500` or `+500` (YAML makes a number of both), `+1%`, `-2%` and `-0.05` for
 * ilp and utilisation, `+0.5` for mac, macs and load-imbalance, `none`. The sign may be left out; the wrong sign is refused, because a limit says how much worse is acceptable.
 */
export function parseLimit(metric: Metric, value: string | number): ParsedLimit {
  const expected = EXPECTED[metric];
  const text = String(value).trim();
  if (text === 'none') return { kind: 'limit', limit: { kind: 'none' } };
  const parts = /^([+-]?)(\d{1,12})(?:\.(\d{1,6}))?(\s*%)?$/.exec(text);
  if (parts === null) return { kind: 'refused', expected };
  const [, sign, whole = '', fraction = '', percent] = parts;
  const units = Number(whole + fraction);
  const wrongSign = isWorseBelow(metric) ? '+' : '-';
  const fractionOfCount = !FRACTIONAL.includes(metric) && percent === undefined && fraction !== '';
  const impossible = isWorseBelow(metric) && percent !== undefined && units > 100 * 10 ** fraction.length;
  if ((sign === wrongSign && units !== 0) || fractionOfCount || impossible)
    return { kind: 'refused', expected };
  const amount = { units, decimals: fraction.length };
  return { kind: 'limit', limit: { kind: percent === undefined ? 'absolute' : 'percent', amount } };
}

/** Those whose absolute limits may have decimals. */
const FRACTIONAL: readonly Metric[] = ['ilp', 'mac', 'macs', 'load-imbalance', 'utilisation'];

const OF_A_COUNT = 'how many more are allowed: 0, +500, +1% or none';
const OF_A_LOOP = 'how many more cycles an iteration are allowed: 0, +0.5, +1% or none';

const OF_A_SHARE = 'how far it may fall: 0, -0.05, -2% or none';

const EXPECTED: Readonly<Record<Metric, string>> = {
  instructions: OF_A_COUNT,
  cycles: OF_A_COUNT,
  mac: OF_A_LOOP,
  macs: OF_A_LOOP,
  'run-time-bound': OF_A_COUNT,
  'parallel-bound': OF_A_COUNT,
  'load-imbalance': 'how much more is allowed: 0, +0.05, +1% or none',
  utilisation: OF_A_SHARE,
  ilp: OF_A_SHARE,
};
