import { afterAll, describe, expect, it } from 'vitest';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { COMBINATIONS } from './combinations.ts';
import { compare, LIMITS } from './compare.ts';
import { IN_LINE } from './in-line.ts';
import { statisticsOf } from './look.ts';
import { Random } from './random.ts';

const LEVELS = 6;

/**
 * Functions that call each other in a row, the last of them small enough to be in line. Each stores single bytes, pairs and words to the same
 * places, late and early ones, and loads them; so do the calls before and after them. Where calls of one depth are measured, those above them
 * have stored before, and store afterwards.
 */
function program(random: Random): string {
  const place = () => `[rdi + ${random.below(60)}]`;
  const store = () =>
    random.pick([
      `mov ${place()}, r8b`,
      `mov ${place()}, cl`,
      `mov ${place()}, r8w`,
      `mov ${place()}, r9d`,
      `mov ${place()}, rcx`,
      `inc byte ptr ${place()}`,
    ]);
  const late = () => 'imul r8, r8, 3\n'.repeat(random.below(6));
  const load = () =>
    `${random.pick([`movzx edx, byte ptr ${place()}`, `mov edx, ${place()}`, `mov rdx, ${place()}`])}\nadd r9, rdx\nimul r9, r9, 5`;
  const some = (count: number) =>
    Array.from({ length: count }, (_, i) => (i % 3 === 2 ? load() : `${late()}${store()}`)).join('\n');
  const level = (depth: number) => {
    if (depth === LEVELS - 1) {
      const told = place();
      return `mov r8d, 3\n${'imul r8, r8, 3\n'.repeat(4)}mov byte ptr ${told}, r8b\nmovzx r9d, byte ptr ${told}\n${some(3)}\nimul r9, r9, 3\nret`;
    }
    const rounds = `mov ecx, 3\n1:\n${some(6)}\nsub ecx, 1\njnz 1b`;
    return `mov r9d, 3\n${rounds}\n${`call level${depth + 1}\n`.repeat(1 + random.below(2))}${rounds}\nret`;
  };
  return `${START}
.bss
.balign 64
bytes: .skip 64
.text
${Array.from({ length: LEVELS }, (_, depth) => assemblyFunction(`level${depth}`, level(depth))).join('\n')}
${assemblyFunction('main', 'lea rdi, bytes[rip]\nmov ebp, 9\n2:\ncall level0\nsub ebp, 1\njnz 2b\nxor eax, eax\nret')}`;
}

/** Steps of one context or two, in code that asks in line. */
const FEW_LANES = IN_LINE.slice(-3);

/** Stores bytes one by one to some pages, then calls what calls something. */
const ABOVE = `${START}
.bss
.balign 4096
pages: .skip ${16 * 4096}
.text
${assemblyFunction('leaf', 'mov byte ptr [rdi + 1], 3\nmovzx eax, byte ptr [rdi + 2]\nret')}
${assemblyFunction('call', 'call leaf\ncall leaf\nret')}
${assemblyFunction('main', `lea rdi, pages[rip]\nmov ecx, ${16 * 4096 - 4}\n1:\nmov [rdi + rcx], cl\nsub ecx, 1\njnz 1b\ncall call\nxor eax, eax\nret`)}`;

describe.skipIf(isMissing('gcc'))('passes over calls that are not open', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (const seed of [1, 2, 3, 4])
    it(`measure what follows from bytes as if they had been told apart, program ${seed}`, () => {
      const some = [...LIMITS, ...COMBINATIONS].filter((_, i) => i % 9 === seed);
      const question = { depth: LEVELS + 1, functions: ['level2'], chains: [] };
      compare(workshop.assemble(program(new Random(seed))), question, [
        ...FEW_LANES,
        ...FEW_LANES.map((limits) => ({ ...limits, hotEntries: 0x7fff_ffff })),
        ...FEW_LANES.map((limits) => ({ ...limits, without: ['short ways'] as const })),
        ...some,
      ]);
    });

  it('keep no steps of bytes that are stored above them', () => {
    const program = workshop.assemble(ABOVE);
    const bytePages = (without: readonly 'idle lanes'[]) =>
      statisticsOf(program, { bytePages: 2, stepMemory: 0, without }).passes.map(({ what, memory }) => [
        what.slice(0, 'calls of depth 0 to 3'.length),
        memory.bytes,
      ]);
    const outgrown = [
      ['calls of depth 0 to 3', 3],
      ['calls of depth 0 to 1', 5],
      ['calls of depth 0 to 0', 16],
      ['calls of depth 1 to 1', 16],
    ];
    expect(bytePages([])).toEqual([...outgrown, ['calls of depth 2 to 2', 1], ['calls of depth 3 to 3', 1]]);
    expect(bytePages(['idle lanes']).at(-1)).toEqual(['calls of depth 3 to 3', 16]);
  });
});
