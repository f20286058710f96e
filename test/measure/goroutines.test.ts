import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isMissing, Workshop } from './build.ts';
import { compare, fewerPauses, limitsInTurn } from './compare.ts';

const SOURCES = fileURLToPath(new URL('./programs/', import.meta.url));
const NAMES = ['grows', 'deep', 'leaf', 'waits', 'worker'].map((name) => `main.${name}`);

/** Calls stay open where their stacks move (rule 9): the numbers are those that the source tells. */
describe.skipIf(isMissing('gcc') || isMissing('go'))('calls of goroutines', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  function build(source: string, flags: readonly string[]): string {
    const program = join(workshop.directory, `${source}${flags.length}`);
    cpSync(join(SOURCES, source), join(workshop.directory, source));
    execFileSync('go', ['build', ...flags, '-o', program, source], {
      cwd: workshop.directory,
      stdio: 'pipe',
    });
    return program;
  }

  it.each([[[]], [['-buildmode=pie', '-ldflags=-s -w', '-gcflags=-N -l']]])(
    'stacks that grow and shrink, built with %j',
    (flags) => {
      const program = build('goroutines.go', flags);
      const question = { depth: 2, functions: NAMES, chains: [] };
      const { measured } = compare(program, question, limitsInTurn().slice(0, 4).map(fewerPauses));
      const calls = Object.fromEntries(
        measured.functions.map(({ entry, calls }) => [measured.nameOf(entry), calls]),
      );
      expect(calls).toMatchObject({
        'main.main': 1,
        'main.worker': 3,
        'main.waits': 3,
        'main.grows': 7,
        'main.deep': 7,
        'main.leaf': 16,
      });
    },
  );

  it('stacks beside variables of C for each thread', () => {
    const program = build('goroutines-with-c.go', []);
    const { measured } = compare(program, { depth: 0, functions: ['main.deep', 'main.top'], chains: [] });
    const calls = measured.functions.map(({ entry, calls }) => [measured.nameOf(entry), calls]);
    expect(Object.fromEntries(calls)).toEqual({ 'main.top': 4, 'main.deep': 4 });
  });
});
