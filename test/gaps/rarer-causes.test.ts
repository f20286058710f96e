import { describe, expect, test } from 'vitest';
import { haveTools } from '../../src/elf/fixtures/tools.ts';
import { causeOf, type Explained, type ExplainOptions, explained, kindsOf } from './explained.ts';

async function only(text: string, options: ExplainOptions): Promise<Explained> {
  const all = await explained(text, 'f', options);
  return all.reduce((a, b) => (b.unroll > a.unroll ? b : a));
}

const loop = (parameters: string, body: string): string =>
  `void f(int n, ${parameters}) {
  for (int i = 0; i < n; i++)
    ${body}
}`;

describe.skipIf(!haveTools('gcc'))('gap A, by what is rarer', () => {
  test('conversions take the units of additions and products, which doubles do without', async () => {
    const zen5 = { flags: ['-O2'], machine: 'zen5' };
    const of = (a: string, b: string): string =>
      loop(`double *restrict y, ${a} *restrict k, ${b} *restrict z`, 'y[i] += (double)k[i] * (double)z[i];');
    expect(causeOf(await only(of('int', 'float'), zen5), 'other-operations')).toMatchObject({
      gap: 'A',
      count: 2,
      line: 3,
      text: expect.stringContaining('(convert)'),
    });
    expect(kindsOf(await only(of('double', 'double'), zen5))).not.toContain('other-operations');
  });

  test('where no part of what is asked for is longer than M alone, all of it is', async () => {
    const MANY = loop(
      'double *restrict x, double *restrict y',
      'y[i] = (x[i] < y[i] ? x[i] : y[i]) + (x[i] > 3.0 ? x[i] : 3.0);',
    );
    const wide = { flags: ['-O2'], machine: 'zen5', isa: 'x86-64-v3' } as const;
    const found = await only(MANY, wide);
    expect(causeOf(found, 'essential-work')).toMatchObject({ gap: 'A', cycles: found.gaps.A });
    const copied = loop('double *restrict x, double *restrict y', 'y[i] = x[i] + 1;');
    expect(kindsOf(await only(copied, { flags: ['-O2'] }))).not.toContain('essential-work');
  });
});

describe.skipIf(!haveTools('gcc'))('gap C, by what is rarer', () => {
  const INDEXED = (type: string): string =>
    `void f(${type} n, ${type} m, double *x, double *y) {
  for (${type} i = 0; i < n; i++)
    y[i * 3 + m] = x[i + m] + x[i * 2 + m];
}`;
  test('a counter narrower than a pointer is computed with for each address', async () => {
    const narrow = await only(INDEXED('unsigned'), { flags: ['-O2'] });
    expect(causeOf(narrow, 'address-arithmetic')).toMatchObject({ gap: 'C', line: 3, cycles: 1 });
    const wide = causeOf(await only(INDEXED('long'), { flags: ['-O2'] }), 'address-arithmetic');
    expect(wide?.cycles ?? 0).toBeLessThan(1);
  });

  test('a store with an index takes the ports of loads, up to Skylake', async () => {
    const sum = loop(
      'double *restrict y, double *restrict a, double *restrict b, double *restrict c',
      'y[i] = a[i] + b[i] + c[i];',
    );
    const flags = ['-O2', '-fno-tree-vectorize'];
    const skylake = await only(sum, { flags, machine: 'skylake' });
    // Ports 2 and 3 have three loads and the store's address; with port 7 four slots a cycle are less.
    expect(causeOf(skylake, 'indexed-store')).toMatchObject({ gap: 'C', line: 3, count: 1, cycles: 0.5 });
    expect(kindsOf(await only(sum, { flags, machine: 'zen5' }))).not.toContain('indexed-store');
  });

  test('a loop that begins in the middle of a line of code comes in more cycles', async () => {
    const hydro = (bytes: number): string => `double x[1001], y[1001], z[1012], q, r, t;
void f(int n) {
  __asm__ volatile(".nops ${bytes}");
  for (int k = 0; k < n; k++)
    x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}`;
    const flags = ['-O2', '-falign-functions=64', '-falign-loops=16', '-fno-pie'];
    const at = (bytes: number, ...more: string[]): Promise<Explained> =>
      only(hydro(bytes), { flags: [...flags, ...more], machine: 'zen5', placed: true });
    // Eleven micro-operations in one line, or seven in one and four in the next: 1.5 cycles of ports, or two of the front end.
    const found = await Promise.all([1, 17, 33, 49].map((bytes) => at(bytes)));
    expect(found.map(({ bounds }) => bounds.MAC).sort()).toEqual([1.5, 1.5, 2, 2]);
    for (const each of found)
      expect(causeOf(each, 'code-alignment')?.cycles).toBe(each.bounds.MAC === 2 ? 0.5 : undefined);
    const aligned = await at(32, '-falign-loops=64');
    expect(kindsOf(aligned)).not.toContain('code-alignment');
    expect(aligned.bounds.MAC).toBe(1.5);
  });

  test('where nothing that is looked for makes the gap, the whole of what was compiled does', async () => {
    const last = loop('double *restrict s, double *restrict x', '*s = x[i] * 2;');
    const found = await only(last, { flags: ['-O1'] });
    expect(causeOf(found, 'compiled-work')).toMatchObject({ gap: 'C', cycles: found.gaps.C });
    const plain = loop('double *restrict y, double *restrict x', 'y[i] = x[i] * 2;');
    expect(kindsOf(await only(plain, { flags: ['-O3'] }))).not.toContain('compiled-work');
  });
});

