import { expect, test } from 'vitest';
import { readApiDescription } from './openapi.ts';

const api = readApiDescription();
const create = api.match('POST', '/repos/octo/numbers/issues/7/comments')!;
const list = api.match('GET', '/repos/octo/numbers/issues/7/comments')!;
const none = new URLSearchParams();

test('a request is matched to the operation of its method and path', () => {
  expect(create.id).toBe('issues/create-comment');
  expect(create.parameters).toEqual({ owner: 'octo', repo: 'numbers', issue_number: '7' });
  expect(list.id).toBe('issues/list-comments');
  expect(api.match('GET', '/repos/octo/numbers/issues/7/remarks')).toBeUndefined();
  expect(api.match('PUT', '/repos/octo/numbers/issues/7/comments')).toBeUndefined();
});

test('a request as GitHub describes it has no problem, and one that is not has', () => {
  expect(create.requestProblems(none, { body: 'text' })).toEqual([]);
  expect(create.requestProblems(none, { body: 3 })).toEqual(['body: /body must be string']);
  expect(create.requestProblems(none, { text: 'text' })).toEqual([
    "body:  must have required property 'body'",
  ]);
  expect(list.requestProblems(new URLSearchParams('per_page=100&page=2'), undefined)).toEqual([]);
  expect(list.requestProblems(new URLSearchParams('per_page=many'), undefined)).toEqual([
    'per_page: must be integer'.replace(': ', ':  '),
  ]);
  expect(list.requestProblems(new URLSearchParams('size=9'), undefined)).toEqual([
    'unknown query parameter size',
  ]);
  expect(list.requestProblems(none, {})).toEqual(['a body where none belongs']);
  const bad = api.match('GET', '/repos/octo/numbers/issues/seven/comments')!;
  expect(bad.requestProblems(none, undefined)).toEqual(['issue_number:  must be integer']);
});

test('an answer as GitHub describes it has no problem, and one that is not has', () => {
  const comment = api.example('issue-comment') as object;
  expect(create.answerProblems(201, comment)).toEqual([]);
  expect(create.answerProblems(201, { ...comment, id: 'one' })).toEqual(['answer: /id must be integer']);
  expect(list.answerProblems(200, [comment, { id: 1 }]).length).toBeGreaterThan(1);
  expect(create.answerProblems(204, undefined)).toEqual(['undeclared status 204']);
});
