import type { Instruction } from 'iced-x86';
import { Mnemonic } from 'iced-x86';
import { FLAG_BITS, type State } from './state.ts';

/**
 * The flags that an instruction leaves undefined (SDM volume 2, "Flags Affected" of each): processors differ, so tests
 * do not compare them.
 */
const { CF, PF, AF, ZF, SF, OF } = FLAG_BITS;

type Undefined = number | ((count: number, bits: number) => number);

const shift: Undefined = (count, bits) =>
  count === 0 ? 0 : AF | (count === 1 ? 0 : OF) | (count >= bits ? CF : 0);
const arithmeticShift: Undefined = (count) => (count === 0 ? 0 : AF | (count === 1 ? 0 : OF));
const rotate: Undefined = (count) => (count <= 1 ? 0 : OF);
const doubleShift: Undefined = (count, bits) =>
  count === 0 ? 0 : count > bits ? CF | PF | AF | ZF | SF | OF : AF | (count === 1 ? 0 : OF);

const TABLE: ReadonlyMap<Mnemonic, Undefined> = new Map<Mnemonic, Undefined>([
  [Mnemonic.And, AF],
  [Mnemonic.Or, AF],
  [Mnemonic.Xor, AF],
  [Mnemonic.Test, AF],
  [Mnemonic.Mul, SF | ZF | AF | PF],
  [Mnemonic.Imul, SF | ZF | AF | PF],
  [Mnemonic.Div, CF | PF | AF | ZF | SF | OF],
  [Mnemonic.Idiv, CF | PF | AF | ZF | SF | OF],
  [Mnemonic.Shl, shift],
  [Mnemonic.Sal, shift],
  [Mnemonic.Shr, shift],
  [Mnemonic.Sar, arithmeticShift],
  [Mnemonic.Rol, rotate],
  [Mnemonic.Ror, rotate],
  [Mnemonic.Rcl, rotate],
  [Mnemonic.Rcr, rotate],
  [Mnemonic.Shld, doubleShift],
  [Mnemonic.Shrd, doubleShift],
  [Mnemonic.Bt, OF | SF | AF | PF],
  [Mnemonic.Bts, OF | SF | AF | PF],
  [Mnemonic.Btr, OF | SF | AF | PF],
  [Mnemonic.Btc, OF | SF | AF | PF],
  [Mnemonic.Bsf, CF | OF | SF | AF | PF],
  [Mnemonic.Bsr, CF | OF | SF | AF | PF],
  [Mnemonic.Tzcnt, OF | SF | AF | PF],
  [Mnemonic.Lzcnt, OF | SF | AF | PF],
  [Mnemonic.Andn, AF | PF],
  [Mnemonic.Bextr, SF | AF | PF],
  [Mnemonic.Blsi, AF | PF],
  [Mnemonic.Blsmsk, AF | PF],
  [Mnemonic.Blsr, AF | PF],
  [Mnemonic.Bzhi, AF | PF],
]);

/** The mask of undefined flags; shifts need their count (the last operand: CL or an immediate) and operand size. */
export function undefinedFlags(instruction: Instruction, before: State, bits: number): number {
  const entry = TABLE.get(instruction.mnemonic) ?? 0;
  return typeof entry === 'number' ? entry : entry(shiftCount(instruction, before, bits), bits);
}

/** The count of a shift, as the processor takes it. */
export function shiftCount(instruction: Instruction, before: State, bits: number): number {
  const last = instruction.opCount - 1;
  const isRegister = instruction.opKind(last) === 0;
  const count = isRegister ? before.gpr(1) : instruction.immediate(last);
  return Number(count & (bits === 64 ? 63n : 31n));
}
