/** Signals by number (signal(7)) and sets of them: bit n - 1 for signal n. */
export const LAST_SIGNAL = 64;
/** Real-time signals queue; of the others one at most is pending. */
export const FIRST_REAL_TIME = 32;

export const SIGHUP = 1;
export const SIGILL = 4;
export const SIGTRAP = 5;
export const SIGBUS = 7;
export const SIGFPE = 8;
export const SIGKILL = 9;
export const SIGSEGV = 11;
export const SIGPIPE = 13;
export const SIGALRM = 14;
export const SIGCHLD = 17;
export const SIGCONT = 18;
export const SIGSTOP = 19;
export const SIGTTIN = 21;
export const SIGTTOU = 22;
export const SIGXFSZ = 25;
export const SIGSYS = 31;

/** SIGCHLD, SIGCONT, SIGURG, SIGWINCH. */
const IGNORED_BY_DEFAULT: readonly number[] = [17, 18, 23, 28];
/** SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU. */
const STOPPING: readonly number[] = [19, 20, 21, 22];

export function signalBit(signal: number): bigint {
  return 1n << BigInt(signal - 1);
}

/** Bits of signals that no mask can hold back. */
export const UNBLOCKABLE = signalBit(SIGKILL) | signalBit(SIGSTOP);

/** Those that instructions raise: they are delivered before all others (kernel/signal.c, SYNCHRONOUS_MASK). */
export const SYNCHRONOUS = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS].reduce(
  (set, signal) => set | signalBit(signal),
  0n,
);

export function isCatchable(signal: number): boolean {
  return signal !== SIGKILL && signal !== SIGSTOP;
}

export function isIgnoredByDefault(signal: number): boolean {
  return IGNORED_BY_DEFAULT.includes(signal);
}

/** The set of those that stop. */
export const STOPPING_SET = STOPPING.reduce((set, signal) => set | signalBit(signal), 0n);

export function isStopping(signal: number): boolean {
  return STOPPING.includes(signal);
}
