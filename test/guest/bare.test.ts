import { describeCounts } from './counts.ts';

/** FULL=1 takes every compiler at every level. */
const LEVELS = { gcc: ['-O2', '-O0', '-O3'], clang: ['-O3', '-O0', '-O2'] } as const;

for (const compiler of ['gcc', 'clang'] as const)
  for (const level of LEVELS[compiler].slice(0, process.env.FULL === '1' ? 3 : 1))
    describeCounts({ compiler, linking: 'bare', level }, ['bare']);
