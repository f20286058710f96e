import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { memoryCodeStore } from '../../src/host/kept/memory-code-store.ts';
import { totalOf } from '../executions/counts.ts';
import { answer } from '../reference/observe.ts';
import { runProgram } from '../reference/program.ts';
import { assemblyFunction, START } from './build.ts';
import { randomCombination } from './combinations.ts';
import { expectSame, LIMITS } from './compare.ts';
import { measureFast } from './fast.ts';
import type { Random } from './random.ts';
import { describeRandom, seedsOf } from './random-programs.ts';

const REGISTERS = ['eax', 'ecx', 'edx', 'esi', 'edi'];

/** An instruction of which one byte is written: where that is, and how `eax` becomes a value for it. */
interface Point {
  readonly code: string;
  readonly offset: number;
  readonly value: string;
}

const ANY = '';
const ofTable = (table: string): string =>
  `and eax, 3\nlea r11, [rip + ${table}]\nmovzx eax, byte ptr [r11 + rax]`;

function point(random: Random): Point {
  const register = random.below(REGISTERS.length);
  /** Numbers of eax, ecx, edx, esi and edi. */
  const number = [0, 1, 2, 6, 7][register];
  return random.pick<Point>([
    { code: `.byte 0x83, ${0xc0 + number}, 1`, offset: 2, value: ANY },
    { code: `.byte ${0xb8 + number}, 1, 2, 0, 0`, offset: 1 + random.below(4), value: ANY },
    {
      code: `.byte 0x01, ${0xc0 + 8 * number + random.pick([0, 1, 2, 6, 7])}`,
      offset: 0,
      value: ofTable('opcodes'),
    },
    { code: '.byte 0x90', offset: 0, value: ofTable('flags') },
    // A jump over what follows, or to it. It compares before: imul leaves ZF and SF undefined.
    {
      code: `.byte 0x39, 0xf2, 0x7${random.pick(['5', '2', 'c'])}, 0\nadd edx, ecx`,
      offset: 3,
      value: 'and eax, 1\nadd eax, eax',
    },
    { code: '.byte 0xeb, 0\nadd esi, edx', offset: 1, value: 'and eax, 1\nadd eax, eax' },
  ]);
}

const TABLES = 'opcodes: .byte 0x01, 0x29, 0x31, 0x21\nflags: .byte 0x90, 0xf8, 0xf9, 0xf5';
const PROTECT = ['rax', 'rcx', 'rdx', 'rsi', 'rdi', 'r11'];

const protect = (name: string, permissions: number): string =>
  assemblyFunction(
    name,
    `${PROTECT.map((each) => `push ${each}`).join('\n')}
lea rdi, [rip + first]\nlea rsi, [rip + last]\nsub rsi, rdi\nmov edx, ${permissions}\nmov eax, 10\nsyscall
${PROTECT.toReversed()
  .map((each) => `pop ${each}`)
  .join('\n')}\nret`,
  );

