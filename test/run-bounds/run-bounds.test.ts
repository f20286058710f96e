import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing } from '../measure/build.ts';
import { mainLoop, measure, Sources } from './bounded.ts';

const MAIN = `
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
enum { SIZE = 1000, TIMES = 40 };
double x[SIZE + 1], y[SIZE + 1], z[SIZE + 1];
double tridiagonal(void);
double dot(void);
double positive(void);
int main(void) {
  for (int i = 0; i <= SIZE; i++) { x[i] = 0.5; y[i] = i % 4 == 0 ? 1.5 : -0.25; z[i] = 0.75; }
  double sum = 0;
  for (int t = 0; t < TIMES; t++) sum += tridiagonal() + dot() + positive();
  printf("%g\\n", sum);
  return 0;
}
`;
const KERNELS = `
enum { SIZE = 1000, TIMES = 40 };
extern double x[], y[], z[];
double tridiagonal(void) {
  for (int i = 1; i < SIZE; i++)
    x[i] = z[i] * (y[i] - x[i - 1]);
  return x[SIZE - 1];
}
double dot(void) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += y[i] * z[i];
  return sum;
}
double positive(void) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++) {
    if (y[i] > 0) {
      z[i] = sum;
      sum += y[i] * 3;
    }
  }
  return sum;
}
`;

