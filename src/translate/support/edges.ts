import {
  AT_REST,
  BYTE_PAGES,
  BYTE_SPLITS,
  BYTEWISE,
  NEAR,
  PAGE_SIZE,
  PERMISSIONS,
  QUIET_PAGES,
  SHADOW,
  UNALIGNED,
} from '../../guest/layout.ts';
import { FAST_STORE } from '../../guest/memory.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { pushIsIdle } from '../contexts/idle.ts';
import { pushIsBytewise, storeBytewise } from '../steps/bytewise.ts';
import { PAGE_BITS } from '../steps/check-range.ts';
import type { StepEntry } from '../steps/step-entry.ts';
import { splitGranule } from './byte-cells.ts';
import { type BytewiseLimits, defineWantBytewise } from './byte-pages.ts';

/**
 * Short ways through support/memory.ts for accesses that are not aligned, and for single bytes that begin to differ: pages that
 * are known, and granules of which the first and the last may be covered in part. The bytes of an edge are visited by places
 * that may coincide (the first, the last, and those in the middle, rounded both ways), so that there is no loop and no branch
 * for how many they are. What is rare goes to the general form by a tail call, so that nothing is spilled here.
 *
 * Copies of unaligned words, of 4 and 8 bytes: 450 -> 310 host instructions for each.
 */

/** Accesses of at most so many bytes: they lie in two pages at most. */
const LONGEST = 64;

/** loadStep(address i64, size i32) -> step, where `general` is the same for all cases. */
export function defineShortLoad(module: ModuleBuilder, general: number, entry: StepEntry): number {
  const f = new FunctionBuilder({ params: ['i64', 'i32'], results: ['v128'] });
  const edges = new Edges(f, entry);
  const { near, last, granule, end, found } = edges;
  const step = f.local('v128');
  const byte = f.local('v128');
  const place = f.local('i32');
  const rare = f.block();
  edges.start(rare);
  f.i32(0);
  f.get(near);
  f.memory('i32.store', NEAR);
  /** Raises the step to those of the bytes of the granule from one place (a multiple of an entry's size) to another. */
  const raise = (from: () => void, to: () => void) => {
    edges.pushGranule();
    entry.load(f, SHADOW);
    f.set(found);
    entry.pushIsSingle(f, found);
    f.if();
    entry.raise(f, step, found);
    f.else();
    entry.pushIsUnknown(f, found);
    f.brIf(rare, 'unlikely');
    entry.pushPlace(f, found);
    f.set(place);
    const at = (push: () => void) => {
      f.get(place);
      push();
      f.i32(entry.bits);
      f.op('i32.shl');
      f.op('i32.add');
      entry.load(f, 0);
      f.set(byte);
      entry.raise(f, step, byte);
    };
    at(from);
    at(() => half(f, from, to, 0));
    at(() => half(f, from, to, 1));
    at(to);
    f.end();
  };
  const first = () => lowBits(f, near);
  const final = () => lowBits(f, last);
  const none = () => f.i32(0);
  const three = () => f.i32(3);
  entry.pushOrigin(f);
  f.set(step);
  edges.pushIsOne();
  f.if();
  raise(first, final);
  f.get(step);
  f.return();
  f.end();
  edges.count();
  raise(first, three);
  edges.eachBetween(() => raise(none, three));
  f.get(end);
  f.set(granule);
  raise(none, final);
  f.get(step);
  f.return();
  f.end();
  f.get(0);
  f.get(1);
  f.returnCall(general);
  return module.define(f);
}

export interface ShortStoreOptions {
  /** Where nothing is measured, bytes do not begin to differ (contexts/idle.ts). */
  readonly asksIdle: boolean;
  /** When pages become bytewise (byte-pages.ts); undefined where they do not. */
  readonly bytewise: BytewiseLimits | undefined;
}

