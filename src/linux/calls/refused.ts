import { int } from '../arguments.ts';
import { type Errno, fail } from '../errno.ts';
import { openFile } from '../open-file.ts';
import { row, type SyscallRow } from '../system.ts';
import { nodeAt } from './stat.ts';

/**
 * Calls that fail in a way programs expect from a kernel or file system that lacks the feature, and then do without.
 * A call that is in no table ends the run instead, with its name.
 */
const refuse = (number: number, name: string, args: number, errno: Errno): SyscallRow =>
  row(number, name, args, () => fail(errno));

/** The guest has no network. */
const SOCKETS: readonly SyscallRow[] = [
  refuse(41, 'socket', 3, 'EAFNOSUPPORT'),
  refuse(53, 'socketpair', 4, 'EAFNOSUPPORT'),
  ...(
    [
      [42, 'connect', 3],
      [43, 'accept', 3],
      [44, 'sendto', 6],
      [45, 'recvfrom', 6],
      [46, 'sendmsg', 3],
      [47, 'recvmsg', 3],
      [48, 'shutdown', 2],
      [49, 'bind', 3],
      [50, 'listen', 2],
      [51, 'getsockname', 3],
      [52, 'getpeername', 3],
      [54, 'setsockopt', 5],
      [55, 'getsockopt', 5],
      [288, 'accept4', 4],
      [299, 'recvmmsg', 5],
      [307, 'sendmmsg', 4],
    ] as const
  ).map(([number, name, args]) =>
    row(number, name, args, (system, [fd]) => {
      openFile(system, int(fd));
      return fail('ENOTSOCK');
    }),
  ),
];

const FDCWD = -100n;
const NO_FOLLOW = 0x100;

/** The file systems have no extended attributes; the file must exist all the same. */
const ATTRIBUTES: readonly SyscallRow[] = (
  [
    [188, 'setxattr', 5],
    [189, 'lsetxattr', 5],
    [190, 'fsetxattr', 5],
    [191, 'getxattr', 4],
    [192, 'lgetxattr', 4],
    [193, 'fgetxattr', 4],
    [194, 'listxattr', 3],
    [195, 'llistxattr', 3],
    [196, 'flistxattr', 3],
    [197, 'removexattr', 2],
    [198, 'lremovexattr', 2],
    [199, 'fremovexattr', 2],
  ] as const
).map(([number, name, args]) =>
  row(number, name, args, (system, [file]) => {
    if (name.startsWith('f')) openFile(system, int(file));
    else nodeAt(system, FDCWD, file, name.startsWith('l') && !name.startsWith('list') ? NO_FOLLOW : 0);
    return fail('EOPNOTSUPP');
  }),
);

export const REFUSED_CALLS: readonly SyscallRow[] = [
  ...SOCKETS,
  ...ATTRIBUTES,
  refuse(425, 'io_uring_setup', 2, 'ENOSYS'),
  refuse(29, 'shmget', 3, 'ENOSYS'),
  refuse(64, 'semget', 3, 'ENOSYS'),
  refuse(68, 'msgget', 2, 'ENOSYS'),
  refuse(240, 'mq_open', 4, 'ENOSYS'),
  refuse(237, 'mbind', 6, 'ENOSYS'),
  refuse(238, 'set_mempolicy', 3, 'ENOSYS'),
  refuse(239, 'get_mempolicy', 5, 'ENOSYS'),
  refuse(253, 'inotify_init', 0, 'ENOSYS'),
  refuse(294, 'inotify_init1', 1, 'ENOSYS'),
  refuse(298, 'perf_event_open', 5, 'EACCES'),
  refuse(303, 'name_to_handle_at', 5, 'EOPNOTSUPP'),
  refuse(310, 'process_vm_readv', 6, 'ENOSYS'),
  refuse(317, 'seccomp', 3, 'ENOSYS'),
  refuse(321, 'bpf', 3, 'EPERM'),
  refuse(323, 'userfaultfd', 1, 'EPERM'),
  refuse(329, 'pkey_mprotect', 4, 'ENOSYS'),
  refuse(330, 'pkey_alloc', 2, 'ENOSPC'),
  refuse(331, 'pkey_free', 1, 'ENOSYS'),
  refuse(434, 'pidfd_open', 2, 'ENOSYS'),
  refuse(444, 'landlock_create_ruleset', 3, 'ENOSYS'),
  refuse(449, 'futex_waitv', 5, 'ENOSYS'),
  refuse(451, 'cachestat', 4, 'ENOSYS'),
  refuse(462, 'mseal', 3, 'ENOSYS'),
  refuse(275, 'splice', 6, 'EINVAL'),
  refuse(276, 'tee', 4, 'EINVAL'),
  refuse(278, 'vmsplice', 4, 'EBADF'),
  refuse(133, 'mknod', 3, 'EPERM'),
  refuse(259, 'mknodat', 4, 'EPERM'),
  refuse(161, 'chroot', 1, 'EPERM'),
  refuse(165, 'mount', 5, 'EPERM'),
  refuse(166, 'umount2', 2, 'EPERM'),
  refuse(101, 'ptrace', 4, 'EPERM'),
  refuse(103, 'syslog', 3, 'EPERM'),
  refuse(251, 'ioprio_set', 3, 'EPERM'),
  refuse(252, 'ioprio_get', 2, 'ENOSYS'),
  refuse(314, 'sched_setattr', 3, 'EPERM'),
  refuse(315, 'sched_getattr', 4, 'ENOSYS'),
];
