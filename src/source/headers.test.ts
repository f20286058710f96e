import { describe, expect, test } from 'vitest';
import { essentialCounts } from '../analysis/macs/essential.ts';
import { readGrammar } from '../host/grammars.ts';
import { headersOf } from '../pipeline/headers.ts';
import { sourceLoops } from './analyse.ts';
import type { Language } from './syntax.ts';

/** Loops of `src/main`, with what `files` says beside it, as words. */
async function countsOf(
  source: string,
  files: Readonly<Record<string, string>>,
  language: Language = 'c',
  defines: readonly string[] = [],
): Promise<readonly string[]> {
  const readHeader = headersOf('src/main', '', (path) => files[path]);
  const { loops, problems } = await sourceLoops(source, language, readGrammar, { readHeader, defines });
  return [
    ...loops.map((loop) => {
      const { fa, fm, fma, loads, stores } = essentialCounts(loop);
      return [`${loop.function}:${loop.line} ${fa} ${fm} ${fma} ${loads} ${stores}`, ...loop.reasons].join(
        '; ',
      );
    }),
    ...problems.map(({ why }) => why),
  ];
}

const STENCIL = `#include "grid.h"
void f(void) {
  FOR(i, N - 1) v[1][i + 1] = w * (u[0][i] + u[0][i + 1]) + sq(u[1][i]);
}
`;
const GRID = `#ifndef GRID_H
#define GRID_H
#define N 64
#define FOR(i, n) for (int i = 0; i < (n); i++)
extern double u[N][N], v[N][N];
static const double w = 0.5;
static inline double sq(double x) { return x * x; }
static inline double sum(const double *p) { double s = 0; for (int i = 0; i < N; i++) s += p[i]; return s; }
#endif
`;

describe('headers of C', () => {
  test('macros, arrays and small functions come from them; loops of theirs are not the source’s', async () =>
    expect(await countsOf(STENCIL, { 'src/grid.h': GRID })).toEqual(['f:3 1 1 1 2 1']));

  test.each(['src/grid.h', 'grid.h', 'include/grid.h', 'inc/grid.h', 'src/include/grid.h'])(
    'they are found as %s',
    async (path) => expect(await countsOf(STENCIL, { [path]: GRID })).toEqual(['f:3 1 1 1 2 1']),
  );

  test('in angle brackets they are not looked for beside the file that names them, and never in the system', async () => {
    const asked: string[] = [];
    const readHeader = headersOf('/usr/src/main', '/usr', (path) => {
      asked.push(path);
      return undefined;
    });
    expect(readHeader({ name: 'stdio.h', isQuoted: false, from: undefined })).toBeUndefined();
    expect(readHeader({ name: '/etc/passwd', isQuoted: true, from: undefined })).toBeUndefined();
    expect(asked.filter((each) => each.startsWith('/usr/include') || each === '/etc/passwd')).toEqual([]);
  });

  test('one beside the header that names it comes first', async () =>
    expect(
      await countsOf(STENCIL, {
        'src/grid.h': '#include "../lib/a.h"\n',
        'lib/a.h': '#include "b.h"\n',
        'lib/b.h': GRID,
        'src/b.h': '#error',
      }),
    ).toEqual(['f:3 1 1 1 2 1']));

  test('braces that one header opens and another closes do not take the source along', async () =>
    expect(
      await countsOf(`#include "begin.h"\n${STENCIL}#include "end.h"\n`, {
        'src/grid.h': GRID,
        'src/begin.h': 'namespace a {\n',
        'src/end.h': '}\n',
      }),
    ).toEqual(['f:4 1 1 1 2 1']));

  test('what cannot be parsed of a header is named, and the rest of it holds', async () =>
    expect(
      await countsOf(STENCIL, { 'src/grid.h': `${GRID}\n%%% struct 3 + ;\nextern int later;\n` }),
    ).toEqual(['f:3 1 1 1 2 1', 'a part of what line 1 includes could not be parsed']));

  test('macros that the compiler is given', async () =>
    expect(
      await countsOf(
        'double a[N];\nvoid f(void) { for (int i = 0; i < N; i++) a[i] += S * a[i]; }',
        {},
        'c',
        ['N 5', 'S 2.0'],
      ),
    ).toEqual(['f:2 0 0 1 1 1']));
});

