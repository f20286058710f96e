import { type Args, int, size, uint } from '../arguments.ts';
import { realTime } from '../clock.ts';
import { fail } from '../errno.ts';
import type { MessageQueueNode, OpenFile, QueuedMessage } from '../fs/node.ts';
import { NEW_NODE, openUnnamed } from '../objects.ts';
import { descriptor, isReadable, isWritable, O } from '../open-file.ts';
import { fromQueue } from '../signals/information.ts';
import { sendToProcess } from '../signals/send.ts';
import { LAST_SIGNAL } from '../signals/sets.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, giveWay, isOver, waitFor } from '../wait.ts';
import { readDuration } from './durations.ts';

/** Message queues of POSIX: mq_overview(7). The C library takes the slash off their names. */

/** fs.mqueue.msg_max and msgsize_max, and what a queue has whose maker does not say. */
const MOST_MESSAGES = 10n;
const LARGEST_MESSAGE = 8192n;
const MOST_PRIORITY = 32_768;
const LONGEST_NAME = 255;

function open(system: System, [name, flagBits, mode, attributes]: Args): number {
  const { state } = system;
  const flags = int(flagBits);
  const path = nameAt(system, name);
  const { queues } = state.shared;
  const known = queues.get(path);
  if (known === undefined && (flags & O.CREATE) === 0) fail('ENOENT');
  if (known !== undefined && (flags & O.CREATE) !== 0 && (flags & O.EXCLUSIVE) !== 0) fail('EEXIST');
  const node = known ?? newQueue(system, int(mode), size(attributes));
  const access = flags & O.ACCESS;
  const wanted = (access === O.WRITE_ONLY ? 0 : 0o400) | (access === 0 ? 0 : 0o200);
  if (known !== undefined && (node.mode & wanted) !== wanted) fail('EACCES');
  const number = openUnnamed(system, node, `/${path}`, (flags & O.NON_BLOCKING) | O.CLOSE_ON_EXEC, access);
  queues.set(path, node);
  return number;
}

/** struct mq_attr: flags, most messages, largest message, messages there are. */
function newQueue({ state, user }: System, mode: number, attributes: number): MessageQueueNode {
  const [capacity, largest] =
    attributes === 0 ? [MOST_MESSAGES, LARGEST_MESSAGE] : [8, 16].map((at) => user.i64(attributes + at));
  if (capacity <= 0n || largest <= 0n || capacity > MOST_MESSAGES || largest > LARGEST_MESSAGE)
    fail('EINVAL');
  return {
    ...NEW_NODE,
    kind: 'messages',
    mode: mode & 0o777 & ~state.paths.umask,
    capacity: Number(capacity),
    largest: Number(largest),
    messages: [],
    receivers: new Set(),
    notifies: undefined,
    activity: 0,
  };
}

/** Of a queue; the C library takes the slash before it away. */
function nameAt({ user }: System, address: bigint): string {
  const name = user.path(size(address));
  if (name === '') fail('ENOENT');
  if (name.length > LONGEST_NAME) fail('ENAMETOOLONG');
  return name.includes('/') ? fail('EACCES') : name;
}

function unlink(system: System, [name]: Args): number {
  return system.state.shared.queues.delete(nameAt(system, name)) ? 0 : fail('ENOENT');
}

function queueOf(system: System, number: bigint): OpenFile & { readonly node: MessageQueueNode } {
  const { file } = descriptor(system, int(number));
  const { node } = file;
  return node.kind === 'messages' ? (file as OpenFile & { node: MessageQueueNode }) : fail('EBADF');
}

/** When a call gives up, by the clock of the day. */
function deadlineAt(system: System, address: bigint): bigint | undefined {
  const until = readDuration(system, size(address), 1n);
  return deadlineAfter(system, until === undefined ? undefined : until - realTime(system));
}

function requirePatience(system: System, { flags }: OpenFile, deadline: bigint | undefined): void {
  if ((flags & O.NON_BLOCKING) !== 0) {
    giveWay(system);
    fail('EAGAIN');
  }
  if (isOver(system, deadline)) fail('ETIMEDOUT');
}

