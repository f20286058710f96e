import { spawnSync } from 'node:child_process';

/** Compiles one file; throws with the compiler's words. */
export function compile(compiler: string, args: readonly string[], source: string, program: string): string {
  const { error, status, stderr } = spawnSync(compiler, ['-o', program, source, ...args], {
    encoding: 'utf8',
  });
  if (error !== undefined) throw new Error(`cannot run ${compiler}: ${error.message}`);
  if (status !== 0) throw new Error(`${compiler} cannot compile ${source}:\n${stderr}`);
  return program;
}

/** The path of a program on PATH, or of one of gcc's own parts. */
export function locate(name: string): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' });
  const path = found.status === 0 ? found.stdout.trim() : '';
  return path.startsWith('/') ? path : undefined;
}
