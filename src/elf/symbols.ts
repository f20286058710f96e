import { lastAtOrBelow } from './ascending.ts';
import { codeRanges } from './code-ranges.ts';
import type { FunctionSymbol, Image } from './image.ts';
import type { FunctionNames } from './names.ts';

/** Answers "which function is this" for addresses of the file. */
export interface FunctionIndex {
  /** The innermost function whose code covers the address, under its preferred name. */
  covering(address: number): FunctionSymbol | undefined;
  /** ...and the code around the address that is that function's: behind its first byte no function begins. */
  piece(address: number): { readonly start: number; readonly end: number } | undefined;
  /** The preferred symbol that starts exactly here. */
  entry(address: number): FunctionSymbol | undefined;
  /** All functions with that symbol, in order of address: local functions of several files may share one. */
  named(symbol: string): readonly FunctionSymbol[];
  /** All functions that a user's name means, in order of address. It is asked with the same `names` always. */
  called(name: string, names: FunctionNames): readonly FunctionSymbol[];
}

/** The functions by address, ascending: at each the preferred symbol, and up to where the largest of its aliases goes. */
export interface FunctionExtents {
  readonly symbols: readonly FunctionSymbol[];
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

export function functionIndex(image: Image): FunctionIndex {
  const extents = functionExtents(image);
  // Whoever asks for one of the two seldom asks for the other.
  let names: ReadonlyMap<string, readonly FunctionSymbol[]> | undefined;
  let flat: ReturnType<typeof flatten> | undefined;
  const pieces = () => {
    flat ??= flatten(extents);
    return flat;
  };
  const called = new Map<string, readonly FunctionSymbol[]>();
  return {
    covering(address) {
      const { starts, owners } = pieces();
      return owners[lastAtOrBelow(starts, address)];
    },
    piece(address) {
      const { starts, owners } = pieces();
      const index = lastAtOrBelow(starts, address);
      return owners[index] && { start: starts[index], end: starts[index + 1] ?? Infinity };
    },
    entry(address) {
      const index = lastAtOrBelow(extents.starts, address);
      return extents.starts[index] === address ? extents.symbols[index] : undefined;
    },
    named(name) {
      names ??= byName(image.functions);
      return names.get(name) ?? [];
    },
    called(name, known) {
      let found = called.get(name);
      if (found === undefined) {
        found = image.functions.filter(
          (symbol) => symbol.name !== undefined && known.means(name, symbol.name),
        );
        called.set(name, found);
      }
      return found;
    },
  };
}

function byName(functions: readonly FunctionSymbol[]): ReadonlyMap<string, readonly FunctionSymbol[]> {
  const names = new Map<string, FunctionSymbol[]>();
  for (const symbol of functions) {
    if (symbol.name === undefined) continue;
    const same = names.get(symbol.name);
    if (same === undefined) names.set(symbol.name, [symbol]);
    else same.push(symbol);
  }
  return names;
}

/** A function of unknown size (0) goes on to the next function or the end of its code. */
export function functionExtents(image: Image): FunctionExtents {
  const { functions } = image;
  const codeEnd = codeRanges(image);
  const symbols: FunctionSymbol[] = [];
  const starts = new Float64Array(functions.length);
  const ends = new Float64Array(functions.length);
  for (let i = 0; i < functions.length; ) {
    const symbol = functions[i]!;
    const { address: start } = symbol;
    let { size } = symbol;
    for (i++; i < functions.length && functions[i]!.address === start; i++)
      size = Math.max(size, functions[i]!.size);
    starts[symbols.length] = start;
    ends[symbols.length] =
      size > 0 ? start + size : Math.min(functions[i]?.address ?? Infinity, codeEnd(start) ?? start);
    symbols.push(symbol);
  }
  return {
    symbols,
    starts: starts.subarray(0, symbols.length),
    ends: ends.subarray(0, symbols.length),
  };
}

/**
 * Cuts overlapping extents into disjoint pieces, each owned by the extent that starts last, so that a lookup is one
 * binary search however deep they nest. `owners` is undefined where no function is.
 *
 *   outer [0, 100), inner [10, 20)   →   0 outer, 10 inner, 20 outer, 100 nobody
 */
function flatten({ symbols, starts, ends }: FunctionExtents) {
  // An extent begins a piece, and ends one at most.
  const pieces = new Float64Array(2 * symbols.length);
  const owners: (FunctionSymbol | undefined)[] = [];
  const open: number[] = [];
  const closeUpTo = (limit: number) => {
    while (open.length > 0 && ends[open.at(-1)!] <= limit) {
      const end = ends[open.pop()!];
      while (open.length > 0 && ends[open.at(-1)!] <= end) open.pop();
      pieces[owners.length] = end;
      owners.push(symbols[open.at(-1) ?? -1]);
    }
  };
  for (let i = 0; i < symbols.length; i++) {
    closeUpTo(starts[i]);
    pieces[owners.length] = starts[i];
    owners.push(symbols[i]);
    open.push(i);
  }
  closeUpTo(Infinity);
  return { starts: pieces.subarray(0, owners.length), owners };
}
