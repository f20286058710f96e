import { FAR_END } from '../guest/far-memory.ts';
import { CHEAP_END, FIRST_GUEST_ADDRESS, GUEST_END, PAGE_SIZE, REACH } from '../guest/layout.ts';
import { EXECUTE, READ, WRITE } from '../guest/memory.ts';
import { contentOf, writeContent } from './fs/content.ts';
import type { FileNode } from './fs/node.ts';
import type { MemoryPolicy } from './memory-policy.ts';
import { noteModule } from './modules.ts';
import type { Region } from './region.ts';
import {
  allRegions,
  highestFree,
  lowestFree,
  regionBefore,
  regionFrom,
  regionsIn,
  regionsOf,
  replaceRegions,
} from './region-list.ts';
import type { System } from './system.ts';

/** The guest's mappings: GuestMemory knows permissions, the list of regions knows what each mapping is. */

export function pageUp(length: number): number {
  return Math.ceil(length / PAGE_SIZE) * PAGE_SIZE;
}

/** The lowest far address: no access reaches there from below GUEST_END. */
const FAR_BASE = GUEST_END + REACH;
/** Linux hands out addresses from about here down. */
const FAR_TOP = 0x7fff_f000_0000;

export function isInGuestSpace(start: number, end: number): boolean {
  if (start > end || start < FIRST_GUEST_ADDRESS || end > FAR_END) return false;
  return end <= GUEST_END || start >= FAR_BASE;
}

export function overlapping(system: Pick<System, 'state'>, start: number, end: number): readonly Region[] {
  return regionsIn(system.state.regions, start, end);
}

/** Maps the region in place of whatever was there, with its file's contents. */
export function addRegion(system: System, region: Region): void {
  removeRegions(system, region.start, region.end);
  insert(system, region);
  const others = sharers(system, region);
  const isShown = mapNew(system, region, others.length === 0);
  share(system, region, others);
  if (!isShown) fill(system, region);
  watch(system, region);
  hideBeyondFile(system, region);
  if (region.file !== undefined && (region.protection & EXECUTE) !== 0) noteModule(system, region);
}

/** Unmaps every page of the range that is mapped. */
export function removeRegions(system: System, start: number, end: number): void {
  for (const region of takeOut(system, start, end)) {
    writeBack(system, region);
    noteFormer(system, region);
    system.memory.unmap(region.start, region.end);
  }
}

function noteFormer({ state, modules }: System, { file, protection, label, start, end }: Region): void {
  if (file === undefined || (protection & EXECUTE) === 0) return;
  const module = modules.find((each) => each.file === label && each.start <= start && end <= each.end);
  if (module === undefined || formerAt(state, module.start, module.end)?.file === file) return;
  state.formerCode = [...state.formerCode, { file, start: module.start, end: module.end }];
}

function formerAt({ formerCode }: System['state'], start: number, end: number) {
  return formerCode.find((each) => each.start < end && each.end > start);
}

/** Where a file was that is mapped again: its functions are the same then. */
export function formerPlace({ state }: System, file: FileNode, length: number): number | undefined {
  const former = state.formerCode.find((each) => each.file === file && each.end - each.start === length);
  const isFree = former !== undefined && regionsIn(state.regions, former.start, former.end).length === 0;
  return isFree ? former.start : undefined;
}

export function protectRegions(system: System, start: number, end: number, protection: number): void {
  for (const region of takeOut(system, start, end)) {
    writeBack(system, region);
    const changed = { ...region, protection };
    insert(system, changed);
    if (region.shared && (protection & WRITE & ~region.protection) !== 0) {
      share(system, changed, sharers(system, changed));
      watch(system, changed);
    }
    if (changed.file !== undefined && (protection & EXECUTE & ~region.protection) !== 0)
      noteModule(system, changed);
  }
  system.memory.protect(start, end, protection);
  for (const region of overlapping(system, start, end)) hideBeyondFile(system, region);
}

/** From now on pages of the range come from where this policy says; without one, from where threads' say. */
export function placeRegions(
  system: System,
  start: number,
  end: number,
  policy: MemoryPolicy | undefined,
): void {
  for (const { memoryPolicy: _, ...region } of takeOut(system, start, end))
    insert(system, policy === undefined ? region : { ...region, memoryPolicy: policy });
}

