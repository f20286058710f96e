import { type Args, int, size, uint } from '../arguments.ts';
import { fail } from '../errno.ts';
import type { ProcessNode } from '../fs/node.ts';
import { NEW_NODE, openUnnamed } from '../objects.ts';
import { addDescriptor, descriptor, O } from '../open-file.ts';
import { isAlive, type Living } from '../processes.ts';
import { fromProcess, fromRecord, INFORMATION_SIZE } from '../signals/information.ts';
import { sendToProcess } from '../signals/send.ts';
import { LAST_SIGNAL } from '../signals/sets.ts';
import type { Process } from '../state.ts';
import { row, type SyscallRow, type System } from '../system.ts';

/** Descriptors that lead to processes: pidfd_open(2). */

export function openProcess(system: System, { id }: Process, flags: number): number {
  const node: ProcessNode = { ...NEW_NODE, kind: 'process', process: id };
  return openUnnamed(system, node, 'anon_inode:[pidfd]', flags | O.CLOSE_ON_EXEC, O.READ_WRITE);
}

function open(system: System, [id, flags]: Args): number {
  if (int(id) <= 0 || (uint(flags) & ~O.NON_BLOCKING) !== 0) fail('EINVAL');
  const process = system.state.shared.processes.get(int(id)) ?? fail('ESRCH');
  return openProcess(system, process, uint(flags));
}

/** Whether alive or ended: as long as somebody may wait for it. */
function processOf(system: System, number: bigint): Process {
  const { node } = descriptor(system, int(number)).file;
  if (node.kind !== 'process') return fail('EBADF');
  return system.state.shared.processes.get(node.process) ?? fail('ESRCH');
}

function sendSignal(system: System, [number, signalBits, record, flags]: Args): number {
  if (uint(flags) !== 0) fail('EINVAL');
  const target = processOf(system, number);
  const signal = int(signalBits);
  const bytes = size(record) === 0 ? undefined : system.user.read(size(record), INFORMATION_SIZE);
  if (signal < 0 || signal > LAST_SIGNAL || (bytes !== undefined && signalIn(bytes) !== signal))
    fail('EINVAL');
  if (signal === 0 || !isAlive(target)) return 0;
  const { process } = system.state;
  sendToProcess(target.state, bytes === undefined ? fromProcess(process, signal) : fromRecord(signal, bytes));
  return 0;
}

const signalIn = (record: Uint8Array): number =>
  new DataView(record.buffer, record.byteOffset).getInt32(0, true);

function getDescriptor(system: System, [number, wanted, flags]: Args): number {
  if (uint(flags) !== 0) fail('EINVAL');
  const target: Process | Living = processOf(system, number);
  if (!isAlive(target)) return fail('ESRCH');
  const { file } = target.state.descriptors.get(int(wanted)) ?? fail('EBADF');
  return addDescriptor(system, file, true);
}

export const PROCESS_DESCRIPTOR_CALLS: readonly SyscallRow[] = [
  row(434, 'pidfd_open', 2, open),
  row(424, 'pidfd_send_signal', 4, sendSignal),
  row(438, 'pidfd_getfd', 3, getDescriptor),
];
