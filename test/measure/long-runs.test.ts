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
});
