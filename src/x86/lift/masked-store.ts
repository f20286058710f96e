import { type Instruction, OpKind, Register } from 'iced-x86';
import type { ServiceCall } from './row.ts';

/** The operands of maskmovdqu and maskmovq as services/masked-store.ts reads them. */
export function maskedStoreOperands(instruction: Instruction): ServiceCall {
  const segment = { [Register.FS]: 1, [Register.GS]: 2 }[instruction.memorySegment as number] ?? 0;
  const narrow = instruction.opKind(0) === OpKind.MemorySegEDI ? 0x400 : 0;
  const isMmx = instruction.opRegister(1) >= Register.MM0;
  const first = isMmx ? Register.MM0 : Register.XMM0;
  const [value, mask] = [1, 2].map((operand) => instruction.opRegister(operand) - first);
  return {
    service: 'masked-store',
    argument: value | (mask << 4) | (segment << 8) | narrow | (isMmx ? 0x800 : 0),
  };
}
