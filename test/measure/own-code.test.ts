import { afterAll, describe, expect, it } from 'vitest';
import { totalOf } from '../executions/counts.ts';
import { answer } from '../reference/observe.ts';
import { runProgram } from '../reference/program.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { COMBINATIONS } from './combinations.ts';
import { expectSame, LIMITS } from './compare.ts';
import { measureFast } from './fast.ts';
import { statisticsOf } from './look.ts';

/** What changes the next round of a loop, once in 64 rounds: which of two registers it adds to. */
const BYTE = 'mov eax, ebx\nshr eax, 6\nand eax, 1\nadd eax, 0xc1';
const WRITE = `${BYTE}\nmov byte ptr [rip + patch + 1], al`;
const ROUND = 'patch: add ecx, 1\nadd edx, ecx\nsub ebx, 1';
const PROTECT = 'lea rdi, [rip + main]\nand rdi, -4096\nmov esi, 8192\nmov eax, 10\nsyscall';
const BEGIN = `mov edx, 7\n${PROTECT}\nmov ebx, 3008\nxor ecx, ecx\nxor edx, edx`;

/** By name: programs that write code which they execute themselves, now and then; each page that is written has no other code. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'a loop that writes its own code': assemblyFunction(
    'main',
    `push rbx\n${BEGIN}\n1: test ebx, 63\njne 2f\n${WRITE}\n2: jmp patch\n.balign 4096\n${ROUND}\njne 1b\nlea eax, [rcx + rdx]\npop rbx\nret`,
  ),
  'a loop that calls what writes its code': `${assemblyFunction(
    'main',
    `push rbx\n${BEGIN}\n1: call write\n${ROUND}\njne 1b\nlea eax, [rcx + rdx]\npop rbx\nret`,
  )}
.balign 4096
${assemblyFunction('write', `test ebx, 63\njne 1f\n${WRITE}\n1: ret`)}`,
  'a loop that can be written for a while only': `${assemblyFunction(
    'main',
    `push rbx\nmov edx, 5\n${PROTECT}\nmov ebx, 3008\nxor ecx, ecx\nxor edx, edx\n1: call write\n${ROUND}\njne 1b\nlea eax, [rcx + rdx]\npop rbx\nret`,
  )}
.balign 4096
${assemblyFunction(
  'write',
  `test ebx, 63\njne 1f\nmov r8, rcx\nmov r9, rdx\nmov edx, 7\n${PROTECT}\n${WRITE}\nmov edx, 5\n${PROTECT}\nmov rcx, r8\nmov rdx, r9\n1: ret`,
)}`,
};

const AHEAD = `${BYTE}\nmov byte ptr [rsi], al`;

/** By name: programs that write what they execute next, each time. */
const STRAIGHT: Readonly<Record<string, string>> = {
  'an instruction that writes the next one': assemblyFunction(
    'main',
    `push rbx\n${BEGIN}\nlea rsi, [rip + patch + 1]\n1: ${AHEAD}\n${ROUND}\njne 1b\nlea eax, [rcx + rdx]\npop rbx\nret`,
  ),
  'two stores into a page, of which the second is code': assemblyFunction(
    'main',
    `push rbx\n${BEGIN}\nlea rsi, [rip + patch + 1]\n1: mov dword ptr [rip + data], eax\n${AHEAD}\nnop\nnop\n${ROUND}\njne 1b\nlea eax, [rcx + rdx]\npop rbx\nret\n.balign 8\ndata: .quad 0`,
  ),
  'code that is written by repeated stores': assemblyFunction(
    'main',
    `push rbx\n${BEGIN}\nlea rsi, [rip + patch + 1]\n1: mov r8d, ecx\n${BYTE}\nmov rdi, rsi\nmov ecx, 1\nrep stosb\nmov ecx, r8d\n${ROUND}\njne 1b\nlea eax, [rcx + rdx]\npop rbx\nret`,
  ),
};

/** The code is seen at two addresses: written through one, executed at the other, where it cannot be written. */
const ALIAS = `${assemblyFunction(
  'main',
  `push rbx\npush r12
