import { afterAll, describe, expect, it } from 'vitest';
import { answer } from '../reference/observe.ts';
import { runProgram } from '../reference/program.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { COMBINATIONS } from './combinations.ts';
import { compare, expectSame, LIMITS } from './compare.ts';
import { measureFast } from './fast.ts';
import { statisticsOf } from './look.ts';
import { Random } from './random.ts';

/** What leaves decide on: all of them are set before each call, late or early. */
const REGISTERS = ['rax', 'rcx', 'rdx', 'rsi', 'rdi', 'r8', 'r9'];

/**
 * Small functions that call nothing, of every kind that is in line where it is called: in one line, with branches of which some are rare,
 * with loops, with registers on the stack, that read flags and vectors of the caller, or leave them.
 */
function leaf(random: Random, name: string): string {
  const register = () => random.pick(REGISTERS);
  const late = () => `imul ${register()}, ${register()}, ${3 + 2 * random.below(4)}`;
  const simple = () =>
    random.pick([
      () => `add ${register()}, ${register()}`,
      () => `lea ${register()}, [${register()} + 2 * ${register()}]`,
      late,
      () => `adc ${register()}, 1`,
      () => `sete ${random.pick(['al', 'cl', 'dl'])}`,
      () => 'paddd xmm1, xmm0',
      () => `movq xmm0, ${register()}`,
      () => `movq ${register()}, xmm1`,
      () => `mov [rip + memory + ${random.below(12)}], ${random.pick(['rax', 'ecx', 'dl'])}`,
      () => `xor ${register()}, [rip + memory + ${4 * random.below(3)}]`,
    ])();
  const line = (count: number) => Array.from({ length: count }, simple).join('\n');
  /** Longer than all else in a call. */
  const chain = (of: string) => `imul ${of}, ${of}, 3\n`.repeat(10);
  const shape = random.below(6);
  const start = random.chance(3) ? '' : 'clc\n';
  switch (shape) {
    case 0:
      return assemblyFunction(name, `${start}${line(2)}\nret`);
    case 1:
      // Both ways return.
      return assemblyFunction(
        name,
        `${start}${line(1)}\ntest ebp, ${1 << random.below(4)}\nje 1f\n${line(2)}\nret\n1: ${line(2)}\nret`,
      );
    case 2:
      // Seldom: that block is not warm at first, and later it is.
      return assemblyFunction(
        name,
        `test ebp, ${random.pick([63, 31])}\nje 2f\n1: ${start}${line(2)}\nret\n2: ${chain(register())}\njmp 1b`,
      );
    case 3:
      return assemblyFunction(
        name,
        `mov r11d, ${1 + random.below(9)}\n1: ${line(2)}\nsub r11d, 1\njne 1b\n${random.chance(2) ? chain(register()) : line(1)}\nret`,
      );
    case 4:
      return assemblyFunction(
        name,
        `push rbx\nsub rsp, 24\nmov [rsp + 8], rcx\n${line(2)}\nadd rcx, [rsp + 8]\nadd rsp, 24\npop rbx\nret`,
      );
    default:
      // Elsewhere than behind the call, once in a while.
      return assemblyFunction(
        name,
        `test ebp, 15\njne 1f\ntest rsp, 15\nadd qword ptr [rsp], ${NOPS}\n1: ${line(2)}\nret`,
      );
  }
}

/** Bytes behind each call that do nothing: a return may skip them. */
const NOPS = 3;

/** To one function, often or seldom to another one; or to as many as there are, and some that call others. */
function callThroughPointer(random: Random, leaves: readonly string[]): string {
  const rarely = random.pick([3, 3, 31]);
  const choose = () =>
    `lea r11, [rip + ${random.pick(leaves)}]\ntest ebp, ${random.pick([1, 2, rarely])}\ncmove r10, r11`;
  return random.pick([
    () => `lea r10, [rip + ${random.pick(leaves)}]\ncall r10`,
    () => `lea r10, [rip + ${random.pick(leaves)}]\n${choose()}\ncall r10`,
    () => `lea r10, [rip + ${random.pick(leaves)}]\n${choose()}\n${choose()}\npush r10\npop r10\ncall r10`,
    () => 'mov r10d, ebp\nand r10d, 7\nlea r11, [rip + table]\ncall [r11 + 8 * r10]',
  ])();
}

