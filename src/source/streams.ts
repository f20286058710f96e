import type { Access } from './facts.ts';
import { type Graph, iterationOf, type Place, placeKey } from './graph.ts';
import { keyOf, linearIn, numberIn, type Polynomial, ratio, sum, symbolsOf } from './polynomial.ts';

/**
 * The elements that references walk over, one after another: x[i], x[i+1] and x[i-2] are one stream, of which an element
 * is touched first by the reference that is ahead. What was touched needs no load (the reference windows of the paper, with
 * registers for a cache).
 */
export interface Stream {
  readonly references: readonly Reference[];
  /** The same element in every iteration: a register. */
  readonly invariant: boolean;
  /** An address that does not advance evenly. */
  readonly irregular: boolean;
  /** Bytes from one iteration to the next; undefined where that is not a number of the text. */
  readonly stride: number | undefined;
  readonly root: string;
}

export interface Reference {
  readonly access: Access;
  /** Position in the list of accesses, which is program order. */
  readonly order: number;
  /** Iterations by which it is ahead of the first one listed. */
  readonly ahead: number;
  /** Bytes from the start of what the loop walks over, where they are a number: references with equal `base` compare. */
  readonly base: string;
  readonly offset: number | undefined;
}

interface Shape {
  readonly key: string;
  readonly slopes: readonly Polynomial[];
  readonly rests: readonly Polynomial[];
  readonly irregular: boolean;
}

export function streamsOf(accesses: readonly Access[], loop: number, graph: Graph): readonly Stream[] {
  const byShape = new Map<string, { shape: Shape; references: Reference[] }[]>();
  accesses.forEach((access, order) => {
    const shape = shapeOf(access.place, loop, graph);
    const streams = byShape.get(shape.key) ?? [];
    byShape.set(shape.key, streams);
    const position = bytePosition(access.place, loop);
    for (const stream of streams.slice(0, MOST_COMPARED)) {
      const ahead = aheadOf(shape, stream.shape);
      if (ahead === undefined) continue;
      stream.references.push({ access, order, ahead, ...position });
      return;
    }
    streams.push({ shape, references: [{ access, order, ahead: 0, ...position }] });
  });
  return [...byShape.values()].flat().map(({ shape, references }) => ({
    references,
    irregular: shape.irregular,
    invariant: !shape.irregular && shape.slopes.every((slope) => slope.size === 0),
    stride: shape.irregular ? undefined : strideOf(references[0].access.place, shape),
    root: references[0].access.place.root,
  }));
}

/** Streams of one shape that a reference is compared with; what comes later starts a stream of its own. */
const MOST_COMPARED = 200;

function shapeOf(place: Place, loop: number, graph: Graph): Shape {
  const t = iterationOf(loop);
  const slopes: Polynomial[] = [];
  const rests: Polynomial[] = [];
  let irregular = place.rootLoop === loop && loop !== 0;
  let key = place.root;
  for (const selector of place.selectors) {
    if (selector.kind === 'field') {
      key += `.${selector.name}`;
      continue;
    }
    const parts = linearIn(selector.index, t);
    const changes = (p: Polynomial): boolean =>
      [...symbolsOf(p)].some((name) => graph.loopOfSymbol(name) === loop);
    if (parts === undefined || changes(parts.rest) || changes(parts.slope)) irregular = true;
    else {
      slopes.push(parts.slope);
      rests.push(parts.rest);
      key += `[${keyOf(parts.slope)}]`;
    }
  }
  return irregular
    ? { key: `?${placeKey(place)}`, slopes: [], rests: [], irregular }
    : { key, slopes, rests, irregular };
}

/** Iterations by which one reference is ahead of another; undefined where they walk over different elements. */
function aheadOf(shape: Shape, other: Shape): number | undefined {
  if (shape.irregular) return 0;
  let ahead: number | undefined;
  for (let i = 0; i < shape.rests.length; i++) {
    const difference = sum(shape.rests[i], other.rests[i], -1);
    if (difference === undefined) return undefined;
    if (shape.slopes[i].size === 0) {
      if (difference.size > 0) return undefined;
      continue;
    }
    const here = ratio(difference, shape.slopes[i]);
    if (here === undefined || !Number.isInteger(here) || (ahead !== undefined && ahead !== here))
      return undefined;
    ahead = here;
  }
  return ahead ?? 0;
}

function strideOf(place: Place, shape: Shape): number | undefined {
  let bytes = 0;
  let i = 0;
  for (const selector of place.selectors) {
    if (selector.kind === 'field') continue;
    const slope = numberIn(shape.slopes[i++]);
    if (slope === 0) continue;
    if (slope === undefined || selector.unit === undefined) return undefined;
    bytes += slope * selector.unit;
  }
  return bytes;
}

/** Where a reference is in bytes, as a number beside what is not known of it. */
function bytePosition(place: Place, loop: number): { base: string; offset: number | undefined } {
  const t = iterationOf(loop);
  let base = place.root;
  let offset: number | undefined = 0;
  for (const selector of place.selectors) {
    if (selector.kind === 'field') {
      if (selector.offset === undefined) base += `.${selector.name}`;
      else offset = offset === undefined ? undefined : offset + selector.offset;
      continue;
    }
    const number = selector.index.get('') ?? 0;
    const rest = new Map(selector.index);
    rest.delete('');
    const slope = linearIn(rest, t)?.slope;
    base += `[${keyOf(rest)}${slope === undefined ? '?' : ''}]`;
    if (selector.unit === undefined) base += `${number}`;
    else offset = offset === undefined ? undefined : offset + number * selector.unit;
  }
  return { base, offset };
}
