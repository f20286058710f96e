/**
 * Sums of products of symbols with whole coefficients: what subscripts are. The key of a product is its symbols in order,
 * joined by `*`; that of the constant is ''.
 */
export type Polynomial = ReadonlyMap<string, number>;

/** More than this is nobody's subscript, and would make differences slow. */
const MOST_TERMS = 24;
const MOST_FACTORS = 6;

export const ZERO: Polynomial = new Map();

export const constant = (value: number): Polynomial => (value === 0 ? ZERO : new Map([['', value]]));

export const symbol = (name: string): Polynomial => new Map([[name, 1]]);

export function sum(a: Polynomial, b: Polynomial, factor = 1): Polynomial | undefined {
  const result = new Map(a);
  for (const [key, value] of b) {
    const total = (result.get(key) ?? 0) + factor * value;
    if (total === 0) result.delete(key);
    else result.set(key, total);
  }
  return result.size > MOST_TERMS ? undefined : result;
}

export function product(a: Polynomial, b: Polynomial): Polynomial | undefined {
  if (a.size * b.size > MOST_TERMS * MOST_TERMS) return undefined;
  const result = new Map<string, number>();
  for (const [left, x] of a)
    for (const [right, y] of b) {
      const factors = [...factorsOf(left), ...factorsOf(right)].sort();
      if (factors.length > MOST_FACTORS) return undefined;
      const key = factors.join('*');
      const total = (result.get(key) ?? 0) + x * y;
      if (total === 0) result.delete(key);
      else result.set(key, total);
    }
  return result.size > MOST_TERMS ? undefined : result;
}

/** Its value where it has no symbols. */
export function numberIn(p: Polynomial): number | undefined {
  if (p.size === 0) return 0;
  return p.size === 1 ? p.get('') : undefined;
}

export function symbolsOf(p: Polynomial): Set<string> {
  return new Set([...p.keys()].flatMap(factorsOf));
}

/** `rest + slope * name`; undefined where it is not linear in it. */
export function linearIn(
  p: Polynomial,
  name: string,
): { readonly rest: Polynomial; readonly slope: Polynomial } | undefined {
  const rest = new Map<string, number>();
  const slope = new Map<string, number>();
  for (const [key, value] of p) {
    const factors = factorsOf(key);
    const at = factors.indexOf(name);
    if (at < 0) rest.set(key, value);
    else {
      factors.splice(at, 1);
      if (factors.includes(name)) return undefined;
      slope.set(factors.join('*'), value);
    }
  }
  return { rest, slope };
}

/** The number c with `p = c * q`; undefined where there is none. `q` is not zero. */
export function ratio(p: Polynomial, q: Polynomial): number | undefined {
  if (p.size === 0) return 0;
  if (p.size !== q.size) return undefined;
  let result: number | undefined;
  for (const [key, value] of q) {
    const other = p.get(key);
    if (other === undefined) return undefined;
    const here = other / value;
    if (result !== undefined && result !== here) return undefined;
    result = here;
  }
  return result;
}

export const keyOf = (p: Polynomial): string =>
  [...p]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${value}${key === '' ? '' : `*${key}`}`)
    .join('+');

const factorsOf = (key: string): string[] => (key === '' ? [] : key.split('*'));
