import type { Immediate, Node, NodeFactory } from './node.ts';

/**
 * Local rewrites made while nodes are built. They exist for the code that lifting produces: address arithmetic,
 * 32-bit registers kept in 64-bit variables, flags read by the next branch, scalars in vector registers.
 * Each rule is an identity of the WebAssembly operations, proven by the interpreter in simplify.test.ts.
 */
export function simplify(
  b: NodeFactory,
  op: string,
  args: readonly Node[],
  imm: Immediate,
): Node | undefined {
  if (args.length > 0 && args.every((arg) => arg.op === 'const')) {
    const folded = fold(b, op, args);
    if (folded !== undefined) return folded;
  }
  return rules[op]?.(b, args, imm);
}

type Rule = (b: NodeFactory, args: readonly Node[], imm: Immediate) => Node | undefined;

const isConst = (node: Node): boolean => node.op === 'const';
const isValue = (node: Node, value: number): boolean =>
  node.op === 'const' &&
  (node.type === 'i32' ? node.imm === (value | 0) : node.type === 'i64' && node.imm === BigInt(value));

function fold(b: NodeFactory, op: string, args: readonly Node[]): Node | undefined {
  if (args.some((arg) => arg.type !== args[0].type)) return undefined;
  const dot = op.indexOf('.');
  const name = op.slice(dot + 1);
  if (args[0].type === 'i32') {
    const x = args[0].imm as number;
    const y = (args[1]?.imm ?? 0) as number;
    if (op === 'i64.extend_i32_s') return b.i64(x);
    if (op === 'i64.extend_i32_u') return b.i64(x >>> 0);
    if (dot !== 3 || !op.startsWith('i32.')) return undefined;
    const value = FOLD32[name]?.(x, y);
    return value === undefined ? undefined : b.i32(value);
  }
  if (args[0].type === 'i64') {
    const x = args[0].imm as bigint;
    const y = (args[1]?.imm ?? 0n) as bigint;
    if (op === 'i32.wrap_i64') return b.i32(Number(BigInt.asIntN(32, x)));
    if (!op.startsWith('i64.')) return undefined;
    const value = FOLD64[name]?.(x, y);
    if (value === undefined) return undefined;
    return typeof value === 'boolean' ? b.i32(value ? 1 : 0) : b.i64(value);
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
  'i32.wrap_i64': (b, [x]) => {
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
  'i64.eqz': (b, [x]) => {
    if (x.op === 'i64.extend_i32_s' || x.op === 'i64.extend_i32_u') return b.op('i32.eqz', x.args[0]);
    if (x.op === 'i64.sub' || x.op === 'i64.xor') return b.op('i64.eq', x.args[0], x.args[1]);
    if (x.op === 'i64.add' && isConst(x.args[1]))
      return b.op('i64.eq', x.args[0], b.i64(-(x.args[1].imm as bigint)));
    return undefined;
  },
  'i32.eqz': (b, [x]) => {
    if (x.op === 'i32.sub' || x.op === 'i32.xor') return b.op('i32.eq', x.args[0], x.args[1]);
    if (x.op === 'i32.add' && isConst(x.args[1]))
      return b.op('i32.eq', x.args[0], b.i32(-(x.args[1].imm as number)));
    if (x.op === 'i32.eqz' && isBoolean(x.args[0])) return x.args[0];
    const opposite = NEGATED[x.op];
    return opposite === undefined ? undefined : b.op(opposite, ...x.args);
  },
  'i64.lt_s': (b, [x, y]) => {
    if (!isValue(y, 0)) return undefined;
    if (x.op === 'i64.extend_i32_s') return b.op('i32.lt_s', x.args[0], b.i32(0));
    if (x.op === 'i64.extend_i32_u') return b.i32(0);
    return undefined;
  },
};

/** Whether a value is 0 or 1: comparisons and what they are joined to. */
function isBoolean(node: Node): boolean {
  if (node.op === 'i32.and' || node.op === 'i32.or') return node.args.every(isBoolean);
  return /^[if](32|64)\.(eq|ne|lt|le|gt|ge)/.test(node.op);
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

  /** Whether a value was masked to bits that are not asked for. */
  const disjoint = (node: Node, asked: bigint): boolean =>
    node.op === `${t}.and` && isConst(node.args[1]) && (bits(node.args[1]) & asked) === 0n;

  rules[`${t}.add`] = (b, [x, y]) => {
    if (isConst(x)) return b.op(`${t}.add`, y, x);
    if (isValue(y, 0)) return x;
    if (isConst(y) && x.op === `${t}.add` && isConst(x.args[1]))
      return b.op(`${t}.add`, x.args[0], constant(b, bits(x.args[1]) + bits(y)));
    return undefined;
  };
  rules[`${t}.sub`] = (b, [x, y]) => {
    if (x === y) return constant(b, 0n);
    return isConst(y) ? b.op(`${t}.add`, x, constant(b, -bits(y))) : undefined;
  };
  rules[`${t}.and`] = (b, [x, y]) => {
    if (x === y) return x;
    if (isConst(x)) return b.op(`${t}.and`, y, x);
    if (isValue(y, 0)) return y;
    if (isValue(y, -1)) return x;
    if (isConst(y) && x.op === `${t}.and` && isConst(x.args[1]))
      return b.op(`${t}.and`, x.args[0], constant(b, bits(x.args[1]) & bits(y)));
    if (isConst(y) && x.op === `${t}.or` && isConst(x.args[1])) {
      const [set, asked] = [bits(x.args[1]), bits(y)];
      if ((set & asked) === 0n) return b.op(`${t}.and`, x.args[0], y);
      if ((set & asked) === asked) return y;
    }
    if (isConst(y) && x.op === `${t}.or` && disjoint(x.args[1], bits(y)))
      return b.op(`${t}.and`, x.args[0], y);
    return undefined;
  };
  rules[`${t}.or`] = (b, [x, y]) => {
    if (x === y) return x;
    if (isConst(x)) return b.op(`${t}.or`, y, x);
    if (isValue(y, 0)) return x;
    if (isConst(y) && x.op === `${t}.or` && isConst(x.args[1]))
      return b.op(`${t}.or`, x.args[0], constant(b, bits(x.args[1]) | bits(y)));
    return undefined;
  };
  rules[`${t}.xor`] = (b, [x, y]) => {
    if (x === y) return constant(b, 0n);
    if (isConst(x)) return b.op(`${t}.xor`, y, x);
    if (isValue(y, 0)) return x;
    return undefined;
  };
  for (const shift of ['shl', 'shr_s', 'shr_u', 'rotl', 'rotr'])
    rules[`${t}.${shift}`] = (_, [x, y]) => (isValue(y, 0) ? x : undefined);
  rules[`select.${t}`] = (_, [x, y, condition]) => {
    if (x === y) return x;
    if (isConst(condition)) return condition.imm === 0 ? y : x;
    return undefined;
  };
}

rules['i32.extend8_s'] = (b, [x]) => lowBits(b, 'i32.extend8_s', x, 0xff);
rules['i32.extend16_s'] = (b, [x]) => lowBits(b, 'i32.extend16_s', x, 0xffff);

function lowBits(b: NodeFactory, op: string, x: Node, mask: number): Node | undefined {
  return x.op === 'i32.and' && isValue(x.args[1], mask) ? b.op(op, x.args[0]) : undefined;
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
  rules[`${shape}.extract_lane`] = (b, [x], lane) => {
    const same = x.op === `${shape}.replace_lane`;
    if (!same && x.op !== `${other}.replace_lane`) return undefined;
    if (x.imm !== lane) return b.opImm(`${shape}.extract_lane`, lane, x.args[0]);
    return same ? x.args[1] : b.op(cast, x.args[1]);
  };
  rules[`${shape}.replace_lane`] = (b, [x, value], lane) => {
    if (x.op !== `${shape}.replace_lane` && x.op !== `${other}.replace_lane`) return undefined;
    return x.imm === lane ? b.opImm(`${shape}.replace_lane`, lane, x.args[0], value) : undefined;
  };
}
/** Of 0 and 1, 0 has even parity. */
rules['x86.parity'] = (b, [x]) => (isBoolean(x) ? b.op('i32.eqz', x) : undefined);
rules['i64.reinterpret_f64'] = (_, [x]) => (x.op === 'f64.reinterpret_i64' ? x.args[0] : undefined);
rules['f64.reinterpret_i64'] = (_, [x]) => (x.op === 'i64.reinterpret_f64' ? x.args[0] : undefined);
rules['i32.reinterpret_f32'] = (_, [x]) => (x.op === 'f32.reinterpret_i32' ? x.args[0] : undefined);
rules['f32.reinterpret_i32'] = (_, [x]) => (x.op === 'i32.reinterpret_f32' ? x.args[0] : undefined);
