import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NODES } from '../bundle.ts';
import { canAskForHugePages } from '../host/huge-pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-huge-'));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * What is loaded before the command line, and tells at the end how much of the process lay in huge pages at most: V8 may have given the memory back
 * by then.
 */
const witness = join(directory, 'witness.cjs');
writeFileSync(
  witness,
  `const { writeFileSync } = require('node:fs');
  const { Worker } = require('node:worker_threads');
  const most = new Int32Array(new SharedArrayBuffer(4));
  const look = () => {
    const { readFileSync } = require('node:fs');
    const { workerData } = require('node:worker_threads');
    setInterval(() => {
      const [, huge] = /^AnonHugePages:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'));
      workerData[0] = Math.max(workerData[0], Number(huge));
    }, 10);
  };
  new Worker('(' + look + ')()', { eval: true, workerData: most }).unref();
  process.on('exit', () => writeFileSync(${JSON.stringify(join(directory, 'seen'))}, String(most[0])));`,
);

/** KiB in huge pages of a process that measures the sum of so many doubles. */
function hugeKiB(node: string, n: number): number {
  const { status, stderr } = spawnSync(
    node,
    [
      '--require',
      witness,
      join(ROOT, 'dist/cli.cjs'),
      'measure',
      '--',
      join(ROOT, 'examples/summation/prebuilt/summation'),
      'Sum2',
      String(n),
      'dU',
    ],
    { cwd: directory, encoding: 'utf8', env: { TMPDIR: directory } },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return Number(readFileSync(join(directory, 'seen'), 'utf8'));
}

// The committed bundle, with the native code beside it.
describe.each([NODES[0], process.execPath])('with %s', (node) => {
  test.skipIf(!existsSync(node) || !canAskForHugePages)('memory of large programs lies in huge pages', () => {
    expect(hugeKiB(node, 10)).toBe(0);
    expect(hugeKiB(node, 2_000_000)).toBeGreaterThan(16 * 1024);
  });
});
