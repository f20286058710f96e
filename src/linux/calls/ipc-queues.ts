import { type Args, int, long, size } from '../arguments.ts';
import { fail } from '../errno.ts';
import {
  bytesIn,
  choose,
  deliver,
  hasRoom,
  isTooLong,
  MSG_EXCEPT,
  noteReceived,
  QUEUE_BYTES,
  removeReceiver,
} from '../ipc/queues.ts';
import {
  getObject,
  IPC_INFO,
  IPC_NOWAIT,
  IPC_RMID,
  IPC_SET,
  IPC_STAT,
  lastPlace,
  objectAtPlace,
  objectOf,
  putInts,
  READING,
  record,
  requireRights,
  seconds,
  setRights,
  WRITING,
} from '../ipc/space.ts';
import type { Message, MessageQueue, Receiver } from '../ipc/state.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { waitFor } from '../wait.ts';

/** msgget(2), msgsnd(2), msgrcv(2), msgctl(2). */

/** msgmax, msgmni. */
const LONGEST_MESSAGE = 8192;
const MOST_QUEUES = 32_000;
const MSG_COPY = 0o40000;

function get(system: System, [key, flags]: Args): number {
  return getObject(
    system,
    system.state.shared.ipc.queues,
    [key, flags],
    () => undefined,
    (common): MessageQueue => ({
      ...common,
      messages: [],
      capacity: QUEUE_BYTES,
      sent: { process: 0, time: 0n },
      received: { process: 0, time: 0n },
      receivers: [],
    }),
  );
}

function send(system: System, [id, address, lengthBits, flags]: Args): number {
  const length = long(lengthBits);
  const type = system.user.i64(size(address));
  if (length < 0 || length > LONGEST_MESSAGE || int(id) < 0 || type < 1n) fail('EINVAL');
  const message: Message = { type, bytes: system.user.read(size(address) + 8, length).slice() };
  const { queues } = system.state.shared.ipc;
  const queue = objectOf(queues, int(id));
  const isThere = () => queues.objects.get(queue.id) === queue;
  const goOn = (): number => {
    if (!isThere()) fail('EIDRM');
    requireRights(queue, WRITING);
    if (hasRoom(queue, length)) {
      deliver(system, queue, message);
      return 0;
    }
    if ((int(flags) & IPC_NOWAIT) !== 0) fail('EAGAIN');
    return waitFor({
      call: 'msgsnd',
      reason: 'nobody takes messages out of the queue',
      endsBySignal: true,
      isReady: () => !isThere() || hasRoom(queue, length),
      goOn,
    });
  };
  return goOn();
}

function receive(system: System, [id, address, lengthBits, typeBits, flagBits]: Args): number {
  const most = long(lengthBits);
  const flags = int(flagBits);
  const type = BigInt.asIntN(64, typeBits);
  if (int(id) < 0 || most < 0) fail('EINVAL');
  const isCopy = (flags & MSG_COPY) !== 0;
  if (isCopy && ((flags & MSG_EXCEPT) !== 0 || (flags & IPC_NOWAIT) === 0)) fail('EINVAL');
  const { queues } = system.state.shared.ipc;
  const queue = objectOf(queues, int(id));
  requireRights(queue, READING);
  const process = system.state.process.id;
  const receiver: Receiver = { process, type, flags, most, outcome: undefined };
  const give = (message: Message): number => {
    const bytes = message.bytes.subarray(0, most);
    system.user.putI64(size(address), message.type);
    system.user.write(size(address) + 8, bytes);
    return bytes.length;
  };
  const message = isCopy ? queue.messages[Number(type)] : choose(queue, receiver);
  if (message !== undefined) {
    if (isTooLong(receiver, message)) fail('E2BIG');
    if (!isCopy) {
      queue.messages = queue.messages.filter((each) => each !== message);
      noteReceived(system, queue, process);
    }
    return give(message);
  }
  if ((flags & IPC_NOWAIT) !== 0) return fail('ENOMSG');
  queue.receivers = [...queue.receivers, receiver];
  const goOn = (): number => {
    const { outcome } = receiver;
    if (typeof outcome === 'string') return fail(outcome);
    if (outcome !== undefined) return give(outcome);
    return waitFor({
      call: 'msgrcv',
      reason: 'nobody sends such a message',
      endsBySignal: true,
      isReady: () => receiver.outcome !== undefined,
      interrupted: () => removeReceiver(queue, receiver),
      goOn,
    });
  };
  return goOn();
}

