import { type Args, int, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import { NotYet } from '../not-yet.ts';
import { type Living, processOf } from '../processes.ts';
import { isOn, stackOf, stackRecord } from '../signals/alternate-stack.ts';
import {
  fromProcess,
  fromRecord,
  fromThread,
  INFORMATION_SIZE,
  informationRecord,
} from '../signals/information.ts';
import { actionOf, pendingSet, takePending } from '../signals/pending.ts';
import { forgetIgnored, sendToProcess, sendToThread, signalsOf } from '../signals/send.ts';
import { isCatchable, LAST_SIGNAL, UNBLOCKABLE } from '../signals/sets.ts';
import type { KernelState, Process, SignalInfo, SignalState, ThreadState } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { runningThread } from '../threads.ts';
import { deadlineAfter, isOver, never, waitFor } from '../wait.ts';
import { readDuration } from './durations.ts';

/** sizeof(sigset_t) of the kernel. */
const SET_SIZE = 8;
const NOBODY_SENDS = 'nobody sends a signal';

function setAction(system: System, [signalBits, wanted, old, setSize]: Args): number {
  const signal = int(signalBits);
  if (size(setSize) !== SET_SIZE || signal < 1 || signal > LAST_SIGNAL) fail('EINVAL');
  if (size(wanted) !== 0 && !isCatchable(signal)) fail('EINVAL');
  const { signals } = system.state;
  const { handler, flags, restorer, mask } = actionOf(system.state, signal);
  const at = size(wanted);
  const next =
    at === 0
      ? undefined
      : {
          handler: system.user.u64(at),
          flags: system.user.u64(at + 8),
          restorer: system.user.u64(at + 16),
          mask: system.user.u64(at + 24) & ~UNBLOCKABLE,
        };
  if (size(old) !== 0)
    system.user.write(size(old), new Uint8Array(BigUint64Array.of(handler, flags, restorer, mask).buffer));
  if (next === undefined) return 0;
  signals.actions.set(signal, next);
  forgetIgnored(system.state, signal);
  return 0;
}

function setMask(system: System, [how, wanted, old, setSize]: Args): number {
  if (size(setSize) !== SET_SIZE) fail('EINVAL');
  const { signals } = system.state;
  const before = signals.blocked;
  const set = size(wanted) === 0 ? undefined : system.user.u64(size(wanted));
  const after = set === undefined ? before : newMask(int(how), before, set);
  if (size(old) !== 0) system.user.putI64(size(old), BigInt.asIntN(64, before));
  signals.blocked = after;
  return 0;
}

function newMask(how: number, before: bigint, set: bigint): bigint {
  switch (how) {
    case 0:
      return (before | set) & ~UNBLOCKABLE;
    case 1:
      return before & ~set;
    case 2:
      return set & ~UNBLOCKABLE;
    default:
      return fail('EINVAL');
  }
}

function sendTo(targets: readonly Process[], signal: number, info: () => SignalInfo): number {
  if (targets.length === 0) fail('ESRCH');
  if (signal < 0 || signal > LAST_SIGNAL) fail('EINVAL');
  if (signal !== 0) for (const { state } of targets) if (state !== undefined) sendToProcess(state, info());
  return 0;
}

/**
 * A process, 0 for all of the caller's group, -1 for all but the caller, else a group's number below 0. Those that have ended count
 * until somebody has heard how.
 */
function kill(system: System, [process, signal]: Args): number {
  const id = int(process);
  const { process: self, shared } = system.state;
  const group = id === 0 ? self.group : -id;
  const targets = [...shared.processes.values()].filter((each) =>
    id > 0 ? each.id === id : id === -1 ? each !== self : each.group === group,
  );
  return sendTo(targets, int(signal), () => fromProcess(self, int(signal)));
}

interface Recipient {
  readonly state: KernelState;
  readonly thread: ThreadState;
}

/** A thread of a process; of any process where none is named. */
function threadOf(system: System, thread: bigint, process: bigint | undefined): Recipient {
  if (int(thread) <= 0 || (process !== undefined && int(process) <= 0)) fail('EINVAL');
  for (const each of system.state.shared.processes.values()) {
    const found = each.state?.threads.get(int(thread));
    if (found === undefined || (process !== undefined && each.id !== int(process))) continue;
    return { state: each.state!, thread: found };
  }
  return fail('ESRCH');
}

function threadKill(system: System, thread: bigint, signal: bigint, process?: bigint): number {
  const number = int(signal);
  const to = threadOf(system, thread, process);
  if (number < 0 || number > LAST_SIGNAL) fail('EINVAL');
  if (number !== 0) sendToThread(to.state, to.thread, fromThread(system.state.process, number));
  return 0;
}

function queue(system: System, target: Living, signal: bigint, record: bigint): number {
  const bytes = system.user.read(size(record), INFORMATION_SIZE);
  return sendTo([target], int(signal), () => fromRecord(int(signal), bytes));
}

function queueToThread(system: System, [process, thread, signal, record]: Args): number {
  const bytes = system.user.read(size(record), INFORMATION_SIZE);
  const to = threadOf(system, thread, process);
  if (int(signal) < 0 || int(signal) > LAST_SIGNAL) fail('EINVAL');
  if (int(signal) !== 0) sendToThread(to.state, to.thread, fromRecord(int(signal), bytes));
  return 0;
}

function alternateStack(system: System, [wanted, old]: Args): number {
  const { signals } = system.state;
  const before = signals.alternateStack;
  const rsp = BigInt.asUintN(64, system.register('rsp'));
  if (size(wanted) !== 0) {
    const stack = stackOf(system.user.read(size(wanted), 24));
    if (isOn(before, rsp)) fail('EPERM');
    if (typeof stack === 'string') return fail(stack);
    signals.alternateStack = stack;
  }
  if (size(old) !== 0) system.user.write(size(old), stackRecord(before, rsp));
  return 0;
}

function pendingSignals(system: System, [address, setSize]: Args): number {
  if (size(setSize) > SET_SIZE) fail('EINVAL');
  const set = BigInt.asIntN(64, pendingSet(system.state) & system.state.signals.blocked);
  system.user.putI64(size(address), set);
  return 0;
}

/** Takes a pending signal of the set, blocked or not. */
function waitForSignal(system: System, [set, information, timeout, setSize]: Args): number {
  if (size(setSize) !== SET_SIZE) fail('EINVAL');
  const wanted = system.user.u64(size(set)) & ~UNBLOCKABLE;
  const deadline = deadlineAfter(system, readDuration(system, size(timeout), 1n));
  const { state } = system;
  const info = takePending(state, wanted);
  if (info !== undefined) {
    if (size(information) !== 0) system.user.write(size(information), informationRecord(info));
    return info.signal;
  }
  if (isOver(system, deadline)) return fail('EAGAIN');
  const thread = runningThread(system);
  return waitFor({
    call: 'rt_sigtimedwait',
    reason: NOBODY_SENDS,
    ...(deadline !== undefined && { deadline }),
    isReady: () => (pendingSet(signalsOf(state, thread)) & wanted) !== 0n,
    endsBySignal: true,
  });
}

function pause(call: string): never {
  return waitFor({ call, reason: NOBODY_SENDS, isReady: never, endsBySignal: true });
}

/** The mask that a call is given, if it is. */
export function maskAt(system: System, address: bigint, length: bigint): bigint | undefined {
  if (size(address) === 0) return undefined;
  if (size(length) !== SET_SIZE) fail('EINVAL');
  return system.user.u64(size(address));
}

/**
 * Runs a call with another mask, which holds as long as the call waits. A handler that ends it finds that mask, too, and
 * brings the former one back.
 */
export function withMask<T>(system: System, mask: bigint | undefined, run: () => T): T {
  if (mask === undefined) return run();
  const { signals } = system.state;
  if (system.waited === undefined) signals.savedMask = signals.blocked;
  signals.blocked = mask & ~UNBLOCKABLE;
  try {
    const result = run();
    bringBack(signals);
    return result;
  } catch (problem) {
    if (!(problem instanceof NotYet)) bringBack(signals);
    throw problem;
  }
}

function bringBack(signals: SignalState): void {
  signals.blocked = signals.savedMask ?? signals.blocked;
  signals.savedMask = undefined;
}

function suspend(system: System, [set, setSize]: Args): never {
  if (size(setSize) !== SET_SIZE) fail('EINVAL');
  return withMask(system, system.user.u64(size(set)), () => pause('rt_sigsuspend'));
}

export const SIGNAL_CALLS: readonly SyscallRow[] = [
  row(13, 'rt_sigaction', 4, setAction),
  row(14, 'rt_sigprocmask', 4, setMask),
  row(127, 'rt_sigpending', 2, pendingSignals),
  row(128, 'rt_sigtimedwait', 4, waitForSignal),
  row(129, 'rt_sigqueueinfo', 3, (s, [process, signal, record]) =>
    queue(s, processOf(s, int(process)), signal, record),
  ),
  row(297, 'rt_tgsigqueueinfo', 4, queueToThread),
  row(130, 'rt_sigsuspend', 2, suspend),
  row(131, 'sigaltstack', 2, alternateStack),
  row(34, 'pause', 0, () => pause('pause')),
  row(62, 'kill', 2, kill),
  row(200, 'tkill', 2, (s, [thread, signal]) => threadKill(s, thread, signal)),
  row(234, 'tgkill', 3, (s, [process, thread, signal]) => threadKill(s, thread, signal, process)),
];
