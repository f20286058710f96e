import { type Args, int, size } from '../arguments.ts';
import { elapsed } from '../clock.ts';
import { fail, LinuxError } from '../errno.ts';
import { PROCESS_ID } from '../fs/initial.ts';
import { isOn, stackOf, stackRecord } from '../signals/alternate-stack.ts';
import {
  fromProcess,
  fromRecord,
  fromThread,
  INFORMATION_SIZE,
  informationRecord,
} from '../signals/information.ts';
import { actionOf, pendingSet, send, takePending } from '../signals/pending.ts';
import { isCatchable, LAST_SIGNAL, UNBLOCKABLE } from '../signals/sets.ts';
import type { SignalInfo } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { waitOn } from '../waiting.ts';
import { readDuration } from './durations.ts';

/** sizeof(sigset_t) of the kernel. */
const SET_SIZE = 8;
const ALONE = 'no other process can send a signal';

function setAction(system: System, [signalBits, wanted, old, setSize]: Args): number {
  const signal = int(signalBits);
  if (size(setSize) !== SET_SIZE || signal < 1 || signal > LAST_SIGNAL) fail('EINVAL');
  if (size(wanted) !== 0 && !isCatchable(signal)) fail('EINVAL');
  const { signals } = system.state;
  const { handler, flags, restorer, mask } = actionOf(system, signal);
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
  if (next !== undefined) signals.actions.set(signal, next);
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

/** -1 and 0 mean the guest too: it is alone in its group. */
function requireSelf(process: number): void {
  if (![PROCESS_ID, 0, -1, -PROCESS_ID].includes(process)) fail('ESRCH');
}

function sendFrom(system: System, signal: number, info: () => SignalInfo): number {
  if (signal < 0 || signal > LAST_SIGNAL) fail('EINVAL');
  if (signal !== 0) send(system, info());
  return 0;
}

function kill(system: System, [process, signal]: Args): number {
  requireSelf(int(process));
  return sendFrom(system, int(signal), () => fromProcess(int(signal)));
}

function requireThread(thread: bigint): void {
  if (int(thread) <= 0) fail('EINVAL');
  if (int(thread) !== PROCESS_ID) fail('ESRCH');
}

function threadKill(system: System, thread: bigint, signal: bigint): number {
  requireThread(thread);
  return sendFrom(system, int(signal), () => fromThread(int(signal)));
}

function groupThreadKill(system: System, [process, thread, signal]: Args): number {
  if (int(process) <= 0) fail('EINVAL');
  if (int(process) !== PROCESS_ID) fail('ESRCH');
  return threadKill(system, thread, signal);
}

function queue(system: System, signal: bigint, record: bigint): number {
  const bytes = system.user.read(size(record), INFORMATION_SIZE);
  return sendFrom(system, int(signal), () => fromRecord(int(signal), bytes));
}

function queueInformation(system: System, [process, signal, record]: Args): number {
  requireSelf(int(process));
  return queue(system, signal, record);
}

function queueToThread(system: System, [process, thread, signal, record]: Args): number {
  if (int(process) !== PROCESS_ID) fail('ESRCH');
  requireThread(thread);
  return queue(system, signal, record);
}

function alternateStack(system: System, [wanted, old]: Args): number {
  const { signals } = system.state;
  const before = signals.alternateStack;
  const rsp = BigInt.asUintN(64, system.stackPointer());
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
  const set = BigInt.asIntN(64, pendingSet(system) & system.state.signals.blocked);
  system.user.putI64(size(address), set);
  return 0;
}

/** Takes a pending signal of the set, blocked or not. */
function waitForSignal(system: System, [set, information, timeout, setSize]: Args): number {
  if (size(setSize) !== SET_SIZE) fail('EINVAL');
  const wanted = system.user.u64(size(set)) & ~UNBLOCKABLE;
  const duration = readDuration(system, size(timeout), 1n);
  const deadline = duration === undefined ? undefined : elapsed(system) + duration;
  const { signals } = system.state;
  const blocked = signals.blocked;
  const wait = { call: 'rt_sigtimedwait', reason: ALONE, deadline, canRestart: false };
  for (;;) {
    const info = takePending(system, wanted);
    if (info !== undefined) {
      if (size(information) !== 0) system.user.write(size(information), informationRecord(info));
      return info.signal;
    }
    // What is waited for does not interrupt, even where it is not blocked.
    signals.blocked = blocked | wanted;
    try {
      if (!waitOn(system, wait)) {
        const last = takePending(system, wanted);
        if (last === undefined) return fail('EAGAIN');
        if (size(information) !== 0) system.user.write(size(information), informationRecord(last));
        return last.signal;
      }
    } finally {
      signals.blocked = blocked;
    }
  }
}

function waitForever(system: System, call: string): never {
  for (;;) waitOn(system, { call, reason: ALONE, deadline: undefined, canRestart: false });
}

/** The mask holds until a handler was entered, which brings the former one back. */
export function withMask<T>(system: System, mask: bigint | undefined, run: () => T): T {
  if (mask === undefined) return run();
  const { signals } = system.state;
  const before = signals.blocked;
  signals.blocked = mask & ~UNBLOCKABLE;
  signals.savedMask = before;
  let isOver = false;
  try {
    const result = run();
    isOver = true;
    return result;
  } catch (problem) {
    isOver = problem instanceof LinuxError;
    throw problem;
  } finally {
    if (isOver) {
      signals.blocked = before;
      signals.savedMask = undefined;
    }
  }
}

function suspend(system: System, [set, setSize]: Args): never {
  if (size(setSize) !== SET_SIZE) fail('EINVAL');
  return withMask(system, system.user.u64(size(set)), () => waitForever(system, 'rt_sigsuspend'));
}

export const SIGNAL_CALLS: readonly SyscallRow[] = [
  row(13, 'rt_sigaction', 4, setAction),
  row(14, 'rt_sigprocmask', 4, setMask),
  row(127, 'rt_sigpending', 2, pendingSignals),
  row(128, 'rt_sigtimedwait', 4, waitForSignal),
  row(129, 'rt_sigqueueinfo', 3, queueInformation),
  row(297, 'rt_tgsigqueueinfo', 4, queueToThread),
  row(130, 'rt_sigsuspend', 2, suspend),
  row(131, 'sigaltstack', 2, alternateStack),
  row(34, 'pause', 0, (s) => waitForever(s, 'pause')),
  row(62, 'kill', 2, kill),
  row(200, 'tkill', 2, (s, [thread, signal]) => threadKill(s, thread, signal)),
  row(234, 'tgkill', 3, groupThreadKill),
];