const MSG_STAT = 11;
const MSG_INFO = 12;
const MSG_STAT_ANY = 13;
/** Where struct msqid64_ds has msg_qbytes. */
const CAPACITY_AT = 88;

function control(system: System, [id, commandBits, address]: Args): number {
  const space = system.state.shared.ipc.queues;
  const command = int(commandBits);
  if (int(id) < 0) fail('EINVAL');
  switch (command) {
    case IPC_INFO:
    case MSG_INFO:
      return tellLimits(system, command, address);
    case MSG_STAT:
    case MSG_STAT_ANY: {
      const queue = objectAtPlace(space, int(id));
      if (command === MSG_STAT) requireRights(queue, READING);
      putQueue(system, queue, address);
      return queue.id;
    }
  }
  const queue = objectOf(space, int(id));
  switch (command) {
    case IPC_RMID:
      space.objects.delete(queue.id);
      for (const receiver of queue.receivers) receiver.outcome = 'EIDRM';
      queue.receivers = [];
      return 0;
    case IPC_SET: {
      const capacity = Number(system.user.u64(size(address) + CAPACITY_AT));
      if (capacity > QUEUE_BYTES) fail('EPERM');
      setRights(system, queue, address);
      queue.capacity = capacity;
      return 0;
    }
    case IPC_STAT:
      requireRights(queue, READING);
      putQueue(system, queue, address);
      return 0;
    default:
      return fail('EINVAL');
  }
}

/** struct msqid64_ds. */
function putQueue(system: System, queue: MessageQueue, address: bigint): void {
  const { sent, received, changed, messages, capacity } = queue;
  const view = record(120, queue);
  view.setBigInt64(48, seconds(sent.time), true);
  view.setBigInt64(56, seconds(received.time), true);
  view.setBigInt64(64, seconds(changed), true);
  view.setBigUint64(72, BigInt(bytesIn(queue)), true);
  view.setBigUint64(80, BigInt(messages.length), true);
  view.setBigUint64(CAPACITY_AT, BigInt(capacity), true);
  view.setInt32(96, sent.process, true);
  view.setInt32(100, received.process, true);
  system.user.write(size(address), new Uint8Array(view.buffer));
}

/** struct msginfo; MSG_INFO tells what there is where IPC_INFO has limits that nothing keeps to. */
function tellLimits(system: System, command: number, address: bigint): number {
  const space = system.state.shared.ipc.queues;
  const queues = [...space.objects.values()];
  const isInfo = command === IPC_INFO;
  const count = queues.reduce((sum, { messages }) => sum + messages.length, 0);
  const bytes = queues.reduce((sum, queue) => sum + bytesIn(queue), 0);
  putInts(system, address, [
    isInfo ? (MOST_QUEUES * QUEUE_BYTES) / 1024 : queues.length,
    isInfo ? QUEUE_BYTES : count,
    LONGEST_MESSAGE,
    QUEUE_BYTES,
    MOST_QUEUES,
    16,
    isInfo ? QUEUE_BYTES : bytes,
    0xffff,
  ]);
  return lastPlace(space);
}

export const QUEUE_CALLS: readonly SyscallRow[] = [
  row(68, 'msgget', 2, get),
  row(69, 'msgsnd', 4, send),
  row(70, 'msgrcv', 5, receive),
  row(71, 'msgctl', 3, control),
];
