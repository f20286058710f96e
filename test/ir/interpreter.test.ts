import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlockBuilder } from '../../src/ir/builder.ts';
import { EVALUATED, interpret } from '../../src/ir/interpreter.ts';
import { OPS, type OpInfo, type Type } from '../../src/ir/ops.ts';
import { fromBytes, toBytes } from '../../src/ir/value.ts';
import { FunctionBuilder } from '../../src/wasm/function.ts';
import { ModuleBuilder } from '../../src/wasm/module.ts';

/** The primitive operations have WebAssembly's meaning: the engine that runs these tests is their oracle. */
const SLOT = 16;
const RESULT = 64;
const SIZES: Readonly<Record<Type, number>> = { i32: 4, i64: 8, f32: 4, f64: 8, v128: 16 };

const primitive = [...OPS].filter(([name]) => !name.startsWith('x86.'));
const LANE = /_lane/;

/** One function for each operation (and lane): operands from memory slots, result to memory. */
function compile(name: string, info: OpInfo, imm: number | readonly number[] | undefined) {
  const module = new ModuleBuilder();
  module.importMemory('host', 'memory', 1);
  const body = new FunctionBuilder({ params: [], results: [] });
  body.i32(0);
  info.args.forEach((type, i) => {
    body.i32(0);
    body.memory(`${type}.load`, i * SLOT);
  });
  if (Array.isArray(imm)) body.shuffle(imm);
  else if (typeof imm === 'number') body.lane(name, imm);
  else body.op(name.startsWith('select.') ? 'select' : name);
  body.memory(`${info.result}.store`, RESULT);
  module.export('run', module.define(body));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { host: { memory } });
  const run = instance.exports.run as () => void;
  const bytes = new Uint8Array(memory.buffer);
  return (args: readonly Uint8Array[]): Uint8Array => {
    args.forEach((arg, i) => {
      bytes.set(arg, i * SLOT);
    });
    run();
    return bytes.slice(RESULT, RESULT + SIZES[info.result]);
  };
}

/** The same through the builder (without operands that are known, nothing is simplified away) and the interpreter. */
function interpreted(name: string, info: OpInfo, imm: number | readonly number[] | undefined) {
  const variables = [...info.args, info.result].map((type, i) => ({ name: `v${i}`, type, location: i }));
  const b = new BlockBuilder(variables, 0);
  b.begin(0, 1);
  const operands = info.args.map((_, i) => b.get(i));
  b.set(info.args.length, imm === undefined ? b.op(name, ...operands) : b.opImm(name, imm, ...operands));
  b.end();
  const block = b.finish({ kind: 'jump', target: 1 });
  return (args: readonly Uint8Array[]): Uint8Array => {
    let result = new Uint8Array();
    interpret(block, {
      get: (variable) => fromBytes(args[variable], info.args[variable]),
      set: (_, value) => {
        result = new Uint8Array(toBytes(value, SIZES[info.result]));
      },
      load: () => new Uint8Array(),
      store: () => {},
      checkStore: () => {},
      helpers: new Map(),
    });
    return result;
  };
}

/** Bytes of a type, often of boundary values: every lane size sees 0, 1, -1, least and greatest, and NaNs. */
function bytesOf(type: Type): fc.Arbitrary<Uint8Array> {
  const length = SIZES[type];
  const edge = fc.constantFrom(0x00, 0x01, 0x7f, 0x80, 0xff);
  const runs = fc
    .tuple(edge, edge, fc.nat({ max: length }))
    .map(([low, high, at]) => Uint8Array.from({ length }, (_, i) => (i < at ? low : high)));
  return fc.oneof(runs, fc.uint8Array({ minLength: length, maxLength: length }), floatBytes(type));
}

function floatBytes(type: Type): fc.Arbitrary<Uint8Array> {
  if (type === 'f32' || type === 'i32')
    return fc.float().map((x) => new Uint8Array(Float32Array.of(x).buffer));
  if (type === 'v128')
    return fc.tuple(fc.double(), fc.double()).map((xs) => new Uint8Array(Float64Array.from(xs).buffer));
  return fc.double().map((x) => new Uint8Array(Float64Array.of(x).buffer));
}

function immediates(name: string): readonly (number | readonly number[] | undefined)[] {
  if (name === 'i8x16.shuffle')
    return [
      [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 31],
      [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    ];
  if (!LANE.test(name)) return [undefined];
  const lanes = Number(/x(\d+)/.exec(name)?.[1]);
  return Array.from({ length: lanes }, (_, lane) => lane);
}

describe('the interpreter', () => {
  it('knows every operation', () => {
    expect([...OPS.keys()].filter((name) => !EVALUATED.has(name))).toEqual([]);
  });

  it.each([4, 8] as const)('traps where a quotient of %i bytes is too large', (size) => {
    const name = size === 4 ? 'i32.div_s' : 'i64.div_s';
    const least = Uint8Array.from({ length: size }, (_, i) => (i === size - 1 ? 0x80 : 0));
    const args = [least, new Uint8Array(size).fill(0xff)];
    for (const run of [compile, interpreted])
      expect(outcome(() => run(name, OPS.get(name)!, undefined)(args))).toBe('trap');
  });

  for (const [name, info] of primitive)
    it(`evaluates ${name} as WebAssembly does`, () => {
      for (const imm of immediates(name)) {
        const native = compile(name, info, imm);
        const ours = interpreted(name, info, imm);
        fc.assert(
          fc.property(fc.tuple(...info.args.map(bytesOf)), (args) => {
            const expected = outcome(() => native(args));
            expect(outcome(() => ours(args))).toEqual(expected);
          }),
          { numRuns: 200 },
        );
      }
    });
});

/** Divisions may trap, in WebAssembly and here. */
function outcome(run: () => Uint8Array): string {
  try {
    return Buffer.from(run()).toString('hex');
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return 'trap';
    throw error;
  }
}
