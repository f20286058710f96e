import { WRITE } from '../guest/memory.ts';
import { fail } from './errno.ts';
import { allRegions } from './region-list.ts';
import { fromProcess } from './signals/information.ts';
import { send } from './signals/pending.ts';
import { SIGXFSZ } from './signals/sets.ts';
import type { KernelState, Limit } from './state.ts';
import type { System } from './system.ts';

/**
 * What getrlimit(2) tells, and /proc/PID/limits. Enforced are the sizes of files, the stack, the heap and all addresses, and the number of
 * open files.
 */

/** RLIMIT_FSIZE and RLIMIT_DATA */
const FILE_SIZE = 1;
const DATA = 2;

/** RLIMIT_STACK */
export const STACK = 3;

/** RLIMIT_NOFILE */
export const NUMBER_OF_FILES = 7;

/** As many as a process may allow itself: INR_OPEN_MAX of include/uapi/linux/fs.h. */
const MOST_FILES = 4096;

/** RLIMIT_AS */
const ADDRESSES = 9;

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

/** How far a file may be written that is to be written up to an end: SIGXFSZ where that is nowhere (mm/filemap.c: generic_write_check_limits). */
export function writableEnd({ state }: Pick<System, 'state'>, start: number, end: number): number {
  const { soft } = limitOf(state, FILE_SIZE);
  if (BigInt(end) <= soft) return end;
  if (BigInt(start) < soft) return Number(soft);
  send(state, fromProcess(state.process, SIGXFSZ));
  return fail('EFBIG');
}

/**
 * Whether so many more bytes of addresses may be mapped, in place of what is in a range, and stored to if nobody else sees that
 * (mm/mmap.c: may_expand_vm).
 */
export function mayMap(
  { state }: Pick<System, 'state'>,
  length: number,
  isData: boolean,
  replaced = { start: 0, end: 0 },
): boolean {
  const [data, addresses] = [DATA, ADDRESSES].map((resource) => limitOf(state, resource).soft);
  if (data === INFINITE && addresses === INFINITE) return true;
  let [all, own, gone] = [0, 0, 0];
  for (const { start, end, protection, shared } of allRegions(state.regions)) {
    all += end - start;
    if (!shared && (protection & WRITE) !== 0) own += end - start;
    gone += Math.max(0, Math.min(end, replaced.end) - Math.max(start, replaced.start));
  }
  const more = length - gone;
  return BigInt(all + more) <= addresses && (!isData || BigInt(own + more) <= data);
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
