import type { Demangle } from './ports.ts';

/** How the functions of a program are named to its user, and found by such a name. */
export class FunctionNames {
  readonly #demangle: Demangle;
  readonly #shown = new Map<string, string>();

  constructor(demangle: Demangle) {
    this.#demangle = demangle;
  }

  /** The name in the terms of the source: demangled where a compiler mangled it. */
  shown(symbol: string): string {
    if (!isMangled(symbol)) return symbol;
    let name = this.#shown.get(symbol);
    if (name === undefined) {
      name = this.#demangle(symbol);
      this.#shown.set(symbol, name);
    }
    return name;
  }

  /** Whether `wanted` means the symbol: by its symbol, by its name in the source, or by that without its parameters. */
  means(wanted: string, symbol: string): boolean {
    if (symbol === wanted) return true;
    if (!isMangled(symbol) || !mayMean(wanted, symbol)) return false;
    const name = this.shown(symbol);
    return name === wanted || withoutParameters(name) === wanted;
  }
}

/** Itanium C++ ABI, 5.1.2, and Rust's first scheme, which looks the same; Rust RFC 2603. */
export function isMangled(symbol: string): boolean {
  return symbol.startsWith('_Z') || symbol.startsWith('_R');
}

/**
 * A mangled name spells the function's own identifier out, so that most symbols need not be demangled to be ruled out.
 * Operators have codes of their own, and so have some names of std.
 */
function mayMean(wanted: string, symbol: string): boolean {
  if (wanted.startsWith('std::') || wanted.includes('operator')) return true;
  const identifier = /[A-Za-z_]\w*$/.exec(withoutParameters(wanted))?.[0];
  return identifier === undefined || symbol.includes(identifier);
}

/** `ns::f<int>(int) const [clone .part.0]` is `ns::f<int>`. */
export function withoutParameters(name: string): string {
  let end = name.length;
  if (name.endsWith(']')) end = name.indexOf(' [clone ');
  const close = name.lastIndexOf(')', end);
  // What may stand behind the parameters of a member function; anything else belongs to a name.
  if (close < 0 || !/^(?: const| volatile|&| )*$/.test(name.slice(close + 1, end)))
    return name.slice(0, end < 0 ? undefined : end);
  let depth = 0;
  for (let at = close; at > 0; at--) {
    if (name[at] === ')') depth++;
    else if (name[at] === '(' && --depth === 0) return name.slice(0, at);
  }
  return name;
}
