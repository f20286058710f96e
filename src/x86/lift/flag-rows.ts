import { Mnemonic, Register } from 'iced-x86';
import type { Node, VarId } from '../../ir/node.ts';
import {
  BIT_AF,
  BIT_CF,
  BIT_DF,
  BIT_OF,
  BIT_PF,
  BIT_SF,
  BIT_ZF,
  RFLAGS_FIXED,
  RFLAGS_KEPT,
} from '../rflags.ts';
import { AR, CF, DF, KEPT_FLAGS, OF, SR, ZR } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import { pop, push } from './stack.ts';

/** Instructions that work on the flags register itself. */
function setFlag(variable: VarId, value: 0 | 1): Row {
  return (c) => c.b.set(variable, c.b.i32(value));
}

function complementCarry(c: Lift): void {
  c.b.set(CF, c.b.op('i32.eqz', c.b.get(CF)));
}

/** SF, ZF, AF and PF at their places in RFLAGS. */
function resultFlags(c: Lift): Node {
  const { b } = c;
  const at = (flag: Node, bit: number): Node => b.op('i32.shl', flag, b.i32(bit));
  const sr = b.get(SR);
  const sign = at(b.op('i64.lt_s', sr, b.i64(0)), BIT_SF);
  const zero = at(b.op('i64.eqz', b.get(ZR)), BIT_ZF);
  const parity = at(b.op('x86.parity', b.op('i32.wrap_i64', sr)), BIT_PF);
  const adjust = b.op('i32.and', b.get(AR), b.i32(1 << BIT_AF));
  return b.op('i32.or', b.op('i32.or', sign, zero), b.op('i32.or', parity, adjust));
}

/** Sets SF, ZF, AF and PF from RFLAGS bits. Any value with the right sign and parity serves. */
function setResultFlags(c: Lift, flags: Node): void {
  const { b } = c;
  const bit = (number: number): Node => b.op('i32.and', b.op('i32.shr_u', flags, b.i32(number)), b.i32(1));
  b.set(ZR, b.op('i64.extend_i32_u', b.op('i32.eqz', bit(BIT_ZF))));
  const sign = b.op('i32.shl', bit(BIT_SF), b.i32(31));
  b.set(SR, b.op('i64.extend_i32_s', b.op('i32.or', sign, b.op('i32.eqz', bit(BIT_PF)))));
  b.set(AR, b.op('i32.and', flags, b.i32(1 << BIT_AF)));
}

function setBit(c: Lift, variable: VarId, flags: Node, number: number): void {
  c.b.set(variable, c.b.op('i32.and', c.b.op('i32.shr_u', flags, c.b.i32(number)), c.b.i32(1)));
}

function loadFlags(c: Lift): void {
  const { b } = c;
  const flags = b.op('i32.or', resultFlags(c), b.op('i32.shl', b.get(CF), b.i32(BIT_CF)));
  c.writeRegister(Register.AH, b.op('i32.or', flags, b.i32(RFLAGS_FIXED & 0xff)));
}

function storeFlags(c: Lift): void {
  const flags = c.readRegister(Register.AH);
  setBit(c, CF, flags, BIT_CF);
  setResultFlags(c, flags);
}

function pushFlags(c: Lift): void {
  const { b } = c;
  const at = (variable: VarId, bit: number): Node => b.op('i32.shl', b.get(variable), b.i32(bit));
  const carries = b.op('i32.or', at(CF, BIT_CF), at(OF, BIT_OF));
  const fixed = b.op('i32.or', b.get(KEPT_FLAGS), b.i32(RFLAGS_FIXED));
  const others = b.op('i32.or', at(DF, BIT_DF), fixed);
  const flags = b.op('i32.or', resultFlags(c), b.op('i32.or', carries, others));
  if (c.instruction.mnemonic === Mnemonic.Pushf) push(c, flags, 2);
  else push(c, b.op('i64.extend_i32_u', flags), 8);
}

/** The trap flag is not modelled: it reads back as 0. */
function popFlags(c: Lift): void {
  const size = c.instruction.mnemonic === Mnemonic.Popf ? 2 : 8;
  const flags = pop(c, size);
  setFlags(c, size === 2 ? flags : c.b.op('i32.wrap_i64', flags), size);
}

/** All flags that user code may change, from so many bytes of RFLAGS. */
export function setFlags(c: Lift, flags: Node, size: 2 | 4 | 8): void {
  const { b } = c;
  const kept = size === 2 ? RFLAGS_KEPT & 0xffff : RFLAGS_KEPT;
  const others = b.op('i32.and', b.get(KEPT_FLAGS), b.i32(~kept));
  b.set(KEPT_FLAGS, b.op('i32.or', others, b.op('i32.and', flags, b.i32(kept))));
  setBit(c, CF, flags, BIT_CF);
  setBit(c, OF, flags, BIT_OF);
  setBit(c, DF, flags, BIT_DF);
  setResultFlags(c, flags);
}

export const FLAG_ROWS: Rows = [
  [Mnemonic.Clc, setFlag(CF, 0)],
  [Mnemonic.Stc, setFlag(CF, 1)],
  [Mnemonic.Cld, setFlag(DF, 0)],
  [Mnemonic.Std, setFlag(DF, 1)],
  [Mnemonic.Cmc, complementCarry],
  [Mnemonic.Lahf, loadFlags],
  [Mnemonic.Sahf, storeFlags],
  [Mnemonic.Pushf, pushFlags],
  [Mnemonic.Pushfq, pushFlags],
  [Mnemonic.Popf, popFlags],
  [Mnemonic.Popfq, popFlags],
];
