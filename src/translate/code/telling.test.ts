import { describe, expect, it } from 'vitest';
import { UNTOLD_MISSES } from '../../guest/layout.ts';
import { Telling } from './telling.ts';

describe('how often misses are told', () => {
  const memory = new ArrayBuffer(UNTOLD_MISSES + 4);
  const untold = new Int32Array(memory, UNTOLD_MISSES, 1);
  const telling = () => new Telling(memory, { missesPerTelling: 13, vainTellings: 3 });
  const times = (count: number, isNew: boolean, { hear }: { hear: (isNew: boolean) => number }) =>
    Array.from({ length: count }, () => hear(isNew));
  const hearing = () => {
    const one = telling();
    return { hear: (isNew: boolean) => one.hear(isNew) };
  };

  it('is halved after tellings in vain, and each stands for as many misses as were left out before it', () => {
    expect(times(7, false, hearing())).toEqual([13, 13, 13, 26, 26, 26, 52]);
    expect(untold[0]).toBe(-3 * 13);
  });

  it('ends at one of 416', () => {
    expect(times(40, false, hearing()).at(-1)).toBe(32 * 13);
  });

  it('is doubled again by what is new', () => {
    const told = hearing();
    times(7, false, told);
    expect(times(3, true, told)).toEqual([52, 26, 13]);
    expect(untold[0]).toBe(0);
  });
});
