import type { KernelState, SignalAction, SignalInfo, SignalState } from '../state.ts';
import { FIRST_REAL_TIME, isIgnoredByDefault, LAST_SIGNAL, SYNCHRONOUS, signalBit } from './sets.ts';

/** SIG_DFL, SIG_IGN. */
export const DEFAULT = 0n;
const IGNORE = 1n;

export const NO_ACTION: SignalAction = { handler: DEFAULT, flags: 0n, restorer: 0n, mask: 0n };

/** Signals of a thread, which need not be the one that runs. */
export interface Target {
  readonly signals: Pick<SignalState, 'actions' | 'blocked' | 'pending' | 'unclaimed'>;
}

export function actionOf({ signals }: Target, signal: number): SignalAction {
  return signals.actions.get(signal) ?? NO_ACTION;
}

/** Whether the signal does nothing to the guest. */
export function isIgnored(target: Target, signal: number): boolean {
  const { handler } = actionOf(target, signal);
  return handler === IGNORE || (handler === DEFAULT && isIgnoredByDefault(signal));
}

/** Whether the guest said that it ignores the signal. */
export function isSetIgnored(target: Target, signal: number): boolean {
  return actionOf(target, signal).handler === IGNORE;
}

/** Whether the guest has a function of its own for the signal. */
export function isHandled(target: Target, signal: number): boolean {
  const { handler } = actionOf(target, signal);
  return handler !== DEFAULT && handler !== IGNORE;
}

/** A signal is sent to a thread: it is pending from now on, unless it is ignored or one of its kind is pending already. */
export function send(target: Target, info: SignalInfo): void {
  const { signals } = target;
  const { signal } = info;
  const isBlocked = (signals.blocked & signalBit(signal)) !== 0n;
  // What is ignored now may have a handler by the time that the mask lets it through.
  if (!isBlocked && isIgnored(target, signal)) return;
  if (signal < FIRST_REAL_TIME && signals.pending.some((other) => other.signal === signal)) return;
  signals.pending.push(info);
}

/** What is pending for the thread, or for whichever thread of its process. */
export function allPending({ signals }: Target): readonly SignalInfo[] {
  return [...signals.pending, ...signals.unclaimed];
}

/** The set of signals that are pending. */
export function pendingSet(target: Target): bigint {
  return allPending(target).reduce((set, { signal }) => set | signalBit(signal), 0n);
}

/** Whether a signal would be delivered now that is not ignored: waiting calls end for it. */
export function interrupts(target: Target): boolean {
  const { blocked } = target.signals;
  return allPending(target).some(
    ({ signal }) => (blocked & signalBit(signal)) === 0n && !isIgnored(target, signal),
  );
}

/** Of a set, the signal that is seen to first: those of instructions, then the lowest number. */
export function firstOf(set: bigint): number | undefined {
  if (set === 0n) return undefined;
  const first = (set & SYNCHRONOUS) !== 0n ? set & SYNCHRONOUS : set;
  let signal = 1;
  while (signal < LAST_SIGNAL && (first & signalBit(signal)) === 0n) signal++;
  return signal;
}

/** Takes one of the set off the queue: those of instructions first, then the lowest number, the oldest of it. */
export function takePending(target: Target, set: bigint): SignalInfo | undefined {
  const { signals } = target;
  const signal = firstOf(pendingSet(target) & set);
  if (signal === undefined) return undefined;
  const queues = [signals.pending, signals.unclaimed];
  const queue = queues.find((each) => each.some((info) => info.signal === signal))!;
  const at = queue.findIndex((info) => info.signal === signal);
  return queue.splice(at, 1)[0];
}

/** Takes away what is pending of the set. */
export function forget({ signals }: Target, set: bigint): void {
  for (const queue of [signals.pending, signals.unclaimed])
    for (let at = queue.length - 1; at >= 0; at--)
      if ((signalBit(queue[at].signal) & set) !== 0n) queue.splice(at, 1);
}

/**
 * An instruction raised a signal, which cannot wait: blocked or ignored it ends the guest (kernel/signal.c,
 * force_sig_info).
 */
export function force(target: Pick<KernelState, 'signals'>, info: SignalInfo): void {
  const { signals } = target;
  const bit = signalBit(info.signal);
  if ((signals.blocked & bit) !== 0n || isIgnored(target, info.signal))
    signals.actions.set(info.signal, NO_ACTION);
  signals.blocked &= ~bit;
  signals.pending.push(info);
}
