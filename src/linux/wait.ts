import { blockedForever } from './blocked.ts';
import { elapsed, sleep } from './clock.ts';
import { NotYet, type Wait } from './not-yet.ts';
import type { System } from './system.ts';
import { expireTimers, untilNextExpiry } from './timers.ts';

/** Never returns: the call is made again later. */
export function waitFor(wait: Omit<Wait, 'kind'>): never {
  throw new NotYet({ kind: 'wait', ...wait });
}

export const never = (): boolean => false;

/** When a call that waits so long gives up, the same each time it is made again; undefined for never. */
export function deadlineAfter(system: System, duration: bigint | undefined): bigint | undefined {
  if (system.waited !== undefined) return system.waited.deadline;
  return duration === undefined ? undefined : elapsed(system) + (duration > 0n ? duration : 0n);
}

/** Whether the deadline of a call has come. */
export function isOver(system: System, deadline: bigint | undefined): boolean {
  return deadline !== undefined && deadline <= elapsed(system);
}

/** Others have their turn behind the call, so that waiting by asking again and again comes to an end. */
export function giveWay(system: System): void {
  system.yields = true;
}

/**
 * Nobody else can run: the clock goes to the deadline, if the call has one, or to where a timer expires, if that comes
 * first. Throws Failure `guest-blocked`.
 */
export function passTime(system: System, { call, reason, deadline }: Wait): void {
  const left = deadline === undefined ? undefined : deadline - elapsed(system);
  const expiry = untilNextExpiry(system);
  if (left === undefined && expiry === undefined) throw blockedForever(call, reason);
  sleep(system, expiry !== undefined && (left === undefined || expiry < left) ? expiry : left!);
  expireTimers(system);
}
