import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { CounterNode, SignalNode, TimerNode, WatchNode } from '../fs/node.ts';
import { find } from '../fs/walk.ts';
import { NEW_NODE, openUnnamed } from '../objects.ts';
import { descriptor, O } from '../open-file.ts';
import { UNBLOCKABLE } from '../signals/sets.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { IN, removeWatch } from '../watches.ts';
import { isAlarmClock } from './clocks.ts';
import { newTimer, putTimer, setTimer } from './timers.ts';

/** Descriptors for counters, timers, signals and what happens to files. */

/** IN_EXCL_UNLINK */
const EXCLUDE_UNLINKED = 0x0400_0000;
const FLAGS = O.CLOSE_ON_EXEC | O.NON_BLOCKING;
const EFD_SEMAPHORE = 1;

function counter(system: System, value: bigint, flags: number): number {
  if ((flags & ~(FLAGS | EFD_SEMAPHORE)) !== 0) fail('EINVAL');
  const isSemaphore = (flags & EFD_SEMAPHORE) !== 0;
  const node: CounterNode = { ...NEW_NODE, kind: 'counter', value: BigInt.asUintN(32, value), isSemaphore };
  return openUnnamed(system, node, 'anon_inode:[eventfd]', flags, O.READ_WRITE);
}

/** CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME; only who may wake the machine has those of alarms. */
const TIMER_CLOCKS = [0, 1, 7];

function createTimer(system: System, [clock, flags]: Args): number {
  if ((int(flags) & ~FLAGS) !== 0) fail('EINVAL');
  if (isAlarmClock(int(clock))) fail('EPERM');
  if (!TIMER_CLOCKS.includes(int(clock))) fail('EINVAL');
  const timer = newTimer('time', int(clock), { kind: 'nobody' });
  const node: TimerNode = { ...NEW_NODE, kind: 'timer', timer };
  const number = openUnnamed(system, node, 'anon_inode:[timerfd]', int(flags), O.READ_WRITE);
  system.state.shared.timers.add(node);
  return number;
}

function timerOf(system: System, number: bigint): TimerNode {
  const { node } = descriptor(system, int(number)).file;
  return node.kind === 'timer' ? node : fail('EINVAL');
}

/** TFD_TIMER_ABSTIME, TFD_TIMER_CANCEL_ON_SET: nobody sets the clock. */
const TIMER_FLAGS = 3;

function armTimer(system: System, [number, flags, wanted, old]: Args): number {
  if ((uint(flags) & ~TIMER_FLAGS) !== 0) fail('EINVAL');
  return setTimer(system, timerOf(system, number).timer, uint(flags), size(wanted), size(old));
}

function getTimer(system: System, [number, address]: Args): number {
  putTimer(system, timerOf(system, number).timer, size(address));
  return 0;
}

/** A new descriptor, or another set for one. */
function signals(system: System, [number, address, length, flags]: Args): number {
  if (size(length) !== 8 || (int(flags) & ~FLAGS) !== 0) fail('EINVAL');
  const set = system.user.u64(size(address)) & ~UNBLOCKABLE;
  if (int(number) === -1) {
    const node: SignalNode = { ...NEW_NODE, kind: 'signals', set };
    return openUnnamed(system, node, 'anon_inode:[signalfd]', int(flags), O.READ_WRITE);
  }
  const { node } = descriptor(system, int(number)).file;
  if (node.kind !== 'signals') return fail('EINVAL');
  node.set = set;
  return int(number);
}

function watches(system: System, flags: number): number {
  if ((flags & ~FLAGS) !== 0) fail('EINVAL');
  const node: WatchNode = {
    ...NEW_NODE,
    kind: 'watches',
    next: 1,
    watches: new Map(),
    queue: [],
    activity: 0,
  };
  return openUnnamed(system, node, 'anon_inode:inotify', flags, 0);
}

const WATCH_FLAGS =
  IN.ALL | IN.ONLYDIR | IN.DONT_FOLLOW | EXCLUDE_UNLINKED | IN.MASK_CREATE | IN.MASK_ADD | IN.ONESHOT;

/** One watch a node: asked for again, it gets another mask. */
function addWatch(system: System, [number, pathAddress, maskBits]: Args): number {
  const mask = uint(maskBits);
  if ((mask & IN.ALL) === 0 || (mask & ~WATCH_FLAGS) !== 0) fail('EINVAL');
  if ((mask & IN.MASK_ADD) !== 0 && (mask & IN.MASK_CREATE) !== 0) fail('EINVAL');
  const by = watchesOf(system, number);
  const path = system.user.path(size(pathAddress));
  const node = find(system, system.state.paths.cwd, path, (mask & IN.DONT_FOLLOW) === 0);
  if ((mask & IN.ONLYDIR) !== 0 && node.kind !== 'directory') fail('ENOTDIR');
  const known = node.watchers?.find((each) => each.by === by);
  if (known !== undefined) {
    if ((mask & IN.MASK_CREATE) !== 0) fail('EEXIST');
    const watch = by.watches.get(known.watch)!;
    watch.mask = (mask & IN.MASK_ADD) === 0 ? mask : (watch.mask | mask) >>> 0;
    return known.watch;
  }
  const watch = by.next++;
  by.watches.set(watch, { node, mask });
  node.watchers = [...(node.watchers ?? []), { by, watch }];
  system.state.shared.watchers++;
  return watch;
}

function watchesOf(system: System, number: bigint): WatchNode {
  const { node } = descriptor(system, int(number)).file;
  return node.kind === 'watches' ? node : fail('EINVAL');
}

function stopWatching(system: System, [number, watch]: Args): number {
  const by = watchesOf(system, number);
  if (!by.watches.has(int(watch))) fail('EINVAL');
  removeWatch(by, int(watch));
  return 0;
}

export const UNNAMED_CALLS: readonly SyscallRow[] = [
  row(284, 'eventfd', 1, (s, [value]) => counter(s, value, 0)),
  row(290, 'eventfd2', 2, (s, [value, flags]) => counter(s, value, int(flags))),
  row(283, 'timerfd_create', 2, createTimer),
  row(286, 'timerfd_settime', 4, armTimer),
  row(287, 'timerfd_gettime', 2, getTimer),
  row(282, 'signalfd', 3, (s, [number, address, length]) => signals(s, [number, address, length, 0n])),
  row(289, 'signalfd4', 4, signals),
  row(253, 'inotify_init', 0, (s) => watches(s, 0)),
  row(294, 'inotify_init1', 1, (s, [flags]) => watches(s, int(flags))),
  row(254, 'inotify_add_watch', 3, addWatch),
  row(255, 'inotify_rm_watch', 2, stopWatching),
];
