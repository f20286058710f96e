import { valueOffset } from '../../guest/layout.ts';
import type { AccessSize } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { RSP } from '../../x86/state.ts';
import type { CodePlaces } from '../code-places.ts';
import type { HandlerMeasure, Place, Reached } from '../steps/measure.ts';

/** One entry of the log: a block that begins, or bytes that an instruction reads or writes. */
export interface LogEntry {
  kind: 'block' | 'load' | 'store';
  /** Of the block, or of the instruction. */
  address: number;
  /** rsp where the block begins, or the first of the bytes. */
  place: number;
  /** Bytes, or instructions of the block. */
  size: number;
}

const KINDS = ['block', 'load', 'store'] as const;
const ENTRY = 16;
/** Entries between two drains at most: slices are a small part of it. */
const ENTRIES = 1 << 16;

/**
 * What interpreted code did, a ring in memory. An entry: place of the code (4 bytes), kind and size (4), place (8). Code that logs
 * is a second translation, so that all other code does without.
 */
export class TraceLog {
  private readonly view: DataView;
  private readonly places: CodePlaces;
  /** Where the offset of the next entry is, and the entries. */
  private readonly next: number;
  private readonly at: number;

  /** `takeCells` gives places of 8 bytes each. */
  constructor(memory: ArrayBuffer, takeCells: (count: number) => number, places: CodePlaces) {
    this.places = places;
    this.view = new DataView(memory);
    this.next = takeCells(1);
    this.at = takeCells((ENTRIES * ENTRY) / 8);
  }

  private emit(
    f: FunctionBuilder,
    pushKind: () => void,
    pushAddress: () => void,
    pushPlace: () => void,
  ): void {
    const place = f.local('i32');
    f.i32(0);
    f.memory('i32.load', this.next);
    f.tee(place);
    pushAddress();
    f.memory('i32.store', this.at);
    f.get(place);
    pushKind();
    f.memory('i32.store', this.at + 4);
    f.get(place);
    pushPlace();
    f.memory('i64.store', this.at + 8);
    f.i32(0);
    f.get(place);
    f.i32(ENTRY);
    f.op('i32.add');
    f.i32(ENTRIES * ENTRY - 1);
    f.op('i32.and');
    f.memory('i32.store', this.next);
  }

  emitBlock(f: FunctionBuilder, pushAddress: () => void, pushInstructions: () => void): void {
    const pushKind = () => {
      pushInstructions();
      f.i32(2);
      f.op('i32.shl');
    };
    this.emit(f, pushKind, pushAddress, () => {
      f.i32(0);
      f.memory('i64.load', valueOffset(RSP));
    });
  }

  emitAccess(
    f: FunctionBuilder,
    kind: 'load' | 'store',
    size: number,
    pushAddress: () => void,
    pushPlace: () => void,
  ): void {
    this.emit(f, () => f.i32(KINDS.indexOf(kind) + 4 * size), pushAddress, pushPlace);
  }

  /** By a service, which runs outside of generated code. */
  addAccess(kind: 'load' | 'store', size: number, address: number, place: number): void {
    const { view } = this;
    const next = view.getInt32(this.next, true);
    view.setInt32(this.at + next, this.places.of(address), true);
    view.setUint32(this.at + next + 4, KINDS.indexOf(kind) + 4 * size, true);
    view.setBigInt64(this.at + next + 8, BigInt(place), true);
    view.setInt32(this.next, (next + ENTRY) & (ENTRIES * ENTRY - 1), true);
  }

  /** Hands over all entries since the last time. The object is the same each time. */
  drain(hear: (entry: LogEntry) => void): void {
    const { view } = this;
    const end = view.getInt32(this.next, true);
    const entry: LogEntry = { kind: 'block', address: 0, place: 0, size: 0 };
    for (let at = 0; at < end; at += ENTRY) {
      const word = view.getUint32(this.at + at + 4, true);
      entry.kind = KINDS[word & 3];
      entry.size = word >>> 2;
      entry.address = this.places.addressOf(view.getInt32(this.at + at, true));
      entry.place = Number(view.getBigUint64(this.at + at + 8, true));
      hear(entry);
    }
    view.setInt32(this.next, 0, true);
  }
}

/** The measurement of one instruction that logs what it accesses. */
export class LoggedHandler implements HandlerMeasure {
  private readonly measure: HandlerMeasure;
  private readonly log: TraceLog;
  private readonly f: FunctionBuilder;
  private readonly pushAddress: () => void;

  constructor(measure: HandlerMeasure, log: TraceLog, f: FunctionBuilder, pushAddress: () => void) {
    this.measure = measure;
    this.log = log;
    this.f = f;
    this.pushAddress = pushAddress;
  }

  load(address: number, size: AccessSize): number {
    this.log.emitAccess(this.f, 'load', size, this.pushAddress, () => this.f.get(address));
    return this.measure.load(address, size);
  }

  loadWhen(when: number, address: number, size: AccessSize, read: Reached): void {
    this.measure.loadWhen(when, address, size, (near) => {
      this.log.emitAccess(this.f, 'load', size, this.pushAddress, () => this.f.get(address));
      read(near);
    });
  }

  storeWhen(when: number, address: number, size: AccessSize, write: Reached): void {
    this.measure.storeWhen(when, address, size, (near) => {
      this.log.emitAccess(this.f, 'store', size, this.pushAddress, () => this.f.get(address));
      write(near);
    });
  }

  settle(sources: readonly Place[]): void {
    this.measure.settle(sources);
  }

  store(address: number, size: AccessSize): number {
    this.log.emitAccess(this.f, 'store', size, this.pushAddress, () => this.f.get(address));
    return this.measure.store(address, size);
  }

  finish(destinations: readonly Place[]): void {
    this.measure.finish(destinations);
  }

  noteLast(): void {
    this.measure.noteLast();
  }
}
