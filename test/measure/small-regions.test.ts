import { afterAll, describe, expect, it } from 'vitest';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { statisticsOf } from './look.ts';

/** A loop calls a function that copies 8 bytes from one odd address to another, one byte of which was stored alone. */
const PROGRAM = `${START}
.bss
.balign 64
buffer: .skip 64
.text
${assemblyFunction(
  'copy',
  `lea rdi, buffer[rip]
mov [rdi + 5], cl
mov [rdi + 34], dl
mov rdx, [rdi + 1]
mov [rdi + 33], rdx
ret`,
)}
${assemblyFunction('main', 'mov ecx, 20000\n1: call copy\nsub ecx, 1\njnz 1b\nxor eax, eax\nret')}`;

describe.skipIf(isMissing('gcc'))('regions without a loop, in which no slice ends', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const slowLoads = (limits: Partial<EngineLimits>): number => {
    const { passes } = statisticsOf(workshop.assemble(PROGRAM), {
      hotEntries: 30,
      warmEntries: 2,
      firstSlice: 1000,
      longestSlice: 1000,
      manyUnaligned: 10,
      unalignedSlices: 2,
      without: ['calls in line'],
      ...limits,
    });
    return passes[0].counts['slow loads: bytes differ'] ?? 0;
  };

  it('come to have unaligned accesses in line, where they are few', () => {
    expect(slowLoads({})).toBeLessThan(2_000);
    expect(slowLoads({ fewRegions: 0 })).toBeGreaterThan(15_000);
    expect(slowLoads({ smallRegion: 4 })).toBeGreaterThan(15_000);
  });
});
