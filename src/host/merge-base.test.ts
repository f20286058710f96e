import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mergeBaseOf } from './merge-base.ts';

let repository: string;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });
const commit = (text: string): void => {
  writeFileSync(join(repository, 'code/a.txt'), text);
  git('add', '.');
  git('commit', '--quiet', '-m', text);
};

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'ilp-gate-repository-'));
  mkdirSync(join(repository, 'code'));
  git('init', '--quiet', '--initial-branch=main');
  commit('base');
  git('checkout', '--quiet', '-b', 'topic');
  commit('topic');
  git('checkout', '--quiet', 'main');
  commit('later on main');
  git('checkout', '--quiet', 'topic');
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

it('the work sees the merge base, in the directory that corresponds, and nothing is left afterwards', async () => {
  let seen = '';
  const text = await mergeBaseOf('main')(join(repository, 'code'), async (directory) => {
    seen = directory;
    return readFileSync(join(directory, 'a.txt'), 'utf8');
  });
  expect(text).toBe('base');
  expect(existsSync(seen)).toBe(false);
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(readFileSync(join(repository, 'code/a.txt'), 'utf8')).toBe('topic');
});

it('the checkout is taken away when the work fails too', async () => {
  const work = mergeBaseOf('main')(repository, async () => {
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

it('a clone without the branch is told what is missing', async () => {
  await expect(mergeBaseOf('nowhere')(repository, async () => {})).rejects.toMatchObject({
    kind: 'environment',
    code: 'merge-base-missing',
    message: 'HEAD has no merge base with origin/nowhere, nowhere in this clone',
  });
});
