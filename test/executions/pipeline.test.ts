import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LoopTrace } from '../../src/observation/trace.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf } from '../guest/request.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { totalOf } from './counts.ts';

describe.skipIf(isMissing('gcc'))('a measurement with counts', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const program = workshop.compile(
    `#include <stdio.h>
    int main(void) {
      int count = 0, sum = 0, c;
      FILE *file = fopen("kept", "r");
      if (file) { while ((c = fgetc(file)) != EOF) count++; fclose(file); }
      file = fopen("kept", "w");
      for (int i = 0; i < 100 + count; i++) { fputc('a' + i % 26, file); sum += i; }
      fclose(file);
      printf("%d %d\\n", count, sum);
      return 0;
    }`,
    ['-O1'],
  );
  const request = requestOf(program, workshop.directory, {
    depth: 1,
    bounds: { machine: 'zen5', isa: 'x86-64', functions: [] },
    writes: 'keep',
  });
  const sinks = (heard: string[]) => ({
    stdout: (bytes: Uint8Array) => heard.push(Buffer.from(bytes).toString()),
    stderr: () => {},
  });

  it('hands its counts to an analysis, which may have loops sampled before anything is written', async () => {
    const heard: string[] = [];
    let traces: readonly LoopTrace[] = [];
    let instructions = 0;
    const measure = measureWith(testMeasuring(), async ({ observation, images, trace, note }) => {
      expect(totalOf(observation.executions)).toBe(observation.run.instructions);
      instructions = observation.run.instructions;
      const { base } = observation.modules[0];
      const main = images[0].functions.find(({ name }) => name === 'main')!;
      const [start, end] = [main.address + base, main.address + main.size + base];
      const loop = observation.executions.ranges.find(
        (range) => range.start >= start && range.end <= end && range.executions === 100,
      )!;
      traces = trace([
        {
          header: loop.start,
          body: [{ start, end }],
          occurrences: [0, 99],
          iterations: 4,
          instructions: 10_000,
        },
      ]);
      note('looked at');
      return { bounds: { machine: 'none', runTime: 0, covered: 0 } };
    });
    const { profile, notes } = await measure(request, sinks(heard));
    expect(heard).toEqual(['0 4950\n']);
    expect(notes).toContain('looked at');
    expect(profile?.bounds?.machine).toBe('none');
    expect(profile?.total.instructions).toBe(instructions);
    expect(traces[0].samples.map(({ occurrence, iterations }) => [occurrence, iterations.length])).toEqual([
      [0, 4],
      [99, 1],
    ]);
    expect(readFileSync(join(workshop.directory, 'kept'), 'utf8')).toHaveLength(100);
  });

  it('measures the same without', async () => {
    const heard: string[] = [];
    const plain = await measureWith(testMeasuring())({ ...request, writes: 'discard' }, sinks(heard));
    const counted = await measureWith(testMeasuring(), async () => ({}))(
      { ...request, writes: 'discard' },
      sinks(heard),
    );
    expect(counted).toEqual(plain);
    expect(heard).toEqual(['100 19900\n', '100 19900\n']);
  });
});
