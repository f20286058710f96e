import { describe, expect, test } from 'vitest';
import { Guest } from './fixtures/guest.ts';

const words = (...values: bigint[]) => new Uint8Array(BigInt64Array.from(values).buffer);
/** sa_handler, sa_flags, sa_restorer, sa_mask. */
const HANDLER = words(0x1234n, 0n, 0n, 0n);
const SIGALRM = 14;
const SIGVTALRM = 26;

describe('timers', () => {
  test('tell the count of instructions at which their signal comes, as long as the guest does not sleep', () => {
    const g = new Guest();
    g.clock = 500n;
    expect(g.kernel.nextTimerSignal()).toBe(undefined);
    g.call('setitimer', 0, words(0n, 0n, 0n, 3n), 0);
    expect(g.kernel.nextTimerSignal()).toBe(3500n);
    g.call('setitimer', 1, words(0n, 0n, 0n, 2n), 0);
    expect(g.kernel.nextTimerSignal()).toBe(2500n);
    g.call('nanosleep', words(0n, 2000n), 0);
    // The timer of real time is nearer, that of the processor’s stands.
    expect(g.kernel.nextTimerSignal()).toBe(1500n);
  });

  test('that wake the machine are not for users of it, and it has no clock that could', () => {
    const g = new Guest();
    expect(g.call('timerfd_create', 8, 0)).toBe('EPERM');
    expect(g.call('timerfd_create', 9, 1)).toBe('EINVAL');
    expect(g.call('timer_create', 9, 0, g.room(8))).toBe('EOPNOTSUPP');
    expect(g.call('clock_nanosleep', 8, 0, words(0n, 1n), 0)).toBe('EOPNOTSUPP');
    expect(g.call('clock_gettime', 9, g.room(16))).toBe('EINVAL');
  });

  test('end what waits, which fails or is made again as the handler says', () => {
    const g = new Guest();
    g.call('rt_sigaction', SIGALRM, HANDLER, 0, 8);
    g.call('alarm', 2);
    const left = g.room(16);
    expect(g.outcome('nanosleep', words(5n, 0n), left)).toMatchObject({
      result: -4n,
      delivery: { info: { signal: SIGALRM, code: 0x80 } },
    });
    expect(g.memory.view.getBigInt64(left, true)).toBe(3n);
    const ends = g.room(8);
    g.call('pipe', ends);
    g.call('alarm', 1);
    const reader = g.memory.view.getInt32(ends, true);
    // Its mask is back once the handler is entered: until then the second one waits.
    g.kernel.state.signals.blocked = 0n;
    expect(g.outcome('read', reader, g.room(4), 4)).toMatchObject({ result: -4n });
    g.kernel.state.signals.blocked = 0n;
    g.call('rt_sigaction', SIGALRM, words(0x1234n, 0x1000_0000n, 0n, 0n), 0, 8);
    g.call('alarm', 1);
    expect(g.outcome('read', reader, g.room(4), 4)).toMatchObject({ restarts: true });
  });

  test('end a wait whose own mask lets their signal through, and bring the former mask back', () => {
    const g = new Guest();
    const blocked = 1n << BigInt(SIGALRM - 1);
    g.call('rt_sigaction', SIGALRM, HANDLER, 0, 8);
    g.call('rt_sigprocmask', 0, words(blocked), 0, 8);
    g.call('alarm', 1);
    // ppoll of nothing for two seconds: the signal is blocked, and comes afterwards.
    expect(g.call('ppoll', 0, 0, words(2n, 0n), 0, 8)).toBe(0);
    expect(g.outcome('ppoll', 0, 0, words(2n, 0n), words(0n), 8)).toMatchObject({
      result: -4n,
      delivery: { mask: blocked },
    });
  });

  test('that expire more than once before anybody looks are told of once, with a count', () => {
    const g = new Guest();
    g.call('rt_sigprocmask', 0, words(1n << BigInt(SIGVTALRM - 1)), 0, 8);
    const number = g.room(4);
    // struct sigevent: value, signal, SIGEV_SIGNAL.
    g.call('timer_create', 1, words(7n, BigInt(SIGVTALRM)), number);
    g.call('timer_settime', 0, 0, words(0n, 100n, 0n, 100n), 0);
    g.clock = 1050n;
    expect(g.call('timer_getoverrun', 0)).toBe(9);
    expect(g.kernel.nextTimerSignal()).toBe(1100n);
    expect(g.call('timer_delete', 0)).toBe(0);
    expect(g.call('timer_delete', 0)).toBe('EINVAL');
  });
});
