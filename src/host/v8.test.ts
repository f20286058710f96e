import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Makes objects that live for a while, as an engine's caches do; prints how many MiB are set aside for young ones. */
const SCRIPT = (bounded: boolean) => `
const { getHeapSpaceStatistics } = await import('node:v8');
const { keepHeapSmall } = await import(${JSON.stringify(new URL('v8.ts', import.meta.url).pathname)});
const look = ${bounded} ? keepHeapSmall() : () => {};
const held = [];
for (let i = 0; i < 400; i++) {
  held[i % 50] = Array.from({ length: 10_000 }, (_, j) => ({ i, j }));
  look();
}
const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
process.stdout.write(String(Math.round(young.space_size / 2 ** 20)));
`;

function young(bounded: boolean): number {
  const { NODE_OPTIONS, ...env } = process.env;
  const args = ['--input-type=module-typescript', '--eval', SCRIPT(bounded)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  // Flags that V8 does not know are told there.
  expect(stderr).toBe('');
  return Number(stdout);
}

it('the young generation stays as small as it was told', () => {
  // How far it grows by itself depends on the machine's memory.
  expect(young(true)).toBeLessThanOrEqual(Math.min(32, young(false)));
});
