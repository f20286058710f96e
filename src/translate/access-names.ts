import type { Type } from '../ir/ops.ts';

/** Bytes of a value. */
export const sizeOf = (type: Type): number =>
  type === 'v128' ? 16 : type === 'i64' || type === 'f64' ? 8 : 4;

/** The instruction that reads `size` bytes as a value of the type. */
export function loadName(type: Type, size: number): string {
  switch (type) {
    case 'i32':
      return size === 1 ? 'i32.load8_u' : size === 2 ? 'i32.load16_u' : 'i32.load';
    case 'i64':
      return size === 8 ? 'i64.load' : `i64.load${8 * size}_u`;
    case 'v128':
      return size === 16 ? 'v128.load' : `v128.load${8 * size}_zero`;
    default:
      return `${type}.load`;
  }
}

/** The instruction that writes the low `size` bytes of a value of the type. */
export function storeName(type: Type, size: number): string {
  switch (type) {
    case 'i32':
      return size === 1 ? 'i32.store8' : size === 2 ? 'i32.store16' : 'i32.store';
    case 'i64':
      return size === 8 ? 'i64.store' : `i64.store${8 * size}`;
    case 'v128':
      return size === 16 ? 'v128.store' : `v128.store${8 * size}_lane`;
    default:
      return `${type}.store`;
  }
}
