import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { compare } from './compare.ts';
import { measureFast } from './fast.ts';

/** Slices, pieces and rebasing change under the contexts; none of them may show. */
const SIZES = [
  {},
  { firstSlice: 97, longestSlice: 97, hotEntries: 2, warmEntries: 1, rebaseFrom: 1 },
  { firstSlice: 1000, longestSlice: 5000, hotEntries: 20, warmEntries: 1, hostStack: 3000 },
];

/** More calls than are listed: sums per caller and callee, sums per function, and its longest call. */
describe.skipIf(isMissing('gcc'))('more calls than are listed', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const program = (functions: Readonly<Record<string, string>>, data = '') =>
    workshop.assemble(
      [
        data,
        '.text',
        START,
        ...Object.entries(functions).map(([name, body]) => assemblyFunction(name, body)),
      ].join('\n'),
    );

  /** Calls whose cycles go up and down with ecx, each number many times over: the earliest of the longest counts. */
  const LEAVES = {
    ladder: 'mov edx, ecx\nand edx, 7\nadd edx, 1\n1: add rax, 3\nsub edx, 1\njne 1b\nret',
    square: 'imul rax, rax\nadd rax, rcx\nret',
    // Not the same length each time, and without a chain of its own.
    wide: 'test cl, 3\nje 1f\nmov edx, 1\nmov esi, 2\nmov edi, 3\n1: ret',
  };

  it('rule 9: calls of listed calls, of calls that are summed, and of calls in them', () => {
    const path = program({
      ...LEAVES,
      pair: 'call ladder\ncall square\ntest cl, 1\nje 1f\ncall wide\n1: ret',
      // Called once while calls are listed and once when they are not any more.
      many: 'push rcx\nmov ecx, 1200\n1: call ladder\ncall wide\nsub ecx, 1\njne 1b\npop rcx\nret',
      main: `push rbx
        mov ebx, 1150
        1: mov ecx, ebx
        call pair
        test ebx, 511
        jne 2f
        call many
        2: call square
        sub ebx, 1
        jne 1b
        pop rbx
        ret`,
    });
    for (const depth of [2, 3, 4]) {
      const question = { depth, functions: [], chains: [RUN_CHAIN] };
      const { measured } = compare(path, question, depth === 3 ? SIZES : [{}]);
      const { run, functions, chains } = measureFast(path, [], { ...question, listsCalls: false });
      expect({ run, functions, chains }).toEqual({
        run: { ...measured.run, calls: [], rest: [] },
        functions: measured.functions,
        chains: measured.chains,
      });
      const [main] = measured.run.calls;
      expect(main.calls).toHaveLength(1000);
      expect(main.rest.reduce((sum, { calls }) => sum + calls, 0)).toBe(2 * 1150 + 2 - 1000);
      const many = main.calls.filter(({ entry }) => measured.nameOf(entry) === 'many');
      expect(many.map(({ calls, rest }) => [calls.length, rest.length])).toEqual(
        depth === 2 ? [[0, 0]] : [[1000, 2]],
      );
    }
  });

  it('rule 9: recursion and tail calls among them', () => {
    const path = program({
      ...LEAVES,
      deep: 'sub edx, 1\njle 1f\ncall deep\n1: add rax, 1\nret',
      last: 'add rax, 5\nret',
      hop: 'test cl, 1\nje 1f\njmp last\n1: jmp square',
      main: `push rbx
        mov ebx, 700
        1: mov ecx, ebx
        mov edx, ebx
        and edx, 3
        call deep
        call hop
        call wide
        sub ebx, 1
        jne 1b
        pop rbx
        ret`,
    });
    for (const depth of [1, 2, 3, 5, -1])
      compare(path, { depth, functions: [], chains: [] }, depth === 3 ? SIZES : [{}]);
    const question = { depth: 2, functions: ['deep', 'last', 'wide'], chains: ['deep', 'wide', 'main'] };
    compare(path, question, SIZES);
  });

  it('rule 9: each of several listed calls has sums of its own', () => {
    const path = program(
      {
        ...LEAVES,
        outer: `push rbx
          push rbp
          mov ebx, 1030
          1: mov ecx, ebx
          mov edx, ebx
          and edx, 1
          lea rbp, table[rip]
          call [rbp+rdx*8]
          sub ebx, 1
          jne 1b
          pop rbp
          pop rbx
          ret`,
        // Its calls come one after the other and inside each other.
        nest: 'push rbx\nmov ebx, 1003\n1: call square\ntest ebx, 255\njne 2f\ncall outer\n2: sub ebx, 1\njne 1b\npop rbx\nret',
        main: 'call outer\ncall nest\ncall outer\ncall nest\nret',
      },
      '.data\ntable: .quad ladder, wide',
    );
    for (const depth of [3, 4, -1])
      compare(path, { depth, functions: [], chains: [] }, depth === 3 ? SIZES : [{}]);
  });
});
