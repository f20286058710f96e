import { type Args, int, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { Interest, InterestNode } from '../fs/node.ts';
import { NEW_NODE, openUnnamed } from '../objects.ts';
import { descriptor, O } from '../open-file.ts';
import { markTold, moveBack, tellable } from '../readiness.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, giveWay, isOver, waitFor } from '../wait.ts';
import { readDuration } from './durations.ts';
import { maskAt, withMask } from './signals.ts';

function create(system: System, flags: number): number {
  if ((flags & ~O.CLOSE_ON_EXEC) !== 0) fail('EINVAL');
  const node: InterestNode = { ...NEW_NODE, kind: 'interests', interests: new Map(), before: 0, behind: 1 };
  return openUnnamed(system, node, 'anon_inode:[eventpoll]', flags, O.READ_WRITE);
}

function interestsOf(system: System, number: bigint): InterestNode {
  const { node } = descriptor(system, int(number)).file;
  return node.kind === 'interests' ? node : fail('EINVAL');
}

const ADD = 1;
const DELETE = 2;
const MODIFY = 3;

const EXCLUSIVE = 0x1000_0000;
/** EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP, EPOLLWAKEUP, EPOLLET and itself. */
const BESIDE_EXCLUSIVE = 0xb000_001d;

/** Descriptors may lead to each other, but not in a circle, nor through more than this many. */
const DEEPEST = 5;

function leadsTo(from: InterestNode, node: InterestNode, depth: number): boolean {
  if (from === node || depth > DEEPEST) return true;
  return [...from.interests.values()].some(
    ({ file }) => file.node.kind === 'interests' && leadsTo(file.node, node, depth + 1),
  );
}

/** struct epoll_event, packed: events, data. */
function control(system: System, [poll, operation, number, event]: Args): number {
  const node = interestsOf(system, poll);
  const { file } = descriptor(system, int(number));
  if (file.node === node) fail('EINVAL');
  // What is always ready cannot be watched: epoll_ctl(2), EPERM.
  if (['file', 'directory', 'text'].includes(file.node.kind)) fail('EPERM');
  if (int(operation) < ADD || int(operation) > MODIFY) fail('EINVAL');
  const known = node.interests.get(int(number));
  const interest = known?.file === file ? known : undefined;
  if (int(operation) === DELETE) {
    if (interest === undefined) fail('ENOENT');
    node.interests.delete(int(number));
    return 0;
  }
  const events = system.user.i32(size(event)) >>> 0;
  const data = system.user.u64(size(event) + 4);
  const place = known?.place ?? node.behind++;
  const wanted: Interest = { file, place, events, data, told: undefined, isSpent: false };
  const isExclusive = (events & EXCLUSIVE) !== 0;
  if (isExclusive && (int(operation) === MODIFY || (events & ~BESIDE_EXCLUSIVE) !== 0)) fail('EINVAL');
  if (int(operation) === ADD) {
    if (interest !== undefined) fail('EEXIST');
    if (file.node.kind === 'interests' && leadsTo(file.node, node, 1)) fail('ELOOP');
    node.interests.set(int(number), wanted);
    return 0;
  }
  if (interest === undefined) return fail('ENOENT');
  if ((interest.events & EXCLUSIVE) !== 0) fail('EINVAL');
  node.interests.set(int(number), wanted);
  return 0;
}

const EVENT_SIZE = 12;
const MOST_EVENTS = 0x7fff_ffff / EVENT_SIZE;

/** `timeout` in nanoseconds, undefined for ever. */
function wait(system: System, [poll, address, count]: Args, timeout: bigint | undefined): number {
  const node = interestsOf(system, poll);
  const most = int(count);
  if (most <= 0 || most > MOST_EVENTS) fail('EINVAL');
  const deadline = deadlineAfter(system, timeout);
  const ready = tellable(system, node);
  const told = ready.slice(0, most);
  if (told.length === 0) {
    if (isOver(system, deadline)) {
      giveWay(system);
      return 0;
    }
    return waitFor({
      call: 'epoll_wait',
      reason: 'no descriptor becomes ready',
      ...(deadline !== undefined && { deadline }),
      isReady: () => tellable(system, node).length > 0,
      endsBySignal: true,
    });
  }
  system.user.requireWritable(size(address), EVENT_SIZE * told.length);
  told.forEach((each, i) => {
    system.user.putI32(size(address) + EVENT_SIZE * i, each.events);
    system.user.putI64(size(address) + EVENT_SIZE * i + 4, BigInt.asIntN(64, each.interest.data));
    markTold(system, each);
  });
  moveBack(node, told, ready.slice(most));
  return told.length;
}

const inMilliseconds = (timeout: bigint): bigint | undefined =>
  int(timeout) < 0 ? undefined : BigInt(int(timeout)) * 1_000_000n;

export const EPOLL_CALLS: readonly SyscallRow[] = [
  row(213, 'epoll_create', 1, (s, [count]) => (int(count) <= 0 ? fail('EINVAL') : create(s, 0))),
  row(291, 'epoll_create1', 1, (s, [flags]) => create(s, int(flags))),
  row(233, 'epoll_ctl', 4, control),
  row(232, 'epoll_wait', 4, (s, args) => wait(s, args, inMilliseconds(args[3]))),
  row(281, 'epoll_pwait', 6, (s, args) =>
    withMask(s, maskAt(s, args[4], args[5]), () => wait(s, args, inMilliseconds(args[3]))),
  ),
  row(441, 'epoll_pwait2', 6, (s, args) =>
    withMask(s, maskAt(s, args[4], args[5]), () => wait(s, args, readDuration(s, size(args[3]), 1n))),
  ),
];
