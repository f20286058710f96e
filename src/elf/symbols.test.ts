import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_ADDRESS, CODE_SIZE, symbolSections, type TinySymbol, tinyElf } from './fixtures/tiny-elf.ts';
import { parseImage } from './parse.ts';
import { functionIndex } from './symbols.ts';

function indexOf(symbols: readonly TinySymbol[]) {
  const image = parseImage('./prog', tinyElf(symbolSections(symbols, 3)));
  return { image, index: functionIndex(image) };
}

describe('a function index', () => {
  const { index } = indexOf([
    { name: 'outer', address: 0x401000, size: 0x100 },
    { name: 'inner', address: 0x401010, size: 0x10 },
    { name: 'sizeless', address: 0x401200 },
    { name: 'next', address: 0x401300, size: 0x10 },
    { name: 'last', address: 0x401f00 },
    { name: 'same', address: 0x401400, size: 1, binding: 0 },
    { name: 'same', address: 0x401500, size: 1, binding: 0 },
  ]);

  it('finds the innermost function around an address', () => {
    const names = [0x401000, 0x40100f, 0x401010, 0x40101f, 0x401020, 0x4010ff].map(
      (a) => index.covering(a)?.name,
    );
    expect(names).toEqual(['outer', 'outer', 'inner', 'inner', 'outer', 'outer']);
  });

  it('extends a function of unknown size to the next one, or to the end of its section', () => {
    expect(index.covering(0x4012ff)?.name).toBe('sizeless');
    expect(index.covering(0x401fff)?.name).toBe('last');
    expect(index.covering(0x402000)).toBeUndefined();
  });

  it('knows where no function is', () => {
    expect([0, 0x400fff, 0x401100, 0x401310].map((address) => index.covering(address))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('finds a function by its exact entry only', () => {
    expect(index.entry(0x401010)?.name).toBe('inner');
    expect(index.entry(0x401011)).toBeUndefined();
  });

  it('returns all functions of one name', () => {
    expect(index.named('same').map((f) => f.address)).toEqual([0x401400, 0x401500]);
    expect(index.named('toString')).toEqual([]);
  });
});

it('agrees with a search through all functions, however they overlap', () => {
  const symbol = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    address: fc.integer({ min: 0, max: 60 }).map((n) => CODE_ADDRESS + n),
    size: fc.integer({ min: 0, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(symbol, { maxLength: 12 }), (symbols) => {
      const { image, index } = indexOf(symbols);
      const starts = [...new Set(image.functions.map((f) => f.address))];
      const extents = starts.map((start, at) => {
        const aliases = image.functions.filter((f) => f.address === start);
        const size = Math.max(...aliases.map((f) => f.size));
        const end = size > 0 ? start + size : (starts[at + 1] ?? CODE_ADDRESS + CODE_SIZE);
        return { start, end, symbol: aliases[0]! };
      });
      for (let address = CODE_ADDRESS - 1; address < CODE_ADDRESS + 100; address++) {
        const expected = extents.findLast((e) => e.start <= address && address < e.end);
        expect(index.covering(address)).toBe(expected?.symbol);
        const piece = index.piece(address);
        expect(piece === undefined).toBe(expected === undefined);
        if (piece === undefined) continue;
        expect(piece.start <= address && address < piece.end).toBe(true);
        expect(starts.some((start) => start > piece.start && start < piece.end)).toBe(false);
      }
    }),
  );
});
