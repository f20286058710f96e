import { afterAll, describe, expect, it } from 'vitest';
import { type AddressOrigin, loadAddresses } from '../../src/analysis/macs/load-addresses.ts';
import { accessPatterns, memoryDependences } from '../../src/analysis/macs/memory-dependences.ts';
import { decodeBlock } from '../../src/x86/block.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { NaiveTraces, tracesOf } from './traces.ts';

const FLAGS = ['-ffreestanding', '-fno-stack-protector', '-nostdlib', '-static', '-fno-tree-vectorize'];
const START = `
void exit_with(int status) {
  __asm__ volatile ("syscall" : : "a" (231), "D" (status) : "rcx", "r11", "memory");
  __builtin_unreachable();
}
__attribute__((force_align_arg_pointer)) void _start(void) { setup(); kernel(); exit_with(0); }
`;
const OWN = /^(kernel|work|move)$/;
const ARRAYS = `
#define N 200
#define KERNEL __attribute__((noinline)) void
double x[N], y[N], z[N], w[N], b[N][N];
static unsigned seed = 7;
static unsigned next(void) { return seed = seed * 1664525u + 1013904223u; }
static void setup(void) { for (int i = 0; i < N; i++) { x[i] = y[i] = z[i] = 1.0 / (1 + next() % 100); } }
`;

