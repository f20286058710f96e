import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAMS = fileURLToPath(new URL('./programs', import.meta.url));

/** The names of all guest programs, in order. */
export const PROGRAM_NAMES: readonly string[] = readdirSync(PROGRAMS)
  .filter((file) => file.endsWith('.c'))
  .map((file) => file.slice(0, -2))
  .sort();

/** A compiler with its flags, and what is linked to. */
export interface Build {
  readonly compiler: 'gcc' | 'clang' | 'musl-gcc';
  readonly linking: 'static' | 'static-pie' | 'dynamic';
  readonly level: '-O0' | '-O1' | '-O2' | '-O3';
}

export function titleOf({ compiler, linking, level }: Build): string {
  return `${compiler} ${level} ${linking}`;
}

/** Whether the compilers and this processor are there. Without them the tests are skipped, unless REQUIRE_ORACLES is set. */
export function oracleMissing(...tools: readonly string[]): boolean {
  const isHere = process.platform === 'linux' && process.arch === 'x64';
  const missing = tools.filter((tool) => !isHere || spawnSync(tool, ['--version']).error !== undefined);
  if (missing.length > 0 && process.env.REQUIRE_ORACLES === '1')
    throw new Error(`${missing.join(', ')} missing`);
  return missing.length > 0;
}

const LINKING: Readonly<Record<Build['linking'], readonly string[]>> = {
  static: ['-static'],
  'static-pie': ['-static-pie', '-fPIE'],
  dynamic: ['-pie', '-fPIE'],
};

/**
 * Contraction and vector extensions are off by the baseline level; the warnings that clang has beyond gcc's are not
 * what is tested here.
 */
const FLAGS = ['-std=gnu11', '-g', '-w'];

/** Compiles the programs into the directory, two at a time; gives each one's path. */
export async function compile(
  { compiler, linking, level }: Build,
  names: readonly string[],
  directory: string,
): Promise<ReadonlyMap<string, string>> {
  const outputs = new Map<string, string>();
  const waiting = [...names];
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const output = join(directory, `${name}-${compiler}-${linking}${level}`);
      outputs.set(name, output);
      const source = join(PROGRAMS, `${name}.c`);
      await promisify(execFile)(compiler, [
        ...FLAGS,
        level,
        ...LINKING[linking],
        '-o',
        output,
        source,
        '-lm',
      ]);
    }
  };
  await Promise.all([worker(), worker()]);
  return outputs;
}
