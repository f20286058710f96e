import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { observe } from '../../src/emulator/observe.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { Observation } from '../../src/observation/observation.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { oracleMissing } from '../guest/builds.ts';
import { usualHandlers } from '../guest/measuring.ts';
import { LIMITS as ALL_LIMITS } from '../measure/compare.ts';
import { commandOf } from '../reference/program.ts';

/** Every third of them; FULL=1 takes all. */
const LIMITS = ALL_LIMITS.filter((_, at) => process.env.FULL === '1' || at % 3 === 0);

const SILENT = { stdout: () => {}, stderr: () => {} };
const DISK = frozenDisk(hostDisk());

interface Run {
  readonly limits?: Partial<EngineLimits>;
  readonly measuresChildren?: boolean;
  readonly depth?: number;
  readonly chains?: readonly string[];
}

function run(program: string, { limits = {}, measuresChildren = true, depth = 0, chains = [] }: Run = {}) {
  return observe({
    guest: {
      command: commandOf(program, []),
      isa: 'x86-64',
      directory: process.cwd(),
      disk: DISK,
      input: emptyInput(),
      output: SILENT,
      parseImage,
    },
    hasher: { sha256: () => '' },
    depth,
    functions: [],
    chains,
    limits,
    measuresChildren,
    prepared: usualHandlers,
  }).observation;
}

/** Program, instructions and last cycle, in the order of ends. */
const rows = ({ processes = [] }: Observation) =>
  processes.map(({ process, instructions, cycles }) => [process, instructions, cycles]);

const adds = (count: number): string => 'add rbx, 1\n'.repeat(count);
const EXIT = 'mov eax, 60\nxor edi, edi\nsyscall\n';
/** wait4(-1, 0, 0, 0): 6 instructions. */
const WAIT = 'mov rdi, -1\nxor esi, esi\nxor edx, edx\nxor r10d, r10d\nmov eax, 61\nsyscall\n';

/** A chain of 100 before a fork (2 instructions), of 50 behind it in the child; the parent waits. */
const FORKS = `${adds(100)}mov [rsp - 64], rbx\nmov eax, 57\nsyscall\ntest eax, eax\njz child\n${WAIT}${EXIT}
child: mov rbx, [rsp - 64]\n${adds(50)}${EXIT}`;

/** The child of it takes 15,000 instructions to a fault that nobody handles. */
const DIES = `${FORKS.slice(0, FORKS.indexOf('child:'))}child: mov rbx, [rsp - 64]
mov ecx, 5000
more: add rbx, 1
dec ecx
jnz more
mov eax, [rcx]
${EXIT}`;

/** The same with vfork; the child stores on the way to its end, and the parent reads it. */
const BORROWS = `${adds(100)}mov eax, 58\nsyscall\ntest eax, eax\njz child\nmov rcx, [rsp - 64]\n${'add rcx, 1\n'.repeat(10)}${WAIT}${EXIT}
child: ${adds(50)}mov [rsp - 64], rbx\n${EXIT}`;

/** 200 in a chain, then itself again by execve, with an argument, which then has 30 in a chain. */
const EXECUTES = `cmp qword ptr [rsp], 1\njne again\n${adds(200)}lea rdi, path[rip]\nlea rsi, arguments[rip]\nxor edx, edx\nmov eax, 59\nsyscall\nhlt
again: ${adds(30)}${EXIT}
path: .asciz "/proc/self/exe"
.balign 8
arguments: .quad path, path, 0`;

describe.skipIf(oracleMissing('gcc'))('what children cost', () => {
  let directory = '';
  const build = (name: string, text: string): string => {
    const program = join(directory, name);
    writeFileSync(`${program}.s`, `.intel_syntax noprefix\n.globl _start\n_start: ${text}\n`);
    execFileSync('gcc', ['-static', '-nostdlib', '-no-pie', '-o', program, `${program}.s`]);
    return program;
  };
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'measured-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test('a forked child goes on from the cycles of its parent, in registers and memory', () => {
    const program = build('forks', FORKS);
    const expected = [
      // test, jz, the load of what was stored in cycle 101, which takes cycle 102, and 50 behind it.
      [1001, 56, 152],
      [1000, 114, 101],
    ];
    for (const limits of LIMITS) expect([limits, rows(run(program, { limits }))]).toEqual([limits, expected]);
  });

  test('a child that dies of a fault has executed what came before it, whatever was made of its code', () => {
    const program = build('dies', DIES);
    for (const limits of LIMITS) {
      expect([limits, rows(run(program, { limits }))[0]]).toEqual([limits, [1001, 15_004, 5102]]);
      const { unmeasured } = run(program, { limits, measuresChildren: false });
      expect([limits, unmeasured]).toEqual([limits, { processes: 1, instructions: 15_004 }]);
    }
  });

  test('what a child of vfork stores counts as written by its parent’s system call', () => {
    const program = build('borrows', BORROWS);
    // The parent: mov 1, syscall 2, the load 3, and ten behind it; its own chain has 100.
    const shorter = build('borrows-less', BORROWS.replace(adds(100), adds(5)));
    for (const limits of LIMITS) {
      expect([limits, rows(run(program, { limits }))]).toEqual([
        limits,
        [
          [1001, 56, 151],
          [1000, 124, 100],
        ],
      ]);
      expect([limits, rows(run(shorter, { limits })).at(-1)]).toEqual([limits, [1000, 29, 13]]);
    }
  });

  test('after execve everything starts as never written; the call tree is that of the last program', () => {
    const program = build('executes', EXECUTES);
    for (const limits of LIMITS) {
      const observation = run(program, { limits, chains: [RUN_CHAIN] });
      expect([limits, rows(observation)]).toEqual([
        limits,
        [
          [1000, 207, 200],
          [1000, 35, 30],
        ],
      ]);
      expect([observation.run.instructions, observation.run.cycles]).toEqual([35, 30]);
      expect(observation.chains[0].length).toBe(30);
    }
  });

  test('ignored children change no number of their parent, and are counted', () => {
    const program = build('forks', FORKS);
    const measured = run(program);
    const ignored = run(program, { measuresChildren: false });
    expect(ignored.processes).toBeUndefined();
    expect(ignored.unmeasured).toEqual({ processes: 1, instructions: 56 });
    expect(ignored.run).toEqual(measured.run);
  });

  test('real programs give the same numbers in every run, tier and mode', { timeout: 120_000 }, () => {
    const source = fileURLToPath(new URL('programs/files.c', import.meta.url));
    const program = join(directory, 'files');
    execFileSync('gcc', ['-std=gnu11', '-O2', '-w', '-static', '-o', program, source]);
    const first = run(program, { depth: 2, chains: [RUN_CHAIN] });
    expect(first.processes!.length).toBe(4);
    for (const limits of [{ hotEntries: 200, firstSlice: 1000, longestSlice: 5000 }, { wideFrom: 50 }])
      expect(run(program, { depth: 2, chains: [RUN_CHAIN], limits })).toEqual(first);
    const ignored = run(program, { depth: 2, measuresChildren: false });
    expect([ignored.run, ignored.functions]).toEqual([first.run, first.functions]);
  });
});
