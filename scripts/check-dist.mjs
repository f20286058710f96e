// Compares dist/ with a fresh build: what users run must be what the sources say. Ends with status 1 where they differ.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const committed = join(root, 'dist');
const fresh = mkdtempSync(join(tmpdir(), 'ilp-gate-dist-'));
try {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), fresh], { stdio: 'inherit' });
  const names = [...new Set([...filesIn(committed), ...filesIn(fresh)])].sort();
  const problems = names.flatMap((name) => {
    const [old, now] = [bytesOf(committed, name), bytesOf(fresh, name)];
    if (old === undefined) return `dist/${name} is missing`;
    if (now === undefined) return `dist/${name} is no longer built`;
    return old.equals(now)
      ? []
      : `dist/${name} differs from a fresh build (${old.length} and ${now.length} bytes)`;
  });
  if (problems.length > 0) {
    console.error(
      `${problems.join('\n')}\nRun \`npm ci && npm run build\` and commit dist/ with the change.`,
    );
    process.exitCode = 1;
  } else console.log(`dist/ is what the sources build: ${names.join(', ')}.`);
} finally {
  rmSync(fresh, { recursive: true });
}

/** Paths of all files below a directory. */
function filesIn(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath ?? entry.path, entry.name)));
}

/** Undefined where there is no such file. */
function bytesOf(directory, name) {
  return existsSync(join(directory, name)) ? readFileSync(join(directory, name)) : undefined;
}
