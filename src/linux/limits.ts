import { fail } from './errno.ts';
import type { KernelState, Limit } from './state.ts';

/** What getrlimit(2) tells, and /proc/PID/limits. Only the stack's size and the number of open files are enforced. */

/** RLIMIT_STACK */
export const STACK = 3;

/** RLIMIT_NOFILE */
export const NUMBER_OF_FILES = 7;

/** As many as a process may allow itself: INR_OPEN_MAX of include/uapi/linux/fs.h. */
const MOST_FILES = 4096;

const INFINITE = 2n ** 64n - 1n;

/** By number: the kernel's name for it, and its unit. */
const RESOURCES: readonly (readonly [string, string])[] = [
  ['cpu time', 'seconds'],
  ['file size', 'bytes'],
  ['data size', 'bytes'],
  ['stack size', 'bytes'],
  ['core file size', 'bytes'],
  ['resident set', 'bytes'],
  ['processes', 'processes'],
  ['open files', 'files'],
  ['locked memory', 'bytes'],
  ['address space', 'bytes'],
  ['file locks', 'locks'],
  ['pending signals', 'signals'],
  ['msgqueue size', 'bytes'],
  ['nice priority', ''],
  ['realtime priority', ''],
  ['realtime timeout', 'us'],
];

/** What is not here is unlimited. */
const DEFAULTS: Readonly<Record<number, Limit>> = {
  [STACK]: { soft: 8n << 20n, hard: INFINITE },
  4: { soft: 0n, hard: INFINITE },
  6: { soft: 4096n, hard: 4096n },
  [NUMBER_OF_FILES]: { soft: 1024n, hard: BigInt(MOST_FILES) },
  8: { soft: 64n << 10n, hard: 64n << 10n },
  13: { soft: 0n, hard: 0n },
  14: { soft: 0n, hard: 0n },
};

export function limitOf({ limits }: Pick<KernelState, 'limits'>, resource: number): Limit {
  if (resource >= RESOURCES.length) fail('EINVAL');
  return limits.get(resource) ?? DEFAULTS[resource] ?? { soft: INFINITE, hard: INFINITE };
}

/** /proc/PID/limits. */
export function limitsText(state: KernelState): string {
  const line = (...[name, soft, hard, unit]: readonly string[]): string =>
    `${name.padEnd(25)} ${soft.padEnd(20)} ${hard.padEnd(20)} ${unit === '' ? '' : unit.padEnd(10)}\n`;
  const value = (limit: bigint): string => (limit === INFINITE ? 'unlimited' : String(limit));
  const rows = RESOURCES.map(([name, unit], resource) => {
    const { soft, hard } = limitOf(state, resource);
    return line(`Max ${name}`, value(soft), value(hard), unit);
  });
  return line('Limit', 'Soft Limit', 'Hard Limit', 'Units') + rows.join('');
}
