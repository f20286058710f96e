import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Prints the niceness of each of its threads, its first one first. */
const SCRIPT = `
const { standBack } = await import(${JSON.stringify(new URL('compiling-threads.ts', import.meta.url).pathname)});
const { readdirSync } = await import('node:fs');
const { getPriority } = await import('node:os');
standBack();
const threads = readdirSync('/proc/self/task').map(Number).sort((a, b) => (b === process.pid) - (a === process.pid));
process.stdout.write(JSON.stringify(threads.map((thread) => getPriority(thread))));
`;

it.skipIf(!existsSync('/proc/self/task'))('only threads beside the first one stand back', () => {
  const { NODE_OPTIONS, ...env } = process.env;
  const args = ['--input-type=module-typescript', '--eval', SCRIPT];
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  const [first, ...others] = JSON.parse(stdout) as number[];
  expect(others.length).toBeGreaterThan(1);
  expect(others.every((niceness) => niceness === first + 5)).toBe(true);
});
