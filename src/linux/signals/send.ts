import type { KernelState, SignalInfo, ThreadState } from '../state.ts';
import { send, type Target } from './pending.ts';
import { FIRST_REAL_TIME, signalBit } from './sets.ts';

/** The signals of one thread of the process. */
export function signalsOf(state: KernelState, { id, own }: ThreadState): Target {
  if (id === state.running) return state;
  const { actions, unclaimed } = state.signals;
  return { signals: { actions, unclaimed, blocked: own.blocked, pending: own.pending } };
}

/**
 * A signal is sent to a process. As in kernel/signal.c (complete_signal), the first thread gets it if it does not block it, or
 * else the next one that does not; where all do, whoever lets it through first.
 */
export function sendToProcess(state: KernelState, info: SignalInfo): void {
  const bit = signalBit(info.signal);
  const targets = [...state.threads.values()].map((thread) => signalsOf(state, thread));
  const target = targets.find(({ signals }) => (signals.blocked & bit) === 0n);
  if (target !== undefined) return send(target, info);
  const { unclaimed } = state.signals;
  const isKnown = unclaimed.some(({ signal }) => signal === info.signal);
  if (info.signal >= FIRST_REAL_TIME || !isKnown) unclaimed.push(info);
}
