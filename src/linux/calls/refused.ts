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

/** What this kernel was built without, as far as programs ask for it. */
const MISSING: readonly (readonly [number, string, number])[] = [
  [134, 'uselib', 1],
  [139, 'sysfs', 3],
  [156, '_sysctl', 1],
  [174, 'create_module', 2],
  [177, 'get_kernel_syms', 1],
  [178, 'query_module', 5],
  [180, 'nfsservctl', 3],
  [181, 'getpmsg', 0],
  [182, 'putpmsg', 0],
  [183, 'afs_syscall', 0],
  [184, 'tuxcall', 0],
  [185, 'security', 0],
  [154, 'modify_ldt', 3],
  [205, 'set_thread_area', 1],
  [206, 'io_setup', 2],
  [207, 'io_destroy', 1],
  [208, 'io_getevents', 5],
  [209, 'io_submit', 3],
  [210, 'io_cancel', 3],
  [211, 'get_thread_area', 1],
  [212, 'lookup_dcookie', 3],
  [214, 'epoll_ctl_old', 4],
  [215, 'epoll_wait_old', 4],
  [216, 'remap_file_pages', 5],
  [236, 'vserver', 5],
  [248, 'add_key', 5],
  [249, 'request_key', 4],
  [250, 'keyctl', 5],
  [256, 'migrate_pages', 4],
  [279, 'move_pages', 6],
  [311, 'process_vm_writev', 6],
  [312, 'kcmp', 5],
  [333, 'io_pgetevents', 6],
  [426, 'io_uring_enter', 6],
  [427, 'io_uring_register', 4],
  [440, 'process_madvise', 5],
  [445, 'landlock_add_rule', 4],
  [446, 'landlock_restrict_self', 2],
  [447, 'memfd_secret', 1],
  [448, 'process_mrelease', 2],
  [450, 'set_mempolicy_home_node', 4],
];

/** What only root may do. */
const PRIVILEGED: readonly (readonly [number, string, number])[] = [
  [153, 'vhangup', 0],
  [155, 'pivot_root', 2],
  [163, 'acct', 1],
  [164, 'settimeofday', 2],
  [167, 'swapon', 2],
  [168, 'swapoff', 1],
  [169, 'reboot', 4],
  [170, 'sethostname', 2],
  [171, 'setdomainname', 2],
  [172, 'iopl', 1],
  [173, 'ioperm', 3],
  [175, 'init_module', 3],
  [176, 'delete_module', 2],
  [179, 'quotactl', 4],
  [246, 'kexec_load', 4],
  [300, 'fanotify_init', 2],
  [301, 'fanotify_mark', 5],
  [304, 'open_by_handle_at', 3],
  [308, 'setns', 2],
  [313, 'finit_module', 3],
  [320, 'kexec_file_load', 5],
  [428, 'open_tree', 3],
  [429, 'move_mount', 5],
  [430, 'fsopen', 2],
  [431, 'fsconfig', 5],
  [432, 'fsmount', 3],
  [433, 'fspick', 3],
  [442, 'mount_setattr', 5],
  [443, 'quotactl_fd', 4],
];

export const REFUSED_CALLS: readonly SyscallRow[] = [
  ...ATTRIBUTES,
  ...MISSING.map(([number, name, args]) => refuse(number, name, args, 'ENOSYS')),
  ...PRIVILEGED.map(([number, name, args]) => refuse(number, name, args, 'EPERM')),
  refuse(136, 'ustat', 2, 'EINVAL'),
  // What it would go on with is made again by itself.
  refuse(219, 'restart_syscall', 0, 'EINTR'),
  refuse(425, 'io_uring_setup', 2, 'ENOSYS'),
  refuse(298, 'perf_event_open', 5, 'EACCES'),
  refuse(303, 'name_to_handle_at', 5, 'EOPNOTSUPP'),
  refuse(310, 'process_vm_readv', 6, 'ENOSYS'),
  refuse(321, 'bpf', 3, 'EPERM'),
  refuse(323, 'userfaultfd', 1, 'EPERM'),
  refuse(329, 'pkey_mprotect', 4, 'ENOSYS'),
  refuse(330, 'pkey_alloc', 2, 'ENOSPC'),
  refuse(331, 'pkey_free', 1, 'ENOSYS'),
  refuse(444, 'landlock_create_ruleset', 3, 'ENOSYS'),
  refuse(449, 'futex_waitv', 5, 'ENOSYS'),
  refuse(451, 'cachestat', 4, 'ENOSYS'),
  refuse(462, 'mseal', 3, 'ENOSYS'),
  refuse(161, 'chroot', 1, 'EPERM'),
  refuse(165, 'mount', 5, 'EPERM'),
  refuse(166, 'umount2', 2, 'EPERM'),
  refuse(101, 'ptrace', 4, 'EPERM'),
  refuse(103, 'syslog', 3, 'EPERM'),
];
