import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Failure } from '../base/failure.ts';
import { haveTools } from '../elf/fixtures/tools.ts';
import { imageTools } from '../host/image-tools.ts';
import { builtInMachine } from '../machines/catalog.ts';
import { type BoundLoop, boundObject, type ObjectBounds, objectJson } from './object-bounds.ts';

/** What the loops below are is known from their source; each function's name says what it is for. */
const SOURCE = `
double x[1000], y[1000], z[1000], b[64][64], q, r, t;
int n;
extern double outside(double);
void single(void) { for (int k = 0; k < 990; k++) x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]); }
void nested(void) {
  for (int i = 1; i < 64; i++)
    for (int k = 0; k < i; k++)
      x[i] += b[k][i] * y[i - k - 1];
}
void carried(int from, int to) { for (int i = from; i < to; i++) x[i] = z[i] * (y[i] - x[i - 1]); }
void calling(void) { for (int i = 0; i < n; i++) x[i] = outside(x[i]); }
int skipping(const int *a, int m) {
  int s = 0;
  for (int i = 0; i < m; i++) {
    if (a[i] & 1) x[i] = q;
    if (a[i] & 2) y[i] = x[i] * r;
  }
  return s;
}
int switching(const int *a, int m) {
  int s = 0;
  for (int i = 0; i < m; i++)
    switch (a[i]) {
      case 0: s += 1; break;
      case 1: s *= 3; break;
      case 2: s ^= 7; break;
      case 3: s -= m; break;
      case 4: s <<= 1; break;
      case 5: s += a[0]; break;
      default: s--;
    }
  return s;
}
int straight(int a) { return a * 3 + 1; }
`;

const MAIN = `
double outside(double v) { return v; }
int main(int c, char **v) { (void)v; return straight(c); }
`;

const machine = await builtInMachine('zen5');
const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-object-'));
afterAll(() => rmSync(directory, { recursive: true }));

function run(tool: string, ...args: string[]): void {
  execFileSync(tool, args, { cwd: directory, stdio: 'pipe' });
}

function compile(name: string, flags: readonly string[], compiler = 'gcc', source = SOURCE): string {
  const path = join(directory, `${name}.c`);
  writeFileSync(path, source);
  run(compiler, '-g', ...flags, '-o', name, path);
  return join(directory, name);
}

function bound(path: string, functions: readonly string[] = []): ObjectBounds {
  const bytes = new Uint8Array(readFileSync(path));
  return boundObject({ path, bytes, functions, machine, sourceRoot: directory, imageTools });
}

const loopsOf = ({ loops }: ObjectBounds, name: string): readonly BoundLoop[] =>
  loops.filter(({ loop }) => loop.function === name);

