import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { isMissing } from '../measure/build.ts';
import { Sources } from './bounded.ts';

const ENTRY = fileURLToPath(new URL('../../src/cli/entry.ts', import.meta.url));

/** From Node 22 on it runs TypeScript. */
const canRun = Number(process.versions.node.split('.')[0]) >= 24;

const program = (operation: string): string => `
#include <stdio.h>
double x[1000];
__attribute__((noinline)) void scale(double by) {
  for (int i = 0; i < 1000; i++)
    x[i] = x[i] ${operation} by;
}
int main(void) {
  for (int i = 0; i < 1000; i++) x[i] = i;
  for (int t = 0; t < 30; t++) scale(1.01);
  printf("%g\\n", x[7]);
  return 0;
}
`;

it.skipIf(isMissing('gcc') || !canRun)(
  'a check names the loop whose bounds got worse, and the line that did it',
  () => {
    const sources = new Sources();
    afterAll(() => sources.remove());
    const run = (command: string) =>
      spawnSync(process.execPath, [ENTRY, command], { cwd: sources.directory, encoding: 'utf8' });
    sources.write(
      'ilp-gate.yml',
      [
        'build: gcc -g -O2 -static -o program program.c',
        'machine: zen5',
        'limits: { instructions: +100%, cycles: +100%, macs: 0 }',
        'targets: [{ name: program, command: ./program, functions: [scale] }]',
      ].join('\n'),
    );
    sources.write('program.c', program('*'));
    expect(run('update')).toMatchObject({ status: 0 });
    expect(run('check')).toMatchObject({ status: 0 });
    sources.write('program.c', program('/'));
    const { status, stdout } = run('check');
    expect(status, stdout).toBe(1);
    expect(stdout).toMatch(/MACS 0.50 → 2.00, MAC/);
    expect(stdout).toMatch(/scale program\.c:5/);
    expect(stdout).toMatch(/division|divider/);
    expect(stdout).toMatch(/in line 6/);
  },
);