describe.skipIf(!haveTools('gcc'))('a negative gap C, by what is rarer', () => {
  const POLYNOMIAL = loop(
    'double *restrict x, double *restrict y',
    'x[i] = y[i] * (y[i] * (y[i] * (y[i] * 3.0 + 1.0) + 2.0) + 5.0) + 7.0;',
  );
  const reason = async (text: string, kind: string, options: ExplainOptions): Promise<void> => {
    const found = await only(text, options);
    expect(found.gaps.C).toBeLessThan(0);
    expect(causeOf(found, kind)).toMatchObject({ gap: 'C', cycles: found.gaps.C });
  };

  test('products and sums are fused though the level has no FMA', async () => {
    const flags = ['-O3', '-mfma', '-mprefer-vector-width=128'];
    await reason(POLYNOMIAL, 'contraction', { flags });
    expect(kindsOf(await only(POLYNOMIAL, { flags: [...flags, '-ffp-contract=off'] }))).not.toContain(
      'contraction',
    );
  });

  test('a recurrence of a product and a sum is shorter fused', async () => {
    const recurrence = `double f(int n, double *x, double *y) {
  double s = 1;
  for (int i = 0; i < n; i++)
    s = s * x[i] + y[i];
  return s;
}`;
    await reason(recurrence, 'contraction', { flags: ['-O2', '-mfma'] });
    expect(kindsOf(await only(recurrence, { flags: ['-O2'] }))).not.toContain('contraction');
  });

  test('products that are the same are computed once', async () => {
    const power = loop(
      'double *restrict x, double *restrict y',
      'y[i] = x[i]*x[i]*x[i]*x[i]*x[i]*x[i]*x[i]*x[i];',
    );
    await reason(power, 'fewer-operations', { flags: ['-O3', '-ffast-math'] });
    expect(kindsOf(await only(power, { flags: ['-O3'] }))).not.toContain('fewer-operations');
  });

  test('one instruction finds the smaller of two where MA counts a comparison and a choice', async () => {
    const least = loop(
      'double *restrict x, double *restrict y',
      'y[i] = (x[i] < y[i] ? x[i] : y[i]) + (x[i] > 3.0 ? x[i] : 3.0);',
    );
    await reason(least, 'cheaper-instructions', { flags: ['-O3', '-ffast-math'], machine: 'zen5' });
    expect(kindsOf(await only(least, { flags: ['-O1'], machine: 'zen5' }))).not.toContain(
      'cheaper-instructions',
    );
  });
});

