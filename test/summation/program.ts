import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bitsOf, doubleOf } from './dyadic.ts';

export const EXAMPLE = fileURLToPath(new URL('../../examples/summation', import.meta.url));
const HARNESS = fileURLToPath(new URL('harness.c', import.meta.url));

const ALGORITHMS = [
  'sum',
  'sum2',
  'ddsum',
  'ifastsum',
  'accsum',
  'fastaccsum',
  'hybridsum',
  'onlineexactsum',
  'dot',
  'horner',
  'comphorner',
  'ddhorner',
];

/** Whether gcc, make and static linking are here. Without them the tests are skipped, unless REQUIRE_ORACLES is set. */
export function toolchainMissing(): boolean {
  const missing = ['gcc', 'make', 'objdump'].some((tool) => spawnSync(tool, ['--version']).status !== 0);
  if (missing && process.env.REQUIRE_ORACLES === '1') throw new Error('gcc, make or objdump is missing');
  return missing;
}

export type Build = 'paper' | 'o2';
export const BUILDS: readonly Build[] = ['paper', 'o2'];

/** The programs of both builds, made by the example's own Makefile in a directory of their own. */
export interface Programs {
  readonly directory: string;
  /** The example's command. */
  readonly command: Readonly<Record<Build, string>>;
  /** The test program around the same object files. */
  readonly harness: Readonly<Record<Build, string>>;
}

export function build(...flags: readonly string[]): Programs {
  const directory = mkdtempSync(join(tmpdir(), 'summation-'));
  const make = ['-s', '-C', EXAMPLE, `BUILD=${directory}`];
  if (flags.length > 0) make.push(`DEBUG=-g ${flags.join(' ')}`);
  execFileSync('make', make, { stdio: ['ignore', 'ignore', 'inherit'] });
  const harness = (name: Build): string => {
    const output = join(directory, name, 'harness');
    const objects = [...ALGORITHMS, 'exact', 'hexfloat'].map((object) =>
      join(directory, name, `${object}.o`),
    );
    execFileSync('gcc', ['-std=c99', '-O1', `-I${EXAMPLE}`, '-o', output, HARNESS, ...objects]);
    return output;
  };
  return {
    directory,
    command: { paper: join(directory, 'paper/summation'), o2: join(directory, 'o2/summation') },
    harness: { paper: harness('paper'), o2: harness('o2') },
  };
}

export interface Request {
  readonly name: string;
  readonly n: number;
  readonly values: readonly number[];
}

export function sumRequest(name: string, values: readonly number[]): Request {
  return { name, n: values.length, values };
}

/** The answers of the harness, as printed. */
export function ask(harness: string, requests: readonly Request[]): readonly string[] {
  const hex = (value: number): string => bitsOf(value).toString(16).padStart(16, '0');
  const input = requests.map(({ name, n, values }) => [name, n, ...values.map(hex)].join(' ')).join('\n');
  const run = spawnSync(harness, { input: `${input}\n`, encoding: 'utf8', timeout: 20_000 });
  if (run.status !== 0) throw new Error(`the test program ended with ${run.status ?? run.signal}`);
  return run.stdout.trimEnd().split('\n');
}

/** The answers as numbers. */
export function evaluate(harness: string, requests: readonly Request[]): readonly number[] {
  return ask(harness, requests).map((text) => doubleOf(BigInt(`0x${text}`)));
}
