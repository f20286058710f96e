import type { Random } from './random.ts';

/** Functions of a program: each calls some behind it, and the last one, which handlers call, none. */
const COUNT = 7;
const LAST = COUNT - 1;
export const FUNCTIONS = Array.from({ length: COUNT }, (_, i) => `f${i}`);

/** By when it comes: the number of the system call that divides a process in two, and of the one by which a parent waits (0: it does not). */
export interface Forks {
  readonly divide: readonly number[];
  readonly wait: readonly number[];
}

/** What a program of several processes has besides: a function that divides them while there is one thread, and where main calls it. */
interface Divisions {
  readonly declared: string;
  readonly statements: readonly string[];
  readonly defined: string;
  readonly before: string;
  readonly after: string;
}

const NO_DIVISIONS: Divisions = { declared: '', statements: [], defined: '', before: '', after: '' };

/** rt_sigprocmask, which may stand for wait4, takes the size of a set as its fourth argument. */
const sizeFor = (number: number): number => (number === 14 ? 8 : 0);

const divisions = ({ divide, wait }: Forks): Divisions => ({
  declared: 'static long split(void);',
  statements: ['if (!split()) x += 3;'],
  defined: `
    static volatile int divided, alone = 1;
    static volatile long divide[] = { ${divide.join(', ')} };
    static volatile long wait[] = { ${wait.join(', ')} }, sizes[] = { ${wait.map(sizeFor).join(', ')} };
    static long __attribute__((noinline)) split(void) {
      if (!alone || divided >= ${divide.length}) return 0;
      int at = divided++;
      long who, done;
      __asm__ volatile("dividing: syscall" : "=a"(who) : "a"(divide[at]) : "rcx", "r11", "memory");
      if (who != 0 && wait[at] != 0) {
        register long size __asm__("r10") = sizes[at];
        __asm__ volatile("syscall" : "=a"(done) : "a"(wait[at]), "D"(-1L), "S"(0L), "d"(0L), "r"(size) : "rcx", "r11", "memory");
      }
      return who;
    }`,
  before: 'shared[4] = f0(5); all((void *)3); if (!split()) shared[4] += 3; alone = 0;',
  after: 'alone = 1; shared[5] = f0(5); if (!split()) shared[5] += 3; all((void *)4);',
});

/** A C program of threads with coroutines, whose functions call each other, give way, raise signals with handlers on either stack, and leave several calls at once; with forks, of several processes. */
export function randomMixture(random: Random, forks?: Forks): string {
  const divided = forks === undefined ? NO_DIVISIONS : divisions(forks);
  const threads = random.below(forks === undefined ? 4 : 3);
  // Main has more than one round of them then, and rule 9 has no more than four contexts of a depth on several stacks.
  const coroutines = forks === undefined ? 1 + random.below(3) : 1;
  const iterations = () =>
    forks !== undefined && random.chance(4) ? 40 + random.below(200) : 1 + random.below(12);
  const loop = () => `for (int i = 0; i < ${iterations()}; i++) x = x * ${random.pick([3, 5, 7])} + i;`;
  const share = () => `shared[x & 15] += x; x ^= shared[${random.below(16)}];`;
  const statement = (fn: number): string => {
    if (fn === LAST) return random.pick([loop, share])();
    const call = `x = f${fn + 1 + random.below(LAST - fn)}(x);`;
    return random.pick([
      () => call,
      () => call,
      loop,
      share,
      () => 'yield();',
      ...divided.statements.map((each) => () => each),
      () => 'if (x & 1) sched_yield();',
      () => 'if ((x & 7) == 3) raise(SIGUSR1);',
      () =>
        `{ jmp_buf place; jmp_buf *volatile before = self()->place; self()->place = &place; if (!setjmp(place)) ${call} self()->place = before; }`,
      () => 'if (self()->place && (x & 3) == 1) longjmp(*self()->place, 1);',
    ])();
  };
  const define = (name: string, fn: number) => `
    long __attribute__((noinline)) ${name}(long first) {
      volatile long x = first;
      ${Array.from({ length: 1 + random.below(4) }, () => statement(fn)).join('\n      ')}
      return x;
    }`;
  const root = () => `f${random.below(3)}`;
  const onStack = random.chance(2);
  return `
    #define _GNU_SOURCE
    #include <pthread.h>
    #include <sched.h>
    #include <setjmp.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <ucontext.h>
    struct coroutine { ucontext_t own, other; char stack[24576]; long value; jmp_buf *place; int is_over; };
    static __thread struct coroutine *coroutines, *now, outside;
    static long shared[16];
    static volatile long handled;
    static struct coroutine *__attribute__((noinline)) self(void) { return now ? now : &outside; }
    static void __attribute__((noinline)) yield(void) {
      struct coroutine *from = now;
      if (!from) return;
      now = 0;
      swapcontext(&from->own, &from->other);
    }
    ${FUNCTIONS.map((name) => `long ${name}(long);`).join(' ')}
    ${divided.declared}
    ${FUNCTIONS.map(define).join('')}
    ${divided.defined}
    static void handle(int signal) { handled = f${LAST}(handled & 0xff0) + signal; }
    static void generate(unsigned high, unsigned low) {
      struct coroutine *c = (void *)((unsigned long)high << 32 | low);
      for (int i = 0; i < 2; i++) { c->value = ${root()}(c->value + i); yield(); }
      c->is_over = 1;
    }
    static long __attribute__((noinline)) resume(struct coroutine *c) {
      if (c->is_over) return 1;
      now = c;
      swapcontext(&c->other, &c->own);
      now = 0;
      return c->value;
    }
    static void *all(void *of) {
      volatile long sum = (long)of;
      ${onStack ? 'stack_t given = { .ss_sp = malloc(65536), .ss_size = 65536 }; sigaltstack(&given, 0);' : ''}
      coroutines = calloc(${coroutines}, sizeof *coroutines);
      for (int i = 0; i < ${coroutines}; i++) {
        struct coroutine *c = coroutines + i;
        unsigned long at = (unsigned long)c;
        getcontext(&c->own);
        c->own.uc_stack.ss_sp = c->stack;
        c->own.uc_stack.ss_size = sizeof c->stack;
        c->own.uc_link = &c->other;
        c->value = i + sum;
        makecontext(&c->own, (void (*)())generate, 2, (unsigned)(at >> 32), (unsigned)at);
      }
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < ${coroutines}; i++) sum += resume(coroutines + (5 * i + round) % ${coroutines});
        sum += ${root()}(sum);
        ${random.pick(['', 'sched_yield();'])}
      }
      return (void *)sum;
    }
    int main(void) {
      struct sigaction action = { .sa_handler = handle, .sa_flags = SA_NODEFER${onStack ? ' | SA_ONSTACK' : ''} };
      sigaction(SIGUSR1, &action, 0);
      ${divided.before}
      pthread_t threads[${threads + 1}];
      for (long i = 0; i < ${threads}; i++) pthread_create(threads + i, 0, all, (void *)i);
      ${random.pick(['all((void *)7);', 'shared[3] = f1(9);'])}
      for (int i = 0; i < ${threads}; i++) pthread_join(threads[i], 0);
      ${divided.after}
      return shared[2] & 63;
    }`;
}
