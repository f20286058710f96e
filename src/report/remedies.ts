import type { Failure } from '../base/failure.ts';

/** What to do next about a failure: a command to run or a line to write. Undefined where its message says it all. */
export function remedyFor(failure: Failure): string | undefined {
  const remedy = Object.hasOwn(REMEDIES, failure.code) ? REMEDIES[failure.code] : undefined;
  return typeof remedy === 'function' ? remedy(failure) : remedy;
}

/** The limits that a measured program begins with are the same everywhere, and its own to change. */
export const FULL_STACK =
  'Whatever "ulimit -s" says here, programs begin with 8 MiB: raise it by setrlimit in the program, or measure sh -c "ulimit -s 65536 && exec ./PROGRAM".';

/** Programs that expect HOME, for one, die without it here as anywhere. */
export const GIVEN_ENVIRONMENT =
  'Of the environment it is given PATH, LC_ALL=C and what --env names: "env -i LC_ALL=C PATH=$PATH PROGRAM" tells whether it needs more.';

const SMALLER = 'Measure it with a smaller input, or one part of it at a time.';

const EXAMPLE = '"ilp-gate check --help" shows an example of a configuration.';
const UPDATE = 'Run "ilp-gate update" and commit the baseline it writes.';

const REMEDIES: Readonly<Record<string, string | ((failure: Failure) => string)>> = {
  'config-missing':
    'Write an ilp-gate.yml (see "ilp-gate check --help") or name another file with --config FILE.',
  'config-invalid': EXAMPLE,
  'config-unknown-key': EXAMPLE,
  'config-unsupported': 'Remove the key.',
  'baseline-missing': UPDATE,
  'profile-conflict': 'Take either side of the conflict, run "ilp-gate update" and commit what it writes.',
  'profile-not-json': 'Restore the file from the repository, or run "ilp-gate update" to write it anew.',
  'profile-malformed': 'Restore the file from the repository, or run "ilp-gate update" to write it anew.',
  'profile-not-a-profile': 'Name a file that "ilp-gate measure --json FILE" or "ilp-gate update" wrote.',
  'profile-newer-version': 'Use the version of ilp-gate that wrote it, or a later one.',
  'profile-too-old': UPDATE,
  'profile-missing': 'Write one with "ilp-gate measure --json FILE -- PROGRAM".',
  'bounds-missing': ({ facts }) =>
    facts.side === 'base'
      ? 'Run "ilp-gate update" with "machine: NAME" in the configuration and commit the baseline it writes.'
      : 'Name a machine: "machine: NAME" in the configuration. "ilp-gate machines" lists them.',
  'parallel-bounds-missing': () =>
    "Start at most 64 threads (OMP_NUM_THREADS in the target's `env`), or set these limits to `none` for the target.",
  'bounds-other-machine':
    'Run "ilp-gate update" to write the baseline for the machine that the configuration names.',
  'unknown-machine':
    '"ilp-gate machines" lists them; a file of your own has a slash in its name or ends in .json.',
  'build-failed':
    'Run the build command by hand in the directory of the configuration; what it printed is above.',
  'guest-exit': 'If that is how the program should end, say so with "expect-exit: STATUS" under the target.',
  'guest-signal': ({ facts }) =>
    facts.fullStack === undefined
      ? 'Run the program by itself with the same arguments and input; the configuration gives it nothing but what it names.'
      : FULL_STACK,
  'fuel-spent':
    'If it should run that long, raise "fuel" in the configuration (--fuel of "ilp-gate measure").',
  'chain-too-long':
    'Ask for the chain of a function with shorter calls (--chain NAME), or measure the program with a smaller input.',
  'program-not-found':
    'Build it first, or correct the path. A name without a slash is looked for on PATH only: write ./NAME for a program beside the configuration (for "ilp-gate measure": in the working directory).',
  'elf-address-conflict':
    'A program and its stack have 1.2 GB of addresses, from 0x10000 to 0x4c000000: measure it with smaller static arrays, or linked elsewhere.',
  'elf-interpreter-missing':
    'Install that dynamic linker with its libraries, or link the program statically.',
  'unsupported-instruction':
    'Report the instruction, or build without it (-march=x86-64-v3 instead of -march=native).',
  'unsupported-syscall': 'Report the system call, or measure the program without what makes it.',
  'guest-memory-exhausted': SMALLER,
  'shadow-exhausted': SMALLER,
  'records-exhausted': SMALLER,
  'compatibility-mode': 'Build the program without its 32-bit parts.',
  'address-space-limited':
    'Raise the limit on virtual memory ("ulimit -v"): only what the program touches takes memory.',
  'measurement-died':
    'Most likely memory ran out: measure fewer programs at a time with --jobs, or on a machine with more memory.',
  'git-missing': 'Install git, or compare with a committed baseline: remove "base: merge-base".',
  'merge-base-missing':
    'Fetch the whole history first: in a workflow, "fetch-depth: 0" under actions/checkout.',
};