/** Whether children of fork find zeros in the range from now on, which is private and shows no file. */
export function wipeOnFork(system: System, start: number, end: number, isWiped: boolean): void {
  for (const { isWipedOnFork: _, ...region } of takeOut(system, start, end))
    insert(system, isWiped ? { ...region, isWipedOnFork: true } : region);
}

/** The process is a copy of its parent: what it is not to have of it. */
export function wipeAfterFork({ state, memory }: System): void {
  for (const { start, end, protection, isWipedOnFork } of allRegions(state.regions))
    if (isWipedOnFork === true) memory.map(start, end, protection);
}

/** Other mappings of what a region shows of a file, if stores are shared and some of the mappings can be written. */
function sharers(system: System, region: Region): readonly Region[] {
  const { file, shared, start, end, offset } = region;
  if (file === undefined || !shared) return [];
  const others = regionsOf(system.state.regions, file).filter(
    (other) =>
      other.shared &&
      (other.end <= start || other.start >= end) &&
      other.offset < offset + end - start &&
      offset < other.offset + other.end - other.start,
  );
  return [region, ...others].some(({ protection }) => (protection & WRITE) !== 0) ? others : [];
}

/**
 * They get the same memory: what is stored through one is there for the others at once (code that is written at one address and runs at
 * another).
 */
function share(system: System, region: Region, others: readonly Region[]): void {
  if (region.file === undefined || others.length === 0) return;
  for (const one of [...others, region]) system.memory.share(one.start, one.end, region.file, one.offset);
}

/** Where the pages of a mapping end that its file has bytes for. */
function endOfFile({ start, end, offset, file }: Region, size = file?.size): number {
  return size === undefined ? end : Math.min(end, start + pageUp(Math.max(0, size - offset)));
}

/**
 * A file is about to become shorter: private copies of whole pages behind are lost, too, and do not come back when it grows; the rest of its last
 * page is zero (mm/truncate.c).
 */
export function dropBeyond(system: System, file: FileNode, size: number): void {
  const rest = pageUp(size) - size;
  if (rest > 0)
    for (const page of showing(system, file, size))
      system.memory.write(page.start + size - page.offset, new Uint8Array(rest));
  for (const region of regionsOf(system.state.regions, file)) {
    const end = endOfFile(region, size);
    if (!region.shared && end < region.end) system.memory.map(end, region.end, region.protection);
  }
}

/** Whole pages behind the end of a file are mapped, but nothing is there: whoever touches them gets SIGBUS. */
function hideBeyondFile(system: System, region: Region): void {
  const end = endOfFile(region);
  if (end < region.end) system.memory.protect(end, region.end, 0);
}

export function isBeyondFile(system: System, address: number): boolean {
  return overlapping(system, address, address + 1).some((region) => address >= endOfFile(region));
}

/** Makes private pages what they were when they were mapped (MADV_DONTNEED). */
export function renewRegions(system: System, start: number, end: number): void {
  for (const region of overlapping(system, start, end)) {
    if (region.shared) continue;
    if (region.file !== undefined) writeBackShared(system, region.file);
    const part = clip(region, start, end);
    if (!mapNew(system, part, true)) fill(system, part);
    hideBeyondFile(system, part);
  }
}

/**
 * The highest free range, as Linux lays mappings out: below everything that was mapped before, the dynamic linker
 * first. Where the space from mmapBase on is used up, the highest below the break's limit; then the lowest of all that
 * is left, because low addresses cost less to measure (emulator/memory/measure-plan.ts).
 */
export function findFree(system: System, length: number): number | undefined {
  const { state } = system;
  const { mmapBase } = state.addresses;
  return (
    findCheap(system, length) ?? lowestUnused(state, mmapBase, GUEST_END, length) ?? findFar(system, length)
  );
}

/** The same where measuring costs least. */
export function findCheap(system: System, length: number): number | undefined {
  const { state } = system;
  const { addresses } = state;
  const { mmapBase, mmapTop, breakLimit } = addresses;
  const lowest = Math.max(pageUp(system.state.break), FIRST_GUEST_ADDRESS);
  return (
    highestUnused(state, mmapBase, mmapTop, length) ??
    highestUnused(state, lowest, breakLimit, length) ??
    lowestUnused(state, mmapBase, CHEAP_END, length)
  );
}

/** The highest free range that is no part of memory: it costs nothing until it is touched, and then more than another. */
export function findFar(system: System, length: number): number | undefined {
  return highestUnused(system.state, FAR_BASE, FAR_TOP, length);
}

