import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { compare, LIMITS } from './compare.ts';
import { statisticsOf } from './look.ts';

const SIGUSR1 = 10;
const SA_SIGINFO = 4;
const SA_RESTORER = 0x0400_0000;
const SA_ONSTACK = 0x0800_0000;

let turn = 0;
/** Four of the limits in turn, the usual ones first. */
function limitsNow(): (typeof LIMITS)[number][] {
  turn += 3;
  return [{}, ...[0, 1, 2].map((i) => LIMITS[(turn + i) % LIMITS.length])];
}

/** struct sigaction of the kernel for SIGUSR1, at `action`. */
const action = (flags = 0) => `
.data
counter: .quad 0
action: .quad handler, ${SA_SIGINFO | SA_RESTORER | flags}, restorer, 0
.bss
.balign 4096
alternate: .skip 65536
.data
stack: .quad alternate, 0, 65536
.text
`;
const INSTALL = `
  mov eax, 13
  mov edi, ${SIGUSR1}
  lea rsi, action[rip]
  xor edx, edx
  mov r10d, 8
  syscall
`;
const USE_ALTERNATE = `
  mov eax, 131
  lea rdi, stack[rip]
  xor esi, esi
  syscall
`;
/** kill(0, SIGUSR1): the call's c is 2. */
const RAISE = `
  mov eax, 62
  xor edi, edi
  mov esi, ${SIGUSR1}
  syscall
`;

