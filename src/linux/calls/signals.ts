import { type Args, int, size } from '../arguments.ts';
import { blockedForever, unsupportedCall } from '../blocked.ts';
import { sleep } from '../clock.ts';
import { fail } from '../errno.ts';
import { processOf } from '../processes.ts';
import { deliverPending, isCatchable, LAST_SIGNAL, raise, signalProcess, UNBLOCKABLE } from '../signals.ts';
import { type Control, row, type SyscallRow, type System } from '../system.ts';
import { readDuration } from './durations.ts';

/** sizeof(sigset_t) of the kernel. */
const SET_SIZE = 8;

function setAction(system: System, [signalBits, wanted, old, setSize]: Args): number {
  const signal = int(signalBits);
  if (size(setSize) !== SET_SIZE || signal < 1 || signal > LAST_SIGNAL) fail('EINVAL');
  if (size(wanted) !== 0 && !isCatchable(signal)) fail('EINVAL');
  const { actions } = system.state.signals;
  const { handler, flags, restorer, mask } = actions.get(signal) ?? NO_ACTION;
  const at = size(wanted);
  const next =
    at === 0
      ? undefined
      : {
          handler: system.user.u64(at),
          flags: system.user.u64(at + 8),
          restorer: system.user.u64(at + 16),
          mask: system.user.u64(at + 24),
        };
  if (size(old) !== 0)
    system.user.write(size(old), new Uint8Array(BigUint64Array.of(handler, flags, restorer, mask).buffer));
  if (next !== undefined) actions.set(signal, next);
  return 0;
}

const NO_ACTION = { handler: 0n, flags: 0n, restorer: 0n, mask: 0n };

