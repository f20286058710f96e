import { FAST_STORE } from '../../guest/memory.ts';
import type { AccessSize } from '../../ir/node.ts';
import type { AccessGroup, GroupCheck, GroupedAddress } from './access-groups.ts';
import { PAGE_BITS } from './check-range.ts';
import { pushIsFast, pushIsInside, pushPermissions } from './checks-in-line.ts';
import { storeEdges } from './edges-in-line.ts';
import { hasEdgesInLine, storeGranules } from './granules-in-line.ts';
import type { Address, Measure, MemoryHost } from './measure.ts';
import { pushIsAbove, type QuietBound } from './quiet-pages.ts';
import type { StepEntry } from './step-entry.ts';
import { loadOdd, loadStepOf, loadUnaligned, loadWhole, storeStepOf } from './step-memory.ts';

/** `loadStepOf` and `storeStepOf` of an access that may be one of a group. */
export function loadStepAt(
  host: MemoryHost,
  entry: StepEntry,
  address: Address,
  size: AccessSize,
  step: number,
  bound?: QuietBound,
): number {
  return typeof address === 'number'
    ? loadStepOf(host, entry, address, size, step, bound)
    : loadGroupedStep(host, entry, address, size as GroupedSize, step, bound);
}

export function storeStepAt(
  host: MemoryHost,
  entry: StepEntry,
  address: Address,
  size: AccessSize,
  step: number,
): number {
  return typeof address === 'number'
    ? storeStepOf(host, entry, address, size, step)
    : storeGroupedStep(host, entry, address, size as GroupedSize, step);
}

type GroupedSize = Exclude<AccessSize, 1 | 2>;

/** Emits the check of a group whose base is in an i64 local. */
export function checkGroup(
  host: MemoryHost,
  { entry: { end, bits }, asksHere }: Pick<Measure, 'entry' | 'asksHere'>,
  group: AccessGroup,
  base: number,
): GroupCheck {
  const { f, scratch } = host;
  const { low, high, stores } = group;
  const isAnyAlignment = !group.isInFrame && hasEdgesInLine(host);
  const near = scratch.take('i32');
  const shadow = scratch.take('i32');
  const isChecked = scratch.take('i32');
  f.get(base);
  f.op('i32.wrap_i64');
  if (low !== 0) {
    f.i32(low);
    f.op('i32.add');
  }
  f.tee(near);
  if (isAnyAlignment) {
    f.i32(~3);
    f.op('i32.and');
  }
  f.i32(bits - 2);
  f.op('i32.shl');
  f.set(shadow);
  const odd = isAnyAlignment ? scratch.take('i32') : undefined;
  if (odd !== undefined) {
    f.get(near);
    f.i32(3);
    f.op('i32.and');
    f.set(odd);
  }
  f.get(base);
  if (low !== 0) {
    f.i64(BigInt(low));
    f.op('i64.add');
  }
  // Where the group reaches beyond the end, the tables are empty.
  pushIsInside(f, isAnyAlignment ? 0 : 2, end);
  if (stores !== undefined) {
    f.i32(Math.log2(FAST_STORE));
    f.op('i32.shl');
    pushPermissions(f, near, stores.low - low);
    f.op('i32.and');
    pushPermissions(f, near, stores.high - 1 - low);
    f.op('i32.and');
  }
  f.set(isChecked);
  if (stores !== undefined || !asksHere)
    return { group, base, near, shadow, isChecked, odd, isNeverQuiet: undefined };
  const isNeverQuiet = scratch.take('i32');
  pushIsFast(f, near, 0);
  f.get(near);
  f.get(near);
  f.i32(high - low - 1);
  f.op('i32.add');
  f.op('i32.xor');
  f.i32(PAGE_BITS);
  f.op('i32.shr_u');
  f.op('i32.or');
  f.set(isNeverQuiet);
  return { group, base, near, shadow, isChecked, odd, isNeverQuiet };
}

function loadGroupedStep(
  host: MemoryHost,
  entry: StepEntry,
  { check, distance }: GroupedAddress,
  size: GroupedSize,
  step: number,
  bound: QuietBound | undefined,
): number {
  const { f, scratch, functions } = host;
  const { near, shadow, isChecked, odd, isNeverQuiet, group } = check;
  const done = f.block();
  const slow = f.block();
  const isGeneral = !group.isInFrame && host.unalignedInLine !== 'none';
  const general = isGeneral ? f.block() : slow;
  f.get(isChecked);
  f.op('i32.eqz');
  f.brIf(odd === undefined ? general : slow, 'unlikely');
  if (bound !== undefined && isNeverQuiet !== undefined) {
    const ask = f.block();
    f.get(isNeverQuiet);
    f.brIf(ask);
    pushIsAbove(f, () => pushPlace(host, check, distance), bound);
    f.brIf(ask);
    bound.pushOne();
    f.set(step);
    f.br(done);
    f.end();
  }
  if (odd !== undefined) {
    f.get(odd);
    f.brIf(general);
  }
  loadWhole(host, entry, shadow, distance, size, step, done, slow);
  if (isGeneral) {
    f.br(slow);
    f.end();
  }
  if (odd !== undefined) loadOdd(host, { entry, near }, size, shadow, distance, step, done, slow);
  else if (isGeneral) {
    const address = scratch.take('i64');
    pushAddress(host, check, distance);
    f.set(address);
    const place = scratch.take('i32');
    f.get(address);
    f.op('i32.wrap_i64');
    f.tee(place);
    f.i32(3);
    f.op('i32.and');
    f.op('i32.eqz');
    // Aligned, but in a page whose stores are not fast: the granule behind is not accessed.
    f.brIf(slow);
    loadUnaligned(host, { entry, address, near: place }, size, step, bound, done, slow);
  }
  f.end();
  pushAddress(host, check, distance);
  f.i32(size);
  f.call(functions.loadStep);
  f.set(step);
  f.end();
  return near;
}

function storeGroupedStep(
  host: MemoryHost,
  entry: StepEntry,
  { check, distance }: GroupedAddress,
  size: GroupedSize,
  step: number,
): number {
  const { f, functions } = host;
  const { near, shadow, isChecked, odd } = check;
  const slowly = () => {
    pushAddress(host, check, distance);
    f.i32(size);
    f.get(step);
    f.call(functions.storeStep);
  };
  if (odd === undefined) {
    f.get(isChecked);
    f.if(undefined, 'likely');
    storeGranules(host, entry, shadow, distance, size / 4, step);
    f.else();
    slowly();
    f.end();
    return near;
  }
  const done = f.block();
  const slow = f.block();
  f.get(isChecked);
  f.op('i32.eqz');
  f.brIf(slow, 'unlikely');
  f.get(odd);
  f.if();
  storeEdges(host, { entry, near }, size, shadow, distance, step, slow);
  f.else();
  storeGranules(host, entry, shadow, distance, size / 4, step);
  f.end();
  f.br(done);
  f.end();
  slowly();
  f.end();
  return near;
}

function pushAddress({ f }: MemoryHost, { base, group }: GroupCheck, distance: number): void {
  f.get(base);
  f.i64(BigInt(group.low + distance));
  f.op('i64.add');
}

function pushPlace({ f }: MemoryHost, { near }: GroupCheck, distance: number): void {
  f.get(near);
  f.i32(distance);
  f.op('i32.add');
}
