import { describe, expect, test } from 'vitest';
import { readGrammar } from '../../host/grammars.ts';
import { sourceLoops } from '../../source/analyse.ts';
import type { LoopDemand } from '../../source/demand.ts';
import type { Language } from '../../source/syntax.ts';
import { type EssentialCounts, essentialCounts } from './essential.ts';
import { longestRecurrence } from './essential-recurrence.ts';

async function only(text: string, language: Language = 'c'): Promise<LoopDemand> {
  const { loops } = await sourceLoops(text, language, readGrammar);
  const inner = loops.filter((loop) => loop.innermost);
  expect(inner).toHaveLength(1);
  return inner[0];
}

const inLoop = (body: string, declarations = ''): string =>
  `${declarations}
   void f(int n, int m, double a, double b, double *x, double *y, double *z, float *s, int *k, double c[100][50]) {
     for (int i = 0; i < n; i++) { ${body} }
   }`;

type Counts = Partial<EssentialCounts>;
const NONE: EssentialCounts = { fa: 0, fm: 0, fma: 0, fmisc: 0, loads: 0, stores: 0 };

describe('operations', () => {
  test.each<[body: string, expected: Counts, why: string]>([
    ['x[i] = a + y[i];', { fa: 1, loads: 1, stores: 1 }, 'scalars are in registers'],
    ['x[i] = a * y[i] + z[i];', { fma: 1, loads: 2, stores: 1 }, 'a product and its addition are a pair'],
    [
      'x[i] = y[i] * y[i] - z[i] * z[i];',
      { fm: 1, fma: 1, loads: 2, stores: 1 },
      'a difference takes one product',
    ],
    [
      'double t = a * y[i]; x[i] = t + b; z[i] = t;',
      { fa: 1, fm: 1, loads: 1, stores: 2 },
      'a product with another use is no pair',
    ],
    [
      'double t = a * y[i]; x[i] = t + t;',
      { fa: 1, fm: 1, loads: 1, stores: 1 },
      'nor one that is added to itself',
    ],
    [
      'x[i] = (y[i] + a) * (y[i] + a);',
      { fa: 1, fm: 1, loads: 1, stores: 1 },
      'common subexpressions are one',
    ],
    [
      'x[i] = y[i] * (a * b + 2.0);',
      { fm: 1, loads: 1, stores: 1 },
      'what does not change is computed before',
    ],
    ['x[i] = y[i] * (2.0 * 3.0 - 1.0);', { fm: 1, loads: 1, stores: 1 }, 'constants are folded'],
    ['x[i] = y[i] / a;', { fm: 1, loads: 1, stores: 1 }, 'a division counts as a multiplication (4.1)'],
    ['x[i] = -y[i];', { fmisc: 1, loads: 1, stores: 1 }, 'a negation is an operation'],
    ['x[i] = a - (-y[i]) * z[i];', { fma: 1, loads: 2, stores: 1 }, 'but not beside an addition'],
    ['x[i] = sqrt(fabs(y[i]));', { fmisc: 2, loads: 1, stores: 1 }, 'functions with an instruction'],
    ['x[i] = fma(y[i], a, b);', { fma: 1, loads: 1, stores: 1 }, 'a pair that the text asks for'],
    ['x[i] = y[i] > a ? y[i] : a;', { fmisc: 1, loads: 1, stores: 1 }, 'a comparison'],
    ['s[i] = y[i];', { fmisc: 1, loads: 1, stores: 1 }, 'a conversion to single precision'],
    ['x[i] = i * a;', { fm: 1, fmisc: 1, stores: 1 }, 'and from int'],
    ['x[i] = i * 4 + m;', { fmisc: 1, stores: 1 }, 'integers do not count beside floating point'],
    ['x[2 * i + m * 3] = y[i + m];', { loads: 1, stores: 1 }, 'nor does what a subscript is made of'],
    [
      'x[i] = pow(y[i], 2.0) + pow(y[i], 3.0);',
      { fm: 1, fma: 1, loads: 1, stores: 1 },
      'small powers are products',
    ],
    ['x[i] = y[i] * 1.0;', { loads: 1, stores: 1 }, 'a product with one is none'],
    ['double t = y[i] * a; (void)t;', {}, 'what nobody uses is not needed'],
  ])('%s', async (body, expected) => {
    expect(essentialCounts(await only(inLoop(body)))).toEqual({
      ...NONE,
      ...(Object.keys(expected).length === 0 ? { integer: 0 } : {}),
      ...expected,
    });
  });

  test('of integers count where there is no floating point', async () => {
    const loop = await only(inLoop('k[i] = (k[i] << 2) ^ (k[i + m] & 15);'));
    expect(essentialCounts(loop)).toEqual({ ...NONE, loads: 2, stores: 1, integer: 3 });
  });
});

