import { ConditionCode } from 'iced-x86';
import type { Node, VarId } from '../../ir/node.ts';
import { CF, OF, SR, ZR } from '../state.ts';
import { type Comparison, type Lift, sized } from './context.ts';

/**
 * Conditions of jcc, setcc and cmovcc (SDM volume 1, appendix B). Conditions come in pairs: the second of a pair is the
 * opposite of the first. A condition whose flags still come from one comparison is that comparison.
 */
type Positive = 'o' | 'b' | 'e' | 'be' | 's' | 'p' | 'l' | 'le';

const CONDITIONS: ReadonlyMap<ConditionCode, readonly [Positive, boolean]> = new Map([
  [ConditionCode.o, ['o', true]],
  [ConditionCode.no, ['o', false]],
  [ConditionCode.b, ['b', true]],
  [ConditionCode.ae, ['b', false]],
  [ConditionCode.e, ['e', true]],
  [ConditionCode.ne, ['e', false]],
  [ConditionCode.be, ['be', true]],
  [ConditionCode.a, ['be', false]],
  [ConditionCode.s, ['s', true]],
  [ConditionCode.ns, ['s', false]],
  [ConditionCode.p, ['p', true]],
  [ConditionCode.np, ['p', false]],
  [ConditionCode.l, ['l', true]],
  [ConditionCode.ge, ['l', false]],
  [ConditionCode.le, ['le', true]],
  [ConditionCode.g, ['le', false]],
]);

/** The flag groups that a condition reads (rule 4); ZR stands for the group SF, ZF, AF, PF. */
const READS: Readonly<Record<Positive, readonly VarId[]>> = {
  o: [OF],
  b: [CF],
  e: [ZR],
  be: [CF, ZR],
  s: [ZR],
  p: [ZR],
  l: [OF, ZR],
  le: [OF, ZR],
};

/** The instruction's condition: i32, 0 or 1. */
export function conditionOf(c: Lift): Node {
  const found = CONDITIONS.get(c.instruction.conditionCode);
  if (found === undefined) throw new Error('the instruction has no condition');
  const [positive, holds] = found;
  for (const group of READS[positive]) c.b.dependOn(group);
  const value = fused(c, positive) ?? fromFlags(c, positive);
  return holds ? value : c.b.op('i32.eqz', value);
}

function fused(c: Lift, condition: Positive): Node | undefined {
  const { b, comparison: k } = c;
  if (k === undefined || b.peek(ZR) !== k.zr) return undefined;
  switch (condition) {
    case 'e':
      return b.op(sized('eq', k.size), c.zeroExtend(k.x, k.size), c.zeroExtend(k.y, k.size));
    case 'be':
      return b.peek(CF) === k.cf ? unsigned(c, 'le_u', k) : undefined;
    case 'l':
      return isSignCurrent(c, k) ? signed(c, 'lt_s', k) : undefined;
    case 'le':
      return isSignCurrent(c, k) ? signed(c, 'le_s', k) : undefined;
    default:
      return undefined;
  }
}

/** SF and OF still are those of the comparison, which sets SR and ZR to one node. */
function isSignCurrent({ b }: Lift, { of, zr }: Comparison): boolean {
  return b.peek(OF) === of && b.peek(SR) === zr;
}

function unsigned(c: Lift, name: string, { x, y, size }: Comparison): Node {
  return c.b.op(sized(name, size), c.zeroExtend(x, size), c.zeroExtend(y, size));
}

function signed(c: Lift, name: string, { x, y, size }: Comparison): Node {
  return c.b.op(sized(name, size), c.signExtend(x, size), c.signExtend(y, size));
}

function fromFlags(c: Lift, condition: Positive): Node {
  const { b } = c;
  const zero = () => b.op('i64.eqz', b.peek(ZR));
  const sign = () => b.op('i64.lt_s', b.peek(SR), b.i64(0));
  const less = () => b.op('i32.xor', sign(), b.peek(OF));
  switch (condition) {
    case 'o':
      return b.peek(OF);
    case 'b':
      return b.peek(CF);
    case 'e':
      return zero();
    case 'be':
      return notGreater(c) ?? b.op('i32.or', b.peek(CF), zero());
    case 's':
      return sign();
    case 'p':
      return b.op('x86.parity', b.op('i32.wrap_i64', b.peek(SR)));
    case 'l':
      return less();
    case 'le':
      return b.op('i32.or', zero(), less());
  }
}

/**
 * After comis and ucomis CF is !(x >= y), and ZR says x < y or x > y: below or equal is then !(x > y), for unordered
 * operands too.
 */
function notGreater({ b }: Lift): Node | undefined {
  const [atLeast] = b.peek(CF).args;
  if (b.peek(CF).op !== 'i32.eqz' || !/^f(32|64)\.ge$/.test(atLeast.op)) return undefined;
  const compared = (name: string) => b.op(atLeast.op.replace('ge', name), ...atLeast.args);
  const greater = compared('gt');
  const unequal = b.op('i64.extend_i32_u', b.op('i32.or', compared('lt'), greater));
  return b.peek(ZR) === unequal ? b.op('i32.eqz', greater) : undefined;
}
