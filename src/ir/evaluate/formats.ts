import { type Value, viewOf } from '../value.ts';

/** Floating-point formats, for what is computed on bit patterns as integers. */
export interface Format {
  readonly bits: number;
  readonly fraction: number;
}

export const F32: Format = { bits: 32, fraction: 23 };
export const F64: Format = { bits: 64, fraction: 52 };

/** The lanes of a vector, as unsigned integers. */
export function lanesOf(value: Value, { bits }: Format): bigint[] {
  const view = viewOf(value as Uint8Array);
  return bits === 32
    ? [0, 4, 8, 12].map((at) => BigInt(view.getUint32(at, true)))
    : [0, 8].map((at) => view.getBigUint64(at, true));
}

/** A vector of such lanes, or of signed ones. */
export function vectorOf(lanes: readonly bigint[], { bits }: Format): Uint8Array {
  const result = new Uint8Array(16);
  const view = viewOf(result);
  lanes.forEach((lane, i) => {
    if (bits === 32) view.setUint32(4 * i, Number(BigInt.asUintN(32, lane)), true);
    else view.setBigUint64(8 * i, BigInt.asUintN(64, lane), true);
  });
  return result;
}
