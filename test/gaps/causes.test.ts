import { describe, expect, test } from 'vitest';
import { haveTools } from '../../src/elf/fixtures/tools.ts';
import { causeOf, type Explained, type ExplainOptions, explained, kindsOf } from './explained.ts';

/** The only loop of a function f, or the one that most of its work is in: that with vectors, where there are several. */
async function only(text: string, options: ExplainOptions): Promise<Explained> {
  const all = await explained(text, 'f', options);
  return all.reduce((a, b) => (b.unroll > a.unroll ? b : a));
}

const SAXPY = (keyword: string): string =>
  `void f(int n, float a, float *${keyword} x, float *${keyword} y) {
  for (int i = 0; i < n; i++)
    y[i] = a * x[i] + y[i];
}`;
const DOT = `double f(int n, double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}`;
const LFK1 = `double x[1001], y[1001], z[1012], q, r, t;
void f(int n) {
  for (int k = 0; k < n; k++)
    x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}`;
const LFK5 = `double x[1001], y[1001], z[1001];
void f(int n) {
  for (int i = 1; i < n; i++)
    x[i] = z[i] * (y[i] - x[i - 1]);
}`;
const STENCIL = `void f(int n, double *x, double *y) {
  for (int k = 1; k < n; k++)
    y[k] = x[k - 1] + x[k] + x[k + 1];
}`;
const CHASE = `struct node { struct node *next; int v; };
int f(struct node *p) {
  int c = 0;
  while (p) {
    c++;
    p = p->next;
  }
  return c;
}`;
const GATHER = `void f(int n, double *restrict y, double *x, int *k) {
  for (int i = 0; i < n; i++)
    y[i] = x[k[i]] * 2;
}`;
const DIVISION = `void f(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = 1.0 / x[i];
}`;
const INTEGERS = `void f(int n, int *restrict x, int *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 3 + y[i];
}`;
const CALL = (callee: string): string => `${callee}
void f(int n, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = other(x[i]);
}`;
const KEPT = (sum: string): string => `void f(int n, double *s, double *x) {
  double t = *s;
  for (int i = 0; i < n; i++)
    ${sum} += x[i];
  *s = t;
}`;
/** More values at a time than there are registers, or not. */
const LIVE = (count: number): string => {
  const all = Array.from({ length: count }, (_, i) => i);
  return `void f(int n, double *restrict x, double *restrict y) {
  double ${all.map((i) => `a${i} = x[${i}]`).join(', ')};
  for (int i = 0; i < n; i++) {
    ${all.map((i) => `a${i} += y[i] * a${(i + 3) % count};`).join('\n    ')}
  }
  ${all.map((i) => `x[${i}] = a${i};`).join('\n  ')}
}`;
};

describe.skipIf(!haveTools('gcc'))('gap A, by what the source asks for', () => {
  test('a sum waits for the addition before, and may be done in another order', async () => {
    const result = await only(DOT, { flags: ['-O2'] });
    const cause = causeOf(result, 'latency-bound-recurrence')!;
    expect(cause).toMatchObject({ gap: 'A', line: 4, cycles: 3.5 });
    expect(cause.text).toContain('an addition');
    expect(cause.advice).toContain('-fassociative-math');
    expect(kindsOf(await only(STENCIL, { flags: ['-O2'] }))).not.toContain('latency-bound-recurrence');
  });

  test('a recurrence that no order breaks up is not said to be one', async () => {
    const cause = causeOf(await only(LFK5, { flags: ['-O2'] }), 'latency-bound-recurrence')!;
    expect(cause).toMatchObject({ gap: 'A', line: 4, cycles: 7.5 });
    expect(cause.advice).not.toContain('-fassociative-math');
  });

  test('a list is a chain of loads', async () => {
    expect(causeOf(await only(CHASE, { flags: ['-O2'] }), 'load-chain')).toMatchObject({ gap: 'A', line: 6 });
  });

  test('a division keeps the divider busy, a multiplication does not', async () => {
    expect(causeOf(await only(DIVISION, { flags: ['-O2'] }), 'division')).toMatchObject({
      gap: 'A',
      line: 3,
    });
    expect(kindsOf(await only(SAXPY('restrict'), { flags: ['-O2'] }))).not.toContain('division');
  });

  test('loads and stores that floating point is too little for, with those that are scattered', async () => {
    const cause = causeOf(await only(GATHER, { flags: ['-O2'] }), 'loads-and-stores')!;
    expect(cause).toMatchObject({ gap: 'A', count: 3 });
    expect(cause.text).toContain('do not go from one element to the next');
  });

  test('a multiplication that no addition takes cannot be fused', async () => {
    const v3 = { flags: ['-O2', '-mavx2', '-mfma'], isa: 'x86-64-v3' } as const;
    expect(causeOf(await only(LFK1, v3), 'unfused-operations')).toMatchObject({ gap: 'A', count: 1 });
    expect(kindsOf(await only(DOT, v3))).not.toContain('unfused-operations');
  });
});

