import { type Args, int, size, uint } from '../arguments.ts';
import { unsupportedCall } from '../blocked.ts';
import { fail } from '../errno.ts';
import { PROCESS_ID } from '../fs/initial.ts';
import { type Control, row, type SyscallRow, type System } from '../system.ts';
import { addThread, endThread, runningThread } from '../threads.ts';

const CLONE_VM = 0x100;
const CLONE_SIGHAND = 0x800;
const CLONE_THREAD = 0x1_0000;
const CLONE_SETTLS = 0x8_0000;
const CLONE_PARENT_SETTID = 0x10_0000;
const CLONE_CHILD_CLEARTID = 0x20_0000;
const CLONE_CHILD_SETTID = 0x100_0000;

/** What clone and clone3 are asked for. */
interface Request {
  readonly call: string;
  readonly number: number;
  readonly flags: number;
  /** What rsp is in the child; 0 for what it is in the parent. */
  readonly stackPointer: bigint;
  readonly parentWord: number;
  readonly childWord: number;
  readonly tls: bigint;
}

function clone(system: System, [flags, stack, parentWord, childWord, tls]: Args): number {
  return start(system, {
    call: 'clone',
    number: 56,
    flags: uint(flags),
    stackPointer: stack,
    parentWord: size(parentWord),
    childWord: size(childWord),
    tls,
  });
}

/** sizeof(struct clone_args) as it was at first, and at most so many bytes. */
const FIRST_SIZE = 64;
const PAGE = 4096;

function clone3(system: System, [address, length]: Args): number {
  if (size(length) < FIRST_SIZE) fail('EINVAL');
  if (size(length) > PAGE) fail('E2BIG');
  const bytes = system.user.read(size(address), size(length)).slice();
  const field = (n: number): bigint => new DataView(bytes.buffer).getBigUint64(8 * n, true);
  return start(system, {
    call: 'clone3',
    number: 435,
    flags: Number(field(0) & 0xffff_ffffn),
    stackPointer: field(5) === 0n ? 0n : field(5) + field(6),
    parentWord: Number(field(3)),
    childWord: Number(field(2)),
    tls: field(7),
  });
}

function start(system: System, request: Request): number {
  const { flags, stackPointer, parentWord, childWord, tls } = request;
  if ((flags & CLONE_THREAD) === 0)
    throw unsupportedCall(request.call, request.number, ' for another process');
  if ((flags & CLONE_SIGHAND) === 0 || (flags & CLONE_VM) === 0) fail('EINVAL');
  if ((flags & CLONE_PARENT_SETTID) !== 0) system.user.requireWritable(parentWord, 4);
  const base = (flags & CLONE_SETTLS) === 0 ? undefined : tls;
  const thread = addThread(system, base);
  if ((flags & CLONE_CHILD_CLEARTID) !== 0) thread.clearedAtEnd = childWord;
  if ((flags & CLONE_PARENT_SETTID) !== 0) system.user.putI32(parentWord, thread.id);
  if ((flags & CLONE_CHILD_SETTID) !== 0 && system.user.isWritable(childWord, 4))
    system.user.putI32(childWord, thread.id);
  system.started = {
    id: thread.id,
    ...(stackPointer !== 0n && { stackPointer: BigInt.asIntN(64, stackPointer) }),
    ...(base !== undefined && { fsBase: BigInt.asIntN(64, base) }),
  };
  return thread.id;
}

/** Only the calling thread ends, unless it is the last. The process's status is what its first thread said. */
function exit(system: System, [status]: Args): Control {
  const { state } = system;
  if (state.running === PROCESS_ID) state.status = int(status) & 0xff;
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

/** MEMBARRIER_CMD_QUERY tells which there are; every instruction of a thread is seen by all others in order anyway. */
function memoryBarrier(_system: System, [command, flags]: Args): number {
  if (int(flags) !== 0) fail('EINVAL');
  if (int(command) === 0) return BARRIERS;
  return (int(command) & BARRIERS) === int(command) ? 0 : fail('EINVAL');
}

/** GLOBAL, GLOBAL_EXPEDITED, PRIVATE_EXPEDITED, PRIVATE_EXPEDITED_SYNC_CORE and what registers for them. */
const BARRIERS = 0x7f;

export const THREAD_CALLS: readonly SyscallRow[] = [
  row(24, 'sched_yield', 0, yieldProcessor),
  row(56, 'clone', 5, clone),
  row(60, 'exit', 1, exit),
  row(186, 'gettid', 0, (system) => runningThread(system).id),
  row(218, 'set_tid_address', 1, setClearedWord),
  row(231, 'exit_group', 1, exitGroup),
  row(273, 'set_robust_list', 2, setRobustList),
  row(274, 'get_robust_list', 3, getRobustList),
  row(324, 'membarrier', 3, memoryBarrier),
  row(435, 'clone3', 2, clone3),
];
