import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { compare, LIMITS, limitsInTurn } from './compare.ts';

/** Functions of several files, or of one name with several signatures: each has its own calls, whoever of them is open. */
describe.skipIf(isMissing('gcc', 'objcopy'))('functions that share a name', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  /** The functions whose names begin with another one's are given that one's. */
  function program(functions: Readonly<Record<string, string>>, name: string): string {
    const bodies = Object.entries(functions).map(([each, body]) => assemblyFunction(each, body));
    const path = workshop.assemble([START, ...bodies].join('\n'));
    const others = Object.keys(functions).filter((each) => each !== name && each.startsWith(name));
    // It refuses to give one name twice at a time.
    for (const each of others) execFileSync('objcopy', ['--redefine-sym', `${each}=${name}`, path]);
    return path;
  }

  const LOOP = (times: number, step: string) => `mov edx, ${times}\n1: ${step}\nsub edx, 1\njne 1b`;

  it('each is measured while another is open', () => {
    const path = program(
      {
        main: 'mov ebx, 5\n1: call work\nsub ebx, 1\njne 1b\ncall work.inner\nxor eax, eax\nret',
        work: `${LOOP(50, 'imul eax, eax, 3')}\ncall work.inner\ncall work.inner\n${LOOP(30, 'add eax, 5')}\nret`,
        'work.inner': `${LOOP(40, 'imul eax, eax, 7')}\nret`,
      },
      'work',
    );
    const question = { depth: 1, functions: ['work'], chains: ['work'] };
    const { measured } = compare(path, question, limitsInTurn());
    const named = measured.functions.filter(({ entry }) => measured.nameOf(entry) === 'work');
    expect(named).toMatchObject([{ calls: 5 }, { calls: 11, instructions: 11 * 122 }]);
  });

  it('each has its cycles in every thread', () => {
    const source = `
      #include <pthread.h>
      #include <sched.h>
      #define LOOP(times, factor) for (int i = 0; i < times; i++) x = x * factor + i;
      long __attribute__((noinline)) work_inner(long x) { LOOP(30, 3) return x; }
      long __attribute__((noinline)) work(long x) {
        x = work_inner(x);
        sched_yield();
        LOOP(10, 5)
        return x + work_inner(x);
      }
      static void *all(void *of) {
        long x = (long)of;
        for (int i = 0; i < 5; i++) { x = work(x); sched_yield(); x = work_inner(x); }
        return (void *)x;
      }
      int main(void) {
        pthread_t threads[3];
        for (long i = 0; i < 3; i++) pthread_create(threads + i, 0, all, (void *)i);
        all((void *)9);
        for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
        return 0;
      }`;
    const path = workshop.compile(source, ['-O1', '-static', '-pthread']);
    execFileSync('objcopy', ['--redefine-sym', 'work_inner=work', path]);
    const { measured } = compare(path, { depth: 1, functions: ['work'], chains: ['work'] }, [
      {},
      LIMITS[3],
      LIMITS[9],
    ]);
    const named = measured.functions.filter(({ entry }) => measured.nameOf(entry) === 'work');
    expect(named).toMatchObject([{ calls: 20 }, { calls: 60 }]);
    // A multiplication and an addition after the other, in each.
    for (const { calls, cycles } of named) expect(cycles / calls).toBeGreaterThan(60);
  });

  it.each([0, 2])(
    'each is measured while another is open on a stack that was left, in %i threads more',
    (many) => {
      const source = `
      #include <pthread.h>
      #include <stdlib.h>
      #include <ucontext.h>
      struct coroutine { ucontext_t own, other; char stack[16384]; long value; };
      #define LOOP(times, factor) for (int i = 0; i < times; i++) x = x * factor + i;
      long __attribute__((noinline)) work_inner(long x) { LOOP(5, 3) return x; }
      long __attribute__((noinline)) work(struct coroutine *c, long x) {
        LOOP(30, 7)
        swapcontext(&c->own, &c->other);
        LOOP(30, 5)
        return x;
      }
      static void generate(unsigned high, unsigned low) {
        struct coroutine *c = (void *)((unsigned long)high << 32 | low);
        for (;;) c->value = work(c, c->value);
      }
      static void *all(void *of) {
        struct coroutine *c = calloc(1, sizeof *c);
        long x = (long)of, at = (long)c;
        getcontext(&c->own);
        c->own.uc_stack.ss_sp = c->stack;
        c->own.uc_stack.ss_size = sizeof c->stack;
        makecontext(&c->own, (void (*)())generate, 2, (unsigned)(at >> 32), (unsigned)at);
        for (int i = 0; i < 3; i++) {
          swapcontext(&c->other, &c->own);
          x = work_inner(x + c->value);
        }
        return (void *)x;
      }
      int main(void) {
        pthread_t threads[${many + 1}];
        for (long i = 0; i < ${many}; i++) pthread_create(threads + i, 0, all, (void *)i);
        all((void *)9);
        for (int i = 0; i < ${many}; i++) pthread_join(threads[i], 0);
        return 0;
      }`;
      const path = workshop.compile(source, ['-O1', '-static', '-pthread']);
      execFileSync('objcopy', ['--redefine-sym', 'work_inner=work', path]);
      const question = { depth: 1, functions: ['work'], chains: ['work'] };
      const { measured } = compare(path, question, [{}, LIMITS[3], LIMITS[9]]);
      const named = measured.functions.filter(({ entry }) => measured.nameOf(entry) === 'work');
      expect(named.map(({ calls }) => calls)).toEqual([3 * (many + 1), 3 * (many + 1)]);
    },
  );

  it('three that call each other in a circle', () => {
    const path = program(
      {
        main: 'mov ebx, 9\ncall work\nmov ebx, 7\ncall work.b\nmov ebx, 4\ncall work.c\nxor eax, eax\nret',
        work: `${LOOP(5, 'imul eax, eax, 3')}\nsub ebx, 1\njle 2f\ncall work.b\n2: add eax, 1\nret`,
        'work.b': `${LOOP(7, 'add eax, 3')}\nsub ebx, 1\njle 2f\ncall work.c\ncall work.c\n2: add eax, 2\nret`,
        'work.c': `${LOOP(3, 'imul eax, eax, 5')}\nsub ebx, 1\njle 2f\ncall work\n2: add eax, 3\nret`,
      },
      'work',
    );
    compare(path, { depth: 2, functions: ['work', 'main'], chains: ['work'] }, limitsInTurn());
  });
});