describe('no header stops it', () => {
  const PLAIN = '#include "grid.h"\nvoid f(double *a) { for (int i = 0; i < 9; i++) a[i] *= 3; }\n';

  test('that includes itself, without end or many times', async () => {
    const twice = '#include "grid.h"\n#include "grid.h"\nint x;\n';
    expect(await countsOf(PLAIN, { 'src/grid.h': twice })).toEqual(['f:2 0 1 0 1 1']);
  });

  test('that is too large', async () => {
    const large = `${'/* */\n'.repeat(400_000)}#define a b[9]\n`;
    expect(await countsOf(PLAIN, { 'src/grid.h': large })).toEqual(['f:2 0 1 0 1 1']);
  });
});

describe('other files of Fortran', () => {
  const LOOP = `  do i = 1, nx
    h(i, 1) = c(i)%u * g + h(i, 1)
  end do
end subroutine
`;
  const CONSTS = `module consts
  use kinds, only: dp
  integer, parameter :: nx = 64
  real(dp), parameter :: g = 9.81_dp
  type :: cell
    real(dp) :: u, v
  end type
  real(dp) :: h(nx, nx)
end module consts
`;
  const KINDS = 'module kinds\n  integer, parameter :: dp = selected_real_kind(15)\nend module\n';
  const files = { 'src/consts.f90': CONSTS, 'lib/kinds_mod.f90': '', 'src/kinds.F90': KINDS };

  test('modules are read where files have their names', async () =>
    expect(
      await countsOf(
        `subroutine s(c)\n  use consts\n  implicit none\n  type(cell) :: c(nx)\n  integer :: i\n${LOOP}`,
        files,
        'fortran-free',
      ),
    ).toEqual(['s:6 0 0 1 2 1']));

  test('names may be new where a module is used, and only some of them come along', async () => {
    const renamed = `subroutine s(c)\n  use consts, only: nx, h => h, cell, g\n  type(cell) :: c(nx)\n  integer :: i\n${LOOP}`;
    expect(await countsOf(renamed, files, 'fortran-free')).toEqual(['s:5 0 0 1 2 1']);
    const fewer = renamed.replace(', cell, g', ', cell, k => g');
    expect(await countsOf(fewer.replace('* g', '* k'), files, 'fortran-free')).toEqual(['s:5 0 0 1 2 1']);
  });

  test('modules of the same file', async () =>
    expect(
      await countsOf(
        `${KINDS}${CONSTS}subroutine s(c)\n  use consts\n  type(cell) :: c(nx)\n  integer :: i\n${LOOP}`,
        {},
        'fortran-free',
      ),
    ).toEqual(['s:17 0 0 1 2 1']));

  test('include lines and those of a preprocessor, in fixed form', async () =>
    expect(
      await countsOf(
        `      subroutine s\n      include 'common.inc'\n#include "size.h"\n      do i = 2, nmax\n      a(i) = a(i-1) * SCALE + b(i)\n      end do\n      end\n`,
        {
          'src/common.inc':
            '      integer nmax\n      parameter (nmax=9)\n      double precision a(nmax), b(nmax)\n      common /blk/ a, b\n',
          'include/size.h': '#define SCALE 3d0\n',
        },
        'fortran-fixed',
      ),
    ).toEqual(['s:4 0 0 1 1 1']));

  test('modules that use each other', async () =>
    expect(
      await countsOf(
        'subroutine s\n  use a\n  do i = 1, 9\n  x(i) = 0\n  end do\nend subroutine\n',
        {
          'src/a.f90': 'module a\nuse b\nreal :: x(9)\nend module\n',
          'src/b.f90': 'module b\nuse a\nend module\n',
        },
        'fortran-free',
      ),
    ).toEqual(['s:3 0 0 0 0 1']));
});
