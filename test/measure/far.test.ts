import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { isMissing, Workshop } from './build.ts';
import { compare, LIMITS } from './compare.ts';

const source = readFileSync(new URL('programs/far.c', import.meta.url), 'utf8');
const FLAGS = ['-ffreestanding', '-fno-builtin', '-fno-stack-protector', '-nostdlib', '-static'];

describe.skipIf(isMissing('gcc'))('memory at addresses of terabytes', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  it.each(['-O0', '-O2'])('measures the same in generated code and in the reference, at %s', (level) => {
    const program = workshop.compile(source, [level, ...FLAGS]);
    const question = { depth: 3, functions: ['accesses', 'chase', 'moving'], chains: ['run', 'sparse'] };
    const { naive } = compare(program, question, [{}, LIMITS[2], LIMITS[9], ...LIMITS.slice(-3)]);
    expect(naive.stdout).toBe(execFileSync(program, { encoding: 'latin1' }));
  });
});
