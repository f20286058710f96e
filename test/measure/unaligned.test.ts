import { afterAll, describe, it } from 'vitest';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { COMBINATIONS } from './combinations.ts';
import { compare, LIMITS } from './compare.ts';
import { IN_LINE } from './in-line.ts';
import { Random } from './random.ts';

const LOADS = [
  'movzx edx, byte ptr [rbx]',
  'movzx edx, word ptr [rbx]',
  'mov edx, [rbx]',
  'mov rdx, [rbx]',
  'movdqu xmm1, [rbx]',
];
const STORES = ['[rbx], VALUEb', '[rbx], VALUEw', '[rbx], VALUEd', '[rbx], VALUE'].map(
  (text) => `mov ${text}`,
);

/**
 * Loops that store at changing places around the border of two pages, all sizes and alignments, and load there. Addresses come
 * early; values come late, early, or from what was loaded, so that bytes' steps differ and fall as well as rise. Each call ends with
 * a load that is followed by a chain longer than all before it: the cycles of the calls tell the step of what was loaded.
 */
function program(random: Random): string {
  const toPlace = () =>
    `imul eax, ecx, ${1 + random.below(1000)}\nshr eax, ${random.below(4)}\nand eax, ${random.pick([15, 31, 63])}\nlea rbx, [rdi + rax]`;
  const value = () =>
    random.pick(['', 'imul r8, r8, 3\nimul r8, r8, 5\nimul r8, r8, 7', 'mov r8d, 7', 'mov r9d, 9']);
  const store = () => {
    const text = random.chance(6) ? 'movdqu [rbx], xmm1' : random.pick(STORES);
    return `${value()}\n${toPlace()}\n${text.replace('VALUE', random.pick(['r8', 'r9']))}`;
  };
  const load = () => {
    const text = random.pick(LOADS);
    const [move, from] = text.includes('xmm') ? ['movq', 'xmm1'] : ['mov', 'rdx'];
    return `${toPlace()}\n${text}\n${move} r9, ${from}`;
  };
  // Fields of a structure without gaps, which are checked together.
  const fields = () => {
    const at = () => `[rbx + ${random.below(12)}]`;
    return `${toPlace()}
add ${at()}, r8d
add word ptr ${at()}, r9w
add ${at()}, r9
inc byte ptr ${at()}
mov r9w, ${at()}`;
  };
  const body = Array.from({ length: 10 }, (_, i) =>
    i % 3 === 2 ? load() : i % 5 === 0 ? fields() : store(),
  );
  return `${START}
.bss
.balign 4096
pages: .skip 8192
.text
${assemblyFunction(
  'probe',
  `lea rdi, pages[rip + ${4096 - 40 + random.below(16)}]
mov ecx, ebp
and ecx, 15
add ecx, 20
mov r8d, 3
mov r9d, 5
movd xmm1, ecx
1:
${body.join('\n')}
sub ecx, 1
jnz 1b
mov edx, ebp
movzx eax, byte ptr [rdi + rdx]
mov ecx, 200
2:
imul eax, eax
imul eax, eax
sub ecx, 1
jnz 2b
ret`,
)}
${assemblyFunction(
  'main',
  `mov ebp, 44
3:
call probe
sub ebp, 1
jnz 3b
xor eax, eax
ret`,
)}`;
}

/**
 * A program that calls functions again and again. Each makes a late value (r8) of an early one (ecx) in a loop, stores, and goes on with what it
 * loads into rdx: whether that was late is the difference in its cycles.
 */
function telling(bodies: readonly string[]): string {
  const names = bodies.map((_, i) => `tells${i}`);
  return `${START}
.bss
.balign 64
buffer: .skip 64
.text
${names
  .map((name, i) =>
    assemblyFunction(
      name,
      `lea rdi, buffer[rip]
mov ecx, 8
mov r9d, 3
1:
mov r8, rcx
${'imul r8, r8, 3\n'.repeat(12)}
${bodies[i]}
add r9, rdx
imul r9, r9, 5
sub ecx, 1
jnz 1b
ret`,
    ),
  )
  .join('\n')}
${assemblyFunction('main', `mov ebp, 30\n3:\n${names.map((name) => `call ${name}`).join('\n')}\nsub ebp, 1\njnz 3b\nxor eax, eax\nret`)}`;
}

/** The bytes of a word are stored one by one, one of them late, and then the word is loaded: each byte is the late one of a function. */
function lateBytes(size: 4 | 8 | 16): string {
  const load = { 4: 'mov edx, [rdi]', 8: 'mov rdx, [rdi]', 16: 'movdqu xmm1, [rdi]\nmovq rdx, xmm1' }[size];
  return telling(
    range(size).map(
      (late) => `${range(size)
        .map((i) => `mov [rdi + ${i}], ${i === late ? 'r8b' : 'cl'}`)
        .join('\n')}
${load}`,
    ),
  );
}

/** 8 bytes at a place that is a multiple of 4 or none, between early ones, and each byte, or each four bytes, that are loaded. */
function lateWord(place: number, load: 'movzx edx, byte' | 'mov edx, dword'): string {
  return telling(
    range(13).map(
      (loaded) => `lea rsi, [rdi + ${place}]
mov [rdi], rcx
mov [rdi + 8], rcx
mov [rsi], r8
${load} ptr [rdi + ${loaded}]`,
    ),
  );
}

/** Fields that are checked together, of 4, 4 and 8 bytes at a place: each is the late one, and each is loaded. */
function lateFields(place: number): string {
  const fields = ['dword', 'dword', 'qword'].map((size, i) => `${size} ptr [rdi + ${place + 4 * i}]`);
  const registers = (value: string) => [`${value}d`, `${value}d`, value];
  return telling(
    range(9).map((i) => {
      const [late, loaded] = [i % 3, Math.floor(i / 3)];
      const stores = fields.map((field, j) => {
        const value = j === late ? registers('r8')[j] : ['ecx', 'ecx', 'rcx'][j];
        return `mov ${field}, ${value}`;
      });
      return `${stores.join('\n')}\nmov ${['edx', 'edx', 'rdx'][loaded]}, ${fields[loaded]}`;
    }),
  );
}

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

describe.skipIf(isMissing('gcc'))('unaligned accesses', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (const size of [4, 8, 16] as const)
    it(`a word of ${size} bytes, each with a step of its own, is as late as the last of them`, () => {
      compare(workshop.assemble(lateBytes(size)), { depth: 3, functions: [], chains: [] }, IN_LINE);
    });

  for (const place of [1, 2, 3, 4])
    it(`words and fields at ${place} are as late as what was stored there last`, () => {
      // Three of the five in turn; FULL=1 takes all.
      const limits = IN_LINE.filter((_, i) => process.env.FULL === '1' || (i + place) % 5 < 3);
      for (const program of [
        lateWord(place, 'movzx edx, byte'),
        lateWord(place, 'mov edx, dword'),
        lateFields(place),
      ])
        compare(workshop.assemble(program), { depth: 3, functions: [], chains: [] }, limits);
    });

  for (const seed of [1, 2, 3])
    it(`have the cycles of each of their bytes, program ${seed}`, () => {
      const some = [...LIMITS, ...COMBINATIONS].filter((_, i) => i % 9 === seed);
      compare(workshop.assemble(program(new Random(seed))), { depth: 3, functions: [], chains: ['probe'] }, [
        ...IN_LINE,
        // All unaligned accesses go the general way.
        { without: ['short ways'] },
        ...some,
      ]);
    });
});
