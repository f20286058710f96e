import { type Instruction, Mnemonic, OpKind, Register } from 'iced-x86';
import { encodeOperand } from '../operand-code.ts';
import type { Rows, ServiceCall, ServiceRows } from './row.ts';
import { SSE_CONTROL_ROWS } from './sse-control.ts';
import { SSE_CONVERT_ROWS } from './sse-convert.ts';
import { compareScalarDouble, SSE_FLOAT_ROWS } from './sse-float.ts';
import { SSE_INTEGER_ROWS } from './sse-integer.ts';
import { moveScalarDouble, SSE_MOVE_ROWS } from './sse-move.ts';
import { SSE_SHUFFLE_ROWS } from './sse-shuffle.ts';
import { SSE3_ROWS, SSSE3_ROWS } from './sse3.ts';

/** SSE, SSE2, SSE3 and SSSE3. Mnemonics `movsd` and `cmpsd` are also string instructions, which are told apart before these rows. */
export const SSE_ROWS: Rows = [
  ...SSE_MOVE_ROWS,
  ...SSE_FLOAT_ROWS,
  ...SSE_CONVERT_ROWS,
  ...SSE_INTEGER_ROWS,
  ...SSE_SHUFFLE_ROWS,
  ...SSE_CONTROL_ROWS,
  ...SSE3_ROWS,
  ...SSSE3_ROWS,
  [Mnemonic.Movsd, moveScalarDouble],
  [Mnemonic.Cmpsd, compareScalarDouble],
];

/** The operands of maskmovdqu as services/masked-store.ts reads them; the form on MMX registers has another mnemonic. */
function maskedStoreOperands(instruction: Instruction): ServiceCall {
  const segment = { [Register.FS]: 1, [Register.GS]: 2 }[instruction.memorySegment as number] ?? 0;
  const narrow = instruction.opKind(0) === OpKind.MemorySegEDI ? 0x400 : 0;
  const [value, mask] = [1, 2].map((operand) => instruction.opRegister(operand) - Register.XMM0);
  return { service: 'maskmovdqu', argument: value | (mask << 4) | (segment << 8) | narrow };
}

export const SSE_SERVICES: ServiceRows = [
  [Mnemonic.Maskmovdqu, maskedStoreOperands],
  [Mnemonic.Ldmxcsr, (instruction) => ({ service: 'ldmxcsr', argument: encodeOperand(instruction) })],
];
