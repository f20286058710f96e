import { type Args, int, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import { LAST_SIGNAL, SIGALRM } from '../signals/sets.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import type { Timer } from '../timer.ts';
import { arm, timeLeft, timeLine } from '../timers.ts';
import { lineOf, offsetOf, requireWaiting } from './clocks.ts';
import { putTimespec, putTimeval, readDuration } from './durations.ts';

const SIGVTALRM = 26;
const SIGPROF = 27;

/** ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF. */
const INTERVAL_TIMERS = [
  { name: 'real', follows: 'time', signal: SIGALRM },
  { name: 'virtual', follows: 'processor', signal: SIGVTALRM },
  { name: 'profile', follows: 'processor', signal: SIGPROF },
] as const;

function intervalTimer(system: System, which: number): Timer {
  const kind = INTERVAL_TIMERS[which] ?? fail('EINVAL');
  const { timers } = system.state;
  let timer = timers.get(kind.name);
  if (timer === undefined) {
    timer = newTimer(kind.follows, 1, { kind: 'signal', signal: kind.signal });
    timers.set(kind.name, timer);
  }
  return timer;
}

export function newTimer(follows: Timer['follows'], clock: number, tells: Timer['tells']): Timer {
  return { follows, clock, tells, expires: undefined, interval: 0n, expirations: 0n, overrun: 0n, fired: 0 };
}

/** Starts anew, so long from now; 0 stops it. */
function armIn(system: System, timer: Timer, duration: bigint, interval: bigint): void {
  arm(timer, duration === 0n ? undefined : timeLine(system, timer) + duration, interval);
}

/** Seconds left are rounded to the nearest, but never to none. */
function alarm(system: System, [seconds]: Args): bigint {
  const timer = intervalTimer(system, 0);
  const left = timeLeft(system, timer);
  armIn(system, timer, BigInt.asUintN(32, seconds) * 1_000_000_000n, 0n);
  if (left === 0n) return 0n;
  return left < 1_000_000_000n ? 1n : (left + 500_000_000n) / 1_000_000_000n;
}

/** struct itimerval: interval, value. */
function putIntervals(system: System, address: number, timer: Timer): void {
  system.user.requireWritable(address, 32);
  putTimeval(system, address, timer.expires === undefined ? 0n : timer.interval);
  putTimeval(system, address + 16, timeLeft(system, timer));
}

function setIntervalTimer(system: System, [which, wanted, old]: Args): number {
  const timer = intervalTimer(system, int(which));
  const interval = readDuration(system, size(wanted), 1000n) ?? 0n;
  const value = size(wanted) === 0 ? 0n : readDuration(system, size(wanted) + 16, 1000n)!;
  if (size(old) !== 0) putIntervals(system, size(old), timer);
  armIn(system, timer, value, interval);
  return 0;
}

function getIntervalTimer(system: System, [which, address]: Args): number {
  putIntervals(system, size(address), intervalTimer(system, int(which)));
  return 0;
}

const SIGEV_SIGNAL = 0;
const SIGEV_NONE = 1;
/** To the kernel the same as a signal; the C library makes the thread. */
const SIGEV_THREAD = 2;
const SIGEV_THREAD_ID = 4;

/** struct sigevent: value, signal, how, thread (good_sigevent in kernel/time/posix-timers.c). */
function tellingOf(system: System, event: number, id: number): Timer['tells'] {
  const value = system.user.u64(event);
  const signal = system.user.i32(event + 8);
  const how = system.user.i32(event + 12);
  if (how === SIGEV_NONE) return { kind: 'nobody' };
  if (![SIGEV_SIGNAL, SIGEV_THREAD, SIGEV_THREAD_ID].includes(how)) fail('EINVAL');
  if (signal < 1 || signal > LAST_SIGNAL) fail('EINVAL');
  const told = { kind: 'queued signal', signal, id, value } as const;
  if (how !== SIGEV_THREAD_ID) return told;
  const thread = system.user.i32(event + 16);
  return system.state.threads.has(thread) ? { ...told, thread } : fail('EINVAL');
}

function createTimer(system: System, [clock, event, number]: Args): number {
  const { timers } = system.state;
  requireWaiting(int(clock));
  const follows = lineOf(system, int(clock));
  let id = 0;
  while (timers.has(id)) id++;
  const tells: Timer['tells'] =
    size(event) === 0
      ? { kind: 'queued signal', signal: SIGALRM, id, value: BigInt(id) }
      : tellingOf(system, size(event), id);
  system.user.putI32(size(number), id);
  timers.set(id, newTimer(follows, int(clock), tells));
  return 0;
}

function timerOf(system: System, number: bigint): Timer {
  return system.state.timers.get(int(number)) ?? fail('EINVAL');
}

const TIMER_ABSTIME = 1;

/** struct itimerspec: interval, value. Also of timer descriptors, whose flag has the same value. */
export function setTimer(system: System, timer: Timer, flags: number, wanted: number, old: number): number {
  const interval = readDuration(system, wanted, 1n) ?? fail('EINVAL');
  const value = readDuration(system, wanted + 16, 1n)!;
  if (old !== 0) putTimer(system, timer, old);
  const isAbsolute = (flags & TIMER_ABSTIME) !== 0;
  const start = isAbsolute ? -offsetOf(system, timer.clock) : timeLine(system, timer);
  arm(timer, value === 0n ? undefined : start + value, interval);
  return 0;
}

export function putTimer(system: System, timer: Timer, address: number): void {
  system.user.requireWritable(address, 32);
  putTimespec(system, address, timer.interval);
  putTimespec(system, address + 16, timeLeft(system, timer));
}

function deleteTimer(system: System, [number]: Args): number {
  timerOf(system, number);
  system.state.timers.delete(int(number));
  return 0;
}

export const TIMER_CALLS: readonly SyscallRow[] = [
  row(36, 'getitimer', 2, getIntervalTimer),
  row(37, 'alarm', 1, alarm),
  row(38, 'setitimer', 3, setIntervalTimer),
  row(222, 'timer_create', 3, createTimer),
  row(223, 'timer_settime', 4, (s, [number, flags, wanted, old]) =>
    setTimer(s, timerOf(s, number), int(flags), size(wanted), size(old)),
  ),
  row(224, 'timer_gettime', 2, (s, [number, address]) => {
    putTimer(s, timerOf(s, number), size(address));
    return 0;
  }),
  row(225, 'timer_getoverrun', 1, (s, [number]) => Number(timerOf(s, number).overrun)),
  row(226, 'timer_delete', 1, deleteTimer),
];
