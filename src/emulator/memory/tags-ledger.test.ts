import { describe, expect, it } from 'vitest';
import { MEMORY_PAGES } from '../../guest/layout.ts';
import { GuestMemory, READ, WRITE } from '../../guest/memory.ts';
import { CodePlaces } from '../../translate/code-places.ts';
import { ENGINE_LIMITS } from '../../translate/limits.ts';
import type { Range } from '../../x86/service.ts';
import { firstTags } from './measure-plan.ts';
import { TagsLedger } from './tags-ledger.ts';

const PAGE = 0x40_0000;
const NOT_MET = { followsFar: false, threads: false, keepsStatus: false, signalsX87: false };

/** A run of instructions that are only told of; there is never enough room for steps of bytes. */
function runOf() {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  const guest = new GuestMemory(memory.buffer);
  guest.map(PAGE, PAGE + 2 * 4096, READ | WRITE);
  let executed = 0;
  const limits = { ...ENGINE_LIMITS, byteTables: 8 };
  const plan = { ...firstTags(limits, NOT_MET), pagesOut: true };
  const ledger = new TagsLedger(memory, guest, plan, limits, new CodePlaces(), () => executed);
  ledger.start();
  /** The next instruction loads or stores; gives its number. */
  const execute = (effects: { readonly loads?: readonly Range[]; readonly stores?: readonly Range[] }) => {
    executed++;
    ledger.apply({ sources: [], destinations: [], loads: [], stores: [], ...effects }, PAGE);
    return executed;
  };
  const live = () => {
    const numbers = new Set<number>();
    ledger.eachLive((words, first, end, every, bias) => {
      for (let at = first; at < end; at += every) numbers.add(words[at] - bias);
    });
    return numbers;
  };
  return { ledger, execute, live };
}

const BYTE: Range = { address: PAGE + 5, length: 1 };

describe('the producers of bytes whose page is out of the memory', () => {
  it('are live', () => {
    const { ledger, execute, live } = runOf();
    const producer = execute({ stores: [BYTE] });
    // What is neither last nor largest any more is known from memory alone.
    execute({ loads: [BYTE], stores: [{ address: PAGE + 4096, length: 4 }] });
    expect(live()).toContain(producer);
    ledger.makeRoom();
    expect(ledger.recall(BYTE.address, 1)).not.toBe(0);
    expect(live()).toContain(producer);
  });

  it('are found, but not those from before a window', () => {
    const { ledger, execute } = runOf();
    for (let i = 0; i < 3; i++) execute({ loads: [BYTE], stores: [BYTE] });
    ledger.makeRoom();
    execute({ loads: [BYTE] });
    expect(ledger.end().cycles).toBe(4);
    ledger.openWindow(0);
    execute({ loads: [BYTE] });
    expect(ledger.end().cycles).toBe(1);
  });
});
