import { crc32 } from './crc32.ts';
import type { Demangle } from './ports.ts';

/** How the functions of a program are named to its user, and found by such a name. */
export class FunctionNames {
  readonly #demangle: Demangle;
  readonly #shown = new Map<string, string>();

  constructor(demangle: Demangle) {
    this.#demangle = demangle;
  }

  /** The name in the terms of the source: demangled where a compiler mangled it. Of very long ones the middle is left out. */
  shown(symbol: string): string {
    if (!isMangled(symbol) && symbol.length <= LONGEST) return symbol;
    let name = this.#shown.get(symbol);
    if (name === undefined) {
      name = bounded(isMangled(symbol) ? this.#demangle(symbol) : symbol);
      this.#shown.set(symbol, name);
    }
    return name;
  }

  /**
   * Whether `wanted` means the symbol: by its symbol, by its name in the source, or by that without what kind of copy it is
   * (`[clone .part.0]`), or without its parameters, too. What was split off for being cold is no function.
   */
  means(wanted: string, symbol: string): boolean {
    if (symbol === wanted) return true;
    if (COLD.test(symbol)) return false;
    if (symbol.length > LONGEST && wanted === this.shown(symbol)) return true;
    if (!isMangled(symbol) || !mayMean(wanted, symbol)) return false;
    const name = this.shown(symbol);
    return name === wanted || withoutClone(name) === wanted || withoutParameters(name) === wanted;
  }
}

/** Parts that gcc and clang move away from the rest of a function. */
export const COLD = /\.cold(\.\d+)?$/;

/** A name stands in a profile as often as its function was called. Those of templates have some thousand characters at most. */
const LONGEST = 4096;

/** The checksum of all of it keeps names apart that differ in the middle. */
function bounded(name: string): string {
  if (name.length <= LONGEST) return name;
  const sum = crc32(new TextEncoder().encode(name)).toString(16).padStart(8, '0');
  return `${name.slice(0, LONGEST - 1024)}…${sum}…${name.slice(-512)}`;
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
  const whole = withoutClone(name);
  const close = whole.lastIndexOf(')');
  // What may stand behind the parameters of a member function; anything else belongs to a name.
  if (close < 0 || !/^(?: const| volatile|&| )*$/.test(whole.slice(close + 1))) return whole;
  let depth = 0;
  for (let at = close; at > 0; at--) {
    if (whole[at] === ')') depth++;
    else if (whole[at] === '(' && --depth === 0) return whole.slice(0, at);
  }
  return whole;
}

function withoutClone(name: string): string {
  const at = name.endsWith(']') ? name.indexOf(' [clone ') : -1;
  return at < 0 ? name : name.slice(0, at);
}
