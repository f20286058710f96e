import type { KernelState, Process, SignalInfo, ThreadState } from '../state.ts';
import { fromChild } from './information.ts';
import { allPending, forget, isIgnored, send, type Target } from './pending.ts';
import { FIRST_REAL_TIME, isStopping, SIGCHLD, SIGCONT, SIGKILL, STOPPING_SET, signalBit } from './sets.ts';

/** The signals of one thread of the process. */
export function signalsOf(state: KernelState, { id, own }: ThreadState): Target {
  if (id === state.running) return state;
  const { actions, unclaimed } = state.signals;
  return { signals: { actions, unclaimed, blocked: own.blocked, pending: own.pending } };
}

const allThreads = (state: KernelState): readonly Target[] =>
  [...state.threads.values()].map((thread) => signalsOf(state, thread));

/**
 * A signal is sent to a process. As in kernel/signal.c (complete_signal), the first thread gets it if it does not block it, or
 * else the next one that does not; where all do, whoever lets it through first.
 */
export function sendToProcess(state: KernelState, info: SignalInfo): void {
  prepare(state, info.signal);
  const bit = signalBit(info.signal);
  const target = allThreads(state).find(({ signals }) => (signals.blocked & bit) === 0n);
  if (target !== undefined) return send(target, info);
  const { unclaimed } = state.signals;
  const isKnown = unclaimed.some(({ signal }) => signal === info.signal);
  if (info.signal >= FIRST_REAL_TIME || !isKnown) unclaimed.push(info);
}

export function sendToThread(state: KernelState, thread: ThreadState, info: SignalInfo): void {
  prepare(state, info.signal);
  send(signalsOf(state, thread), info);
}

/** The signal of a timer that no thread has taken yet. */
export function pendingOf(state: KernelState, timer: number): SignalInfo | undefined {
  return allThreads(state)
    .flatMap(allPending)
    .find((info) => info.timer === timer);
}

/** What a process ignores from now on is not pending any more (do_sigaction). */
export function forgetIgnored(state: KernelState, signal: number): void {
  if (isIgnored(state, signal)) for (const target of allThreads(state)) forget(target, signalBit(signal));
}

/** Signals that stop and the one that lets go on undo each other, blocked and ignored or not (prepare_signal). */
function prepare(state: KernelState, signal: number): void {
  const { process } = state;
  const dropped = signal === SIGCONT ? STOPPING_SET : isStopping(signal) ? signalBit(SIGCONT) : 0n;
  if (dropped !== 0n) for (const target of allThreads(state)) forget(target, dropped);
  if (process.stoppedBy === undefined || (signal !== SIGCONT && signal !== SIGKILL)) return;
  process.stoppedBy = undefined;
  if (signal !== SIGCONT) return;
  process.news = { kind: 'continued' };
  tellParent(state, process);
}

const SA_NOCLDSTOP = 1n;

/** Its parent hears that the process stopped or goes on, unless it does not want to. */
export function tellParent({ shared }: KernelState, process: Process): void {
  const parent = shared.processes.get(process.parent)?.state;
  const flags = parent?.signals.actions.get(SIGCHLD)?.flags ?? 0n;
  if (parent === undefined || (flags & SA_NOCLDSTOP) !== 0n) return;
  sendToProcess(parent, fromChild(process, SIGCHLD, process.news!));
}
