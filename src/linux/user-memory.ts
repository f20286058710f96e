import { cString } from '../guest/c-string.ts';
import { FAR_END } from '../guest/far-memory.ts';
import type { GuestMemory } from '../guest/memory.ts';
import { READ, WRITE } from '../guest/memory.ts';
import { fromBytes } from './bytes.ts';
import { fail } from './errno.ts';

export interface Range {
  readonly address: number;
  readonly length: number;
}

const PATH_MAX = 4096;

interface NumbersInBytes {
  readonly view: DataView;
  /** Of the first one, and of its first half. */
  readonly bytes: Uint8Array;
  readonly half: Uint8Array;
  readonly both: Uint8Array;
}

const twoNumbers = (both: Uint8Array<ArrayBuffer>): NumbersInBytes => ({
  view: new DataView(both.buffer),
  bytes: both.subarray(0, 8),
  half: both.subarray(0, 4),
  both,
});

/** Guest memory as a system call sees it: each access is checked (EFAULT), each write is noted for rule 8. */
export class UserMemory {
  private readonly memory: GuestMemory;
  private written: Range[] = [];
  /** Numbers on their way: an array of its own takes ten times as long as all else that is done with one. */
  private readonly number = twoNumbers(new Uint8Array(16));

  constructor(memory: GuestMemory) {
    this.memory = memory;
  }

  /** What was written since the last call of this. */
  takeWritten(): readonly Range[] {
    const ranges = this.written;
    this.written = [];
    return ranges;
  }

  /** A view: copy it before guest memory changes. */
  read(address: number, length: number): Uint8Array {
    this.require(address, length, READ);
    return this.memory.read(address, length);
  }

  /** So that a call can refuse before it does anything. */
  requireWritable(address: number, length: number): void {
    this.require(address, length, WRITE);
  }

  isReadable(address: number, length: number): boolean {
    return this.allows(address, length, READ);
  }

  isWritable(address: number, length: number): boolean {
    return this.allows(address, length, WRITE);
  }

  /** Sums of numbers from 2^53 on are not exact, so that a range may seem empty: the bound comes first. */
  private require(address: number, length: number, permission: number): void {
    if (!this.allows(address, length, permission)) fail('EFAULT');
  }

  private allows(address: number, length: number, permission: number): boolean {
    return length === 0 || (address + length <= FAR_END && this.memory.allows(address, length, permission));
  }

  write(address: number, data: Uint8Array): void {
    this.requireWritable(address, data.length);
    this.writeMapped(address, data);
  }

  /** For pages the kernel itself just mapped, whatever their permissions. */
  writeMapped(address: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.memory.write(address, data);
    this.written.push({ address, length: data.length });
  }

  i32(address: number): number {
    return this.readNumber(address, 4).getInt32(0, true);
  }

  u64(address: number): bigint {
    return this.readNumber(address, 8).getBigUint64(0, true);
  }

  i64(address: number): bigint {
    return this.readNumber(address, 8).getBigInt64(0, true);
  }

  private readNumber(address: number, length: number): DataView {
    this.number.bytes.set(this.read(address, length));
    return this.number.view;
  }

  putI32(address: number, value: number): void {
    this.number.view.setInt32(0, value, true);
    this.write(address, this.number.half);
  }

  putI64(address: number, value: bigint): void {
    this.number.view.setBigInt64(0, value, true);
    this.write(address, this.number.bytes);
  }

  /** Two that are neighbours: all of it or nothing. */
  putI64Pair(address: number, first: bigint, second: bigint): void {
    this.number.view.setBigInt64(0, first, true);
    this.number.view.setBigInt64(8, second, true);
    this.write(address, this.number.both);
  }

  /** A path: ENAMETOOLONG from PATH_MAX bytes on, its NUL included. */
  path(address: number): string {
    const found = cString(this.memory, address, PATH_MAX);
    if (found === undefined) fail(this.memory.allows(address, PATH_MAX, READ) ? 'ENAMETOOLONG' : 'EFAULT');
    return fromBytes(found);
  }
}