/** storeStep(address i64, size i32, step), where `general` is the same for all cases. */
export function defineShortStore(
  module: ModuleBuilder,
  general: number,
  entry: StepEntry,
  { asksIdle, bytewise }: ShortStoreOptions,
): number {
  const wantBytewise = bytewise === undefined ? -1 : defineWantBytewise(module, bytewise);
  const f = new FunctionBuilder({ params: ['i64', 'i32', 'v128'], results: [] });
  const step = 2;
  const edges = new Edges(f, entry);
  const { near, last, granule, end, found } = edges;
  const place = f.local('i32');
  const rare = f.block();
  edges.start(rare);
  for (const byte of [near, last]) {
    f.get(byte);
    f.i32(PAGE_BITS);
    f.op('i32.shr_u');
    f.memory('i32.load8_u', PERMISSIONS);
  }
  f.op('i32.and');
  f.i32(FAST_STORE);
  f.op('i32.and');
  f.op('i32.eqz');
  if (wantBytewise >= 0) {
    f.if();
    edges.storeBytewise(place, step);
    f.br(rare);
    f.end();
  } else f.brIf(rare, 'unlikely');
  f.i32(0);
  f.get(near);
  f.memory('i32.store', NEAR);
  const whole = () => {
    edges.pushGranule();
    f.get(step);
    entry.store(f, SHADOW);
  };
  /** Gives the step to three bytes at most of the granule, or fewer where the places coincide. */
  const part = (from: () => void, to: () => void) => {
    const apart = f.block();
    edges.pushGranule();
    entry.load(f, SHADOW);
    f.set(found);
    // A page with fast stores is known, so that an entry is single or mixed.
    entry.pushIsSingle(f, found);
    f.if();
    if (asksIdle) {
      pushIsIdle(f);
      f.if();
      // So that it is asked in line from some time on.
      edges.count();
      f.br(apart);
      f.end();
    }
    splitGranule(f, entry, { granule, found, place }, () => f.br(rare));
    f.else();
    entry.pushPlace(f, found);
    f.set(place);
    f.end();
    for (const push of [from, () => half(f, from, to, 1), to]) {
      f.get(place);
      push();
      f.i32(entry.bits);
      f.op('i32.shl');
      f.op('i32.add');
      f.get(step);
      entry.store(f, 0);
    }
    f.end();
  };
  const first = () => lowBits(f, near);
  const final = () => lowBits(f, last);
  edges.pushIsOne();
  f.if();
  f.get(1);
  f.i32(4);
  f.op('i32.eq');
  f.if();
  whole();
  f.return();
  f.end();
  part(first, final);
  if (wantBytewise >= 0) edges.wantBytewise(bytewise!.splitGranules, wantBytewise, place);
  f.return();
  f.end();
  edges.count();
  first();
  f.if();
  part(first, () => f.i32(3));
  f.else();
  whole();
  f.end();
  edges.eachBetween(whole);
  f.get(end);
  f.set(granule);
  final();
  f.i32(3);
  f.op('i32.eq');
  f.if();
  whole();
  f.else();
  part(() => f.i32(0), final);
  f.end();
  f.return();
  f.end();
  f.get(0);
  f.get(1);
  f.get(step);
  f.returnCall(general);
  return module.define(f);
}

/** Locals of an access of `size` bytes: the first and last byte, the granule at hand, the last granule, its entry. */
class Edges {
  readonly near: number;
  readonly last: number;
  readonly granule: number;
  readonly end: number;
  readonly found: number;
  private readonly f: FunctionBuilder;
  private readonly entry: StepEntry;

  constructor(f: FunctionBuilder, entry: StepEntry) {
    this.f = f;
    this.entry = entry;
    this.near = f.local('i32');
    this.last = f.local('i32');
    this.granule = f.local('i32');
    this.end = f.local('i32');
    this.found = f.local('v128');
  }

  /** Sets them; leaves to `rare` what may not have shadow memory. */
  start(rare: number): void {
    const { f, entry } = this;
    const [address, size] = [0, 1];
    f.get(address);
    f.i64(BigInt(entry.end - LONGEST));
    f.op('i64.ge_u');
    // None at all is rare, too.
    f.get(size);
    f.i32(1);
    f.op('i32.sub');
    f.i32(LONGEST);
    f.op('i32.ge_u');
    f.op('i32.or');
    f.brIf(rare, 'unlikely');
    f.get(address);
    f.op('i32.wrap_i64');
    f.tee(this.near);
    f.get(size);
    f.op('i32.add');
    f.i32(1);
    f.op('i32.sub');
    f.tee(this.last);
    f.i32(~3);
    f.op('i32.and');
    f.set(this.end);
    f.get(this.near);
    f.i32(~3);
    f.op('i32.and');
    f.set(this.granule);
  }

