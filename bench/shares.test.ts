import { expect, it } from 'vitest';
import { type Samples, sharesIn } from './shares.ts';
import { sharesTable } from './shares-table.ts';

const samples: Samples = {
  code: [
    { name: 'region 0x401000', type: 'JS', kind: 'Opt' },
    { name: 'region 0x401000', type: 'JS', kind: 'Builtin' },
    { name: 'handler', type: 'JS', kind: 'Opt' },
    { name: 'contexts', type: 'JS', kind: 'Opt' },
    { name: 'decode engine.cjs:1', type: 'JS', kind: 'Opt' },
    { name: 'node', type: 'SHARED_LIB' },
  ],
  ticks: [
    ...[0, 0, 0, 0, 1, 2, 3, 4, 5, -1].map((ran) => ({ vm: 0, s: [ran, 0] })),
    // The collector, wherever it was called from.
    { vm: 1, s: [0, 0] },
  ],
};

it('samples count for what the function that ran is part of', () => {
  expect(sharesIn(samples)).toEqual({
    optimised: 4,
    baseline: 1,
    interpreter: 1,
    support: 1,
    own: 1,
    v8: 3,
  });
});

it('the table tells what each part is of the time of callgrind', () => {
  const took = (wall: number) => ({
    kind: 'measured' as const,
    samples: [{ wall, cpu: wall, memory: 0 }],
  });
  const shares = { optimised: 40, baseline: 10, interpreter: 20, support: 5, own: 10, v8: 15 };
  const jq = {
    group: 'programs' as const,
    name: 'jq',
    shares,
    outcomes: { gate: took(1), callgrind: took(2) },
  };
  const written = sharesTable([jq, { group: 'programs', name: 'failed', outcomes: {} }]);
  const rows = written.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  expect(rows[2]).toBe('| jq | 40.0 | 10.0 | 20.0 | 5.0 | 10.0 | 15.0 | 0.200 | 0.300 |');
  expect(rows.at(-2)).toBe(
    'Geometric means over callgrind: 0.200 of optimised regions alone, 0.300 of all else.',
  );
});