describe('loads and stores', () => {
  test.each<[body: string, loads: number, stores: number, why: string]>([
    ['x[i] = y[i] + y[i + 1];', 1, 1, 'y[i] was y[i+1]'],
    ['x[i] = y[i - 2] + y[i] + y[i + 2];', 1, 1, 'three windows on one stream'],
    ['x[i] = y[2 * i] + y[2 * i + 1];', 2, 1, 'odd and even elements are two streams'],
    ['x[i] = y[2 * i] + y[2 * i + 2];', 1, 1, 'of which each meets its own again'],
    ['x[i] = y[m]; z[i] = y[m];', 0, 2, 'an element that stays is in a register'],
    ['x[i] = a; x[i] = x[i] + y[i];', 1, 1, 'stored twice is stored once, and read from a register'],
    ['x[i] = y[i]; x[i + 1] = a;', 1, 1, 'x[i+1] is overwritten by x[i] of the next iteration'],
    ['x[m] += y[i] * z[i];', 2, 0, 'a sum into one element'],
    ['x[k[i]] += a;', 1, 1, 'an indirect element'],
    ['c[i][m] = c[i - 1][m] + c[i + 1][m];', 1, 1, 'rows'],
    ['c[m][i] = c[m + 1][i] + c[m - 1][i];', 2, 1, 'other rows are other elements'],
    ['x[i * m] = y[i * m] + y[(i + 1) * m];', 1, 1, 'a stride that is a variable'],
    ['x[i * i] = y[i * i];', 1, 1, 'an uneven one'],
    ['*(x + i) = *(y + i + 1) - *(y + i);', 1, 1, 'pointers for subscripts'],
    ['*x++ = y[i];', 1, 1, 'pointers that walk'],
    ['if (y[i] > 0) x[i] = y[i]; else x[i] = 0;', 1, 1, 'both ways store the same element'],
    ['if (m) x[i] = y[i]; else x[i] = y[i] + 1;', 1, 1, 'or load it'],
    ['if (m) x[i] = y[i]; else z[i] = y[i + m];', 2, 2, 'but not different ones'],
    ['if (y[i] > 0) x[i] = z[i + 1]; z[i] = a;', 2, 2, 'what may not have happened loads nothing'],
  ])('%s', async (body, loads, stores) => {
    expect(essentialCounts(await only(inLoop(body)))).toMatchObject({ loads, stores });
  });

  test('of an index are not of floating point', async () => {
    const loop = await only(inLoop('y[i] += x[k[i]];'));
    expect(essentialCounts(loop)).toEqual({ ...NONE, fa: 1, loads: 2, stores: 1, integerLoads: 1 });
  });

  test('of structures are by member', async () => {
    const text = `struct p { double x, y; int n; };
      void f(int n, struct p *p) { for (int i = 0; i < n; i++) p[i].x += p[i].y; }`;
    const loop = await only(text);
    expect(essentialCounts(loop)).toEqual({ ...NONE, fa: 1, loads: 2, stores: 1 });
    expect(
      loop.transfers.map(({ kind, stride, offset }) => `${kind} ${stride} ${offset}`).toSorted(),
    ).toEqual(['load 24 0', 'load 24 8', 'store 24 0']);
  });
});

describe('recurrences', () => {
  test.each<
    [body: string, operations: readonly string[] | undefined, distance: number, reassociable: boolean]
  >([
    ['x[i] = x[i - 1] + y[i];', ['add'], 1, false],
    ['x[i] = x[i - 4] * a + b;', ['fma'], 4, false],
    ['a = a * y[i] + b;', ['fma'], 1, false],
    ['a = a / y[i];', ['div'], 1, false],
    ['a += y[i]; a -= z[i];', ['sub', 'add'], 1, true],
    ['a *= y[i];', ['mul'], 1, true],
    ['a += y[i]; x[i] = a;', ['add'], 1, false],
    ['x[i] = x[i + 1] + y[i];', undefined, 0, false],
    ['double t = a; a = b; b = t + y[i];', ['add'], 2, true],
    ['x[m] += y[i];', ['add'], 1, true],
    ['m = k[m];', ['load'], 1, false],
    ['if (y[i] > a) a = y[i];', undefined, 0, false],
  ])('of %s', async (body, operations, distance, reassociable) => {
    const found = longestRecurrence(await only(inLoop(body)));
    if (operations === undefined) return expect(found).toBeUndefined();
    expect(found).toMatchObject({ distance, reassociable });
    expect(found!.operations.toSorted()).toEqual(operations.toSorted());
  });
});

