import { GUEST_END, PAGE_SIZE } from '../../guest/layout.ts';
import { EXECUTE, READ, WRITE } from '../../guest/memory.ts';
import { type Args, int, long, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import { contentOf } from '../fs/content.ts';
import type { FileNode } from '../fs/node.ts';
import { SEALS } from '../fs/seals.ts';
import { shareAnonymous } from '../lend.ts';
import { mayMap } from '../limits.ts';
import { isReadable, isWritable, O, openFile } from '../open-file.ts';
import { READ_IMPLIES_EXEC } from '../persona.ts';
import type { Region } from '../region.ts';
import {
  addRegion,
  findCheap,
  findFar,
  findFree,
  formerPlace,
  isInGuestSpace,
  nearLeft,
  overlapping,
  pageUp,
  protectRegions,
  readableToo,
  removeRegions,
  renewRegions,
  wipeOnFork,
  writeBackShared,
} from '../regions.ts';
import { row, type SyscallRow, type System } from '../system.ts';

/** asm-generic/mman-common.h. */
const PROT_KNOWN = 0x7 | 0x8 | 0x0100_0000 | 0x0200_0000;
const MAP_TYPE = 0x0f;
const MAP_SHARED = 1;
const MAP_PRIVATE = 2;
const MAP_SHARED_VALIDATE = 3;
const MAP_FIXED = 0x10;
const MAP_ANONYMOUS = 0x20;
const MAP_32BIT = 0x40;
const MAP_FIXED_NOREPLACE = 0x10_0000;
const MAP_NORESERVE = 0x4000;
const MAP_GROWSDOWN = 0x100;
const MAP_HUGETLB = 0x4_0000;
const MAP_SYNC = 0x8_0000;
const MAP_HUGE_SHIFT = 26;
/** The default one, and powers of two. */
const HUGE_SIZES: readonly number[] = [0, 21, 30];
/** All that MAP_SHARED_VALIDATE lets pass: LEGACY_MAP_MASK of Linux 6.1, with any size of huge pages, and MAP_SYNC. */
const MAP_KNOWN = 0x7c00_0000 | 0x0400_0000 | MAP_SYNC | MAP_HUGETLB | 0x3_f900 | MAP_GROWSDOWN | 0x70 | 0x3;

function programBreak(system: System, [wanted]: Args): number {
  const { state } = system;
  const target = size(wanted);
  if (target < state.breakStart || target > state.addresses.breakLimit) return state.break;
  const oldEnd = pageUp(state.break);
  const newEnd = pageUp(target);
  if (newEnd > oldEnd) {
    if (overlapping(system, oldEnd, newEnd).length > 0 || !mayMap(system, newEnd - oldEnd, true))
      return state.break;
    const code = (state.process.persona & READ_IMPLIES_EXEC) !== 0 ? EXECUTE : 0;
    addRegion(system, anonymous(oldEnd, newEnd, READ | WRITE | code, '[heap]'));
  } else if (newEnd < oldEnd) removeRegions(system, newEnd, oldEnd);
  state.break = target;
  return target;
}

/** What counts against RLIMIT_DATA. */
const isData = ({ protection, shared }: Pick<Region, 'protection' | 'shared'>): boolean =>
  !shared && (protection & WRITE) !== 0;

function anonymous(start: number, end: number, protection: number, label = '', shared = false): Region {
  return { start, end, protection, shared, label, offset: 0 };
}

/** PROT_READ, PROT_WRITE and PROT_EXEC, as bits of guest memory. */
function permissions({ state }: System, protection: bigint): number {
  const bits = int(protection);
  if ((bits & ~PROT_KNOWN) !== 0) fail('EINVAL');
  const read = (bits & 1) !== 0 ? READ : 0;
  const write = (bits & 2) !== 0 ? WRITE : 0;
  const isCode = (bits & 4) !== 0 || ((bits & 1) !== 0 && (state.process.persona & READ_IMPLIES_EXEC) !== 0);
  return readableToo(read | write | (isCode ? EXECUTE : 0));
}

function mmap(system: System, [hint, lengthBits, protectionBits, flagBits, fd, offset]: Args): number {
  const flags = int(flagBits);
  const protection = permissions(system, protectionBits);
  if (size(lengthBits) === 0 || long(offset) % PAGE_SIZE !== 0) fail('EINVAL');
  if ((flags & MAP_ANONYMOUS) === 0) openFile(system, int(fd));
  const type = flags & MAP_TYPE;
  if (type !== MAP_SHARED && type !== MAP_PRIVATE && type !== MAP_SHARED_VALIDATE) fail('EINVAL');
  const shared = type !== MAP_PRIVATE;
  requirePossible(flags);
  const source = (flags & MAP_ANONYMOUS) === 0 ? fileToMap(system, int(fd), protection, flags) : undefined;
  const isReservation = protection === 0 || (flags & MAP_NORESERVE) !== 0;
  const isForCode = isReservation && size(hint) !== 0 && size(hint) < GUEST_END;
  const most = isForCode ? MOST_FOR_CODE : isReservation ? MOST_RESERVED : MOST_MAPPED;
  const isLow = (flags & MAP_32BIT) !== 0;
  const length = pageUp(size(lengthBits));
  const isHeap = protection === 0 && !isForCode && length >= HEAP && length <= 2 * HEAP;
  const isLargeFile = source !== undefined && length >= LARGE_FILE;
  const isFar =
    !isLow &&
    ((source === undefined && isLarge(system, length, most)) ||
      ((isHeap || isLargeFile) && findCheap(system, length) === undefined));
  const former =
    source === undefined || size(hint) !== 0 || isLow ? undefined : formerPlace(system, source.file, length);
  const start = former ?? place(system, size(hint), length, flags, isFar);
  const end = start + length;
  if (!mayMap(system, length, isData({ protection, shared }), { start, end })) fail('ENOMEM');
  if (system.state.regions.size > MOST_REGIONS) fail('ENOMEM');
  if (source === undefined) addRegion(system, anonymous(start, end, protection, '', shared));
  else addRegion(system, { start, end, protection, shared, ...source, offset: long(offset) });
  return start;
}

/** What no file allows, or anonymous memory does not. There are no huge pages, and only stacks grow down. */
function requirePossible(flags: number): void {
  const isValidated = (flags & MAP_TYPE) === MAP_SHARED_VALIDATE;
  const isAnonymous = (flags & MAP_ANONYMOUS) !== 0;
  if ((flags & MAP_HUGETLB) !== 0)
    fail(isAnonymous && HUGE_SIZES.includes((flags >>> MAP_HUGE_SHIFT) & 0x3f) ? 'ENOMEM' : 'EINVAL');
  if (isAnonymous && isValidated) fail('EINVAL');
  if (isValidated && (flags & ~MAP_KNOWN) !== 0) fail('EOPNOTSUPP');
  if ((flags & MAP_GROWSDOWN) !== 0 && (!isAnonymous || (flags & MAP_TYPE) !== MAP_PRIVATE)) fail('EINVAL');
}

/** Shares of what is left of the addresses that are cheap to access: more than a reservation is worth that may never be used. */
const MOST_MAPPED = 3 / 4;
const MOST_RESERVED = 1 / 4;
/** Who reserves a place beside the program wants to put code there, in reach of the program's own (V8). */
const MOST_FOR_CODE = 7 / 8;
/**
 * glibc reserves so much for the heap of a thread, or twice as much to have it aligned (HEAP_MAX_SIZE), and uses little of it. Those that do
 * not fit where measuring costs least are far: beyond that all of the run would take twice the passes (emulator/memory/measure-plan.ts).
 */
const HEAP = 0x400_0000;
/** A file of so many bytes, larger than libraries are, is accessed here and there: likewise. */
const LARGE_FILE = 0x1000_0000;
/**
 * Who asks for an address of 32 bits goes by what it is (SBCL's static space); higher ones, where allocators ask for any, are
 * worth less than being cheap to access.
 */
const NAMED_END = 0x1_0000_0000;

/** Whether what is asked for would take too much of the addresses that are cheap to access. */
function isLarge(system: System, length: number, most: number): boolean {
  return length >= system.farFrom || length > nearLeft(system) * most;
}

/** The file to map, or undefined where a mapping is as good as anonymous (/dev/zero). */
function fileToMap(
  system: System,
  number: number,
  protection: number,
  flags: number,
): (Pick<Region, 'label' | 'entry' | 'openedAs' | 'isReadOnly'> & { readonly file: FileNode }) | undefined {
  const file = openFile(system, number);
  const shared = (flags & MAP_TYPE) !== MAP_PRIVATE;
  if (!isReadable(file)) fail('EACCES');
  if (shared && (protection & WRITE) !== 0 && (file.flags & O.ACCESS) !== O.READ_WRITE) fail('EACCES');
  const { node, path, entry, openedAs } = file;
  // No file is persistent memory, which is mapped so that what is stored is there after a loss of power.
  const isSynchronous = (flags & MAP_SYNC) !== 0;
  if (node.kind === 'device' && node.device === 'zero')
    return isSynchronous && (flags & MAP_TYPE) === MAP_SHARED_VALIDATE ? fail('EOPNOTSUPP') : undefined;
  if (node.kind !== 'file') return fail('ENODEV');
  if (isSynchronous) fail('EOPNOTSUPP');
  if (shared && (protection & WRITE) !== 0 && ((node.seals ?? 0) & (SEALS.write | SEALS.futureWrite)) !== 0)
    fail('EPERM');
  writeBackShared(system, node);
  contentOf(system, node);
  const isReadOnly = shared && !isWritable(file);
  return { file: node, label: path, entry, openedAs, ...(isReadOnly && { isReadOnly }) };
}

function place(system: System, hint: number, length: number, flags: number, isFar: boolean): number {
  if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) !== 0) {
    if (hint % PAGE_SIZE !== 0) fail('EINVAL');
    if (!isInGuestSpace(hint, hint + length)) fail('ENOMEM');
    const isOccupied = overlapping(system, hint, hint + length).length > 0;
    if ((flags & MAP_FIXED_NOREPLACE) !== 0 && isOccupied) fail('EEXIST');
    return hint;
  }
  const wanted = pageUp(hint);
  const isHintGood =
    wanted !== 0 &&
    (isFar ? wanted >= GUEST_END : wanted < NAMED_END) &&
    isInGuestSpace(wanted, wanted + length) &&
    overlapping(system, wanted, wanted + length).length === 0;
  if (isHintGood) return wanted;
  return (isFar ? findFar(system, length) : findFree(system, length)) ?? fail('ENOMEM');
}

