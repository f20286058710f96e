import { type Args, int, size, uint } from '../arguments.ts';
import { toBytes } from '../bytes.ts';
import { monotonicTime } from '../clock.ts';
import { fail } from '../errno.ts';
import { GROUP_ID, HOST_NAME, KERNEL_RELEASE, KERNEL_VERSION, USER_ID } from '../fs/initial.ts';
import { MEMORY_FREE, MEMORY_TOTAL } from '../fs/machine-texts.ts';
import { knownProcess, processOf } from '../processes.ts';
import { randomBytes } from '../random.ts';
import { row, type SyscallRow, type System } from '../system.ts';
import { MOST_BYTES } from './transfer.ts';

/** Who and where the guest is: the same for everyone. */

function uname(system: System, [address]: Args): number {
  const fields = ['Linux', HOST_NAME, KERNEL_RELEASE, KERNEL_VERSION, 'x86_64', '(none)'];
  const record = new Uint8Array(6 * 65);
  fields.forEach((field, at) => {
    record.set(toBytes(field), 65 * at);
  });
  system.user.write(size(address), record);
  return 0;
}

/** struct sysinfo of linux/sysinfo.h. */
function sysinfo(system: System, [address]: Args): number {
  const view = new DataView(new ArrayBuffer(112));
  view.setBigInt64(0, monotonicTime(system) / 1_000_000_000n, true);
  view.setBigUint64(32, BigInt(MEMORY_TOTAL), true);
  view.setBigUint64(40, BigInt(MEMORY_FREE), true);
  view.setUint16(80, 1, true);
  view.setUint32(104, 1, true);
  system.user.write(size(address), new Uint8Array(view.buffer));
  return 0;
}

function requireThread(system: System, thread: bigint): void {
  if (!system.state.threads.has(int(thread))) processOf(system, int(thread));
}

function getGroups(system: System, [count, address]: Args): number {
  if (int(count) < 0) fail('EINVAL');
  if (int(count) > 0) system.user.putI32(size(address), GROUP_ID);
  return 1;
}

/** getresuid and getresgid: real, effective and saved. */
function putThree(system: System, args: Args, id: number): number {
  for (const address of args.slice(0, 3)) system.user.putI32(size(address), id);
  return 0;
}

/** Changing identity is allowed where nothing changes. */
function stay(id: number, count: number): (system: System, args: Args) => number {
  return (_system, args) =>
    args.slice(0, count).every((wanted) => int(wanted) === id || int(wanted) === -1) ? 0 : fail('EPERM');
}

/** One processor. */
function getAffinity(system: System, [thread, length, address]: Args): number {
  requireThread(system, thread);
  if (uint(length) < 8 || uint(length) % 8 !== 0) fail('EINVAL');
  system.user.putI64(size(address), 1n);
  return 8;
}

function setAffinity(system: System, [thread, length, address]: Args): number {
  requireThread(system, thread);
  if (uint(length) < 1) fail('EINVAL');
  return (system.user.read(size(address), 1)[0] & 1) !== 0 ? 0 : fail('EINVAL');
}

function getCpu(system: System, [cpu, node]: Args): number {
  if (size(cpu) !== 0) system.user.putI32(size(cpu), 0);
  if (size(node) !== 0) system.user.putI32(size(node), 0);
  return 0;
}

const GRND_KNOWN = 7;
/** GRND_RANDOM and GRND_INSECURE. */
const GRND_EITHER = 6;

function getRandom(system: System, [address, length, flags]: Args): number {
  if ((uint(flags) & ~GRND_KNOWN) !== 0 || (uint(flags) & GRND_EITHER) === GRND_EITHER) fail('EINVAL');
  const count = Math.min(size(length), MOST_BYTES);
  system.user.requireWritable(size(address), count);
  system.user.write(size(address), randomBytes(system, count));
  return count;
}

const CAPABILITY_VERSION_3 = 0x2008_0522;

