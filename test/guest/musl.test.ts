import { PROGRAMS } from './builds.ts';
import { describeCounts } from './counts.ts';

/** Every program at one level at least; FULL=1 takes each at all of them. */
const LEVELS = ['-O0', '-O2', '-O3'] as const;

for (const [at, level] of LEVELS.entries())
  describeCounts(
    { compiler: 'musl-gcc', linking: 'static', level },
    PROGRAMS.filter((_, i) => process.env.FULL === '1' || i % LEVELS.length === at),
  );
