import { SHADOW } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { loadBytewise, pushIsBytewise, storeBytewise } from './bytewise.ts';
import { branchUnlessFast, branchUnlessInside } from './checks-in-line.ts';
import { loadPair, storePair } from './edges-in-line.ts';
import { hasEdgesInLine, loadGranules, pushGranuleOf } from './granules-in-line.ts';
import type { Access, MemoryHost } from './measure.ts';
import { loadQuietly, type QuietBound } from './quiet-pages.ts';

/** Accesses to one or two bytes, as generated code does them in line. */

/** One or two bytes. */
export function loadPart(
  host: MemoryHost,
  access: Access,
  size: 1 | 2,
  step: number,
  bound: QuietBound | undefined,
  done: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const { entry } = access;
  const apart = branchUnlessInOneGranule(host, access, size, slow);
  ifBytewise(host, access, (word) => {
    loadBytewise(f, entry, access.near, word, size, step, size === 1 ? -1 : scratch.take('v128'));
    f.br(done);
  });
  // A bytewise page is not quiet.
  if (bound !== undefined) loadQuietly(f, access.near, step, bound, done);
  pushGranuleOf(f, access);
  entry.load(f, SHADOW);
  f.set(step);
  entry.pushIsSingle(f, step);
  f.brIf(done);
  entry.pushIsUnknown(f, step);
  f.brIf(slow, 'unlikely');
  const place = scratch.take('i32');
  pushByteEntry(f, access, step);
  f.tee(place);
  entry.load(f, 0);
  f.set(step);
  if (size === 2) {
    const other = scratch.take('v128');
    f.get(place);
    entry.load(f, 1 << entry.bits);
    f.set(other);
    entry.raise(f, step, other);
  }
  f.br(done);
  if (!apart) return;
  f.end();
  const shadow = scratch.take('i32');
  pushGranuleOf(f, access);
  f.set(shadow);
  loadGranules(host, entry, shadow, 0, 2, step);
  f.brIf(done);
  loadPair(host, entry, shadow, step, slow);
  f.br(done);
}

/** One or two bytes of granules whose bytes differ already, or need not be told apart. */
export function storePart(
  host: MemoryHost,
  access: Access,
  size: 1 | 2,
  step: number,
  done: number,
  slow: number,
): void {
  const { f, scratch } = host;
  const { entry } = access;
  const granule = scratch.take('v128');
  const apart = branchUnlessInOneGranule(host, access, size, slow);
  ifBytewise(host, access, (word) => {
    storeBytewise(f, entry, access.near, word, size, step);
    f.br(done);
  });
  branchUnlessFast(f, access.near, 0, slow);
  pushGranuleOf(f, access);
  entry.load(f, SHADOW);
  f.set(granule);
  // A page with fast stores is known, so that an entry is single or mixed.
  entry.pushIsSingle(f, granule);
  if (host.pushIsIdle !== undefined && hasEdgesInLine(host)) {
    f.if();
    host.pushIsIdle();
    f.brIf(done);
    f.br(slow);
    f.end();
  } else f.brIf(slow, 'unlikely');
  const place = scratch.take('i32');
  pushByteEntry(f, access, granule);
  f.tee(place);
  f.get(step);
  entry.store(f, 0);
  if (size === 1) return;
  f.get(place);
  f.get(step);
  entry.store(f, 1 << entry.bits);
  if (!apart) return;
  f.br(done);
  f.end();
  branchUnlessFast(f, access.near, 0, slow);
  branchUnlessFast(f, access.near, 1, slow);
  const shadow = scratch.take('i32');
  pushGranuleOf(f, access);
  f.set(shadow);
  storePair(host, entry, shadow, step, slow);
}

/**
 * Where unaligned accesses are usual, pairs of bytes may lie in the middle of a granule, or in two: then it has opened a block behind
 * whose end the latter go on.
 */
function branchUnlessInOneGranule(host: MemoryHost, access: Access, size: 1 | 2, slow: number): boolean {
  const { f } = host;
  const areUsual = size === 2 && hasEdgesInLine(host);
  const apart = areUsual ? f.block() : slow;
  branchUnlessInside(f, access, areUsual ? 0 : size - 1, slow);
  if (!areUsual) return false;
  f.get(access.near);
  f.i32(3);
  f.op('i32.and');
  f.i32(3);
  f.op('i32.eq');
  f.brIf(apart);
  return true;
}

/** What is done in a bytewise page, given its word of BYTE_PAGES: where there are some. */
function ifBytewise(host: MemoryHost, { near }: Access, emit: (word: number) => void): void {
  const { f, scratch } = host;
  if (host.unalignedInLine !== 'bytewise') return;
  scratch.within(() => {
    const word = scratch.take('i32');
    pushIsBytewise(f, near, word);
    f.if();
    emit(word);
    f.end();
  });
}

/** Pushes the place of a byte's own entry, given that of its granule in a local. */
function pushByteEntry(f: FunctionBuilder, { entry, near }: Access, granule: number): void {
  entry.pushPlace(f, granule);
  f.get(near);
  f.i32(3);
  f.op('i32.and');
  f.i32(entry.bits);
  f.op('i32.shl');
  f.op('i32.add');
}
