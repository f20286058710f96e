import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import { descriptor, mostDescriptors } from '../open-file.ts';
import { eventsOf, type Readiness, readinessOf } from '../readiness.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { deadlineAfter, giveWay, isOver, waitFor } from '../wait.ts';
import { readDuration } from './durations.ts';
import { maskAt, withMask } from './signals.ts';

const POLLNVAL = 0x020;
/** POLLERR and POLLHUP, which are told whether anybody asks or not. */
const ALWAYS = 0x018;

/** `timeout` in nanoseconds, undefined for ever. */
function poll(system: System, address: number, count: number, timeout: bigint | undefined): number {
  if (count > mostDescriptors(system)) fail('EINVAL');
  system.user.requireWritable(address, 8 * count);
  const table = system.user.read(address, 8 * count).slice();
  const ready = countEvents(system, table);
  if (ready === 0) wait(system, 'poll', timeout, () => countEvents(system, table.slice()) > 0);
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
function wait(system: System, call: string, timeout: bigint | undefined, isReady: () => boolean): void {
  const deadline = deadlineAfter(system, timeout);
  if (isOver(system, deadline)) return giveWay(system);
  waitFor({
    call,
    reason: 'no descriptor becomes ready',
    ...(deadline !== undefined && { deadline }),
    isReady,
    endsBySignal: true,
  });
}

interface Sets {
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly isReady: (number: number) => boolean;
}

/** As many descriptors as there are at most, however low RLIMIT_NOFILE is now. */
const MOST_SELECTED = 1024;

/** `timeout` in nanoseconds, undefined for ever. */
function select(system: System, args: Args, call: string, timeout: bigint | undefined): number {
  const count = int(args[0]);
  if (count < 0) fail('EINVAL');
  const numbers = Math.min(count, MOST_SELECTED);
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
    wait(system, call, timeout, () => countReady(system, again(), numbers) > 0);
  }
  for (const { address, bytes } of sets) system.user.write(address, bytes);
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

/** Linux writes the time that is left into the guest's timeout. */
function putRemaining(system: System, address: number, ready: number): void {
  if (ready > 0 || address === 0) return;
  system.user.putI64(address, 0n);
  system.user.putI64(address + 8, 0n);
}

function selectCall(system: System, args: Args): number {
  const address = size(args[4]);
  const ready = select(system, args, 'select', readDuration(system, address, 1000n));
  putRemaining(system, address, ready);
  return ready;
}

function pselect6(system: System, args: Args): number {
  const address = size(args[4]);
  // The sixth argument is a pointer to that of the mask, and its length.
  const at = size(args[5]);
  const mask = at === 0 ? undefined : maskAt(system, system.user.u64(at), system.user.u64(at + 8));
  const ready = withMask(system, mask, () =>
    select(system, args, 'pselect6', readDuration(system, address, 1n)),
  );
  putRemaining(system, address, ready);
  return ready;
}

function ppoll(system: System, [fds, count, timeout, mask, length]: Args): number {
  const ready = withMask(system, maskAt(system, mask, length), () =>
    poll(system, size(fds), uint(count), readDuration(system, size(timeout), 1n)),
  );
  putRemaining(system, size(timeout), ready);
  return ready;
}

function pollCall(system: System, [fds, count, milliseconds]: Args): number {
  const timeout = int(milliseconds) < 0 ? undefined : BigInt(int(milliseconds)) * 1_000_000n;
  return poll(system, size(fds), uint(count), timeout);
}

export const POLL_CALLS: readonly SyscallRow[] = [
  row(7, 'poll', 3, pollCall),
  row(23, 'select', 5, selectCall),
  row(270, 'pselect6', 6, pselect6),
  row(271, 'ppoll', 5, ppoll),
];
