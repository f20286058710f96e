import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { compare, fewerPauses, LIMITS, limitsInTurn } from './compare.ts';

const source = readFileSync(new URL('programs/far.c', import.meta.url), 'utf8');
const code = readFileSync(new URL('programs/far-code.c', import.meta.url), 'utf8');
/** With FULL at both levels. */
const of = (level: string): readonly string[] => (process.env.FULL === '1' ? ['-O0', '-O2'] : [level]);
const FLAGS = ['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib', '-static'];

describe.skipIf(isMissing('gcc'))('memory at addresses of terabytes', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  it.each(of('-O2'))('measures the same in generated code and in the reference, at %s', (level) => {
    const program = workshop.compile(source, [level, ...FLAGS]);
    const question = { depth: 3, functions: ['accesses', 'chase', 'moving'], chains: [RUN_CHAIN, 'sparse'] };
    const { naive } = compare(
      program,
      question,
      [{}, LIMITS[2], LIMITS[9], ...LIMITS.slice(-3), { hotEntries: 5, warmEntries: 1, manyFar: 0 }].map(
        fewerPauses,
      ),
    );
    expect(naive.stdout).toBe(execFileSync(program, { encoding: 'latin1' }));
  });

  it.each(of('-O2'))('measures code at such addresses as it does the same code lower, at %s', (level) => {
    const limits = (level === '-O2' ? limitsInTurn() : [{}, LIMITS[3], LIMITS[12]]).map(fewerPauses);
    const question = { depth: 3, functions: ['fib', 'through', 'made'], chains: [RUN_CHAIN, 'interpret'] };
    const [low, high] = ['0x400000', '0x7f0123456000'].map((at) => {
      const flags = [level, ...FLAGS, '-fPIE', `-Wl,-Ttext-segment=${at}`];
      const program = workshop.compile(code, flags);
      const { naive, expected } = compare(program, question, limits);
      expect(naive.stdout).toBe(execFileSync(program, { encoding: 'latin1' }));
      return expected;
    });
    expect(high.run).toMatchObject({ instructions: low.run.instructions, cycles: low.run.cycles });
  });
});
