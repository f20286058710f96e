import { Failure } from '../../base/failure.ts';
import type { KernelState, ProcessEnd, SignalAction, SignalInfo, SignalState } from '../state.ts';
import type { System } from '../system.ts';
import {
  FIRST_REAL_TIME,
  isIgnoredByDefault,
  isStopping,
  LAST_SIGNAL,
  SYNCHRONOUS,
  signalBit,
} from './sets.ts';

/** SIG_DFL, SIG_IGN. */
const DEFAULT = 0n;
const IGNORE = 1n;

export const NO_ACTION: SignalAction = { handler: DEFAULT, flags: 0n, restorer: 0n, mask: 0n };

const SA_RESTART = 0x1000_0000n;
const SA_NODEFER = 0x4000_0000n;
const SA_RESETHAND = 0x8000_0000n;

/** A signal on its way to the guest's handler: all that is decided but where the frame goes. */
export interface Delivery {
  readonly kind: 'deliver';
  readonly info: SignalInfo;
  readonly action: SignalAction;
  /** The mask that the handler's return brings back. */
  readonly mask: bigint;
}

/** Signals of a thread, which need not be the one that runs. */
export interface Target {
  readonly signals: Pick<SignalState, 'actions' | 'blocked' | 'pending' | 'unclaimed'>;
}

export function actionOf({ signals }: Target, signal: number): SignalAction {
  return signals.actions.get(signal) ?? NO_ACTION;
}

/** Whether the signal does nothing to the guest. */
function isIgnored(target: Target, signal: number): boolean {
  const { handler } = actionOf(target, signal);
  return handler === IGNORE || (handler === DEFAULT && isIgnoredByDefault(signal));
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

/** Takes one of the set off the queue: those of instructions first, then the lowest number, the oldest of it. */
export function takePending(target: Target, set: bigint): SignalInfo | undefined {
  const { signals } = target;
  const wanted = pendingSet(target) & set;
  if (wanted === 0n) return undefined;
  const first = (wanted & SYNCHRONOUS) !== 0n ? wanted & SYNCHRONOUS : wanted;
  let signal = 1;
  while (signal < LAST_SIGNAL && (first & signalBit(signal)) === 0n) signal++;
  const queues = [signals.pending, signals.unclaimed];
  const queue = queues.find((each) => each.some((info) => info.signal === signal))!;
  const at = queue.findIndex((info) => info.signal === signal);
  return queue.splice(at, 1)[0];
}

/**
 * The next thing that pending signals do to the guest, if they do anything: it ends, or a handler of its own is to run.
 * Throws Failure `unsupported-signal` where it would stop.
 */
export function nextDelivery({ state }: System): Delivery | ProcessEnd | undefined {
  const { signals } = state;
  for (;;) {
    const none = signals.pending.length === 0 && signals.unclaimed.length === 0;
    const info = none ? undefined : takePending(state, ~signals.blocked);
    if (info === undefined) {
      // rt_sigsuspend's mask ends with it.
      if (signals.savedMask !== undefined) signals.blocked = signals.savedMask;
      signals.savedMask = undefined;
      return undefined;
    }
    const { signal } = info;
    const action = actionOf(state, signal);
    if (isIgnored(state, signal)) continue;
    if (action.handler === DEFAULT) {
      if (isStopping(signal)) throw stopped(signal);
      return { kind: 'signal', signal };
    }
    const mask = signals.savedMask ?? signals.blocked;
    signals.savedMask = undefined;
    signals.blocked |= action.mask | ((action.flags & SA_NODEFER) === 0n ? signalBit(signal) : 0n);
    if ((action.flags & SA_RESETHAND) !== 0n) signals.actions.set(signal, NO_ACTION);
    return { kind: 'deliver', info, action, mask };
  }
}

/** Whether a call that the signal interrupted is made again after the handler, if it is one of those that can be. */
export function restarts({ action }: Delivery): boolean {
  return (action.flags & SA_RESTART) !== 0n;
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

function stopped(signal: number): Failure {
  return new Failure(
    'guest',
    'unsupported-signal',
    `The program stopped itself with a signal (signal ${signal}), which is not supported.`,
    { signal },
  );
}
