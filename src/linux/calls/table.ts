import type { SyscallRow } from '../system.ts';
import { ATTRIBUTE_CALLS } from './attributes.ts';
import { CLONE_CALLS } from './clone.ts';
import { CONTROL_CALLS } from './control.ts';
import { COPY_CALLS } from './copy.ts';
import { DESCRIPTOR_CALLS } from './descriptors.ts';
import { DIRECTORY_CALLS } from './directories.ts';
import { ENTRY_CALLS } from './entries.ts';
import { EPOLL_CALLS } from './epoll.ts';
import { EXEC_CALLS } from './exec.ts';
import { FUTEX_CALLS } from './futex.ts';
import { IDENTITY_CALLS } from './identity.ts';
import { QUEUE_CALLS } from './ipc-queues.ts';
import { SEGMENT_CALLS } from './ipc-segments.ts';
import { SEMAPHORE_CALLS } from './ipc-semaphores.ts';
import { LOCK_CALLS } from './locks.ts';
import { MEMORY_CALLS } from './memory.ts';
import { MEMORY_POLICY_CALLS } from './memory-policy.ts';
import { MESSAGE_QUEUE_CALLS } from './message-queues.ts';
import { MESSAGE_CALLS } from './messages.ts';
import { OPEN_CALLS } from './open.ts';
import { POLL_CALLS } from './poll.ts';
import { PROCESS_CALLS } from './process.ts';
import { PROCESS_DESCRIPTOR_CALLS } from './process-descriptors.ts';
import { READ_WRITE_CALLS } from './read-write.ts';
import { REFUSED_CALLS } from './refused.ts';
import { SCHEDULING_CALLS } from './scheduling.ts';
import { SECCOMP_CALLS } from './seccomp.ts';
import { SIGNAL_CALLS } from './signals.ts';
import { SOCKET_NAME_CALLS } from './socket-names.ts';
import { SOCKET_OPTION_CALLS } from './socket-options.ts';
import { SOCKET_CALLS } from './sockets.ts';
import { STAT_CALLS } from './stat.ts';
import { THREAD_CALLS } from './threads.ts';
import { TIME_CALLS } from './time.ts';
import { TIMER_CALLS } from './timers.ts';
import { UNNAMED_CALLS } from './unnamed.ts';
import { WAIT_CALLS } from './wait.ts';

export const SYSCALL_ROWS: readonly SyscallRow[] = [
  ...ATTRIBUTE_CALLS,
  ...CLONE_CALLS,
  ...CONTROL_CALLS,
  ...COPY_CALLS,
  ...DESCRIPTOR_CALLS,
  ...DIRECTORY_CALLS,
  ...ENTRY_CALLS,
  ...EXEC_CALLS,
  ...FUTEX_CALLS,
  ...EPOLL_CALLS,
  ...IDENTITY_CALLS,
  ...LOCK_CALLS,
  ...MEMORY_CALLS,
  ...MEMORY_POLICY_CALLS,
  ...MESSAGE_CALLS,
  ...MESSAGE_QUEUE_CALLS,
  ...OPEN_CALLS,
  ...POLL_CALLS,
  ...PROCESS_CALLS,
  ...PROCESS_DESCRIPTOR_CALLS,
  ...QUEUE_CALLS,
  ...READ_WRITE_CALLS,
  ...REFUSED_CALLS,
  ...SCHEDULING_CALLS,
  ...SECCOMP_CALLS,
  ...SEGMENT_CALLS,
  ...SEMAPHORE_CALLS,
  ...SIGNAL_CALLS,
  ...SOCKET_CALLS,
  ...SOCKET_NAME_CALLS,
  ...SOCKET_OPTION_CALLS,
  ...STAT_CALLS,
  ...THREAD_CALLS,
  ...TIME_CALLS,
  ...TIMER_CALLS,
  ...UNNAMED_CALLS,
  ...WAIT_CALLS,
];

export const SYSCALLS: ReadonlyMap<number, SyscallRow> = new Map(
  SYSCALL_ROWS.map((row) => [row.number, row]),
);
