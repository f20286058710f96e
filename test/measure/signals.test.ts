import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { compare, LIMITS } from './compare.ts';

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
  const tree = (functions: readonly string[] = []) => ({ depth: -1, functions, chains: ['run', 'main'] });
  const late = 'mov ebx, 1\n' + 'add rbx, 1\n'.repeat(20);

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

  it('signals that are sent together are delivered together, the last first', () => {
    const path = workshop.compile(source, ['-O1', '-static', '-DTIMES=3'], 'gcc');
    const { measured } = compare(path, { depth: 3, functions: ['on_signal'], chains: ['run'] }, [
      LIMITS[2],
      LIMITS[8],
    ]);
    expect(measured.stdout).toContain('done');
  });
});

const source = readFileSync(new URL('programs/signals.c', import.meta.url), 'utf8');
