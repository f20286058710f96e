import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readGrammar } from '../host/grammars.ts';
import { languageOf, sourceLoops } from './analyse.ts';
import type { Language } from './syntax.ts';

const LANGUAGES: readonly Language[] = ['c', 'c++', 'fortran-free', 'fortran-fixed'];

describe('the language of a file follows from its name', () => {
  test.each([
    ['a.c', 'c'],
    ['a.h', 'c'],
    ['dir.f/a.C', 'c++'],
    ['a.cc', 'c++'],
    ['a.hpp', 'c++'],
    ['a.CPP', 'c++'],
    ['a.f', 'fortran-fixed'],
    ['a.F', 'fortran-fixed'],
    ['a.for', 'fortran-fixed'],
    ['a.f77', 'fortran-fixed'],
    ['a.f90', 'fortran-free'],
    ['a.F08', 'fortran-free'],
    ['a.o', undefined],
    ['c', undefined],
    ['a.c.csv', undefined],
  ])('%s: %s', (file, language) => expect(languageOf(file)).toBe(language));
});

/** Every loop has its lines and finite numbers, whatever the text was. */
async function survives(text: string, language: Language): Promise<void> {
  const { loops } = await sourceLoops(text, language, readGrammar);
  for (const loop of loops) {
    expect(loop.line).toBeGreaterThan(0);
    expect(loop.endLine).toBeGreaterThanOrEqual(loop.line);
    expect(loop.areas.length).toBeGreaterThan(0);
    for (const { area } of [...loop.steps, ...loop.transfers]) expect(loop.areas[area]).toBeDefined();
  }
}

