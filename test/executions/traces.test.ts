import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parseImage } from '../../src/elf/parse.ts';
import type { TraceRequest } from '../../src/observation/trace.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { assemblyFunction, isMissing, START, Workshop } from '../measure/build.ts';
import { LEFT_OUT } from '../measure/combinations.ts';
import { LIMITS } from '../measure/compare.ts';
import { NaiveTraces, tracesOf } from './traces.ts';

const FREESTANDING = ['-DFREESTANDING', '-ffreestanding', '-fno-stack-protector', '-nostdlib', '-static'];
const source = (name: string) =>
  readFileSync(new URL(`../measure/programs/${name}.c`, import.meta.url), 'utf8');

describe.skipIf(isMissing('gcc'))('what loops access is what the reference saw', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const some = [
    ['mixed', '-O0', 1_000_000],
    ['jumps', '-O2', 50],
  ] as const;
  const others = [
    ['mixed', '-O2', 50],
    ['jumps', '-O2', 1_000_000],
  ] as const;
  it.each(process.env.FULL === '1' ? [...some, ...others] : some)(
    '%s.c at %s, every loop, samples of %d instructions, whatever the limits',
    (name, level, instructions) => {
      const program = workshop.compile(source(name), [level, ...FREESTANDING]);
      const naive = new NaiveTraces(program);
      const requests = naive.loops().map((loop): TraceRequest => {
        const total = naive.executions(loop.header);
        const occurrences = [0, 3, Math.floor(total / 2), total - 2, total - 1].filter((n) => n >= 0);
        return {
          header: loop.header,
          body: [loop],
          occurrences: [...new Set(occurrences)].sort((a, b) => a - b),
          iterations: 6,
          instructions,
        };
      });
      expect(requests.length).toBeGreaterThan(3);
      const expected = requests.map((request) => naive.trace(request));
      for (const limits of [...LIMITS, ...LEFT_OUT]) {
        expect([limits, tracesOf(program, requests, limits)]).toEqual([limits, expected]);
      }
    },
  );
});

describe.skipIf(isMissing('gcc'))('executions of a header are counted from where', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  /** `walk` goes down a table, from where ecx says: once before what is between, with 30, and with 10 behind it. */
  const walking = (between: string, more = '') =>
    workshop.assemble(
      [
        '.text',
        START.replace('call main', 'lea rdi, [rsp]\ncall main'),
        assemblyFunction('main', `${between}\nmov ecx, 10\ncall walk\nxor eax, eax\nret\n${more}`),
        assemblyFunction('walk', 'mov rax, [table+8*rcx]\ndec ecx\njnz walk\nret'),
        assemblyFunction('table', '.zero 256'),
      ].join('\n'),
    );

  /** What the fourth and the ninth execution of its header and those behind them load. */
  function walkOf(program: string, limits: Partial<EngineLimits>) {
    const { functions } = parseImage(program, readFileSync(program));
    const [walk, table] = ['walk', 'table'].map((name) => functions.find((each) => each.name === name)!);
    const body = [{ start: walk.address, end: walk.address + walk.size - 1 }];
    const request = { header: walk.address, body, occurrences: [3, 8], iterations: 3, instructions: 1000 };
    const [{ samples }] = tracesOf(program, [request], limits);
    return samples.map(({ occurrence, iterations }) => [
      occurrence,
      iterations.map(({ accesses: [{ address }] }) => (address - table.address) / 8),
    ]);
  }

  it('the last program begins that a process becomes', () => {
    // Without arguments it becomes itself with one.
    const program = walking(`cmp qword ptr [rdi], 1\nja 1f\nmov ecx, 30\ncall walk
      mov rbx, [rdi+8]\npush 0\npush rbx\npush rbx\nmov rdi, rbx\nmov rsi, rsp\nxor edx, edx\nmov eax, 59\nsyscall\nud2
      1:`);
    for (const limits of LIMITS)
      expect([limits, walkOf(program, limits)]).toEqual([
        limits,
        [
          [3, [7, 6, 5]],
          [8, [2, 1]],
        ],
      ]);
  });

  it.each([
    ['long after', 100_000],
    ['right behind', 1],
  ])('the run begins anew for a fault that the program catches, %s a sample', (_, away) => {
    const program = walking(
      `mov ecx, 30\ncall walk\nmov ecx, ${away}\n1: dec ecx\njnz 1b
      mov edi, 11\nlea rsi, action[rip]\nxor edx, edx\nmov r10d, 8\nmov eax, 13\nsyscall
      xor eax, eax\nmov rax, [rax]`,
      // The handler goes on behind the load, which has 3 bytes: rip is at 168 in the context.
      `caught: add qword ptr [rdx+168], 3\nret
      restorer: mov eax, 15\nsyscall
      .balign 8\naction: .quad caught, 0x04000004, restorer, 0`,
    );
    for (const limits of LIMITS)
      expect([limits, walkOf(program, limits)]).toEqual([
        limits,
        [
          [3, [27, 26, 25]],
          [8, [22, 21, 20]],
        ],
      ]);
  });
});
