// Compares the model of the processor at hand with it on loops of few instructions, each of which shows one rule of the
// model, or one instruction form with "forms": node bench/instructions.ts MACHINE [forms]
//
// A loop is the instructions and `dec %r15; jnz`. Cycles are perf's cycles:u, from the difference between two counts of
// iterations, the least of several runs. The numbers of the machine's file that are said to be measured were found so.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blockBounds } from '../src/analysis/macs/block.ts';
import { builtInMachine } from '../src/machines/catalog.ts';
import { decodeBlock } from '../src/x86/block.ts';
import { FORM_LOOPS } from './instruction-forms.ts';

/** rsi and rdx point to memory, rcx is 0, xmm1 to xmm3 are 1.0; `*N` repeats. */
const LOOPS: readonly (readonly [what: string, code: readonly string[]])[] = [
  ['additions that wait for each other', repeat(20, 'add $1,%rax')],
  [
    'additions and copies in a chain',
    repeat(10, 'add $1,%rax', 'mov %rax,%rbx', 'add $1,%rbx', 'mov %rbx,%rax'),
  ],
  [
    'vector additions and copies',
    repeat(5, 'addsd %xmm1,%xmm0', 'movapd %xmm0,%xmm4', 'addsd %xmm1,%xmm4', 'movapd %xmm4,%xmm0'),
  ],
  ['independent additions, 6', independent(6)],
  ['independent additions, 28', independent(28)],
  ['addition to multiplication', repeat(10, 'addsd %xmm1,%xmm0', 'mulsd %xmm1,%xmm0')],
  ['a load from a base', repeat(20, 'mov (%rdx),%rdx')],
  ['a load from base and index', repeat(20, 'mov (%rdx,%rcx),%rdx')],
  ['a load from base and scaled index', repeat(20, 'mov (%rdx,%rcx,8),%rdx')],
  ['10 vector copies', vectors('copy', 10)],
  ['8 vector copies and 2 loads', [...vectors('copy', 8), ...vectors('load', 2)]],
  ['4 products, 4 sums, 2 copies', [...vectors('mul', 4), ...vectors('add', 4), ...vectors('copy', 2)]],
  ['6 vector loads', vectors('load', 6)],
  ['6 vector stores', Array.from({ length: 6 }, (_, i) => `movsd %xmm1,${8 * i}(%rsi)`)],
];

function repeat(times: number, ...code: readonly string[]): readonly string[] {
  return Array.from({ length: times }, () => code).flat();
}

function independent(count: number): readonly string[] {
  const registers = ['rax', 'rbx', 'r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'rbp'];
  return Array.from({ length: count }, (_, i) => `add $1,%${registers[i % registers.length]}`);
}

function vectors(kind: 'copy' | 'load' | 'mul' | 'add', count: number): readonly string[] {
  const sources = {
    copy: 'movapd %xmm1',
    load: 'movsd (%rsi)',
    mul: 'vmulsd %xmm1,%xmm2',
    add: 'vaddsd %xmm1,%xmm2',
  };
  return Array.from({ length: count }, (_, i) => `${sources[kind]},%xmm${4 + (i % 11)}`);
}

const DRIVER = `#include <stdlib.h>
extern void loop(long n, void *a, void *b);
static void *memory[1024] __attribute__((aligned(4096)));
int main(int argc, char **argv)
{
    for (int i = 0; i < 512; i++)
        ((double *)memory)[i] = 1.0;
    memory[512] = &memory[512];
    loop(argc > 1 ? atol(argv[1]) : 1, memory, &memory[512]);
    return 0;
}
`;
const SAVED = ['rbx', 'rbp', 'r12', 'r13', 'r14', 'r15'];
const FEW = 1_000_000;
const ROUNDS = 5;

const machine = await builtInMachine(process.argv[2] ?? '');
const directory = mkdtempSync(join(tmpdir(), 'instructions-'));
try {
  if (cyclesOf(['true']) === undefined) {
    console.log('skipped: perf has no cycle counter here (perf stat -e cycles:u true)');
    process.exit(0);
  }
  console.log(`machine model ${machine.name}\n\n| loop | measured | MACS | MAC |\n|---|---:|---:|---:|`);
  for (const [what, code] of process.argv[3] === 'forms' ? FORM_LOOPS : LOOPS) {
    const { mac, macs } = blockBounds(
      decodeBlock(assembled([...code, 'dec %r15', 'jnz .-2'])).instructions,
      machine,
      'loop',
      'alike',
    );
    console.log(`| ${what} | ${measured(code).toFixed(2)} | ${macs.toFixed(2)} | ${mac.cycles.toFixed(2)} |`);
  }
} finally {
  rmSync(directory, { recursive: true });
}

/** The bytes of the code alone. */
function assembled(code: readonly string[]): Uint8Array {
  const [source, object, bytes] = ['block.s', 'block.o', 'block.bin'].map((name) => join(directory, name));
  writeFileSync(source, `${code.join('\n')}\n`);
  execFileSync('gcc', ['-c', '-o', object, source]);
  execFileSync('objcopy', ['-O', 'binary', '-j', '.text', object, bytes]);
  return readFileSync(bytes);
}

function measured(code: readonly string[]): number {
  const [driver, source, program] = ['driver.c', 'loop.s', 'program'].map((name) => join(directory, name));
  writeFileSync(driver, DRIVER);
  const lines = [
    '.globl loop',
    'loop:',
    ...SAVED.map((register) => `push %${register}`),
    'mov %rdi,%r15',
    'xor %ecx,%ecx',
    'mov $1,%eax',
    ...[0, 1, 2, 3].map((i) => `movsd (%rsi),%xmm${i}`),
    '.p2align 6',
    '1:',
    ...code,
    'dec %r15',
    'jnz 1b',
    ...SAVED.toReversed().map((register) => `pop %${register}`),
    'ret',
    '.section .note.GNU-stack,"",@progbits',
  ];
  writeFileSync(source, `${lines.join('\n')}\n`);
  execFileSync('gcc', ['-O1', '-static', '-o', program, driver, source]);
  const least = (iterations: number): number =>
    Math.min(...Array.from({ length: ROUNDS }, () => cyclesOf([program, String(iterations)])!));
  return (least(3 * FEW) - least(FEW)) / (2 * FEW);
}

/** In user mode; undefined where the machine does not count them. */
function cyclesOf(command: readonly string[]): number | undefined {
  const { stderr } = spawnSync(
    'taskset',
    ['-c', '0', 'perf', 'stat', '-x', ',', '-e', 'cycles:u', ...command],
    {
      encoding: 'utf8',
    },
  );
  const count = Number(/^(\d+),,cycles:u/m.exec(stderr ?? '')?.[1]);
  return count > 0 ? count : undefined;
}
