import { SHADOW } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Access, MemoryHost } from './measure.ts';
import type { StepEntry } from './step-entry.ts';

/**
 * Unaligned accesses whose first and last granule have steps of their bytes: what support/edges.ts does, in line. A call
 * there spills all the steps of a loop, but the code is long, so that only regions have it in which such accesses
 * were seen to come often (hot-regions.ts). No branch there is marked unlikely, or V8 would spill on it all the same. Copies of unaligned words, of 4 and 8 bytes: 310 -> 150 host instructions for each.
 *
 * With k = address mod 4, which is not 0, an access covers bytes k to 3 of its first granule and 0 to k - 1 of the last.
 * They are visited as k, 2 + k / 2, 3 and 0, k / 2, k - 1, some of which coincide.
 */

/** Loads the maximum; goes to `slow` where a page is unknown. The granules begin at a distance from one whose entry is known. */
export function loadEdges(
  host: MemoryHost,
  access: Odd,
  size: number,
  shadow: number,
  distance: number,
  step: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const { entry } = access;
  const found = scratch.take('v128');
  const places = placesOf(host, access);
  const raise = () => {
    f.set(found);
    entry.raise(f, step, found);
  };
  const ifSingle = (behind: number) => {
    f.get(shadow);
    entry.load(f, SHADOW + (((distance + behind) / 4) << entry.bits));
    f.set(found);
    entry.pushIsSingle(f, found);
  };
  const elsePlace = () => {
    f.else();
    entry.pushIsUnknown(f, found);
    f.brIf(slow, 'unlikely');
    entry.pushPlace(f, found);
    f.set(places.granule);
  };
  ifSingle(0);
  f.if();
  f.get(found);
  f.set(step);
  elsePlace();
  eachOfFirst(host, entry, places, (offset, i) => {
    entry.load(f, offset);
    if (i === 0) f.set(step);
    else raise();
  });
  f.end();
  for (let behind = 4; behind < size; behind += 4)
    raiseToGranule(f, entry, shadow, distance + behind, step, { found, place: places.granule }, slow);
  ifSingle(size);
  f.if();
  entry.raise(f, step, found);
  elsePlace();
  eachOfLast(host, entry, places, (offset) => {
    entry.load(f, offset);
    raise();
  });
  f.end();
}

/**
 * Loads the maximum of aligned granules some of which have steps of their bytes, as strings have that were written byte by byte; goes to
 * `slow` where a page is unknown.
 */
export function loadMixed(
  { f, scratch }: MemoryHost,
  entry: StepEntry,
  size: number,
  shadow: number,
  distance: number,
  step: number,
  slow: number,
): void {
  const found = scratch.take('v128');
  const place = scratch.take('i32');
  entry.pushNone(f);
  f.set(step);
  for (let granule = distance; granule < distance + size; granule += 4)
    raiseToGranule(f, entry, shadow, granule, step, { found, place }, slow);
}

/** Raises the step to those of all bytes of the granule so far behind one. The locals are for what it finds there. */
function raiseToGranule(
  f: FunctionBuilder,
  entry: StepEntry,
  shadow: number,
  distance: number,
  step: number,
  { found, place }: { readonly found: number; readonly place: number },
  slow: number,
): void {
  f.get(shadow);
  entry.load(f, SHADOW + ((distance / 4) << entry.bits));
  f.set(found);
  entry.pushIsSingle(f, found);
  f.if();
  entry.raise(f, step, found);
  f.else();
  entry.pushIsUnknown(f, found);
  f.brIf(slow, 'unlikely');
  entry.pushPlace(f, found);
  f.set(place);
  for (let byte = 0; byte < 4; byte++) {
    f.get(place);
    entry.load(f, byte << entry.bits);
    f.set(found);
    entry.raise(f, step, found);
  }
  f.end();
}

/** Loads the maximum of two bytes, the last of one granule and the first of the next; goes to `slow` where a page is unknown. */
export function loadPair(
  { f, scratch }: MemoryHost,
  entry: StepEntry,
  shadow: number,
  step: number,
  slow: number,
): void {
  const found = scratch.take('v128');
  PAIR.forEach((byte, granule) => {
    f.get(shadow);
    entry.load(f, SHADOW + (granule << entry.bits));
    f.set(found);
    entry.pushIsSingle(f, found);
    f.op('i32.eqz');
    f.if();
    entry.pushIsUnknown(f, found);
    f.brIf(slow, 'unlikely');
    entry.pushPlace(f, found);
    entry.load(f, byte << entry.bits);
    f.set(found);
    f.end();
    if (granule === 0) {
      f.get(found);
      f.set(step);
    } else entry.raise(f, step, found);
  });
}

