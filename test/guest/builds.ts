import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Names of the programs in the folder `programs`, in order. */
export const PROGRAMS: readonly string[] = readdirSync(join(FOLDER, 'programs'))
  .filter((file) => file.endsWith('.c'))
  .map((file) => file.slice(0, -2))
  .sort();

/** A compiler with its flags, and what is linked to. */
export interface Build {
  readonly compiler: 'gcc' | 'clang' | 'musl-gcc';
  /** `bare` is without any library. */
  readonly linking: 'static' | 'static-pie' | 'dynamic' | 'bare';
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
  bare: ['-static', '-nostdlib', '-ffreestanding', '-fno-builtin', '-fno-stack-protector'],
};
const FLAGS = ['-std=gnu11', '-g', '-w'];

function sourceOf(name: string, { linking }: Build): string {
  return join(FOLDER, linking === 'bare' ? '.' : 'programs', `${name}.c`);
}

/** Compiles the programs into the directory, two at a time; gives each one's path. */
export async function compile(
  build: Build,
  names: readonly string[],
  directory: string,
): Promise<ReadonlyMap<string, string>> {
  const { compiler, linking, level } = build;
  const outputs = new Map<string, string>();
  const waiting = [...names];
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const output = join(directory, `${name}-${compiler}-${linking}${level}`);
      outputs.set(name, output);
      const libraries = linking === 'bare' ? [] : ['-lm'];
      await promisify(execFile)(compiler, [
        ...FLAGS,
        level,
        ...LINKING[linking],
        '-o',
        output,
        sourceOf(name, build),
        ...libraries,
      ]);
    }
  };
  await Promise.all([worker(), worker()]);
  return outputs;
}
