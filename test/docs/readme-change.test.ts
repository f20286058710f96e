import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { toolchainMissing } from '../summation/program.ts';

// The change that README.md shows, made to a copy of the example: fewer instructions, a longer chain.
const ROOT = join(import.meta.dirname, '../..');
const example = mkdtempSync(join(tmpdir(), 'ilp-gate-readme-'));
afterAll(() => rmSync(example, { recursive: true }));

const CONFIGURATION = `
build: make -s build/o2/summation
targets:
  - name: Sum2
    command: build/o2/summation Sum2 10000 dU
    functions: [Sum2]
`;

function gate(...args: readonly string[]) {
  const entry = join(ROOT, 'src/cli/entry.ts');
  const options = { cwd: example, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return spawnSync(process.execPath, [entry, ...args, '--config', 'readme.yml'], options);
}

/** The lines that the diff in README.md takes away, and those that it puts there. */
function change(): { readonly before: string; readonly after: string } {
  const diff = /```diff\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  const lines = (sign: string): string =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return { before: lines('-'), after: lines('+') };
}

describe.skipIf(toolchainMissing())('the change in README.md', () => {
  test('is caught although it takes fewer instructions, and the report names the line', () => {
    cpSync(join(ROOT, 'examples/summation'), example, {
      recursive: true,
      filter: (path) => !path.endsWith('/build'),
    });
    writeFileSync(join(example, 'readme.yml'), CONFIGURATION);
    expect(gate('update')).toMatchObject({ status: 0 });
    expect(gate('check')).toMatchObject({ status: 0 });

    const source = readFileSync(join(example, 'sum2.c'), 'utf8');
    const { before, after } = change();
    expect(after).not.toBe('');
    expect(source).toContain(before);
    writeFileSync(join(example, 'sum2.c'), source.replace(before, after));

    const { status, stdout } = gate('check', '--format', 'json');
    expect(status).toBe(1);
    const { findings, functions } = JSON.parse(stdout).targets[0];
    const [{ base, head }] = functions.filter(({ name }: { name: string }) => name === 'Sum2');
    expect(head.instructions).toBeLessThan(base.instructions);
    // The running sum was one addition an element; now seven operations wait for each other.
    expect(base.cycles).toBeLessThan(20_100);
    expect(head.cycles).toBeGreaterThan(70_000);
    const [finding] = findings.filter((each: { function?: string }) => each.function === 'Sum2');
    expect(finding).toMatchObject({ metric: 'cycles', cause: { kind: 'chain', file: 'eft.h', line: 19 } });
  });
});
