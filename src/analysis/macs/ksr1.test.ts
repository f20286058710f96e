import { describe, expect, test } from 'vitest';
import {
  cyclesPerOperation,
  floatingPointOperations,
  type KsrCounts,
  ksrM,
  ksrMA,
  ksrMAC,
  ksrMACS,
} from './ksr1.ts';
import { maximumRecurrence } from './recurrence.ts';

/** Livermore kernel 1, x(k) = q + y(k) * (r * z(k+10) + t * z(k+11)): 3 multiplications and 2 additions, 2 of them pairs. */
const LFK1: KsrCounts = { fa: 0, fm: 1, fma: 2, fmisc: 0, loads: 2, stores: 1 };
const NO_OVERHEAD = { x: 0, y: 0, k: 1 };

describe('equations 4.1 to 4.9', () => {
  test('M is half a cycle for each operation: 5 operations, 2.5 cycles', () => {
    expect(floatingPointOperations(LFK1)).toBe(5);
    expect(ksrM(LFK1)).toBe(2.5);
  });

  test('MA is the busier side: 3 accesses, 3 instructions, 2 triads and a store on FPU{C}', () => {
    expect(ksrMA(LFK1, NO_OVERHEAD, 0)).toEqual({
      cycles: 3,
      floatingPoint: 3,
      memory: 3,
      issue: 3,
      dependence: 0,
      limit: 'issue',
    });
    expect(cyclesPerOperation(3, LFK1)).toBe(0.6);
  });

  test('overhead counts by the degree of unrolling: 3 accesses and 3 instructions for 4 iterations are 3.75', () => {
    expect(ksrMA(LFK1, { x: 2, y: 3, k: 4 }, 0).cycles).toBe(3.75);
  });

  test('triads and stores share a register port: 4 and 3 take 7 cycles, more than either side', () => {
    const counts = { fa: 0, fm: 0, fma: 4, fmisc: 0, loads: 2, stores: 3 };
    expect(ksrMA(counts, NO_OVERHEAD, 0).cycles).toBe(7);
  });

  test('t_d is the latency around a recurrence over the iterations that it spans (4.7)', () => {
    // x(i) = z(i) * (y(i) - x(i-1)): 3 + 3 cycles in one iteration; with x(i-2) in two.
    const around = (distance: number) =>
      maximumRecurrence(2, [
        { from: 0, to: 1, cycles: 3, distance: 0 },
        { from: 1, to: 0, cycles: 3, distance },
      ]).cycles;
    expect(around(1)).toBe(6);
    expect(around(2)).toBe(3);
    expect(maximumRecurrence(2, [{ from: 0, to: 1, cycles: 3, distance: 0 }]).cycles).toBe(0);
  });

  test('a recurrence that takes longer is the bound', () => {
    expect(ksrMA(LFK1, NO_OVERHEAD, 8)).toMatchObject({ cycles: 8, limit: 'dependence' });
  });

  test('without floating point there is nothing to divide by', () => {
    const none = { fa: 0, fm: 0, fma: 0, fmisc: 0, loads: 1, stores: 1 };
    expect(cyclesPerOperation(2, none)).toBeUndefined();
  });
});

describe('equations 4.10 to 4.14 on the innermost loop .L37 of figure 25', () => {
  const counts: KsrCounts = { fa: 8, fm: 0, fma: 4, fmisc: 12, loads: 28, stores: 20 };
  // 43 instructions for FPU/IPU and 96 for CEU/XIU, of which the floating-point ones and accesses are 24 and 48.
  const mac = ksrMAC(counts, NO_OVERHEAD, 43 - 24, 96 - 48, 0);

  test('the counts are the figure’s: 28 operations, 48 accesses, 24 on FPU{C}', () => {
    expect(floatingPointOperations(counts)).toBe(28);
    expect(mac.memory).toBe(48);
    expect(counts.fma + counts.stores).toBe(24);
  });

  test('with overhead, triads and a recurrence: each part of 4.10 and 4.11 by hand', () => {
    // Two iterations in one: per iteration t_f = 2 + 1 + 3 + 1 = 7, t_m = 4 + 2 = 6; 7 + 1.5 + 2 / 2 and 6 + 3 + 5 / 2.
    const each: KsrCounts = { fa: 3, fm: 1, fma: 2, fmisc: 1, loads: 4, stores: 2 };
    expect(ksrMAC(each, { x: 2, y: 5, k: 2 }, 1.5, 3, 0)).toEqual({
      cycles: 11.5,
      floatingPoint: 7,
      memory: 6,
      issue: 11.5,
      dependence: 0,
      limit: 'issue',
    });
    expect(ksrMAC(each, { x: 2, y: 5, k: 2 }, 1.5, 3, 12)).toMatchObject({ cycles: 12, limit: 'dependence' });
    // TNF is 3 + 1 + 2 x 2 + 1 = 9.
    expect(floatingPointOperations(each)).toBe(9);
    expect(cyclesPerOperation(11.5, each)).toBeCloseTo(1.2778, 4);
  });

  test('per operation (4.12, 4.14): 96 and 107 cycles for 28', () => {
    expect(cyclesPerOperation(mac.cycles, counts)).toBeCloseTo(3.4286, 4);
    expect(cyclesPerOperation(ksrMACS(107, 1), counts)).toBeCloseTo(3.8214, 4);
  });

  test('MAC is its longer column, MACS its length, each more than the bound before', () => {
    expect(ksrM(counts)).toBe(14);
    expect(ksrMA(counts, NO_OVERHEAD, 0).cycles).toBe(48);
    expect(mac.cycles).toBe(96);
    expect(ksrMACS(107, 1)).toBe(107);
    expect(ksrMACS(107, 2)).toBe(53.5);
  });
});