function program(random: Random): string {
  const leaves = Array.from({ length: 4 }, (_, i) => `leaf${i}`);
  const calls = (count: number) =>
    Array.from({ length: count }, () => {
      const [first, second] = [random.pick(REGISTERS), random.pick(REGISTERS)];
      const call = random.chance(2) ? `call ${random.pick(leaves)}` : callThroughPointer(random, leaves);
      return `imul ${first}, ${second}, 7\n${call}\n.byte 0x90, 0x90, 0x90\nadd ${first}, ${second}`;
    }).join('\n');
  const around = (name: string, inner: string) =>
    assemblyFunction(
      name,
      `push r12\nmov r12d, ${2 + random.below(4)}\n1: ${calls(2)}\nadd ebp, 1\n${inner}\nsub r12d, 1\njne 1b\npop r12\nret`,
    );
  return `${START}
.bss
.balign 64
memory: .skip 64
.text
${leaves.map((name) => leaf(random, name)).join('\n')}
${assemblyFunction('around', 'add eax, 1\ncall leaf0\n.byte 0x90, 0x90, 0x90\nret')}
.data
.balign 8
table: .quad ${Array.from({ length: 8 }, () => random.pick(random.chance(4) ? ['around'] : leaves)).join(', ')}
.text
${around('deepest', calls(1))}
${around('deeper', 'call deepest')}
${around('deep', 'call deeper')}
${assemblyFunction('main', `push rbx\nmov ebx, 25\nxor ebp, ebp\n1: ${calls(3)}\nadd ebp, 1\ncall deep\nsub ebx, 1\njne 1b\npop rbx\nxor eax, eax\nret`)}`;
}

