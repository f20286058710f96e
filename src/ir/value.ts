import type { Immediate } from './node.ts';
import type { Type } from './ops.ts';

/**
 * Values of the interpreter: i32 a signed number, i64 a signed bigint, f32 and f64 their bit patterns in the same forms
 * (so that no NaN passes through a JavaScript number), v128 sixteen bytes that nobody writes to.
 */
export type Value = number | bigint | Uint8Array;

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A constant's immediate as a value. */
export function constantValue(type: Type, imm: Immediate): Value {
  if (type === 'i32' || type === 'f32') return Number(imm) | 0;
  if (type === 'i64' || type === 'f64') return BigInt.asIntN(64, imm as bigint);
  const bytes = new Uint8Array(16);
  const [low, high] = imm as readonly bigint[];
  viewOf(bytes).setBigUint64(0, low, true);
  viewOf(bytes).setBigUint64(8, high, true);
  return bytes;
}

/** A value from little-endian bytes, zero-extended to its type. */
export function fromBytes(bytes: Uint8Array, type: Type): Value {
  const wide = new Uint8Array(16);
  wide.set(bytes);
  if (type === 'i32' || type === 'f32') return viewOf(wide).getInt32(0, true);
  if (type === 'i64' || type === 'f64') return viewOf(wide).getBigInt64(0, true);
  return wide;
}

/** The low `size` little-endian bytes of a value. */
export function toBytes(value: Value, size: number): Uint8Array {
  if (typeof value === 'object') return value.slice(0, size);
  const bytes = new Uint8Array(8);
  if (typeof value === 'number') viewOf(bytes).setInt32(0, value, true);
  else viewOf(bytes).setBigInt64(0, value, true);
  return bytes.subarray(0, size);
}
