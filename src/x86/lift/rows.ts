import type { Instruction, Mnemonic } from 'iced-x86';
import { ARITHMETIC_ROWS } from './arithmetic.ts';
import { BIT_ROWS } from './bits.ts';
import { DIVIDE_ROWS } from './divide.ts';
import { FLAG_ROWS } from './flag-rows.ts';
import { FLOW_ROWS } from './flow.ts';
import { MOVE_ROWS } from './move.ts';
import { MULTIPLY_ROWS } from './multiply.ts';
import type { Row, ServiceCall } from './row.ts';
import { SHIFT_ROWS } from './shift.ts';
import { SSE_ROWS, SSE_SERVICES } from './sse.ts';
import { STACK_ROWS, STACK_SERVICES } from './stack.ts';
import { STRING_ROWS, STRING_SERVICES } from './string.ts';
import { FAULT_ROWS, SYSTEM_ROWS, SYSTEM_SERVICES } from './system.ts';
import { X87_ROWS, X87_SERVICES } from './x87.ts';

/** Every integer instruction that is lifted. */
export const INTEGER_ROWS: ReadonlyMap<Mnemonic, Row> = new Map([
  ...MOVE_ROWS,
  ...ARITHMETIC_ROWS,
  ...MULTIPLY_ROWS,
  ...DIVIDE_ROWS,
  ...SHIFT_ROWS,
  ...BIT_ROWS,
  ...FLAG_ROWS,
  ...STACK_ROWS,
  ...FLOW_ROWS,
  ...SYSTEM_ROWS,
]);

const ROWS: ReadonlyMap<Mnemonic, Row> = new Map([...INTEGER_ROWS, ...SSE_ROWS, ...X87_ROWS]);

/** String instructions, apart because `movsd` and `cmpsd` name SSE instructions too. */
const STRINGS: ReadonlyMap<Mnemonic, Row> = new Map(STRING_ROWS);

/** Instructions of which every form faults. */
export const FAULTING: ReadonlySet<Mnemonic> = new Set(FAULT_ROWS.map(([mnemonic]) => mnemonic));

const SERVED: ReadonlyMap<Mnemonic, (instruction: Instruction) => ServiceCall | undefined> = new Map([
  ...STRING_SERVICES,
  ...SYSTEM_SERVICES,
  ...STACK_SERVICES,
  ...SSE_SERVICES,
  ...X87_SERVICES,
]);

/** Whether some form of the instruction is executed by a service. */
export function isServed(mnemonic: Mnemonic): boolean {
  return SERVED.has(mnemonic);
}

/** The row that lifts an instruction; undefined when it is unknown. */
export function rowOf(instruction: Instruction): Row | undefined {
  const { mnemonic } = instruction;
  return instruction.isStringInstruction ? STRINGS.get(mnemonic) : ROWS.get(mnemonic);
}

/** The service that executes an instruction; undefined when it is lifted or unknown. */
export function serviceOf(instruction: Instruction): ServiceCall | undefined {
  return SERVED.get(instruction.mnemonic)?.(instruction);
}
