import { Mnemonic } from 'iced-x86';
import type { Node } from '../../ir/node.ts';
import { FPU_CONDITION, FPU_TAGS } from '../state.ts';
import type { Lift } from './context.ts';
import type { Row, Rows } from './row.ts';
import { fromInteger } from './x87-convert.ts';
import { integerOperand } from './x87-move.ts';
import {
  anyEmpty,
  compute,
  conclude,
  control,
  type Extended,
  indefinite,
  nodes,
  pop,
  push,
  raise,
  readSt,
  select,
  stackOperand,
  withUnderflow,
  writeSt,
} from './x87-stack.ts';

/** Arithmetic of the x87, by the helpers of float/. `r` forms exchange the operands. */
type Operation = 'add' | 'sub' | 'subr' | 'mul' | 'div' | 'divr';

/** Writes the result of an instruction that reads the given registers to st(i). */
function finish(c: Lift, i: number, result: { value: Extended; flags: Node }, empty: Node): void {
  writeSt(c, i, select(c, indefinite(c), result.value, empty));
  conclude(c, withUnderflow(c, result.flags, empty));
}

function registers(c: Lift, operation: Operation): void {
  const to = stackOperand(c, 0);
  const from = stackOperand(c, 1);
  const empty = anyEmpty(c, to, from);
  finish(
    c,
    to,
    compute(c, `x87.${operation}`, [...nodes(readSt(c, to), readSt(c, from)), control(c)]),
    empty,
  );
}

function arithmetic(operation: Operation): Row {
  return (c) => {
    if (c.isRegister(0)) return registers(c, operation);
    const empty = anyEmpty(c, 0);
    const [format, operand] =
      c.size(0) === 4 ? (['f32', c.loadAs(4, 'i32')] as const) : (['f64', c.loadAs(8, 'i64')] as const);
    finish(
      c,
      0,
      compute(c, `x87.${operation}.${format}`, [...nodes(readSt(c, 0)), operand, control(c)]),
      empty,
    );
  };
}

function popping(operation: Operation): Row {
  return (c) => {
    registers(c, operation);
    pop(c);
  };
}

function withInteger(operation: Operation): Row {
  return (c) => {
    const empty = anyEmpty(c, 0);
    const y = fromInteger(c, integerOperand(c));
    finish(c, 0, compute(c, `x87.${operation}`, [...nodes(readSt(c, 0), y), control(c)]), empty);
  };
}

function unary(name: string): Row {
  return (c) => {
    const empty = anyEmpty(c, 0);
    finish(c, 0, compute(c, name, [...nodes(readSt(c, 0)), control(c)]), empty);
  };
}

const scale: Row = (c) => {
  const empty = anyEmpty(c, 0, 1);
  finish(c, 0, compute(c, 'x87.scale', [...nodes(readSt(c, 0), readSt(c, 1)), control(c)]), empty);
};

/** Of an argument of 2^63 or more nothing is computed: C2 tells. */
function outOfRange(c: Lift): Node {
  const { b } = c;
  const { significand, head } = readSt(c, 0);
  const exponent = b.op('i32.and', head, b.i32(0x7fff));
  const isLarge = b.op(
    'i32.lt_u',
    b.op('i32.sub', exponent, b.i32(LEAST_OUT_OF_RANGE)),
    b.i32(0x7fff - LEAST_OUT_OF_RANGE),
  );
  // Without its integer bit it is no number.
  return b.op('i32.and', isLarge, b.op('i64.lt_s', significand, b.i64(0n)));
}

const LEAST_OUT_OF_RANGE = 16383 + 63;
const C2 = 0x400;

/** C2, and the flags of a result that stands only where the argument was in range. */
function concludeInRange(c: Lift, flags: Node, out: Node): void {
  const { b } = c;
  conclude(c, b.op('select.i32', b.i32(0), flags, out));
  const rest = b.op('i32.and', b.peek(FPU_CONDITION), b.i32(~C2));
  b.set(FPU_CONDITION, b.op('i32.or', rest, b.op('select.i32', b.i32(C2), b.i32(0), out)));
}