/** The page range of the call's address and length, as far as it can be guest memory. */
function range(address: bigint, length: bigint): { readonly start: number; readonly end: number } {
  const start = size(address);
  if (start % PAGE_SIZE !== 0) fail('EINVAL');
  const end = start + pageUp(size(length));
  return { start, end };
}

function munmap(system: System, [address, length]: Args): number {
  const { start, end } = range(address, length);
  if (end === start || end > 2 ** 47) fail('EINVAL');
  if (overlapping(system, start, end).some((region) => region.start < start && region.end > end))
    requireFewer(system, start, end);
  removeRegions(system, start, end);
  return 0;
}

function mprotect(system: System, [address, length, protectionBits]: Args): number {
  const protection = permissions(system, protectionBits);
  const { start, end } = range(address, length);
  if (start === end) return 0;
  if (!isInGuestSpace(start, end)) fail('ENOMEM');
  // What comes before a hole is protected (mm/mprotect.c).
  const mapped = mappedFrom(system, start, end);
  for (const region of overlapping(system, start, mapped))
    if (region.shared && region.file !== undefined && (protection & WRITE & ~region.protection) !== 0)
      requireWriter(region);
  requireFewer(system, start, mapped);
  protectRegions(system, start, mapped, protection);
  return mapped < end ? fail('ENOMEM') : 0;
}