describe.skipIf(!haveTools('gcc'))('gap S, by what is rarer', () => {
  const HORNER = (degree: number): string =>
    `void f(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double t = x[i];
    ${'t = t * x[i] + 1.5;\n    '.repeat(degree)}y[i] = t;
  }
}`;
  test('iterations so long that too few of them are in flight wait for a larger window', async () => {
    const long = await only(HORNER(60), { flags: ['-O2', '-fno-tree-vectorize'] });
    expect(causeOf(long, 'window')).toMatchObject({ gap: 'S' });
    expect(causeOf(long, 'window')!.cycles).toBeGreaterThan(long.gaps.S / 2);
    expect(kindsOf(await only(HORNER(4), { flags: ['-O2', '-fno-tree-vectorize'] }))).not.toContain('window');
  });

  const BRANCHES = `int f(int n, int *x, int *y) {
  int c = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] > 3)
      c += y[i];
    else if (y[i] < 5)
      c ^= x[i];
  }
  return c;
}`;
  test('taken branches end what the front end delivers in a cycle', async () => {
    const found = await only(BRANCHES, { flags: ['-O1'], machine: 'skylake' });
    expect(causeOf(found, 'front-end')).toMatchObject({ gap: 'S', cycles: found.gaps.S });
    expect(kindsOf(await only(HORNER(60), { flags: ['-O2'] }))).not.toContain('front-end');
  });

  const HALVES = (loaded: string): string => `typedef volatile unsigned *half;
void f(int n, half p, unsigned long *restrict q) {
  for (int i = 0; i < n; i++) {
    unsigned long t = q[i];
    ${`p[0] = t; p[1] = t; t = *(volatile ${loaded} *)p;\n    `.repeat(12)}q[i] = t;
  }
}`;
  test('a load of two stores waits for the cache, a load of one does not', async () => {
    const blocked = await only(HALVES('unsigned long'), { flags: ['-O2'] });
    expect(causeOf(blocked, 'store-forwarding')?.gap).toBe('S');
    expect(causeOf(blocked, 'store-forwarding')!.cycles).toBeGreaterThan(blocked.gaps.S / 2);
    expect(kindsOf(await only(HALVES('unsigned'), { flags: ['-O2'] }))).not.toContain('store-forwarding');
  });

  test('where no part of the machine alone holds it up, the schedule does', async () => {
    const found = await only(loop('int *restrict x, int *restrict y', 'y[i] = x[i] + 4 * i + 7;'), {
      flags: ['-O2', '-fno-tree-vectorize'],
    });
    expect(causeOf(found, 'schedule')).toMatchObject({ gap: 'S', cycles: found.gaps.S });
    expect(kindsOf(await only(HORNER(60), { flags: ['-O2'] }))).not.toContain('schedule');
  });
});

describe.skipIf(!haveTools('gcc'))('gap P, by what is rarer', () => {
  const CALL = (callee: string): string => `${callee}
${loop('double *x', 'x[i] = other(x[i]);')}`;
  test('what was measured has the functions that are called in it, which the bounds have not', async () => {
    const run = { flags: ['-O2'], measured: 50, entries: 1, iterations: 1000 };
    expect(causeOf(await only(CALL('extern double other(double);'), run), 'called-code')).toMatchObject({
      gap: 'P',
      line: 4,
      count: 1,
    });
    const inlined = await only(CALL('static double other(double v) { return v * 2; }'), run);
    expect(kindsOf(inlined)).not.toContain('called-code');
  });

  test('a branch that goes both ways is mispredicted, one that goes one way is not', async () => {
    const branches = `int f(int n, int *x) {
  int c = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] > 3)
      c += n / x[i];
  }
  return c;
}`;
    const run = { flags: ['-O1'], measured: 60, entries: 1, iterations: 100_000 };
    expect(causeOf(await only(branches, { ...run, taken: 0.5 }), 'mispredicted-branches')).toMatchObject({
      gap: 'P',
      line: 4,
      cycles: expect.closeTo(0.5 * 16, 0),
    });
    expect(kindsOf(await only(branches, { ...run, taken: 1 }))).not.toContain('mispredicted-branches');
  });
});
