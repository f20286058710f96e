import { EPOCH } from './clock.ts';
import { fail } from './errno.ts';
import type { CounterNode, ObjectNode, OpenFile, OpenNode, WatchNode } from './fs/node.ts';
import { addDescriptor, O } from './open-file.ts';
import { signalRecord } from './signals/information.ts';
import { allPending, pendingSet, takePending } from './signals/pending.ts';
import { signalBit } from './signals/sets.ts';
import type { System } from './system.ts';
import { expireTimer } from './timers.ts';
import { giveWay, waitFor } from './wait.ts';
import { eventRecord, sizeOfEvent } from './watches.ts';

/** Descriptors that lead to counters, timers, signals: what is read and written are records, and reading may wait. */

export const NEW_NODE = { inode: 0, mode: 0o600, modified: EPOCH } as const;
const COUNTER_SIZE = 8;
const MOST = 2n ** 64n - 2n;

/** A descriptor for something without a name; `flags` are SOCK_*, EFD_* or the like, which are O_*. */
export function openUnnamed(
  system: System,
  node: OpenNode,
  name: string,
  flags: number,
  access: number,
): number {
  const kept = (flags & O.NON_BLOCKING) | access;
  const file = { node, path: name, openedAs: name, flags: kept, offset: 0 };
  return addDescriptor(system, file, (flags & O.CLOSE_ON_EXEC) !== 0);
}

/** Whether a read would give something now. */
export function hasRecords(system: System, node: ObjectNode): boolean {
  switch (node.kind) {
    case 'counter':
      return node.value > 0n;
    case 'timer':
      expireTimer(system, node.timer);
      return node.timer.expirations > 0n;
    case 'signals':
      return (pendingSet(system.state) & node.set) !== 0n;
    case 'watches':
      return node.queue.length > 0;
    // What epoll has to tell is for epoll_wait (calls/epoll.ts).
    case 'interests':
      return false;
    case 'messages':
      return node.messages.length > 0;
    case 'process':
      return system.state.shared.processes.get(node.process)?.state === undefined;
  }
}

function recordsOf({ state }: System, node: ObjectNode): number {
  if (node.kind !== 'signals') return 1;
  return allPending(state).filter(({ signal }) => (node.set & signalBit(signal)) !== 0n).length;
}

/** How many bytes a read of `count` gets: waits until there are some. */
export function availableRecords(system: System, file: OpenFile, node: ObjectNode, count: number): number {
  // Messages are for mq_receive (calls/message-queues.ts).
  if (['interests', 'process', 'messages'].includes(node.kind)) return fail('EINVAL');
  const size = node.kind === 'signals' ? RECORD_SIZE : node.kind === 'watches' ? 1 : COUNTER_SIZE;
  if (count < size) fail('EINVAL');
  if (node.kind === 'watches' && node.queue.length > 0) return fittingEvents(node, count);
  if (hasRecords(system, node)) return size * Math.min(recordsOf(system, node), Math.floor(count / size));
  if ((file.flags & O.NON_BLOCKING) !== 0) {
    giveWay(system);
    return fail('EAGAIN');
  }
  return waitFor({
    call: 'read',
    reason: 'nothing happens that the descriptor tells of',
    isReady: () => hasRecords(system, node),
  });
}

/** Bytes of the events that fit: one at least must. */
function fittingEvents({ queue }: WatchNode, count: number): number {
  let length = 0;
  for (const event of queue) {
    if (length + sizeOfEvent(event) > count) break;
    length += sizeOfEvent(event);
  }
  return length === 0 ? fail('EINVAL') : length;
}

const RECORD_SIZE = 128;

/** Takes at most `length` bytes of records. */
export function takeRecords(system: System, node: ObjectNode, length: number): Uint8Array {
  switch (node.kind) {
    case 'counter': {
      const value = node.isSemaphore ? 1n : node.value;
      node.value -= value;
      node.madeRoom = (node.madeRoom ?? 0) + 1;
      return new Uint8Array(BigUint64Array.of(value).buffer);
    }
    case 'timer': {
      const { expirations } = node.timer;
      node.timer.expirations = 0n;
      return new Uint8Array(BigUint64Array.of(expirations).buffer);
    }
    case 'signals': {
      const records: Uint8Array[] = [];
      while (RECORD_SIZE * records.length < length) {
        const info = takePending(system.state, node.set);
        if (info === undefined) break;
        records.push(signalRecord(info));
      }
      return concatenated(records);
    }
    case 'watches': {
      const records: Uint8Array[] = [];
      for (let left = length; left > 0; left -= records.at(-1)!.length)
        records.push(eventRecord(node.queue.shift()!));
      return concatenated(records);
    }
    case 'interests':
    case 'process':
    case 'messages':
      return fail('EINVAL');
  }
}

function concatenated(records: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(records.reduce((sum, record) => sum + record.length, 0));
  let at = 0;
  for (const record of records) {
    all.set(record, at);
    at += record.length;
  }
  return all;
}

/** Whether a write of this value to a counter would not wait. */
export function hasRoomFor(node: CounterNode, added: bigint): boolean {
  return node.value + added <= MOST;
}

/** Only counters are written to: the value is added. */
export function putRecord(file: OpenFile, node: ObjectNode, bytes: Uint8Array): number {
  if (node.kind !== 'counter' || bytes.length < COUNTER_SIZE) return fail('EINVAL');
  const added = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (added > MOST) fail('EINVAL');
  const hasRoom = () => hasRoomFor(node, added);
  if (hasRoom()) {
    node.value += added;
    node.came = (node.came ?? 0) + 1;
    return COUNTER_SIZE;
  }
  if ((file.flags & O.NON_BLOCKING) !== 0) return fail('EAGAIN');
  return waitFor({ call: 'write', reason: 'nobody reads the counter', isReady: hasRoom });
}
