import { blockedForever } from './blocked.ts';
import { elapsed, sleep } from './clock.ts';
import { Interrupted } from './errno.ts';
import { isInterrupted } from './signals/pending.ts';
import type { System } from './system.ts';
import { expireTimers, untilNextExpiry } from './timers.ts';

export interface Wait {
  /** The call that waits, and why nothing can end it, for the message when that is so. */
  readonly call: string;
  readonly reason: string;
  /** On the time line of `elapsed`; undefined for ever. */
  readonly deadline: bigint | undefined;
  /** Whether the call is made again after a signal's handler that asks for it. */
  readonly canRestart: boolean;
}

/** A point in time so far from now. */
export function deadlineIn(system: System, duration: bigint | undefined): bigint | undefined {
  return duration === undefined ? undefined : elapsed(system) + (duration > 0n ? duration : 0n);
}

/**
 * The guest sleeps until something may have changed: a timer expires or the deadline comes. Gives whether there is time
 * left, so that the caller looks again. Throws Interrupted, and Failure `guest-blocked` where nothing can happen.
 */
export function waitOn(system: System, { call, reason, deadline, canRestart }: Wait): boolean {
  if (isInterrupted(system)) throw new Interrupted(canRestart);
  const left = deadline === undefined ? undefined : deadline - elapsed(system);
  if (left !== undefined && left <= 0n) return false;
  const expiry = untilNextExpiry(system);
  if (left === undefined && expiry === undefined) throw blockedForever(call, reason);
  const isExpiry = expiry !== undefined && (left === undefined || expiry <= left);
  sleep(system, isExpiry ? expiry : left!);
  expireTimers(system);
  if (isInterrupted(system)) throw new Interrupted(canRestart);
  return isExpiry && (left === undefined || expiry < left);
}

/** Sleeps to the deadline. Throws Interrupted. */
export function sleepUntil(system: System, call: string, deadline: bigint): void {
  while (waitOn(system, { call, reason: '', deadline, canRestart: false }));
}
