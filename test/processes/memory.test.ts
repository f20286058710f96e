import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf, SILENT } from '../guest/request.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ilp-gate-memory-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test.each([false, true])(
  'a run with children gives its memory back before its chain is followed, measured children %s',
  async (measuresChildren) => {
    const ports = testMeasuring();
    const kept: number[] = [];
    const measure = measureWith({
      ...ports,
      collectGarbage: (bytes) => {
        const before = process.memoryUsage().external;
        ports.collectGarbage!(bytes);
        kept.push(before - process.memoryUsage().external - bytes);
      },
    });
    const args = ['-c', '/bin/true; /bin/true & wait'];
    await measure(requestOf('/bin/sh', directory, { args, chains: [RUN_CHAIN], measuresChildren }), SILENT);
    // Else it waits for seconds in vain, and there are two.
    expect(kept.length).toBeGreaterThan(0);
    for (const bytes of kept) expect(bytes).toBeGreaterThanOrEqual(0);
  },
);