/** No capabilities: struct __user_cap_header_struct, then two of data (linux/capability.h). */
function getCapabilities(system: System, [header, data]: Args): number {
  const version = system.user.i32(size(header));
  if (version !== CAPABILITY_VERSION_3) {
    system.user.putI32(size(header), CAPABILITY_VERSION_3);
    return size(data) === 0 ? 0 : fail('EINVAL');
  }
  if (size(data) !== 0) system.user.write(size(data), new Uint8Array(24));
  return 0;
}

/** None can be added to none: capset(2). */
function setCapabilities(system: System, [header, data]: Args): number {
  const version = system.user.i32(size(header));
  if (version !== CAPABILITY_VERSION_3) {
    system.user.putI32(size(header), CAPABILITY_VERSION_3);
    return fail('EINVAL');
  }
  const isNone = system.user.read(size(data), 24).every((byte) => byte === 0);
  return isNone ? 0 : fail('EPERM');
}

/** setpgid(2): of itself, or of a child that is still the same program; into a group of the session, or one of its own. */
function setGroup(system: System, [process, wanted]: Args): number {
  const self = system.state.process;
  const id = int(process) === 0 ? self.id : int(process);
  const group = int(wanted) === 0 ? id : int(wanted);
  if (group < 0) fail('EINVAL');
  const target = processOf(system, id);
  if (target !== self && target.parent !== self.id) fail('ESRCH');
  if (target.session !== self.session || target.session === target.id) fail('EPERM');
  if (target !== self && target.hasExecuted) fail('EACCES');
  const isThere = [...system.state.shared.processes.values()].some(
    (other) => other.group === group && other.session === self.session,
  );
  if (group !== target.id && !isThere) fail('EPERM');
  target.group = group;
  return 0;
}

/** setsid(2): whoever leads a group already may not. */
function newSession(system: System): number {
  const { process, shared } = system.state;
  if ([...shared.processes.values()].some(({ group }) => group === process.id)) fail('EPERM');
  process.group = process.id;
  process.session = process.id;
  return process.id;
}

export const IDENTITY_CALLS: readonly SyscallRow[] = [
  row(63, 'uname', 1, uname),
  row(99, 'sysinfo', 1, sysinfo),
  row(39, 'getpid', 0, (s) => s.state.process.id),
  row(110, 'getppid', 0, (s) => s.state.process.parent),
  row(102, 'getuid', 0, () => USER_ID),
  row(107, 'geteuid', 0, () => USER_ID),
  row(104, 'getgid', 0, () => GROUP_ID),
  row(108, 'getegid', 0, () => GROUP_ID),
  row(118, 'getresuid', 3, (s, args) => putThree(s, args, USER_ID)),
  row(120, 'getresgid', 3, (s, args) => putThree(s, args, GROUP_ID)),
  row(115, 'getgroups', 2, getGroups),
  row(105, 'setuid', 1, stay(USER_ID, 1)),
  row(106, 'setgid', 1, stay(GROUP_ID, 1)),
  row(113, 'setreuid', 2, stay(USER_ID, 2)),
  row(114, 'setregid', 2, stay(GROUP_ID, 2)),
  row(117, 'setresuid', 3, stay(USER_ID, 3)),
  row(119, 'setresgid', 3, stay(GROUP_ID, 3)),
  row(116, 'setgroups', 2, () => fail('EPERM')),
  row(122, 'setfsuid', 1, () => USER_ID),
  row(123, 'setfsgid', 1, () => GROUP_ID),
  row(111, 'getpgrp', 0, (s) => s.state.process.group),
  row(121, 'getpgid', 1, (s, [process]) => knownProcess(s, int(process)).group),
  row(124, 'getsid', 1, (s, [process]) => knownProcess(s, int(process)).session),
  row(109, 'setpgid', 2, setGroup),
  row(112, 'setsid', 0, newSession),
  row(125, 'capget', 2, getCapabilities),
  row(126, 'capset', 2, setCapabilities),
  row(203, 'sched_setaffinity', 3, setAffinity),
  row(204, 'sched_getaffinity', 3, getAffinity),
  row(309, 'getcpu', 3, getCpu),
  row(318, 'getrandom', 3, getRandom),
];
