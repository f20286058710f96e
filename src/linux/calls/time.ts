import { type Args, int, size } from '../arguments.ts';
import { elapsed, monotonicTime, realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, waitUntil } from '../wait.ts';
import { putTimespec, putTimeval, readDuration } from './durations.ts';

/** Time of clock_gettime's clock ids (linux/time.h), 0 to 11 as far as there are such clocks. */
function timeOf(system: System, clock: number): bigint {
  switch (clock) {
    case 0:
    case 5:
    case 8:
      return realTime(system);
    case 11:
      // TAI was 37 seconds ahead of UTC in 2020.
      return realTime(system) + 37_000_000_000n;
    case 1:
    case 4:
    case 6:
    case 7:
    case 9:
      return monotonicTime(system);
    case 2:
    case 3:
      return system.instructions();
    default:
      return isOwnCpuClock(system, clock) ? system.instructions() : fail('EINVAL');
  }
}

/** Negative ids are CPU clocks of a process (~pid << 3 | 2); the guest can ask for its own, by pid 0 or its number. */
function isOwnCpuClock(system: System, clock: number): boolean {
  const pid = ~(clock >> 3);
  return clock < 0 && (pid === 0 || pid === system.state.process.id);
}

function getTime(system: System, [clock, address]: Args): number {
  putTimespec(system, size(address), timeOf(system, int(clock)));
  return 0;
}

/** Coarse clocks tick with the timer, at 250 Hz; the others every nanosecond. */
function getResolution(system: System, [clock, address]: Args): number {
  timeOf(system, int(clock));
  const isCoarse = int(clock) === 5 || int(clock) === 6;
  if (size(address) !== 0) putTimespec(system, size(address), isCoarse ? 4_000_000n : 1n);
  return 0;
}

function getTimeOfDay(system: System, [time, zone]: Args): number {
  if (size(time) !== 0) putTimeval(system, size(time), realTime(system));
  if (size(zone) !== 0) system.user.write(size(zone), new Uint8Array(8));
  return 0;
}

function time(system: System, [address]: Args): bigint {
  const seconds = realTime(system) / 1_000_000_000n;
  if (size(address) !== 0) system.user.putI64(size(address), seconds);
  return seconds;
}

/** CLK_TCK of 100: struct tms of user, system, children's user and system time. */
const TICK = 10_000_000n;

function times(system: System, [address]: Args): bigint {
  if (size(address) !== 0) {
    const record = BigInt64Array.of(
      system.instructions() / TICK,
      0n,
      system.state.process.childInstructions / TICK,
      0n,
    );
    system.user.write(size(address), new Uint8Array(record.buffer));
  }
  return elapsed(system) / TICK;
}

function nanosleep(system: System, [request]: Args): number {
  if (size(request) === 0) fail('EFAULT');
  waitUntil(system, 'nanosleep', deadlineAfter(system, readDuration(system, size(request), 1n))!);
  return 0;
}

const TIMER_ABSTIME = 1;

function clockNanosleep(system: System, [clock, flags, request]: Args): number {
  const now = timeOf(system, int(clock));
  if (size(request) === 0) fail('EFAULT');
  const duration = readDuration(system, size(request), 1n)!;
  const isAbsolute = (int(flags) & TIMER_ABSTIME) !== 0;
  waitUntil(system, 'clock_nanosleep', deadlineAfter(system, isAbsolute ? duration - now : duration)!);
  return 0;
}

export const TIME_CALLS: readonly SyscallRow[] = [
  row(35, 'nanosleep', 2, nanosleep),
  row(96, 'gettimeofday', 2, getTimeOfDay),
  row(100, 'times', 1, times),
  row(201, 'time', 1, time),
  row(227, 'clock_settime', 2, () => fail('EPERM')),
  row(228, 'clock_gettime', 2, getTime),
  row(229, 'clock_getres', 2, getResolution),
  row(230, 'clock_nanosleep', 4, clockNanosleep),
];
