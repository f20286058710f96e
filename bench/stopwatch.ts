import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.ts';

/** One run of one process, start-up included. */
export interface Run {
  /** `exit 0`, `signal 11`, or `stopped` at the time limit. */
  readonly end: string;
  readonly wall: number;
  /** User and system time of all its threads and children, in seconds. */
  readonly cpu: number;
  /** Peak of resident memory in bytes. */
  readonly memory: number;
  /** SHA-256 of what it wrote to stdout. */
  readonly output: string;
  readonly stderr: string;
}

export type Stopwatch = (command: readonly string[]) => Run;

/** Runs commands in the folder, with an empty stdin and the same small environment for all. */
export function stopwatch(folder: string, limit: number): Stopwatch {
  const wrapper = compile(
    'gcc',
    ['-O2'],
    join(import.meta.dirname, 'stopwatch.c'),
    join(folder, 'stopwatch'),
  );
  const env = { PATH: process.env.PATH, LC_ALL: 'C', HOME: folder };
  return (command) => {
    const [stdout, stderr] = [join(folder, 'stdout'), join(folder, 'stderr')];
    const files = [openSync('/dev/null', 'r'), openSync(stdout, 'w'), openSync(stderr, 'w')];
    const { error, output } = spawnSync(wrapper, [String(limit), ...command], {
      cwd: folder,
      env,
      stdio: [files[0], files[1], files[2], 'pipe'],
      encoding: 'utf8',
    });
    files.forEach(closeSync);
    if (error !== undefined) throw error;
    const [how, status, wall, user, system, kilobytes] = (output[3] ?? '').trim().split(' ');
    const message = readFileSync(stderr, 'latin1');
    if (kilobytes === undefined) throw new Error(`cannot run ${command[0]}: ${message}`);
    return {
      end: how === 'signal' && Number(wall) >= limit ? 'stopped' : `${how} ${status}`,
      wall: Number(wall),
      cpu: Number(user) + Number(system),
      memory: Number(kilobytes) * 1024,
      output: createHash('sha256').update(readFileSync(stdout)).digest('hex'),
      stderr: message,
    };
  };
}
