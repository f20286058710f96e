import type { IsaLevel } from '../base/isa-level.ts';
import { Unwinding } from '../base/unwinding.ts';
import type { Fault, VarId } from '../ir/node.ts';

/**
 * Instructions that run outside generated code, on the stored state: too long or too rare to lift (repeated string
 * instructions, CPUID, x87 transcendentals, state save and restore). System calls are one too; linux/ performs them.
 */
export interface Machine {
  /** Values by type of the variable: i32 as a signed number, i64 as a signed bigint. */
  readI32(variable: VarId): number;
  writeI32(variable: VarId, value: number): void;
  readI64(variable: VarId): bigint;
  writeI64(variable: VarId, value: bigint): void;
  /** 16 bytes, shared with the state: writable in place. */
  v128(variable: VarId): Uint8Array;
  readonly memory: MachineMemory;
  /**
   * Whether code is lifted for the present value of MXCSR (see LiftOptions). Otherwise only its default mode may be
   * loaded, and a program that asks for another is refused.
   */
  readonly followsMxcsr?: boolean;
  /** Whether code is lifted so that exceptions of the x87 are delivered (default). */
  readonly signalsX87?: boolean;
  /** What CPUID shows. */
  readonly isa: IsaLevel;
  /** The time-stamp counter: advances with the instruction count. */
  clock(): bigint;
  /** The next bytes of the guest's random numbers, which getrandom has too. */
  random(length: number): Uint8Array;
}

/**
 * Checked access: an inaccessible byte raises the guest's page fault (by throwing). Views hold until the next one is made,
 * and of two that were made before from then on.
 */
export interface MachineMemory {
  /** A view of guest memory, readable in all its length. */
  read(address: bigint, length: number): Uint8Array;
  /** A view of guest memory that may be written in all its length. */
  writable(address: bigint, length: number): Uint8Array;
  /** The same for numbers: nothing is made for it, and it holds as long as a view. */
  placeToRead(address: bigint, length: number): Place;
  placeToWrite(address: bigint, length: number): Place;
}

/** Bytes of memory, from an offset of what shows them on. */
export interface Place {
  readonly data: DataView;
  readonly at: number;
}

/** What the instruction that just ran depended on and produced (rules 4 and 8); memory as byte ranges. */
export interface ServiceEffects {
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  readonly loads: readonly Range[];
  readonly stores: readonly Range[];
}

export interface Range {
  readonly address: number;
  readonly length: number;
}

/** What a service throws where its instruction faults; the address is the caller's to know. */
export class ServiceFault extends Unwinding {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}

export type Service = (machine: Machine, argument: number) => ServiceEffects;
