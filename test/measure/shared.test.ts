import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { isMissing, Workshop } from './build.ts';
import { compare, expectSame, LIMITS, limitsInTurn } from './compare.ts';
import { measureFast } from './fast.ts';

const source = readFileSync(new URL('programs/shared.c', import.meta.url), 'utf8');
const FLAGS = ['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib', '-static'];

describe.skipIf(isMissing('gcc'))('a file that is mapped twice', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  it.each(['-O1', '-O2'])(
    'is one memory: measured as if all went through one of the mappings, at %s',
    (level) => {
      const question = { depth: 1, functions: ['pass', 'code'], chains: [RUN_CHAIN, 'pass'] };
      const [one, two] = [0, 1].map((alias) =>
        workshop.compile(source, [level, ...FLAGS, `-DALIAS=${alias}`]),
      );
      const native = execFileSync(two, { encoding: 'latin1' });
      const { expected } = compare(one, question);
      for (const limits of level === '-O2' ? limitsInTurn() : [{}, LIMITS[3], LIMITS[12]]) {
        const measured = measureFast(two, [], question, limits);
        expect(measured.stdout).toBe(native);
        expectSame(measured, expected);
      }
    },
  );
});
