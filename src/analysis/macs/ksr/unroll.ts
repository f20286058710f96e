import type { Statistics } from '../../../ksr/statistics.ts';
import type { Addresses } from './addresses.ts';

/**
 * How many iterations of the source loop are in one of the compiled loop, from the addresses: a base register that moves by
 * `stride` bytes passes as many elements of its arrays as there are different distances to it, modulo the stride. Every
 * iteration that was unrolled brings its arithmetic and stores along, so that they must divide too. Undefined where no base
 * register moves.
 */
export function unrollOf({ accesses, strides }: Addresses, statistics: Statistics): number | undefined {
  const elements = new Map<string, Set<number>>();
  for (const { base, offset } of accesses) {
    const stride = Math.abs(strides.get(base) ?? 0);
    if (stride === 0) continue;
    const places = elements.get(base) ?? new Set();
    places.add(((offset % stride) + stride) % stride);
    elements.set(base, places);
  }
  if (elements.size === 0) return undefined;
  const { fa, fm, fma, sfl } = statistics;
  return [...[...elements.values()].map(({ size }) => size), fa, fm, fma, sfl].reduce(gcd);
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
