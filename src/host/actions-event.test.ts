import { describe, expect, test } from 'vitest';
import { Failure } from '../base/failure.ts';
import { readEvent } from './actions-event.ts';

const MERGE = 'merge-commit';
const own = { full_name: 'octo/numbers' };

function pullRequest(headRepository: { full_name: string } | null) {
  return {
    pull_request: {
      number: 7,
      head: { sha: 'head', repo: headRepository },
      base: { ref: 'main', repo: own },
    },
  };
}

function push(branch: string, before: string) {
  return { ref: `refs/heads/${branch}`, before, repository: { default_branch: 'main' } };
}

describe('what started the workflow', () => {
  test.each([
    [
      'pull_request',
      pullRequest(own),
      { kind: 'pull-request', number: 7, commit: 'head', fork: false, base: 'main' },
    ],
    [
      'pull_request',
      pullRequest({ full_name: 'eve/numbers' }),
      { kind: 'pull-request', number: 7, commit: 'head', fork: true, base: 'main' },
    ],
    [
      'pull_request',
      pullRequest(null),
      { kind: 'pull-request', number: 7, commit: 'head', fork: true, base: 'main' },
    ],
    [
      'pull_request_target',
      pullRequest(own),
      { kind: 'pull-request-target', number: 7, commit: 'head', fork: false, base: 'main' },
    ],
    ['push', push('topic', '12ab'), { kind: 'push', commit: MERGE, base: undefined }],
    ['push', push('main', '12ab'), { kind: 'push', commit: MERGE, base: '12ab' }],
    ['push', push('main', '0000'), { kind: 'push', commit: MERGE, base: undefined }],
    [
      'workflow_run',
      { workflow_run: { head_repository: own }, repository: own },
      { kind: 'workflow-run', commit: MERGE, fork: false },
    ],
    [
      'workflow_run',
      { workflow_run: { head_repository: null }, repository: own },
      { kind: 'workflow-run', commit: MERGE, fork: true },
    ],
    [
      'issue_comment',
      { issue: { pull_request: {} } },
      { kind: 'issue-comment', commit: MERGE, onPullRequest: true },
    ],
    ['issue_comment', { issue: {} }, { kind: 'issue-comment', commit: MERGE, onPullRequest: false }],
    ['merge_group', {}, { kind: 'other', name: 'merge_group', commit: MERGE }],
  ])('%s %j', (name, payload, event) => {
    expect(readEvent(name, JSON.stringify(payload), MERGE)).toEqual(event);
  });
});

test('a payload that is not JSON is refused', () => {
  expect(failureOf('push', '{')).toBe('the payload of event "push" cannot be used: it is not JSON');
});

test('a payload of another event is refused with the place where it differs', () => {
  expect(
    failureOf('pull_request', '{"pull_request":{"number":"7","head":{"sha":"a","repo":null},"base":{}}}'),
  ).toBe(
    'the payload of event "pull_request" cannot be used: "pull_request.number" is not as GitHub sends it',
  );
});

function failureOf(name: string, json: string): string {
  try {
    readEvent(name, json, MERGE);
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    return (error as Failure).message;
  }
  throw new Error('it was accepted');
}
