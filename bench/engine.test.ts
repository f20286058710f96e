import { expect, it } from 'vitest';
import type { EngineStatistics } from '../src/emulator/code/statistics.ts';
import { engineTable } from './engine.ts';

const engine: EngineStatistics = {
  passes: [
    {
      what: 'calls of depth 0 to 3, 32 bits a step',
      instructions: 2_000_000,
      interpreted: 50_000,
      code: {
        interpreted: 12_345,
        blocks: 900,
        handlers: 300,
        regions: 12,
        regionInstructions: 3456,
        anew: 2,
        forgotten: 0,
        restored: 0,
        regionBytes: 2 ** 20,
        handlerBytes: 2 ** 19,
      },
      counts: {
        'exits: call': 4000,
        'exits: return': 2000,
        'slow loads: misaligned': 30,
        'slow stores: misaligned': 10,
      },
      phases: { load: 100, decode: 70, handlers: 30, lift: 20, emit: 50, compile: 10, run: 900 },
      memory: { mapped: 10, touched: 5, shadow: 4, bytes: 1, tables: 0 },
    },
  ],
};

it('the table of the engine has a row for each case of which something is known', () => {
  expect(engineTable([{ name: 'jq', engine }, { name: 'failed' }])).toBe(
    [
      '| case | interpreted, % | decoded, 10^3 instr. | translated, 10^3 instr. | regions | anew | WebAssembly, MB | decode, s | lift, s | plan, s | emit, s | compile, s | run, s | other, s | exits / 1000 | slow accesses / 1000 | helpers / 1000 |',
      '| ---- | -------------: | -------------------: | ----------------------: | ------: | ---: | --------------: | --------: | ------: | ------: | ------: | ---------: | -----: | -------: | -----------: | -------------------: | -------------: |',
      '| jq   |           2.50 |                 12.3 |                     3.5 |      12 |    2 |            1.50 |      0.10 |    0.02 |    0.00 |    0.05 |       0.01 |   0.90 |     0.10 |         3.00 |                 0.02 |           0.00 |',
      '',
    ].join('\n'),
  );
});