describe.skipIf(!haveTools('gcc', 'ar', 'strip'))('loops that gcc compiled', () => {
  test('are those of the source at -O1, with its lines', () => {
    const bounds = bound(compile('o1.o', ['-O1', '-c']));
    const shape = (name: string) =>
      loopsOf(bounds, name).map(({ loop: { depth, innermost }, lines }) => [depth, innermost, lines?.line]);
    expect(shape('single')).toEqual([[1, true, 5]]);
    expect(shape('nested')).toEqual([
      [1, false, 7],
      [2, true, 8],
    ]);
    expect(shape('straight')).toEqual([]);
    expect(loopsOf(bounds, 'single')[0].lines?.file).toBe('o1.o.c');
    expect(loopsOf(bounds, 'single')[0].address).toMatch(/^o1\.o:\.text\+0x/);
    expect(loopsOf(bounds, 'single')[0].loop.counts).toMatchObject({
      fa: 2,
      fm: 3,
      floatLoads: 3,
      stores: 1,
    });
  });

  test('carry x[i-1] through memory where two registers point to one array', () => {
    const [{ cycles, loop }] = loopsOf(bound(compile('o1.o', ['-O1', '-c'])), 'carried');
    expect(loop.counts.floatLoads).toBe(3);
    expect(cycles?.limits.MAC).toBe('recurrence');
    expect(cycles?.class).toBe('compute-chain');
    // Forwarding 9, subtraction 3, multiplication 3.
    expect(cycles?.MAC).toBe(15);
  });

  test('keep their variables on the stack at -O0, and are bounded by that', () => {
    const bounds = bound(compile('o0.o', ['-O0', '-c']));
    const [{ loop, cycles }] = loopsOf(bounds, 'carried');
    expect(loop.frame).toBe(true);
    expect(loop.counts.reloads).toBeGreaterThan(3);
    expect(cycles?.MAC).toBeGreaterThanOrEqual(15);
  });

  test('are unrolled by as many elements as their vectors hold', () => {
    const bounds = bound(compile('o3.o', ['-O3', '-mavx2', '-c']));
    const [{ loop }] = loopsOf(bounds, 'single');
    expect(loop.unrolling).toMatchObject({ degree: 4, lanes: 4, from: 'code' });
    expect(loop.counts).toMatchObject({ fa: 8, fm: 12, stores: 4 });
  });

  test('name what they call', () => {
    const bounds = bound(compile('o1.o', ['-O1', '-c']));
    expect(loopsOf(bounds, 'calling')[0].loop.notes).toEqual([
      'calls outside; what the called code takes is not in the bounds',
    ]);
  });

  test('have areas that forward branches jump over', () => {
    const bounds = bound(compile('o1.o', ['-O1', '-c']));
    const [{ loop }] = loopsOf(bounds, 'skipping');
    expect(loop.areas.length).toBeGreaterThanOrEqual(1);
    for (const { counts } of loop.areas) expect(counts.instructions).toBeLessThan(loop.counts.instructions);
  });

  test('are found through the tables of a switch, in an object file as in programs with and without fixed addresses', () => {
    for (const flags of [
      ['-O2', '-c'],
      ['-O2', '-fPIE', '-pie'],
      ['-O2', '-no-pie', '-fno-pie'],
      ['-O2', '-static'],
    ]) {
      const isObject = flags.includes('-c');
      const path = compile(`switch${flags.join('')}`, flags, 'gcc', isObject ? SOURCE : SOURCE + MAIN);
      const [only, ...others] = loopsOf(bound(path, ['switching']), 'switching');
      expect(others, flags.join(' ')).toEqual([]);
      expect(only.loop.notes, flags.join(' ')).toEqual([]);
      // Every case: among them the multiplication by 3, or lea.
      expect(only.loop.counts.instructions).toBeGreaterThan(15);
    }
  });

  test('are the same without symbols, by unwind information', () => {
    const path = compile('program', ['-O2'], 'gcc', SOURCE + MAIN);
    run('strip', '-o', 'stripped', 'program');
    const [whole, stripped] = [bound(path), bound(join(directory, 'stripped'))];
    const numbers = ({ loops }: ObjectBounds) =>
      loops.map(({ loop, cycles }) => [loop.address, cycles?.MACS]);
    expect(numbers(stripped)).toEqual(numbers(whole));
    expect(stripped.loops[0].loop.function).toMatch(/^stripped\+0x/);
  });

  test('are found in the members of a static library', () => {
    compile('o1.o', ['-O1', '-c']);
    run('ar', 'rcs', 'libmany.a', 'o1.o');
    const bounds = bound(join(directory, 'libmany.a'));
    expect(loopsOf(bounds, 'single')[0].address).toMatch(/^libmany\.a\(o1\.o\):\.text\+0x/);
  });

  test('of an unknown function are an error that names it', () => {
    const path = compile('o1.o', ['-O1', '-c']);
    expect(() => bound(path, ['nowhere'])).toThrow('o1.o has no function "nowhere"');
  });

  test('have MAC <= MACS, and JSON with their facts', () => {
    const bounds = bound(compile('o1.o', ['-O1', '-c']));
    for (const { cycles } of bounds.loops) expect(cycles!.MACS).toBeGreaterThanOrEqual(cycles!.MAC);
    const { loops } = JSON.parse(JSON.stringify(objectJson(machine, bounds))) as {
      loops: { function: string; bounds: object; compiled: object; limits: object }[];
    };
    expect(loops.find((loop) => loop.function === 'single')).toMatchObject({
      depth: 1,
      innermost: true,
      unroll: 1,
      compiled: { fa: 2, fm: 3, fma: 0 },
      bounds: { MAC: 1.5, MACS: 1.5 },
    });
  });

  test('damaged files give a Failure or loops, and nothing else', () => {
    const files = [compile('o1.o', ['-O1', '-c']), compile('program', ['-O2'], 'gcc', SOURCE + MAIN)].map(
      (path) => new Uint8Array(readFileSync(path)),
    );
    const damage = fc.array(
      fc.record({ at: fc.nat(), value: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), head: fc.boolean() }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...files), damage, (file, changes) => {
        const bytes = file.slice();
        for (const { at, value, head } of changes) bytes[head ? at % 64 : at % bytes.length] = value;
        try {
          boundObject({ path: 'f', bytes, functions: [], machine, sourceRoot: '/', imageTools });
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
      { numRuns: 60 },
    );
  });
});
