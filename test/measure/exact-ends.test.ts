import { afterAll, describe, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { compare, LIMITS } from './compare.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-assembly.ts';

/** A timer that expires in a hundred seconds: until then every slice may have to end at an exact count. */
const WITH_TIMER = START.replace(
  '_start:',
  `.data
timer: .quad 0, 0, 100, 0
.text
_start:
  mov eax, 38
  xor edi, edi
  lea rsi, timer[rip]
  xor edx, edx
  syscall`,
);

/** In 57 a region is made for another top of the x87 stack and entered at once, and is longer than all before it. */
const SEEDS = [57, 3, 14, 30];

describe.skipIf(isMissing('gcc'))('slices that end exactly', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  it.each(SEEDS)('programs with a timer measure the same as in the reference: seed %i', (seed) => {
    const text = randomProgram(new Random(seed), seed % 3 === 0).replace(START, WITH_TIMER);
    const question = { depth: 3, functions: ['f0', 'f1', 'plunge', 'popper'], chains: [] };
    compare(workshop.assemble(text), question, [LIMITS[6], LIMITS[1], LIMITS[8]]);
  });

  it('a log of producers ends exactly on a long way back through many calls, too', () => {
    const path = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction('deep', `sub ecx, 1\njz 1f\ncall deep\n1:\n${'add rax, 1\n'.repeat(20)}ret`),
        assemblyFunction(
          'main',
          'mov ebp, 6\n2:\nmov ecx, 300\ncall deep\nsub ebp, 1\njnz 2b\nxor eax, eax\nret',
        ),
      ].join('\n'),
    );
    compare(path, { depth: 1, functions: [], chains: [RUN_CHAIN, 'main', 'deep'] }, [
      { hotEntries: 1, warmEntries: 0, logEntries: 1024 },
    ]);
  });
});
