import { elapsed, monotonicTime, realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import type { System } from '../system.ts';

/** Time of clock_gettime's clock ids (linux/time.h), 0 to 11 as far as there are such clocks. */
export function timeOf(system: System, clock: number): bigint {
  return isCpuClock(system, clock) ? system.instructions() : elapsed(system) + offsetOf(system, clock);
}

/** Whether the clock counts the guest's instructions alone. Throws EINVAL where there is no such clock. */
export function isCpuClock(system: System, clock: number): boolean {
  if (clock === 2 || clock === 3 || isOwnCpuClock(system, clock)) return true;
  offsetOf(system, clock);
  return false;
}

/** What the clock shows ahead of the line that it follows. */
export function offsetOf(system: System, clock: number): bigint {
  switch (clock) {
    case 0:
    case 5:
      return realTime(system) - elapsed(system);
    case 11:
      // TAI was 37 seconds ahead of UTC in 2020.
      return realTime(system) - elapsed(system) + 37_000_000_000n;
    case 1:
    case 4:
    case 6:
    case 7:
      return monotonicTime(system) - elapsed(system);
    default:
      return clock === 2 || clock === 3 || isOwnCpuClock(system, clock) ? 0n : fail('EINVAL');
  }
}

/** CLOCK_REALTIME_ALARM, CLOCK_BOOTTIME_ALARM: a machine without a clock of its own that runs on cannot be woken by them. */
export const isAlarmClock = (clock: number): boolean => clock === 8 || clock === 9;

/** CLOCK_MONOTONIC_RAW and the coarse ones: they are there to be read. */
const READ_ONLY = [4, 5, 6];

/** Throws EOPNOTSUPP where nothing can wait by the clock. */
export function requireWaiting(clock: number): void {
  if (READ_ONLY.includes(clock) || isAlarmClock(clock)) fail('EOPNOTSUPP');
}

/** Negative ids are CPU clocks of a process (~pid << 3 | 2); the guest can ask for its own, by pid 0 or its number. */
function isOwnCpuClock(system: System, clock: number): boolean {
  const pid = ~(clock >> 3);
  return clock < 0 && (pid === 0 || pid === system.state.process.id);
}