/** A program whose functions write each other's instructions, and those that follow, now and then. */
function program(random: Random): string {
  /** Pages can be written while they are alone, or always. */
  const toggles = random.chance(4);
  const points = Array.from({ length: 5 }, () => point(random));
  const write = (): string => {
    const at = random.below(points.length);
    const { offset, value } = points[at];
    const place = `[rip + p${at} + ${offset}]`;
    const store = random.pick([
      `mov byte ptr ${place}, al`,
      `lea r11, ${place}\nmov [r11], al`,
      `lea r11, ${place}\nxchg [r11], al`,
      `lea rdi, ${place}\nmov r11d, ecx\nmov ecx, 1\nrep stosb\nmov ecx, r11d`,
      `lea rdi, ${place}\nstosb`,
      `lea r11, ${place}\nmov r10d, [r11 - 1]\nmov ah, al\nmov al, r10b\nmov [r11 - 1], ax`,
    ]);
    const [open, close] = toggles ? ['call open\n', '\ncall close'] : ['', ''];
    const often = random.pick([0, 1, 3, 7, 31]);
    return `test ebp, ${often}\njne 9f\nmov eax, ${random.pick(REGISTERS)}\n${value}\n${open}${store}${close}\n9:`;
  };
  const simple = (): string =>
    random.pick([
      () => `add ${random.pick(REGISTERS)}, ${random.pick(REGISTERS)}`,
      () => `imul ${random.pick(REGISTERS)}, ${random.pick(REGISTERS)}, 3`,
      () => `mov [rip + data + ${random.below(12)}], ${random.pick(REGISTERS)}`,
      () => `xor ${random.pick(REGISTERS)}, [rip + data + ${4 * random.below(3)}]`,
      () => `adc ${random.pick(REGISTERS)}, 1`,
    ])();
  const steps: string[] = points.map(({ code }, at) => {
    // Some lie on two pages.
    const place = random.chance(5) ? `jmp 8f\n.balign 4096\n.skip ${4096 - random.below(3)}, 0x90\n8: ` : '';
    return `${place}p${at}: ${code}`;
  });
  for (let i = 0; i < 5; i++) steps.splice(random.below(steps.length + 1), 0, write());
  for (let i = 0; i < 8; i++) steps.splice(random.below(steps.length + 1), 0, simple());
  /** All is in functions one behind the other, on the same page or on others; some call the next one. */
  const cuts = [0, 1 + random.below(5), 7 + random.below(5), 13 + random.below(4), steps.length];
  const functions = cuts.slice(1).map((end, i) => {
    const own = steps.slice(cuts[i], end);
    if (i < 3 && random.chance(2)) own.splice(random.below(own.length + 1), 0, `call f${i + 1}`);
    const body = random.chance(3)
      ? `push r12\nmov r12d, ${2 + random.below(3)}\n1: ${own.join('\n')}\nsub r12d, 1\njne 1b\npop r12\nret`
      : `${own.join('\n')}\nret`;
    return `${random.chance(3) ? '.balign 4096\n' : ''}${assemblyFunction(`f${i}`, body)}`;
  });
  const calls = functions.map((_, i) => `call f${i}\nadd ebp, 1`).join('\n');
  return `${START}
.data
data: .quad 1, 2, 3
${TABLES}
.text
${protect('open', 7)}
${protect('close', 5)}
${assemblyFunction(
  'main',
  `push rbx\ncall ${toggles ? 'close' : 'open'}\nmov ebx, 60\nxor ebp, ebp\n1: ${calls}\nsub ebx, 1\njne 1b\nlea eax, [rcx + rdx]\nadd eax, [rip + data]\nmovzx eax, al\npop rbx\nret`,
)}
.balign 4096
first: nop
${functions.join('\n')}
.balign 4096
last: nop`;
}

/** Sizes in which code is written often. */
const USUAL = { hotEntries: 8, warmEntries: 2, firstSlice: 200, longestSlice: 3000 };
describeRandom(
  'random programs that write their own code',
  seedsOf('MEASURE_SEEDS', 8),
  ['gcc'],
  (random, workshop) => {
    const binary = workshop.assemble(program(random));
    const question = { depth: random.pick([-1, 0, 3]), functions: ['f1'], chains: [] };
    const naive = runProgram(binary, [], 1_000_000);
    expect(spawnSync(binary).status).toBe(naive.status);
    const expected = answer(naive, question);
    const store = memoryCodeStore();
    for (const limits of [
      USUAL,
      { ...USUAL, longestSlice: 31 },
      random.pick(LIMITS),
      randomCombination(random),
    ])
      for (const stored of [undefined, store]) {
        const measured = measureFast(
          binary,
          [],
          question,
          limits,
          undefined,
          stored === undefined,
          undefined,
          undefined,
          stored,
        );
        expectSame(measured, expected);
        expect(measured.status).toBe(naive.status);
        // Of executions only the sum: what was at an address before is in another number.
        if (measured.executions !== undefined) expect(totalOf(measured.executions)).toBe(naive.graph.length);
      }
    const chain = { depth: 0, functions: [], chains: ['main', 'f2'] };
    expectSame(measureFast(binary, [], chain, USUAL), answer(naive, chain));
  },
);
