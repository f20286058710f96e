import type { IsaLevel } from '../../src/base/isa-level.ts';
import type { AbstractMachine } from '../../src/ir/interpreter.ts';
import type { Value } from '../../src/ir/value.ts';
import { HELPERS } from '../../src/x86/helpers.ts';
import type { Machine, Place } from '../../src/x86/service.ts';
import { viewOf } from '../../src/x86/services/fpu-state.ts';
import { VARIABLES } from '../../src/x86/state.ts';

/** Thrown where the processor would fault on a memory access. */
export class PageFault extends Error {
  readonly address: bigint;
  readonly isWrite: boolean;

  constructor(address: bigint, isWrite = false) {
    super(`page fault at 0x${address.toString(16)}`);
    this.address = address;
    this.isWrite = isWrite;
  }
}

/** Guest memory as the tests see it: a view of `length` bytes, or a PageFault. */
export type MemoryView = (address: bigint, length: number, write: boolean) => Uint8Array;

/** Bytes that start at a guest address. */
export function memoryAt(base: number, bytes: Uint8Array): MemoryView {
  return (address, length) => {
    const at = Number(address) - base;
    if (at < 0 || at + length > bytes.length) throw new PageFault(address);
    return bytes.subarray(at, at + length);
  };
}

const placeOf = (bytes: Uint8Array): Place => ({ data: viewOf(bytes), at: 0 });

/** The processor's variables and a memory: what the interpreter and the services run on. */
export class ReferenceMachine implements AbstractMachine, Machine {
  readonly helpers: AbstractMachine['helpers'];
  readonly memory: Machine['memory'];
  isa: IsaLevel = 'x86-64';
  /** What rdtsc reads. */
  ticks = 0n;
  private readonly view: MemoryView;
  /** Of the thread that runs. */
  values: Value[] = VARIABLES.map(({ type }) => {
    if (type === 'v128') return new Uint8Array(16);
    return type === 'i64' || type === 'f64' ? 0n : 0;
  });

  constructor(view: MemoryView, helpers: AbstractMachine['helpers'] = HELPERS) {
    this.view = view;
    this.helpers = helpers;
    this.memory = {
      read: (address, length) => view(address, length, false),
      writable: (address, length) => view(address, length, true),
      placeToRead: (address, length) => placeOf(view(address, length, false)),
      placeToWrite: (address, length) => placeOf(view(address, length, true)),
    };
  }

  get(variable: number): Value {
    return this.values[variable];
  }

  set(variable: number, value: Value): void {
    this.values[variable] = value;
  }

  load(address: bigint, size: number): Uint8Array {
    return this.view(address, size, false);
  }

  store(address: bigint, bytes: Uint8Array): void {
    this.view(address, bytes.length, true).set(bytes);
  }

  checkStore(address: bigint, size: number): void {
    this.view(address, size, true);
  }

  readI32(variable: number): number {
    return this.values[variable] as number;
  }

  writeI32(variable: number, value: number): void {
    this.values[variable] = value | 0;
  }

  readI64(variable: number): bigint {
    return this.values[variable] as bigint;
  }

  writeI64(variable: number, value: bigint): void {
    this.values[variable] = BigInt.asIntN(64, value);
  }

  /** The interpreter's values are never written to, so that a service gets a fresh copy to write in place. */
  v128(variable: number): Uint8Array {
    const copy = (this.values[variable] as Uint8Array).slice();
    this.values[variable] = copy;
    return copy;
  }

  clock(): bigint {
    return this.ticks;
  }

  random = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => 0x5a + i);
}
