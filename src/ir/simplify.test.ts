import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockBuilder, type Variable } from './builder.ts';
import { interpret } from './interpreter.ts';
import type { Block, Immediate, Node } from './node.ts';
import { OPS, type Type } from './ops.ts';
import { constantValue, toBytes, type Value } from './value.ts';

/** An expression as a tree, built once through the builder, which simplifies, and once as it stands. */
type Tree =
  | { readonly op: string; readonly imm?: Immediate; readonly args: readonly Tree[] }
  | { readonly variable: number }
  | { readonly type: Type; readonly imm: Immediate };

const TYPES: readonly Type[] = ['i32', 'i64', 'f32', 'f64', 'v128'];
/** Two variables of each type; the last five are for results. */
const variables: readonly Variable[] = [...TYPES, ...TYPES, ...TYPES].map((type, i) => ({
  name: `${type}.${i}`,
  type,
  location: i,
}));
const resultOf = (type: Type): number => 10 + TYPES.indexOf(type);

const small = fc.constantFrom(
  0,
  1,
  -1,
  2,
  7,
  8,
  31,
  32,
  63,
  64,
  0xff,
  0xffff,
  -256,
  -65536,
  -(2 ** 31),
  2 ** 31 - 1,
);
const big = fc.constantFrom(
  0n,
  1n,
  -1n,
  8n,
  32n,
  63n,
  0xffn,
  0xffffn,
  0xffff_ffffn,
  -256n,
  -(1n << 32n),
  1n << 63n,
);

function constants(type: Type): fc.Arbitrary<Tree> {
  if (type === 'i32') return fc.oneof(small, fc.integer()).map((imm) => ({ type, imm }));
  if (type === 'i64')
    return fc.oneof(big, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })).map((imm) => ({
      type,
      imm: BigInt.asIntN(64, imm),
    }));
  const words = fc.tuple(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  );
  return words.map((imm) => ({ type: 'v128', imm }));
}

/** What the rules are about, and what they look at. Divisions may trap: they have no rules. */
const operations = [...OPS].filter(
  ([name]) =>
    /^(i32|i64|select)\.|^f\d+\.(reinterpret|lt|eq)|^x86\.parity|^x86\.f\d+(x\d)?\.(daz|sqrt|promote|add_ftz|mul_ftz|demote_f64_ftz)|^(i32x4|i64x2|f32x4|f64x2)\.(extract|replace)_lane/.test(
      name,
    ) && !/\.(div|rem|mul)|clz|popcnt|select\.[fv]/.test(name),
);

const leaves = Object.fromEntries(
  TYPES.map((type) => {
    const index = TYPES.indexOf(type);
    const read = fc.constantFrom(index, index + 5).map((variable): Tree => ({ variable }));
    return [type, type === 'f32' || type === 'f64' ? read : fc.oneof(read, constants(type))];
  }),
) as Record<Type, fc.Arbitrary<Tree>>;

/** An operation on given operands. */
function applied(op: string, operand: (type: Type) => fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  const { args } = OPS.get(op) as { args: readonly Type[] };
  const made = fc.tuple(...args.map(operand));
  const lanes = /x(\d)\..*_lane/.exec(op)?.[1];
  if (lanes === undefined) return made.map((operands) => ({ op, args: operands }));
  return fc
    .tuple(made, fc.nat({ max: Number(lanes) - 1 }))
    .map(([operands, imm]) => ({ op, imm, args: operands }));
}

/** Trees of a depth: mostly operations, because rules are about operations of operations. */
function trees(type: Type, depth: number): fc.Arbitrary<Tree> {
  if (depth === 0) return leaves[type];
  const inner = operations
    .filter(([, info]) => info.result === type)
    .map(([op]) => applied(op, (operand) => trees(operand, depth - 1)));
  if (inner.length === 0) return leaves[type];
  const weight = inner.length;
  return fc.oneof(
    { arbitrary: leaves[type], weight },
    { arbitrary: usual(type, depth), weight },
    ...inner.map((arbitrary) => ({ arbitrary, weight: 2 })),
  );
}

