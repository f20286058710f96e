import { expect, test } from 'vitest';
import { buildEnvironment } from './actions-build.ts';

test('a build sees the job and what its author gave the step, and nothing that the runner gave the action', () => {
  const env = {
    PATH: '/usr/bin',
    CC: 'clang',
    GITHUB_SHA: 'abc',
    GITHUB_WORKSPACE: '/work',
    'INPUT_GITHUB-TOKEN': 'ghs_secret',
    INPUT_COMMENT: 'always',
    ACTIONS_RUNTIME_TOKEN: 'secret',
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret',
    ACTIONS_RESULTS_URL: 'https://results',
    GITHUB_OUTPUT: '/files/output',
    GITHUB_ENV: '/files/env',
    GITHUB_PATH: '/files/path',
    GITHUB_STATE: '/files/state',
    GITHUB_STEP_SUMMARY: '/files/summary',
    UNSET: undefined,
  };
  expect(buildEnvironment(env)).toEqual({
    PATH: '/usr/bin',
    CC: 'clang',
    GITHUB_SHA: 'abc',
    GITHUB_WORKSPACE: '/work',
  });
});