describe.skipIf(!haveTools('gcc'))('gap C, by what was compiled', () => {
  test('aliasing keeps a loop from vectors, restrict does not', async () => {
    const [scalar] = await explained(SAXPY(''), 'f', { flags: ['-O2'] });
    const cause = causeOf(scalar, 'missed-vectorisation')!;
    expect(cause).toMatchObject({ gap: 'C', file: 'loop.c', line: 3, count: 2 });
    expect(cause.cycles).toBeGreaterThan(1);
    expect(cause.text).toContain('stores that might change');
    expect(cause.advice).toContain('restrict');
    const vectors = await only(SAXPY('restrict'), { flags: ['-O3'] });
    expect(vectors.unroll).toBe(4);
    expect(kindsOf(vectors)).not.toContain('missed-vectorisation');
  });

  test('a sum without permission to reorder is no missed vectorisation', async () => {
    expect(kindsOf(await only(DOT, { flags: ['-O2'] }))).not.toContain('missed-vectorisation');
  });

  test('integers are vectorised, too, or missed', async () => {
    const plain = await only(INTEGERS, { flags: ['-O2', '-fno-tree-vectorize'] });
    expect(causeOf(plain, 'missed-vectorisation')).toMatchObject({ line: 3 });
    expect(kindsOf(await only(INTEGERS, { flags: ['-O3'] }))).not.toContain('missed-vectorisation');
  });

  test('vectors of half the width that the level has', async () => {
    const narrow = await only(SAXPY('restrict'), { flags: ['-O3'], isa: 'x86-64-v3' });
    expect(causeOf(narrow, 'narrow-vectors')?.advice).toContain('-march=x86-64-v3');
    const wide = await only(SAXPY('restrict'), { flags: ['-O3', '-march=x86-64-v3'], isa: 'x86-64-v3' });
    expect(kindsOf(wide)).not.toContain('narrow-vectors');
  });

  test('multiplications and additions are apart where FMA would join them', async () => {
    const apart = await only(LFK1, { flags: ['-O2', '-mavx2'], isa: 'x86-64-v3' });
    expect(causeOf(apart, 'uncombined-multiply-add')).toMatchObject({ count: 2, line: 4, cycles: 0.5 });
    const lacking = await only(LFK1, { flags: ['-O2'] });
    expect(causeOf(lacking, 'uncombined-multiply-add')?.text).toContain('x86-64 has no multiply-add');
    const joined = await only(LFK1, { flags: ['-O2', '-mavx2', '-mfma'], isa: 'x86-64-v3' });
    expect(kindsOf(joined)).not.toContain('uncombined-multiply-add');
  });

  test('an element is loaded again that the iteration before had', async () => {
    const again = await only(STENCIL, { flags: ['-O1'] });
    expect(causeOf(again, 'redundant-load')).toMatchObject({ count: 2, line: 3 });
    expect(causeOf(again, 'redundant-load')?.cycles).toBeGreaterThan(0.5);
    expect(causeOf(again, 'redundant-load')?.text).toContain('of x');
    const kept = await only(LFK1, { flags: ['-O2'] });
    expect(kindsOf(kept)).not.toContain('redundant-load');
  });

  test('what was stored in the iteration before is loaded again, in the way of the recurrence', async () => {
    const result = await only(LFK5, { flags: ['-O1'] });
    expect(causeOf(result, 'reloaded-store')).toMatchObject({ count: 1, line: 4, cycles: 4 });
    const chain = result.causes.find(({ gap, kind }) => gap === 'C' && kind === 'latency-bound-recurrence')!;
    expect(chain.text).toMatch(/waits 12 cycles .* through memory: subsd \(line 4\), mulsd \(line 4\)/);
    const kept = await only(LFK5, { flags: ['-O3'] });
    expect(kindsOf(kept)).not.toContain('reloaded-store');
  });

  test('a sum that stays in memory is stored each time', async () => {
    expect(causeOf(await only(KEPT('*s'), { flags: ['-O2'] }), 'redundant-store')).toMatchObject({ line: 4 });
    expect(kindsOf(await only(KEPT('t'), { flags: ['-O2'] }))).not.toContain('redundant-store');
  });

  test('too many values at a time are spilled', async () => {
    expect(causeOf(await only(LIVE(24), { flags: ['-O2'] }), 'spill')?.count).toBeGreaterThan(10);
    expect(kindsOf(await only(LIVE(6), { flags: ['-O2'] }))).not.toContain('spill');
  });

  test('a call is named, and what inlines it', async () => {
    const called = await only(CALL('extern double other(double);'), { flags: ['-O2'] });
    const cause = causeOf(called, 'call')!;
    expect(cause).toMatchObject({ gap: 'C', count: 1, line: 4 });
    expect(cause.text).toContain('calls other,');
    expect(cause.cycles).toBeGreaterThan(0);
    const inlined = await only(CALL('static double other(double v) { return v * 2; }'), { flags: ['-O2'] });
    expect(kindsOf(inlined)).not.toContain('call');
  });

  test('code that is not optimised is one cause, not many', async () => {
    const result = await only(DOT, { flags: ['-O0'] });
    expect(causeOf(result, 'unoptimised-code')).toMatchObject({ gap: 'C', advice: 'Build with -O2 or -O3' });
    expect(causeOf(result, 'unoptimised-code')?.cycles).toBeGreaterThan(1);
    expect(kindsOf(result)).not.toContain('spill');
    expect(kindsOf(await only(LIVE(24), { flags: ['-O2'] }))).not.toContain('unoptimised-code');
  });

  test('counting and branching cost where the loop is not unrolled', async () => {
    const plain = await only(LFK1, { flags: ['-O2'] });
    expect(causeOf(plain, 'partial-unrolling')).toMatchObject({ count: 3, cycles: 0.25 });
    const unrolled = await only(LFK1, { flags: ['-O2', '-funroll-loops'] });
    expect(unrolled.unroll).toBeGreaterThan(1);
    expect(causeOf(unrolled, 'partial-unrolling')?.cycles ?? 0).toBeLessThan(0.25);
  });

  test('copies of registers that AVX does without', async () => {
    const result = await only(LFK1, { flags: ['-O2'] });
    expect(causeOf(result, 'redundant-instruction')).toMatchObject({ count: 2, cycles: 0.25 });
    expect(kindsOf(await only(LFK1, { flags: ['-O2', '-mavx2'] }))).not.toContain('redundant-instruction');
  });

  test('permission to reorder takes a loop below MA, and is the reason', async () => {
    const result = await only(DOT, { flags: ['-O3', '-ffast-math'] });
    expect(result.gaps.C).toBeLessThan(0);
    expect(causeOf(result, 'reassociation')).toMatchObject({ gap: 'C', cycles: result.gaps.C });
  });

  test('FMA and wider vectors than the level has take a loop below MA, and are the reason', async () => {
    const result = await only(SAXPY('restrict'), { flags: ['-O3', '-march=x86-64-v3', '-funroll-loops'] });
    expect(result.gaps.C).toBeLessThan(0);
    expect(causeOf(result, 'wider-vectors')?.cycles).toBeLessThan(0);
  });
});

