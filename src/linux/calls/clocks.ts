import { EPOCH, UPTIME } from '../clock.ts';
import { fail } from '../errno.ts';
import type { System } from '../system.ts';
import type { Timer } from '../timer.ts';
import { timeLine } from '../timers.ts';

/** Time of clock_gettime's clock ids (linux/time.h), 0 to 11 as far as there are such clocks. */
export function timeOf(system: System, clock: number): bigint {
  return timeLine(system, { follows: lineOf(system, clock) }) + offsetOf(system, clock);
}

/** What the clock follows. Throws EINVAL where there is no such clock. */
export function lineOf(system: System, clock: number): Timer['follows'] {
  if (clock === 2 || isOwnCpuClock(system, clock)) return 'processor';
  const thread = threadOfClock(system, clock);
  if (thread !== undefined) return thread;
  offsetOf(system, clock);
  return 'time';
}

/** What the clock shows ahead of the line that it follows. */
export function offsetOf(system: System, clock: number): bigint {
  switch (clock) {
    case 0:
    case 5:
      return EPOCH;
    case 11:
      // TAI was 37 seconds ahead of UTC in 2020.
      return EPOCH + 37_000_000_000n;
    case 1:
    case 4:
    case 6:
    case 7:
      return UPTIME;
    default:
      if (clock === 2 || isOwnCpuClock(system, clock)) return 0n;
      return threadOfClock(system, clock) === undefined ? fail('EINVAL') : 0n;
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

/** Of negative ids, which are CPU clocks (~pid << 3 | 2): that of a thread is meant. */
const PER_THREAD = 4;

/** The guest can ask for its own process's, by 0 or its number... */
function isOwnCpuClock(system: System, clock: number): boolean {
  const pid = ~(clock >> 3);
  return clock < 0 && (clock & PER_THREAD) === 0 && (pid === 0 || pid === system.state.process.id);
}

/** ...and for those of its threads, likewise. */
function threadOfClock({ state: { running, threads } }: System, clock: number): number | undefined {
  if (clock === 3) return running;
  const id = ~(clock >> 3);
  if (clock >= 0 || (clock & PER_THREAD) === 0) return undefined;
  if (id === 0) return running;
  return threads.has(id) ? id : undefined;
}
