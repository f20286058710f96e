import { type Args, size } from '../arguments.ts';
import { unsupportedCall } from '../blocked.ts';
import {
  CLONE_CHILD_CLEARTID,
  CLONE_CHILD_SETTID,
  CLONE_PARENT_SETTID,
  CLONE_SETTLS,
  CLONE_SIGHAND,
  CLONE_THREAD,
  CLONE_VM,
  type CloneRequest,
} from '../clone-request.ts';
import { fail } from '../errno.ts';
import { shareAnonymous } from '../lend.ts';
import { type Birth, bornProcess } from '../processes.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { waitFor } from '../wait.ts';
import { openProcess } from './process-descriptors.ts';
import { startThread } from './threads.ts';

/** linux/sched.h. */
const CSIGNAL = 0xffn;
const CLONE_FS = 0x200n;
const CLONE_FILES = 0x400n;
const CLONE_PIDFD = 0x1000n;
const CLONE_VFORK = 0x4000n;
const CLONE_PARENT = 0x8000n;
const CLONE_UNTRACED = 0x80_0000n;
const CLONE_CLEAR_SIGHAND = 0x1_0000_0000n;
/** CLONE_NEWNS, CLONE_NEWCGROUP to CLONE_NEWNET, CLONE_NEWTIME. */
const NAMESPACES = 0x2_0000n | 0x7e00_0000n | 0x80n;
const CLONE_NEWNS = 0x2_0000n;
const CLONE_NEWUSER = 0x1000_0000n;
/** In clone3 only: the child goes into a control group, of which there are none. */
const CLONE_INTO_CGROUP = 0x2_0000_0000n;
const CLONE_DETACHED = 0x40_0000n;
/** All that clone3 knows: those of clone without a signal's bits, and its own two. */
const CLONE3_FLAGS = 0x3_ffff_ff80n & ~CLONE_DETACHED;
const LAST_SIGNAL = 64;

const PLAIN = { stackPointer: 0n, parentWord: 0, childWord: 0, descriptorWord: 0, tls: 0n };
const SIGCHLD = 17;

function fork(system: System): number {
  return start(system, { call: 'fork', number: 57, flags: 0n, exitSignal: SIGCHLD, ...PLAIN });
}

function vfork(system: System): number {
  const flags = CLONE_VM | CLONE_VFORK;
  return start(system, { call: 'vfork', number: 58, flags, exitSignal: SIGCHLD, ...PLAIN });
}

function clone(system: System, [flags, stack, parentWord, childWord, tls]: Args): number {
  return start(system, {
    call: 'clone',
    number: 56,
    flags: BigInt.asUintN(32, flags) & ~CSIGNAL,
    exitSignal: Number(flags & CSIGNAL),
    stackPointer: stack,
    parentWord: size(parentWord),
    // Both cannot be asked for at once.
    descriptorWord: size(parentWord),
    childWord: size(childWord),
    tls,
  });
}

/** sizeof(struct clone_args) as it was at first, as we know it, and at most so many bytes. */
const FIRST_SIZE = 64;
const KNOWN_SIZE = 88;
const PAGE = 4096;

/** Later kernels' fields may be there as long as they ask for nothing: copy_struct_from_user. */
function clone3(system: System, [address, length]: Args): number {
  if (size(length) < FIRST_SIZE) fail('EINVAL');
  if (size(length) > PAGE) fail('E2BIG');
  const bytes = system.user.read(size(address), size(length));
  if (bytes.subarray(KNOWN_SIZE).some((byte) => byte !== 0)) fail('E2BIG');
  const given = new Uint8Array(KNOWN_SIZE);
  given.set(bytes.subarray(0, KNOWN_SIZE));
  const [
    flags,
    descriptorWord,
    childWord,
    parentWord,
    exitSignal,
    stack,
    stackSize,
    tls,
    ids,
    idCount,
    group,
  ] = new BigUint64Array(given.buffer);
  if (idCount > MOST_IDS || (ids === 0n) !== (idCount === 0n)) fail('EINVAL');
  if (exitSignal > BigInt(LAST_SIGNAL) || (flags & ~CLONE3_FLAGS) !== 0n) fail('EINVAL');
  if ((flags & (CLONE_THREAD | CLONE_PARENT)) !== 0n && exitSignal !== 0n) fail('EINVAL');
  if ((stack === 0n) !== (stackSize === 0n)) fail('EINVAL');
  // Only root chooses numbers.
  if (idCount !== 0n) fail('EPERM');
  if ((flags & CLONE_INTO_CGROUP) !== 0n) fail(group > 0x7fff_ffffn ? 'EINVAL' : 'EBADF');
  return start(system, {
    call: 'clone3',
    number: 435,
    flags,
    exitSignal: Number(exitSignal),
    stackPointer: stack + stackSize,
    ...(stackSize !== 0n && { stack: { start: Number(stack), end: Number(stack + stackSize) } }),
    parentWord: Number(parentWord),
    descriptorWord: Number(descriptorWord),
    childWord: Number(childWord),
    tls,
  });
}

