/** Places of memories, by their addresses. */
const used = new WeakMap<ArrayBufferLike, Set<number>>();

/**
 * Whether something was at a place of a memory before; from now on it was. Elsewhere is zero, and stays untouched: to clear 5 MB for the smallest
 * measurement were 1,200 page faults of 13,300, each of which takes a virtual machine up to 11 µs.
 */
export function wasUsed(memory: ArrayBufferLike, place: number): boolean {
  const places = used.get(memory) ?? new Set();
  used.set(memory, places);
  const before = places.has(place);
  places.add(place);
  return before;
}
