import { Mnemonic, Register } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { CF, OF, RAX, RDX, SR, ZR } from '../state.ts';
import { type Lift, sized } from './context.ts';
import type { Rows } from './row.ts';

/**
 * div and idiv: the dividend is the double-width pair of accumulators. A zero divisor and a quotient that does not fit
 * raise the divide error; the divisor is then replaced by 1, because WebAssembly's divisions trap on what they cannot
 * do. All flags are undefined: no group is read or written.
 *
 * Compilers extend the dividend from one register just before (cqo, cdq, xor edx,edx). That is recognised by the nodes
 * and becomes one WebAssembly division of the operand's size; any other 128-bit dividend goes to a helper.
 */
interface Quotient {
  readonly quotient: Node;
  readonly remainder: Node;
}

function divide(signed: boolean) {
  return (c: Lift): void => {
    const { b } = c;
    const size = c.size();
    const divisor = c.read(0);
    for (const flag of [CF, OF]) b.poke(flag, b.i32(0));
    for (const flag of [ZR, SR]) b.poke(flag, b.i64(0));
    if (size === 1) {
      const { quotient, remainder } = divideByte(c, c.readRegister(Register.AX), divisor, signed);
      c.writeRegister(
        Register.AX,
        b.op('i32.or', b.op('i32.and', quotient, b.i32(0xff)), b.op('i32.shl', remainder, b.i32(8))),
      );
      return;
    }
    if (size === 2) {
      const { quotient, remainder } = divideWord(c, divisor, signed);
      c.writeRegister(Register.AX, quotient);
      c.writeRegister(Register.DX, remainder);
      return;
    }
    const { quotient, remainder } =
      size === 4 ? divideDouble(c, divisor, signed) : divideQuad(c, divisor, signed);
    c.writeRegister(size === 4 ? Register.EAX : Register.RAX, quotient);
    c.writeRegister(size === 4 ? Register.EDX : Register.RDX, remainder);
  };
}

/** Divides values for which the quotient is known to fit unless `error`. */
function exact(c: Lift, dividend: Node, divisor: Node, error: Node, size: 4 | 8, signed: boolean): Quotient {
  const { b } = c;
  b.guard(error, 'divide-error');
  const safe = b.op(size === 8 ? 'select.i64' : 'select.i32', c.constant(1, size), divisor, error);
  const suffix = signed ? 's' : 'u';
  return {
    quotient: b.op(sized(`div_${suffix}`, size), dividend, safe),
    remainder: b.op(sized(`rem_${suffix}`, size), dividend, safe),
  };
}

function divideByte(c: Lift, ax: Node, operand: Node, signed: boolean): Quotient {
  const { b } = c;
  const dividend = signed ? c.signExtend(ax, 2) : c.zeroExtend(ax, 2);
  const divisor = signed ? c.signExtend(operand, 1) : c.zeroExtend(operand, 1);
  const result = exact(c, dividend, divisor, b.op('i32.eqz', divisor), 4, signed);
  const fits = signed ? c.signExtend(result.quotient, 1) : c.zeroExtend(result.quotient, 1);
  b.guard(b.op('i32.ne', result.quotient, fits), 'divide-error');
  return result;
}

function divideWord(c: Lift, operand: Node, signed: boolean): Quotient {
  const { b } = c;
  const low = c.zeroExtend(c.readRegister(Register.AX), 2);
  const dividend = b.op('i32.or', b.op('i32.shl', c.readRegister(Register.DX), b.i32(16)), low);
  const divisor = signed ? c.signExtend(operand, 2) : c.zeroExtend(operand, 2);
  const zero = b.op('i32.eqz', divisor);
  const error = signed ? b.op('i32.or', zero, overflows(c, dividend, divisor, 4)) : zero;
  const result = exact(c, dividend, divisor, error, 4, signed);
  const fits = signed ? c.signExtend(result.quotient, 2) : c.zeroExtend(result.quotient, 2);
  b.guard(b.op('i32.ne', result.quotient, fits), 'divide-error');
  return result;
}

/** The one signed quotient that does not fit the dividend's own size: the least integer by -1. */
function overflows(c: Lift, dividend: Node, divisor: Node, size: 4 | 8): Node {
  const { b } = c;
  const least = c.constant(size === 8 ? -(2n ** 63n) : -(2 ** 31), size);
  return b.op(
    'i32.and',
    b.op(sized('eq', size), dividend, least),
    b.op(sized('eq', size), divisor, c.constant(-1, size)),
  );
}

function divideDouble(c: Lift, divisor: Node, signed: boolean): Quotient {
  const { b } = c;
  const low = c.readRegister(Register.EAX);
  const high = c.readRegister(Register.EDX);
  if (high === extension(c, low, 4, signed))
    return exact(c, low, divisor, errorOf(c, low, divisor, 4, signed), 4, signed);
  const dividend = b.op(
    'i64.or',
    b.op('i64.shl', b.op('i64.extend_i32_u', high), b.i64(32)),
    b.op('i64.extend_i32_u', low),
  );
  const by = b.op(signed ? 'i64.extend_i32_s' : 'i64.extend_i32_u', divisor);
  const result = exact(c, dividend, by, errorOf(c, dividend, by, 8, signed), 8, signed);
  const quotient = b.op('i32.wrap_i64', result.quotient);
  const fits = b.op(signed ? 'i64.extend_i32_s' : 'i64.extend_i32_u', quotient);
  b.guard(b.op('i64.ne', result.quotient, fits), 'divide-error');
  return { quotient, remainder: b.op('i32.wrap_i64', result.remainder) };
}

function divideQuad(c: Lift, divisor: Node, signed: boolean): Quotient {
  const { b } = c;
  const low = b.get(RAX);
  const high = b.get(RDX);
  if (high === extension(c, low, 8, signed))
    return exact(c, low, divisor, errorOf(c, low, divisor, 8, signed), 8, signed);
  const [quotient, remainder, error] = b.helper(
    signed ? 'div128_s' : 'div128_u',
    [high, low, divisor],
    ['i64', 'i64', 'i32'],
  );
  b.guard(error, 'divide-error');
  return { quotient, remainder };
}

/** The high half that extends a low half, as cqo, cdq and xor edx,edx make it. */
function extension(c: Lift, low: Node, size: 4 | 8, signed: boolean): Node {
  return signed ? c.b.op(sized('shr_s', size), low, c.constant(size * 8 - 1, size)) : c.constant(0, size);
}

function errorOf(c: Lift, dividend: Node, divisor: Node, size: 4 | 8, signed: boolean): Node {
  const zero = c.b.op(sized('eqz', size), divisor);
  return signed ? c.b.op('i32.or', zero, overflows(c, dividend, divisor, size)) : zero;
}

export const DIVIDE_ROWS: Rows = [
  [Mnemonic.Div, divide(false)],
  [Mnemonic.Idiv, divide(true)],
];