/** A shared file mapping becomes writable only where the file was open for writing when it was mapped. */
function requireWriter({ file, isReadOnly }: Region): void {
  if (isReadOnly === true || ((file?.seals ?? 0) & (SEALS.write | SEALS.futureWrite)) !== 0) fail('EACCES');
}

function requireMapped(system: System, start: number, end: number): void {
  if (!isInGuestSpace(start, end) || mappedFrom(system, start, end) < end) fail('ENOMEM');
}

/** Where the first hole of a range is, or its end. */
function mappedFrom(system: System, start: number, end: number): number {
  let at = start;
  for (const region of overlapping(system, start, end)) {
    if (region.start > at) break;
    at = region.end;
  }
  return Math.min(at, end);
}

/** vm.max_map_count. */
const MOST_REGIONS = 65_530;

/** As many as there may be; who makes more of them by cutting one in two needs one less. */
function requireFewer(system: System, start: number, end: number): void {
  const isCut = (address: number) =>
    overlapping(system, address, address + 1).some((region) => region.start < address);
  if (system.state.regions.size >= MOST_REGIONS && (isCut(start) || isCut(end))) fail('ENOMEM');
}

const MREMAP_MAYMOVE = 1;
const MREMAP_FIXED = 2;
const MREMAP_DONTUNMAP = 4;

