import { elapsed } from './clock.ts';
import { isHeld } from './open-files.ts';
import { fromKernel, fromTimer, setOverrun } from './signals/information.ts';
import { pendingOf, sendToProcess, sendToThread } from './signals/send.ts';
import type { System } from './system.ts';
import { threadTime } from './threads.ts';
import type { Timer } from './timer.ts';

/** Timers on the virtual clock: they expire at an exact number of instructions, or while the guest sleeps. */

/** Now, on the time line that the timer follows. */
export function timeLine(system: System, timer: Pick<Timer, 'follows'>): bigint {
  const { follows } = timer;
  if (follows === 'time') return elapsed(system);
  if (follows === 'processor') return system.instructions();
  // That of a thread that has ended stands still.
  return system.state.threads.has(follows) ? threadTime(system, follows) : 0n;
}

/** Arms or, without a time, disarms. Times that have passed expire at once. */
export function arm(timer: Timer, expires: bigint | undefined, interval: bigint): void {
  timer.expires = expires;
  timer.interval = interval;
  timer.expirations = 0n;
}

/** Time until it expires: 0 for one that is disarmed. */
export function timeLeft(system: System, timer: Timer): bigint {
  if (timer.expires === undefined) return 0n;
  const left = timer.expires - timeLine(system, timer);
  return left > 0n ? left : 1n;
}

/** The process's own, and those that any process may wait for. */
function* timersFor({ state }: System): Iterable<Timer> {
  yield* state.timers.values();
  for (const { timer } of state.shared.timers) yield timer;
}

export const hasTimers = ({ state }: System): boolean => state.timers.size + state.shared.timers.size > 0;

/** Lets expire what is due: signals are sent, in the order in which they were due. */
export function expireTimers(system: System): void {
  for (;;) {
    let due: Timer | undefined;
    for (const timer of timersFor(system))
      if (isDue(system, timer) && (due === undefined || timer.expires! < due.expires!)) due = timer;
    if (due === undefined) return;
    expire(system, due);
  }
}

/** Of a timer that another process may have made: its expirations up to now. */
export function expireTimer(system: System, timer: Timer): void {
  if (isDue(system, timer)) expire(system, timer);
}

const isDue = (system: System, timer: Timer): boolean =>
  timer.expires !== undefined && timer.expires <= timeLine(system, timer);

function expire(system: System, timer: Timer): void {
  const late = timeLine(system, timer) - timer.expires!;
  const missed = timer.interval === 0n ? 0n : late / timer.interval;
  timer.fired++;
  timer.expirations += 1n + missed;
  timer.expires = timer.interval === 0n ? undefined : timer.expires! + (missed + 1n) * timer.interval;
  const { tells } = timer;
  if (tells.kind === 'signal') sendToProcess(system.state, fromKernel(tells.signal));
  if (tells.kind !== 'queued signal') return;
  const pending = pendingOf(system.state, tells.id);
  if (pending !== undefined) {
    timer.overrun += 1n + missed;
    setOverrun(pending, Number(timer.overrun));
    return;
  }
  timer.overrun = missed;
  const info = { ...fromTimer(tells.signal, tells.id, Number(missed), tells.value), timer: tells.id };
  if (tells.thread === undefined) return sendToProcess(system.state, info);
  // Who has ended is told nothing.
  const thread = system.state.threads.get(tells.thread);
  if (thread !== undefined) sendToThread(system.state, thread, info);
}

/**
 * The count of instructions at which the next signal of a timer comes if the guest goes on without sleeping. Where threads wait, `others`
 * asks for timers, too, that tell nobody: who waits for their descriptor sees them.
 */
export function nextTimerSignal(system: System, others: boolean): bigint | undefined {
  let next: bigint | undefined;
  for (const timer of timersFor(system)) {
    if (timer.expires === undefined || (timer.tells.kind === 'nobody' && !others)) continue;
    if (typeof timer.follows === 'number' && timer.follows !== system.state.running) continue;
    const at = system.instructions() + timer.expires - timeLine(system, timer);
    if (next === undefined || at < next) next = at;
  }
  return next;
}

/** Time until the next timer expires while the guest sleeps. */
export function untilNextExpiry(system: System): bigint | undefined {
  const { timers } = system.state.shared;
  for (const node of timers) if (!isHeld(system, node)) timers.delete(node);
  let next: bigint | undefined;
  for (const timer of timersFor(system)) {
    if (timer.expires === undefined || timer.follows !== 'time') continue;
    const left = timer.expires - elapsed(system);
    if (next === undefined || left < next) next = left;
  }
  return next;
}
