import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { TraceRequest } from '../../src/observation/trace.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { LEFT_OUT } from '../measure/combinations.ts';
import { LIMITS } from '../measure/compare.ts';
import { NaiveTraces, tracesOf } from './traces.ts';

const FREESTANDING = ['-DFREESTANDING', '-ffreestanding', '-fno-stack-protector', '-nostdlib', '-static'];
const source = (name: string) =>
  readFileSync(new URL(`../measure/programs/${name}.c`, import.meta.url), 'utf8');

describe.skipIf(isMissing('gcc'))('what loops access is what the reference saw', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  const some = [
    ['mixed', '-O0', 1_000_000],
    ['jumps', '-O2', 50],
  ] as const;
  const others = [
    ['mixed', '-O2', 50],
    ['jumps', '-O2', 1_000_000],
  ] as const;
  it.each(process.env.FULL === '1' ? [...some, ...others] : some)(
    '%s.c at %s, every loop, samples of %d instructions, whatever the limits',
    (name, level, instructions) => {
      const program = workshop.compile(source(name), [level, ...FREESTANDING]);
      const naive = new NaiveTraces(program);
      const requests = naive.loops().map((loop): TraceRequest => {
        const total = naive.executions(loop.header);
        const occurrences = [0, 3, Math.floor(total / 2), total - 2, total - 1].filter((n) => n >= 0);
        return {
          header: loop.header,
          body: [loop],
          occurrences: [...new Set(occurrences)].sort((a, b) => a - b),
          iterations: 6,
          instructions,
        };
      });
      expect(requests.length).toBeGreaterThan(3);
      const expected = requests.map((request) => naive.trace(request));
      for (const limits of [...LIMITS, ...LEFT_OUT]) {
        expect([limits, tracesOf(program, requests, limits)]).toEqual([limits, expected]);
      }
    },
  );
});
