import type { GuestExit } from '../observation/observation.ts';

export type Death = Pick<GuestExit & { kind: 'signal' }, 'signal' | 'fullStack'>;

/** Linux's numbers on x86-64 (signal(7)). */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  31: 'SIGSYS',
};

export function printSignal({ signal, fullStack }: Death): string {
  const name = SIGNALS[signal];
  const said = name === undefined ? `signal ${signal}` : `signal ${signal} (${name})`;
  return fullStack === undefined
    ? said
    : `${said}, its stack of ${Math.round(fullStack / 2 ** 20)} MiB being full`;
}
