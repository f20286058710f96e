import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineStatistics } from '../../src/emulator/code/statistics.ts';
import { bundle, NODES } from '../bundle.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { measureFast } from './fast.ts';

const WHOLE = { depth: 3, functions: [], chains: [] };

/** Programs that have much of something: they must run, in time that is linear in what they do. */
describe.skipIf(isMissing('gcc'))('programs of unusual size', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  // prlimit(0, RLIMIT_STACK, {64 MiB, unlimited}, NULL)
  const RAISE = 'mov eax, 302\nxor edi, edi\nmov esi, 3\nlea rdx, limit[rip]\nxor r10d, r10d\nsyscall';

  it.each([
    ['its own', '.skip 40000000\ntop: .skip 16', 'lea rsp, top[rip]'],
    ['the first thread, which grows', '', RAISE],
  ])('recursion of a million frames, on a stack of %s', (_stack, room, prepare) => {
    const program = workshop.assemble(
      [
        `.data\nlimit: .quad 0x4000000, -1\n.bss\n.balign 16\n${room}\n.text`,
        START,
        assemblyFunction(
          'down',
          'push rbx\nmov ebx, edi\nsub edi, 1\njle 1f\ncall down\n1: add eax, ebx\npop rbx\nret',
        ),
        assemblyFunction(
          'main',
          `mov rbp, rsp\n${prepare}\nmov edi, 1000000\ncall down\nmov rsp, rbp\nxor eax, eax\nret`,
        ),
      ].join('\n'),
    );
    const { functions, nameOf } = measureFast(program, [], { ...WHOLE, functions: ['down'] });
    const down = functions.find(({ entry }) => nameOf(entry) === 'down');
    // Every frame has eight instructions, the last one no call; rsp goes down and up again in cycles of its own.
    expect(down).toMatchObject({ calls: 1, instructions: 8e6 - 1, cycles: 4e6 - 1 });
  });

  it('a function with a switch of 20,000 cases', () => {
    const cases = Array.from(
      { length: 20_000 },
      (_, i) => `case ${i}: x = x * ${2 * i + 3}u + ${7 * i + 1}u; break;`,
    );
    const source = `
      #include <stdio.h>
      __attribute__((noinline)) static unsigned long run(unsigned rounds) {
        unsigned long x = 1;
        for (unsigned i = 0; i < rounds; i++) {
          switch (x % 20000) {\n${cases.join('\n')}\n}
          x ^= x >> 7;
        }
        return x;
      }
      int main(void) { printf("%lu\\n", run(200000)); return 0; }`;
    const program = workshop.compile(source, ['-O1', '-static']);
    const { stdout } = measureFast(program, [], WHOLE);
    expect(stdout).toBe(execFileSync(program, { encoding: 'latin1' }));
  });

  it('a hundred thousand blocks', () => {
    const blocks = Array.from({ length: 100_000 }, (_, i) => `add eax, ${i % 100}\njc 1f\n1:`);
    const program = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction(
          'main',
          `mov ecx, 20\n0: ${blocks.join('\n')}\nsub ecx, 1\njne 0b\nxor eax, eax\nret`,
        ),
      ].join('\n'),
    );
    const { run } = measureFast(program, [], WHOLE);
    expect(run.calls[0].instructions).toBe(20 * (2 * 100_000 + 2) + 3);
  });

  it('code that is made, run, unmapped and made anew', () => {
    const source = `
      #include <stdio.h>
      #include <string.h>
      #include <sys/mman.h>
      int main(void) {
        long sum = 0;
        for (int i = 0; i < 300000; i++) {
          unsigned char *code = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          code[0] = 0xb8;
          memcpy(code + 1, &i, 4);
          memcpy(code + 5, "\\xff\\xc0\\xc3", 3);
          sum += ((int (*)(void))code)();
          munmap(code, 4096);
        }
        printf("%ld\\n", sum);
        return 0;
      }`;
    const { stdout } = measureFast(workshop.compile(source, ['-O2', '-static']), [], WHOLE);
    expect(stdout).toBe(`${(300_000 * 300_001) / 2}\n`);
  });
});

describe.skipIf(isMissing('gcc'))('memory of the measuring process', () => {
  const workshop = new Workshop();
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-scale-'));
  let program: string;
  let cli: string;
  const preload = join(directory, 'preload.cjs');
  const note = join(directory, 'rss');
  beforeAll(() => {
    cli = bundle(join(directory, 'dist'));
    const source = readFileSync(new URL('programs/touch.c', import.meta.url), 'utf8');
    program = workshop.compile(source, ['-O2', '-static']);
    const text = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(note)}, String(process.resourceUsage().maxRSS)));`;
    writeFileSync(preload, text);
  });
  afterAll(() => {
    workshop.remove();
    rmSync(directory, { recursive: true });
  });

  /** Megabytes. */
  const largest = (args: readonly string[], ...options: string[]): number => largestOf([], args, options);
  const largestOf = (
    node: readonly string[],
    args: readonly string[],
    options: readonly string[],
    input: 'ignore' | number = 'ignore',
  ): number => {
    execFileSync(NODES[1], [...node, '-r', preload, cli, 'measure', ...options, '--', program, ...args], {
      stdio: [input, 'ignore', 'ignore'],
    });
    return Number(readFileSync(note, 'latin1')) / 1024;
  };

  it.each([
    ['of whole numbers', 'n', []],
    ['of whole numbers, with chains', 'n', ['--chain', 'run']],
    ['of bytes that all differ', 'b', []],
  ] as const)('100 MB %s take at most 1 GB', (_, kind, options) => {
    expect(largest(['100', kind], ...options)).toBeLessThan(1000);
  });

  it('also where V8 optimises slowly, as on a busy machine', () => {
    const slow = ['--concurrent-recompilation-delay=1000'];
    expect(largestOf(slow, ['100', 'n'], ['--chain', 'run'])).toBeLessThan(1000);
  });

  it('30 MB of bytes that all differ are measured in one pass', () => {
    const statistics = join(directory, 'engine.json');
    expect(largest(['30', 'b'], '--engine-stats', statistics)).toBeLessThan(1000);
    const { passes } = JSON.parse(readFileSync(statistics, 'utf8')) as EngineStatistics;
    expect(passes.map(({ what }) => what)).toEqual(['calls of depth 0 to 3, 32 bits a step']);
  });

  describe('a file of 3 GB', () => {
    const file = join(directory, 'file');
    beforeAll(() => {
      writeFileSync(file, '');
      truncateSync(file, 3e9);
    });

    it('that is mapped takes what is looked at', () => {
      expect(largest(['0', 'm', file])).toBeLessThan(300);
    });

    it('that is written to takes what is written', () => {
      expect(largest(['0', 'w', file])).toBeLessThan(300);
    });

    it.each([
      ['by its name', [file]],
      ['as standard input', []],
    ])('that is read %s takes what is read at a time', (_, args) => {
      const input = openSync(file, 'r');
      expect(largestOf([], ['0', 'r', ...args], ['--depth', '0'], input)).toBeLessThan(300);
      closeSync(input);
    });
  });

  it('bytes that all differ are possible where there is no room for the steps of all', () => {
    expect(largest(['400', 'b'], '--depth', '0')).toBeLessThan(3000);
  });

  it('800 MB are possible, and take what they are in proportion to', () => {
    expect(largest(['800', 'n'], '--depth', '1')).toBeLessThan(3000);
  });
});