describe.skipIf(isMissing('gcc'))('bounds of a run', () => {
  const sources = new Sources();
  beforeAll(() => {
    sources.write('main.c', MAIN);
    sources.write('kernels.c', KERNELS);
    sources.build('gcc -g -O2 -static -o program main.c kernels.c');
    sources.build('gcc -O2 -static -o plain main.c kernels.c && strip -o stripped plain');
    sources.build('gcc -g -O2 -o dynamic main.c kernels.c');
    sources.build('gcc -g -O0 -static -o slow main.c kernels.c');
    sources.build('gcc -g -O3 -mno-fma -static -o fast main.c kernels.c');
  });
  afterAll(() => sources.remove());

  it('says of each loop where it is, how often it ran and what it takes', async () => {
    const { loops, bounds } = await sources.bound('./program');
    const loop = mainLoop(loops, 'tridiagonal');
    expect(loop).toMatchObject({
      file: 'kernels.c',
      line: 5,
      endLine: 6,
      depth: 1,
      entries: 40,
      iterations: 40 * 999,
      unroll: 1,
      class: 'compute-chain',
      essential: { fa: 1, fm: 1, fma: 0, loads: 2, stores: 1 },
      limits: { MACS: 'recurrence' },
    });
    expect(loop.runTime).toBe(loop.bounds.MACS * loop.iterations);
    expect(bounds.machine).toBe('zen5');
    expect(bounds.covered).toBeGreaterThan(0.9);
    const inLoops = loops.reduce((sum, each) => sum + each.runTime, 0);
    expect(bounds.runTime).toBeGreaterThanOrEqual(inLoops);
    expect(bounds.runTime).toBeLessThan(inLoops * 1.1);
    for (const each of loops) expect(each.share).toBeCloseTo(each.runTime / bounds.runTime, 3);
    expect(loops.map(({ runTime }) => runTime)).toEqual(
      loops.map(({ runTime }) => runTime).sort((a, b) => b - a),
    );
  });

  it('has M <= MA and MAC <= MACS, and gaps that are their differences', async () => {
    const { loops } = await sources.bound('./program');
    expect(loops.length).toBeGreaterThan(3);
    for (const { bounds, gaps } of loops) {
      if (bounds.M !== undefined) expect(bounds.M).toBeLessThanOrEqual(bounds.MA ?? 0);
      expect(bounds.MAC).toBeLessThanOrEqual(bounds.MACS);
      expect(gaps.S).toBeCloseTo(bounds.MACS - bounds.MAC, 4);
      expect(gaps.C).toBe(
        bounds.MA === undefined ? undefined : Math.round((bounds.MAC - bounds.MA) * 10_000) / 10_000,
      );
    }
  });

  it('weighs what a branch decides on by the run', async () => {
    const { loops } = await sources.bound('./program');
    // Every fourth element is positive: a product and a sum with it, a comparison in each iteration.
    const { essential, iterations } = mainLoop(loops, 'positive');
    expect(iterations).toBe(40_000);
    expect(essential?.stores).toBeCloseTo(0.25, 2);
    expect(essential?.fmisc).toBe(1);
  });

  it('counts iterations of a test at the top without the one that ends the loop', async () => {
    const { loops } = await sources.bound('./slow');
    expect(mainLoop(loops, 'dot')).toMatchObject({ iterations: 40_000, entries: 40 });
  });

  it('follows a value through memory by the addresses of the run', async () => {
    // Without optimisation every value goes through the stack: from one iteration to the next by store and load.
    const { loops } = await sources.bound('./slow');
    const { bounds, limits } = mainLoop(loops, 'dot');
    expect(limits.MAC).toBe('recurrence');
    expect(bounds.MAC).toBeGreaterThan(5);
    expect(mainLoop((await sources.bound('./program')).loops, 'dot').bounds.MAC).toBeLessThan(5);
  });

  it('counts entries of a loop that is left through calls which do not return', async () => {
    sources.write(
      'left.c',
      `#include <setjmp.h>
      jmp_buf place;
      volatile int x;
      __attribute__((noinline)) void leave(int i) { x += i; if (i == 17) longjmp(place, 1); }
      __attribute__((noinline)) void work(int times) { if (!setjmp(place)) for (int i = 0; i < times; i++) leave(i); }
      int main(void) { for (int i = 0; i < 10; i++) work(40); return 0; }`,
    );
    for (const level of ['-O0', '-O2']) {
      sources.build(`gcc -g ${level} -static -o left left.c`);
      const { loops } = await sources.bound('./left');
      expect(mainLoop(loops, 'work')).toMatchObject({ entries: 10, iterations: 180 });
    }
  });

  it('gives vectorised loops per iteration of the source', async () => {
    const { loops } = await sources.bound('./fast');
    const vectors = loops.filter(({ function: name, unroll }) => name === 'main' && unroll > 1);
    for (const { iterations } of loops) expect(Number.isInteger(iterations)).toBe(true);
    expect(vectors.length + loops.filter(({ unroll }) => unroll > 1).length).toBeGreaterThan(0);
  });

  it('is the same, byte for byte, each time', async () => {
    const [first, second] = [await sources.bound('./program'), await sources.bound('./program')];
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  });

  it('changes nothing else of the profile', async () => {
    const silent = { stdout: () => {}, stderr: () => {} };
    const { bounds: _, ...plain } = { ...sources.request('./program'), depth: 2 };
    const without = await measure(plain, silent);
    const { profile } = await measure({ ...sources.request('./program'), depth: 2 }, silent);
    const { loops: __, bounds: ___, ...rest } = profile!;
    expect(rest).toEqual(without.profile);
  });

  it('names functions without debug information, and says what is missing', async () => {
    const { loops } = await sources.bound('./plain');
    const { bounds, file, notes } = mainLoop(loops, 'tridiagonal');
    expect([bounds.M, bounds.MA, file]).toEqual([undefined, undefined, undefined]);
    expect(bounds.MACS).toBeGreaterThan(5);
    expect(notes).toContain('M and MA are not known: its code has no source lines');
  });

  it('finds the same loops in a stripped program, by address', async () => {
    const stripped = (await sources.bound('./stripped')).loops;
    const { loops } = await sources.bound('./plain');
    expect(stripped[0].function).toMatch(/^stripped\+0x[0-9a-f]+$/);
    expect(stripped.slice(0, 3).map(({ iterations }) => iterations)).toEqual(
      loops.slice(0, 3).map(({ iterations }) => iterations),
    );
  });

  it('names loops of libraries by module and function', async () => {
    sources.write(
      'long.c',
      '#include <string.h>\nstatic char text[70000]; int main(void) { memset(text, 97, 69999); int n = 0; for (int i = 0; i < 20; i++) n += strlen(text + i); return n == 0; }',
    );
    sources.build('gcc -O1 -fno-builtin -o long long.c');
    const { loops } = await sources.bound('./long');
    const library = loops.filter(({ address }) => address.startsWith('libc.so.6+0x'));
    expect(library.length).toBeGreaterThan(0);
    expect(library[0].class).toBeDefined();
  });

  it('has a program without a loop', async () => {
    sources.write('none.c', 'void _start(void) { __asm__("mov $60, %eax; xor %edi, %edi; syscall"); }');
    sources.build('gcc -nostdlib -static -o none none.c');
    const { loops, bounds } = await sources.bound('./none');
    expect(loops).toEqual([]);
    expect(bounds.covered).toBe(0);
    expect(bounds.runTime).toBeGreaterThan(0);
  });

  it('is that of the last program, whatever the process was before', async () => {
    sources.write(
      'again.c',
      `#include <unistd.h>
      volatile long x = 1;
      __attribute__((noinline)) void work(long times) { for (long i = 0; i < times; i++) x = x * 3 + 1; }
      int main(int count, char **arguments) {
        if (count == 1) {
          work(1000);
          execl(arguments[0], arguments[0], "again", (char *)0);
        }
        work(3000);
        work(1500);
        return 0;
      }`,
    );
    sources.build('gcc -g -O2 -o again again.c');
    const { loops, bounds } = await sources.bound('./again');
    expect(mainLoop(loops, 'work')).toMatchObject({ entries: 2, iterations: 4500 });
    const alone = await sources.bound('./again', ['again']);
    expect({ loops, bounds }).toEqual({ loops: alone.loops, bounds: alone.bounds });
  });

  it('says how much ran in code that is in no file', async () => {
    // add ecx, edi; dec edi; jnz: a loop that the program writes itself.
    sources.write(
      'made.c',
      `#include <sys/mman.h>
      #include <string.h>
      int main(void) {
        unsigned char code[] = { 0x31, 0xc0, 0x01, 0xf8, 0xff, 0xcf, 0x75, 0xfa, 0xc3 };
        void *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memcpy(at, code, sizeof code);
        return ((int (*)(int))at)(1000000) == 0;
      }`,
    );
    sources.build('gcc -O1 -static -o made made.c');
    const { bounds, notes } = await sources.bound('./made');
    expect(notes.join()).toMatch(/9\d\.\d % of the instructions are in code that is in no file/);
    expect(bounds.covered).toBeLessThan(0.1);
  });

  it('says that a source was changed since the program was built', async () => {
    const changed = new Sources();
    changed.write('main.c', MAIN);
    changed.write('kernels.c', KERNELS);
    changed.build('gcc -g -O2 -static -o program main.c kernels.c');
    changed.write('kernels.c', 'int nothing;\n');
    const { loops } = await changed.bound('./program');
    expect(mainLoop(loops, 'dot').notes).toContain(
      'M and MA are not known: kernels.c ends before line 11, so it was changed after the program was built',
    );
    changed.remove();
  });

  it('reads no source outside of the directory', async () => {
    const outside = new Sources();
    outside.write('kernels.c', KERNELS);
    outside.write('main.c', MAIN);
    outside.build('mkdir inside && gcc -g -O2 -static -o inside/program main.c kernels.c');
    outside.build('ln -s ../kernels.c inside/kernels.c');
    const request = outside.request('./program');
    const inside = `${outside.directory}/inside`;
    const { profile } = await measure(
      { ...request, workingDirectory: inside, sourceRoot: inside },
      { stdout: () => {}, stderr: () => {} },
    );
    expect(mainLoop(profile!.loops!, 'dot').bounds.MA).toBeUndefined();
    outside.remove();
  });

  it('bounds every loop of a function that is named, however little it does', async () => {
    const { loops } = await sources.bound('./program', [], ['__libc_start_main', 'strlen', 'main']);
    expect(loops.some((loop) => loop.function === 'main')).toBe(true);
  });
});
