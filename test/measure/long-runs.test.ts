import { afterAll, describe, expect, it } from 'vitest';
import { TAG_LOG_ENTRIES } from '../../src/guest/layout.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { measureFast } from './fast.ts';

/** Too long for the reference: loops whose numbers can be written down. */
describe.skipIf(isMissing('gcc'))('long runs', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  it('rule 10: a chain longer than the log of producers is read in several passes', () => {
    const rounds = 1 << 23;
    expect(6 * rounds).toBeGreaterThan(TAG_LOG_ENTRIES);
    // The slow chain is taken up every 16th round only, so that it is short although the run is long.
    const main = `
      mov ecx, ${rounds}
      1: mov eax, ecx
      mov edx, eax
      test cl, 15
      jne 2f
      imul rbx, rbx
      2: sub ecx, 1
      jne 1b
      ret`;
    const program = workshop.assemble(['.text', START, assemblyFunction('main', main)].join('\n'));
    const { run, chains } = measureFast(program, [], { depth: 1, functions: [], chains: ['run', 'main'] });
    const instructions = 6 * rounds + rounds / 16 + 2;
    expect(run.calls).toMatchObject([{ instructions, cycles: rounds + 2 }]);
    // The run's goes through what main returns to the system call that ends it.
    expect(chains.map(({ length, links }) => [length, links.map(({ count }) => count)])).toEqual([
      [rounds + 3, [1, rounds - 1, 1, 1, 1]],
      [rounds + 2, [1, rounds - 1, 1, 1]],
    ]);
  });

  const BLOCK = 500;
  /** A chain of `rounds` * BLOCK instructions through a register. Its counter is shorter. */
  const chain = (register: string, rounds: number) => `
    mov ecx, ${rounds}
    1: .rept ${BLOCK}
    add ${register}, 1
    .endr
    sub ecx, 1
    jne 1b`;
  const CROSSING = 2 ** 32;

  /** Two chains that do not know of each other until the end; bytes beside each other keep what they come to. */
  const twoChains = (first: number, second: number) =>
    workshop.assemble(
      [
        '.bss\n.balign 16\nkept: .skip 16\n.text',
        START,
        assemblyFunction('leaf', 'imul rsi, rsi\nimul rsi, rsi\nret'),
        assemblyFunction(
          'work',
          `mov eax, 1
          mov edx, 1
          ${chain('rax', first)}
          mov kept[rip+1], al
          xor eax, eax
          ${chain('rdx', second)}
          mov kept[rip+2], dl
          call leaf
          add dl, kept[rip+1]
          ret`,
        ),
        assemblyFunction('main', 'call work\nmov edi, 1\nadd dil, kept[rip+1]\nxor eax, eax\nret'),
      ].join('\n'),
    );

  // The first chain has 1.8e9 cycles when lanes of 64 bits become necessary, and the run begins anew.
  it.each([
    ['the shorter chain first', CROSSING - 70_000, CROSSING + 90_000],
    ['the longer chain first', CROSSING + 90_000, CROSSING - 70_000],
    ['two chains of the same length', CROSSING + 1000, CROSSING + 1000],
  ])('C is exact beyond 2^32: %s', (_, first, second) => {
    const rounds = [first, second].map((cycles) => Math.ceil(cycles / BLOCK));
    const [a, b] = rounds.map((count) => count * BLOCK);
    const question = { depth: 3, functions: ['leaf', 'main', 'work'], chains: [] };
    const { run, functions, nameOf } = measureFast(twoChains(rounds[0], rounds[1]), [], question);
    const work = { instructions: a + b + 2 * (rounds[0] + rounds[1]) + 13, cycles: Math.max(a + 3, b + 2) };
    const main = { ...work, instructions: work.instructions + 5 };
    const leaf = { instructions: 3, cycles: 2 };
    expect(run).toMatchObject({
      ...main,
      instructions: main.instructions + 4,
      calls: [{ ...main, calls: [{ ...work, calls: [leaf] }] }],
    });
    expect(functions.map(({ entry }) => nameOf(entry))).toEqual(['main', 'work', 'leaf']);
    expect(functions).toMatchObject([main, work, leaf]);
  });

  it('a chain through more instructions than have numbers is refused before it is followed', () => {
    const program = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction('brief', `${chain('rax', 3)}\nret`),
        assemblyFunction('main', `${chain('rax', 20)}\ncall brief\nret`),
      ].join('\n'),
    );
    const limits = { chainInstructions: 10_000, firstSlice: 1000 };
    const chainsOf = (name: string) =>
      measureFast(program, [], { depth: 1, functions: [], chains: [name] }, limits).chains;
    expect(() => chainsOf('run')).toThrow(/chain of the run .* more than 10000 instructions/);
    expect(() => chainsOf('main')).toThrow(/chain of the longest call of main .* more than 10000/);
    expect(chainsOf('brief')).toMatchObject([{ length: 3 * BLOCK }]);
    const reasons: string[] = [];
    const question = { depth: 1, functions: [], chains: ['run', 'main', 'brief'] };
    const { chains } = measureFast(program, [], question, limits, ({ message }) => reasons.push(message));
    expect(chains).toMatchObject([{ length: 3 * BLOCK }]);
    expect(reasons).toEqual([
      'the chain of the run cannot be followed: it goes through more than 10000 instructions',
      'the chain of the longest call of main cannot be followed: it goes through more than 10000 instructions',
    ]);
  });
});