  /** For who may do the same in line: 1 for each 8 bytes. */
  count(): void {
    const { f } = this;
    const size = 1;
    f.i32(0);
    f.i32(0);
    f.memory('i32.load', UNALIGNED);
    f.get(size);
    f.i32(7);
    f.op('i32.add');
    f.i32(3);
    f.op('i32.shr_u');
    f.op('i32.add');
    f.memory('i32.store', UNALIGNED);
  }

  /** Pushes whether all bytes are in one granule. */
  pushIsOne(): void {
    const { f } = this;
    f.get(this.granule);
    f.get(this.end);
    f.op('i32.eq');
  }

  pushGranule(): void {
    const { f } = this;
    f.get(this.granule);
    f.i32(this.entry.bits - 2);
    f.op('i32.shl');
  }

  /** One or two bytes of a bytewise page: gives them the step and returns. */
  storeBytewise(word: number, step: number): void {
    const { f, entry, near, last } = this;
    const size = 1;
    this.wake(word);
    pushIsBytewise(f, near, word);
    f.get(size);
    f.i32(2);
    f.op('i32.le_u');
    f.op('i32.and');
    f.get(near);
    f.get(last);
    f.op('i32.xor');
    f.i32(PAGE_SIZE);
    f.op('i32.lt_u');
    f.op('i32.and');
    f.if();
    f.i32(0);
    f.get(near);
    f.memory('i32.store', NEAR);
    // Each waits for memory, and costs as much as two others.
    this.count();
    this.count();
    f.get(size);
    f.i32(1);
    f.op('i32.eq');
    f.if();
    storeBytewise(f, entry, near, word, 1, step);
    f.else();
    storeBytewise(f, entry, near, word, 2, step);
    f.end();
    f.return();
    f.end();
  }

  /** A page that was bytewise before it was laid to rest is so again, and quiet no more. */
  private wake(word: number): void {
    const { f, near } = this;
    const pushPage = (bits: number) => {
      f.get(near);
      f.i32(PAGE_BITS);
      f.op('i32.shr_u');
      f.i32(bits);
      f.op('i32.shl');
    };
    pushPage(2);
    f.memory('i32.load', BYTE_PAGES);
    f.tee(word);
    f.i32(AT_REST);
    f.op('i32.and');
    f.if(undefined, 'unlikely');
    pushPage(2);
    f.get(word);
    f.i32(AT_REST | BYTEWISE);
    f.op('i32.xor');
    f.memory('i32.store', BYTE_PAGES);
    pushPage(4);
    f.i32(0);
    f.op('i32x4.splat');
    f.memory('v128.store', QUIET_PAGES);
    f.end();
  }

  /** If so many granules of the page have come to have steps of their bytes. */
  wantBytewise(granules: number, want: number, page: number): void {
    const { f } = this;
    f.get(this.near);
    f.i32(PAGE_BITS);
    f.op('i32.shr_u');
    f.tee(page);
    f.i32(2);
    f.op('i32.shl');
    f.memory('i32.load', BYTE_SPLITS);
    f.i32(granules);
    f.op('i32.ge_s');
    f.if(undefined, 'unlikely');
    f.get(page);
    f.call(want);
    f.end();
  }

  /** Goes through the granules between the first and the last. */
  eachBetween(visit: () => void): void {
    const { f } = this;
    const done = f.block();
    const next = f.loop();
    f.get(this.granule);
    f.i32(4);
    f.op('i32.add');
    f.tee(this.granule);
    f.get(this.end);
    f.op('i32.eq');
    f.brIf(done);
    visit();
    f.br(next);
    f.end();
    f.end();
  }
}

function lowBits(f: FunctionBuilder, local: number): void {
  f.get(local);
  f.i32(3);
  f.op('i32.and');
}

/** Pushes the middle of two numbers, rounded down or up. */
function half(f: FunctionBuilder, from: () => void, to: () => void, up: 0 | 1): void {
  from();
  to();
  f.op('i32.add');
  if (up === 1) {
    f.i32(1);
    f.op('i32.add');
  }
  f.i32(1);
  f.op('i32.shr_u');
}
