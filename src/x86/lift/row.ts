import type { Instruction, Mnemonic } from 'iced-x86';
import type { Lift } from './context.ts';

/** Describes one instruction: reads and writes variables and memory through the builder. */
export type Row = (c: Lift) => void;

export type Rows = readonly (readonly [Mnemonic, Row])[];

/** A service by its name in SERVICES, and the number that tells it which form of the instruction to run. */
export interface ServiceCall {
  readonly service: string;
  readonly argument: number;
}

export type ServiceRows = readonly (readonly [
  Mnemonic,
  (instruction: Instruction) => ServiceCall | undefined,
])[];
