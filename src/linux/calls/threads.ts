import { type Args, int, size } from '../arguments.ts';
import {
  CLONE_CHILD_CLEARTID,
  CLONE_CHILD_SETTID,
  CLONE_PARENT_SETTID,
  CLONE_SETTLS,
  CLONE_SIGHAND,
  CLONE_VM,
  type CloneRequest,
} from '../clone-request.ts';
import { fail } from '../errno.ts';
import { type Control, row, type SyscallRow, type System } from '../system.ts';
import { addThread, endThread, runningThread } from '../threads.ts';

/** CLONE_THREAD. */
export function startThread(system: System, request: CloneRequest): number {
  const { flags, stackPointer, stack, parentWord, childWord, tls } = request;
  const has = (flag: bigint): boolean => (flags & flag) !== 0n;
  if (!has(CLONE_SIGHAND) || !has(CLONE_VM)) fail('EINVAL');
  if (has(CLONE_PARENT_SETTID)) system.user.requireWritable(parentWord, 4);
  const base = has(CLONE_SETTLS) ? tls : undefined;
  const thread = addThread(system);
  if (has(CLONE_CHILD_CLEARTID)) thread.clearedAtEnd = childWord;
  if (has(CLONE_PARENT_SETTID)) system.user.putI32(parentWord, thread.id);
  if (has(CLONE_CHILD_SETTID) && system.user.isWritable(childWord, 4))
    system.user.putI32(childWord, thread.id);
  system.started = {
    id: thread.id,
    ...(stackPointer !== 0n && { stackPointer: BigInt.asIntN(64, stackPointer) }),
    ...(stack && { stack }),
    ...(base !== undefined && { fsBase: BigInt.asIntN(64, base) }),
  };
  return thread.id;
}

/** Only the calling thread ends, unless it is the last. The process's status is what its first thread said. */
function exit(system: System, [status]: Args): Control {
  const { state } = system;
  if (state.running === state.process.id) state.status = int(status) & 0xff;
  endThread(system);
  return state.threads.size > 0 ? { kind: 'thread-exit' } : { kind: 'exit', status: state.status };
}

function exitGroup(_system: System, [status]: Args): Control {
  return { kind: 'exit', status: int(status) & 0xff };
}

function yieldProcessor(system: System): number {
  system.yields = true;
  return 0;
}

function setClearedWord(system: System, [address]: Args): number {
  const thread = runningThread(system);
  thread.clearedAtEnd = size(address);
  return thread.id;
}

/** sizeof(struct robust_list_head) */
const ROBUST_LIST_SIZE = 24;

function setRobustList(system: System, [address, length]: Args): number {
  if (size(length) !== ROBUST_LIST_SIZE) fail('EINVAL');
  runningThread(system).robustList = size(address);
  return 0;
}

function getRobustList(system: System, [thread, address, length]: Args): number {
  const asked = int(thread) === 0 ? runningThread(system) : system.state.threads.get(int(thread));
  if (asked === undefined) return fail('ESRCH');
  system.user.putI64(size(length), BigInt(ROBUST_LIST_SIZE));
  system.user.putI64(size(address), BigInt(asked.robustList));
  return 0;
}

/**
 * MEMBARRIER_CMD_QUERY tells which there are; every instruction of a thread is seen by all others in order anyway. Those of a
 * process alone are for who registered: the command's bit is half of that of its registration.
 */
function memoryBarrier({ state }: System, [commandBits, flags]: Args): number {
  const command = int(commandBits);
  if (int(flags) !== 0) fail('EINVAL');
  if (command === 0) return BARRIERS;
  if ((command & BARRIERS) !== command || (command & (command - 1)) !== 0) fail('EINVAL');
  if ((command & REGISTRATIONS) !== 0) state.barriers |= command;
  if ((command & PRIVATE) !== 0 && (state.barriers & (2 * command)) === 0) fail('EPERM');
  return 0;
}

/** GLOBAL, GLOBAL_EXPEDITED, PRIVATE_EXPEDITED, PRIVATE_EXPEDITED_SYNC_CORE and what registers for them. */
const BARRIERS = 0x7f;
const PRIVATE = 0x28;
const REGISTRATIONS = 0x50;

export const THREAD_CALLS: readonly SyscallRow[] = [
  row(24, 'sched_yield', 0, yieldProcessor),
  row(60, 'exit', 1, exit),
  row(186, 'gettid', 0, (system) => runningThread(system).id),
  row(218, 'set_tid_address', 1, setClearedWord),
  row(231, 'exit_group', 1, exitGroup),
  row(273, 'set_robust_list', 2, setRobustList),
  row(274, 'get_robust_list', 3, getRobustList),
  row(324, 'membarrier', 3, memoryBarrier),
];
