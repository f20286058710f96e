import type { Type } from '../../ir/ops.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';

/** Floating-point results as the processor gives them, where WebAssembly leaves them open: NaNs. */

export interface FloatFormat {
  readonly type: 'f32' | 'f64';
  readonly shape: 'f32x4' | 'f64x2';
  readonly bits: 'i32' | 'i64';
  readonly quiet: bigint;
  /** The default NaN: sign set, quiet bit set (SDM volume 1, 4.8.3.7). */
  readonly indefinite: bigint;
}

export const F32: FloatFormat = {
  type: 'f32',
  shape: 'f32x4',
  bits: 'i32',
  quiet: 0x0040_0000n,
  indefinite: 0xffc0_0000n,
};
export const F64: FloatFormat = {
  type: 'f64',
  shape: 'f64x2',
  bits: 'i64',
  quiet: 0x0008_0000_0000_0000n,
  indefinite: 0xfff8_0000_0000_0000n,
};

function constantBits(f: FunctionBuilder, format: FloatFormat, value: bigint): void {
  if (format.bits === 'i32') f.i32(Number(BigInt.asIntN(32, value)));
  else f.i64(BigInt.asIntN(64, value));
}

/**
 * WebAssembly leaves the bits of a NaN result open (and V8 may swap operands), so a NaN result is replaced by the
 * processor's: the first NaN operand quieted, else the default NaN. The branch is never taken in ordinary code.
 */
export function withNan(
  f: FunctionBuilder,
  format: FloatFormat,
  args: readonly number[],
  result: number,
): void {
  f.get(result);
  f.get(result);
  f.op(`${format.type}.ne`);
  f.if(undefined, 'unlikely');
  constantBits(f, format, format.indefinite);
  for (const arg of [...args].reverse()) {
    f.get(arg);
    f.op(`${format.bits}.reinterpret_${format.type}`);
    constantBits(f, format, format.quiet);
    f.op(`${format.bits}.or`);
    // select takes what the operands after this one gave when this one equals itself, so is no NaN.
    f.get(arg);
    f.get(arg);
    f.op(`${format.type}.eq`);
    f.op('select');
  }
  f.op(`${format.type}.reinterpret_${format.bits}`);
  f.set(result);
  f.end();
}

/** The same in every lane, of the value on the stack's top, which goes to the local. */
export function withNans(
  f: FunctionBuilder,
  format: FloatFormat,
  args: readonly number[],
  result: number,
  scratch: (type: Type) => number,
): void {
  const { shape } = format;
  const wide = (x: bigint) => (format.bits === 'i32' ? (x << 32n) | x : x);
  const isNan = scratch('v128');
  f.tee(result);
  f.get(result);
  f.op(`${shape}.ne`);
  f.tee(isNan);
  // Of lanes that are all ones or zeros: two host instructions where any_true takes four.
  f.op(format.bits === 'i32' ? 'i32x4.bitmask' : 'i64x2.bitmask');
  f.if(undefined, 'unlikely');
  // bitselect(x, y, mask) takes x where the mask is set.
  for (const arg of args) {
    f.get(arg);
    f.v128(wide(format.quiet), wide(format.quiet));
    f.op('v128.or');
  }
  f.v128(wide(format.indefinite), wide(format.indefinite));
  for (const arg of [...args].reverse()) {
    f.get(arg);
    f.get(arg);
    f.op(`${shape}.ne`);
    f.op('v128.bitselect');
  }
  f.get(result);
  f.get(isNan);
  f.op('v128.bitselect');
  f.set(result);
  f.end();
}
