import { FLOOR, FUEL, LAST_STEP, MAXIMUM, TAG_CLOCK } from '../../guest/layout.ts';
import type { AccessSize } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import type { HandlerMeasure, MemoryHost, Place, Reached, RecordParts } from '../steps/measure.ts';
import type { StepEntry } from '../steps/step-entry.ts';
import { loadStepOf, loadStepWhen, storeStepOf, storeStepWhen } from '../steps/step-memory.ts';
import { TAG_SHAPE } from '../steps/tag-shape.ts';
import { emitTag, raiseMaximum, type TagLog, takeInversion, takeNumber } from './tag-code.ts';

export function pushFrom(f: FunctionBuilder, { from }: Place): void {
  if (from === undefined) f.i32(0);
  else f.get(from);
}

const FLOOR_PLACE: Place = { from: undefined, offset: FLOOR, isRaised: true };

/**
 * As translate/measures/lanes.ts, one instruction at a time. While code is interpreted, MAXIMUM is never below the step of any
 * location: whoever enters the interpreter makes it so.
 */
export class HandlerLanes implements HandlerMeasure {
  private readonly host: MemoryHost;
  private readonly shape: LaneShape;
  private readonly entry: StepEntry;
  private readonly loads: number[] = [];
  private cycle = 0;

  constructor(host: MemoryHost, shape: LaneShape, entry: StepEntry) {
    this.host = host;
    this.shape = shape;
    this.entry = entry;
  }

  load(address: number, size: AccessSize): number {
    const step = this.host.scratch.take('v128');
    this.loads.push(step);
    return loadStepOf(this.host, this.entry, address, size, step);
  }

  loadWhen(when: number, address: number, size: AccessSize, read: Reached): void {
    const step = this.host.scratch.take('v128');
    this.loads.push(step);
    loadStepWhen(this.host, this.entry, when, address, size, step, read);
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

  store(address: number, size: AccessSize): number {
    return storeStepOf(this.host, this.entry, address, size, this.cycle);
  }

  storeWhen(when: number, address: number, size: AccessSize, write: Reached): void {
    storeStepWhen(this.host, this.entry, when, address, size, this.cycle, write);
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

  noteLast(): void {
    const { f } = this.host;
    f.i32(0);
    f.get(this.cycle);
    f.memory('v128.store', LAST_STEP);
  }
}

/** As translate/measures/tags.ts, one instruction at a time. */
export class HandlerTags implements HandlerMeasure {
  private readonly host: MemoryHost;
  private readonly record: RecordParts;
  private readonly entry: StepEntry;
  private readonly log: TagLog;
  private readonly loads: number[] = [];
  private tag = 0;

  constructor(host: MemoryHost, record: RecordParts, entry: StepEntry, log: TagLog) {
    this.host = host;
    this.record = record;
    this.entry = entry;
    this.log = log;
  }

  load(address: number, size: AccessSize): number {
    const tag = this.host.scratch.take('v128');
    this.loads.push(tag);
    return loadStepOf(this.host, this.entry, address, size, tag);
  }

  loadWhen(when: number, address: number, size: AccessSize, read: Reached): void {
    const tag = this.host.scratch.take('v128');
    this.loads.push(tag);
    loadStepWhen(this.host, this.entry, when, address, size, tag, read);
  }

  settle(sources: readonly Place[]): void {
    const { f, scratch } = this.host;
    const producer = scratch.take('v128');
    const number = { unit: scratch.take('v128'), entry: scratch.take('i32'), index: 1 };
    this.tag = scratch.take('v128');
    this.entry.pushOrigin(f);
    for (const place of sources) {
      pushFrom(f, place);
      f.memory('v128.load', place.offset);
      f.op(TAG_SHAPE.max);
    }
    for (const tag of this.loads) {
      f.get(tag);
      f.op(TAG_SHAPE.max);
    }
    f.set(producer);
    // The whole block is off the fuel already.
    f.i32(0);
    f.memory('i64.load', TAG_CLOCK);
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.op('i64.sub');
    this.record.pushFollowing();
    f.op('i64.extend_i32_u');
    f.op('i64.sub');
    // The number of the instruction before this one.
    f.i64(1n);
    f.op('i64.sub');
    takeNumber(f, number, this.log);
    emitTag(f, { producer, tag: this.tag }, number, this.log, () => this.record.pushAddress());
  }

  store(address: number, size: AccessSize): number {
    return storeStepOf(this.host, this.entry, address, size, this.tag);
  }

  storeWhen(when: number, address: number, size: AccessSize, write: Reached): void {
    storeStepWhen(this.host, this.entry, when, address, size, this.tag, write);
  }

  finish(destinations: readonly Place[]): void {
    const { f, scratch } = this.host;
    for (const place of destinations) {
      pushFrom(f, place);
      f.get(this.tag);
      f.memory('v128.store', place.offset);
    }
    const maximum = scratch.take('v128');
    f.i32(0);
    f.memory('v128.load', MAXIMUM);
    f.set(maximum);
    const inversion = scratch.take('v128');
    takeInversion(f, inversion);
    raiseMaximum(f, maximum, this.tag, inversion);
    f.i32(0);
    f.get(maximum);
    f.memory('v128.store', MAXIMUM);
  }

  noteLast(): void {
    const { f } = this.host;
    f.i32(0);
    f.get(this.tag);
    f.memory('v128.store', LAST_STEP);
  }
}
