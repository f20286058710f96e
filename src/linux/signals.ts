import { Failure } from '../base/failure.ts';
import type { Process } from './state.ts';
import type { Control, System } from './system.ts';

const SIGKILL = 9;
const SIGSTOP = 19;
export const LAST_SIGNAL = 64;
/** SIGCHLD, SIGCONT, SIGURG, SIGWINCH: signal(7). */
const IGNORED_BY_DEFAULT: readonly number[] = [17, 18, 23, 28];
/** SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU. */
const STOPPING: readonly number[] = [19, 20, 21, 22];
/** SIG_DFL, SIG_IGN. */
const DEFAULT = 0n;
const IGNORE = 1n;

export function signalBit(signal: number): bigint {
  return 1n << BigInt(signal - 1);
}

/** Bits of signals that no mask can hold back. */
export const UNBLOCKABLE = signalBit(SIGKILL) | signalBit(SIGSTOP);

export function isCatchable(signal: number): boolean {
  return signal !== SIGKILL && signal !== SIGSTOP;
}

/** The guest's process gets a signal: how it ends, or undefined when it goes on. */
export function raise(system: System, signal: number): Control | undefined {
  const { signals } = system.state;
  const handler = signals.actions.get(signal)?.handler ?? DEFAULT;
  if (handler === IGNORE || (handler === DEFAULT && IGNORED_BY_DEFAULT.includes(signal))) return undefined;
  if ((signals.blocked & signalBit(signal)) !== 0n) {
    signals.pending |= signalBit(signal);
    return undefined;
  }
  signals.pending &= ~signalBit(signal);
  if (handler !== DEFAULT) throw unsupported(signal, 'raised a signal for which it has a handler');
  if (STOPPING.includes(signal)) throw unsupported(signal, 'stopped itself with a signal');
  return { kind: 'signal', signal };
}

/** Another process gets a signal, which it hears of when it runs next. */
export function signalProcess({ state }: Process, signal: number): void {
  if (state === undefined) return;
  const { signals } = state;
  const handler = signals.actions.get(signal)?.handler ?? DEFAULT;
  const isBlocked = (signals.blocked & signalBit(signal)) !== 0n;
  const isIgnored = handler === IGNORE || (handler === DEFAULT && IGNORED_BY_DEFAULT.includes(signal));
  // What is ignored now may have a handler by the time that the mask lets it through.
  if (isBlocked || !isIgnored) signals.pending |= signalBit(signal);
}

/** Delivers what a change of the mask set free, the lowest number first. */
export function deliverPending(system: System): Control | undefined {
  for (let signal = 1; signal <= LAST_SIGNAL; signal++) {
    const { pending, blocked } = system.state.signals;
    if ((pending & ~blocked & signalBit(signal)) === 0n) continue;
    const end = raise(system, signal);
    if (end !== undefined) return end;
  }
  return undefined;
}

function unsupported(signal: number, what: string): Failure {
  return new Failure(
    'guest',
    'unsupported-signal',
    `The program ${what} (signal ${signal}), which is not supported.`,
    {
      signal,
    },
  );
}