function setMask(system: System, [how, wanted, old, setSize]: Args): number | Control {
  if (size(setSize) !== SET_SIZE) fail('EINVAL');
  const { signals } = system.state;
  const before = signals.blocked;
  const set = size(wanted) === 0 ? undefined : system.user.u64(size(wanted));
  const after = set === undefined ? before : newMask(int(how), before, set);
  if (size(old) !== 0) system.user.putI64(size(old), BigInt.asIntN(64, before));
  signals.blocked = after;
  return deliverPending(system) ?? 0;
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

/** A process, 0 for all of the caller's group, -1 for all but the caller, else a group's number below 0. */
function kill(system: System, [processBits, signalBits]: Args): number | Control {
  const id = int(processBits);
  const signal = int(signalBits);
  const self = system.state.process;
  const group = id === 0 ? self.group : -id;
  const targets = [...system.state.shared.processes.values()].filter((process) =>
    id > 0 ? process.id === id : id === -1 ? process !== self : process.group === group,
  );
  if (targets.length === 0) fail('ESRCH');
  if (signal < 0 || signal > LAST_SIGNAL) fail('EINVAL');
  if (signal === 0) return 0;
  for (const target of targets) if (target !== self) signalProcess(target, signal);
  return targets.includes(self) ? send(system, signal) : 0;
}

function send(system: System, signal: number): number | Control {
  if (signal < 0 || signal > LAST_SIGNAL) fail('EINVAL');
  return signal === 0 ? 0 : (raise(system, signal) ?? 0);
}

function threadKill(system: System, thread: bigint, signal: bigint): number | Control {
  if (int(thread) <= 0) fail('EINVAL');
  const target = processOf(system, int(thread));
  if (target === system.state.process) return send(system, int(signal));
  if (int(signal) < 0 || int(signal) > LAST_SIGNAL) fail('EINVAL');
  if (int(signal) !== 0) signalProcess(target, int(signal));
  return 0;
}

const SS_DISABLE = 2;
const SS_AUTODISARM = 2 ** 31;
const MINSIGSTKSZ = 2048n;

/** stack_t: address, flags, size. */
function alternateStack(system: System, [wanted, old]: Args): number {
  const { signals } = system.state;
  const before = signals.alternateStack;
  if (size(wanted) !== 0) {
    const at = size(wanted);
    const stack = {
      address: system.user.u64(at),
      flags: system.user.i32(at + 8),
      size: system.user.u64(at + 16),
    };
    const mode = stack.flags & ~SS_AUTODISARM;
    if (mode !== 0 && mode !== 1 && mode !== SS_DISABLE) fail('EINVAL');
    if (mode !== SS_DISABLE && stack.size < MINSIGSTKSZ) fail('ENOMEM');
    signals.alternateStack =
      mode === SS_DISABLE ? { address: 0n, flags: SS_DISABLE, size: 0n } : { ...stack, flags: 0 };
  }
  if (size(old) !== 0) {
    const record = BigUint64Array.of(before.address, BigInt(before.flags), before.size);
    system.user.write(size(old), new Uint8Array(record.buffer));
  }
  return 0;
}

function pendingSignals(system: System, [address, setSize]: Args): number {
  if (size(setSize) > SET_SIZE) fail('EINVAL');
  system.user.putI64(size(address), BigInt.asIntN(64, system.state.signals.pending));
  return 0;
}

/** Takes a pending signal of the set; others cannot come. siginfo is left zero but for the number. */
function waitForSignal(system: System, [set, information, timeout]: Args): number {
  const wanted = system.user.u64(size(set));
  const { signals } = system.state;
  for (let signal = 1; signal <= LAST_SIGNAL; signal++) {
    const bit = 1n << BigInt(signal - 1);
    if ((signals.pending & wanted & bit) === 0n) continue;
    if (size(information) !== 0) {
      const record = new Uint8Array(128);
      record[0] = signal;
      system.user.write(size(information), record);
    }
    signals.pending &= ~bit;
    return signal;
  }
  const duration = readDuration(system, size(timeout), 1n);
  if (duration === undefined) throw blockedForever('rt_sigtimedwait', 'no other process can send a signal');
  sleep(system, duration);
  return fail('EAGAIN');
}

function pause(call: string): () => never {
  return () => {
    throw blockedForever(call, 'no other process can send a signal');
  };
}

/** Stopping a timer that never ran is all right; signals of timers would have to interrupt the guest. */
function alarm(_system: System, [seconds]: Args): number {
  if (int(seconds) !== 0) throw unsupportedCall('alarm', 37);
  return 0;
}

function setTimer(system: System, [, wanted, old]: Args): number {
  if (size(wanted) !== 0) {
    const value = system.user.read(size(wanted) + 16, 16);
    if (value.some((byte) => byte !== 0)) throw unsupportedCall('setitimer', 38);
  }
  if (size(old) !== 0) system.user.write(size(old), new Uint8Array(32));
  return 0;
}

function getTimer(system: System, [, value]: Args): number {
  system.user.write(size(value), new Uint8Array(32));
  return 0;
}

export const SIGNAL_CALLS: readonly SyscallRow[] = [
  row(13, 'rt_sigaction', 4, setAction),
  row(14, 'rt_sigprocmask', 4, setMask),
  row(127, 'rt_sigpending', 2, pendingSignals),
  row(128, 'rt_sigtimedwait', 4, waitForSignal),
  row(130, 'rt_sigsuspend', 2, pause('rt_sigsuspend')),
  row(131, 'sigaltstack', 2, alternateStack),
  row(34, 'pause', 0, pause('pause')),
  row(36, 'getitimer', 2, getTimer),
  row(37, 'alarm', 1, alarm),
  row(38, 'setitimer', 3, setTimer),
  row(62, 'kill', 2, kill),
  row(200, 'tkill', 2, (s, [thread, signal]) => threadKill(s, thread, signal)),
  row(234, 'tgkill', 3, (s, [process, thread, signal]) =>
    int(process) === int(thread) ? threadKill(s, thread, signal) : fail('ESRCH'),
  ),
];
