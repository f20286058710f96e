import { isOrphaned } from '../job-control.ts';
import type { KernelState, ProcessEnd, SignalAction, SignalInfo } from '../state.ts';
import type { System } from '../system.ts';
import {
  actionOf,
  DEFAULT,
  firstOf,
  isHandled,
  isIgnored,
  NO_ACTION,
  pendingSet,
  takePending,
} from './pending.ts';
import { tellParent } from './send.ts';
import { isStopping, SIGSTOP, signalBit } from './sets.ts';

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

/**
 * The next thing that pending signals do to the guest, if they do anything: it ends, or a handler of its own is to run. Where
 * it stops, nothing more happens until it goes on.
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
      if (!isStopping(signal)) return { kind: 'signal', signal };
      if (signal !== SIGSTOP && isOrphaned(state.shared, state.process.group)) continue;
      stop(state, signal);
      return undefined;
    }
    const mask = signals.savedMask ?? signals.blocked;
    signals.savedMask = undefined;
    signals.blocked |= action.mask | ((action.flags & SA_NODEFER) === 0n ? signalBit(signal) : 0n);
    if ((action.flags & SA_RESETHAND) !== 0n) signals.actions.set(signal, NO_ACTION);
    return { kind: 'deliver', info, action, mask };
  }
}

/** The signal that comes next stops the process, whatever its threads wait for; they go on waiting when it goes on. */
export function stopsNext({ state }: System): boolean {
  const { signals } = state;
  const next = firstOf(pendingSet(state) & ~signals.blocked);
  if (next === undefined || !isStopping(next) || isHandled(state, next) || isIgnored(state, next))
    return false;
  takePending(state, signalBit(next));
  if (next === SIGSTOP || !isOrphaned(state.shared, state.process.group)) stop(state, next);
  return true;
}

function stop(state: KernelState, signal: number): void {
  const { process } = state;
  process.stoppedBy = signal;
  process.news = { kind: 'stopped', signal };
  tellParent(state, process);
}

/** Whether a call that the signal interrupted is made again after the handler, if it is one of those that can be. */
export function restarts({ action }: Delivery): boolean {
  return (action.flags & SA_RESTART) !== 0n;
}