/** Gives two such bytes the step; goes to `slow` unless both granules have steps of their bytes. The pages have fast stores. */
export function storePair(
  { f, scratch }: MemoryHost,
  entry: StepEntry,
  shadow: number,
  step: number,
  slow: number,
): void {
  const granules = PAIR.map((_, i) => takeMixed(f, scratch, entry, shadow, 4 * i, slow));
  PAIR.forEach((byte, granule) => {
    entry.pushPlace(f, granules[granule]);
    f.get(step);
    entry.store(f, byte << entry.bits);
  });
}

/** Which byte of each granule. */
const PAIR = [3, 0] as const;

/** Gives the bytes the step; goes to `slow` unless both edges have steps of their bytes. The pages have fast stores. */
export function storeEdges(
  host: MemoryHost,
  access: Odd,
  size: number,
  shadow: number,
  distance: number,
  step: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const { entry } = access;
  const [first, last] = [distance, distance + size].map((at) =>
    takeMixed(f, scratch, entry, shadow, at, slow),
  );
  const places = placesOf(host, access);
  const put = (offset: number) => {
    f.get(step);
    entry.store(f, offset);
  };
  entry.pushPlace(f, first);
  f.set(places.granule);
  eachOfFirst(host, entry, places, put);
  for (let behind = 4; behind < size; behind += 4) {
    f.get(shadow);
    put(SHADOW + (((distance + behind) / 4) << entry.bits));
  }
  entry.pushPlace(f, last);
  f.set(places.granule);
  eachOfLast(host, entry, places, put);
}

/** Gives the local that has the entry of the granule so far behind one; goes to `slow` where its bytes have one step. */
function takeMixed(
  f: FunctionBuilder,
  scratch: MemoryHost['scratch'],
  entry: StepEntry,
  shadow: number,
  distance: number,
  slow: number,
): number {
  const found = scratch.take('v128');
  f.get(shadow);
  entry.load(f, SHADOW + ((distance / 4) << entry.bits));
  f.set(found);
  entry.pushIsSingle(f, found);
  f.brIf(slow, 'unlikely');
  return found;
}

/** `near` tells k alone, so that it may be that of any access at a distance that is a multiple of 4. */
export type Odd = Pick<Access, 'entry' | 'near'>;

/** i32 locals: where a granule's byte entries are; how far on that of byte k is, and that of byte k / 2. */
interface Places {
  readonly granule: number;
  readonly byte: number;
  readonly half: number;
}

function placesOf({ f, scratch }: MemoryHost, { entry, near }: Odd): Places {
  const places = { granule: scratch.take('i32'), byte: scratch.take('i32'), half: scratch.take('i32') };
  f.get(near);
  f.i32(3);
  f.op('i32.and');
  f.i32(entry.bits);
  f.op('i32.shl');
  f.set(places.byte);
  f.get(near);
  f.i32(2);
  f.op('i32.and');
  f.i32(entry.bits - 1);
  f.op('i32.shl');
  f.set(places.half);
  return places;
}

/** Pushes the address of each entry, for `visit` to access it at an offset. */
function eachOfFirst(
  { f }: MemoryHost,
  { bits }: StepEntry,
  { granule, byte, half }: Places,
  visit: (offset: number, i: number) => void,
): void {
  [byte, half, undefined].forEach((distance, i) => {
    f.get(granule);
    if (distance !== undefined) {
      f.get(distance);
      f.op('i32.add');
    }
    visit(i === 0 ? 0 : (1 + i) << bits, i);
  });
}

function eachOfLast(
  { f }: MemoryHost,
  { bits }: StepEntry,
  { granule, byte, half }: Places,
  visit: (offset: number) => void,
): void {
  f.get(granule);
  visit(0);
  f.get(granule);
  f.get(half);
  f.op('i32.add');
  visit(0);
  f.get(granule);
  f.get(byte);
  f.op('i32.add');
  f.i32(1 << bits);
  f.op('i32.sub');
  visit(0);
}
