import type { AccessSize } from '../ir/node.ts';
import type { FunctionBuilder, ValueType } from '../wasm/function.ts';
import type { BlockItems } from './dataflow.ts';
import type { Region, RegionBlock } from './region.ts';
import type { Scratch } from './values.ts';

/**
 * The measurement that generated code carries with it. There are two: `lanes` computes cycles for four nested contexts at
 * once; `tags` follows one context and writes the log from which its chain is read. Both own the steps of locations
 * (held in locals like variables), the steps of memory, and with them the access to memory itself: the same check that
 * finds a step slow finds a page missing.
 */
export interface Measure {
  readonly kind: 'lanes' | 'tags';
  /** Type of a step in a local and in the state area. */
  readonly stepType: ValueType;
  /** Prepares a region; tells which locations' steps each block uses and writes. */
  plan(region: Region): readonly BlockItems[];
  /** Begins emission of one region. */
  start(host: MeasureHost): void;
  startBlock(block: RegionBlock): void;
  /** Checks that `size` bytes are readable at the address in an i64 local, and notes their step for the instruction. */
  load(instruction: number, address: number, size: AccessSize): void;
  /** Called once the instruction's loads are done, before its stores. */
  settle(instruction: number): void;
  /** Checks that `size` bytes are writable and gives them the instruction's step. */
  store(instruction: number, address: number, size: AccessSize): void;
  /** Brings the block's cycles into the maximum and pushes the new steps of the given locations, in order. */
  finishBlock(written: readonly number[]): void;
}

/** What the code of a memory access needs from the emitter. */
export interface MemoryHost {
  readonly f: FunctionBuilder;
  readonly scratch: Scratch;
  readonly functions: SupportFunctions;
}

/** What a measurement needs from the emitter. */
export interface MeasureHost extends MemoryHost {
  /** The local that holds a location's step. */
  stepLocal(location: number): number;
  /** The local that holds MAXIMUM. */
  readonly maximum: number;
  /** The local that counts instructions down. */
  readonly fuel: number;
}

/** Function indices of the support module's functions in the module being built (see support-*.ts). */
export interface SupportFunctions {
  readonly loadStep: number;
  readonly storeStep: number;
}