/** The highest free range where no code was. */
function highestUnused(
  state: System['state'],
  low: number,
  high: number,
  length: number,
): number | undefined {
  for (let end = high; ; ) {
    const at = highestFree(state.regions, low, end, length);
    const former = at === undefined ? undefined : formerAt(state, at, at + length);
    if (former === undefined) return at;
    end = former.start;
  }
}

/** The lowest one. */
function lowestUnused(state: System['state'], low: number, high: number, length: number): number | undefined {
  for (let start = low; ; ) {
    const at = lowestFree(state.regions, start, high, length);
    const former = at === undefined ? undefined : formerAt(state, at, at + length);
    if (former === undefined) return at;
    start = former.end;
  }
}

/** Bytes below GUEST_END that no mapping has. */
export function nearLeft(system: System): number {
  return GUEST_END - FIRST_GUEST_ADDRESS - system.state.regions.near;
}

/** Carries what the guest stored in shared file mappings over to the file (all files without an argument). */
export function writeBackShared(system: System, file?: FileNode): void {
  const { regions } = system.state;
  for (const region of file === undefined ? allRegions(regions) : regionsOf(regions, file))
    writeBack(system, region);
}

/** Files that were written to and are mapped so that others see what is stored. */
export function sharedFiles(system: System): ReadonlySet<FileNode> {
  const files = new Set<FileNode>();
  for (const { shared, file } of allRegions(system.state.regions))
    if (shared && file?.data !== undefined) files.add(file);
  return files;
}

/** What is stored in the mapping is noted from now on, and what is written to its file. */
export function watch(system: System, { file, shared, start, end, protection }: Region): void {
  if (file === undefined || !shared) return;
  file.writes ??= { count: 0, pages: new Map() };
  const { shown } = system.state;
  if (!shown.has(file)) shown.set(file, { writes: file.writes.count, size: file.size });
  if ((protection & WRITE) !== 0) system.memory.watchStores(start, end);
}

/** Shows in mappings of the file what was written to it, and where it ends now. */
export function refreshShared(system: System, file: FileNode): void {
  const { shown } = system.state;
  const before = shown.get(file);
  const { writes } = file;
  if (before === undefined || writes === undefined || before.size !== file.size) showAll(system, file);
  else if (before.writes !== writes.count) {
    const pages = [...writes.pages].flatMap(([page, count]) => (count > before.writes ? [page] : []));
    for (const region of regionsOf(system.state.regions, file))
      if (region.shared)
        for (const page of pages)
          fill(system, overlapInFile(region, page * PAGE_SIZE, (page + 1) * PAGE_SIZE));
  }
  if (writes !== undefined) shown.set(file, { writes: writes.count, size: file.size });
}

function showAll(system: System, file: FileNode): void {
  for (const region of regionsOf(system.state.regions, file)) {
    system.memory.protect(region.start, endOfFile(region), region.protection);
    hideBeyondFile(system, region);
    if (region.shared) fill(system, region);
  }
}

/**
 * Writes to a file. Private mappings of it show that, too, in pages that the process has not made its own, which is told by their bytes: those
 * are the file's.
 */
export function writeFile(system: System, file: FileNode, offset: number, bytes: Uint8Array): void {
  const shown = shownPrivately(system, file, offset, offset + bytes.length);
  writeContent(system, file, offset, bytes);
  for (const page of shown) fill(system, page);
}

/** The pages that show what a file has at a place, as it is in the file. */
function showing(system: System, file: FileNode, place: number): readonly Region[] {
  const first = place - (place % PAGE_SIZE);
  const shared = regionsOf(system.state.regions, file)
    .filter((region) => region.shared)
    .map((region) => overlapInFile(region, first, first + PAGE_SIZE))
    .filter(({ start, end }) => end > start);
  return [...shared, ...shownPrivately(system, file, place, place + 1)];
}

function shownPrivately(system: System, file: FileNode, from: number, to: number): readonly Region[] {
  const shown: Region[] = [];
  for (const region of regionsOf(system.state.regions, file)) {
    if (region.shared) continue;
    const end = Math.min(to, region.offset + region.end - region.start);
    for (let at = Math.max(from - (from % PAGE_SIZE), region.offset); at < end; at += PAGE_SIZE) {
      const page = overlapInFile(region, at, at + PAGE_SIZE);
      const bytes = contentOf(system, file).subarray(at, at + PAGE_SIZE);
      if (isEqual(system.memory.read(page.start, bytes.length), bytes)) shown.push(page);
    }
  }
  return shown;
}

