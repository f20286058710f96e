import type { Immediate, Node, NodeFactory } from './node.ts';
import { nameOf, OPS, type Type } from './ops.ts';

/**
 * An operation with its rewrites: all that a builder must know of it, for one look-up by name.
 *
 * Rules are local rewrites made while nodes are built. They exist for the code that lifting produces: address arithmetic,
 * 32-bit registers kept in 64-bit variables, flags read by the next branch, scalars in vector registers.
 * Each is an identity of the WebAssembly operations, proven by the interpreter in simplify.test.ts.
 */
export interface Form {
  /** The one string object of that name, so that comparing names compares pointers. */
  readonly name: string;
  readonly result: Type;
  /** See OpInfo. */
  readonly helper: string | undefined;
  /** The value when all operands are constants. */
  readonly fold: Fold | undefined;
  readonly rule: Rule | undefined;
}

type Fold = (b: NodeFactory, args: readonly Node[]) => Node;

/** Operands are taken by `{ 0: x, 1: y }`: as `[x, y]` they would go through an iterator, at several times the cost. */
type Rule = (b: NodeFactory, args: readonly Node[], imm: Immediate) => Node | undefined;

/** What the operation with these operands comes to, when that is simpler than a node of its own. */
export function simplify(
  b: NodeFactory,
  form: Form,
  args: readonly Node[],
  imm: Immediate,
): Node | undefined {
  if (form.fold !== undefined && areConstants(args)) return form.fold(b, args);
  return form.rule?.(b, args, imm);
}

function areConstants(args: readonly Node[]): boolean {
  for (let i = 0; i < args.length; i++) if (args[i].op !== 'const') return false;
  return true;
}

const isConst = (node: Node): boolean => node.op === 'const';
const isZero = (node: Node): boolean => node.op === 'const' && (node.imm === 0 || node.imm === 0n);
const isMinusOne = (node: Node): boolean => node.op === 'const' && (node.imm === -1 || node.imm === -1n);

/** WebAssembly's own meaning of the integer operations, on constants. */
function foldOf(op: string): Fold | undefined {
  switch (op) {
    case 'i64.extend_i32_s':
      return (b, args) => b.i64(args[0].imm as number);
    case 'i64.extend_i32_u':
      return (b, args) => b.i64((args[0].imm as number) >>> 0);
    case 'i32.wrap_i64':
      return (b, args) => b.i32(Number(BigInt.asIntN(32, args[0].imm as bigint)));
  }
  const [type, name] = op.split('.');
  if (type === 'i32' && Object.hasOwn(FOLD32, name)) {
    const compute = FOLD32[name];
    return (b, args) => b.i32(compute(args[0].imm as number, args.length > 1 ? (args[1].imm as number) : 0));
  }
  if (type === 'i64' && Object.hasOwn(FOLD64, name)) {
    const compute = FOLD64[name];
    return (b, args) => {
      const value = compute(args[0].imm as bigint, args.length > 1 ? (args[1].imm as bigint) : 0n);
      return typeof value === 'boolean' ? b.i32(value ? 1 : 0) : b.i64(value);
    };
  }
  return undefined;
}

const FOLD32: Readonly<Record<string, (x: number, y: number) => number>> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: Math.imul,
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  xor: (x, y) => x ^ y,
  shl: (x, y) => x << y,
  shr_s: (x, y) => x >> y,
  shr_u: (x, y) => x >>> y,
  eqz: (x) => (x === 0 ? 1 : 0),
  eq: (x, y) => (x === y ? 1 : 0),
  ne: (x, y) => (x !== y ? 1 : 0),
  lt_s: (x, y) => (x < y ? 1 : 0),
  lt_u: (x, y) => (x >>> 0 < y >>> 0 ? 1 : 0),
  extend8_s: (x) => (x << 24) >> 24,
  extend16_s: (x) => (x << 16) >> 16,
};

const FOLD64: Readonly<Record<string, (x: bigint, y: bigint) => bigint | boolean>> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  and: (x, y) => x & y,
  or: (x, y) => x | y,
  xor: (x, y) => x ^ y,
  shl: (x, y) => x << (y & 63n),
  shr_s: (x, y) => x >> (y & 63n),
  shr_u: (x, y) => BigInt.asUintN(64, x) >> (y & 63n),
  eqz: (x) => x === 0n,
  eq: (x, y) => x === y,
  ne: (x, y) => x !== y,
  lt_s: (x, y) => x < y,
  lt_u: (x, y) => BigInt.asUintN(64, x) < BigInt.asUintN(64, y),
};