/** LeakSanitizer starts such a process at the end, which looks through the stopped parent's memory with ptrace. */
const LEAKS =
  '; LeakSanitizer does so, unless `--env ASAN_OPTIONS=detect_leaks=0` (or LSAN_OPTIONS) says not to';
/** MAX_PID_NS_LEVEL */
const MOST_IDS = 32n;

/** A call that waits for its child to give the memory back has started it already. */
function start(system: System, request: CloneRequest): number {
  const { flags } = request;
  if ((flags & CLONE_THREAD) !== 0n) return startThread(system, request);
  if (system.waited?.done !== undefined) return system.waited.done;
  const has = (flag: bigint): boolean => (flags & flag) !== 0n;
  const refuse = (detail: string) => unsupportedCall(request.call, request.number, detail);
  if (has(CLONE_SIGHAND) && !has(CLONE_VM)) fail('EINVAL');
  if (has(CLONE_SIGHAND) && has(CLONE_CLEAR_SIGHAND)) fail('EINVAL');
  if (has(CLONE_FS) && (has(CLONE_NEWNS) || has(CLONE_NEWUSER))) fail('EINVAL');
  if (has(NAMESPACES)) fail('EPERM');
  if (request.call === 'clone' && has(CLONE_PIDFD) && has(CLONE_PARENT_SETTID)) fail('EINVAL');
  if (has(CLONE_VM) && !has(CLONE_VFORK))
    throw refuse(
      ` for a process that shares memory and runs beside its parent${has(CLONE_UNTRACED) ? LEAKS : ''}`,
    );
  if (has(CLONE_SIGHAND)) throw refuse(' for a process that shares its signal handlers');
  if (has(CLONE_PARENT_SETTID)) system.user.requireWritable(request.parentWord, 4);
  if (has(CLONE_PIDFD)) system.user.requireWritable(request.descriptorWord, 4);
  const birth: Birth = {
    exitSignal: request.exitSignal,
    sharesFiles: has(CLONE_FILES),
    sharesPaths: has(CLONE_FS),
    clearsHandlers: has(CLONE_CLEAR_SIGHAND),
    isSibling: has(CLONE_PARENT),
  };
  const borrows = has(CLONE_VM);
  if (!borrows) shareAnonymous(system);
  const child = bornProcess(system, birth);
  if (has(CLONE_CHILD_CLEARTID)) child.state.threads.get(child.id)!.clearedAtEnd = request.childWord;
  if (has(CLONE_PARENT_SETTID)) system.user.putI32(request.parentWord, child.id);
  if (has(CLONE_PIDFD)) system.user.putI32(request.descriptorWord, openProcess(system, child, 0));
  const { stackPointer, tls } = request;
  system.born = {
    process: child,
    ...(stackPointer !== 0n && { stackPointer: BigInt.asIntN(64, stackPointer) }),
    ...(has(CLONE_SETTLS) && { fsBase: BigInt.asIntN(64, tls) }),
    ...(has(CLONE_CHILD_SETTID) && { word: request.childWord }),
    borrows,
  };
  if (has(CLONE_VFORK)) {
    child.isWaitedFor = true;
    waitFor({
      call: request.call,
      reason: 'its child neither ends nor becomes another program',
      done: child.id,
      isUninterruptible: true,
      isReady: () => !child.isWaitedFor,
    });
  }
  return child.id;
}

export const CLONE_CALLS: readonly SyscallRow[] = [
  row(56, 'clone', 5, clone),
  row(57, 'fork', 0, fork),
  row(58, 'vfork', 0, vfork),
  row(435, 'clone3', 2, clone3),
];
