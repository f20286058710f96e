import { type Instruction, MemorySize, Mnemonic } from 'iced-x86';
import { encodeOperand } from '../operand-code.ts';
import type { Rows, ServiceCall, ServiceRows } from './row.ts';
import { X87_ARITHMETIC_ROWS } from './x87-arithmetic.ts';
import { X87_COMPARE_ROWS } from './x87-compare.ts';
import { X87_CONTROL_ROWS } from './x87-control.ts';
import { X87_MOVE_ROWS } from './x87-move.ts';

/** The x87 but for its services. */
export const X87_ROWS: Rows = [
  ...X87_MOVE_ROWS,
  ...X87_ARITHMETIC_ROWS,
  ...X87_COMPARE_ROWS,
  ...X87_CONTROL_ROWS,
];

/** Saving and restoring state; an operand-size prefix halves the words of the environment. */
function stateService(service: string): (instruction: Instruction) => ServiceCall {
  return (instruction) => {
    const { memorySize } = instruction;
    const isNarrow = memorySize === MemorySize.FpuEnv14 || memorySize === MemorySize.FpuState94;
    return {
      service: isNarrow ? `${service} of 2-byte words` : service,
      argument: encodeOperand(instruction),
    };
  };
}

export const X87_SERVICES: ServiceRows = [
  [Mnemonic.Fptan, () => ({ service: 'fptan', argument: 0 })],
  [Mnemonic.Fsincos, () => ({ service: 'fsincos', argument: 0 })],
  [Mnemonic.Fnstenv, stateService('fnstenv')],
  [Mnemonic.Fldenv, stateService('fldenv')],
  [Mnemonic.Fnsave, stateService('fnsave')],
  [Mnemonic.Frstor, stateService('frstor')],
  [Mnemonic.Fxsave, stateService('fxsave')],
  [Mnemonic.Fxsave64, stateService('fxsave')],
  [Mnemonic.Fxrstor, stateService('fxrstor')],
  [Mnemonic.Fxrstor64, stateService('fxrstor')],
  [Mnemonic.Xsave, stateService('xsave')],
  [Mnemonic.Xsave64, stateService('xsave')],
  [Mnemonic.Xsaveopt, stateService('xsaveopt')],
  [Mnemonic.Xsaveopt64, stateService('xsaveopt')],
  [Mnemonic.Xsavec, stateService('xsavec')],
  [Mnemonic.Xsavec64, stateService('xsavec')],
  [Mnemonic.Xrstor, stateService('xrstor')],
  [Mnemonic.Xrstor64, stateService('xrstor')],
  [Mnemonic.Xgetbv, () => ({ service: 'xgetbv', argument: 0 })],
];
