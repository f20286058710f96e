import { describe, expect, it } from 'vitest';
import { BlockBuilder, type Variable } from '../../src/ir/builder.ts';
import { f64Of } from '../../src/ir/evaluate/float.ts';
import { interpret } from '../../src/ir/interpreter.ts';
import type { Immediate, Node } from '../../src/ir/node.ts';
import { OPS, type OpInfo, type Type } from '../../src/ir/ops.ts';
import type { Value } from '../../src/ir/value.ts';
import { helperFunction } from '../../src/translate/lowering/helper-functions.ts';
import { hostFuses } from '../../src/translate/lowering/host-fma.ts';
import { Scratch, Values } from '../../src/translate/lowering/values.ts';
import { FunctionBuilder } from '../../src/wasm/function.ts';
import { ModuleBuilder } from '../../src/wasm/module.ts';
import { HELPERS } from '../../src/x86/helpers.ts';

/**
 * Every operation, lowered and run by the engine's WebAssembly, against the interpreter, bit for bit: the interpreter is
 * what the host processor was compared with.
 */
const CASES = Number(process.env.OPERATION_CASES ?? 400);
const SIZES: Readonly<Record<Type, number>> = { i32: 4, i64: 8, f32: 4, f64: 8, v128: 16 };
/** Operations of which any NaN is as good as another. */
const LEAVES_NAN_OPEN = /^f64\.(add|sub|mul|div)$/;
const ARGUMENT = 64;
const RESULT = 1024;

describe('every operation of the IR gives the same bits as WebAssembly and in the interpreter', () => {
  for (const [op, info] of OPS)
    it(op, () => {
      for (const imm of immediatesOf(op)) compare(op, info, imm, false);
    });
});

describe.skipIf(!hostFuses())('those that multiply and add, where the host rounds once', () => {
  for (const [op, info] of OPS)
    if (/\.fma(_ftz)?$/.test(op))
      it(op, () => {
        for (const imm of immediatesOf(op)) compare(op, info, imm, true);
      });
});

function compare(op: string, info: OpInfo, imm: Immediate, fuses: boolean): void {
  const variables = info.args.map((type, i): Variable => ({ name: `v${i}`, type, location: undefined }));
  const builder = new BlockBuilder(
    [...variables, { name: 'result', type: info.result, location: undefined }],
    0,
  );
  builder.begin(0, 1);
  const node = builder.opImm(op, imm, ...info.args.map((_, i) => builder.get(i)));
  builder.set(info.args.length, node);
  builder.end();
  const block = builder.finish({ kind: 'jump', target: 1 });
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const run = compile(node, info, memory, fuses);
  const bytes = new Uint8Array(memory.buffer);
  const random = generator(0x1db7 + op.length);
  for (let i = 0; i < CASES; i++) {
    info.args.forEach((type, a) => {
      bytes.set(operand(type, op, random), ARGUMENT * a);
    });
    // Lifted code guards divisions: the quotient is in range.
    if (/\.(div|rem)_/.test(op)) bytes[ARGUMENT] = (bytes[ARGUMENT] & 0x7e) | 1;
    run();
    let result: Value | undefined;
    interpret(block, {
      get: (variable) => valueAt(memory, info.args[variable], ARGUMENT * variable),
      set: (_, value) => {
        result = value;
      },
      load: () => new Uint8Array(0),
      store: () => {},
      checkStore: () => {},
      helpers: new Map(),
    });
    const inputs = info.args.map((type, a) => valueAt(memory, type, ARGUMENT * a));
    const { buffer } = memory;
    if (LEAVES_NAN_OPEN.test(op) && Number.isNaN(new DataView(buffer).getFloat64(RESULT, true))) {
      expect(f64Of(result as bigint)).toBeNaN();
      continue;
    }
    expect({ inputs, imm, result: valueAt(memory, info.result, RESULT) }).toEqual({ inputs, imm, result });
  }
}

