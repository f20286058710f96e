import { describeCounts } from './counts.ts';

for (const compiler of ['gcc', 'clang'] as const)
  for (const level of ['-O0', '-O2', '-O3'] as const)
    describeCounts({ compiler, linking: 'bare', level }, ['bare']);
