import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { compare, limitsInTurn } from './compare.ts';
import { measureFast } from './fast.ts';

/** Rule 9 where control does not simply call and return. */
describe.skipIf(isMissing('gcc'))('contexts', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const program = (functions: Readonly<Record<string, string>>, data = '') =>
    workshop.assemble(
      [
        data,
        '.text',
        START,
        ...Object.entries(functions).map(([name, body]) => assemblyFunction(name, body)),
      ].join('\n'),
    );
  const tree = (depth = -1) => ({ depth, functions: [], chains: [RUN_CHAIN, 'main'] });

  it('rule 9: a call runs from its first instruction to its ret, both included', () => {
    const path = program({ leaf: 'add rax, 1\nret', main: 'call leaf\nret' });
    const { measured } = compare(path, tree(), limitsInTurn());
    expect(measured.run.calls).toMatchObject([
      { depth: 1, instructions: 4, cycles: 3, calls: [{ depth: 2, instructions: 2, cycles: 1 }] },
    ]);
  });

  it('rule 9: a tail call is a nested context that one ret closes with its caller', () => {
    const path = program({
      last: 'add rax, 1\nret',
      middle: 'add rax, 1\njmp last',
      first: 'add rax, 1\njmp middle',
      main: 'call first\nret',
    });
    const { measured } = compare(path, tree(), limitsInTurn());
    expect(measured.run.calls[0].calls).toMatchObject([
      {
        instructions: 6,
        cycles: 3,
        calls: [{ instructions: 4, cycles: 2, calls: [{ instructions: 2, cycles: 1, calls: [] }] }],
      },
    ]);
  });

  it('rule 9: functions that jump to each other without end nest without end', () => {
    const path = program({
      even: 'sub edi, 1\njs 1f\njmp odd\n1: ret',
      odd: 'sub edi, 1\njs 1f\njmp even\n1: ret',
      main: 'mov edi, 30\ncall even\nret',
    });
    compare(path, { ...tree(), functions: ['even', 'odd'] }, limitsInTurn());
  });

  it('rule 9: a jump to the own entry is a loop, wherever a slice ends', () => {
    const path = program({
      loop: 'add rax, 3\nadd rax, rax\nsub ecx, 1\njle 1f\nadd rdx, rax\nsub rdx, 1\njmp loop\n1: ret',
      main: 'mov ecx, 50\ncall loop\nret',
    });
    const { measured } = compare(path, { ...tree(), functions: ['loop'] }, limitsInTurn());
    expect(measured.run.calls[0].calls).toMatchObject([{ calls: [] }]);
  });

  it('rule 9: running into the next function is no jump; the function is measured by its name all the same', () => {
    const path = program({
      before: 'add rax, 1',
      after: 'add rax, 1\nsub ecx, 1\njg after\nret',
      main: 'mov ecx, 4\ncall before\nmov ecx, 2\ncall after\nret',
    });
    const { measured } = compare(path, { ...tree(), functions: ['after'] }, limitsInTurn());
    const [{ calls }] = measured.run.calls;
    expect(calls).toMatchObject([
      { instructions: 14, calls: [] },
      { instructions: 7, calls: [] },
    ]);
    const after = measured.functions.find(({ entry }) => measured.nameOf(entry) === 'after');
    expect(after).toMatchObject({ calls: 2, instructions: 20 });
  });

  it('rule 9: a split-off cold part is no function', () => {
    const path = program({
      work: 'test edi, edi\njs work.cold\nadd rax, 1\nret',
      'work.cold': 'add rax, 2\nneg edi\njmp work',
      main: 'mov edi, -3\ncall work\nret',
    });
    const { measured } = compare(path, { ...tree(), functions: ['work'] }, limitsInTurn());
    expect(measured.run.calls[0].calls).toMatchObject([{ calls: [] }]);
  });

  it('rule 9: a loop that is entered from another function, with less on the stack than its own has, ends contexts', () => {
    const path = program({
      sum: 'push rbx\n.Lloop: add rax, 1\nsub ecx, 1\njne .Lloop\npop rbx\nret',
      // The pop takes the return address, the ret goes on in main.
      intruder: 'mov ecx, 40\njmp .Lloop',
      outer: 'call intruder\nud2',
      main: 'mov r12d, 60\n1: mov ecx, 40\ncall sum\ncall outer\nsub r12d, 1\njne 1b\nret',
    });
    const { measured } = compare(path, tree(), [
      { hotEntries: 2, warmEntries: 1 },
      { hotEntries: 5, warmEntries: 1, longestSlice: 30, firstSlice: 30 },
      ...limitsInTurn(),
    ]);
    const [, outer] = measured.run.calls[0].calls;
    expect(outer).toMatchObject({ instructions: 125, calls: [{ instructions: 123 }] });
  });

  it('rule 9: ... also where the loop is a way into a region that its function has already', () => {
    const path = program({
      sum: 'push rbx\n.Lloop: add rax, 1\nsub ecx, 1\njne .Lloop\npop rbx\nret',
      intruder: 'mov ecx, 40\njmp .Lloop',
      outer: 'call intruder\nud2',
      // The function becomes hot by its calls alone, the loop in it goes round for the intruder only.
      main: 'mov r12d, 60\n1: mov ecx, 1\ncall sum\nsub r12d, 1\njne 1b\ncall outer\nret',
    });
    const { measured } = compare(path, tree(), [{ hotEntries: 5, warmEntries: 0 }, ...limitsInTurn()]);
    const outer = measured.run.calls[0].calls.at(-1);
    expect(outer).toMatchObject({ instructions: 125, calls: [{ instructions: 123 }] });
  });

  it('rule 9: calls on the stack of a generator stay open while it waits, and their callers end', () => {
    const path = program(
      {
        main: 'call next\ncall next\ncall after\nret',
        next: 'mov rax, there[rip]\nmov here[rip], rsp\nmov rsp, rax\nret',
        generate: '1: add rbx, 1\ncall yield\njmp 1b',
        yield: 'mov there[rip], rsp\nmov rsp, here[rip]\nret',
        after: 'add rbx, 1\nret',
      },
      '.data\n.skip 4096\ntop: .quad generate\nhere: .quad 0\nthere: .quad top',
    );
    const { measured } = compare(path, { depth: -1, functions: ['yield'], chains: [] }, limitsInTurn());
    expect(measured.run.calls).toMatchObject([
      {
        // main
        calls: [
          { instructions: 4 + 2 + 3, calls: [] },
          // What was called first ends when the generator goes on: 3 instructions, those of main, and those of next.
          { instructions: 4 + 3 + 3, calls: [{ instructions: 3 + 1 + 4, calls: [] }] },
          { instructions: 2, calls: [] },
        ],
      },
      // It is open to the end: after, the returns and what _start does then.
      { instructions: 3 + 1 + 2 + 1 + 3, calls: [] },
    ]);
    // The second call begins where the first has ended.
    const yields = measured.functions.find(({ instructions }) => instructions === 8 + 10);
    expect(yields).toMatchObject({ calls: 2 });
  });

  it('rule 9: contexts that stay open on another stack, where their callee came back from, are measured on', () => {
    const path = program(
      {
        main: 'mov r12d, 30\n1: call caller\nsub r12d, 1\njne 1b\nret',
        // A longer chain before the call than behind it, of instructions that wait for nothing but the context's beginning.
        caller: 'mov ecx, 20\n1: sub ecx, 1\njne 1b\ncall away\nmov edx, 15\n2: sub edx, 1\njne 2b\nret',
        away: 'cmp r12d, 1\nje 1f\nret\n1: mov saved[rip], rsp\nlea rsp, stack[rip+4096]\ncall back\nud2',
        back: 'mov rsp, saved[rip]\nret',
      },
      '.bss\n.balign 4096\nstack: .skip 8192\nsaved: .skip 8',
    );
    const { measured } = compare(path, tree(), [{ hotEntries: 3, warmEntries: 1 }, ...limitsInTurn()]);
    const [main, back] = measured.run.calls;
    expect(main.calls.at(-1)!.calls).toMatchObject([{ instructions: 7, calls: [] }]);
    // It never ends, and is listed with what is around it when the program does.
    expect(back).toMatchObject({ instructions: 40, cycles: 17, calls: [] });
  });

  it('rule 3: of loads that are checked together, one lies in a page that nothing is stored to and in one that is', () => {
    const path = program(
      {
        main: `mov r12d, 60
          lea rdi, second[rip-8]
          1: add rax, 1
          add rax, 1
          add rax, 1
          add rax, 1
          add rax, 1
          mov second[rip], rax
          movdqu xmm0, [rdi]
          movdqu xmm1, [rdi-32]
          movhlps xmm0, xmm0
          movq rbx, xmm0
          add rbx, 1
          sub r12d, 1
          jne 1b
          ret`,
      },
      '.data\n.balign 4096\nfirst: .skip 4096\nsecond: .skip 4096',
    );
    const quiet = { firstSweep: 1, firstSlice: 7, longestSlice: 7, hotEntries: 2, warmEntries: 1 };
    const { measured } = compare(path, tree(), [quiet, ...limitsInTurn()]);
    // Five additions a time round; then what is stored is loaded, moved twice and added to, and nothing waits for the rest.
    expect(measured.run.calls[0].cycles).toBe(5 * 60 + 5);
  });

  it('rule 9: pop and jump returns like ret: the context ends with the pop', () => {
    const path = program({
      odd: 'add rax, 1\npop rcx\nadd rax, rax\nadd rax, rax\njmp rcx',
      main: 'call odd\ncall odd\nret',
    });
    const { measured } = compare(path, { ...tree(), functions: ['odd'] }, limitsInTurn());
    expect(measured.run.calls[0].calls).toMatchObject([
      { instructions: 2, cycles: 1 },
      { instructions: 2, cycles: 1 },
    ]);
  });

  it('rule 9: who pops the return address and pushes it again has ended the context in between', () => {
    const path = program({
      // What musl's sigsetjmp does.
      twice: 'pop r8\nmov rbx, rdi\ncall leaf\npush r8\nadd rax, 1\nret',
      leaf: 'add rax, 1\nret',
      main: 'push rbx\ncall twice\npop rbx\nret',
    });
    const { measured } = compare(path, tree(), limitsInTurn());
    expect(measured.run.calls[0].calls).toMatchObject([
      { instructions: 1, calls: [] },
      { instructions: 2, calls: [] },
    ]);
  });

  it('rule 9: a return address on the stack for its own sake is a call that its pop ends', () => {
    const path = program({ main: 'call 1f\n1: pop rax\nadd rax, 1\nret' });
    const { measured } = compare(path, tree(), limitsInTurn());
    expect(measured.run.calls[0].calls).toMatchObject([{ instructions: 1, cycles: 1 }]);
  });

  it('rule 9: ret n takes the arguments with it', () => {
    const path = program({
      cleaner: 'mov rax, [rsp+8]\nadd rax, [rsp+16]\nret 16',
      caller: 'push 1\npush 2\ncall cleaner\nadd rax, 1\nret',
      main: 'call caller\ncall caller\nret',
    });
    compare(path, { ...tree(), functions: ['cleaner'] }, limitsInTurn());
  });

  it('rule 9: longjmp closes every context that it leaves', () => {
    const path = program(
      {
        setjmp:
          'mov [rdi], rbx\nlea rdx, [rsp+8]\nmov [rdi+8], rdx\nmov rdx, [rsp]\nmov [rdi+16], rdx\nxor eax, eax\nret',
        longjmp: 'mov eax, esi\nmov rbx, [rdi]\nmov rsp, [rdi+8]\nadd rax, 0\njmp [rdi+16]',
        third:
          'push rbx\nsub rsp, 64\nlea rdi, buffer[rip]\nmov esi, 5\ncall longjmp\nadd rsp, 64\npop rbx\nret',
        second: 'sub rsp, 8\ncall third\nadd rsp, 8\nret',
        first: 'push rbp\nmov rbp, rsp\ncall second\npop rbp\nret',
        main: `push rbx
          xor ebx, ebx
          lea rdi, buffer[rip]
          call setjmp
          test eax, eax
          jne 1f
          call first
          1: add eax, 1
          mov rdx, [rdi+16]
          call second_try
          pop rbx
          ret`,
        second_try: 'add eax, 1\nret',
      },
      '.bss\nbuffer: .skip 64',
    );
    const { measured } = compare(
      path,
      { ...tree(), functions: ['third', 'longjmp', 'first'] },
      limitsInTurn(),
    );
    const [main] = measured.run.calls;
    expect(main.calls.map(({ entry }) => measured.nameOf(entry))).toEqual(['setjmp', 'first', 'second_try']);
  });

  it('rule 9: calls through pointers open contexts like any', () => {
    const path = program(
      {
        one: 'add rax, 1\nret',
        two: 'add rax, 2\nadd rax, rax\nret',
        main: `push rbx
          push rbp
          mov ebx, 12
          1: mov ecx, ebx
          and ecx, 1
          lea rbp, table[rip]
          call [rbp+rcx*8]
          mov rdx, [rbp+rcx*8]
          call rdx
          sub ebx, 1
          jg 1b
          pop rbp
          pop rbx
          ret`,
      },
      '.data\ntable: .quad one, two',
    );
    compare(path, { ...tree(), functions: ['one', 'two'] }, limitsInTurn());
  });

  it('rule 9: of one indirect jump, those to another function open contexts and those within its own open none', () => {
    const path = program(
      {
        other: 'add rax, 1\nret',
        // A function begins inside of it; behind that it goes on.
        way: `sub ebx, 1
          js 9f
          and ecx, 7
          lea rbp, table[rip]
          mov rdx, [rbp+rcx*8]
          lea ecx, [rbx+rbx*4]
          jmp rdx
          first: add rax, 3
          jmp way
          .type inner, @function
          inner: add rax, 5
          ret
          .size inner, .-inner
          last: imul rax, rax
          jmp way
          9: ret`,
        main: `push rbx
          push rbp
          mov ebx, 300
          1: mov ecx, ebx
          call way
          test ebx, ebx
          jg 1b
          pop rbp
          pop rbx
          ret`,
      },
      '.data\ntable: .quad first, last, first, inner, way, last, other, first',
    );
    const { measured } = compare(path, { ...tree(), functions: ['other', 'inner', 'way'] }, limitsInTurn());
    // main; way, whose last call ends by itself; the two.
    expect(measured.functions.map(({ calls }) => calls)).toEqual([1, 75, 37, 37]);
  });

  it('rule 9: a function that is asked for by two of its names is one', () => {
    const path = program(
      { one: 'add rax, 1\nadd rax, rax\nret', main: 'call one\ncall one\nret' },
      '.globl same\n.type same, @function\n.set same, one',
    );
    const question = { ...tree(0), functions: ['one', 'same'], chains: ['same', 'one'] };
    const { functions, chains } = measureFast(path, [], question);
    expect(functions.map(({ calls }) => calls)).toEqual([2]);
    expect(chains).toHaveLength(1);
  });

  it('rule 9: a function counts its outermost calls only', () => {
    const path = program({
      fibonacci: `cmp edi, 2
        jae 1f
        mov eax, edi
        ret
        1: push rbx
        push rbp
        mov ebx, edi
        lea edi, [rbx-1]
        call fibonacci
        mov ebp, eax
        lea edi, [rbx-2]
        call fibonacci
        add eax, ebp
        pop rbp
        pop rbx
        ret`,
      main: 'mov edi, 8\ncall fibonacci\nmov edi, 5\ncall fibonacci\nret',
    });
    const question = { depth: -1, functions: ['fibonacci'], chains: [RUN_CHAIN, 'fibonacci'] };
    const { measured } = compare(path, question, limitsInTurn());
    expect(measured.functions.find(({ entry }) => measured.nameOf(entry) === 'fibonacci')?.calls).toBe(2);
    compare(path, { ...question, functions: [], chains: [] });
  });

  it('rule 9: more than a thousand calls of one parent are summed per callee', () => {
    const path = program({
      a: 'add rax, rcx\nret',
      b: 'imul rax, rax\nadd rax, 1\nret',
      main: 'push rbx\nmov ebx, 700\n1: call a\ncall b\nsub ebx, 1\njg 1b\npop rbx\nret',
    });
    const { measured } = compare(path, { depth: 2, functions: ['a', 'b'], chains: [RUN_CHAIN, 'b'] });
    expect(measured.run.calls[0].rest).toMatchObject([{ calls: 200 }, { calls: 200 }]);
  });

  it('a function may be called run: its chain is not that of the run', () => {
    const path = program({
      run: 'imul rax, rax\nimul rax, rax\nret',
      main: 'mov ecx, 9\n1: sub ecx, 1\njnz 1b\ncall run\nret',
    });
    const { measured } = compare(path, { depth: 1, functions: ['run'], chains: ['run', RUN_CHAIN] });
    expect(measured.chains.map(({ entry }) => entry === undefined)).toEqual([false, true]);
    expect(measured.chains[0].length).toBeLessThan(measured.chains[1].length);
  });

  it('rule 9: contexts deeper than one pass can hold are measured by several', () => {
    const path = program({
      down: 'push rbx\nadd rbx, 1\nadd rax, rbx\nsub edi, 1\njle 1f\ncall down\n1: pop rbx\nadd rax, 1\nret',
      main: 'mov edi, 21\ncall down\nret',
    });
    for (const depth of [0, 1, 3, 4, 5, 8, 11, -1]) compare(path, { ...tree(depth), functions: ['down'] });
  });

  it('rule 9: recursion of 20,000 frames is deeper than the host can follow', () => {
    const path = program({
      down: 'push rbx\nmov ebx, edi\nsub edi, 1\njle 1f\ncall down\n1: add eax, ebx\npop rbx\nret',
      main: 'mov edi, 20000\ncall down\nadd eax, 1\nmov edi, 300\ncall down\nret',
    });
    const question = { depth: 6, functions: ['down'], chains: [RUN_CHAIN, 'down'] };
    const { measured } = compare(path, question, [{}, { hostStack: 20_000, hotEntries: 3 }]);
    expect(measured.run.instructions).toBeGreaterThan(20_000 * 8);
  });

  it('rule 9: the ELF entry has no return address, however rsp moves', () => {
    const entry = '.globl _start\n_start: pop rdi\nmov rsi, rsp\nadd rsp, 8\njmp begin';
    const begin = 'add rsp, 8\ncall leaf\npop rax\ncall leaf\nmov eax, 231\nxor edi, edi\nsyscall';
    const path = workshop.assemble(
      [
        '.text',
        '.type _start, @function',
        entry,
        assemblyFunction('begin', begin),
        assemblyFunction('leaf', 'ret'),
      ].join('\n'),
    );
    const { measured } = compare(
      path,
      { ...tree(), chains: [RUN_CHAIN], functions: ['_start', 'begin'] },
      limitsInTurn(),
    );
    expect(measured.run.calls).toMatchObject([
      { instructions: 13, calls: [{ instructions: 9, calls: [{}, {}] }] },
    ]);
  });

  it('rule 3: x87 slots keep their places where a slice ends in a loop', () => {
    const path = program(
      {
        main: `fild qword ptr three[rip]
          fld1
          mov ecx, 10
          1: fadd st, st(1)
          sub ecx, 1
          jne 1b
          faddp
          fistp qword ptr three[rip]
          mov eax, three[rip]
          ret`,
      },
      '.data\nthree: .quad 3',
    );
    const { measured } = compare(path, tree(), limitsInTurn());
    expect(measured.status).toBe(34);
  });

  it('rule 9: a context whose function moves to another stack stays open until it comes back', () => {
    const path = program(
      {
        inner: 'add rax, 1\nret',
        away: `mov rbx, rsp
          lea rsp, other[rip+4000]
          call inner
          mov rsp, rbx
          add rax, 1
          ret`,
        main: 'push rbx\ncall away\ncall inner\npop rbx\nret',
      },
      '.bss\nother: .skip 4096',
    );
    const { measured } = compare(path, { ...tree(), functions: ['inner', 'away'] }, limitsInTurn());
    expect(measured.run.calls[0].calls).toMatchObject([
      { instructions: 8, calls: [{ instructions: 2 }] },
      {},
    ]);
  });

  it('a jump to address 0 finds nothing there, not the program’s beginning', () => {
    const path = workshop.assemble(`.data
      entered: .quad 0
      .text
      .globl _start
      _start:
      mov edi, 7
      mov eax, 231
      cmp qword ptr entered[rip], 0
      je 1f
      syscall
      1: mov qword ptr entered[rip], 1
      xor eax, eax
      jmp rax`);
    expect(() => measureFast(path, [], { depth: 0, functions: [], chains: [] })).toThrow('signal 11');
  });

  it('rule 8: newly mapped memory was never written, not even when it lay there before', () => {
    const map = `mov eax, 9
      mov esi, 4096
      mov edx, 3
      mov r10d, 0x32
      mov r8, -1
      xor r9d, r9d
      mov edi, 0x11000000
      syscall`;
    const path = program({
      late: `imul rbx, rbx\nimul rbx, rbx\nimul rbx, rbx\nimul rbx, rbx\nmov edi, 0x11000000
        mov [rdi+8], rbx\nmov [rdi+17], bl\nadd rcx, [rdi+8]\nret`,
      again: `${map}\nadd rcx, [rdi+8]\nadd rcx, [rdi+16]\ncall late\n${map}\nadd rcx, [rdi+8]\nadd rcx, [rdi+16]\nret`,
      main: `push rbx\n${map}\ncall late\ncall again\ncall late\npop rbx\nret`,
    });
    compare(
      path,
      { depth: 3, functions: ['late', 'again'], chains: [RUN_CHAIN, 'again', 'late'] },
      limitsInTurn(),
    );
  });
});
