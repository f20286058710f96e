import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Case } from './case.ts';
import { locate } from './compile.ts';

const ROOT = join(import.meta.dirname, '..');
export const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const GATE = join(ROOT, 'dist', 'cli.cjs');

export const TOOLS = [
  'native',
  'none',
  'callgrind',
  'qemu',
  'gate',
  'gate, first run',
  'gate, one context',
  'gate, chain of the run',
  'gate, unmeasured',
] as const;
export type Tool = (typeof TOOLS)[number];

/** The command that runs a case under a tool; the guest's own is last in each. `folder` is where `buildUnmeasured` built. */
export function commandOf(tool: Tool, { program, args }: Case, folder: string): readonly string[] {
  switch (tool) {
    case 'native':
      return [program, ...args];
    case 'none':
      return ['valgrind', '--tool=none', program, ...args];
    case 'callgrind':
      return ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', program, ...args];
    case 'qemu':
      return ['qemu-x86_64', program, ...args];
    case 'gate':
      return [NODE, GATE, 'measure', '--', program, ...args];
    case 'gate, first run':
      return [...inNewDirectory(folder), NODE, GATE, 'measure', '--', program, ...args];
    case 'gate, one context':
      return [NODE, GATE, 'measure', '--depth', '0', '--', program, ...args];
    case 'gate, chain of the run':
      return [NODE, GATE, 'measure', '--chain', 'run', '--', program, ...args];
    case 'gate, unmeasured':
      return [NODE, unmeasuredIn(folder), 'measure', '--depth', '0', '--', program, ...args];
  }
}

/** Runs a command that finds nothing in its temporary directory. */
const inNewDirectory = (folder: string): readonly string[] => [
  'sh',
  '-c',
  `TMPDIR=$(mktemp -d -p ${folder}) exec "$@"`,
  'sh',
];

/** Those that leave compiled code for their next run. */
export const KEEPING: readonly Tool[] = [
  'gate',
  'gate, one context',
  'gate, chain of the run',
  'gate, unmeasured',
];

const unmeasuredIn = (folder: string): string => join(folder, 'unmeasured', 'cli.cjs');

/** Builds ilp-gate without its measurement (unmeasured.ts), to see what that costs. */
export function buildUnmeasured(folder: string): void {
  const build = join(ROOT, 'scripts', 'build.mjs');
  const lanes = join(import.meta.dirname, 'unmeasured.ts');
  execFileSync(NODE, [build, dirname(unmeasuredIn(folder)), lanes], { stdio: 'inherit' });
}

/** ilp-gate, which then says in a file how its engine spent its effort. */
export function engineCommandOf({ program, args }: Case, file: string): readonly string[] {
  return [NODE, GATE, 'measure', '--engine-stats', file, '--', program, ...args];
}

/** ilp-gate under V8's sampling profiler, which writes to a file. */
export function sampledCommandOf({ program, args }: Case, log: string): readonly string[] {
  return [
    NODE,
    '--prof',
    `--logfile=${log}`,
    '--no-logfile-per-isolate',
    GATE,
    'measure',
    '--',
    program,
    ...args,
  ];
}

/** The tools that this machine has, in the order of the tables. */
export function installed(wanted: {
  readonly first: boolean;
  readonly contexts: boolean;
  readonly chains: boolean;
  readonly unmeasured: boolean;
}): Tool[] {
  const has = (program: string): boolean => locate(program) !== undefined;
  return TOOLS.filter((tool) => {
    switch (tool) {
      case 'none':
      case 'callgrind':
        return has('valgrind');
      case 'qemu':
        return has('qemu-x86_64');
      case 'gate, first run':
        return wanted.first;
      case 'gate, one context':
        return wanted.contexts;
      case 'gate, chain of the run':
        return wanted.chains;
      case 'gate, unmeasured':
        return wanted.unmeasured;
      default:
        return true;
    }
  });
}

/** What callgrind counted, from its closing message; its processor differs from ilp-gate's, so the counts do a little. */
export function instructionsIn(stderr: string): number | undefined {
  const count = /^==\d+== Collected : (\d+)/m.exec(stderr)?.[1];
  return count === undefined ? undefined : Number(count);
}

/** The one line of a tool's stderr that tells why it did not run a program. */
export function reasonIn(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^==\d+==\s*/, '').trim())
    .filter((line) => line !== '');
  return lines.find((line) => line.startsWith('ilp-gate:')) ?? lines.at(-1) ?? 'no message';
}
