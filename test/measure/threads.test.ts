import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { compare, LIMITS } from './compare.ts';
import { statisticsOf } from './look.ts';
import { joinAll, startAll, THREAD_FUNCTIONS, threadData } from './random-threads.ts';

describe.skipIf(isMissing('gcc'))('threads', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const program = (functions: Readonly<Record<string, string>>, threads: number) =>
    workshop.assemble(
      [
        threadData(threads),
        'x: .skip 8\ny: .skip 8\nz: .skip 8',
        '.text',
        START,
        THREAD_FUNCTIONS,
        ...Object.entries(functions).map(([name, body]) => assemblyFunction(name, body)),
      ].join('\n'),
    );
  const YIELD = '\n  mov eax, 24\n  syscall\n';
  const question = { depth: 3, functions: ['worker'], chains: [RUN_CHAIN, 'worker'] };

  it('rule 9: a thread that gets no thread-local storage begins with what is called first, others with what that calls', () => {
    const source = `
      #define _GNU_SOURCE
      #include <pthread.h>
      #include <sched.h>
      static char stack[65536] __attribute__((aligned(16)));
      static volatile int left = 1, done;
      static void __attribute__((noinline)) inner(void) { done++; }
      static void (*volatile pointer)(void) = inner;
      int __attribute__((noinline)) bare(void *unused) { inner(); pointer(); inner(); return 0; }
      void *__attribute__((noinline)) full(void *unused) { inner(); pointer(); inner(); return 0; }
      int main(void) {
        pthread_t thread;
        clone(bare, stack + 65536, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID, 0, 0, 0, &left);
        while (left) sched_yield();
        pthread_create(&thread, 0, full, 0);
        pthread_join(thread, 0);
        return done != 6;
      }`;
    const path = workshop.compile(source, ['-O1', '-static', '-pthread']);
    const { measured, naive } = compare(path, { depth: 3, functions: ['bare', 'full'], chains: [] }, [{}]);
    const names = measured.threads!.map(({ entry }) => entry && naive.code.nameAt(entry));
    expect(names.slice(1)).toEqual(['bare', 'full']);
    for (const name of ['bare', 'full']) {
      const calls = measured.run.calls.filter(({ entry }) => naive.code.nameAt(entry) === name);
      expect(calls.map(({ calls: { length } }) => length)).toEqual([3]);
    }
  });

  it('rule 9: on a stack that was given to a thread with its size room of any size is made and left at once', () => {
    const source = `
      #include <pthread.h>
      #include <setjmp.h>
      jmp_buf place;
      void roomy(int depth);
      __asm__("roomy: push %rbp; mov %rsp, %rbp; lea -50000(%rsp), %rax; mov %rax, %rsp; sub $1, %edi; js 1f; call roomy;"
              "leave; ret; 1: lea place(%rip), %rdi; mov $1, %esi; call longjmp; .type roomy, @function; .size roomy, .-roomy");
      static volatile int count;
      void *__attribute__((noinline)) work(void *unused) {
        for (volatile int i = 0; i < 2; i++) {
          if (!_setjmp(place)) roomy(2);
          for (int j = 0; j < 100; j++) count++;
        }
        return 0;
      }
      int main(void) {
        pthread_t thread;
        work(0);
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
        return count != 400;
      }`;
    const path = workshop.compile(source, ['-O1', '-static', '-pthread', '-fcf-protection=none']);
    const { measured, naive } = compare(path, { depth: 5, functions: ['roomy'], chains: [] }, [
      {},
      LIMITS[3],
    ]);
    type Call = (typeof measured.run.calls)[number];
    const named = (name: string, calls: readonly Call[]): readonly Call[] =>
      calls.flatMap((call) => (naive.code.nameAt(call.entry) === name ? [call] : named(name, call.calls)));
    const shape = (call: Call): unknown => [call.instructions, named('roomy', call.calls).map(shape)];
    const [inMain, inThread] = named('work', measured.run.calls);
    expect(named('roomy', inThread.calls)).toHaveLength(2);
    expect(shape(inThread)).toEqual(shape(inMain));
  });

  it('rule 1: behind a system call nothing is executed before it is the thread’s turn again', () => {
    // What comes next is another function, what nobody can execute, or nothing.
    const source = `
      #define _GNU_SOURCE
      #include <sched.h>
      #include <linux/futex.h>
      static char stacks[3][65536] __attribute__((aligned(16)));
      static volatile int left[3] = { 1, 1, 1 }, word, done;
      void give_way(void), awaits(volatile int *word, int value);
      void leave_for_ever(int status) __attribute__((noreturn));
      __asm__(
        ".text; .type give_way, @function; give_way: mov $24, %eax; syscall; .size give_way, .-give_way;"
        ".type behind, @function; behind: lea 1(%rax), %rax; lea 1(%rax), %rax; ret; .size behind, .-behind;"
        ".type awaits, @function; awaits: mov %esi, %edx; xor %esi, %esi; xor %r10d, %r10d; mov $202, %eax; syscall; .size awaits, .-awaits;"
        ".type woken, @function; woken: lea 3(%rax), %rax; ret; .size woken, .-woken;"
        ".type wakes, @function; wakes: mov $1, %esi; mov $100, %edx; mov $202, %eax; syscall; ret; .size wakes, .-wakes;"
        ".section last, \\"ax\\", @progbits; .p2align 12; .skip 4096 - 7, 0x90;"
        ".type leave_for_ever, @function; leave_for_ever: mov $60, %eax; syscall; .size leave_for_ever, .-leave_for_ever; .text");
      void wakes(volatile int *word);
      int __attribute__((noinline)) work(void *index) {
        for (int i = 0; i < 14; i++) {
          give_way();
          if (index == (void *)2) { word++; wakes(&word); } else if (i % 4 == 0) { int seen = word; if (seen < 14) awaits(&word, seen); }
        }
        done++;
        leave_for_ever(0);
      }
      int main(void) {
        for (long i = 0; i < 3; i++)
          clone(work, stacks[i] + 65536, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID, (void *)i, 0, 0, &left[i]);
        while (left[0] | left[1] | left[2]) give_way();
        return done != 3;
      }`;
    const path = workshop.compile(source, ['-O1', '-static', '-pthread']);
    const functions = ['behind', 'woken', 'work'];
    const { measured } = compare(path, { depth: 3, functions, chains: [] }, LIMITS);
    expect(measured.threads).toHaveLength(4);
  });

  it('rule 9: other threads’ instructions count and cost nothing in a call, but pass dependences on', () => {
    const path = program(
      {
        worker: `
  mov rax, x[rip]
  add rax, 1
  add rax, 1
  mov x[rip], rax ${YIELD}
  mov rcx, y[rip]
  add rcx, 1
  mov z[rip], rcx
  ret`,
        main: `
  mov ebx, 5
  mov x[rip], rbx
  ${startAll(['worker'])} ${YIELD}
  mov rbx, x[rip]
  add rbx, 1
  add rbx, 1
  mov y[rip], rbx ${YIELD}
  ${joinAll(['worker'])}
  xor eax, eax
  ret`,
      },
      1,
    );
    const { measured, naive } = compare(path, question, [{}, LIMITS[3], LIMITS[9]]);
    const [main, worker] = measured.run.calls;
    // 1, 2, 3 and 4 for x; the main thread takes it to y for nothing; 5, 6, 7 for z. The call of the kernel is the ninth and
    // tenth instruction, at 1 and 2.
    expect(worker).toMatchObject({ instructions: 10, cycles: 7, calls: [] });
    expect(naive.code.nameAt(worker.entry)).toBe('worker');
    expect(measured.threads!.map(({ instructions }) => instructions)).toEqual([
      measured.run.instructions - measured.threads![1].instructions,
      measured.threads![1].instructions,
    ]);
    expect(main.instructions).toBeLessThan(measured.run.instructions - worker.instructions);
    const [chain] = measured.chains.filter(({ entry }) => entry === worker.entry);
    expect(chain.length).toBe(7);
    expect(chain.links.map(({ address }) => address - worker.entry)).toEqual([0, 7, 11, 15, 29, 36, 40]);
  });

  it('rule 1: threads that are ready take turns of a fixed number of instructions', () => {
    const count = (place: string) => `
  mov ecx, 300
1:
  mov rax, z[rip]
  mov ${place}[rip], rax
  add qword ptr z[rip], 1
  dec ecx
  jnz 1b
  ret`;
    const path = program(
      {
        worker: count('x'),
        other: count('y'),
        main: `${startAll(['worker', 'other'])}${joinAll(['worker', 'other'])}
  mov rdi, x[rip]
  sub rdi, y[rip]
  shr rdi, 3
  mov eax, 231
  syscall`,
      },
      2,
    );
    const statuses = [1, 2, 700].map(
      (quantum) => compare(path, question, [{}, { hotEntries: 1, warmEntries: 1 }], [], quantum).naive.status,
    );
    // What is left at the end tells when the threads changed places.
    expect(new Set(statuses).size).toBeGreaterThan(1);
  });

  it('calls of one function in several threads are numbered in the order in which they begin', () => {
    const path = program(
      {
        leaf: `${YIELD}\n  add rax, 1\n  add rax, 1\n  ret`,
        worker: '\n  call leaf\n  call leaf\n  ret',
        main: `${startAll(['worker', 'worker', 'worker'])}\n  call leaf ${joinAll(['a', 'b', 'c'])}\n  xor eax, eax\n  ret`,
      },
      3,
    );
    const { measured, naive } = compare(
      path,
      { depth: -1, functions: ['leaf'], chains: ['leaf', 'worker'] },
      [{}, LIMITS[3], LIMITS[9]],
      [],
      3,
    );
    const leaf = measured.functions.find(({ entry }) => naive.code.nameAt(entry) === 'leaf');
    expect(leaf).toMatchObject({ calls: 7 });
  });

  it('chains of short calls in different threads share a pass', () => {
    const path = program(
      {
        leaf: '\n  mov rax, x[rip]\n  add rax, 1\n  imul rax, rax\n  mov x[rip], rax\n  ret',
        other: '\n  mov rcx, x[rip]\n  add rcx, 2\n  mov y[rip], rcx\n  ret',
        worker: `\n  call other ${YIELD}\n  mov rax, y[rip]\n  ret`,
        main: `\n  call leaf ${startAll(['worker'])} ${YIELD} ${joinAll(['worker'])}\n  xor eax, eax\n  ret`,
      },
      1,
    );
    const names = ['leaf', 'other'];
    compare(path, { depth: 3, functions: names, chains: names }, [{}, LIMITS[3], LIMITS[9]]);
    const { passes, observation } = statisticsOf(path, {}, names);
    expect(passes.at(-1)!.what).toBe('the chains of 2 calls, of leaf, other');
    expect(observation.chains.map(({ length }) => length > 1)).toEqual([true, true]);
  });

  it('threads of which each begins when the one before has ended share a pass', () => {
    const one = `${startAll(['worker'])}\n  call leaf ${joinAll(['worker'])}\n  call leaf`;
    const path = program(
      {
        leaf: '\n  mov rax, x[rip]\n  add rax, 1\n  add rax, 1\n  mov x[rip], rax\n  ret',
        worker: `\n  call leaf ${YIELD}\n  call leaf\n  ret`,
        main: `${one}${one}${one}${startAll(['worker', 'worker'])}${joinAll(['a', 'b'])}${one}\n  xor eax, eax\n  ret`,
      },
      2,
    );
    const asked = { depth: 3, functions: ['leaf'], chains: ['leaf'] };
    const { measured } = compare(path, asked, [{}, LIMITS[3], LIMITS[9]]);
    expect(measured.threads).toHaveLength(7);
    // The run with the first one's calls; those of the others, of which two run at a time, and the first one as a whole.
    expect(statisticsOf(path, {}).passes.map(({ what }) => what)).toEqual([
      'calls of depth 0 to 3, 32 bits a step',
      'threads 1 2 3 4 6 at depth 0 to 2, thread 0 as a whole, 32 bits a step',
      'thread 5 at depth 0 to 2, 32 bits a step',
    ]);
  });

  it('threads that run at the same time share a pass as far as there are lanes for their depths', () => {
    const path = program(
      {
        inner: '\n  mov rax, x[rip]\n  add rax, 1\n  imul rax, rax\n  mov x[rip], rax\n  ret',
        shallow: `\n  mov rax, x[rip] ${YIELD}\n  add rax, 3 ${YIELD}\n  mov y[rip], rax\n  ret`,
        // It begins before the others and ends behind them.
        long: `\n  mov rcx, x[rip] ${YIELD} ${YIELD} ${YIELD}\n  add rcx, 3\n  mov z[rip], rcx ${YIELD} ${YIELD}\n  ret`,
        deep: `\n  call inner ${YIELD}\n  call inner\n  ret`,
        main: `\n  call inner ${startAll(['long', 'shallow', 'deep', 'shallow'])} ${YIELD}\n  call inner ${joinAll(['a', 'b', 'c', 'd'])}\n  mov rax, y[rip]\n  add z[rip], rax\n  xor eax, eax\n  ret`,
      },
      4,
    );
    const asked = { depth: 3, functions: ['inner', 'shallow', 'long'], chains: ['shallow'] };
    const { measured } = compare(path, asked, [{}, ...LIMITS]);
    expect(measured.threads!.map(({ cycles }) => cycles)).not.toContain(undefined);
    const four = [
      'thread 3 at depth 0 to 2, thread 0 as a whole',
      'thread 1 at depth 0 to 1, thread 4 at depth 0 to 1',
    ];
    expect(statisticsOf(path, {}).passes.map(({ what }) => what)).toEqual([
      'calls of depth 0 to 3, 32 bits a step',
      ...[...four, 'thread 2 at depth 0 to 1'].map((what) => `${what}, 32 bits a step`),
    ]);
  });

  it('of calls that take as many cycles in several threads the one that begins first is the longest, which may end last', () => {
    const path = program(
      {
        // More cycles than its waiting takes.
        same: `
  mov r10, rdi ${'\n  add r10, 1'.repeat(100)}
1:
  test r15d, r15d
  jz 2f
  ${YIELD}
  dec r15d
  jmp 1b
2:
  ret`,
        early: '\n  push r15\n  mov r15d, 8\n  call same\n  pop r15\n  ret',
        late: '\n  push r15\n  xor r15d, r15d\n  call same\n  pop r15\n  ret',
        main: `${startAll(['early', 'late', 'late'])} ${joinAll(['a', 'b', 'c'])}\n  xor eax, eax\n  ret`,
      },
      3,
    );
    compare(path, { depth: 3, functions: ['same'], chains: ['same'] }, [{}, LIMITS[3], LIMITS[9]]);
    const { measured } = compare(path, { depth: 3, functions: [], chains: [] }, [{}, LIMITS[3], LIMITS[9]]);
    const { calls, cycles, longest } = measured.functions.find(
      ({ entry }) => measured.nameOf(entry) === 'same',
    )!;
    expect({ cycles, longest }).toMatchObject({ cycles: calls * longest.cycles, longest: { index: 0 } });
    // It waits, and so has more instructions than the others.
    expect(longest.instructions).toBeGreaterThan(100);
  });

  const WAIT_FOR_EVER = `
  mov eax, 202
  lea rdi, z[rip]
  xor esi, esi
  xor edx, edx
  xor r10d, r10d
  syscall`;

  it.each([
    ['is ready', YIELD],
    ['has not begun', ''],
  ])(
    'rule 8: what a signal to a thread that %s writes has the c of its own last instruction',
    (_, before) => {
      const path = program(
        {
          handler: `${'\n  add rdi, 1'.repeat(5)}\n  mov y[rip], rdi\n  ret`,
          restorer: '\n  mov eax, 15\n  syscall',
          // Of SIGUSR1, with SA_SIGINFO and SA_RESTORER.
          action: '.quad handler, 0x04000004, restorer, 0',
          worker: `
1: ${YIELD}
  mov rax, y[rip]
  test rax, rax
  jz 1b
  ret`,
          // The call that lets the thread run comes after 100 additions of which its number is made.
          main: `
  mov eax, 13
  mov edi, 10
  lea rsi, action[rip]
  xor edx, edx
  mov r10d, 8
  syscall
  ${startAll(['worker'])}
  mov r12d, eax ${before}
  mov eax, 39
  syscall
  mov edi, eax
  mov esi, r12d
  mov edx, 10
  mov eax, 234
  syscall
  xor eax, eax ${'\n  add rax, 1'.repeat(100)}
  sub rax, 76
  syscall
  ${joinAll(['worker'])}
  mov rax, y[rip]
  sub rax, 15
  ret`,
        },
        1,
      );
      const { measured } = compare(path, question, [{}, LIMITS[3], LIMITS[9]]);
      expect(measured.status).toBe(0);
      // xor, 100 additions, the subtraction and the call; the thread's handler waits for none of them.
      expect(measured.run.cycles).toBe(103);
    },
  );

  it.each([
    ['end', '', joinAll(['worker'])],
    ['wait until the run is over', WAIT_FOR_EVER, YIELD],
  ])('a pass for the calls of threads goes on until they %s', (_, end, join) => {
    const one = `${startAll(['worker'])}\n  call leaf ${YIELD} ${join}`;
    const path = program(
      {
        leaf: '\n  mov rax, x[rip]\n  add rax, 1\n  mov x[rip], rax\n  ret',
        // So deep that there is no lane for the first thread.
        outer: '\n  call leaf\n  ret',
        worker: `\n  call outer ${YIELD}\n  call leaf ${end}\n  ret`,
        main: `${one}
  mov ecx, 60000
1:
  add x[rip], rcx
  dec ecx
  jnz 1b
  call leaf
  mov eax, 231
  xor edi, edi
  syscall`,
      },
      1,
    );
    const { measured } = compare(path, { depth: 3, functions: ['leaf'], chains: [] }, [
      {},
      LIMITS[3],
      LIMITS[9],
    ]);
    expect(measured.threads!.map(({ cycles }) => cycles)).not.toContain(undefined);
    const passes = statisticsOf(path, {}).passes.map(({ instructions }) => instructions);
    const [whole, ofThreads, ofFirst] = passes;
    expect(passes).toHaveLength(3);
    expect(ofFirst).toBe(whole);
    expect(ofThreads).toBeLessThan(whole - 100_000);
  });
});