const rules: Record<string, Rule> = {
  'i32.wrap_i64': (b, { 0: x }) => {
    if (x.op === 'i64.extend_i32_u' || x.op === 'i64.extend_i32_s') return x.args[0];
    // wrap(x & c) where c keeps the low 32 bits
    if (
      x.op === 'i64.and' &&
      isConst(x.args[1]) &&
      BigInt.asUintN(32, x.args[1].imm as bigint) === 0xffffffffn
    )
      return b.op('i32.wrap_i64', x.args[0]);
    return undefined;
  },
  'i64.eqz': (b, { 0: x }) => {
    if (x.op === 'i64.extend_i32_s' || x.op === 'i64.extend_i32_u') return b.op('i32.eqz', x.args[0]);
    if (x.op === 'i64.sub' || x.op === 'i64.xor') return b.op('i64.eq', x.args[0], x.args[1]);
    if (x.op === 'i64.add' && isConst(x.args[1]))
      return b.op('i64.eq', x.args[0], b.i64(-(x.args[1].imm as bigint)));
    return undefined;
  },
  'i32.eqz': (b, { 0: x }) => {
    if (x.op === 'i32.sub' || x.op === 'i32.xor') return b.op('i32.eq', x.args[0], x.args[1]);
    if (x.op === 'i32.add' && isConst(x.args[1]))
      return b.op('i32.eq', x.args[0], b.i32(-(x.args[1].imm as number)));
    if (x.op === 'i32.eqz' && isBoolean(x.args[0])) return x.args[0];
    const opposite = NEGATED[x.op];
    return opposite === undefined ? undefined : b.op(opposite, ...x.args);
  },
  'i64.lt_s': (b, { 0: x, 1: y }) => {
    if (!isZero(y)) return undefined;
    if (x.op === 'i64.extend_i32_s') return b.op('i32.lt_s', x.args[0], b.i32(0));
    if (x.op === 'i64.extend_i32_u') return b.i32(0);
    return undefined;
  },
};

const COMPARISONS: ReadonlySet<string> = new Set(
  [...OPS.keys()].filter((op) => /^[if](32|64)\.(eq|ne|lt|le|gt|ge)/.test(op)),
);

/** Whether a value is 0 or 1: comparisons and what they are joined to. */
export function isBoolean(node: Node): boolean {
  if (node.op === 'i32.and' || node.op === 'i32.or') return node.args.every(isBoolean);
  return COMPARISONS.has(node.op);
}

const NEGATED: Readonly<Record<string, string>> = {};

for (const t of ['i32', 'i64'] as const) {
  const constant = (b: NodeFactory, value: bigint) =>
    t === 'i32' ? b.i32(Number(BigInt.asIntN(32, value))) : b.i64(value);
  const bits = (node: Node): bigint => BigInt(node.imm as number | bigint);

  for (const [x, y] of [
    ['eq', 'ne'],
    ['lt_s', 'ge_s'],
    ['lt_u', 'ge_u'],
    ['le_s', 'gt_s'],
    ['le_u', 'gt_u'],
  ]) {
    (NEGATED as Record<string, string>)[`${t}.${x}`] = `${t}.${y}`;
    (NEGATED as Record<string, string>)[`${t}.${y}`] = `${t}.${x}`;
  }

  const [add, and, or] = ['add', 'and', 'or'].map((name) => nameOf(`${t}.${name}`));

  /** Whether a value was masked to bits that are not asked for. */
  const disjoint = (node: Node, asked: bigint): boolean =>
    node.op === and && isConst(node.args[1]) && (bits(node.args[1]) & asked) === 0n;

  rules[add] = (b, { 0: x, 1: y }) => {
    if (isConst(x)) return b.op(add, y, x);
    if (isZero(y)) return x;
    if (isConst(y) && x.op === add && isConst(x.args[1]))
      return b.op(add, x.args[0], constant(b, bits(x.args[1]) + bits(y)));
    return undefined;
  };
  rules[`${t}.sub`] = (b, { 0: x, 1: y }) => {
    if (x === y) return constant(b, 0n);
    return isConst(y) ? b.op(add, x, constant(b, -bits(y))) : undefined;
  };
  rules[and] = (b, { 0: x, 1: y }) => {
    if (x === y) return x;
    if (isConst(x)) return b.op(and, y, x);
    if (isZero(y)) return y;
    if (isMinusOne(y)) return x;
    if (isConst(y) && x.op === and && isConst(x.args[1]))
      return b.op(and, x.args[0], constant(b, bits(x.args[1]) & bits(y)));
    if (isConst(y) && x.op === or && isConst(x.args[1])) {
      const [set, asked] = [bits(x.args[1]), bits(y)];
      if ((set & asked) === 0n) return b.op(and, x.args[0], y);
      if ((set & asked) === asked) return y;
    }
    if (isConst(y) && x.op === or && disjoint(x.args[1], bits(y))) return b.op(and, x.args[0], y);
    return undefined;
  };
  rules[or] = (b, { 0: x, 1: y }) => {
    if (x === y) return x;
    if (isConst(x)) return b.op(or, y, x);
    if (isZero(y)) return x;
    if (isConst(y) && x.op === or && isConst(x.args[1]))
      return b.op(or, x.args[0], constant(b, bits(x.args[1]) | bits(y)));
    return undefined;
  };
  rules[`${t}.xor`] = (b, { 0: x, 1: y }) => {
    if (x === y) return constant(b, 0n);
    if (isConst(x)) return b.op(`${t}.xor`, y, x);
    if (isZero(y)) return x;
    return undefined;
  };
  for (const shift of ['shl', 'shr_s', 'shr_u', 'rotl', 'rotr'])
    rules[`${t}.${shift}`] = (_, { 0: x, 1: y }) => (isZero(y) ? x : undefined);
  rules[`select.${t}`] = (_, { 0: x, 1: y, 2: condition }) => {
    if (x === y) return x;
    if (isConst(condition)) return condition.imm === 0 ? y : x;
    return undefined;
  };
}