/** A function that takes the operands from memory and leaves the result there: no NaN passes through JavaScript. */
function compile(node: Node, info: OpInfo, memory: WebAssembly.Memory, fuses: boolean): () => void {
  const module = new ModuleBuilder();
  module.importMemory('env', 'memory', 1);
  const helper = HELPERS.get(info.helper ?? '');
  const called = helper === undefined ? -1 : module.importFunction('env', 'helper', helper);
  const f = new FunctionBuilder({ params: [], results: [] });
  const locals = info.args.map((type) => f.local(type));
  info.args.forEach((type, i) => {
    f.i32(0);
    f.memory(`${type}.load`, ARGUMENT * i);
    f.set(locals[i]);
  });
  const values = new Values(f, new Scratch(f), (variable) => locals[variable], {
    helper: () => called,
    fuses,
  });
  values.count(node);
  f.i32(0);
  values.emit(node);
  f.memory(`${info.result}.store`, RESULT);
  module.export('run', module.define(f));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), {
    env: { memory, ...(helper === undefined ? {} : { helper: helperFunction(helper) }) },
  });
  return instance.exports.run as () => void;
}

function valueAt(memory: WebAssembly.Memory, type: Type, offset: number): Value {
  const view = new DataView(memory.buffer);
  switch (type) {
    case 'i32':
    case 'f32':
      return view.getInt32(offset, true);
    case 'i64':
    case 'f64':
      return view.getBigInt64(offset, true);
    case 'v128':
      return new Uint8Array(memory.buffer.slice(offset, offset + 16));
  }
}

function immediatesOf(op: string): Immediate[] {
  if (op === 'i8x16.shuffle')
    return [
      [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23],
      [31, 0, 30, 1, 29, 2, 28, 3, 3, 3, 3, 3, 15, 16, 15, 16],
    ];
  // Signs: as they are, the product's, all addends', every other addend's.
  if (op.endsWith('.fma')) return [0, 1, 0b11110, 0b10101];
  const shape = /^([if]\d+)x(\d+)\.(extract|replace)_lane/.exec(op);
  return shape === null ? [undefined] : Array.from({ length: Number(shape[2]) }, (_, lane) => lane);
}

/** xorshift32: the same operands in every run. */
function generator(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const EDGES32 = [
  0, 1, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0001, 0x7f80_0001,
  0x3f80_0000, 0x4f00_0000, 0x0000_0001, 0x5f00_0000,
];
const EDGES64 = [
  0n,
  1n,
  0x7fff_ffff_ffff_ffffn,
  1n << 63n,
  (1n << 64n) - 1n,
  0x7ff0_0000_0000_0000n,
  0xfff0_0000_0000_0000n,
  0x7ff8_0000_0000_0001n,
  0x7ff0_0000_0000_0001n,
  0x3ff0_0000_0000_0000n,
  0x41e0_0000_0000_0000n,
  0x43e0_0000_0000_0000n,
  0xc1e0_0000_0020_0000n,
  0x36a0_0000_0000_0000n,
];

/** Products of these are, or are rounded to, the least normal number. */
const NEAR_LEAST64 = [0n, 0x3ff0n << 48n, 0x3fef_ffff_ffff_ffffn, 1n << 52n, (1n << 52n) + 1n, 0x801n << 52n];
const NEAR_LEAST32 = [0, 0x3f80_0000, 0x3f7f_ffff, 0x0080_0000, 0x0080_0001, 0x8080_0000];

/** Random bits, edge cases, and values of ordinary size. Shift counts stay below the width that WebAssembly wraps at. */
function operand(type: Type, op: string, random: () => number): Uint8Array {
  const bytes = new Uint8Array(SIZES[type]);
  const view = new DataView(bytes.buffer);
  const wide = type === 'i64' || type === 'f64' || (type === 'v128' && op.includes('64x2'));
  for (let at = 0; at < bytes.length; at += wide ? 8 : 4) {
    const kind = random() % 3;
    if (op.includes('.fma') && random() % 2 === 0) {
      const number = random() % NEAR_LEAST64.length;
      if (wide) view.setBigUint64(at, NEAR_LEAST64[number], true);
      else view.setUint32(at, NEAR_LEAST32[number], true);
    } else if (wide) {
      if (kind === 0) view.setBigUint64(at, EDGES64[random() % EDGES64.length], true);
      else if (kind === 1) view.setFloat64(at, ((random() | 0) / 65536) * 2 ** ((random() % 64) - 32), true);
      else view.setBigUint64(at, (BigInt(random()) << 32n) | BigInt(random()), true);
    } else if (kind === 0) view.setUint32(at, EDGES32[random() % EDGES32.length], true);
    else if (kind === 1) view.setFloat32(at, ((random() | 0) / 65536) * 2 ** ((random() % 64) - 32), true);
    else view.setUint32(at, random(), true);
  }
  return bytes;
}