describe('loops', () => {
  test('are named with their lines, depth, counter and number of iterations', async () => {
    const text = `void g(double *x) {
      for (int i = 0; i < 10; i += 3)
        for (int j = 9; j >= 0; j--) {
          x[j] += i;
        }
      while (*x++ > 0) {}
      do x[0] -= 1; while (x[0] > 0);
    }`;
    const { loops } = await sourceLoops(text, 'c', readGrammar);
    expect(
      loops.map(({ line, endLine, depth, innermost, induction, trips }) => [
        line,
        endLine,
        depth,
        innermost,
        induction,
        trips,
      ]),
    ).toEqual([
      [2, 5, 1, false, { variable: 'i', step: 3 }, 4],
      [3, 5, 2, true, { variable: 'j', step: -1 }, 10],
      [6, 6, 1, true, { variable: 'x', step: 1 }, undefined],
      [7, 7, 1, true, undefined, undefined],
    ]);
  });

  test('give each area that a branch decides on its own counts', async () => {
    const loop = await only(inLoop('\nif (k[i]) {\n x[i] = a * y[i];\n } else {\n x[i] = y[i] + a; }\n'));
    const areas = loop.areas.map(({ line, endLine }) => [line, endLine]);
    expect(areas.slice(1)).toEqual([
      [4, 6],
      [6, 7],
    ]);
    expect(essentialCounts(loop, (area) => [1, 0.25, 0.75][area])).toMatchObject({
      fm: 0.25,
      fa: 0.75,
      loads: 1,
      stores: 1,
    });
  });

  test('give what follows a continue an area of its own', async () => {
    const loop = await only(inLoop('\nif (k[i] > 0) continue;\n x[i] = a * y[i];\n z[i] = y[i];\n'));
    expect(loop.areas.slice(1).map(({ line, endLine }) => [line, endLine])).toEqual([
      [4, 4],
      [5, 6],
    ]);
    expect(essentialCounts(loop, (area) => [1, 0.75, 0.25][area])).toMatchObject({
      fm: 0.25,
      loads: 0.25,
      stores: 0.5,
    });
  });

  test('of an outer one count what is in none inside it', async () => {
    const text = `void f(int n, double *x, double *y, double a[64][64]) {
      for (int i = 0; i < n; i++) {
        double s = y[i] * 2.0;
        for (int j = 0; j < n; j++) s += a[i][j] * x[j];
        y[i] = s;
      }
    }`;
    const { loops } = await sourceLoops(text, 'c', readGrammar);
    expect(loops.map((loop) => essentialCounts(loop))).toEqual([
      { ...NONE, fm: 1, loads: 1, stores: 1 },
      { ...NONE, fma: 1, loads: 2 },
    ]);
  });
});

describe('what is not understood is said', () => {
  test.each([
    ['x[i] = g(y[i]);', 'line 3 calls g, whose work is not known'],
    ['x[i] = y[i] + q[i];', 'q[] is not understood'],
    ['asm("nop"); x[i] = 1;', 'is not followed'],
    ['x[i] = T(y[i]) + w * w; k[0] = w * w;', 'the type of w is not known'],
    ['x[i] = y[i] + @;', 'could not be parsed'],
  ])('%s', async (body, reason) => {
    expect((await only(inLoop(body))).reasons.join('; ')).toContain(reason);
  });

  test('and what is understood is counted all the same', async () => {
    const loop = await only(inLoop('x[i] = g(y[i]) + a * z[i];'));
    expect(essentialCounts(loop)).toMatchObject({ loads: 2, stores: 1 });
  });
});

describe('functions of the file', () => {
  test('that are small are counted where they are called', async () => {
    const loop = await only(
      inLoop(
        'x[i] = sq(y[i]) + lerp(a, y[i]);',
        'static double sq(double v) { return v * v; } static double lerp(double p, double q) { if (p > q) return p; return p + 2.5 * q; }',
      ),
    );
    expect(loop.reasons).toEqual([]);
    expect(essentialCounts(loop)).toEqual({ ...NONE, fma: 2, fmisc: 1, loads: 1, stores: 1 });
  });

  test('that call themselves are not', async () => {
    const loop = await only(inLoop('x[i] = r(y[i]);', 'double r(double v) { return v > 1 ? r(v / 2) : v; }'));
    expect(loop.reasons.join()).toContain('calls r');
  });
});

