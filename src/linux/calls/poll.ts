import { type Args, int, size, uint } from '../arguments.ts';
import { elapsed } from '../clock.ts';
import { fail, LinuxError } from '../errno.ts';
import { descriptor, mostDescriptors } from '../open-file.ts';
import { eventsOf, type Readiness, readinessOf } from '../readiness.ts';
import { interrupts } from '../signals/pending.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, giveWay, isOver, waitFor } from '../wait.ts';
import { putTimespec, putTimeval, readDuration } from './durations.ts';
import { maskAt, withMask } from './signals.ts';

const POLLNVAL = 0x020;
/** POLLERR and POLLHUP, which are told whether anybody asks or not. */
const ALWAYS = 0x018;

/** When a call gives up, and how the guest is told, however it ends, how much time was left. */
interface TimeLimit {
  readonly deadline: bigint | undefined;
  readonly putLeft?: () => void;
}

/** Of a timeout at an address, in units of so many nanoseconds, to which `put` writes what is left. */
function timeLimit(system: System, address: number, unit: bigint, put: typeof putTimespec): TimeLimit {
  const duration = readDuration(system, address, unit);
  const deadline = deadlineAfter(system, duration);
  if (deadline === undefined || duration === 0n) return { deadline };
  const putLeft = () => {
    const left = deadline - elapsed(system);
    try {
      put(system, address, left > 0n ? left : 0n);
    } catch (problem) {
      // What cannot be written stays as it is (fs/select.c, poll_select_finish).
      if (!(problem instanceof LinuxError)) throw problem;
    }
  };
  return { deadline, putLeft };
}

function poll(system: System, address: number, count: number, limit: TimeLimit): number {
  if (count > mostDescriptors(system)) fail('EINVAL');
  system.user.requireWritable(address, 8 * count);
  const table = system.user.read(address, 8 * count).slice();
  const ready = countEvents(system, table);
  if (ready === 0) wait(system, 'poll', limit, () => countEvents(system, table.slice()) > 0);
  // Only the results are the kernel's to write.
  for (let at = 0; at < table.length; at += 8)
    system.user.write(address + at + 6, table.subarray(at + 6, at + 8));
  return ready;
}

/** Puts into a table of struct pollfd what has happened, and counts the entries with something. */
function countEvents(system: System, table: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(table.buffer);
  let ready = 0;
  for (let at = 0; at < table.length; at += 8) {
    const events = polledEvents(system, view.getInt32(at, true), view.getUint16(at + 4, true));
    view.setUint16(at + 6, events, true);
    if (events !== 0) ready++;
  }
  return ready;
}

function polledEvents(system: System, number: number, wanted: number): number {
  if (number < 0) return 0;
  const open = system.state.descriptors.get(number);
  return open === undefined ? POLLNVAL : eventsOf(readinessOf(system, open.file)) & (wanted | ALWAYS);
}

function readiness(system: System, number: number): Readiness {
  return readinessOf(system, descriptor(system, number).file);
}

/** Returns when the time is over. */
function wait(system: System, call: string, limit: TimeLimit, isReady: () => boolean): void {
  const { deadline, putLeft } = limit;
  // A signal that the call's mask lets through comes before the end of its time.
  if (isOver(system, deadline) && !interrupts(system.state)) return giveWay(system);
  waitFor({
    call,
    reason: 'no descriptor becomes ready',
    ...(deadline !== undefined && { deadline }),
    isReady,
    endsBySignal: true,
    ...(putLeft !== undefined && { interrupted: putLeft }),
  });
}

interface Sets {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly isReady: (number: number) => boolean;
}

/** The kernel looks at as many descriptors as its table has room for, however low RLIMIT_NOFILE is now. */
const ROOM = 1024;
const lookedAt = ({ state }: System): number =>
  [...state.descriptors.keys()].reduce((most, last) => Math.max(most, last + 1), ROOM);

function select(system: System, args: Args, call: string, limit: TimeLimit): number {
  const count = int(args[0]);
  if (count < 0) fail('EINVAL');
  const numbers = Math.min(count, lookedAt(system));
  const length = Math.ceil(numbers / 64) * 8;
  const kinds: readonly ((number: number) => boolean)[] = [
    (number) => readiness(system, number).input || readiness(system, number).hangUp,
    (number) => readiness(system, number).output || readiness(system, number).error,
    () => false,
  ];
  const sets = kinds.flatMap((isReady, at): Sets[] => {
    const address = size(args[1 + at]);
    if (address === 0) return [];
    system.user.requireWritable(address, length);
    return [{ address, bytes: system.user.read(address, length).slice(), isReady }];
  });
  const before = sets.map((set) => ({ ...set, bytes: set.bytes.slice() }));
  const ready = countReady(system, sets, numbers);
  if (ready === 0) {
    const again = () => before.map((set) => ({ ...set, bytes: set.bytes.slice() }));
    wait(system, call, limit, () => countReady(system, again(), numbers) > 0);
  }
  for (const { address, bytes } of sets) system.user.write(address, bytes);
  limit.putLeft?.();
  return ready;
}

function countReady(system: System, sets: readonly Sets[], numbers: number): number {
  return sets.reduce((sum, { bytes, isReady }) => sum + keepReady(system, bytes, numbers, isReady), 0);
}

/** Clears the bits of descriptors that are not ready and counts the others. */
function keepReady(
  system: System,
  bits: Uint8Array,
  numbers: number,
  isReady: (number: number) => boolean,
): number {
  let ready = 0;
  for (let number = 0; number < 8 * bits.length; number++) {
    const bit = 1 << (number & 7);
    if ((bits[number >> 3] & bit) === 0) continue;
    if (number < numbers && !system.state.descriptors.has(number)) fail('EBADF');
    if (number < numbers && isReady(number)) ready++;
    else bits[number >> 3] &= ~bit;
  }
  return ready;
}

function selectCall(system: System, args: Args): number {
  return select(system, args, 'select', timeLimit(system, size(args[4]), 1000n, putTimeval));
}

function pselect6(system: System, args: Args): number {
  // The sixth argument is a pointer to that of the mask, and its length.
  const at = size(args[5]);
  const mask = at === 0 ? undefined : maskAt(system, system.user.u64(at), system.user.u64(at + 8));
  return withMask(system, mask, () =>
    select(system, args, 'pselect6', timeLimit(system, size(args[4]), 1n, putTimespec)),
  );
}

function ppoll(system: System, [fds, count, timeout, mask, length]: Args): number {
  return withMask(system, maskAt(system, mask, length), () => {
    const limit = timeLimit(system, size(timeout), 1n, putTimespec);
    const ready = poll(system, size(fds), uint(count), limit);
    limit.putLeft?.();
    return ready;
  });
}

function pollCall(system: System, [fds, count, milliseconds]: Args): number {
  const timeout = int(milliseconds) < 0 ? undefined : BigInt(int(milliseconds)) * 1_000_000n;
  return poll(system, size(fds), uint(count), { deadline: deadlineAfter(system, timeout) });
}

export const POLL_CALLS: readonly SyscallRow[] = [
  row(7, 'poll', 3, pollCall),
  row(23, 'select', 5, selectCall),
  row(270, 'pselect6', 6, pselect6),
  row(271, 'ppoll', 5, ppoll),
];
