import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundExceeds,
  type Counts,
  exceeds,
  type Limits,
  limitFor,
  type Metric,
  printLimit,
} from './limits.ts';
import { parseLimit } from './parse-limit.ts';

const limit = (metric: Metric, text: string | number) => {
  const parsed = parseLimit(metric, text);
  if (parsed.kind === 'refused') throw new Error(`refused: expected ${parsed.expected}`);
  return parsed.limit;
};
const counts = (instructions: number, cycles: number): Counts => ({ instructions, cycles });

describe('a limit', () => {
  it.each<[Metric, string | number, string]>([
    ['instructions', '+1%', '+1%'],
    ['instructions', '1.25 %', '+1.25%'],
    ['cycles', 500, '+500'],
    ['cycles', '+500', '+500'],
    ['cycles', 0, '0'],
    ['cycles', '-0', '0'],
    ['ilp', '-2%', '-2%'],
    ['ilp', -0.05, '-0.05'],
    ['ilp', '0.05', '-0.05'],
    ['ilp', 'none', 'none'],
    ['macs', '+0.5', '+0.5'],
    ['mac', 1, '+1'],
    ['run-time-bound', '+2%', '+2%'],
  ])('of %s written %s is understood as %s', (metric, text, printed) => {
    expect(printLimit(metric, limit(metric, text))).toBe(printed);
  });

  it.each<[Metric, string | number]>([
    ['instructions', '-1%'],
    ['cycles', -5],
    ['cycles', 1.5],
    ['ilp', '+2%'],
    ['ilp', '-101%'],
    ['cycles', ''],
    ['cycles', '1e3'],
    ['cycles', 'five'],
    ['cycles', '%'],
    ['cycles', Number.NaN],
    ['macs', -0.5],
    ['run-time-bound', 0.5],
  ])('of %s written %s is refused', (metric, text) => {
    expect(parseLimit(metric, text).kind).toBe('refused');
  });

  it('is understood again as it is printed', () => {
    const written = fc
      .tuple(fc.nat(999_999_999), fc.nat(999_999))
      .map(([whole, fraction]) => `${whole}.${fraction}`);
    fc.assert(
      fc.property(written, fc.constantFrom<Metric>('instructions', 'cycles'), (text, metric) => {
        const percent = limit(metric, `${text}%`);
        expect(limit(metric, printLimit(metric, percent))).toEqual(percent);
      }),
    );
  });
});

describe('a count exceeds its limit', () => {
  it('of a percentage exactly when it is larger than the base by more than that, even above 2^53 products', () => {
    const large = fc.nat(Number.MAX_SAFE_INTEGER);
    fc.assert(
      fc.property(large, large, fc.integer({ min: 0, max: 1000 }), (base, head, tenths) => {
        const allowed = limit('instructions', `+${tenths / 10}%`);
        const expected = BigInt(head) * 1000n > BigInt(base) * BigInt(1000 + tenths);
        expect(exceeds('instructions', allowed, counts(base, 1), counts(head, 1))).toBe(expected);
      }),
    );
  });

  it('not at the limit itself, but one above', () => {
    const allowed = limit('cycles', '+0.1%');
    expect(exceeds('cycles', allowed, counts(0, 30_000), counts(0, 30_030))).toBe(false);
    expect(exceeds('cycles', allowed, counts(0, 30_000), counts(0, 30_031))).toBe(true);
    expect(exceeds('cycles', limit('cycles', 5), counts(0, 10), counts(0, 15))).toBe(false);
    expect(exceeds('cycles', limit('cycles', 5), counts(0, 10), counts(0, 16))).toBe(true);
  });

  it('never while it shrinks, whatever the limit', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(1000), (a, b, amount) => {
        const [small, large] = [Math.min(a, b), Math.max(a, b)];
        expect(exceeds('cycles', limit('cycles', amount), counts(1, large), counts(1, small))).toBe(false);
      }),
    );
  });
});

