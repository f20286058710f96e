import { Mnemonic, Register } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { CF, OF, RAX, RDX, SR, ZR } from '../state.ts';
import { type Lift, type Size, sized } from './context.ts';
import type { Rows } from './row.ts';

/**
 * Multiplications set CF and OF alike, when the product does not fit the low half. SF, ZF, AF and PF are undefined: the
 * group is neither read nor written (rule 4), and given constants so that what set it before is dead.
 */
function setOverflow(c: Lift, overflow: Node): void {
  c.b.set(CF, overflow);
  c.b.set(OF, overflow);
  c.b.poke(ZR, c.b.i64(0));
  c.b.poke(SR, c.b.i64(0));
}

const PARTS: Readonly<Record<1 | 2 | 4, readonly [low: Register, high: Register]>> = {
  1: [Register.AL, Register.AH],
  2: [Register.AX, Register.DX],
  4: [Register.EAX, Register.EDX],
};

/** mul and imul of one operand: the accumulator times the operand, the product twice as wide. */
function wide(signed: boolean) {
  return (c: Lift): void => {
    const { b } = c;
    const size = c.size();
    if (size === 8) {
      const x = b.get(RAX);
      const y = c.read(0);
      const low = b.op('i64.mul', x, y);
      const high = b.op(signed ? 'x86.mulhi_s' : 'x86.mulhi_u', x, y);
      b.set(RAX, low);
      b.set(RDX, high);
      setOverflow(c, b.op('i64.ne', high, signed ? b.op('i64.shr_s', low, b.i64(63)) : b.i64(0)));
      return;
    }
    const [lowRegister, highRegister] = PARTS[size];
    const extend = (value: Node): Node =>
      signed ? c.signExtend64(value, size) : c.zeroExtend64(value, size);
    const product = b.op('i64.mul', extend(c.readRegister(lowRegister)), extend(c.read(0)));
    const low = b.op('i32.wrap_i64', product);
    const fits = extend(low);
    if (size === 1) c.writeRegister(Register.AX, low);
    else {
      c.writeRegister(lowRegister, low);
      c.writeRegister(highRegister, b.op('i32.wrap_i64', b.op('i64.shr_u', product, b.i64(size * 8))));
    }
    setOverflow(c, b.op('i64.ne', product, fits));
  };
}

/** imul of two or three operands: the low half of a signed product. */
function narrow(c: Lift): void {
  if (c.instruction.opCount === 1) {
    wide(true)(c);
    return;
  }
  const { b } = c;
  const size = c.size();
  const first = c.instruction.opCount - 2;
  const x = c.read(first);
  const y = c.read(first + 1);
  const result = b.op(sized('mul', size), x, y);
  c.write(0, result);
  setOverflow(c, overflowOfProduct(c, x, y, result, size));
}

function overflowOfProduct(c: Lift, x: Node, y: Node, result: Node, size: Size): Node {
  const { b } = c;
  if (size === 8) return b.op('i64.ne', b.op('x86.mulhi_s', x, y), b.op('i64.shr_s', result, b.i64(63)));
  const product = b.op('i64.mul', c.signExtend64(x, size), c.signExtend64(y, size));
  return b.op('i64.ne', product, c.signExtend64(result, size));
}

export const MULTIPLY_ROWS: Rows = [
  [Mnemonic.Mul, wide(false)],
  [Mnemonic.Imul, narrow],
];