/** Rules 8 and 9 where the guest handles signals itself. */
describe.skipIf(isMissing('gcc'))('signals', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const program = (flags: number, functions: Readonly<Record<string, string>>) =>
    workshop.assemble(
      [
        action(flags),
        START,
        ...Object.entries({ ...functions, restorer: 'mov eax, 15\nsyscall' }).map(([name, body]) =>
          assemblyFunction(name, body),
        ),
      ].join('\n'),
    );
  const tree = (functions: readonly string[] = []) => ({ depth: -1, functions, chains: [RUN_CHAIN, 'main'] });
  const late = `mov ebx, 1\n${'add rbx, 1\n'.repeat(20)}`;

  it('rule 8: the frame carries each register’s c, and the handler’s return brings it back', () => {
    // rbx has c = 21 when the signal comes. The handler makes it 26; what is restored has 21 again.
    const path = program(0, {
      handler: `${'add rbx, 1\n'.repeat(5)}ret`,
      main: `${INSTALL}${late}${RAISE}${'add rbx, 1\n'.repeat(3)}xor eax, eax\nret`,
    });
    const { measured } = compare(path, tree(), limitsNow());
    const instructions = 6 + 21 + 4 + 6 + 2 + 3 + 2;
    expect(measured.run.calls).toMatchObject([{ instructions, cycles: 26, calls: [] }]);
  });

  it('rule 8: what the handler stores to a register of the frame has the store’s c when it returns', () => {
    // The register’s bytes have c = 21, so the load of them has 22 and its sum 23; the store gives 24, and rbx so much.
    const path = program(0, {
      handler: 'mov rax, [rdx+128]\nadd rax, 7\nmov [rdx+128], rax\nret',
      main: `${INSTALL}${late}${RAISE}${'add rbx, 1\n'.repeat(3)}mov rdi, rbx\nxor eax, eax\nret`,
    });
    const { measured } = compare(path, tree(), limitsNow());
    expect(measured.run.calls).toMatchObject([{ cycles: 28, calls: [] }]);
  });

  it('rule 8: the handler’s arguments and rsp have the c of the last retired instruction', () => {
    // The call’s number has c = 21, so the call has 22: the handler’s first instruction that reads an argument has 23.
    const path = program(0, {
      handler: `${'add rdi, 1\n'.repeat(4)}${'add rsi, 1\n'.repeat(6)}${'push rdx\npop rdx\n'.repeat(4)}ret`,
      main: `${INSTALL}${late}mov eax, 41\nadd eax, ebx\nxor edi, edi\nmov esi, ${SIGUSR1}\nsyscall\nxor eax, eax\nret`,
    });
    const { measured } = compare(path, tree(), limitsNow());
    // add eax has c = 22, the call 23, and the eight pushes and pops with the return after them 24 to 32.
    expect(measured.run.calls).toMatchObject([{ cycles: 32 }]);
    expect(measured.status).toBe(0);
  });

  for (const [where, flags] of [
    ['the stack that it interrupts', 0],
    ['the alternate stack', SA_ONSTACK],
  ] as const) {
    it(`rule 9: a handler on ${where} is no call, those that it makes are calls of what it interrupts`, () => {
      const path = program(flags, {
        leaf: 'add rax, 1\nret',
        handler: 'call leaf\ncall leaf\nret',
        inner: `${RAISE}add rax, 1\nret`,
        main: `${INSTALL}${USE_ALTERNATE}call inner\ncall leaf\nxor eax, eax\nret`,
      });
      const { measured } = compare(path, tree(['leaf', 'handler']), limitsNow());
      // inner: 4 to raise, 3 of the handler, 2 of the restorer, 2 of its own, and two calls of 2 each.
      const leaf = { instructions: 2, cycles: 1, calls: [] };
      expect(measured.run.calls).toMatchObject([
        {
          instructions: 6 + 4 + 1 + 15 + 1 + 2 + 2,
          calls: [{ instructions: 15, calls: [leaf, leaf] }, leaf],
        },
      ]);
      const named = new Map(measured.functions.map((each) => [measured.nameOf(each.entry), each]));
      expect(named.get('leaf')).toMatchObject({ calls: 3, instructions: 6 });
      // Entered without a call, but measured where it is named: to its return.
      expect(named.get('handler')).toMatchObject({ calls: 1, instructions: 7 });
    });

    it(`rule 9: a longjmp out of a handler on ${where} ends the calls that the handler made, and no others`, () => {
      const path = program(flags, {
        leaf: 'add rax, 1\nret',
        away: 'mov rsp, r14\njmp r15',
        handler: 'call away\nret',
        inner: `push rbx\nmov r14, rsp\nlea r15, 1f[rip]\n${RAISE}1: call leaf\npop rbx\nret`,
        main: `${INSTALL}${USE_ALTERNATE}call inner\ncall leaf\nxor eax, eax\nret`,
      });
      const { measured } = compare(path, tree(['leaf', 'away', 'handler']), limitsNow());
      const leaf = { instructions: 2, calls: [] };
      expect(measured.run.calls).toMatchObject([
        { calls: [{ calls: [{ instructions: 1, calls: [] }, leaf] }, leaf] },
      ]);
    });

    it(`rule 9: a handler on ${where} that jumps to another function leaves its return to that one`, () => {
      const path = program(flags, {
        last: 'add rax, 1\nret',
        leaf: 'add rax, 1\nret',
        handler: 'add rax, 1\njmp last',
        inner: `${RAISE}call leaf\nret`,
        main: `${INSTALL}${USE_ALTERNATE}call inner\ncall leaf\nxor eax, eax\nret`,
      });
      const { measured } = compare(path, tree(['leaf', 'last']), limitsNow());
      const leaf = { instructions: 2, calls: [] };
      expect(measured.run.calls).toMatchObject([{ calls: [{ calls: [leaf, leaf] }, leaf] }]);
    });
  }

  it('rule 9: handlers that interrupt handlers nest', () => {
    const path = program(0x4000_0000, {
      leaf: 'add rax, 1\nret',
      handler: `push rbx\nsub r12d, 1\njle 1f\n${RAISE}call leaf\n1: pop rbx\nret`,
      main: `${INSTALL}mov r12d, 5\n${RAISE}call leaf\nxor eax, eax\nret`,
    });
    const { measured } = compare(path, tree(['handler', 'leaf']), limitsNow());
    // Four of the five handlers call it, and then main does.
    expect(measured.run.calls[0].calls).toHaveLength(5);
  });

  const ON_FAULT = INSTALL.replace(`edi, ${SIGUSR1}`, 'edi, 11');

  it('rule 8: a fault in a loop leaves all registers as the instruction found them', () => {
    // Each third round loads from address 0: the handler counts and skips the load, which is 3 bytes long.
    const path = program(0, {
      handler: 'add qword ptr counter[rip], 1\nadd qword ptr [rdx+168], 3\nret',
      loop: `
  1: mov rsi, rbp
  lea rdi, [rax+rcx]
  cmp r8, 3
  cmove rsi, r9
  jne 2f
  xor r8d, r8d
  2: add rdi, 2
  mov rax, [rsi]
  add rax, rdi
  movd xmm1, eax
  paddd xmm0, xmm1
  add r8, 1
  sub rcx, 1
  jnz 1b
  ret`,
      main: `${ON_FAULT}mov ecx, 40\nxor r8d, r8d\nxor r9d, r9d\nlea rbp, counter[rip]\ncall loop\nmov eax, counter[rip]\nret`,
    });
    const { measured } = compare(path, tree(['loop', 'handler']), limitsNow());
    expect(measured.status).toBe(13);
  });

  it('rule 2: a repeated string instruction that faults on its way goes on there, and counts once', () => {
    // The handler lets the page be accessed. `rep stosb` up, `rep movsq` down, `rep lodsb` and `repe scasb` come to it in their middle.
    const hide = 'mov eax, 10\nlea rdi, alternate[rip+8192]\nmov esi, 4096\nxor edx, edx\nsyscall\n';
    const path = program(0, {
      handler: `mov rcx, [rdx+152]\nadd counter[rip], rcx\n${hide.replace('xor edx, edx', 'mov edx, 3')}ret`,
      fill: `${hide}lea rdi, alternate[rip]\nmov ecx, 20000\nmov eax, 7\nrep stosb\nret`,
      move: `${hide}std\nlea rdi, alternate[rip+16381]\nlea rsi, alternate[rip+40000]\nmov ecx, 1600\nrep movsq\ncld\nret`,
      read: `${hide}lea rsi, alternate[rip+5]\nmov ecx, 10000\nrep lodsb\nret`,
      seek: `${hide}lea rdi, alternate[rip+6000]\nmov ecx, 10000\nxor eax, eax\nrepe scasb\nret`,
      main: `${ON_FAULT}call fill\ncall move\ncall read\ncall seek\nmov eax, counter[rip]\nret`,
    });
    const { measured } = compare(path, tree(['fill', 'move', 'read', 'seek', 'handler']), limitsNow());
    expect(measured.functions).toContainEqual(expect.objectContaining({ calls: 4, instructions: 32 }));
    // What each has left to do when it faults.
    expect(measured.status).toBe((11_808 + 1088 + 1813 + 7808) & 0xff);
  });

  it('where a fault came is known in all passes, also of code that had been executed before', () => {
    // A second pass measures deeper calls, since steps of 16 bytes reach nowhere. Behind the fault more is executed than one at a time.
    const path = program(0, {
      handler: 'add qword ptr counter[rip], 1\nadd qword ptr [rdx+168], 3\nret',
      peek: 'add rcx, 1\nadd rcx, 1\nadd rcx, 1\nmov rax, [rsi]\nadd rcx, 1\nret',
      caller: 'call peek\nret',
      main: `${ON_FAULT}lea rsi, counter[rip]\ncall caller\ncall caller\nxor esi, esi\ncall caller
  mov ecx, 400000
  1: add rax, 1
  dec ecx
  jnz 1b
  call caller
  mov eax, counter[rip]
  ret`,
    });
    for (const limits of [{}, { hotEntries: 1, warmEntries: 1 }]) {
      const { passes, observation } = statisticsOf(path, { window: 0x1_0000, ...limits });
      expect(observation.exit).toEqual({ kind: 'exit', status: 2 });
      const whole = observation.run.instructions;
      // Up to an address, up to the fault, and two whole ones.
      expect(passes.map(({ instructions }) => instructions === whole)).toEqual([false, false, true, true]);
    }
  });

  it('rule 8: the arguments have the c of what retired before the fault, whatever jumped there', () => {
    // Two ways lead to the load, one with a late c (21) and one with an early one.
    const path = program(0, {
      handler: 'add rdi, 1\nmov [rdx+80], rdi\nadd qword ptr [rdx+168], 3\nret',
      twice: 'add rbx, rbp\njmp 1f\nnop\n1: mov rax, [r9]\nadd rbx, 0\nret',
      other: 'mov r10d, 1\njmp rsi',
      main: `${ON_FAULT}${late}xor r9d, r9d\nmov ebp, 1\ncall twice\nlea rsi, twice[rip+6]\ncall other\ncall twice\nxor eax, eax\nret`,
    });
    compare(path, tree(['handler', 'twice', 'other']), limitsNow());
  });

  it('a jump to where no code is, a division, an undefined instruction and a breakpoint are the handler’s to see', () => {
    const path = program(0, {
      handler: `
  add counter[rip], rdi
  mov rcx, [rdx+160]
  mov rcx, [rcx]
  mov [rdx+168], rcx
  add qword ptr [rdx+160], 8
  ret`,
      trouble: 'push rcx\nret',
      main: `${[11, 8, 4, 5].map((signal) => INSTALL.replace(`edi, ${SIGUSR1}`, `edi, ${signal}`)).join('')}
  lea rax, 1f[rip]
  push rax
  xor eax, eax
  jmp rax
  1: lea rax, 2f[rip]
  push rax
  mov rax, 0x30000000
  jmp rax
  2: lea rax, 3f[rip]
  push rax
  xor ecx, ecx
  div ecx
  3: lea rax, 4f[rip]
  push rax
  ud2
  4: lea rax, 5f[rip]
  push rax
  int3
  5: mov rax, counter[rip]
  ret`,
    });
    const { measured } = compare(path, tree(['handler']), [LIMITS[3]]);
    expect(measured.status).toBe(11 + 11 + 8 + 4 + 5);
  });

  it('a timer’s signal comes behind an exact count of instructions, in every tier', () => {
    // A thousand instructions after setitimer, and each thousand from then on.
    const path = program(0, {
      leaf: 'add rbp, 1\nret',
      handler: 'add dword ptr counter[rip], 1\nadd rbx, rdi\ncall leaf\nret',
      loop: '1: add rbx, 1\nimul rbx, rbx, 3\ncall leaf\ncmp dword ptr counter[rip], 12\njb 1b\nret',
      main: `${INSTALL.replace(`edi, ${SIGUSR1}`, 'edi, 26')}
  mov ebx, 1
  sub rsp, 40
  mov qword ptr [rsp], 0
  mov qword ptr [rsp+8], 1
  mov qword ptr [rsp+16], 0
  mov qword ptr [rsp+24], 1
  mov eax, 38
  mov edi, 1
  mov rsi, rsp
  xor edx, edx
  syscall
  add rsp, 40
  call loop
  mov eax, counter[rip]
  ret`,
    });
    const { measured } = compare(path, tree(['loop', 'leaf', 'handler']), limitsNow());
    expect(measured.status).toBe(12);
  });

  it('signals that are sent together are delivered together, the last first', () => {
    const path = workshop.compile(source, ['-O1', '-static', '-DTIMES=3'], 'gcc');
    const { measured } = compare(path, { depth: 3, functions: ['on_signal'], chains: [RUN_CHAIN] }, [
      LIMITS[2],
      LIMITS[8],
    ]);
    expect(measured.stdout).toContain('done');
  });

  it('a handler on the alternate stack leaves none of a coroutine’s calls open for ever, whoever else is asked for', () => {
    const path = workshop.compile(coroutine, ['-O1', '-static'], 'gcc');
    for (const functions of [['waits'], ['around', 'waits']]) {
      const { measured } = compare(path, { depth: 0, functions, chains: [] }, limitsNow());
      // Of the five calls the last one has not returned.
      const waits = measured.functions.find(({ entry }) => measured.nameOf(entry) === 'waits');
      expect(waits).toMatchObject({ calls: 5 });
    }
  });
});

const source = readFileSync(new URL('programs/signals.c', import.meta.url), 'utf8');
const coroutine = readFileSync(new URL('programs/up-the-stack.c', import.meta.url), 'utf8');
