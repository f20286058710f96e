import { expect, it } from 'vitest';
import { AT_REST, BYTE_PAGES, BYTEWISE, MEMORY_PAGES } from '../../guest/layout.ts';
import { GuestMemory, READ, WRITE } from '../../guest/memory.ts';
import { ENGINE_LIMITS } from '../../translate/limits.ts';
import { LanesLedger } from './lanes-ledger.ts';
import { firstLanes } from './measure-plan.ts';
import { QuietPages } from './quiet.ts';

const FIRST = 0x400;

it('pages are quiet that nothing was stored to since the sweep before, by bytes neither', () => {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  const guest = new GuestMemory(memory.buffer);
  const ledger = new LanesLedger(guest, firstLanes(ENGINE_LIMITS), ENGINE_LIMITS);
  const [untouched, byWords, byBytes] = [FIRST, FIRST + 1, FIRST + 2];
  guest.map(FIRST * 4096, (FIRST + 3) * 4096, READ | WRITE);
  ledger.start();
  for (const page of [untouched, byWords, byBytes]) ledger.preparePage(page);
  guest.allowFastStores(byWords * 4096);
  // Bytes are stored there without asking (translate/support/byte-pages.ts).
  const bytePages = new Int32Array(memory.buffer, BYTE_PAGES);
  bytePages[byBytes] = 0x7000_0000 | BYTEWISE;

  const sweeps = new QuietPages(guest, ledger, 100);
  const quietAfter = (executed: number, asking: { words: boolean; bytes: boolean }) => {
    const found: number[] = [];
    const count = sweeps.sweep(executed, asking, (page) => found.push(page));
    return { found, count };
  };
  const [words, bytes] = [
    { words: true, bytes: false },
    { words: false, bytes: true },
  ];
  expect(quietAfter(99, words)).toEqual({ found: [], count: 0 });
  expect(quietAfter(100, words)).toEqual({ found: [untouched], count: 0 });
  expect(guest.bytePages.isBytewise(byBytes)).toBe(false);
  expect(guest.bytePages.areAllApart(byBytes)).toBe(true);
  expect(bytePages[byBytes]).toBe(0x7000_0000 | AT_REST);
  expect(quietAfter(1000, words)).toEqual({ found: [untouched, byWords, byBytes], count: 0 });
  // Those with tables of bytes are looked at by themselves; of them it is told how many there are.
  expect(quietAfter(1000, bytes)).toEqual({ found: [byBytes], count: 1 });
  expect(quietAfter(1001, bytes)).toEqual({ found: [], count: 0 });
});
