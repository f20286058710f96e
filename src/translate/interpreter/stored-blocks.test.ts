import { expect, it } from 'vitest';
import { BlockLog, type DecodedBlock, StoredBlocks } from './stored-blocks.ts';

const blockAt = (address: number, byte: number, more: Partial<DecodedBlock> = {}): DecodedBlock => ({
  address,
  top: undefined,
  isHooked: false,
  endsBehindStores: false,
  words: Int32Array.of(0, 0, byte, -1, 7),
  wordsAt: 2,
  wordCount: 3,
  entries: 2,
  bytes: Uint8Array.of(0, 1, 2, 0, byte, 0x90, 0x90),
  lengthsAt: 1,
  count: 2,
  codeAt: 4,
  size: 3,
  lastSite: -1,
  ...more,
});

/** What a block says, wherever its parts lie. */
const said = (block: DecodedBlock | undefined) =>
  block && {
    address: block.address,
    top: block.top,
    isHooked: block.isHooked,
    endsBehindStores: block.endsBehindStores,
    words: [...block.words.slice(block.wordsAt, block.wordsAt + block.wordCount)],
    entries: block.entries,
    lengths: [...block.bytes.slice(block.lengthsAt, block.lengthsAt + block.count)],
    code: [...block.bytes.slice(block.codeAt, block.codeAt + block.size)],
    lastSite: block.lastSite,
  };

const logOf = (blocks: readonly DecodedBlock[]): BlockLog => {
  const log = new BlockLog();
  for (const block of blocks) log.add(block);
  return log;
};

it('blocks are found as they were logged, by their address and the top of the x87 stack', () => {
  const hooked = blockAt(0x2000, 2, { isHooked: true, endsBehindStores: true, lastSite: 4 });
  const log = logOf([blockAt(0x1000, 1), hooked, blockAt(0x3000, 3, { top: 5 })]);
  const stored = new StoredBlocks(log.words());
  expect(said(stored.find(0x1000, 0))).toEqual(said(blockAt(0x1000, 1)));
  expect(said(stored.find(0x2000, 7))).toEqual(said(hooked));
  expect(said(stored.find(0x3000, 5))).toEqual(said(blockAt(0x3000, 3, { top: 5 })));
  expect(stored.find(0x3000, 4)).toBeUndefined();
  expect([log.lastSite, log.newPart]).toEqual([4, 1]);
});

it('of an earlier run those are left that were used again, each once, and what was decoded anew instead of them', () => {
  const earlier = logOf([1, 2, 3, 4].map((i) => blockAt(0x1000 * i, i, { lastSite: i })));
  const stored = new StoredBlocks(earlier.words());
  const log = new BlockLog();
  for (const address of [0x3000, 0x1000, 0x3000]) log.keep(stored.find(address, 0)!);
  log.add(blockAt(0x1000, 9));
  expect([log.lastSite, log.newPart]).toEqual([3, 1 / 3]);
  const left = new StoredBlocks(log.words());
  expect(said(left.find(0x3000, 0))).toEqual(said(blockAt(0x3000, 3, { lastSite: 3 })));
  expect(said(left.find(0x1000, 0))).toEqual(said(blockAt(0x1000, 9)));
  expect([0x2000, 0x4000].map((address) => left.find(address, 0))).toEqual([undefined, undefined]);
  expect(log.words().length).toBe((3 * earlier.words().length) / 4);
});

it('a log has room for many blocks', () => {
  const blocks = Array.from({ length: 2000 }, (_, i) => blockAt(16 * i, i & 0xff));
  const stored = new StoredBlocks(logOf(blocks).words());
  for (const block of blocks) expect(said(stored.find(block.address, 0))).toEqual(said(block));
});
