const PAGE_BITS = 12;

/** Numbers of the pages of [start, end) that a map knows, in whichever way is less to look at. */
export function pagesIn(known: ReadonlyMap<number, unknown>, start: number, end: number): number[] {
  if (end <= start) return [];
  const first = start >>> PAGE_BITS;
  const last = (end - 1) >>> PAGE_BITS;
  if (last - first >= known.size) return [...known.keys()].filter((page) => page >= first && page <= last);
  const found: number[] = [];
  for (let page = first; page <= last; page++) if (known.has(page)) found.push(page);
  return found;
}
