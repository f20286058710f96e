import { PAGE_SIZE } from '../guest/layout.ts';

/** Addresses may have more than 32 bits. */
export const pageOf = (address: number): number => Math.floor(address / PAGE_SIZE);

/** Numbers of the pages of [start, end) that a map knows, in whichever way is less to look at. */
export function pagesIn(known: ReadonlyMap<number, unknown>, start: number, end: number): number[] {
  if (end <= start) return [];
  const first = pageOf(start);
  const last = pageOf(end - 1);
  if (last - first >= known.size) return [...known.keys()].filter((page) => page >= first && page <= last);
  const found: number[] = [];
  for (let page = first; page <= last; page++) if (known.has(page)) found.push(page);
  return found;
}
