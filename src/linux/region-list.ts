import { GUEST_END } from '../guest/layout.ts';
import type { FileNode } from './fs/node.ts';
import type { Region } from './region.ts';

/**
 * A process's mappings in order of their addresses, disjoint. There may be 65,530: what a system call asks for takes hardly longer with
 * their number, be it what is at an address, what shows a file, or where there is room.
 */
export interface RegionList {
  /** Neighbours are together in runs, none empty. */
  runs: Run[];
  size: number;
  /** Bytes of addresses that are memory offsets. */
  near: number;
  /** How many show each file. */
  readonly showing: Map<FileNode, number>;
}

interface Run {
  readonly regions: readonly Region[];
  /** The widest gap between two of them. */
  readonly widest: number;
}

/** The most regions of a run. */
const MOST = 64;

export const emptyRegions = (): RegionList => ({ runs: [], size: 0, near: 0, showing: new Map() });

export function copyRegions({ runs, showing, ...numbers }: RegionList): RegionList {
  return { ...numbers, runs: [...runs], showing: new Map(showing) };
}

export function clearRegions(list: RegionList): void {
  list.runs = [];
  list.size = 0;
  list.near = 0;
  list.showing.clear();
}

export function allRegions({ runs }: RegionList): readonly Region[] {
  return runs.flatMap(({ regions }) => regions);
}

/** The one that has the address, or else the next one. */
export function regionFrom(list: RegionList, address: number): Region | undefined {
  return regionAt(list, find(list, address));
}

/** The last one that ends at the address or before. */
export function regionBefore(list: RegionList, address: number): Region | undefined {
  return regionAt(list, previous(list, find(list, address)));
}

export function regionsIn(list: RegionList, start: number, end: number): readonly Region[] {
  const found: Region[] = [];
  let place = find(list, start);
  for (;;) {
    const region = regionAt(list, place);
    if (region === undefined || region.start >= end) return found;
    found.push(region);
    place = next(list, place);
  }
}

export function regionsOf(list: RegionList, file: FileNode): readonly Region[] {
  return list.showing.has(file) ? allRegions(list).filter((region) => region.file === file) : [];
}

/** Others in place of all that overlap a range, in order; they lie where those do. */
export function replaceRegions(
  list: RegionList,
  start: number,
  end: number,
  regions: readonly Region[],
): void {
  const { runs } = list;
  for (const region of regionsIn(list, start, end)) note(list, region, -1);
  for (const region of regions) note(list, region, 1);
  const found = find(list, start);
  // What comes behind all others joins the last run.
  const isLast = found.run > 0 && found.run === runs.length;
  const first = isLast ? { run: found.run - 1, index: runs[found.run - 1].regions.length } : found;
  const behind = placeOf(list, (region) => region.start >= end);
  const all = [
    ...(runs[first.run]?.regions.slice(0, first.index) ?? []),
    ...regions,
    ...(runs[behind.run]?.regions.slice(behind.index) ?? []),
  ];
  runs.splice(first.run, behind.run + 1 - first.run, ...runsOf(all));
}

/** There is one more or one less. */
function note(list: RegionList, { start, end, file }: Region, change: 1 | -1): void {
  list.size += change;
  list.near += change * (Math.min(end, GUEST_END) - Math.min(start, GUEST_END));
  if (file === undefined) return;
  const { showing } = list;
  const count = (showing.get(file) ?? 0) + change;
  if (count > 0) showing.set(file, count);
  else showing.delete(file);
}

function runsOf(all: readonly Region[]): readonly Run[] {
  const length = all.length > MOST ? MOST / 2 : MOST;
  const runs: Run[] = [];
  for (let at = 0; at < all.length; at += length) {
    const regions = all.slice(at, at + length);
    const widest = regions.reduce(
      (wide, { start }, i) => Math.max(wide, start - (regions[i - 1]?.end ?? start)),
      0,
    );
    runs.push({ regions, widest });
  }
  return runs;
}

/** Where the highest free range between two addresses begins. */
export function highestFree(list: RegionList, low: number, high: number, length: number): number | undefined {
  let end = high;
  let place = previous(
    list,
    placeOf(list, ({ start }) => start >= high),
  );
  for (;;) {
    const region = regionAt(list, place);
    if (region === undefined || end - region.end >= length || end - length < low) break;
    const { regions, widest } = list.runs[place.run];
    if (place.index === regions.length - 1 && widest < length) place = { ...place, index: 0 };
    end = regions[place.index].start;
    place = previous(list, place);
  }
  return end - length >= low ? end - length : undefined;
}

/** Where the lowest one begins. */
export function lowestFree(list: RegionList, low: number, high: number, length: number): number | undefined {
  let start = low;
  let place = find(list, low);
  for (;;) {
    const region = regionAt(list, place);
    if (region === undefined || region.start - start >= length) break;
    const { regions, widest } = list.runs[place.run];
    if (place.index === 0 && widest < length) place = { ...place, index: regions.length - 1 };
    start = regions[place.index].end;
    place = next(list, place);
  }
  return start + length <= high ? start : undefined;
}

/** Where a region is; of none, behind the last or before the first one. */
interface Place {
  readonly run: number;
  readonly index: number;
}

function regionAt({ runs }: RegionList, { run, index }: Place): Region | undefined {
  return runs[run]?.regions[index];
}

/** Where the first one is that ends behind the address. */
function find(list: RegionList, address: number): Place {
  return placeOf(list, ({ end }) => end > address);
}

/** Where the first one is that is so, as all behind it are. */
function placeOf({ runs }: RegionList, isSo: (region: Region) => boolean): Place {
  const run = firstOf(runs, ({ regions }) => isSo(regions[regions.length - 1]));
  return { run, index: firstOf(runs[run]?.regions ?? [], isSo) };
}

function next({ runs }: RegionList, { run, index }: Place): Place {
  return index + 1 < runs[run].regions.length ? { run, index: index + 1 } : { run: run + 1, index: 0 };
}

function previous({ runs }: RegionList, { run, index }: Place): Place {
  if (index > 0) return { run, index: index - 1 };
  return { run: run - 1, index: run > 0 ? runs[run - 1].regions.length - 1 : 0 };
}

/** Index of the first one that is so, where all behind it are; their number if none is. */
function firstOf<T>(all: readonly T[], isSo: (one: T) => boolean): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(all[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
