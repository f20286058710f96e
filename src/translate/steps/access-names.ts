import type { Type } from '../../ir/ops.ts';

/** Bytes of a value. */
export const sizeOf = (type: Type): number =>
  type === 'v128' ? 16 : type === 'i64' || type === 'f64' ? 8 : 4;

type Names = Readonly<Record<Type, Readonly<Record<number, string>>>>;

/** Spelt out: a name that is put together is a new string, which must be hashed to be found. */
const LOADS: Names = {
  i32: { 1: 'i32.load8_u', 2: 'i32.load16_u', 4: 'i32.load' },
  i64: { 1: 'i64.load8_u', 2: 'i64.load16_u', 4: 'i64.load32_u', 8: 'i64.load' },
  f32: { 4: 'f32.load' },
  f64: { 8: 'f64.load' },
  v128: { 4: 'v128.load32_zero', 8: 'v128.load64_zero', 16: 'v128.load' },
};

const STORES: Names = {
  i32: { 1: 'i32.store8', 2: 'i32.store16', 4: 'i32.store' },
  i64: { 1: 'i64.store8', 2: 'i64.store16', 4: 'i64.store32', 8: 'i64.store' },
  f32: { 4: 'f32.store' },
  f64: { 8: 'f64.store' },
  v128: { 4: 'v128.store32_lane', 8: 'v128.store64_lane', 16: 'v128.store' },
};

/** The instruction that reads `size` bytes as a value of the type. */
export const loadName = (type: Type, size: number): string => LOADS[type][size];

/** The instruction that writes the low `size` bytes of a value of the type. */
export const storeName = (type: Type, size: number): string => STORES[type][size];
