import { PROGRAMS } from './builds.ts';
import { describeCounts } from './counts.ts';

const ALL = process.env.FULL === '1';
/** Where compilers, linking and the library differ most; FULL=1 takes every program. */
const some = (...names: readonly string[]): readonly string[] => (ALL ? PROGRAMS : names);
/** Millions of single steps: musl.test.ts has one, test/measure/scale.test.ts the other. */
const ELSEWHERE: ReadonlySet<string> = new Set(['formats', 'deep_recursion']);

// musl.test.ts has the others.
describeCounts(
  { compiler: 'gcc', linking: 'static', level: '-O2' },
  PROGRAMS.filter((name, i) => ALL || (i % 2 === 0 && !ELSEWHERE.has(name))),
);
describeCounts(
  { compiler: 'gcc', linking: 'dynamic', level: '-O2' },
  // What the dynamic linker chooses and what it starts with; the static ones have the others.
  some('environment', 'jumps', 'long_double'),
);
describeCounts(
  { compiler: 'gcc', linking: 'static-pie', level: '-O0' },
  some('bits', 'function_pointers', 'int128', 'switches'),
);
describeCounts(
  { compiler: 'clang', linking: 'static', level: '-O2' },
  some('bitfields', 'dispatch', 'float', 'structures', 'vectors'),
);

if (ALL) {
  for (const level of ['-O0', '-O3'] as const) {
    describeCounts({ compiler: 'gcc', linking: 'static', level }, PROGRAMS);
    describeCounts({ compiler: 'clang', linking: 'static', level }, PROGRAMS);
  }
  describeCounts({ compiler: 'musl-gcc', linking: 'static', level: '-O1' }, PROGRAMS);
  describeCounts({ compiler: 'clang', linking: 'dynamic', level: '-O3' }, PROGRAMS);
}
