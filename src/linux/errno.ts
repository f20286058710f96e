import { Unwinding } from '../base/unwinding.ts';

/** include/uapi/asm-generic/errno-base.h and errno.h: those that our calls return. */
export const ERRNO = {
  EPERM: 1,
  ENOENT: 2,
  ESRCH: 3,
  EINTR: 4,
  EIO: 5,
  ENXIO: 6,
  E2BIG: 7,
  ENOEXEC: 8,
  EBADF: 9,
  ECHILD: 10,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EFAULT: 14,
  EBUSY: 16,
  EEXIST: 17,
  EXDEV: 18,
  ENODEV: 19,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  EMFILE: 24,
  ENOTTY: 25,
  EFBIG: 27,
  ENOSPC: 28,
  ESPIPE: 29,
  EROFS: 30,
  EPIPE: 32,
  ERANGE: 34,
  EDEADLK: 35,
  ENAMETOOLONG: 36,
  ENOSYS: 38,
  ENOTEMPTY: 39,
  ELOOP: 40,
  ENOMSG: 42,
  EIDRM: 43,
  ENODATA: 61,
  EOVERFLOW: 75,
  ENOTSOCK: 88,
  EDESTADDRREQ: 89,
  EMSGSIZE: 90,
  ENOPROTOOPT: 92,
  EPROTOTYPE: 91,
  EPROTONOSUPPORT: 93,
  ESOCKTNOSUPPORT: 94,
  EOPNOTSUPP: 95,
  EAFNOSUPPORT: 97,
  EADDRINUSE: 98,
  EADDRNOTAVAIL: 99,
  ENETUNREACH: 101,
  ECONNRESET: 104,
  ENOBUFS: 105,
  EISCONN: 106,
  ENOTCONN: 107,
  ETIMEDOUT: 110,
  ECONNREFUSED: 111,
  EINPROGRESS: 115,
} as const;

export type Errno = keyof typeof ERRNO;

/** Ends a system call with -errno. Thrown by handlers, caught by the kernel; never leaves linux/. */
export class LinuxError extends Unwinding {
  readonly errno: Errno;

  constructor(errno: Errno) {
    super(errno);
    this.errno = errno;
  }
}

/** One for each number: to make one takes as long as to throw it. */
const errors = new Map<Errno, LinuxError>();

export function fail(errno: Errno): never {
  let error = errors.get(errno);
  if (error === undefined) {
    error = new LinuxError(errno);
    errors.set(errno, error);
  }
  throw error;
}
