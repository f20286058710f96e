import { expect, test } from 'vitest';
import type { MachineLoop } from '../loops/machine-loop.ts';
import { median, sampledCode } from './measured.ts';

const SEGMENTS = [
  {
    offset: 0,
    address: 0x400000,
    fileSize: 0x1000,
    memorySize: 0x1000,
    readable: true,
    writable: false,
    executable: false,
  },
  {
    offset: 0x1000,
    address: 0x402000,
    fileSize: 0x1000,
    memorySize: 0x1000,
    readable: true,
    writable: false,
    executable: true,
  },
];

const loop = (...blocks: readonly (readonly [number, number])[]): MachineLoop =>
  ({ blocks: blocks.map(([start, end]) => ({ start, end })) }) as unknown as MachineLoop;

test('samples count in the loop whose own blocks hold their address, whatever lies between', () => {
  const code = sampledCode(
    [0x1000, 0x100f, 0x1010, 0x1020, 0x1fff, 0x10].map((offset) => ({ offset, cycles: 10 })),
    SEGMENTS,
  );
  expect(code.within(loop([0x402000, 0x402010]))).toEqual({ cycles: 20, samples: 2 });
  expect(code.within(loop([0x402000, 0x402010], [0x402020, 0x402030]))).toEqual({ cycles: 30, samples: 3 });
  expect(code.within(loop([0x400000, 0x401000]))).toEqual({ cycles: 0, samples: 0 });
});

test('the median of an even number is the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
