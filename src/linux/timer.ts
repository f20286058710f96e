/** A timer of setitimer, timer_create or timerfd_create. */
export interface Timer {
  /** The guest's life with its sleep, or its instructions alone: the process's or, by its number, a thread's. */
  readonly follows: 'time' | 'processor' | number;
  /** The clock that the guest named: absolute times are its. */
  readonly clock: number;
  readonly tells:
    | { readonly kind: 'nobody' }
    | { readonly kind: 'signal'; readonly signal: number }
    | {
        readonly kind: 'queued signal';
        readonly signal: number;
        readonly id: number;
        readonly value: bigint;
        /** Who alone is told (SIGEV_THREAD_ID); the process where it is undefined. */
        readonly thread?: number;
      };
  /** Undefined while it is disarmed. Nanoseconds on the line that it follows. */
  expires: bigint | undefined;
  interval: bigint;
  /** Since it was armed, or read (timerfd). */
  expirations: bigint;
  overrun: bigint;
  /** How often it has expired, whatever was read. */
  fired: number;
}
