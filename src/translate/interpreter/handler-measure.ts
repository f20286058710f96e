import { FLOOR, FUEL, MAXIMUM, stepOffset, TAG_CLOCK, TAG_LOG } from '../../guest/layout.ts';
import type { AccessSize } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { LOCATIONS } from '../../x86/state.ts';
import type { LaneShape } from '../lane-shape.ts';
import { loadLanes, loadSlowly, storeLanes, storeSlowly } from '../lanes-memory.ts';
import type { HandlerMeasure, MemoryHost, Place, RecordParts } from '../measure.ts';

export function pushFrom(f: FunctionBuilder, { from }: Place): void {
  if (from === undefined) f.i32(0);
  else f.get(from);
}

const FLOOR_PLACE: Place = { from: undefined, offset: FLOOR, isRaised: true };

/** Brings the steps of all locations into MAXIMUM, which `HandlerLanes` relies on. */
export function emitRaiseMaximum(f: FunctionBuilder, shape: LaneShape): void {
  f.i32(0);
  f.i32(0);
  f.memory('v128.load', MAXIMUM);
  for (let location = 0; location < LOCATIONS; location++) {
    f.i32(0);
    f.memory('v128.load', stepOffset(location));
    f.op(shape.max);
  }
  f.memory('v128.store', MAXIMUM);
}

/**
 * As translate/lanes.ts, one instruction at a time. While code is interpreted, MAXIMUM is never below the step of any
 * location: whoever enters the interpreter makes it so.
 */
export class HandlerLanes implements HandlerMeasure {
  private readonly host: MemoryHost;
  private readonly shape: LaneShape;
  private readonly isInLine: boolean;
  private readonly loads: number[] = [];
  private cycle = 0;

  constructor(host: MemoryHost, shape: LaneShape, isInLine: boolean) {
    this.isInLine = isInLine;
    this.host = host;
    this.shape = shape;
  }

  load(address: number, size: AccessSize): void {
    const step = this.host.scratch.take('v128');
    this.loads.push(step);
    if (this.isInLine) loadLanes(this.host, this.shape, address, size, step);
    else loadSlowly(this.host, address, size, step);
  }

  settle(sources: readonly Place[]): void {
    const { f, scratch } = this.host;
    const { shape } = this;
    // One source is above the floor for sure, or the floor is one.
    const places = sources.some(({ isRaised }) => isRaised) ? sources : [FLOOR_PLACE, ...sources];
    places.forEach((place, i) => {
      pushFrom(f, place);
      f.memory('v128.load', place.offset);
      if (i > 0) f.op(shape.max);
    });
    for (const step of this.loads) {
      f.get(step);
      f.op(shape.max);
    }
    shape.pushOffset(f, 1);
    f.op(shape.add);
    this.cycle = scratch.take('v128');
    f.set(this.cycle);
  }

  store(address: number, size: AccessSize): void {
    if (this.isInLine) storeLanes(this.host, address, size, this.cycle);
    else storeSlowly(this.host, address, size, this.cycle);
  }

  finish(destinations: readonly Place[]): void {
    const { f } = this.host;
    for (const place of destinations) {
      pushFrom(f, place);
      f.get(this.cycle);
      f.memory('v128.store', place.offset);
    }
    f.i32(0);
    f.i32(0);
    f.memory('v128.load', MAXIMUM);
    f.get(this.cycle);
    f.op(this.shape.max);
    f.memory('v128.store', MAXIMUM);
  }
}

/** As translate/tags.ts, one instruction at a time. */
export class HandlerTags implements HandlerMeasure {
  private readonly host: MemoryHost;
  private readonly record: RecordParts;
  private readonly logEntries: number;
  private readonly loads: number[] = [];
  private tag = 0;

  constructor(host: MemoryHost, record: RecordParts, logEntries: number) {
    this.host = host;
    this.record = record;
    this.logEntries = logEntries;
  }

  load(address: number, size: AccessSize): void {
    const { f, scratch, functions } = this.host;
    const tag = scratch.take('i64');
    f.get(address);
    f.i32(size);
    f.call(functions.loadStep);
    f.set(tag);
    this.loads.push(tag);
  }

  settle(sources: readonly Place[]): void {
    const { f, scratch } = this.host;
    const producer = scratch.take('i64');
    const other = scratch.take('i64');
    const number = scratch.take('i64');
    this.tag = scratch.take('i64');
    f.i64(0n);
    f.set(producer);
    for (const place of sources) {
      pushFrom(f, place);
      f.memory('i64.load', place.offset);
      f.set(other);
      keepLarger(f, producer, other);
    }
    for (const tag of this.loads) keepLarger(f, producer, tag);
    // The whole block is off the fuel already.
    f.i32(0);
    f.memory('i64.load', TAG_CLOCK);
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.op('i64.sub');
    this.record.pushFollowing();
    f.op('i64.extend_i32_u');
    f.op('i64.sub');
    f.i64(0xffff_ffffn);
    f.op('i64.and');
    f.set(number);
    f.get(producer);
    f.i64(-0x1_0000_0000n);
    f.op('i64.and');
    f.i64(0x1_0000_0000n);
    f.op('i64.add');
    f.get(number);
    f.op('i64.or');
    f.set(this.tag);
    f.get(number);
    f.op('i32.wrap_i64');
    f.i32(this.logEntries - 1);
    f.op('i32.and');
    f.i32(3);
    f.op('i32.shl');
    f.get(producer);
    f.i64(0xffff_ffffn);
    f.op('i64.and');
    this.record.pushAddress();
    f.op('i64.extend_i32_u');
    f.i64(32n);
    f.op('i64.shl');
    f.op('i64.or');
    f.memory('i64.store', TAG_LOG);
  }

  store(address: number, size: AccessSize): void {
    const { f, functions } = this.host;
    f.get(address);
    f.i32(size);
    f.get(this.tag);
    f.call(functions.storeStep);
  }

  finish(destinations: readonly Place[]): void {
    const { f, scratch } = this.host;
    for (const place of destinations) {
      pushFrom(f, place);
      f.get(this.tag);
      f.memory('i64.store', place.offset);
    }
    const seen = scratch.take('i64');
    const maximum = scratch.take('i64');
    f.get(this.tag);
    f.i64(0xffff_ffffn);
    f.op('i64.xor');
    f.set(seen);
    f.i32(0);
    f.memory('i64.load', MAXIMUM);
    f.set(maximum);
    keepLarger(f, maximum, seen);
    f.i32(0);
    f.get(maximum);
    f.memory('i64.store', MAXIMUM);
  }
}

function keepLarger(f: FunctionBuilder, kept: number, other: number): void {
  f.get(kept);
  f.get(other);
  f.get(kept);
  f.get(other);
  f.op('i64.gt_u');
  f.op('select');
  f.set(kept);
}
