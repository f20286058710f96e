import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { compare, fewerPauses, LIMITS } from './compare.ts';
import { Random } from './random.ts';

/** Downwards now and then. */
const turned = (random: Random, instruction: string): readonly string[] =>
  random.chance(4) ? ['std', instruction, 'cld'] : [instruction];

/** All that a comparison leaves. */
const FLAGS: readonly string[] = ['pushfq', 'pop r14', 'and r14, 0x8d5', 'add rdx, r14'];

/** Waits for the chain in r8, whatever it holds. */
function late(random: Random, register: string, value: string): readonly string[] {
  if (!random.chance(3)) return [`lea ${register}, [${value}]`];
  return [`mov ${register}, r8`, `and ${register}, 0`, `lea ${register}, [${register} + ${value}]`];
}

/** Code that leaves values and steps of many kinds in a buffer, then copies, clears and searches parts of it, and uses them. */
function repeated(random: Random): string {
  const lines: string[] = [];
  const at = () => random.below(9000);
  const pointer = (register: string, offset: number) =>
    lines.push(...late(random, register, `rbx + ${offset + 5000}`));
  let middle = 0;
  for (let i = 0; i < 80; i++) {
    if (i === 40) middle = lines.length;
    const suffix = random.pick(['b', 'w', 'd', 'q']);
    const count = random.pick([0, 1, 2, 3, random.below(40), random.below(600)]);
    const search = (instruction: string) =>
      lines.push(...turned(random, `${random.pick(['repe', 'repne'])} ${instruction}${suffix}`), ...FLAGS);
    // A direction that is known late.
    if (random.chance(8)) lines.push('mov r14, r8', 'and r14, 0x8d5', 'push r14', 'popfq');
    switch (random.below(8)) {
      case 0:
        pointer('rdi', at());
        if (random.chance(2)) lines.push('lea rax, [r8 + 3]');
        lines.push(...late(random, 'rcx', `${count}`), ...turned(random, `rep stos${suffix}`));
        if (random.chance(2)) lines.push('mov r8, qword ptr [rdi - 8]');
        break;
      case 1: {
        const from = at();
        // Overlaps of every kind, in both directions.
        const to = random.chance(2) ? Math.max(0, from + random.below(65) - 32) : at();
        pointer('rsi', from);
        pointer('rdi', to);
        lines.push(...late(random, 'rcx', `${count}`), ...turned(random, `rep movs${suffix}`));
        if (random.chance(2)) lines.push('mov r8, qword ptr [rdi - 8]');
        break;
      }
      case 2:
        // What is looked for is there, or not; flags as they were where the count is 0.
        lines.push(`movzx eax, byte ptr [rbx + ${at()}]`);
        pointer('rdi', at());
        lines.push(...late(random, 'rcx', `${count}`));
        search('scas');
        lines.push('add rdx, rcx', 'xor rdx, rdi');
        break;
      case 3: {
        const from = at();
        const to = from + random.pick([1, 8, 600]);
        // Of a copy, as often as not.
        if (random.chance(2))
          lines.push(
            `lea rsi, [rbx + ${from + 5000}]`,
            `lea rdi, [rbx + ${to + 5000}]`,
            'mov ecx, 300',
            'rep movsb',
          );
        pointer('rsi', from);
        pointer('rdi', to);
        lines.push(...late(random, 'rcx', `${count}`));
        search('cmps');
        lines.push('add rdx, rcx', 'xor rdx, rsi');
        break;
      }
      case 4:
        lines.push(`add al, byte ptr [rbx + ${at()}]`, `mov byte ptr [rbx + ${at()}], al`);
        break;
      case 5:
        lines.push(
          `imul rdx, rdx, 31`,
          `xor rdx, qword ptr [rbx + ${at()}]`,
          `mov qword ptr [rbx + ${at()}], rdx`,
        );
        break;
      case 6:
        lines.push('imul rax, rax, 77', `mov word ptr [rbx + ${at()}], ax`);
        break;
      case 7:
        // Whatever was left somewhere may become what all wait for.
        lines.push(`mov r8, qword ptr [rbx + ${at()}]`);
        for (let n = random.below(60); n > 0; n--) lines.push('imul r8, r8, 5');
        lines.push(`mov qword ptr [rbx + ${at()}], r8`);
        break;
    }
  }
  const words = Array.from({ length: 10_000 }, () => random.below(2 ** 31));
  return `
.intel_syntax noprefix
.data
.balign 64
buffer: .long ${words.join(', ')}
.text
.globl _start
_start:
  mov ebp, 12
  mov rax, 0x123456789abcdef1
  mov rdx, 0x1f
again:
  lea rbx, [rip + buffer]
  ${lines.slice(0, middle).join('\n  ')}
  call part
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
part:
  ${lines.slice(middle).join('\n  ')}
  ret
`;
}

/** Four pages from rbx on, and nothing behind them. */
const FOUR_PAGES = `
.intel_syntax noprefix
.text
.globl _start
_start:
  mov eax, 9
  xor edi, edi
  mov esi, 20480
  mov edx, 3
  mov r10d, 0x22
  mov r8, -1
  xor r9d, r9d
  syscall
  mov rbx, rax
  lea rdi, [rbx + 16384]
  mov esi, 4096
  mov eax, 11
  syscall`;

