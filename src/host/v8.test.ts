import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { NODES } from '../../test/bundle.ts';

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

function printed(script: string, type: 'module-typescript' | 'commonjs', node = process.execPath): string {
  const { NODE_OPTIONS, ...env } = process.env;
  const args = [`--input-type=${type}`, '--eval', script];
  const { stdout, stderr } = spawnSync(node, args, { env, encoding: 'utf8' });
  // Flags that V8 does not know are told there.
  expect(stderr).toBe('');
  return stdout;
}

const young = (bounded: boolean): number => Number(printed(SCRIPT(bounded), 'module-typescript'));

it('the young generation stays as small as it was told', () => {
  // How far it grows by itself depends on the machine's memory.
  expect(young(true)).toBeLessThanOrEqual(Math.min(32, young(false)));
});

/** v8.ts as code that every Node takes. */
const CODE = transformSync(readFileSync(new URL('v8.ts', import.meta.url), 'utf8'), {
  loader: 'ts',
  format: 'cjs',
  target: 'node20',
}).code;

/** Prints by V8's tag, which stands for its flags, whether they are what they were: late, meanwhile for kept code and for what is started, and when the process is not young any more. */
const LATE = `
${CODE}
const { cachedDataVersionTag } = require('node:v8');
const first = cachedDataVersionTag();
const natives = withNatives(cachedDataVersionTag);
const look = optimiseLate();
const tell = (tag, usual) => process.stdout.write(tag === usual ? 'usual ' : 'other ');
tell(cachedDataVersionTag(), first);
tell(withNatives(cachedDataVersionTag), natives);
tell(withFirstFlags(cachedDataVersionTag), first);
tell(cachedDataVersionTag(), first);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100);
look();
tell(cachedDataVersionTag(), first);
`;

describe.each(NODES)('with %s', (node) => {
  it.skipIf(!existsSync(node))(
    'functions are optimised late in a young process, and V8 takes kept code all the same',
    () => {
      expect(printed(LATE, 'commonjs', node)).toBe('other usual usual other usual ');
    },
  );
});