function send(system: System, [number, address, length, priority, until]: Args): number {
  if (uint(priority) >= MOST_PRIORITY) fail('EINVAL');
  const deadline = deadlineAt(system, until);
  const file = queueOf(system, number);
  const { node } = file;
  if (!isWritable(file)) fail('EBADF');
  if (size(length) > node.largest) fail('EMSGSIZE');
  const bytes = system.user.read(size(address), size(length)).slice();
  const hasRoom = () => node.messages.length < node.capacity;
  if (!hasRoom()) {
    requirePatience(system, file, deadline);
    const reason = 'nobody receives from the queue';
    waitFor({ call: 'mq_timedsend', reason, isReady: hasRoom, ...(deadline !== undefined && { deadline }) });
  }
  const isFirst = node.messages.length === 0;
  insert(node.messages, { priority: uint(priority), bytes });
  node.activity++;
  if (isFirst && node.receivers.size === 0) notify(system, node);
  return 0;
}

/** Behind those of the same priority. */
function insert(messages: QueuedMessage[], message: QueuedMessage): void {
  const at = messages.findIndex(({ priority }) => priority < message.priority);
  messages.splice(at < 0 ? messages.length : at, 0, message);
}

/** Who asked for it is told once. */
function notify({ state }: System, node: MessageQueueNode): void {
  const { notifies } = node;
  node.notifies = undefined;
  const target = notifies && state.shared.processes.get(notifies.process)?.state;
  if (target === undefined || notifies?.signal === undefined) return;
  sendToProcess(target, fromQueue(state.process, notifies.signal, notifies.value));
}

function receive(system: System, [number, address, length, priority, until]: Args): number {
  const deadline = deadlineAt(system, until);
  const file = queueOf(system, number);
  const { node } = file;
  const { running } = system.state;
  node.receivers.delete(running);
  if (!isReadable(file)) fail('EBADF');
  if (size(length) < node.largest) fail('EMSGSIZE');
  if (node.messages.length === 0) {
    requirePatience(system, file, deadline);
    node.receivers.add(running);
    waitFor({
      call: 'mq_timedreceive',
      reason: 'nobody sends to the queue',
      isReady: () => node.messages.length > 0,
      interrupted: () => node.receivers.delete(running),
      ...(deadline !== undefined && { deadline }),
    });
  }
  const [message] = node.messages;
  system.user.requireWritable(size(address), message.bytes.length);
  if (size(priority) !== 0) system.user.putI32(size(priority), message.priority);
  system.user.write(size(address), message.bytes);
  node.messages.shift();
  node.activity++;
  return message.bytes.length;
}

const SIGEV_SIGNAL = 0;
const SIGEV_NONE = 1;

/** struct sigevent: value, signal, how. The C library's threads would be told through a netlink socket, of which there is none. */
function askToBeTold(system: System, [number, event]: Args): number {
  const { process } = system.state;
  const at = size(event);
  if (at === 0) {
    const { node } = queueOf(system, number);
    if (node.notifies?.process === process.id) node.notifies = undefined;
    return 0;
  }
  const signal = system.user.i32(at + 8);
  const how = system.user.i32(at + 12);
  if (how !== SIGEV_SIGNAL && how !== SIGEV_NONE) fail('EINVAL');
  if (how === SIGEV_SIGNAL && (signal < 1 || signal > LAST_SIGNAL)) fail('EINVAL');
  const { node } = queueOf(system, number);
  if (node.notifies !== undefined) fail('EBUSY');
  const value = system.user.u64(at);
  node.notifies = { process: process.id, signal: how === SIGEV_SIGNAL ? signal : undefined, value };
  return 0;
}

function attributes(system: System, [number, wanted, old]: Args): number {
  const flags = size(wanted) === 0 ? undefined : Number(system.user.u64(size(wanted)));
  if (flags !== undefined && (flags & ~O.NON_BLOCKING) !== 0) fail('EINVAL');
  const file = queueOf(system, number);
  const { capacity, largest, messages } = file.node;
  const facts = [file.flags & O.NON_BLOCKING, capacity, largest, messages.length, 0, 0, 0, 0];
  if (size(old) !== 0)
    system.user.write(size(old), new Uint8Array(BigInt64Array.from(facts.map(BigInt)).buffer));
  if (flags !== undefined) file.flags = (file.flags & ~O.NON_BLOCKING) | flags;
  return 0;
}

export const MESSAGE_QUEUE_CALLS: readonly SyscallRow[] = [
  row(240, 'mq_open', 4, open),
  row(241, 'mq_unlink', 1, unlink),
  row(242, 'mq_timedsend', 5, send),
  row(243, 'mq_timedreceive', 5, receive),
  row(244, 'mq_notify', 2, askToBeTold),
  row(245, 'mq_getsetattr', 3, attributes),
];