lea rdi, [rip + data]\nxor esi, esi\nmov eax, 319\nsyscall\nmov r12d, eax
mov edi, eax\nmov esi, 4096\nmov eax, 77\nsyscall
xor edi, edi\nmov esi, 4096\nmov edx, 3\nmov r10d, 1\nmov r8d, r12d\nxor r9d, r9d\nmov eax, 9\nsyscall\nmov rbx, rax
xor edi, edi\nmov esi, 4096\nmov edx, 5\nmov r10d, 1\nmov r8d, r12d\nxor r9d, r9d\nmov eax, 9\nsyscall\nmov r12, rax
lea rsi, [rip + begin]\nmov rdi, rbx\nmov ecx, 64\nrep movsb
lea rsi, [rip + patch + 1]\nlea rdi, [rip + begin]\nsub rsi, rdi\nadd rsi, rbx\nmov ebx, 3008\nxor ecx, ecx\nxor edx, edx\ncall r12
lea eax, [rcx + rdx]\npop r12\npop rbx\nret`,
)}
begin: ${AHEAD}\n${ROUND}\njne begin\nret
.data
data: .asciz "code"`;

/** The code is in a file that is mapped, and is written to by system calls. */
const IN_FILE = `${assemblyFunction(
  'main',
  `push rbx\npush r12\npush r13\npush r14\npush r15
lea rdi, [rip + data]\nxor esi, esi\nmov eax, 319\nsyscall\nmov r12d, eax
mov edi, eax\nmov esi, 4096\nmov eax, 77\nsyscall
xor edi, edi\nmov esi, 4096\nmov edx, 5\nmov r10d, 1\nmov r8d, r12d\nxor r9d, r9d\nmov eax, 9\nsyscall\nmov r13, rax
mov edi, r12d\nlea rsi, [rip + begin]\nmov edx, 64\nxor r10d, r10d\nmov eax, 18\nsyscall
mov ebx, 3008\nxor ecx, ecx\nxor edx, edx
1: mov r14d, ecx\nmov r15d, edx
${BYTE}\nmov byte ptr [rip + data], al
mov edi, r12d\nlea rsi, [rip + data]\nmov edx, 1\nlea r10, [rip + patch + 1]\nlea rax, [rip + begin]\nsub r10, rax\nmov eax, 18\nsyscall
mov ecx, r14d\nmov edx, r15d\ncall r13\ntest ebx, ebx\njne 1b
lea eax, [rcx + rdx]\npop r15\npop r14\npop r13\npop r12\npop rbx\nret`,
)}
begin: ${ROUND}\ntest ebx, 15\njne begin\nret
.data
data: .asciz "code"`;
describe.skipIf(isMissing('gcc'))('code that changes while it runs', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const usual = { hotEntries: 20, warmEntries: 2, firstSlice: 500, longestSlice: 3000 };

  const elsewhere = {
    'code that is written elsewhere': ALIAS,
    'code in a file that is written to': IN_FILE,
  };
  it.each(Object.entries({ ...PROGRAMS, ...STRAIGHT, ...elsewhere }))('%s', (name, code) => {
    const binary = workshop.assemble(`${START}\n.balign 4096\n${code}\n.balign 4096\nnop`);
    const question = { depth: 3, functions: ['write'], chains: [] };
    const naive = runProgram(binary, [], 1_000_000);
    const others = [
      ...LIMITS,
      { ...usual, without: ['warm blocks'] as const },
      ...COMBINATIONS.filter((_, i) => i % (name in PROGRAMS ? 9 : 27) === 4),
    ];
    for (const limits of [usual, { ...usual, longestSlice: 31 }, ...others]) {
      const measured = measureFast(binary, [], question, limits);
      expectSame(measured, answer(naive, question));
      expect(measured.status).toBe(naive.status);
    }
    const chain = { depth: 0, functions: [], chains: ['main'] };
    expectSame(measureFast(binary, [], chain, usual), answer(naive, chain));
    // Of executions only the sum: what was at an address before is in another number.
    for (const limits of [
      usual,
      { ...usual, longestSlice: 31 },
      { ...usual, without: ['warm blocks'] as const },
    ]) {
      const { executions } = measureFast(binary, [], question, limits, undefined, true);
      expect(totalOf(executions!)).toBe(naive.graph.length);
    }
    if (!(name in PROGRAMS)) return;
    const { instructions, interpreted } = statisticsOf(binary, usual).passes[0];
    expect(interpreted).toBeLessThan(instructions / 2);
  });
});