function writeBack(system: System, region: Region): void {
  const { file, shared, start, end, offset } = region;
  if (file === undefined || !shared || (region.protection & WRITE) === 0) return;
  for (const page of system.memory.stored(start, end)) {
    const at = page * PAGE_SIZE - start + offset;
    const length = Math.min(PAGE_SIZE, file.size - at);
    if (length <= 0) continue;
    const stored = system.memory.read(page * PAGE_SIZE, length);
    if (isEqual(stored, contentOf(system, file).subarray(at, at + length))) continue;
    writeFile(system, file, at, stored);
    for (const other of regionsOf(system.state.regions, file))
      if (other.shared && other.start !== start) fill(system, overlapInFile(other, at, at + length));
  }
}

/** The part of a region that shows what is in a range of its file; empty where it shows nothing of it. */
function overlapInFile(region: Region, from: number, to: number): Region {
  const first = Math.max(region.offset, from);
  const last = Math.min(region.offset + region.end - region.start, to);
  const start = region.start + first - region.offset;
  return { ...region, start, end: start + Math.max(0, last - first), offset: first };
}

/** Maps the region's pages; tells whether they show what its file holds, if they may. What is still the host's is not read before somebody looks at it. */
function mapNew(system: System, { file, start, end, offset, protection }: Region, mayShow: boolean): boolean {
  const isHosts = mayShow && file !== undefined && file.data === undefined;
  const content = isHosts ? contentOf(system, file).subarray(offset, offset + end - start) : undefined;
  return system.memory.map(start, end, protection, content);
}

/** Shows what the file holds; where others see stores, only what is not shown already, so that empty pages cost nothing. */
function fill(system: System, region: Region): void {
  if (region.file === undefined) return;
  const { start, end, offset } = region;
  const content = contentOf(system, region.file).subarray(offset, offset + end - start);
  if (!region.shared) return system.memory.write(start, content);
  for (let at = 0; at < content.length; at += PAGE_SIZE) {
    const page = content.subarray(at, at + PAGE_SIZE);
    if (!isEqual(system.memory.read(start + at, page.length), page)) system.memory.write(start + at, page);
  }
}

/** Splits regions at the range's ends, removes those inside from the list and returns them. */
function takeOut({ state }: System, start: number, end: number): readonly Region[] {
  const hit = regionsIn(state.regions, start, end);
  const kept: Region[] = [];
  for (const region of hit) {
    if (region.start < start) kept.push(clip(region, region.start, start));
    if (region.end > end) kept.push(clip(region, end, region.end));
  }
  replaceRegions(state.regions, start, end, kept);
  return hit.map((region) => clip(region, start, end));
}

function clip(region: Region, low: number, high: number): Region {
  const start = Math.max(region.start, low);
  const end = Math.min(region.end, high);
  const offset = region.file === undefined ? region.offset : region.offset + start - region.start;
  return { ...region, start, end, offset };
}

/** Adjacent regions of one kind become one, so that mremap sees what a program mapped piece by piece. */
function insert({ state: { regions } }: System, region: Region): void {
  const before = regionBefore(regions, region.start);
  const next = regionFrom(regions, region.end);
  let merged = region;
  if (before !== undefined && continues(before, merged)) merged = { ...before, end: merged.end };
  if (next !== undefined && continues(merged, next)) merged = { ...merged, end: next.end };
  replaceRegions(regions, merged.start, merged.end, [merged]);
}

function continues(before: Region, region: Region): boolean {
  return (
    before.end === region.start &&
    before.protection === region.protection &&
    before.shared === region.shared &&
    before.label === region.label &&
    before.file === region.file &&
    before.isReadOnly === region.isReadOnly &&
    before.isWipedOnFork === region.isWipedOnFork &&
    before.memoryPolicy?.mode === region.memoryPolicy?.mode &&
    before.memoryPolicy?.nodes === region.memoryPolicy?.nodes &&
    (region.file === undefined || before.offset + before.end - before.start === region.offset)
  );
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** On x86-64 what can be written or executed can be read. */
export function readableToo(protection: number): number {
  return protection === 0 ? 0 : protection | READ;
}
