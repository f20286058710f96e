import { expect, test } from 'vitest';
import { FaultSites } from './fault-sites.ts';

test('what is asked for is looked for from some instructions before on, and what is new for some behind it', () => {
  const sites = new FaultSites();
  expect(sites.startFor(0)).toBe(Infinity);
  sites.ask(100_000);
  expect(sites.startFor(0)).toBe(80_000);
  expect(sites.startFor(90_000)).toBe(80_000);
  expect(sites.found(100_000, [0x400000, 0x400003])).toEqual([0x400000, 0x400003]);
  expect([sites.has(0x400000), sites.has(0x400003)]).toEqual([true, true]);
  expect(sites.startFor(1_099_999)).toBe(80_000);
  // Another one there begins nothing anew.
  expect(sites.found(1_000_000, [0x400000, 0x400100])).toEqual([0x400100]);
  expect(sites.startFor(1_999_999)).toBe(80_000);
});

test('runs that begin anew go through it until one has come to its end', () => {
  const sites = new FaultSites();
  sites.ask(100_000);
  sites.found(100_000, [0x400000]);
  expect(sites.startFor(0)).toBe(80_000);
  expect(sites.startFor(1_100_000)).toBe(Infinity);
  expect(sites.startFor(90_000)).toBe(Infinity);
  // A known place is not what is looked for.
  sites.ask(200_000);
  expect(sites.found(190_000, [0x400000])).toEqual([]);
  expect(sites.startFor(10_000_000)).toBe(180_000);
  // But where nothing else can be it, it was.
  expect(sites.found(200_000, [0x400000])).toEqual([]);
  expect(sites.startFor(10_000_000)).toBe(Infinity);
});

test('one that was missed is looked for from further before; of many, none is looked for any more', () => {
  const sites = new FaultSites();
  sites.ask(1_000_000);
  sites.ask(1_000_000);
  expect(sites.startFor(0)).toBeLessThan(950_000);
  for (let site = 0; site < 20; site++) {
    sites.ask(1_000_000);
    sites.found(1_000_000, [site]);
  }
  expect(sites.startFor(0)).toBeLessThan(1_000_000);
  expect(sites.startFor(10_000_000)).toBeLessThan(1_000_000);
});
