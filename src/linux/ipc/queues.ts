import { realTime } from '../clock.ts';
import type { System } from '../system.ts';
import type { IpcSpace, Message, MessageQueue, Receiver } from './state.ts';

/** Queues of messages (ipc/msg.c): a message is handed to whoever has waited for one of its kind longest. */

export const MSG_NOERROR = 0o10000;
export const MSG_EXCEPT = 0o20000;
/** msgmnb: what a queue holds at first; only root may let it hold more. */
export const QUEUE_BYTES = 16_384;

export const bytesIn = ({ messages }: MessageQueue): number =>
  messages.reduce((sum, { bytes }) => sum + bytes.length, 0);

export function hasRoom(queue: MessageQueue, length: number): boolean {
  return length + bytesIn(queue) <= queue.capacity && queue.messages.length < queue.capacity;
}

function isWanted({ type, flags }: Pick<Receiver, 'type' | 'flags'>, message: Message): boolean {
  if (type === 0n) return true;
  if (type < 0n) return message.type <= -type;
  return (flags & MSG_EXCEPT) !== 0 ? message.type !== type : message.type === type;
}

/** The first message of the kind: of several types the lowest. */
export function choose(
  { messages }: MessageQueue,
  wanted: Pick<Receiver, 'type' | 'flags'>,
): Message | undefined {
  const fitting = messages.filter((message) => isWanted(wanted, message));
  if (wanted.type >= 0n) return fitting[0];
  return fitting.reduce<Message | undefined>(
    (best, each) => (best === undefined || each.type < best.type ? each : best),
    undefined,
  );
}

export const isTooLong = ({ most, flags }: Receiver, { bytes }: Message): boolean =>
  bytes.length > most && (flags & MSG_NOERROR) === 0;

/** Hands the message over, or queues it. Those for whom it is too long are told so, and wait no more. */
export function deliver(system: System, queue: MessageQueue, message: Message): void {
  queue.sent.process = system.state.process.id;
  queue.sent.time = realTime(system);
  for (const receiver of queue.receivers) {
    if (!isWanted(receiver, message)) continue;
    removeReceiver(queue, receiver);
    if (isTooLong(receiver, message)) {
      receiver.outcome = 'E2BIG';
      continue;
    }
    receiver.outcome = message;
    noteReceived(system, queue, receiver.process);
    return;
  }
  queue.messages = [...queue.messages, message];
}

export function noteReceived(system: System, queue: MessageQueue, process: number): void {
  queue.received.process = process;
  queue.received.time = realTime(system);
}

export function removeReceiver(queue: MessageQueue, receiver: Receiver): void {
  queue.receivers = queue.receivers.filter((each) => each !== receiver);
}

export function leaveQueues({ objects }: IpcSpace<MessageQueue>, process: number): void {
  for (const queue of objects.values())
    queue.receivers = queue.receivers.filter((receiver) => receiver.process !== process);
}