function mremap(system: System, [address, oldBits, newBits, flagBits, target]: Args): number {
  const flags = int(flagBits);
  const { start, end } = range(address, oldBits);
  const length = pageUp(size(newBits));
  const known = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
  if ((flags & ~known) !== 0 || length === 0) fail('EINVAL');
  if ((flags & ~MREMAP_MAYMOVE) !== 0 && (flags & MREMAP_MAYMOVE) === 0) fail('EINVAL');
  const keeps = (flags & MREMAP_DONTUNMAP) !== 0;
  if (keeps && length !== end - start) fail('EINVAL');
  const [region] = overlapping(system, start, start + 1);
  if (region === undefined || region.end < end) return fail('EFAULT');
  const isAgain = start === end;
  if (isAgain && !region.shared) fail('EINVAL');
  if (isAgain && (flags & MREMAP_MAYMOVE) === 0) fail('ENOMEM');
  if (region.file !== undefined) writeBackShared(system, region.file);
  if ((flags & MREMAP_FIXED) !== 0) {
    const to = place(system, size(target), length, MAP_FIXED, false);
    if (to < end && to + length > start) fail('EINVAL');
    if (isAgain) return showAgain(system, start, to, length);
    return move(system, part(region, start, end), to, length, keeps);
  }
  if (keeps)
    return move(system, part(region, start, end), findFree(system, length) ?? fail('ENOMEM'), length, keeps);
  if (isAgain) return showAgain(system, start, findFree(system, length) ?? fail('ENOMEM'), length);
  if (length <= end - start) {
    removeRegions(system, start + length, end);
    return start;
  }
  if (!mayMap(system, length - (end - start), isData(region))) fail('ENOMEM');
  const isFreeBehind =
    isInGuestSpace(end, start + length) && overlapping(system, end, start + length).length === 0;
  if (region.end === end && isFreeBehind) {
    addRegion(system, part(region, end, start + length));
    return start;
  }
  if ((flags & MREMAP_MAYMOVE) === 0) fail('ENOMEM');
  return move(system, part(region, start, end), findFree(system, length) ?? fail('ENOMEM'), length);
}

/** What is shared at an address is shown at another one as well. */
function showAgain(system: System, address: number, to: number, length: number): number {
  if (!mayMap(system, length, false)) fail('ENOMEM');
  shareAnonymous(system);
  const [region] = overlapping(system, address, address + 1);
  addRegion(system, { ...part(region, address, address + length), start: to, end: to + length });
  return to;
}

/** Copies what the pages hold: to the guest that is the kernel writing there (rule 8). Pages that were never touched are not written to. */
function move(system: System, region: Region, to: number, length: number, keeps = false): number {
  const end = Math.min(region.end, region.start + length);
  const parts = contentsOf(system, region.start, end);
  removeRegions(system, region.start, region.end);
  addRegion(system, { ...region, start: to, end: to + length });
  // What it leaves behind is as it was before it was touched.
  if (keeps) addRegion(system, region);
  for (const { offset, bytes } of parts) system.user.writeMapped(to + offset, bytes);
  return to;
}

function contentsOf({ memory }: System, start: number, end: number) {
  const runs: { readonly first: number; last: number }[] = [];
  for (const page of memory.touched(start, end)) {
    const run = runs.at(-1);
    if (run?.last === page - 1) run.last = page;
    else runs.push({ first: page, last: page });
  }
  return runs.map(({ first, last }) => {
    const at = first * PAGE_SIZE;
    const bytes = memory.read(at, (last + 1 - first) * PAGE_SIZE);
    // What is near is seen in place, where something else is about to be.
    return { offset: at - start, bytes: at < GUEST_END ? bytes.slice() : bytes };
  });
}

/** The region as it would be from `start` to `end`, which may lie outside it. */
function part(region: Region, start: number, end: number): Region {
  const offset = region.file === undefined ? region.offset : region.offset + start - region.start;
  return { ...region, start, end, offset };
}

