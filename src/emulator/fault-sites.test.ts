import { expect, test } from 'vitest';
import { FaultSites } from './fault-sites.ts';

test('what is asked for is looked for from some instructions before on, until something new is found', () => {
  const sites = new FaultSites();
  expect(sites.start).toBe(Infinity);
  sites.ask(100_000);
  expect(sites.start).toBe(80_000);
  sites.found(0x400000, 0x400003);
  expect([sites.has(0x400000), sites.has(0x400003), sites.isNew, sites.start]).toEqual([
    true,
    true,
    true,
    Infinity,
  ]);
  sites.settle();
  sites.ask(100_000);
  sites.found(0x400000);
  expect([sites.isNew, sites.start]).toEqual([false, 80_000]);
});

test('one that was missed is looked for from further before; of many, none is looked for any more', () => {
  const sites = new FaultSites();
  sites.ask(1_000_000);
  sites.ask(1_000_000);
  expect(sites.start).toBeLessThan(950_000);
  for (let site = 0; site < 20; site++) {
    sites.ask(1_000_000);
    sites.found(site);
  }
  expect(sites.start).toBeLessThan(1_000_000);
});
