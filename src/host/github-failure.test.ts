import { describe, expect, test } from 'vitest';
import { gitHubFailure, isTransient } from './github-failure.ts';

describe('what GitHub answered becomes one code', () => {
  test.each([
    [401, {}, 'Bad credentials', 'github-bad-credentials'],
    [403, {}, 'Resource not accessible by integration', 'github-forbidden'],
    [403, { 'x-ratelimit-remaining': '0' }, 'Forbidden', 'github-rate-limited'],
    [403, { 'retry-after': '60' }, 'Forbidden', 'github-rate-limited'],
    [403, {}, 'You have exceeded a secondary rate limit', 'github-rate-limited'],
    [403, { 'x-ratelimit-remaining': '12' }, 'Forbidden', 'github-forbidden'],
    [429, {}, 'Too many requests', 'github-rate-limited'],
    [404, {}, 'Not Found', 'github-not-found'],
    [410, {}, 'Gone', 'github-not-found'],
    [422, {}, 'Body is too long', 'github-rejected'],
    [500, {}, 'Server Error', 'github-unavailable'],
    [503, {}, 'Unavailable', 'github-unavailable'],
  ])('%i %j %s: %s', (status, headers, message, code) => {
    expect(gitHubFailure('list the comments', problem(status, message, headers)).code).toBe(code);
  });
});

test('the sentence has the status and the reason on one line, without the address of the documentation', () => {
  const error = problem(
    422,
    'Validation Failed: body is too long - https://docs.github.com/rest/issues\nmore',
    {},
  );
  const { message } = gitHubFailure('create the comment', error);
  expect(message).toBe(
    'could not create the comment: GitHub gave HTTP 422 (Validation Failed: body is too long)',
  );
});

test('a request that got no answer at all says so', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED'), { status: 500 });
  const { code, message } = gitHubFailure('list the comments', error);
  expect(code).toBe('github-unavailable');
  expect(message).toBe('could not list the comments: GitHub gave no answer (connect ECONNREFUSED)');
});

test('only what the server or the way to it did wrong is tried again', () => {
  expect([500, 502, 503].map((status) => isTransient(problem(status, '', {})))).toEqual([true, true, true]);
  expect([401, 403, 404, 422, 429].map((status) => isTransient(problem(status, '', {})))).toEqual(
    Array(5).fill(false),
  );
  expect(isTransient(new TypeError('a mistake of ours'))).toBe(false);
});

function problem(status: number, message: string, headers: Record<string, string>) {
  return Object.assign(new Error(message), { status, response: { headers } });
}
