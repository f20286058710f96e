import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { assemblyFunction, isMissing, START, Workshop } from './build.ts';
import { measureFast } from './fast.ts';
import { modulesOf, statisticsOf } from './look.ts';

const NEVER = 0x7fff_ffff;
describe.skipIf(isMissing('gcc'))('statistics of the engine', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const ROUNDS = 300;
  const program = workshop.assemble(
    [
      '.data\ntargets: .quad even, odd\nbytes: .skip 64\n.text',
      START,
      assemblyFunction('leaf', 'add rax, 1\nret'),
      assemblyFunction(
        'main',
        `push rbx
        mov ebx, ${ROUNDS}
        1: call leaf
        mov byte ptr bytes[rip+5], al
        mov byte ptr bytes[rip+9], al
        add cl, bytes[rip+5]
        mov edx, ebx
        and edx, 1
        lea rsi, targets[rip]
        jmp [rsi+rdx*8]
        even: add rax, 2
        odd: sub ebx, 1
        jne 1b
        xor eax, eax
        pop rbx
        ret`,
      ),
    ].join('\n'),
  );
  const executed = 4 + 2 + ROUNDS * 12 + ROUNDS / 2 + 3;

  it('tell the tiers apart', () => {
    const cold = statisticsOf(program, { hotEntries: NEVER }).passes[0];
    expect(cold).toMatchObject({ instructions: executed, interpreted: executed });
    expect(cold.code).toMatchObject({ regions: 0, regionBytes: 0 });
    const hot = statisticsOf(program, { hotEntries: 20, warmEntries: 2 }).passes[0];
    expect(hot.instructions).toBe(executed);
    expect(hot.interpreted).toBeGreaterThan(20 * 12);
    expect(hot.interpreted).toBeLessThan(executed / 4);
    expect(hot.code.regions).toBeGreaterThan(1);
  });

  it('tell that indirect calls go straight to regions as soon as there are some', () => {
    // None of them is in line.
    const far = workshop.assemble(
      [
        '.data\ntargets: .quad first, second, third, fourth, fifth, sixth\n.text',
        START,
        ...['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((name) =>
          assemblyFunction(name, 'add rax, 1\nret'),
        ),
        assemblyFunction(
          'main',
          `push rbx
          mov ebx, 3000
          lea rsi, targets[rip]
          1: mov eax, ebx
          xor edx, edx
          mov ecx, 6
          div ecx
          call [rsi+rdx*8]
          sub ebx, 1
          jne 1b
          xor eax, eax
          pop rbx
          ret`,
        ),
      ].join('\n'),
    );
    for (const without of [[], ['shared way in'], ['address caches']] as const) {
      const limits = { hotEntries: 20, warmEntries: 2, callTargets: 0, without };
      const { counts } = statisticsOf(far, limits).passes[0];
      expect(counts['exits: indirect call']).toBeGreaterThan(2900);
      // Each of the six is entered twenty times before it has a region; then the way there leads past the interpreter.
      expect(counts['interpreter: entered']).toBeLessThan(6 * 21);
      expect(counts['interpreter: left for a region'] ?? 0).toBeLessThanOrEqual(6);
    }
  });

  it('count every way out of a region, every service and every slow access', () => {
    const limits = { hotEntries: 20, warmEntries: 2 };
    const { counts, interpreted } = statisticsOf(program, limits).passes[0];
    const inRegions = ROUNDS - 20;
    // The loop's region is made when its head has been entered 20 times.
    const alone = statisticsOf(program, { ...limits, without: ['calls in line'] }).passes[0].counts;
    for (const calls of [counts['calls: in line'], alone['exits: call']]) {
      expect(calls).toBeGreaterThan(inRegions - 5);
      expect(calls).toBeLessThanOrEqual(inRegions);
    }
    expect(counts['exits: call']).toBeUndefined();
    expect(counts['jumps: found in the table']).toBeGreaterThan(inRegions - 5);
    expect(counts['services: syscall']).toBe(1);
    expect(counts['slow stores: bytes begin to differ']).toBe(1);
    expect(counts['slow loads: outside of memory']).toBeUndefined();
    expect(interpreted).toBeGreaterThan(0);
  });

  it('show that one target far from all others does not keep them out of a region', () => {
    const spread = workshop.assemble(
      [
        '.data\ntargets: .quad even, odd, even, elsewhere\n.text',
        'elsewhere: jmp back\n.skip 0x30000',
        START,
        assemblyFunction(
          'main',
          `lea rsi, targets[rip]
          mov ecx, 400
          1: mov edx, ecx
          and edx, 3
          jmp [rsi+rdx*8]
          even: add eax, 2
          odd: add eax, 1
          back: sub ecx, 1
          jne 1b
          xor eax, eax
          ret`,
        ),
      ].join('\n'),
    );
    const { counts } = statisticsOf(spread, { hotEntries: 100, warmEntries: 8 }).passes[0];
    expect(counts['jumps: found in the table']).toBeGreaterThan(200);
  });

  it('show that code with many accesses to memory becomes several regions', () => {
    const many = workshop.assemble(
      [
        '.bss\nbytes: .skip 1024\n.text',
        START,
        assemblyFunction(
          'main',
          `lea rdi, bytes[rip]
          mov ecx, 300
          1: ${Array.from({ length: 700 }, (_, i) => `add byte ptr [rdi+${i}], cl`).join('\n')}
          sub ecx, 1
          jne 1b
          xor eax, eax
          ret`,
        ),
      ].join('\n'),
    );
    const limits = { hotEntries: 50, warmEntries: 8 };
    const { passes, observation } = statisticsOf(many, limits);
    expect(passes[0].code.regions).toBe(1);
    const parts = statisticsOf(many, { ...limits, regionAccesses: 600 });
    expect(parts.passes[0].code.regions).toBeGreaterThan(1);
    expect(parts.passes[0].code.regionInstructions).toBeLessThan(1000);
    expect(parts.observation).toEqual(observation);
  });

  it('show that a region holds nothing of what was code once', () => {
    // From round 100 on there are zeros where the loop led through: additions of al to memory, as long as they reach.
    const rewritten = workshop.assemble(
      [
        '.section .wx,"awx"\nwritten: .skip 0x8000\n.data\ntargets: .quad written, other\n.text',
        START,
        assemblyFunction(
          'main',
          `lea rsi, written[rip]
          lea r8, back[rip]
          movw [rsi], 0xff41
          movb [rsi+2], 0xe0
          lea rdi, targets[rip]
          mov ecx, 300
          xor edx, edx
          1: jmp [rdi+rdx*8]
          other: nop
          back: cmp ecx, 200
          jne 2f
          movw [rsi], 0
          movb [rsi+2], 0
          mov edx, 1
          2: sub ecx, 1
          jne 1b
          xor eax, eax
          ret`,
        ),
      ].join('\n'),
    );
    const { code } = statisticsOf(rewritten, { hotEntries: 150, warmEntries: 8 }).passes[0];
    expect(code.regions).toBeGreaterThan(0);
    expect(code.regionInstructions).toBeLessThan(20);
  });

  it('show that a region goes on after it has called code that is interpreted', () => {
    const rarely = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction('leaf', 'add rax, 1\nret'),
        assemblyFunction(
          'main',
          'mov ecx, 800\n1: test cl, 7\njne 2f\ncall leaf\n2: sub ecx, 1\njne 1b\nxor eax, eax\nret',
        ),
      ].join('\n'),
    );
    const { counts, interpreted } = statisticsOf(rarely, {
      warmEntries: 1,
      hotEntries: 101,
      firstSlice: 1000,
      without: ['calls in line'],
    }).passes[0];
    // 100 calls: never often enough for a region of its own.
    expect(counts['exits: call']).toBeGreaterThan(80);
    // Once the first slice has ended, no interpreted code waits for the loop any more.
    expect(counts['interpreter: went on where nobody waited'] ?? 0).toBeLessThan(5);
    expect(interpreted).toBeLessThan(101 * 5 + 100 * 2 + 20);
  });

  it('tell each pass with what it measured, and what it added', () => {
    const { passes, text } = statisticsOf(program, {}, [RUN_CHAIN, 'leaf']);
    expect(passes.map(({ what }) => what)).toEqual([
      'calls of depth 0 to 3, 32 bits a step',
      'calls of leaf',
      'the chain of the run: its links',
      'the chain of a call of leaf: its links',
    ]);
    expect(passes[0].code.blocks).toBeGreaterThan(5);
    expect(passes[1].code.blocks).toBe(0);
    expect(text).toContain('pass 4 of 4: the chain of a call of leaf: its links\n');
    expect(text).toMatch(/in the interpreter +\d+ {2}100\.0 %/);
  });

  const chainPasses = (path: string, limits: Partial<EngineLimits>) =>
    statisticsOf(path, limits, [RUN_CHAIN])
      .passes.slice(1)
      .map(({ what }) => what);

  it('tell that a chain takes one pass, however often its log goes round', () => {
    for (const logEntries of [16, 64, 256])
      expect(chainPasses(program, { logEntries })).toEqual(['the chain of the run: its links']);
  });

  it('tell that it takes two more where the longest chain was another one for longer than the log goes back', () => {
    // A chain of 1,800 cycles that nothing comes of, then one of 3,000.
    const parting = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction(
          'main',
          `mov ecx, 900
          1: add rax, 1
          add rax, 2
          sub ecx, 1
          jne 1b
          mov edx, 3000
          2: sub edx, 1
          jne 2b
          xor eax, eax
          ret`,
        ),
      ].join('\n'),
    );
    const one = ['the chain of the run: its links'];
    const three = [...one, 'the chain of the run: where it comes from', ...one];
    for (const logEntries of [16, 256]) expect(chainPasses(parting, { logEntries })).toEqual(three);
    expect(chainPasses(parting, { logEntries: 16_384 })).toEqual(one);
    // Without room to note anything, further passes.
    expect(chainPasses(parting, { logEntries: 64, lineageEntries: 0 }).length).toBeGreaterThan(3);
    const chains = [16, 256, 16_384].map(
      (logEntries) => statisticsOf(parting, { logEntries }, [RUN_CHAIN]).observation.chains,
    );
    expect(chains[0]).toEqual(chains[2]);
    expect(chains[1]).toEqual(chains[2]);
  });

  it('tell that chains of short calls share passes, and have the links that each has alone', () => {
    const names = ['first', 'second', 'outer', 'inner'];
    const calls = workshop.assemble(
      [
        '.text',
        START,
        assemblyFunction('first', 'mov ecx, 9\n1: imul rax, rcx\nsub ecx, 1\njne 1b\nret'),
        assemblyFunction('second', 'mov rdx, rax\nadd rdx, 3\nimul rdx, rdx\nret'),
        assemblyFunction('inner', 'imul rax, rdx\nimul rax, rax\nret'),
        assemblyFunction('outer', 'call inner\nadd rax, rdx\ncall inner\nret'),
        assemblyFunction(
          'main',
          'mov eax, 5\ncall first\ncall second\ncall outer\ncall first\nxor eax, eax\nret',
        ),
      ].join('\n'),
    );
    const together = statisticsOf(calls, {}, names);
    expect(together.passes.slice(2).map(({ what }) => what)).toEqual([
      'the chains of 3 calls, of first, second, outer',
      'the chain of a call of inner',
    ]);
    const alone = names.flatMap((name) => statisticsOf(calls, {}, [name]).observation.chains);
    expect(alone.map(({ links }) => links.length > 1)).toEqual([true, true, true, true]);
    expect(together.observation.chains).toEqual(alone);
    // What does not fit the log is followed by itself.
    const long = statisticsOf(calls, { logEntries: 16 }, names);
    expect(long.passes.slice(2).map(({ what }) => what)).toContain('the chain of a call of first: its links');
    expect(long.observation.chains).toEqual(alone);
  });

  it('divide all of the time among phases', () => {
    const [{ phases, memory }] = statisticsOf(program, { hotEntries: 20, warmEntries: 2 }).passes;
    for (const phase of ['load', 'decode', 'handlers', 'lift', 'plan', 'emit', 'compile', 'run'] as const)
      expect([phase, phases[phase]! > 0]).toEqual([phase, true]);
    expect(memory.touched).toBeGreaterThan(2);
    expect(memory.bytes).toBe(1);
  });

  it('change no number, and nothing in the code of who does not ask', () => {
    const question = { depth: 3, functions: [], chains: [] };
    const limits = { hotEntries: 20 };
    const measure = () => measureFast(program, [], question, limits);
    const plain = measure();
    expect(statisticsOf(program, limits).observation).toMatchObject({
      run: plain.run,
      functions: plain.functions,
    });
    const before = modulesOf(measure);
    const counting = modulesOf(() => statisticsOf(program, limits));
    const after = modulesOf(measure);
    expect(before.length).toBeGreaterThan(3);
    expect(after).toEqual(before);
    expect(counting).not.toEqual(before);
    const size = (modules: Buffer[]) => modules.reduce((sum, { length }) => sum + length, 0);
    expect(size(counting)).toBeGreaterThan(size(before));
  });
});
