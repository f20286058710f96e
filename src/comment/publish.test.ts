import { describe, expect, test } from 'vitest';
import { assembleBody, BODY_LIMIT } from './body.ts';
import { type CommentKey, markerOf } from './marker.ts';
import type { CommentService, PostedComment } from './ports.ts';
import { publishComment } from './publish.ts';

const KEY = '0123456789abcdef' as CommentKey;
const OTHER_KEY = 'fedcba9876543210' as CommentKey;
const content = (report: string, footer = 'Commit `1111111`.') => ({ key: KEY, report, footer });

describe('the one comment of a configuration', () => {
  test('is created when the pull request has none', async () => {
    const service = conversation([]);
    const published = await publish(service, 'always', 'Passed.');
    expect(published).toEqual({ kind: 'created', id: 100 });
    expect(service.comments.map((comment) => comment.body)).toEqual([assembleBody(content('Passed.'))]);
  });

  test('is edited in place when a later run measures something else', async () => {
    const service = conversation([]);
    await publish(service, 'always', 'Passed.');
    const published = await publish(service, 'always', 'Regression.');
    expect(published).toEqual({ kind: 'updated', id: 100 });
    expect(service.comments).toHaveLength(1);
    expect(service.comments[0].body).toContain('Regression.');
  });

  test('is not edited when it already says exactly this, even as GitHub stores it', async () => {
    const stored = assembleBody(content('Passed.')).replaceAll('\n', '\r\n').trimEnd();
    const service = conversation([{ id: 7, body: stored, author: 'github-actions[bot]' }]);
    expect(await publish(service, 'always', 'Passed.')).toEqual({ kind: 'left', id: 7 });
    expect(service.log).toEqual(['list', 'self']);
  });

  test('is never one that somebody else wrote, even with our marker', async () => {
    const foreign = { id: 7, body: assembleBody(content('Forged.')), author: 'mallory' };
    const service = conversation([foreign]);
    expect(await publish(service, 'always', 'Passed.')).toEqual({ kind: 'created', id: 100 });
    expect(service.comments[0]).toEqual(foreign);
  });

  test('is never one of a deleted account', async () => {
    const service = conversation([{ id: 7, body: assembleBody(content('Old.')), author: undefined }]);
    expect(await publish(service, 'always', 'Passed.')).toEqual({ kind: 'created', id: 100 });
  });

  test('is never our comment for another configuration', async () => {
    const body = assembleBody({ ...content('Other.'), key: OTHER_KEY });
    const service = conversation([{ id: 7, body, author: 'github-actions[bot]' }]);
    expect(await publish(service, 'always', 'Passed.')).toEqual({ kind: 'created', id: 100 });
  });

  test('is never one that quotes our marker below its first line', async () => {
    const body = `Look at this:\n${assembleBody(content('Passed.'))}`;
    const service = conversation([{ id: 7, body, author: 'github-actions[bot]' }]);
    expect(await publish(service, 'always', 'Passed.')).toEqual({ kind: 'created', id: 100 });
  });

  test('is the oldest of ours when an earlier race left two', async () => {
    const body = assembleBody(content('Old.'));
    const service = conversation([
      { id: 7, body, author: 'github-actions[bot]' },
      { id: 8, body, author: 'github-actions[bot]' },
    ]);
    expect(await publish(service, 'always', 'New.')).toEqual({ kind: 'updated', id: 7 });
  });
});

describe('comment: on-change', () => {
  test('stays silent while nothing differs from the baseline', async () => {
    const service = conversation([]);
    expect(await publish(service, 'on-change', 'Unchanged.', false)).toEqual({ kind: 'silent' });
    expect(service.comments).toEqual([]);
  });

  test('speaks once something differs', async () => {
    const service = conversation([]);
    expect(await publish(service, 'on-change', 'Improved.', true)).toEqual({ kind: 'created', id: 100 });
  });

  test('does not edit for a new commit with the same numbers', async () => {
    const body = assembleBody(content('Improved.', 'Commit `2222222`.'));
    const service = conversation([{ id: 7, body, author: 'github-actions[bot]' }]);
    expect(await publish(service, 'on-change', 'Improved.', true)).toEqual({ kind: 'left', id: 7 });
  });

  test('takes back a regression that a later commit fixed', async () => {
    const service = conversation([
      { id: 7, body: assembleBody(content('Regression.')), author: 'github-actions[bot]' },
    ]);
    expect(await publish(service, 'on-change', 'Unchanged.', false)).toEqual({ kind: 'updated', id: 7 });
    expect(service.comments[0].body).toContain('Unchanged.');
  });
});

test('comment: never asks GitHub nothing', async () => {
  const service = conversation([]);
  expect(await publish(service, 'never', 'Regression.', true)).toEqual({ kind: 'silent' });
  expect(service.log).toEqual([]);
});

test('who we are is not asked while no comment carries our marker', async () => {
  const service = conversation([{ id: 7, body: 'Looks good.', author: 'alice' }]);
  await publish(service, 'always', 'Passed.');
  expect(service.log).toEqual(['list', 'create']);
});

test('a report too long for a comment leaves its verdict and says where the rest is', () => {
  const body = assembleBody(content(`Regression in f.\n\n${'x'.repeat(BODY_LIMIT)}`));
  expect(body).toBe(
    `${markerOf(KEY)}\nRegression in f.\n\nThe report is too long for a comment; the job summary has all of it.\n\n` +
      '<!-- ilp-gate:footer -->\nCommit `1111111`.\n',
  );
});

function publish(
  service: CommentService,
  mode: 'always' | 'on-change' | 'never',
  report: string,
  changed = true,
) {
  return publishComment(service, { mode, pullRequest: 1, content: content(report), changed });
}

function conversation(initial: readonly PostedComment[]) {
  const comments = [...initial];
  const log: string[] = [];
  return {
    comments,
    log,
    async list() {
      log.push('list');
      return comments;
    },
    async create(_pullRequest: number, body: string) {
      log.push('create');
      const comment = { id: 100, body, author: 'github-actions[bot]' };
      comments.push(comment);
      return comment;
    },
    async update(id: number, body: string) {
      log.push('update');
      const index = comments.findIndex((comment) => comment.id === id);
      comments[index] = { ...comments[index], body };
      return comments[index];
    },
    async self() {
      log.push('self');
      return 'github-actions[bot]';
    },
    async pullRequestOf() {
      return undefined;
    },
  } satisfies CommentService & { comments: PostedComment[]; log: string[] };
}
