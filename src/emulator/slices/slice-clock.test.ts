import { describe, expect, it } from 'vitest';
import { CLOCK, FUEL, TAG_CLOCK } from '../../guest/layout.ts';
import { SliceClock } from './slice-clock.ts';

function clockAt(executed: number, slice: number): { clock: SliceClock; view: DataView } {
  const view = new DataView(new ArrayBuffer(Math.max(CLOCK, FUEL, TAG_CLOCK) + 8));
  const clock = new SliceClock(view);
  clock.count(executed);
  clock.start(slice);
  return { clock, view };
}

describe('the clock of a slice', () => {
  it('counts what generated code takes off the fuel', () => {
    const { clock, view } = clockAt(1000, 50);
    expect([clock.executed, clock.left]).toEqual([1000, 50]);
    view.setBigInt64(FUEL, 20n, true);
    expect([clock.executed, clock.left]).toEqual([1030, 20]);
  });

  it('says how far a slice went beyond its end', () => {
    const { clock, view } = clockAt(1000, 50);
    view.setBigInt64(FUEL, -3n, true);
    expect(clock.executed).toBe(1053);
  });

  it('ends a slice sooner, or now, with the same count', () => {
    const { clock, view } = clockAt(1000, 50);
    view.setBigInt64(TAG_CLOCK, 1050n, true);
    clock.spend(30);
    expect([clock.executed, clock.left, view.getBigInt64(TAG_CLOCK, true)]).toEqual([1000, 20, 1020n]);
    clock.end();
    expect([clock.executed, clock.left]).toEqual([1000, -1]);
  });

  it('counts instructions that retire later or did not', () => {
    const { clock } = clockAt(1000, 50);
    clock.count(-1);
    expect(clock.executed).toBe(999);
    clock.count(1);
    clock.goBackTo(51n);
    expect(clock.executed).toBe(999);
  });
});
