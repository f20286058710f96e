import { expect, it } from 'vitest';
import { BYTE_PAGES, BYTEWISE, MEMORY_PAGES } from '../../guest/layout.ts';
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
  const [untouched, words, bytes] = [FIRST, FIRST + 1, FIRST + 2];
  guest.map(FIRST * 4096, (FIRST + 3) * 4096, READ | WRITE);
  ledger.start();
  for (const page of [untouched, words, bytes]) ledger.preparePage(page);
  guest.allowFastStores(words * 4096);
  // Bytes are stored there without asking (translate/support/byte-pages.ts).
  const bytePages = new Int32Array(memory.buffer, BYTE_PAGES);
  bytePages[bytes] = 0x7000_0000 | BYTEWISE;

  const sweeps = new QuietPages(guest, ledger, 100);
  const quietAfter = (executed: number) => {
    const found: number[] = [];
    sweeps.sweep(executed, (page) => found.push(page));
    return found;
  };
  expect(quietAfter(99)).toEqual([]);
  expect(quietAfter(100)).toEqual([untouched]);
  expect(guest.isBytewise(bytes)).toBe(false);
  expect(bytePages[bytes]).toBe(0x7000_0000);
  expect(quietAfter(1000)).toEqual([untouched, words, bytes]);
});
