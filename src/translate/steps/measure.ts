import type { AccessSize } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import type { Scratch } from '../lowering/values.ts';
import type { BlockItems } from '../regions/dataflow.ts';
import type { Region, RegionBlock } from '../regions/region.ts';
import type { GroupedAddress } from './access-groups.ts';
import type { StepEntry } from './step-entry.ts';

/**
 * The measurement that generated code carries with it. There are two: `Lanes` computes cycles for several nested contexts at
 * once; `Tags` follows one context and writes the log from which its chain is read. Both own the steps of locations
 * (held in locals like variables), the steps of memory, and with them the access to memory itself: the same check that
 * finds a step slow finds a page missing.
 */
export interface Measure {
  /** Whether loads may ask whether their page is quiet, and whether some region has any that do. */
  readonly hasQuietPages: boolean;
  hasAsked: boolean;
  /** Whether many bytes with steps of their own are in quiet pages: all loads of bytes ask, in code that is made from now on. */
  areBytesResting: boolean;
  /** Whether nothing is measured where no context is open (contexts/idle.ts). */
  readonly mayBeIdle: boolean;
  /** How shadow memory holds steps. */
  readonly entry: StepEntry;
  /** What calls in line need of it; undefined where they are not possible. */
  readonly inLine: StepsInLine | undefined;
  /** Defines what performs services, some of them without asking JavaScript. */
  defineService(module: ModuleBuilder, parts: ServiceParts): number;
  /** Prepares a region; tells which locations' steps each block uses and writes. */
  plan(region: Region): readonly BlockItems[];
  /** Raises a location's step, just loaded, to the context's floor if opening the context has not (see isRaised). */
  raiseToFloor(f: FunctionBuilder): void;
  /** Begins emission of one region. */
  start(host: MeasureHost): void;
  startBlock(block: RegionBlock): void;
  /** Whether loads of this block may ask whether their page is quiet. */
  readonly asksHere: boolean;
  /** Before a loop that keeps state in locals (segments.ts). */
  beforeLoop(): void;
  /**
   * Checks that `size` bytes are readable at the address in an i64 local, and notes their step for the instruction. Gives
   * the i32 local that holds where in memory they are, or, of a grouped address, where the group's lowest byte is.
   */
  load(instruction: number, address: Address, size: AccessSize): number;
  /** The same where an i32 local is not 0: `read` emits what is done with the place then. */
  loadWhen(when: number, instruction: number, address: number, size: AccessSize, read: Reached): void;
  /** Called once the instruction's loads are done, before its stores. */
  settle(instruction: number): void;
  /** Checks that `size` bytes are writable and gives them the instruction's step. Gives what `load` gives. */
  store(instruction: number, address: Address, size: AccessSize): number;
  storeWhen(when: number, instruction: number, address: number, size: AccessSize, write: Reached): void;
  /** The measurement of one interpreted instruction. */
  handle(host: MemoryHost, record: RecordParts): HandlerMeasure;
  /** What MAXIMUM must hold while code is interpreted. */
  raiseMaximum(f: FunctionBuilder): void;
  /** Brings the block's cycles into the maximum and pushes the new steps of the given locations, in order. */
  finishBlock(written: readonly number[]): void;
}

/** Steps where contexts open and close in the middle of a region (see calls-in-line.ts). */
export interface StepsInLine {
  /** In an arm of the block at hand: a context opens for a call in line; `raise` raises what its function reads to the step in a local. */
  open(imports: LeafOpening, locals: LeafLocals, raise: (raised: number) => void): void;
  /** It closes, at a place. */
  close(countLeaves: number, place: number, locals: LeafLocals): void;
  /** Of two steps on the stack leaves the later one. */
  later(f: FunctionBuilder): void;
}

/** What the code of a region has for a context of a call in line (contexts/leaf-log.ts). */
export interface LeafOpening {
  readonly isLinking: number;
  readonly leafLane: number;
}

export interface LeafLocals {
  /** i32: whether it is open, and where. */
  readonly isOpen: number;
  /** i64: rsp when it opens, and the instructions executed then. */
  readonly slot: number;
  readonly start: number;
  /** What the region carries. */
  readonly rsp: number;
  readonly fuel: number;
  readonly rspStep: number;
  readonly maximum: number;
}

/** Bytes at an address in an i64 local that are loaded, or stored. */
export interface AccessedRange {
  readonly address: number;
  readonly size: AccessSize;
  readonly isWrite: 0 | 1;
}

/** An access as its code in line knows it. */
export interface Access {
  readonly entry: StepEntry;
  /** i64 local: the place in memory, if the access is not slow; i32 local: its low half, which is where the bytes are then. */
  readonly address: number;
  readonly near: number;
}

/** The i64 local that holds an address, or how it was checked together with others. */
export type Address = number | GroupedAddress;

/** Emits what is done with accessed bytes, given the i32 local that holds where they are. */
export type Reached = (near: number) => void;

/** The measurement of one instruction (rule 5), all steps being in memory. */
export interface HandlerMeasure {
  load(address: number, size: AccessSize): number;
  loadWhen(when: number, address: number, size: AccessSize, read: Reached): void;
  /** After the loads: computes the cycle. */
  settle(sources: readonly Place[]): void;
  store(address: number, size: AccessSize): number;
  storeWhen(when: number, address: number, size: AccessSize, write: Reached): void;
  /** Gives the cycle to the destinations and brings it into MAXIMUM. */
  finish(destinations: readonly Place[]): void;
  /** Afterwards: notes the cycle in LAST_STEP. */
  noteLast(): void;
}

/** What the log of producers needs of the instruction's record. */
export interface RecordParts {
  pushAddress(): void;
  pushFollowing(): void;
}

/** Where a step is: at a fixed offset from 0 or from an address in a local. */
export interface Place {
  readonly from: number | undefined;
  readonly offset: number;
  /** Whether the step is raised when a context opens, see contexts/meters.ts. */
  readonly isRaised: boolean;
}

/** What the code of a memory access needs from the emitter. */
export interface MemoryHost {
  readonly f: FunctionBuilder;
  readonly scratch: Scratch;
  readonly functions: SupportFunctions;
  readonly unalignedInLine: UnalignedInLine;
  /** Pushes whether nothing is measured, so that bytes need not be told apart, where who stores them can ask (contexts/idle.ts). */
  readonly pushIsIdle: (() => void) | undefined;
  /** Whether far pages are looked up in line. */
  readonly farInLine: boolean;
}

/**
 * Which unaligned accesses are done in line: none, loads from granules of one step each, or those at whose edges bytes' steps differ, too; with bytes of
 * bytewise pages.
 * A load of 8 bytes takes 200, 280 and 500 bytes of WebAssembly.
 */
export type UnalignedInLine = 'none' | 'whole' | 'edges' | 'bytewise';

/** What a measurement needs from the emitter. */
export interface MeasureHost extends MemoryHost {
  /** The local that holds a location's step. */
  stepLocal(location: number): number;
  /** The local that holds MAXIMUM. */
  readonly maximum: number;
  /** Whether all loads of bytes ask whether their page is quiet. */
  readonly asksForBytes: boolean;
  /** Whether the block stays in locals of a loop (segments.ts). */
  readonly isInLoop: boolean;
  /** The local that counts instructions down. */
  readonly fuel: number;
}

export interface ServiceParts extends SupportFunctions {
  /** (number i32): has the service done in JavaScript. */
  readonly serve: number;
}

/** Function indices of the support module's functions in the module being built (see translate/support/). */
export interface SupportFunctions {
  readonly loadStep: number;
  readonly storeStep: number;
}
