import type { System } from './system.ts';

/** The virtual clock at the guest's first instruction: 2020-01-01T00:00:00Z, in nanoseconds. */
export const EPOCH = 1_577_836_800_000_000_000n;
/** What the machine's uptime seems to be then. */
const UPTIME = 3_600_000_000_000n;

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
