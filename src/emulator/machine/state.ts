import type { IsaLevel } from '../../base/isa-level.ts';
import { FAR_END } from '../../guest/far-memory.ts';
import { stepOffset, valueOffset } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import { READ, WRITE } from '../../guest/memory.ts';
import type { VarId } from '../../ir/node.ts';
import type { Machine, MachineMemory, Place } from '../../x86/service.ts';
import { GuestFault } from './fault.ts';

/** What services need of the run. */
export interface Outside {
  readonly isa: IsaLevel;
  readonly clock: () => bigint;
  readonly random: (length: number) => Uint8Array;
  readonly prepareStore: (page: number, place: number, size: number) => void;
  readonly signalsX87: boolean;
}

/** The state area as services see it: values of variables, checked guest memory. */
export class StateMachine implements Machine {
  readonly memory: MachineMemory;
  readonly isa: IsaLevel;
  readonly clock: () => bigint;
  readonly random: (length: number) => Uint8Array;
  readonly followsMxcsr = true;
  readonly signalsX87: boolean;
  private readonly view: DataView;
  private readonly bytes: Uint8Array;

  constructor(guest: GuestMemory, outside: Outside) {
    this.view = guest.view;
    this.bytes = guest.bytes;
    this.isa = outside.isa;
    this.clock = outside.clock;
    this.random = outside.random;
    this.signalsX87 = outside.signalsX87;
    this.memory = new CheckedMemory(guest, outside.prepareStore);
  }

  readI32(variable: VarId): number {
    return this.view.getInt32(valueOffset(variable), true);
  }

  writeI32(variable: VarId, value: number): void {
    this.view.setInt32(valueOffset(variable), value, true);
  }

  readI64(variable: VarId): bigint {
    return this.view.getBigInt64(valueOffset(variable), true);
  }

  writeI64(variable: VarId, value: bigint): void {
    this.view.setBigInt64(valueOffset(variable), BigInt.asIntN(64, value), true);
  }

  v128(variable: VarId): Uint8Array {
    return this.bytes.subarray(valueOffset(variable), valueOffset(variable) + 16);
  }
}

class CheckedMemory implements MachineMemory {
  private readonly guest: GuestMemory;
  private readonly prepareStore: (page: number, place: number, size: number) => void;
  private readonly place: { readonly data: DataView; at: number };

  constructor(guest: GuestMemory, prepareStore: (page: number, place: number, size: number) => void) {
    this.guest = guest;
    this.prepareStore = prepareStore;
    this.place = { data: guest.view, at: 0 };
  }

  read(address: bigint, length: number): Uint8Array {
    return this.view(this.offsetOf(address, length, READ), length);
  }

  writable(address: bigint, length: number): Uint8Array {
    return this.view(this.writableOffset(address, length), length);
  }

  placeToRead(address: bigint, length: number): Place {
    this.place.at = this.offsetOf(address, length, READ);
    return this.place;
  }

  placeToWrite(address: bigint, length: number): Place {
    this.place.at = this.writableOffset(address, length);
    return this.place;
  }

  private view(offset: number, length: number): Uint8Array {
    return this.guest.bytes.subarray(offset, offset + length);
  }

  private writableOffset(address: bigint, length: number): number {
    const start = this.offsetOf(address, length, WRITE);
    for (let page = start >>> 12; page <= (start + length - 1) >>> 12; page++)
      this.prepareStore(page, start, length);
    return start;
  }

  private offsetOf(address: bigint, length: number, permission: number): number {
    const start = Number(BigInt.asUintN(64, address));
    // Beyond 2^53 it is not exact, nor would a sum be.
    if (start >= FAR_END)
      throw new GuestFault('page-fault', BigInt.asUintN(64, address), permission === WRITE);
    const missing = this.guest.firstWithout(start, length, permission);
    if (missing !== undefined) throw new GuestFault('page-fault', BigInt(missing), permission === WRITE);
    return this.guest.offsetOf(start, length);
  }
}

/** Step slots of the locations, as chain mode reads and writes them. */
export const stepIndex64 = (location: number): number => stepOffset(location) / 8;