describe.skipIf(isMissing('gcc'))('dependences through memory, from the addresses that a run used', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  /** The hottest loop of a program that has no loop inside, with what its sampled iterations did. */
  const look = (kernel: string, flags: readonly string[], setup = ARRAYS) => {
    const program = workshop.compile(`${setup}\n${kernel}\n${START}`, [...FLAGS, ...flags]);
    const naive = new NaiveTraces(program);
    const loops = naive.loops().filter(({ start }) => OWN.test(naive.functionAt(start) ?? ''));
    const inner = loops.filter(
      (loop) => !loops.some(({ start, end }) => start > loop.start && end <= loop.end && start < loop.end),
    );
    const [loop] = inner.sort((a, b) => naive.executions(b.header) - naive.executions(a.header));
    const [trace] = tracesOf(program, [
      { header: loop.header, body: [loop], occurrences: [0, 100], iterations: 64, instructions: 100_000 },
    ]);
    const found = memoryDependences(trace);
    const carried = found.filter(({ distance }) => distance > 0);
    const decoded = decodeBlock(naive.bytes(loop.start, loop.end)).instructions;
    let address = loop.start;
    const instructions = decoded.map((instruction) => {
      const at = address;
      address += instruction.length;
      return { ...instruction, address: at };
    });
    const origins = loadAddresses(instructions, found);
    const originOf = (load: number): AddressOrigin | undefined => origins.get(load);
    return { trace, found, carried, patterns: accessPatterns(trace), origins, originOf };
  };

  const LFK5 = 'KERNEL kernel(void) { for (int i = 1; i < N; i++) x[i] = z[i] * (y[i] - x[i - 1]); }';
  const LFK5_POINTERS = `KERNEL work(double *p, const double *q, const double *a, const double *c, long n)
    { for (long i = 0; i < n; i++) p[i] = a[i] * (c[i] - q[i]); }
    KERNEL kernel(void) { work(x + 1, x, z + 1, y + 1, N - 1); }`;

  it.each([
    ['-O2', LFK5],
    ['-O2', LFK5_POINTERS],
    ['-O1', LFK5_POINTERS],
    ['-O0', LFK5],
    ['-O0', LFK5_POINTERS],
  ])('Livermore kernel 5 at %s: x[i - 1] comes from the iteration before', (level, kernel) => {
    const { carried, patterns } = look(kernel, [level]);
    const [x] = carried.filter(({ load }) =>
      patterns.some(({ instruction, stride }) => instruction === load && stride === 8),
    );
    expect(x).toMatchObject({ distance: 1, share: 1, covers: true });
    expect(
      patterns.find(({ instruction, kind }) => instruction === x.store && kind === 'store'),
    ).toMatchObject({
      stride: 8,
    });
  });

  it('gcc -O3 keeps x[i - 1] of kernel 5 in a register where it sees the array', () => {
    const { carried } = look(LFK5, ['-O3']);
    expect(carried).toEqual([]);
  });

  it('kernel 6: the sum in w[i] is carried through memory where the compiler leaves it there', () => {
    const kernel = `KERNEL kernel(void)
      { for (int i = 1; i < 40; i++) for (int k = 0; k < i; k++) w[i] += b[k][i] * w[i - k - 1]; }`;
    const { carried, patterns } = look(kernel, ['-O0']);
    const sums = carried.filter(({ store, load }) => store !== load && isStride(patterns, store, 0));
    expect(sums.some(({ distance, share }) => distance === 1 && share === 1)).toBe(true);
    // The elements of b are one row apart.
    expect(patterns.some(({ kind, stride }) => kind === 'load' && stride === 8 * 200)).toBe(true);
  });

  it('kernel 19: stb5 through memory at -O0, through a register at -O2', () => {
    const kernel = `double stb5 = 0.5;
      KERNEL kernel(void) { for (int k = 0; k < N; k++) { w[k] = x[k] + stb5 * y[k]; stb5 = w[k] - stb5; } }`;
    const { carried } = look(kernel, ['-O0']);
    expect(carried.filter(({ covers, share }) => covers && share === 1).length).toBeGreaterThanOrEqual(2);
    const optimised = look(kernel, ['-O2']);
    expect(optimised.carried.filter(({ distance }) => distance > 1)).toEqual([]);
  });

  it('a histogram has no distance of its own, and its counters are found by a load', () => {
    const setup = `
      #define KERNEL __attribute__((noinline)) void
      unsigned char keys[4000]; int counts[256];
      static void setup(void) { unsigned s = 7; for (int i = 0; i < 4000; i++) { s = s * 1664525u + 1013904223u; keys[i] = s >> 24; } }`;
    const { carried, patterns, originOf } = look(
      'KERNEL kernel(void) { for (int i = 0; i < 4000; i++) counts[keys[i]]++; }',
      ['-O2'],
      setup,
    );
    expect(carried).toEqual([]);
    const counter = patterns.find(({ kind }) => kind === 'store')!;
    expect(counter.stride).toBeUndefined();
    expect(originOf(counter.instruction)).toBe('loaded');
    const key = patterns.find(({ kind, size }) => kind === 'load' && size === 1)!;
    expect(key.stride).toBe(1);
    expect(originOf(key.instruction)).toBe('computed');
  });

  it.each([1, 3, 8])('a copy onto itself, %d elements on', (distance) => {
    const kernel = `KERNEL move(long *to, const long *from, long n)
      { for (long i = 0; i < n; i++) { to[i] = from[i]; __asm__ volatile ("" : : : "memory"); } }
      long area[300];
      KERNEL kernel(void) { move(area + ${distance}, area, 250); }`;
    const { found } = look(kernel, ['-O2']);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ distance, share: 1, covers: true });
  });

  it('bytes that are stored one by one do not cover the word that is loaded', () => {
    const kernel = `unsigned char bytes[8]; unsigned long sum;
      KERNEL kernel(void) {
        for (int i = 0; i < 200; i++) {
          for (int k = 0; k < 8; k++) ((volatile unsigned char *) bytes)[k] = i + k;
          sum += *(volatile unsigned long *) bytes;
        }
      }`;
    const { found } = look(kernel, ['-O2', '-funroll-loops']);
    expect(found).toContainEqual(expect.objectContaining({ distance: 0, share: 1, covers: false }));
  });

  it('spills in a loop are dependences of the iteration', () => {
    const kernel = `KERNEL kernel(void) {
      for (int i = 1; i < N; i++) {
        double a = x[i] * y[i] + z[i], c = a * y[i];
        __asm__ volatile ("" : : : "xmm0","xmm1","xmm2","xmm3","xmm4","xmm5","xmm6","xmm7","xmm8","xmm9","xmm10","xmm11","xmm12","xmm13","xmm14","xmm15");
        w[i] = a + c;
      }
    }`;
    const { found } = look(kernel, ['-O2']);
    const spills = found.filter(({ distance }) => distance === 0);
    expect(spills.length).toBeGreaterThanOrEqual(1);
    expect(spills.every(({ share, covers }) => share === 1 && covers)).toBe(true);
  });

  it('a list is chased', () => {
    const setup = `
      #define KERNEL __attribute__((noinline)) void
      struct node { struct node *next; long value; } nodes[400]; long sum;
      static void setup(void) { for (int i = 0; i < 400; i++) { nodes[i].next = i < 399 ? &nodes[(i * 7 + 5) % 400] : 0; nodes[i].value = i; } }`;
    const kernel =
      'KERNEL kernel(void) { long n = 0, s = 0; for (struct node *p = nodes; p && n < 300; p = p->next, n++) s += p->value; sum = s; }';
    for (const level of ['-O2', '-O0']) {
      const { origins } = look(kernel, [level], setup);
      expect([...origins.values()]).toContain('chased');
    }
    expect([...look(LFK5_POINTERS, ['-O2']).origins.values()]).toEqual(['computed', 'computed', 'computed']);
  });
});

function isStride(patterns: ReturnType<typeof accessPatterns>, store: number, stride: number): boolean {
  return patterns.some(
    (each) => each.instruction === store && each.kind === 'store' && each.stride === stride,
  );
}
