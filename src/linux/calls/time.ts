import { type Args, int, size } from '../arguments.ts';
import { elapsed, realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, isOver, never, waitFor } from '../wait.ts';
import { lineOf, requireWaiting, timeOf } from './clocks.ts';
import { putTimespec, putTimeval, readDuration } from './durations.ts';

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

/** Where a signal ends the sleep, what was left of it goes to `remaining`. */
function sleepFor(system: System, call: string, duration: bigint, remaining: number): number {
  const deadline = deadlineAfter(system, duration)!;
  if (isOver(system, deadline)) return 0;
  return waitFor({
    call,
    reason: 'the time has not come',
    deadline,
    isReady: never,
    endsBySignal: true,
    ...(remaining !== 0 && {
      interrupted: () => putTimespec(system, remaining, deadline - elapsed(system)),
    }),
  });
}

function nanosleep(system: System, [request, remaining]: Args): number {
  const duration = readDuration(system, size(request), 1n) ?? fail('EFAULT');
  return sleepFor(system, 'nanosleep', duration, size(remaining));
}

const TIMER_ABSTIME = 1;

function clockNanosleep(system: System, [clock, flags, request, remaining]: Args): number {
  const id = int(clock);
  requireWaiting(id);
  const now = timeOf(system, id);
  // The time of a processor that sleeps does not pass.
  if (lineOf(system, id) !== 'time') fail('EOPNOTSUPP');
  const duration = readDuration(system, size(request), 1n) ?? fail('EFAULT');
  const isAbsolute = (int(flags) & TIMER_ABSTIME) !== 0;
  return sleepFor(
    system,
    'clock_nanosleep',
    isAbsolute ? duration - now : duration,
    isAbsolute ? 0 : size(remaining),
  );
}

/** TIME_ERROR: nobody keeps the clock right. */
const UNSYNCHRONISED = 5;

/** struct timex, to read only. */
function clockState(system: System, address: bigint): number {
  if (system.user.i32(size(address)) !== 0) fail('EPERM');
  const now = realTime(system);
  const words = new BigInt64Array(26);
  // From byte 24 on: maxerror, esterror, status (STA_UNSYNC), constant, precision, tolerance, time, tick.
  words.set([16_000_000n, 16_000_000n, 64n, 2n, 1n, 32_768_000n], 3);
  words.set([now / 1_000_000_000n, (now % 1_000_000_000n) / 1000n, 10_000n], 9);
  system.user.write(size(address), new Uint8Array(words.buffer));
  return UNSYNCHRONISED;
}

export const TIME_CALLS: readonly SyscallRow[] = [
  row(35, 'nanosleep', 2, nanosleep),
  row(159, 'adjtimex', 1, (s, [address]) => clockState(s, address)),
  row(305, 'clock_adjtime', 2, (s, [clock, address]) =>
    int(clock) === 0 ? clockState(s, address) : fail('EOPNOTSUPP'),
  ),
  row(96, 'gettimeofday', 2, getTimeOfDay),
  row(100, 'times', 1, times),
  row(201, 'time', 1, time),
  // Only root sets the clock of the day, and nobody another one.
  row(227, 'clock_settime', 2, (_system, [clock]) => fail(int(clock) === 0 ? 'EPERM' : 'EINVAL')),
  row(228, 'clock_gettime', 2, getTime),
  row(229, 'clock_getres', 2, getResolution),
  row(230, 'clock_nanosleep', 4, clockNanosleep),
];
