import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { MergeBase } from '../pipeline/ports.ts';

/**
 * Checks the merge base out beside the work tree (`git worktree`), which changes no file of the user's, and takes it
 * away again. The branch to merge into is `reference`, else the remote's default branch.
 * Throws Failure (`environment`): git-missing, merge-base-missing.
 */
export function mergeBaseOf(reference: string | undefined): MergeBase {
  return async (directory, work) => {
    const top = await git(directory, 'rev-parse', '--show-toplevel');
    const commit = await findMergeBase(directory, reference);
    const checkout = join(realpathSync(mkdtempSync(join(tmpdir(), 'ilp-gate-base-'))), 'checkout');
    try {
      await git(directory, 'worktree', 'add', '--detach', '--quiet', checkout, commit);
      return await work(join(checkout, relative(realpathSync(top), realpathSync(directory))));
    } finally {
      rmSync(join(checkout, '..'), { recursive: true, force: true });
      await git(directory, 'worktree', 'prune').catch(() => {
        // What is left is an entry in git's own list, which git prunes by itself in time.
      });
    }
  };
}

async function findMergeBase(directory: string, reference: string | undefined): Promise<string> {
  const candidates =
    reference === undefined
      ? ['origin/HEAD', 'origin/main', 'origin/master']
      : [`origin/${reference}`, reference];
  for (const candidate of candidates) {
    try {
      return await git(directory, 'merge-base', 'HEAD', candidate);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'git-missing') throw error;
    }
  }
  throw new Failure(
    'environment',
    'merge-base-missing',
    `HEAD has no merge base with ${candidates.join(', ')} in this clone`,
    { candidates },
  );
}

function git(directory: string, ...args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    execFile('git', args, { cwd: directory, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) return done(stdout.trim());
      if (error.code === 'ENOENT') {
        return fail(
          new Failure('environment', 'git-missing', 'base: merge-base needs git, which is not installed'),
        );
      }
      fail(
        new Failure('environment', 'git-failed', `git ${args[0]} failed: ${stderr.trim()}`, {
          command: [...args],
        }),
      );
    });
  });
}
