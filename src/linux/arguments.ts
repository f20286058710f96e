/** System call arguments are 64-bit registers; the kernel's prototypes say how much of them counts. */
export type Args = readonly bigint[];

/** A C int: descriptors, flags, modes. */
export function int(register: bigint): number {
  return Number(BigInt.asIntN(32, register));
}

/** A C unsigned int. */
export function uint(register: bigint): number {
  return Number(BigInt.asUintN(32, register));
}

/**
 * A pointer or size_t. Inexact from 2^53 on, which changes nothing: guest addresses and lengths end far below, and
 * whatever lies above is refused.
 */
export function size(register: bigint): number {
  return Number(BigInt.asUintN(64, register));
}

/** A C long: file offsets. Inexact from 2^53 on, see `size`. */
export function long(register: bigint): number {
  return Number(BigInt.asIntN(64, register));
}
