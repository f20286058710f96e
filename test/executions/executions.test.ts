import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { RecordSpace } from '../../src/translate/interpreter/record-space.ts';
import { assemblyFunction, isMissing, START, Workshop } from '../measure/build.ts';
import { LEFT_OUT } from '../measure/combinations.ts';
import { LIMITS } from '../measure/compare.ts';
import { measureFast } from '../measure/fast.ts';
import { Random } from '../measure/random.ts';
import { randomProgram } from '../measure/random-assembly.ts';
import { runProgram } from '../reference/program.ts';
import { countsOf, firstError, totalOf } from './counts.ts';
import { tracesOf } from './traces.ts';

const FREESTANDING = ['-DFREESTANDING', '-ffreestanding', '-fno-stack-protector', '-nostdlib', '-static'];
const source = (name: string) =>
  readFileSync(new URL(`../measure/programs/${name}.c`, import.meta.url), 'utf8');

describe.skipIf(isMissing('gcc'))('executions are counted exactly', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  for (const seed of [1, 2, 3])
    it(`random program ${seed}, whatever the limits`, () => {
      const program = workshop.assemble(randomProgram(new Random(seed)));
      const naive = runProgram(program, [], 3_000_000);
      for (const limits of [...LIMITS, ...LEFT_OUT]) {
        const { executions } = countsOf(program, [], limits);
        expect([limits, firstError(naive, executions)]).toEqual([limits, undefined]);
        expect(executions.replaced).toBe(0);
      }
    });

  it.each(['mixed'])('%s.c, with I and C as without', (name) => {
    const program = workshop.compile(source(name), ['-O2', ...FREESTANDING]);
    const naive = runProgram(program, [], 3_000_000);
    for (const limits of LIMITS) {
      const { executions, run } = countsOf(program, [], limits);
      expect([limits, firstError(naive, executions)]).toEqual([limits, undefined]);
      expect(run).toEqual(measureFast(program, [], { depth: 3, functions: [], chains: [] }, limits).run);
    }
  });

  it('jumps through a table, in several places', () => {
    const cases = Array.from({ length: 5 }, (_, i) => `c${i}: add rax, ${i}\njmp after`).join('\n');
    const program = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction(
          'main',
          `xor eax, eax\nmov ecx, 900
          top: mov edx, ecx\nand edx, 3\nlea rsi, table[rip]\njmp [rsi+8*rdx]
          ${cases}
          after: mov edx, ecx\nshr edx, 1\nand edx, 1\nlea rsi, second[rip]\njmp [rsi+8*rdx]
          d0: dec ecx\njnz top\nxor eax, eax\nret
          d1: sub ecx, 1\njnz top\nxor eax, eax\nret`,
        ),
        '.section .rodata\ntable: .quad c0, c1, c2, c3, c4\nsecond: .quad d0, d1',
      ].join('\n'),
    );
    const naive = runProgram(program, [], 3_000_000);
    for (const limits of [...LIMITS, ...LEFT_OUT]) {
      const { executions } = countsOf(program, [], limits);
      expect([limits, firstError(naive, executions)]).toEqual([limits, undefined]);
      expect(executions.jumps.map(({ targets }) => targets.length)).toEqual([4, 2]);
    }
  });

  it('of code that was written over, the last one counts, and the rest is said', () => {
    const program = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction(
          'main',
          `mov eax, 9\nxor edi, edi\nmov esi, 4096\nmov edx, 7\nmov r10d, 0x22\nmov r8, -1\nxor r9d, r9d\nsyscall
          mov rbx, rax
          mov dword ptr [rbx], 0x01c0ff48
          mov byte ptr [rbx+3], 0xc3
          mov ebp, 100\n1: call rbx\ndec ebp\njnz 1b
          mov dword ptr [rbx], 0xc390c0ff
          mov ebp, 30\n1: call rbx\ndec ebp\njnz 1b
          xor eax, eax\nret`,
        ),
      ].join('\n'),
    );
    for (const limits of LIMITS.filter(({ farFrom }) => farFrom === undefined)) {
      const { executions, run } = countsOf(program, [], limits);
      expect([limits, totalOf(executions)]).toEqual([limits, run.instructions]);
      // inc rax and ret were there a hundred times; inc eax, nop and ret thirty times.
      expect(executions.replaced).toBe(100);
      const last = executions.ranges.filter(({ executions: times }) => times === 30 || times === 130);
      expect(last.map(({ instructions, executions: times }) => [instructions, times])).toContainEqual([
        2, 30,
      ]);
    }
  });

  it('code that is written for ever takes no more memory, and is counted all the same', () => {
    const times = 300_000;
    const program = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction(
          'main',
          `mov eax, 9\nxor edi, edi\nmov esi, 4096\nmov edx, 7\nmov r10d, 0x22\nmov r8, -1\nxor r9d, r9d\nsyscall
          mov rbx, rax
          mov word ptr [rbx+5], 0xc390
          mov byte ptr [rbx], 0xb8
          mov byte ptr [rbx+6], 0xc3
          mov ebp, ${times}\n1: mov [rbx+1], ebp\ncall rbx\ndec ebp\njnz 1b
          xor eax, eax\nret`,
        ),
      ].join('\n'),
    );
    const wasted = vi.spyOn(RecordSpace.prototype, 'waste');
    const { executions, run } = countsOf(program, [], { longestSlice: 100_000 });
    // It was thrown away once.
    expect(new Set(wasted.mock.contexts).size).toBe(2);
    wasted.mockRestore();
    expect(totalOf(executions)).toBe(run.instructions);
    // All but the last mov eax; what is behind it stayed.
    expect(executions.replaced).toBe(times - 1);
    const written = executions.ranges.filter(({ start }) => start >= 0x1000_0000);
    expect(written.map(({ instructions, executions: each }) => [instructions, each])).toEqual([
      [1, 1],
      [2, times],
    ]);
    // Loops are found all the same: here the last two iterations.
    const [{ start, end }] = executions.ranges.filter(({ executions: each }) => each === times);
    const [{ samples }] = tracesOf(
      program,
      [
        {
          header: start,
          body: [{ start, end }],
          occurrences: [5, times - 2],
          iterations: 3,
          instructions: 1000,
        },
      ],
      { longestSlice: 100_000 },
    );
    expect(samples.map(({ occurrence, iterations }) => [occurrence, iterations.length])).toEqual([
      [5, 3],
      [times - 2, 2],
    ]);
  });

  it('code in two alignments makes ranges that overlap', () => {
    const program = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction(
          'main',
          `sub rsp, 8\nmov ecx, 10\n1: test ecx, 1\njz skip\n.byte 0xf0
          skip: inc dword ptr [rsp]\ndec ecx\njnz 1b\nxor eax, eax\nadd rsp, 8\nret`,
        ),
      ].join('\n'),
    );
    const naive = runProgram(program, [], 10_000);
    for (const limits of LIMITS) {
      const { executions } = countsOf(program, [], limits);
      expect([limits, totalOf(executions)]).toEqual([limits, naive.graph.length]);
      expect(executions.ranges.filter(({ executions: times }) => times === 5)).toHaveLength(2);
    }
  });
});