describe('a bound exceeds its limit', () => {
  const units = fc.nat(1_000_000_000);

  it('of an absolute amount exactly when it is larger by more than that, to the last decimal', () => {
    fc.assert(
      fc.property(units, units, fc.nat(100_000), (base, head, hundredths) => {
        const allowed = limit('macs', (hundredths / 100).toFixed(2));
        expect(boundExceeds('macs', allowed, base / 10_000, head / 10_000)).toBe(
          head > base + hundredths * 100,
        );
      }),
    );
  });

  it('of a percentage exactly when it is larger by more than that, to the last decimal', () => {
    fc.assert(
      fc.property(units, units, fc.nat(1000), (base, head, tenths) => {
        const allowed = limit('run-time-bound', `${(tenths / 10).toFixed(1)}%`);
        const expected = BigInt(head) * 1000n > BigInt(base) * BigInt(1000 + tenths);
        expect(boundExceeds('run-time-bound', allowed, base / 10_000, head / 10_000)).toBe(expected);
      }),
    );
  });

  it('of utilisation exactly when it is smaller by more than that: less of it is worse', () => {
    const share = fc.nat(10_000);
    fc.assert(
      fc.property(share, share, fc.nat(100), (base, head, hundredths) => {
        const [before, after] = [base / 10_000, head / 10_000];
        const points = limit('utilisation', `-${(hundredths / 100).toFixed(2)}`);
        expect(boundExceeds('utilisation', points, before, after)).toBe(head < base - hundredths * 100);
        const percent = limit('utilisation', `-${hundredths}%`);
        expect(boundExceeds('utilisation', percent, before, after)).toBe(
          head * 100 < base * (100 - hundredths),
        );
      }),
    );
  });

  it('never where nothing limits it, which is the default', () => {
    expect(boundExceeds('macs', limitFor('macs', 'f', [{}]), 1, 1000)).toBe(false);
  });
});

describe('ILP exceeds its limit', () => {
  it('exactly when I / C fell by more, computed from the counts and not from rounded ratios', () => {
    // 3 / 1 → 294 / 100 is -2% to the last digit.
    expect(exceeds('ilp', limit('ilp', '-2%'), counts(3, 1), counts(294, 100))).toBe(false);
    expect(exceeds('ilp', limit('ilp', '-2%'), counts(300_000, 100_000), counts(293_999, 100_000))).toBe(
      true,
    );
    expect(exceeds('ilp', limit('ilp', '-0.5'), counts(30, 10), counts(25, 10))).toBe(false);
    expect(exceeds('ilp', limit('ilp', '-0.5'), counts(30, 10), counts(24, 10))).toBe(true);
  });

  it('never without a limit, nor when it rises', () => {
    expect(exceeds('ilp', limitFor('ilp', undefined, []), counts(30, 10), counts(1, 10))).toBe(false);
    expect(exceeds('ilp', limit('ilp', 0), counts(30, 10), counts(31, 10))).toBe(false);
  });
});

describe('which limit applies', () => {
  const configuration: Limits = {
    cycles: limit('cycles', '+1%'),
    functions: { f: { cycles: limit('cycles', '+2%') }, '*': { cycles: limit('cycles', '+3%') } },
  };
  const target: Limits = {
    cycles: limit('cycles', '+4%'),
    functions: { g: { cycles: limit('cycles', 'none') } },
  };
  const chosen = (metric: Metric, name?: string) =>
    printLimit(metric, limitFor(metric, name, [configuration, target]));

  it('to the run: the target’s, else the configuration’s, else none more', () => {
    expect(chosen('cycles')).toBe('+4%');
    expect(printLimit('cycles', limitFor('cycles', undefined, [configuration, {}]))).toBe('+1%');
    expect(chosen('instructions')).toBe('0');
  });

  it('to a function: its own, else that of every function, else the run’s', () => {
    expect(chosen('cycles', 'f')).toBe('+2%');
    expect(chosen('cycles', 'g')).toBe('none');
    expect(chosen('cycles', 'h')).toBe('+3%');
    expect(chosen('instructions', 'f')).toBe('0');
  });

  it('is not confused by functions with names of every object', () => {
    expect(printLimit('cycles', limitFor('cycles', 'constructor', [{ functions: {} }, {}]))).toBe('0');
  });
});
