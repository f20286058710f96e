import { afterAll, describe, expect, it } from 'vitest';
import { parseImage } from '../../src/elf/parse.ts';
import { observe } from '../../src/emulator/observe.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { memoryCodeStore } from '../../src/host/kept/memory-code-store.ts';
import { assemblyFunction, isMissing, START, Workshop } from '../measure/build.ts';
import { commandOf } from '../reference/program.ts';

/** Says something, and then stores to so many pages. */
const program = (pages: number): string =>
  [
    `.bss\nbuffer: .skip ${4096 * pages}\n.data\ngreeting: .ascii "said"\n.text`,
    START,
    assemblyFunction(
      'main',
      `mov eax, 1\nmov edi, 1\nlea rsi, greeting[rip]\nmov edx, 4\nsyscall
lea rdi, buffer[rip]\nmov ecx, ${pages}\n1: mov qword ptr [rdi], 1\nadd rdi, 4096\ndec ecx\njnz 1b\nxor eax, eax\nret`,
    ),
  ].join('\n');

describe.skipIf(isMissing('gcc'))('huge pages', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const store = memoryCodeStore();

  function events(path: string): readonly string[] {
    const heard: string[] = [];
    observe({
      guest: {
        command: commandOf(path, []),
        isa: 'x86-64',
        directory: process.cwd(),
        disk: hostDisk(),
        input: emptyInput(),
        output: { stdout: (bytes) => heard.push(Buffer.from(bytes).toString()), stderr: () => {} },
        parseImage,
      },
      hasher: { sha256: () => '' },
      depth: 3,
      functions: [],
      chains: [],
      codeStore: store,
      hugePages: (_, areWanted) => heard.push(areWanted ? 'asked' : 'ended'),
    });
    return heard;
  }

  it('are asked for at once where an earlier run of the command has come to it', () => {
    const large = workshop.assemble(program(500));
    expect(events(large)).toEqual(['said', 'asked']);
    expect(events(large)).toEqual(['asked', 'said']);
    const small = workshop.assemble(program(50));
    expect(events(small)).toEqual(['said']);
    expect(events(small)).toEqual(['said']);
  });
});