const MADV_DONTNEED = 4;
const MADV_DONTNEED_LOCKED = 24;
const MADV_FREE = 8;
const MADV_REMOVE = 9;
const MADV_WIPEONFORK = 18;
const MADV_KEEPONFORK = 19;
/** MADV_NORMAL to MADV_COLLAPSE; 5 to 7 have never been any. */
const LAST_ADVICE = 25;
const NO_ADVICE: readonly number[] = [5, 6, 7];

function madvise(system: System, [address, length, adviceBits]: Args): number {
  const { start, end } = range(address, length);
  const advice = int(adviceBits);
  if (advice < 0 || advice > LAST_ADVICE || NO_ADVICE.includes(advice)) fail('EINVAL');
  if (start === end) return 0;
  if (!isInGuestSpace(start, end)) fail('ENOMEM');
  // What is mapped gets it, holes or not (mm/madvise.c).
  const isWiped = advice === MADV_WIPEONFORK;
  const isOwn = ({ shared, file }: Region) => !shared && file === undefined;
  if ((isWiped || advice === MADV_FREE) && !overlapping(system, start, end).every(isOwn)) fail('EINVAL');
  if (advice === MADV_DONTNEED || advice === MADV_DONTNEED_LOCKED) renewRegions(system, start, end);
  if (advice === MADV_REMOVE) empty(system, start, end);
  if (isWiped || advice === MADV_KEEPONFORK) wipeOnFork(system, start, end, isWiped);
  return mappedFrom(system, start, end) < end ? fail('ENOMEM') : 0;
}

/** Makes a hole in what is shared, so that others find zeros, too. */
function empty(system: System, start: number, end: number): void {
  const isShared = ({ shared, protection }: Region) => shared && (protection & WRITE) !== 0;
  if (!overlapping(system, start, end).every(isShared)) fail('EINVAL');
  for (const region of overlapping(system, start, end)) {
    const first = Math.max(start, region.start);
    system.user.writeMapped(first, new Uint8Array(Math.min(end, region.end) - first));
  }
}

const MS_ASYNC = 1;
const MS_SYNC = 4;

function msync(system: System, [address, length, flags]: Args): number {
  const { start, end } = range(address, length);
  const isBoth = (int(flags) & MS_ASYNC) !== 0 && (int(flags) & MS_SYNC) !== 0;
  if ((int(flags) & ~7) !== 0 || isBoth) fail('EINVAL');
  if (start === end) return 0;
  requireMapped(system, start, end);
  writeBackShared(system);
  return 0;
}

/** Pages that mincore tells of at once: no program has as many. */
const LONGEST_VECTOR = 0x1000_0000;

/** Everything is always in memory. */
function mincore(system: System, [address, length, vector]: Args): number {
  const { start, end } = range(address, length);
  if (start === end) return 0;
  requireMapped(system, start, end);
  system.user.requireWritable(size(vector), (end - start) / PAGE_SIZE);
  if (end - start > LONGEST_VECTOR * PAGE_SIZE) fail('ENOMEM');
  system.user.write(size(vector), new Uint8Array((end - start) / PAGE_SIZE).fill(1));
  return 0;
}

function lockMemory(system: System, [address, length]: Args): number {
  const start = size(address) - (size(address) % PAGE_SIZE);
  const end = pageUp(size(address) + size(length));
  if (start < end) requireMapped(system, start, end);
  return 0;
}

const MLOCK_ONFAULT = 1;
const MCL_ONFAULT = 4;

export const MEMORY_CALLS: readonly SyscallRow[] = [
  row(9, 'mmap', 6, mmap),
  row(10, 'mprotect', 3, mprotect),
  row(11, 'munmap', 2, munmap),
  row(12, 'brk', 1, programBreak),
  row(25, 'mremap', 5, mremap),
  row(26, 'msync', 3, msync),
  row(27, 'mincore', 3, mincore),
  row(28, 'madvise', 3, madvise),
  row(149, 'mlock', 2, lockMemory),
  row(150, 'munlock', 2, lockMemory),
  row(151, 'mlockall', 1, (_system, [flags]) => {
    // MCL_ONFAULT alone says nothing.
    const known = int(flags) > 0 && (int(flags) & ~7) === 0 && int(flags) !== MCL_ONFAULT;
    return known ? 0 : fail('EINVAL');
  }),
  row(152, 'munlockall', 0, () => 0),
  row(325, 'mlock2', 3, (system, args) =>
    (int(args[2]) & ~MLOCK_ONFAULT) !== 0 ? fail('EINVAL') : lockMemory(system, args),
  ),
];