describe('C++', () => {
  test.each<[text: string, expected: Counts]>([
    [
      '#include <vector>\ndouble f(const std::vector<double> &v) { double s = 0; for (double e : v) s += e * e; return s; }',
      { fma: 1, loads: 1 },
    ],
    [
      '#include <vector>\nvoid f(std::vector<float> &v) { for (auto &e : v) e = e * 2.0f + 1.0f; }',
      { fma: 1, loads: 1, stores: 1 },
    ],
    [
      'namespace k { template <class T> void f(T *x, int n) { for (int i = 0; i < n; ++i) x[i] = std::sqrt(x[i]); } }',
      { fmisc: 1, loads: 1, stores: 1 },
    ],
    [
      'class G { double *u; int n; void f() { for (int i = 1; i < n; ++i) u[i] = u[i] + u[i + 1]; } };',
      { fa: 1, loads: 1, stores: 1 },
    ],
    [
      'void f(int n, float *x, const double *y) { for (int i = 0; i < n; i++) x[i] = static_cast<float>(y[i]); }',
      { fmisc: 1, loads: 1, stores: 1 },
    ],
    [
      'void g(int n, double *x) { auto h = [&](int m) { for (int i = 0; i < m; i++) x[i] += 1.0; }; h(n); }',
      { fa: 1, loads: 1, stores: 1 },
    ],
  ])('%s', async (text, expected) => {
    expect(essentialCounts(await only(text, 'c++'))).toEqual({ ...NONE, ...expected });
  });
});

describe('Fortran', () => {
  const free = (body: string): string =>
    `subroutine f(n, x, y, a, k)\n integer, parameter :: dp = kind(1.0d0)\n integer :: n, i, j, k(n)\n real(dp) :: x(n), y(n), a(n, n), s\n ${body}\nend subroutine\n`;
  test.each<[text: string, expected: Counts]>([
    ['do i = 1, n\n x(i) = x(i) + 2.0_dp * y(i)\n end do', { fma: 1, loads: 2, stores: 1 }],
    ['do concurrent (i = 1:n, j = 1:n)\n a(i,j) = a(i,j) * 2\n end do', { fm: 1, loads: 1, stores: 1 }],
    [
      'do i = 2, n; do j = 1, n; a(j,i) = a(j,i-1) & ! what came before\n + a(j,i); enddo; enddo',
      { fa: 1, loads: 2, stores: 1 },
    ],
    [
      'do 10 i = 1, n\n if (k(i) > 0) cycle\n x(i) = max(y(i), 0d0)\n 10 continue',
      { fmisc: 1, loads: 1, stores: 1, integerLoads: 1 },
    ],
    ['do while (s > 1)\n s = s * 0.5d0\n end do', { fm: 1, fmisc: 1 }],
    ['forall (i = 1:n) x(i) = y(i)**3', { fm: 2, loads: 1, stores: 1 }],
  ])('%s', async (body, expected) => {
    const { loops } = await sourceLoops(free(body), 'fortran-free', readGrammar);
    const loop = loops.find(({ innermost }) => innermost)!;
    expect(loop.reasons).toEqual([]);
    expect(essentialCounts(loop)).toEqual({ ...NONE, ...expected });
  });

  test('counts complex numbers by their parts', async () => {
    const text =
      'subroutine f(n, x, y)\ncomplex*16 x(n), y(n)\ndo i = 1, n\nx(i) = x(i) * y(i) + 1.5d0\nend do\nend\n';
    const { loops } = await sourceLoops(text, 'fortran-free', readGrammar);
    // (a c - b d) + 1.5, a d + b c: 4 products, 3 additions, of which the first two take one product each.
    expect(essentialCounts(loops[0])).toEqual({ ...NONE, fa: 1, fm: 2, fma: 2, loads: 4, stores: 2 });
  });

  test('says which functions of whole arrays it does not follow', async () => {
    const { loops } = await sourceLoops(
      free('do i = 1, n\n a = cshift(a, 1)\n end do'),
      'fortran-free',
      readGrammar,
    );
    expect(loops[1].reasons).toEqual(['cshift in line 6 is not followed']);
  });
});
