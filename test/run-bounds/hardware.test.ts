import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainLoop, measure, Sources } from './bounded.ts';

/** Most continuous-integration machines are virtual ones without counters, so this is skipped there whatever is required. */
function countsCycles(): boolean {
  const { stdout, stderr, status } = spawnSync('perf', ['stat', '-x,', '-e', 'cycles:u', 'true'], {
    encoding: 'utf8',
  });
  return status === 0 && /^\d+,,cycles/m.test(`${stdout}${stderr}`);
}

describe.skipIf(!countsCycles())('what loops take on this machine (perf with counters of cycles)', () => {
  const sources = new Sources();
  beforeAll(() => {
    // Each iteration waits for a division, 10 cycles at least on every processor that we know.
    sources.write(
      'divide.c',
      `#include <stdlib.h>
#include <stdio.h>
__attribute__((noinline)) double divide(double x, long n) {
  for (long i = 0; i < n; i++) x = 1.5 / x;
  return x;
}
int main(int argc, char **argv) { printf("%g\\n", divide(1.25, atol(argv[1]))); }
`,
    );
    sources.build('gcc -O2 -g -o divide divide.c');
  });
  afterAll(() => sources.remove());

  test('stands beside the bounds, with its gap, and the sum of the run beside the run-time bound', async () => {
    const request = sources.request('./divide', ['20000000']);
    const { profile, notes } = await measure(
      { ...request, bounds: { ...request.bounds!, hardwareRuns: 1 } },
      { stdout: () => {}, stderr: () => {} },
    );
    const loop = mainLoop(profile!.loops!, 'divide');
    expect(loop.bounds.measured).toBeGreaterThan(4);
    expect(loop.bounds.measured).toBeLessThan(60);
    expect(loop.gaps.P).toBeCloseTo(loop.bounds.measured! - loop.bounds.MACS, 3);
    expect(profile!.bounds!.measured).toBeGreaterThan(20_000_000 * 4);
    expect(notes.join()).toContain('measured with perf on this machine');
  }, 60_000);

  test('a program that fails on the machine itself is an error that says so', async () => {
    sources.write('fails.c', 'int main(void) { return 3; }\n');
    sources.build('gcc -o fails fails.c');
    const request = sources.request('./fails');
    await expect(
      measure(
        { ...request, bounds: { ...request.bounds!, hardwareRuns: 1 } },
        { stdout: () => {}, stderr: () => {} },
      ),
    ).rejects.toMatchObject({ code: 'hardware-run-failed' });
  });
});
