import { Approximation } from '../../approximate.ts';

/** More than two doubles have. */
const approximation = new Approximation(160);
const known = new Map<(a: Approximation) => unknown, unknown>();

/** What is made of irrational numbers, once a process and only where a program asks for it. */
export function constants<T>(make: (a: Approximation) => T): T {
  if (!known.has(make)) known.set(make, make(approximation));
  return known.get(make) as T;
}
