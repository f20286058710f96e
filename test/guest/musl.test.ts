import { PROGRAMS } from './builds.ts';
import { describeCounts } from './counts.ts';

for (const level of ['-O0', '-O2', '-O3'] as const)
  describeCounts({ compiler: 'musl-gcc', linking: 'static', level }, PROGRAMS);
