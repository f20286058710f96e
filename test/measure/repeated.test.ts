import { afterAll, describe, it } from 'vitest';
import { isMissing, Workshop } from './build.ts';
import { compare, fewerPauses, LIMITS } from './compare.ts';
import { Random } from './random.ts';

/** Code that leaves values and steps of many kinds in a buffer, then copies and clears parts of it, and uses them. */
function repeated(random: Random): string {
  const lines: string[] = [];
  const at = () => random.below(9000);
  for (let i = 0; i < 60; i++) {
    const suffix = random.pick(['b', 'w', 'd', 'q']);
    const count = random.pick([0, 1, 2, 3, random.below(40), random.below(600)]);
    switch (random.below(5)) {
      case 0:
        lines.push(`lea rdi, [rbx + ${at()}]`, `mov ecx, ${count}`, `rep stos${suffix}`);
        break;
      case 1: {
        const from = at();
        // Overlaps of every kind, in both directions.
        const to = random.chance(2) ? Math.max(0, from + random.below(65) - 32) : at();
        const down = random.chance(4);
        lines.push(`lea rsi, [rbx + ${from + 5000}]`, `lea rdi, [rbx + ${to + 5000}]`);
        lines.push(
          `mov ecx, ${count}`,
          ...(down ? ['std'] : []),
          `rep movs${suffix}`,
          ...(down ? ['cld'] : []),
        );
        break;
      }
      case 2:
        lines.push(`add al, byte ptr [rbx + ${at()}]`, `mov byte ptr [rbx + ${at()}], al`);
        break;
      case 3:
        lines.push(`imul rdx, qword ptr [rbx + ${at()}]`, `mov qword ptr [rbx + ${at()}], rdx`);
        break;
      case 4:
        lines.push('imul rax, rax, 77', `mov word ptr [rbx + ${at()}], ax`);
        break;
    }
  }
  return `
.intel_syntax noprefix
.bss
.balign 64
buffer: .skip 40000
.text
.globl _start
_start:
  mov ebp, 12
  mov rax, 0x123456789abcdef1
  mov rdx, 0x1f
again:
  lea rbx, [rip + buffer]
  ${lines.join('\n  ')}
  dec ebp
  jnz again
  mov ecx, 5000
hash:
  imul rdx, rdx, 31
  add rdx, qword ptr [rbx + 8 * rcx - 8]
  dec ecx
  jnz hash
  mov rdi, rdx
  shr rdi, 56
  mov eax, 231
  syscall
`;
}

describe.skipIf(isMissing('gcc'))('rep movs and rep stos measure the same as in the reference', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (let seed = 1; seed <= 14; seed++) {
    it(`seed ${seed}`, () => {
      const program = workshop.assemble(repeated(new Random(seed)));
      compare(program, { depth: -1, functions: [], chains: ['run'] }, [
        {},
        fewerPauses(LIMITS[seed % LIMITS.length]),
      ]);
    });
  }
});
