import { PROGRAMS } from './builds.ts';
import { describeCounts } from './counts.ts';

/** Those programs that glibc.test.ts leaves out, at one level each; FULL=1 takes every program at all of them. */
const LEVELS = ['-O0', '-O2', '-O3'] as const;

for (const [at, level] of LEVELS.entries())
  describeCounts(
    { compiler: 'musl-gcc', linking: 'static', level },
    PROGRAMS.filter((name, i) => {
      if (process.env.FULL === '1') return true;
      return name === 'formats' ? level === '-O2' : i % 2 === 1 && (i >> 1) % LEVELS.length === at;
    }),
  );
