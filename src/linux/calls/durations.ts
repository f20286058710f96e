import { fail } from '../errno.ts';
import type { System } from '../system.ts';

/**
 * A struct timespec (`unit` 1) or timeval (`unit` 1000, microseconds) in nanoseconds; undefined for a null pointer.
 * Capped where the kernel caps, at 2^63 - 1 nanoseconds (KTIME_MAX), 292 years.
 */
export function readDuration(system: System, address: number, unit: bigint): bigint | undefined {
  if (address === 0) return undefined;
  const seconds = system.user.i64(address);
  const fraction = system.user.i64(address + 8);
  if (seconds < 0n || fraction < 0n || fraction * unit > 999_999_999n) fail('EINVAL');
  const nanoseconds = seconds * 1_000_000_000n + fraction * unit;
  return nanoseconds < LONGEST ? nanoseconds : LONGEST;
}

const LONGEST = 2n ** 63n - 1n;

export function putTimespec(system: System, address: number, nanoseconds: bigint): void {
  system.user.putI64Pair(address, nanoseconds / 1_000_000_000n, nanoseconds % 1_000_000_000n);
}

export function putTimeval(system: System, address: number, nanoseconds: bigint): void {
  system.user.putI64Pair(address, nanoseconds / 1_000_000_000n, (nanoseconds % 1_000_000_000n) / 1000n);
}