describe('no text stops it', () => {
  test('of any characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.constantFrom(...LANGUAGES),
        survives,
      ),
      { numRuns: 200 },
    );
  }, 60_000);

  const WORDS: Readonly<Record<Language, readonly string[]>> = {
    c: 'for while do if else ( ) { } [ ] ; , + - * / % = += ++ -- < > == && ? : & | << x y i n a[i] x[i+1] 1 2.0 3.5f int double struct . -> return break continue switch case default goto L: sizeof #define #if #endif # typedef const "s" sin(x) f(x) for(i=0;i<n;i++) F(x)'.split(
      ' ',
    ),
    'c++':
      'for ( ) { } [ ] ; , = x y auto T> template< typename :: std::vector<double> class [&] namespace for(auto&v:x) v++ operator+ static_cast<int>(x) new delete try catch this-> public: ~'.split(
        ' ',
      ),
    'fortran-free':
      'do i=1,n|end do|enddo|if (x>1) then|if (y) x=2|else|end if|x(i)|=|+|**|y(i-1)|1.0d0|(|)|real :: x(10)|integer n|subroutine f(x)|end|call g(x)|do while(x<1)|do concurrent (i=1:n)|10 continue|do 10 i=1,n|goto 10|,|&|%|type t|end type|implicit none|parameter (n=3)|common /a/ x|select case (i)|case (1)|end select|function g(x)|module m|contains|forall(i=1:n) x(i)=1|where (x>1)|:|exit|cycle|interface|#if|#endif'.split(
        '|',
      ),
    'fortran-fixed': [],
  };

  test.each(LANGUAGES)(
    'of the words of %s in any order',
    async (language) => {
      const words =
        WORDS[language].length > 0 ? WORDS[language] : WORDS['fortran-free'].map((word) => `      ${word}`);
      const text = fc
        .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', '\n')), { maxLength: 80 })
        .map((parts) => parts.flat().join(''));
      const within = text.map(
        (each) => `void f(int n, double *x, double *y) { for (int i = 0; i < n; i++) { ${each}`,
      );
      const whole = language.startsWith('fortran') ? text : fc.oneof(text, within);
      await fc.assert(
        fc.asyncProperty(whole, (each) => survives(each, language)),
        { numRuns: 150 },
      );
    },
    60_000,
  );

  test.each([
    'if (x) end\nx = 1\nend',
    'forall (i=1:n) end\nend do\nend',
    'if (x) do i = 1, n\nx = 1\nend do\nend',
    'do i = 1, n; end; end do; end if; else; case (1)',
    'end do\n10 continue\nend if\nelse',
  ])('of Fortran whose constructs do not match: %j', (text) => survives(text, 'fortran-free'));

  const MANY = 100_000;
  const inLoop = (text: string): string =>
    `void f(int n, double *x, double a) { for (int i = 0; i < n; i++) x[i] = ${text}; }`;
  const inDo = (text: string): string =>
    `subroutine f(x, n)\nreal x(n)\ndo i = 1, n\nx(i) = ${text}\nend do\nend\n`;
  test.each<[what: string, text: string, language: Language]>([
    ['parentheses in C', inLoop(`${'('.repeat(MANY)}a${')'.repeat(MANY)}`), 'c'],
    ['parentheses that never close', inLoop('('.repeat(MANY)), 'c++'],
    ['parentheses in Fortran', inDo(`${'('.repeat(MANY)}a${')'.repeat(MANY)}`), 'fortran-free'],
    ['additions', inLoop(`${'a+'.repeat(MANY)}a`), 'c'],
    ['additions in Fortran', inDo(`${'a+'.repeat(MANY)}a`), 'fortran-free'],
    ['signs', inLoop(`${'- '.repeat(MANY)}a`), 'c'],
    ['powers', inDo(`${'2**'.repeat(MANY)}1`), 'fortran-free'],
    ['blocks', `void f() { ${'{'.repeat(MANY)}${'}'.repeat(MANY)} }`, 'c'],
    ['loops', `void f(int n) { ${'for (int i = 0; i < n; i++)'.repeat(10_000)}; }`, 'c'],
    ['loops in Fortran', `subroutine f\n${'do i = 1, n\n'.repeat(10_000)}`, 'fortran-free'],
    ['macros that name themselves', '#define A B B\n#define B A A\n'.concat('A '.repeat(1000)), 'c'],
    [
      'macros that double',
      Array.from({ length: 60 }, (_, i) => `#define X${i} X${i + 1} X${i + 1}`)
        .join('\n')
        .concat('\nX0'),
      'c',
    ],
    ['macro calls that never close', '#define F(x) x\n'.concat('F('.repeat(20_000)), 'c'],
    ['conditions', '#if 1\n'.repeat(MANY), 'c'],
    ['continued lines', 'x = 1 + &\n'.repeat(20_000), 'fortran-free'],
    [
      'statements',
      `void f(int n, double *x) { for (int i = 0; i < n; i++) { ${Array.from({ length: 5000 }, (_, i) => `x[i + ${i}] += 1.5;`).join('\n')} } }`,
      'c',
    ],
  ])('of a hundred thousand %s', (_, text, language) => survives(text, language), 60_000);

  test('names the loops of a function that is too large to follow', async () => {
    const text = `void f(int n, double *x) { for (int i = 0; i < n; i++)\n { ${'x[i] += x[i] * 2.0;\n'.repeat(60_000)} } }`;
    const { loops } = await sourceLoops(text, 'c', readGrammar);
    expect(loops.map(({ line, reasons }) => [line, reasons])).toEqual([
      [1, ['the function is too large to be followed']],
    ]);
  }, 60_000);
});

describe('the preprocessor', () => {
  const linesOf = async (text: string): Promise<readonly number[]> =>
    (await sourceLoops(text, 'c', readGrammar)).loops.map(({ line }) => line);

  test('leaves every line where it is', async () => {
    const text = `/* a
 comment */ #define EACH(i, \\
  n) for (int i = 0; \\
   i < n; i++)
#if defined(MISSING) || 0
void g(int n) { for (;;) n++; }
#else
#define EACH(i, n) for (int i = 0; i < n; i++)
#endif
void f(int n, double *x) {
  EACH(j,
       n)
    x[j] = 1;
  EACH(j, n) { x[j] = 2; } // EACH(j, n)
}
`;
    expect(await linesOf(text)).toEqual([11, 14]);
  });

  test('joins and names arguments', async () => {
    const text =
      '#define ARRAY(n) arr_##n\n#define LOOP(v, ...) for (v; __VA_ARGS__)\ndouble arr_1[10];\nvoid f(void) {\n LOOP(int i = 0, i < 10; i++) ARRAY(1)[i] = 0.5; }';
    const { loops } = await sourceLoops(text, 'c', readGrammar);
    expect(loops.map(({ line, trips, transfers }) => [line, trips, transfers.length])).toEqual([[5, 10, 1]]);
  });
});