describe.skipIf(!haveTools('gcc'))('gap S, by how it is scheduled', () => {
  const SUM = `int f(int n, int *x) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}`;
  test('a recurrence that other instructions delay', async () => {
    const result = await only(SUM, { flags: ['-O2'] });
    const cause = result.causes.find(({ gap }) => gap === 'S')!;
    expect(cause).toMatchObject({ kind: 'latency-bound-recurrence', line: 4, cycles: result.gaps.S });
    expect(cause.text).toContain('add (line 4), and other instructions delay it');
  });

  test('instructions that wait for one port', async () => {
    const result = await only(LFK1, { flags: ['-O1'] });
    const cause = causeOf(result, 'port-contention')!;
    expect(cause).toMatchObject({ gap: 'S', line: 4 });
    expect(cause.text).toContain('mulsd');
    expect(cause.cycles).toBeLessThanOrEqual(result.gaps.S);
  });

  test('no gap, no cause', async () => {
    const result = await only(DOT, { flags: ['-O2'] });
    expect(result.gaps.S).toBe(0);
    expect(result.causes.filter(({ gap }) => gap === 'S')).toEqual([]);
  });
});

describe.skipIf(!haveTools('gcc'))('without a source', () => {
  test('there are causes of C and no gap of it', async () => {
    const result = await only(LFK5, { flags: ['-O1'], source: false });
    expect(result.gaps).toEqual({ S: result.gaps.S });
    expect(causeOf(result, 'reloaded-store')?.cycles).toBe(4);
    expect(causeOf(result, 'latency-bound-recurrence')).toMatchObject({ gap: 'C' });
    const [scalar] = await explained(SAXPY(''), 'f', { flags: ['-O2'], source: false });
    expect(causeOf(scalar, 'missed-vectorisation')?.cycles).toBeGreaterThan(0.5);
  });
});

describe.skipIf(!haveTools('gcc'))('gap P, from a measurement', () => {
  const flags = ['-O2'];
  test('data beyond a cache is said to be', async () => {
    const run = { flags, measured: 20, entries: 2, iterations: 20_000_000 };
    const result = await only(DOT, run);
    const cause = causeOf(result, 'cache-misses')!;
    expect(cause.text).toContain('152.59 MiB in 2 streams');
    const small = await only(DOT, { ...run, iterations: 2000 });
    expect(kindsOf(small)).not.toContain('cache-misses');
    expect(causeOf(small, 'not-modelled')).toMatchObject({ gap: 'P', cycles: 16 });
  });

  test('the end of short runs is mispredicted', async () => {
    const result = await only(DOT, { flags, measured: 6, entries: 1000, iterations: 8000 });
    expect(causeOf(result, 'mispredicted-branches')).toMatchObject({ gap: 'P', cycles: 2 });
  });

  test('less than MACS has its reason', async () => {
    const short = await only(DOT, { flags, measured: 3, entries: 1000, iterations: 8000 });
    expect(causeOf(short, 'overlapping-runs')).toMatchObject({ gap: 'P', cycles: -1 });
    const long = await only(DOT, { flags, measured: 3, entries: 1, iterations: 8000 });
    expect(causeOf(long, 'faster-than-model')).toMatchObject({ gap: 'P', cycles: -1 });
  });
});