describe.skipIf(isMissing('gcc'))('calls in line', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const usual = { hotEntries: 20, warmEntries: 2, firstSlice: 500, longestSlice: 3000 };
  const first = Number(process.env.MEASURE_FIRST_SEED ?? 1);
  const count = Number(process.env.MEASURE_SEEDS ?? 5);

  for (let seed = first; seed < first + count; seed++)
    it(`program ${seed}`, () => {
      const binary = workshop.assemble(program(new Random(seed)));
      const all = [...LIMITS, ...COMBINATIONS];
      compare(binary, { depth: 3, functions: ['leaf1'], chains: [] }, [
        usual,
        { ...usual, firstSlice: 30, longestSlice: 40 },
        { ...usual, wideFrom: 50, rebaseFrom: 100, keptCycles: 60 },
        ...all.filter((_, i) => i % 8 === seed % 8),
      ]);
      compare(binary, { depth: -1, functions: [], chains: [] }, [
        usual,
        { ...usual, patience: 0, missesPerTelling: 1 },
      ]);
      expect(statisticsOf(binary, usual).passes[0].counts['calls: in line']).toBeGreaterThan(100);
    });

  it('go on outside of the region with registers that the function had not read', () => {
    const rarely = workshop.assemble(
      `${START}
${assemblyFunction('leaf', `test ebx, 31\nje 1f\nadd eax, 1\nret\n1: ${'imul r13, r13, 3\n'.repeat(30)}ret`)}
${assemblyFunction('main', 'mov ebx, 400\n1: imul rax, rax, 3\nimul r13, r13, 5\ncall leaf\nsub ebx, 1\njne 1b\nxor eax, eax\nret')}`,
    );
    const limits = { ...usual, hotEntries: 10, warmEntries: 8 };
    compare(rarely, { depth: 3, functions: [], chains: [] }, [limits, { ...limits, longestSlice: 31 }]);
    const { counts } = statisticsOf(rarely, limits).passes[0];
    expect(counts['calls: in line']).toBeGreaterThan(300);
    expect(counts['exits: to a block that it lacks']).toBeGreaterThan(4);
  });

  it('are not made of functions that change stacks, by whatever instruction', () => {
    const far = assemblyFunction(
      'leaf',
      'lea rsp, [rsp - 0x2000000]\nmov ecx, 5\n1: imul rax, rax, 3\nsub ecx, 1\njne 1b\nlea rsp, [rsp + 0x2000000]\nret',
    );
    const changing = workshop.assemble(
      `${START}${far}${assemblyFunction('main', 'mov ebx, 300\n1: imul rax, rax, 5\ncall leaf\nsub ebx, 1\njne 1b\nxor eax, eax\nret')}`,
    );
    // A function that is called on the lower one of two stacks, which it leaves, and where it is left by a return.
    const lower = workshop.assemble(`
.bss
.balign 16
low: .skip 0x10000
high: .skip 0x10000
.text
${START}
${assemblyFunction('g', 'imul rdx, rdx, 3\nlea rsp, [rsp + 0x10000]\njmp [rsp]')}
${assemblyFunction('f', 'lea rsp, [rsp - 0x10000]\nmov ecx, 2\nlea rax, 3f[rip]\nmov [rsp + 0x10000 - 8], rax\ncall g\n3: lea rsp, [rsp + 8]\nimul rdx, rdx, 3\nlea rsp, [rsp - 0x10000 - 16]\nadd rsp, 16\nimul rdx, rdx, 3\nlea rsp, [rsp + 0x10000]\nret')}
${assemblyFunction('main', 'mov rbp, rsp\nlea rsp, high[rip + 0x10000 - 64]\nmov ebx, 60\n1: call f\nsub ebx, 1\njne 1b\nmov rsp, rbp\nxor eax, eax\nret')}`);
    for (const binary of [changing, lower])
      compare(binary, { depth: 4, functions: [], chains: [] }, [
        usual,
        { ...usual, firstSlice: 30, longestSlice: 37 },
        { ...usual, hotEntries: 1, warmEntries: 0 },
        ...LIMITS,
      ]);
  });

  it('are made anew where a pointer leads to another function for good, and no more where it leads to many', () => {
    const functions = Array.from({ length: 7 }, (_, i) => `leaf${i}`);
    const wandering = workshop.assemble(
      `${START}
${functions.map((name, i) => assemblyFunction(name, `${i % 2 === 0 ? 'mov r8d, 1\nmov r9d, 2' : 'add rcx, r8\nadd rcx, r9'}\nadd eax, ${i}\nimul rcx, rcx, ${2 * i + 3}\nret`)).join('\n')}
.data
.balign 8
table: .quad ${functions.join(', ')}
.text
${assemblyFunction('main', 'mov ebx, 7000\nlea r12, [rip + table]\n1: mov r9, rcx\ntest ebx, 1\nje 2f\nadd rcx, 1\n2: lea rax, [rbx - 1]\nxor edx, edx\nmov esi, 1000\ndiv rsi\nmov r8, rcx\ncall [r12 + 8 * rax]\nsub ebx, 1\njne 1b\nmov eax, ecx\nret')}`,
    );
    const limits = { ...usual, patience: 1, missesPerTelling: 3 };
    compare(wandering, { depth: 3, functions: [], chains: [] }, [limits, { ...limits, longestSlice: 31 }]);
    const { counts } = statisticsOf(wandering, limits).passes[0];
    // The first four one after the other, as they are met.
    expect(counts['calls: in line']).toBeGreaterThan(3500);
    expect(counts['exits: call of what is not in line']).toBeGreaterThan(100);
    expect(counts['exits: call of what is not in line']).toBeLessThan(1000);
    expect(counts['exits: indirect call']).toBeGreaterThan(2000);
  });

  it.each(['generated', 'r9'])('are of the code that is there: %s', (target) => {
    const kinds = ['lea rax, [rax + 2 * rax + 1]\nimul rdx, rax\nret', 'add rax, rdx\nxor rdx, 99\nret'];
    const rewritten = workshop.assemble(
      `${START}
.set generated, 0x10000000
${kinds.map((body, i) => `kind${i}: ${body}\n.skip 16`).join('\n')}
${assemblyFunction(
  'main',
  `mov edi, 0x10000000\nmov esi, 4096\nmov edx, 7\nmov r10d, 0x32\nmov r8, -1\nxor r9d, r9d\nmov eax, 9\nsyscall
  mov ebx, 3008\nxor edx, edx
  1: test ebx, 63\njne 2f
  lea rsi, [rip + kind0]\nlea rdi, [rip + kind1]\ntest ebx, 64\ncmovnz rsi, rdi\nmov edi, 0x10000000\nmov ecx, 16\nrep movsb
  2: mov r9d, 0x10000000\ncall ${target}\nsub ebx, 1\njne 1b\nret`,
)}`,
    );
    // Executions of what was at an address are one number.
    const question = { depth: 3, functions: [], chains: [] };
    const naive = runProgram(rewritten, [], 1_000_000);
    for (const limits of [
      usual,
      { ...usual, longestSlice: 31 },
      { ...usual, patience: 0, missesPerTelling: 1 },
    ]) {
      const measured = measureFast(rewritten, [], question, limits);
      expectSame(measured, answer(naive, question));
      expect(measured.status).toBe(naive.status);
    }
    expect(statisticsOf(rewritten, usual).passes[0].counts['calls: in line']).toBeGreaterThan(500);
  });

  it('begin anew where a long context in the same lane had forgotten its first cycles', () => {
    const alternating = workshop.assemble(
      `${START}
${assemblyFunction('long', 'call leaf\nmov ecx, 600\n1: imul rax, rax, 3\nsub ecx, 1\njne 1b\nret')}
${assemblyFunction('leaf', 'mov edx, 20\n1: imul r8, r8, 3\nsub edx, 1\njne 1b\nret')}
${assemblyFunction('main', 'mov ebx, 100\n1: call long\ncall leaf\nsub ebx, 1\njne 1b\nxor eax, eax\nret')}`,
    );
    const limits = { ...usual, firstSlice: 30, longestSlice: 37, rebaseFrom: 400, keptCycles: 60 };
    compare(alternating, { depth: 3, functions: [], chains: [] }, [limits]);
  });
});
