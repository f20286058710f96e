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

/** The functions at one address: the preferred symbol and the largest extent of its aliases. */
export interface FunctionExtent {
  readonly symbol: FunctionSymbol;
  readonly start: number;
  readonly end: number;
}

export function functionIndex(image: Image): FunctionIndex {
  const extents = functionExtents(image);
  // Whoever asks for one of the three seldom asks for the others.
  let entries: ReadonlyMap<number, FunctionSymbol> | undefined;
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
      entries ??= byStart(extents);
      return entries.get(address);
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

function byStart(extents: readonly FunctionExtent[]): ReadonlyMap<number, FunctionSymbol> {
  const symbols = new Map<number, FunctionSymbol>();
  for (const { start, symbol } of extents) symbols.set(start, symbol);
  return symbols;
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

/** One extent per address. A function of unknown size (0) goes on to the next function or the end of its code. */
export function functionExtents(image: Image): readonly FunctionExtent[] {
  const { functions } = image;
  const codeEnd = codeRanges(image);
  const extents: FunctionExtent[] = [];
  for (let i = 0; i < functions.length; ) {
    const symbol = functions[i]!;
    const { address: start } = symbol;
    let { size } = symbol;
    for (i++; i < functions.length && functions[i]!.address === start; i++)
      size = Math.max(size, functions[i]!.size);
    const end =
      size > 0 ? start + size : Math.min(functions[i]?.address ?? Infinity, codeEnd(start) ?? start);
    extents.push({ symbol, start, end });
  }
  return extents;
}

/**
 * Cuts overlapping extents into disjoint pieces, each owned by the extent that starts last, so that a lookup is one
 * binary search however deep they nest. `owners` is undefined where no function is.
 *
 *   outer [0, 100), inner [10, 20)   →   0 outer, 10 inner, 20 outer, 100 nobody
 */
function flatten(extents: readonly FunctionExtent[]) {
  const starts: number[] = [];
  const owners: (FunctionSymbol | undefined)[] = [];
  const open: FunctionExtent[] = [];
  const closeUpTo = (limit: number) => {
    while (open.length > 0 && open.at(-1)!.end <= limit) {
      const { end } = open.pop()!;
      while (open.length > 0 && open.at(-1)!.end <= end) open.pop();
      starts.push(end);
      owners.push(open.at(-1)?.symbol);
    }
  };
  for (const extent of extents) {
    closeUpTo(extent.start);
    starts.push(extent.start);
    owners.push(extent.symbol);
    open.push(extent);
  }
  closeUpTo(Infinity);
  return { starts: Float64Array.from(starts), owners };
}
