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

/** Guest memory as a system call sees it: each access is checked (EFAULT), each write is noted for rule 8. */
export class UserMemory {
  private readonly memory: GuestMemory;
  private written: Range[] = [];

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
    return this.view(address, 4).getInt32(0, true);
  }

  u64(address: number): bigint {
    return this.view(address, 8).getBigUint64(0, true);
  }

  i64(address: number): bigint {
    return this.view(address, 8).getBigInt64(0, true);
  }

  private view(address: number, length: number): DataView {
    const bytes = this.read(address, length);
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }

  putI32(address: number, value: number): void {
    this.write(address, new Uint8Array(Int32Array.of(value).buffer));
  }

  putI64(address: number, value: bigint): void {
    this.write(address, new Uint8Array(BigInt64Array.of(value).buffer));
  }

  /** A path: ENAMETOOLONG from PATH_MAX bytes on, its NUL included. */
  path(address: number): string {
    const found = this.memory.cString(address, PATH_MAX);
    if (found === undefined) fail(this.memory.allows(address, PATH_MAX, READ) ? 'ENAMETOOLONG' : 'EFAULT');
    return fromBytes(found);
  }
}