rules['i32.extend8_s'] = (b, { 0: x }) => lowBits(b, 'i32.extend8_s', x, 0xff);
rules['i32.extend16_s'] = (b, { 0: x }) => lowBits(b, 'i32.extend16_s', x, 0xffff);

function lowBits(b: NodeFactory, op: string, x: Node, mask: number): Node | undefined {
  return x.op === 'i32.and' && isConst(x.args[1]) && x.args[1].imm === mask ? b.op(op, x.args[0]) : undefined;
}

/**
 * A lane that was just put in comes out unchanged, also where the vector is seen in the other type of that width;
 * another lane comes from the vector below. Of two values put into one lane the first is forgotten.
 */
for (const [shape, other, cast] of [
  ['i32x4', 'f32x4', 'i32.reinterpret_f32'],
  ['f32x4', 'i32x4', 'f32.reinterpret_i32'],
  ['i64x2', 'f64x2', 'i64.reinterpret_f64'],
  ['f64x2', 'i64x2', 'f64.reinterpret_i64'],
]) {
  const [extract, replace] = [nameOf(`${shape}.extract_lane`), nameOf(`${shape}.replace_lane`)];
  const replaceOther = nameOf(`${other}.replace_lane`);
  rules[extract] = (b, { 0: x }, lane) => {
    const same = x.op === replace;
    if (!same && x.op !== replaceOther) return undefined;
    if (x.imm !== lane) return b.opImm(extract, lane, x.args[0]);
    return same ? x.args[1] : b.op(cast, x.args[1]);
  };
  rules[replace] = (b, { 0: x, 1: value }, lane) => {
    if (x.op !== replace && x.op !== replaceOther) return undefined;
    return x.imm === lane ? b.opImm(replace, lane, x.args[0], value) : undefined;
  };
}
/** Subnormals are looked for once: these results are never such. */
for (const [shape, others] of [
  ['f32', ['x86.f32.demote_f64_ftz', 'f32.convert_i32_s', 'f32.convert_i64_s']],
  ['f64', ['x86.f64.promote_f32', 'f64.convert_i32_s', 'f64.convert_i64_s']],
  ['f32x4', ['f32x4.convert_i32x4_s']],
  ['f64x2', ['f64x2.convert_low_i32x4_s']],
] as const) {
  const own = ['daz', 'add_ftz', 'sub_ftz', 'mul_ftz', 'div_ftz', 'fma_ftz', 'sqrt'];
  const without: ReadonlySet<string> = new Set([
    ...own.map((name) => nameOf(`x86.${shape}.${name}`)),
    ...others,
  ]);
  rules[nameOf(`x86.${shape}.daz`)] = (_, { 0: x }) => (without.has(x.op) ? x : undefined);
}
/** Masks of instructions that access memory by lanes are often known: all ones. */
for (const [shape, lanes] of [
  ['i32x4', 4],
  ['i64x2', 2],
] as const)
  rules[nameOf(`${shape}.bitmask`)] = (b, { 0: x }) => {
    if (!isConst(x)) return undefined;
    const [low, high] = x.imm as readonly bigint[];
    const bits = BigInt.asUintN(64, low) | (BigInt.asUintN(64, high) << 64n);
    let mask = 0;
    for (let i = 0; i < lanes; i++) mask |= Number((bits >> BigInt((128 / lanes) * (i + 1) - 1)) & 1n) << i;
    return b.i32(mask);
  };

/** Of 0 and 1, 0 has even parity. */
rules['x86.parity'] = (b, { 0: x }) => (isBoolean(x) ? b.op('i32.eqz', x) : undefined);
rules['i64.reinterpret_f64'] = (_, { 0: x }) => (x.op === 'f64.reinterpret_i64' ? x.args[0] : undefined);
rules['f64.reinterpret_i64'] = (_, { 0: x }) => (x.op === 'i64.reinterpret_f64' ? x.args[0] : undefined);
rules['i32.reinterpret_f32'] = (_, { 0: x }) => (x.op === 'f32.reinterpret_i32' ? x.args[0] : undefined);
rules['f32.reinterpret_i32'] = (_, { 0: x }) => (x.op === 'i32.reinterpret_f32' ? x.args[0] : undefined);

export const FORMS: ReadonlyMap<string, Form> = new Map(
  [...OPS].map(([name, { result, helper }]) => [
    name,
    { name, result, helper, fold: foldOf(name), rule: rules[name] },
  ]),
);