function trigonometric(name: string): Row {
  return (c) => {
    const { b } = c;
    const empty = anyEmpty(c, 0);
    const x = readSt(c, 0);
    const out = b.op('i32.and', outOfRange(c), b.op('i32.eqz', empty));
    const result = compute(c, name, [...nodes(x), control(c)]);
    writeSt(c, 0, select(c, indefinite(c), select(c, x, result.value, out), empty));
    concludeInRange(c, withUnderflow(c, result.flags, empty), out);
  };
}

/** A function of st(1) and st(0) whose result replaces both. */
function ofTwo(name: string): Row {
  return (c) => {
    const empty = anyEmpty(c, 0, 1);
    finish(c, 1, compute(c, name, [...nodes(readSt(c, 1), readSt(c, 0)), control(c)]), empty);
    pop(c);
  };
}

/** fprem and fprem1: all condition codes tell of the quotient; the result is exact, but exceptions may be raised. */
function remainder(name: string): Row {
  return (c) => {
    const { b } = c;
    control(c);
    const empty = anyEmpty(c, 0, 1);
    const args = nodes(readSt(c, 0), readSt(c, 1));
    const [significand, head, flags, condition] = b.helper(name, args, ['i64', 'i32', 'i32', 'i32']);
    writeSt(c, 0, select(c, indefinite(c), { significand, head }, empty));
    raise(c, withUnderflow(c, flags, empty));
    b.set(FPU_CONDITION, b.op('select.i32', b.i32(0), condition, empty));
  };
}

/** fxtract replaces st(0) by its exponent and pushes its significand. */
const extract: Row = (c) => {
  const { b } = c;
  control(c);
  const empty = anyEmpty(c, 0);
  const [m, e, m2, e2, flags] = b.helper('x87.xtract', nodes(readSt(c, 0)), [
    'i64',
    'i32',
    'i64',
    'i32',
    'i32',
  ]);
  const full = b.op('i32.and', b.peek(FPU_TAGS), b.i32(1 << ((c.top + 7) & 7)));
  const bad = b.op('i32.or', empty, full);
  writeSt(c, 0, select(c, indefinite(c), { significand: m, head: e }, bad));
  const pushed = select(c, indefinite(c), { significand: m2, head: e2 }, empty);
  push(c, pushed, flags, empty);
};

export const X87_ARITHMETIC_ROWS: Rows = [
  [Mnemonic.Fadd, arithmetic('add')],
  [Mnemonic.Fsub, arithmetic('sub')],
  [Mnemonic.Fsubr, arithmetic('subr')],
  [Mnemonic.Fmul, arithmetic('mul')],
  [Mnemonic.Fdiv, arithmetic('div')],
  [Mnemonic.Fdivr, arithmetic('divr')],
  [Mnemonic.Faddp, popping('add')],
  [Mnemonic.Fsubp, popping('sub')],
  [Mnemonic.Fsubrp, popping('subr')],
  [Mnemonic.Fmulp, popping('mul')],
  [Mnemonic.Fdivp, popping('div')],
  [Mnemonic.Fdivrp, popping('divr')],
  [Mnemonic.Fiadd, withInteger('add')],
  [Mnemonic.Fisub, withInteger('sub')],
  [Mnemonic.Fisubr, withInteger('subr')],
  [Mnemonic.Fimul, withInteger('mul')],
  [Mnemonic.Fidiv, withInteger('div')],
  [Mnemonic.Fidivr, withInteger('divr')],
  [Mnemonic.Fsqrt, unary('x87.sqrt')],
  [Mnemonic.Frndint, unary('x87.rndint')],
  [Mnemonic.Fsin, trigonometric('x87.sin')],
  [Mnemonic.Fcos, trigonometric('x87.cos')],
  [Mnemonic.F2xm1, unary('x87.2xm1')],
  [Mnemonic.Fyl2x, ofTwo('x87.yl2x')],
  [Mnemonic.Fyl2xp1, ofTwo('x87.yl2xp1')],
  [Mnemonic.Fpatan, ofTwo('x87.patan')],
  [Mnemonic.Fscale, scale],
  [Mnemonic.Fprem, remainder('x87.prem')],
  [Mnemonic.Fprem1, remainder('x87.prem1')],
  [Mnemonic.Fxtract, extract],
];
