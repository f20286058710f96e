import { Unwinding } from '../base/unwinding.ts';

/**
 * A system call that cannot be answered yet. Whoever runs the guest lets others run and makes the same call again, for the
 * same thread, when something may have changed (Kernel.syscall's `waited`). Until then the call has done nothing that
 * another thread or process could see, except what it says in `done`.
 */
export interface Wait {
  readonly kind: 'wait';
  /** The system call and what it waits for: the message when nobody can go on names both. */
  readonly call: string;
  readonly reason: string;
  /** Point of time (see `elapsed`) from which on the call is answered whatever has happened. */
  readonly deadline?: bigint;
  /** Whether the call may be answered if it is made again now. Asking changes nothing. */
  readonly isReady: () => boolean;
  /** Whether the handler of a signal ends it with EINTR whatever SA_RESTART says; else it is made again where that says so. */
  readonly endsBySignal?: boolean;
  /** Whether signals wait, too. */
  readonly isUninterruptible?: boolean;
  /** What a signal that ends it leaves behind. */
  readonly interrupted?: () => void;
  /** How the call goes on when it is made again; else as it began. */
  readonly goOn?: () => number | bigint;
  /** How much the call has done already, in its own unit: bytes of a long write. A signal makes it the result. */
  readonly done?: number;
}

/** A handler that cannot answer throws this, as it throws LinuxError. */
export class NotYet extends Unwinding {
  readonly wait: Wait;

  constructor(wait: Wait) {
    super(`${wait.call} waits`);
    this.wait = wait;
  }
}
