import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { observe } from '../../src/emulator/observe.ts';
import type { CodeStore } from '../../src/emulator/ports.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { memoryCodeStore } from '../../src/host/kept/memory-code-store.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { Observation } from '../../src/observation/observation.ts';
import { usualHandlers } from '../guest/measuring.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { commandOf } from '../reference/program.ts';
import { HOT } from './hot.ts';

const loop = (name: string, body: string): string => `mov ecx, 40\n${name}: ${body}\ndec ecx\njnz ${name}\n`;
const FIRST = loop('a', 'add rax, rcx\nimul rdx, rax');
const SECOND = loop('b', 'sub rax, rcx\nxor rdx, rax\nmov [rsp - 64], rdx');
const EXIT = 'mov eax, 60\nxor edi, edi\nsyscall\n';
const WAIT = 'mov rdi, -1\nxor esi, esi\nxor edx, edx\nxor r10d, r10d\nmov eax, 61\nsyscall\n';

/** Becomes itself, with an argument, which has another loop. */
const EXECUTES = `cmp qword ptr [rsp], 1\njne again\n${FIRST}
lea rdi, path[rip]\nlea rsi, arguments[rip]\nxor edx, edx\nmov eax, 59\nsyscall\nhlt
again: ${SECOND}${EXIT}
path: .asciz "/proc/self/exe"
.balign 8
arguments: .quad path, path, 0`;

/** The same, whose later program has calls in six others. */
const NESTED = EXECUTES.replace(`again: ${SECOND}`, 'again: call c1\n').replace(
  'path:',
  `${[1, 2, 3, 4, 5, 6].map((n) => `c${n}: call c${n + 1}\nret\n`).join('')}c7: ${SECOND}ret\npath:`,
);

/** Starts two processes, one after the other. */
const FORKS = `${FIRST}mov r12d, 2
next: mov eax, 57\nsyscall\ntest eax, eax\njz child\n${WAIT}dec r12d\njnz next\n${EXIT}
child: ${SECOND}${EXIT}`;

interface Watched extends CodeStore {
  /** Names under which it was kept. */
  readonly names: Map<string, Set<string>>;
  /** Regions that were used again, by what was added to the names of the command and of the kind of code. */
  readonly reused: Map<string, number>;
}

function watched(): Watched {
  const store = memoryCodeStore();
  const found = new Set<Uint8Array>();
  const reused = new Map<string, number>();
  const names = new Map<string, Set<string>>();
  return {
    ...store,
    reused,
    names,
    find(key) {
      const code = store.find(key);
      for (const { bytes } of code?.regions ?? []) found.add(bytes);
      return code;
    },
    keep(key, code) {
      const again = code.regions.filter(({ bytes, body }) => body !== undefined && found.has(bytes));
      const [command, ...others] = JSON.parse(key.command) as unknown[];
      const name = [...namesIn(command), ...others.filter((each) => typeof each === 'string')].slice(0, 2);
      const added = name.filter((each) => each === 'process' || each === '/proc/self/exe').join();
      names.set(added, (names.get(added) ?? new Set()).add(key.command));
      reused.set(added, (reused.get(added) ?? 0) + again.length);
      store.keep(key, code);
    },
  };
}

/** Of a process's memory the name of the command is within. */
const namesIn = (command: unknown): readonly unknown[] => {
  const parts = JSON.parse(command as string) as unknown[];
  return parts.includes('process') ? ['process'] : [];
};

describe.skipIf(isMissing('gcc'))('code of other programs and processes than the first', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const run = (program: string, codeStore?: CodeStore, more: object = {}): Observation =>
    observe({
      guest: {
        command: commandOf(program, []),
        isa: 'x86-64',
        directory: process.cwd(),
        disk: frozenDisk(hostDisk()),
        input: emptyInput(),
        output: { stdout: () => {}, stderr: () => {} },
        parseImage,
      },
      hasher: { sha256: () => '' },
      depth: 0,
      functions: [],
      chains: [],
      limits: HOT,
      prepared: usualHandlers,
      ...(codeStore && { codeStore }),
      ...more,
    }).observation;

  it.each([
    ['the program that the guest becomes', EXECUTES, '/proc/self/exe', {}],
    ['processes that it starts', FORKS, 'process', {}],
    ['processes that are measured', FORKS, 'process', { measuresChildren: true }],
    ['the program, with its chain', EXECUTES, '/proc/self/exe', { chains: [RUN_CHAIN] }],
    ['processes, with the chain', FORKS, 'process', { chains: [RUN_CHAIN] }],
    ['the program, in several passes', NESTED, '/proc/self/exe', { depth: -1 }],
  ])('is used again: that of %s', (_, text, added, more) => {
    const program = workshop.assemble(`.globl _start\n_start: ${text}`);
    const expected = run(program, undefined, more);
    const store = watched();
    expect(run(program, store, more)).toEqual(expected);
    expect(store.reused.has('')).toBe(true);
    expect(store.reused.has(added)).toBe(true);
    // One for each kind of code, in however many passes; processes are not measured while a chain is followed.
    const kinds = 'chains' in more ? 2 : 1;
    expect(store.names.get('')!.size).toBe(kinds);
    expect(store.names.get(added)!.size).toBe(added === 'process' ? 1 : kinds);
    store.reused.clear();
    expect(run(program, store, more)).toEqual(expected);
    expect(store.reused.get('')).toBeGreaterThan(0);
    expect(store.reused.get(added)).toBeGreaterThan(0);
    // A third one finds what the second has left.
    expect(run(program, store, more)).toEqual(expected);
  });
});
