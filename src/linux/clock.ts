import type { System } from './system.ts';

/**
 * The virtual clock at the guest's first instruction: 2035-01-01T00:00:00Z, in nanoseconds. It lies behind the times of all
 * files that have their own (fs/times.ts), and before the last second that 32 bits hold.
 */
export const EPOCH = 2_051_222_400_000_000_000n;
/** What the machine's uptime seems to be then. */
export const UPTIME = 3_600_000_000_000n;

/** Time of the guest's life: a nanosecond an instruction of any of its processes, and what they slept. */
export function elapsed(system: System): bigint {
  const { elsewhere, slept } = system.state.shared;
  return system.instructions() + elsewhere + slept;
}

export function realTime(system: System): bigint {
  return EPOCH + elapsed(system);
}

export function monotonicTime(system: System): bigint {
  return UPTIME + elapsed(system);
}

export function sleep(system: System, nanoseconds: bigint): void {
  if (nanoseconds > 0n) system.state.shared.slept += nanoseconds;
}