/** What lifted code is full of: masks, offsets and shifts by constants, negated conditions, widened registers. */
function usual(type: Type, depth: number): fc.Arbitrary<Tree> {
  if (type !== 'i32' && type !== 'i64') return leaves[type];
  const below = trees(type, depth - 1);
  const withConstant = fc
    .tuple(fc.constantFrom('and', 'add', 'sub', 'shl', 'shr_u', 'eq'), below, constants(type))
    .filter(([name]) => name !== 'eq' || type === 'i32')
    .map(([name, x, y]): Tree => ({ op: `${type}.${name}`, args: [x, y] }));
  const unary = fc.constantFrom(
    ...(type === 'i32' ? ['i32.eqz', 'i64.eqz'] : ['i64.extend_i32_u', 'i64.extend_i32_s']),
  );
  return fc.oneof(
    withConstant,
    unary.chain((op) => applied(op, (operand) => trees(operand, depth - 1))),
  );
}

function throughBuilder(tree: Tree): Block {
  const b = new BlockBuilder(variables, 0);
  const make = (t: Tree): Node => {
    if ('variable' in t) return b.peek(t.variable);
    if ('op' in t)
      return t.imm === undefined
        ? b.op(t.op, ...t.args.map(make))
        : b.opImm(t.op, t.imm, ...t.args.map(make));
    if (t.type === 'i32') return b.i32(t.imm as number);
    if (t.type === 'i64') return b.i64(t.imm as bigint);
    return b.v128(...(t.imm as [bigint, bigint]));
  };
  const node = make(tree);
  b.poke(resultOf(node.type), node);
  return b.finish({ kind: 'jump', target: 0 });
}

function asItStands(tree: Tree): Block {
  let id = 0;
  const make = (t: Tree): Node => {
    if ('variable' in t)
      return { id: id++, op: 'get', type: variables[t.variable].type, args: [], imm: t.variable };
    if ('op' in t) {
      const args = t.args.map(make);
      return { id: id++, op: t.op, type: (OPS.get(t.op) as { result: Type }).result, args, imm: t.imm };
    }
    return { id: id++, op: 'const', type: t.type, args: [], imm: t.imm };
  };
  const node = make(tree);
  return { ...throughBuilder({ variable: 0 }), assignments: new Map([[resultOf(node.type), node]]) };
}

function evaluate(block: Block, values: readonly Value[]): string {
  let result = '';
  interpret(block, {
    get: (variable) => values[variable],
    set: (_, value) => {
      result = Array.from(toBytes(value, 16), (byte) => byte.toString(16)).join(' ');
    },
    load: () => new Uint8Array(),
    store: () => {},
    checkStore: () => {},
    helpers: new Map(),
  });
  return result;
}

const i32s = fc.oneof(small, fc.integer());
const i64s = fc
  .oneof(big, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
  .map((x) => BigInt.asIntN(64, x));
const vectors = fc.tuple(i64s, i64s).map((halves) =>
  constantValue(
    'v128',
    halves.map((half) => BigInt.asUintN(64, half)),
  ),
);
/** Two values of each type, equal in a third of the states. */
const states = fc
  .tuple(
    fc.tuple(i32s, i64s, i32s, i64s, vectors),
    fc.tuple(i32s, i64s, i32s, i64s, vectors),
    fc.nat({ max: 2 }),
  )
  .map(([first, second, same]): Value[] => [...first, ...(same === 0 ? first : second)]);

describe('simplification', () => {
  for (const [op, { args }] of operations)
    it(`keeps the value of ${op}`, () => {
      const tree = applied(op, (operand) => trees(operand, args.length === 1 ? 3 : 2));
      fc.assert(
        fc.property(tree, fc.array(states, { minLength: 6, maxLength: 6 }), (made, samples) => {
          const simplified = throughBuilder(made);
          const plain = asItStands(made);
          for (const values of samples) expect(evaluate(simplified, values)).toBe(evaluate(plain, values));
        }),
        { numRuns: args.length === 1 ? 800 : 300 },
      );
    });
});
