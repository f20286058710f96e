import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { TAG_LOG_ENTRIES } from '../../src/guest/layout.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { measureFast } from './fast.ts';
import { statisticsOf } from './look.ts';

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
    const { run, chains } = measureFast(program, [], {
      depth: 1,
      functions: [],
      chains: [RUN_CHAIN, 'main'],
    });
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

  // When the second chain has come to what is kept of the first one, lanes of 64 bits become necessary, and the run begins anew.
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

  /** Many turns of lanes that keep few cycles. */
  const FORGETFUL = { rebaseFrom: 20_000, keptCycles: 4000, firstSlice: 200, longestSlice: 1000 };
  /** How wide lanes are in the end, and the calls of the run. */
  const measuredBy = (program: string) => {
    const { observation, passes } = statisticsOf(program, FORGETFUL);
    const [, bits] = / (\d+) bits a step/.exec(passes.at(-1)!.what)!;
    return { bits, main: observation.run.calls[0] };
  };
  const onlyMain = (body: string) =>
    workshop.assemble(['.text', START, assemblyFunction('main', body)].join('\n'));

  it('a long chain is measured in 32 bits however long it is, beside shorter ones that begin anew', () => {
    const rounds = 1000;
    const { bits, main } = measuredBy(
      onlyMain(`
        mov ebx, ${rounds}
        0: ${chain('rax', 2)}
        mov edx, 7
        .rept 200
        imul edx, edx
        .endr
        sub ebx, 1
        jne 0b
        ret`),
    );
    expect(bits).toBe('32');
    expect(main).toMatchObject({
      instructions: rounds * (1 + 2 * (BLOCK + 2) + 201 + 2) + 2,
      cycles: rounds * 2 * BLOCK,
    });
  });

  it.each([
    ['shorter than what is kept', 7, '32'],
    // It has passed what is known of the first one when the run ends, and nothing was to be brought down since.
    ['longer than what is kept, shorter than the first one', 18, '64'],
    ['longer than what is kept, and than the first one', 60, '64'],
  ])('a second chain that begins when the first one is over, %s', (_, second, expected) => {
    const program = onlyMain(`xor edx, edx\n${chain('rax', 40)}\n${chain('rdx', second)}\nret`);
    const { bits, main } = measuredBy(program);
    expect(bits).toBe(expected);
    expect(main).toMatchObject({ cycles: BLOCK * Math.max(40, second) + (second > 40 ? 1 : 0) });
  });

  it('a call in a long run has the cycles that are its own', () => {
    const program = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction('work', `${chain('rax', 30)}\nret`),
        assemblyFunction('main', `${chain('rax', 40)}\ncall work\n${chain('rax', 40)}\ncall work\nret`),
      ].join('\n'),
    );
    const { bits, main } = measuredBy(program);
    expect(bits).toBe('32');
    expect(main.cycles).toBe(140 * BLOCK);
    expect(main.calls.map(({ cycles }) => cycles)).toEqual([30 * BLOCK, 30 * BLOCK]);
  });

  /** A long chain through so many blocks, and then a call with a short one. */
  const lateCall = (blocks: number): string =>
    workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction('brief', `${chain('rax', 3)}\nret`),
        assemblyFunction('main', `${chain('rax', blocks)}\ncall brief\nret`),
      ].join('\n'),
    );

  it('a chain through more instructions than have numbers is refused before it is followed', () => {
    const program = lateCall(20);
    const limits = { chainInstructions: 10_000, firstSlice: 1000 };
    const chainsOf = (name: string) =>
      measureFast(program, [], { depth: 1, functions: [], chains: [name] }, limits).chains;
    expect(() => chainsOf(RUN_CHAIN)).toThrow(/chain of the run .* more than 10000 instructions/);
    expect(() => chainsOf('main')).toThrow(/chain of the longest call of main .* more than 10000/);
    expect(chainsOf('brief')).toMatchObject([{ length: 3 * BLOCK }]);
    const reasons: string[] = [];
    const question = { depth: 1, functions: [], chains: [RUN_CHAIN, 'main', 'brief'] };
    const { chains } = measureFast(program, [], question, limits, ({ message }) => reasons.push(message));
    expect(chains).toMatchObject([{ length: 3 * BLOCK }]);
    expect(reasons).toEqual([
      'the chain of the run cannot be followed: it goes through more than 10000 instructions',
      'the chain of the longest call of main cannot be followed: it goes through more than 10000 instructions',
    ]);
  });

  it('a chain of more cycles than tags have bits for is refused, but not one that begins behind so many', () => {
    const program = lateCall(50);
    const limits = { chainCycles: 10_000, firstSlice: 1000, longestSlice: 1000 };
    const question = { depth: 1, functions: [], chains: [RUN_CHAIN, 'brief'] };
    expect(() => measureFast(program, [], question, limits)).toThrow(
      /has 1\d{4} cycles by now, and 10000 at most/,
    );
    const reasons: string[] = [];
    const { chains } = measureFast(program, [], question, limits, ({ message }) => reasons.push(message));
    expect(chains).toMatchObject([{ length: 3 * BLOCK }]);
    expect(reasons).toHaveLength(1);
  });
});
