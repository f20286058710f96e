import type { WorkingSet } from './demand.ts';
import type { Node } from './graph.ts';
import { keyOf, type Polynomial } from './polynomial.ts';
import type { Stream } from './streams.ts';
import { bytesIn } from './transfers.ts';

const LINE = 64;

export function workingSetOf(streams: readonly Stream[], trips: number | undefined): WorkingSet {
  let bytes = 0;
  let references = 0;
  let isKnown = true;
  /** Lines that an iteration touches first, of each array: its streams share the lines that it walks over. */
  const lines = new Map<string, { sum: number; walked: number }>();
  for (const { references: list, invariant, irregular, stride, root } of streams) {
    references += list.length;
    if (invariant) continue;
    bytes += bytesIn(list[0].access.place.type, { bytes: 8 } as Node);
    if (irregular || stride === undefined) {
      isKnown = false;
      continue;
    }
    const key = `${root} ${stride}`;
    const walked = Math.abs(stride) / LINE;
    const one = lines.get(key) ?? { sum: 0, walked };
    lines.set(key, { sum: one.sum + Math.min(1, walked), walked });
  }
  const misses = [...lines.values()].reduce(
    (sum, each) => sum + Math.min(each.sum, Math.max(each.walked, 1 / LINE)),
    0,
  );
  return {
    streams: streams.length,
    bytes,
    ...(trips === undefined ? {} : { total: bytes * trips }),
    ...(!isKnown || references === 0
      ? {}
      : { hitRatio: Math.round((1 - Math.min(1, misses / references)) * 10_000) / 10_000 }),
  };
}

/** Arrays that are stored to and referenced in another way too, which nothing in the text keeps apart. */
export function overlaps(streams: readonly Stream[]): readonly string[] {
  // What differs in a number, or in a member's name, is known to be apart.
  const ways = new Map<string, { stored: boolean; readonly subscripts: Set<string> }>();
  for (const { references } of streams) {
    const { root, selectors } = references[0].access.place;
    const fields = selectors.map((each) => (each.kind === 'field' ? each.name : '[]')).join('.');
    const way = ways.get(`${root} ${fields}`) ?? { stored: false, subscripts: new Set<string>() };
    ways.set(`${root} ${fields}`, way);
    way.stored ||= references.some(({ access }) => access.kind === 'store');
    const symbolic = (index: Polynomial): Polynomial => new Map([...index].filter(([key]) => key !== ''));
    way.subscripts.add(
      selectors.map((each) => (each.kind === 'at' ? keyOf(symbolic(each.index)) : '')).join(),
    );
  }
  const names = [...ways]
    .filter(([, { stored, subscripts }]) => stored && subscripts.size > 1)
    .map(([key]) => key.replace(/^\*+\(*/, '').replace(/[#@ ][\s\S]*$/, ''));
  return [...new Set(names)].map(
    (name) => `the references to ${name} with different subscripts are taken not to overlap`,
  );
}
