import { execFileSync, spawnSync } from 'node:child_process';
import { fstatSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { HardwareProgram, HardwareRun, SampleCycles } from '../pipeline/ports.ts';
import { readSamples } from './perf-script.ts';

/**
 * At most about a thousand samples a second: Linux throttles what is above kernel.perf_event_max_sample_rate, which it
 * lowers by itself where an interrupt takes long (to 4,000 on the virtual machine this was tried on). A prime number.
 */
const SHORTEST_PERIOD = 4_000_037;
const MOST_SAMPLES = 20_000;
/** A short program is repeated, at most so often, until there are so many samples. */
const ENOUGH_SAMPLES = 400;
const MOST_REPETITIONS = 40;
const LONGEST_SCRIPT = 2 ** 28;

/**
 * Linux's perf as the source: `perf stat` for the sum of a run, `perf record` for where it goes. The C library picks the
 * routines that the emulated processor has, so that the same code runs.
 */
export const sampleCycles: SampleCycles = (program) => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-perf-'));
  try {
    return Array.from({ length: program.runs }, () => oneRun(program, directory));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** The samples stand for what was counted, however many of them were lost. */
function oneRun(program: HardwareProgram, directory: string): HardwareRun {
  const cycles = countCycles(program, directory);
  const period = Math.max(SHORTEST_PERIOD, Math.round(cycles / MOST_SAMPLES));
  const repetitions = Math.min(MOST_REPETITIONS, Math.ceil((ENOUGH_SAMPLES * period) / cycles));
  const sampled = sample(program, directory, period, repetitions);
  const scale = cycles / sampled.cycles;
  const paths = program.modules.map((path, i) => realPath(program, path, i === 0));
  return {
    cycles,
    modules: paths.map((path) =>
      (sampled.files.get(path) ?? []).map((each) => ({ ...each, cycles: each.cycles * scale })),
    ),
  };
}

const EVENT = 'cycles:u';

function countCycles(program: HardwareProgram, directory: string): number {
  const file = join(directory, 'stat');
  run(program, ['stat', '-x,', '-e', EVENT, '-o', file], 1);
  const row = readFileSync(file, 'utf8')
    .split('\n')
    .find((line) => line.includes('cycles'));
  const cycles = Number(row?.split(',')[0]);
  if (!Number.isFinite(cycles) || cycles <= 0)
    throw noCounters('perf counts no cycles here, as in many virtual machines');
  return cycles;
}

function sample(
  program: HardwareProgram,
  directory: string,
  period: number,
  repetitions: number,
): ReturnType<typeof readSamples> {
  const file = join(directory, 'record');
  run(program, ['record', '-q', '-N', '-B', '-e', EVENT, '-c', String(period), '-o', file], repetitions);
  const text = execFileSync('perf', ['script', '-i', file, '--show-mmap-events', '-F', 'pid,ip,period'], {
    encoding: 'utf8',
    maxBuffer: LONGEST_SCRIPT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return readSamples(text, realPath(program, program.program, true));
}

/** As perf names it; a program without a slash is looked up as the shell does. */
function realPath({ workingDirectory, env }: HardwareProgram, path: string, isProgram: boolean): string {
  const places =
    isProgram && !path.includes('/')
      ? (env.PATH ?? process.env.PATH ?? '').split(delimiter).map((place) => join(place, path))
      : [resolve(workingDirectory, path)];
  for (const place of places) {
    try {
      return realpathSync(place);
    } catch {
      // It is in another directory, or nowhere.
    }
  }
  return path;
}

/** Each repetition reads standard input from its beginning. */
const REPEAT = 'i=0; while [ $i -lt $1 ]; do (shift 2; exec "$@") < "$2" || exit; i=$((i+1)); done';

function run(
  { program, args, workingDirectory, env, stdin, isa }: HardwareProgram,
  perf: readonly string[],
  repetitions: number,
): void {
  const command = ['sh', '-c', REPEAT, 'sh', String(repetitions), inputOf(stdin), program, ...args];
  const { error, status, signal, stderr } = spawnSync('perf', [...perf, '--', ...command], {
    cwd: workingDirectory,
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...tunables(isa), ...env },
    stdio: ['inherit', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw noCounters('perf is not installed (Debian: linux-perf)');
  if (error !== undefined) throw noCounters(error.message);
  if (status === 0) return;
  if (/not supported|No permission|perf_event_paranoid|Error:/.test(stderr))
    throw noCounters(`perf cannot count here: ${firstLine(stderr)}`);
  throw new Failure(
    'environment',
    'hardware-run-failed',
    `on the machine itself ${JSON.stringify(program)} ${signal === null ? `exited with status ${status}` : `was ended by ${signal}`}; --hardware needs a run that ends with status 0`,
  );
}

const firstLine = (text: string): string =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? '';

function noCounters(why: string): Failure {
  return new Failure(
    'environment',
    'no-hardware-counters',
    `--hardware cannot measure: ${why}. Everything else works without it`,
  );
}

/** Standard input was read by the emulated run: it is opened anew where it is a file, and empty elsewhere. */
function inputOf(stdin: HardwareProgram['stdin']): string {
  if (stdin.kind === 'file') return stdin.path;
  return stdin.kind === 'inherit' && fstatSync(0).isFile() ? '/dev/stdin' : '/dev/null';
}

/** What a C library may use, by glibc's names (its manual, "Hardware Capability Tunables"). */
function tunables(isa: HardwareProgram['isa']): { readonly GLIBC_TUNABLES?: string } {
  const beyond = ['-AVX512F', '-AVX512VL', '-ERMS', '-FSRM'];
  const avx = ['-AVX', '-AVX2', '-AVX_Fast_Unaligned_Load'];
  return { GLIBC_TUNABLES: `glibc.cpu.hwcaps=${[...(isa === 'x86-64-v3' ? [] : avx), ...beyond].join()}` };
}
