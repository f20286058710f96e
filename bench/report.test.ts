import { expect, it } from 'vitest';
import { report } from './report.ts';

it('the report shows medians with their ranges, ratios, means and what could not be measured', () => {
  const sample = (wall: number) => ({ wall, cpu: wall, memory: 2 ** 20 });
  const text = report({
    machine: [['cores', '2']],
    tools: ['native', 'callgrind', 'gate'],
    results: [
      {
        group: 'programs',
        name: 'jq',
        instructions: 123_456_789,
        outcomes: {
          native: { kind: 'measured', samples: [sample(0.25)] },
          callgrind: { kind: 'measured', samples: [sample(5)] },
          gate: { kind: 'measured', samples: [3, 2, 2.5].map(sample) },
        },
      },
      {
        group: 'programs',
        name: 'cc1',
        outcomes: {
          native: { kind: 'measured', samples: [sample(1)] },
          callgrind: { kind: 'measured', samples: [sample(20)] },
          gate: { kind: 'failed', reason: 'exit 126 instead of exit 0: ilp-gate: no' },
        },
      },
    ],
    missing: [{ group: 'programs', name: 'xz', reason: 'xz is not installed' }],
    verdicts: [
      { target: 'fast', measured: '0.5', passed: true },
      { target: 'small', measured: 'not measured' },
    ],
  });
  expect(text).toBe(`## Machine

| what  | value |
| ----- | ----- |
| cores | 2     |

Wall time of the whole process, start-up included: median (least to most). Instructions as callgrind counts them.

## Real programs

| case | 10^6 instr. | native, s | callgrind, s |         ilp-gate, s | ilp-gate / native | ilp-gate / callgrind |
| ---- | ----------: | --------: | -----------: | ------------------: | ----------------: | -------------------: |
| jq   |         123 |     0.250 |         5.00 | 2.50 (2.00 to 3.00) |              10.0 |                0.500 |
| cc1  |             |      1.00 |         20.0 |              failed |                   |                      |

| geometric mean | over native | over callgrind |
| -------------- | ----------: | -------------: |
| callgrind      |    20.0 (2) |       1.00 (2) |
| ilp-gate       |    10.0 (1) |      0.500 (1) |

| case | native, CPU s | callgrind, CPU s | ilp-gate, CPU s | native, MB | callgrind, MB | ilp-gate, MB |
| ---- | ------------: | ---------------: | --------------: | ---------: | ------------: | -----------: |
| jq   |         0.250 |             5.00 |            2.50 |       1.00 |          1.00 |         1.00 |
| cc1  |          1.00 |             20.0 |                 |       1.00 |          1.00 |              |

## Not measured

- cc1, ilp-gate: exit 126 instead of exit 0: ilp-gate: no
- xz: xz is not installed

## Targets

| target | measured     | verdict |
| ------ | ------------ | ------- |
| fast   | 0.5          | met     |
| small  | not measured |         |
`);
});