/** Each of them gets to what is not mapped; the handler lets the program go on behind it. */
const BEYOND = `${FOUR_PAGES}
  mov eax, 13
  mov edi, 11
  lea rsi, [rip + action]
  xor edx, edx
  mov r10d, 8
  syscall
  mov ebp, 9
again:
  mov rdi, rbx
  mov ecx, 16384
  mov eax, 7
  rep stosb
  xor eax, eax
  lea rdi, [rbx + 12000]
  mov rcx, -1
  repne scasb
  lea rsi, [rbx + 8193]
  lea rdi, [rbx]
  mov ecx, 9000
  repe cmpsb
  lea rsi, [rbx]
  lea rdi, [rbx + 8193]
  mov ecx, 9000
  repe cmpsb
  lea rdi, [rbx + 8000]
  mov ecx, 9000
  rep stosb
  lea rsi, [rbx]
  lea rdi, [rbx + 8000]
  mov ecx, 9000
  rep movsb
  lea rsi, [rbx + 8000]
  lea rdi, [rbx]
  mov ecx, 9000
  rep movsb
  dec ebp
  jnz again
  mov edi, dword ptr [rip + faults]
  mov eax, 231
  syscall
handler:
  inc dword ptr [rip + faults]
  # Each has two bytes.
  add qword ptr [rdx + 168], 2
  ret
restorer:
  mov eax, 15
  syscall
.data
.balign 8
action: .quad handler, 0x04000004, restorer, 0
faults: .long 0
`;

/** What a function reads is older than its call. */
const CALLED = `
.intel_syntax noprefix
.text
.globl _start
_start:
  mov ebp, 200
again:
  lea rsi, [rip + buffer]
  lea rdi, [rip + buffer + 32]
  mov ecx, 4
  call copies
  lea rdi, [rip + buffer]
  mov ecx, 3
  call searches
  dec ebp
  jnz again
  xor edi, edi
  mov eax, 231
  syscall
copies:
  rep movsq
  mov rax, qword ptr [rdi - 8]
  imul rax, rax, 3
  imul rax, rax, 5
  ret
searches:
  repne scasw
  mov rdx, rcx
  imul rdx, rdx, 3
  imul rdx, rdx, 5
  ret
.data
buffer: .skip 64
`;

/** Strings that end with the last page that is mapped, of several pages, and elements that lie in two. */
const SEARCHES = `${FOUR_PAGES}
  xor r15d, r15d
  mov ebp, 30
again:
  mov rdi, rbx
  mov ecx, 16383
  lea eax, [rbp + 1]
  rep stosb
  mov byte ptr [rdi], 0
  xor eax, eax
  mov rcx, -1
  lea rdi, [rbx + rbp]
  repne scasb
  add r15, rcx
  ${FLAGS.join('\n  ').replaceAll('rdx', 'r15')}
  lea rsi, [rbx + 2 * rbp]
  lea rdi, [rbx + 4 * rbp + 4093]
  mov rcx, -1
  repe cmpsb
  add r15, rcx
  xor r15, rsi
  lea rsi, [rbx + 2 * rbp + 1]
  lea rdi, [rbx + 4 * rbp + 4093]
  mov ecx, 900
  repe cmpsq
  add r15, rcx
  xor r15, rdi
  mov rax, -1
  lea rdi, [rbx + rbp]
  mov ecx, 2000
  repne scasd
  add r15, rdi
  lea rdi, [rbx + 1]
  lea rsi, [rbx + 8000]
  mov ecx, 8000
  rep movsb
  dec ebp
  jnz again
  mov rdi, r15
  mov eax, 231
  syscall
`;

describe.skipIf(isMissing('gcc'))('repeated string instructions measure the same as in the reference', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  // FULL=1 takes more.
  const last = process.env.FULL === '1' ? 14 : 9;
  for (let seed = 1; seed <= last; seed++) {
    it(`seed ${seed}`, () => {
      const program = workshop.assemble(repeated(new Random(seed)));
      compare(program, { depth: -1, functions: [], chains: [RUN_CHAIN] }, [
        {},
        fewerPauses(LIMITS[seed % LIMITS.length]),
      ]);
    });
  }

  it('first in a function', () => {
    compare(
      workshop.assemble(CALLED),
      { depth: -1, functions: [], chains: [RUN_CHAIN] },
      LIMITS.map(fewerPauses),
    );
  });

  it('up to the end of what is mapped, which may be far', () => {
    const far = LIMITS.filter(({ farFrom }) => farFrom !== undefined);
    compare(workshop.assemble(SEARCHES), { depth: -1, functions: [], chains: [RUN_CHAIN] }, [
      {},
      ...far.map(fewerPauses),
    ]);
  });

  it('beyond it', () => {
    const { naive } = compare(workshop.assemble(BEYOND), { depth: -1, functions: [], chains: [] }, [
      {},
      LIMITS[4],
    ]);
    expect(naive.status).toEqual(54);
  });
});
