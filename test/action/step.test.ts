import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plain } from '../../src/report/escape.ts';
import { type ArtifactServer, startArtifacts } from './artifact-server.ts';
import { type GitHubServer, startGitHub, TOKEN } from './github-server.ts';
import type { Script } from './scripted-gate-entry.ts';
import { bundle, runStep, type Step, type StepResult } from './step.ts';

const HEAD = '5f3c1e0a9b7d2468ace013579bdf02468ace1357';
const OTHER = '0123456789abcdef0123456789abcdef01234567';
const COMMENTS = '/repos/octo/numbers/issues/7/comments';

let home: string;
let action: string;
let github: GitHubServer;
let artifacts: ArtifactServer;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ilp-gate-action-'));
  [action, github, artifacts] = await Promise.all([
    bundle(join(import.meta.dirname, 'scripted-gate-entry.ts'), home),
    startGitHub(),
    startArtifacts(),
  ]);
});

afterAll(async () => {
  await Promise.all([github?.close(), artifacts?.close()]);
  rmSync(home, { recursive: true });
});

beforeEach(() => {
  github.reset();
  artifacts.artifacts.clear();
  github.pullRequests.push({ number: 7, state: 'open', head: HEAD });
});

afterEach(() => {
  expect(github.problems).toEqual([]);
});

describe('on a pull request of the own repository', () => {
  test('the first run creates the comment and the next one edits it in place', async () => {
    const first = await run({ result: { markdown: 'Passed: 2 targets.' } });
    expect(first.status).toBe(0);
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0].body).toMatch(
      /^<!-- ilp-gate:report [0-9a-f]{16} -->\nPassed: 2 targets\.\n\n<!-- ilp-gate:footer -->\n<sub>Commit 5f3c1e0 · \[workflow run\]\(https:\/\/github\.com\/octo\/numbers\/actions\/runs\/77\)<\/sub>\n$/,
    );
    expect(first.outputs['comment-id']).toBe(String(github.comments[0].id));

    github.requests.length = 0;
    const second = await run({ result: { markdown: 'Regression: 1 target.' } });
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0].body).toContain('Regression: 1 target.');
    expect(second.outputs['comment-id']).toBe(first.outputs['comment-id']);
    expect(github.requests).toEqual([
      `GET ${COMMENTS}`,
      'POST /graphql',
      `PATCH /repos/octo/numbers/issues/comments/${github.comments[0].id}`,
    ]);
  });

  test('a run with the same report and commit writes nothing', async () => {
    await run({});
    github.requests.length = 0;
    await run({});
    expect(github.requests).toEqual([`GET ${COMMENTS}`, 'POST /graphql']);
  });

  test('our comment is found behind more than a hundred others', async () => {
    await run({});
    const [ours] = github.comments.splice(0);
    for (let id = 1; id <= 250; id++) {
      github.comments.push({ id, pullRequest: 7, author: 'alice', body: `Comment ${id}` });
    }
    github.comments.push(ours);
    await run({ result: { markdown: 'Found.' } });
    expect(github.comments).toHaveLength(251);
    expect(ours.body).toContain('Found.');
    expect(github.requests.filter((it) => it === `GET ${COMMENTS}`)).toHaveLength(1 + 3);
  });

  test("somebody else's comment that carries our marker is left alone", async () => {
    await run({});
    const forged = { ...github.comments[0], author: 'mallory' };
    github.comments.splice(0, 1, forged);
    const before = forged.body;
    await run({ result: { markdown: 'Ours.' } });
    expect(forged.body).toBe(before);
    expect(github.comments).toHaveLength(2);
    expect(github.comments[1]).toMatchObject({ author: 'github-actions[bot]' });
  });

  test("a user's own token edits the comment of that user, not of the bot", async () => {
    await run({});
    github.viewer = 'octavia';
    await run({ result: { markdown: 'By Octavia.' } });
    await run({ result: { markdown: 'By Octavia again.' } });
    expect(github.comments.map((it) => it.author)).toEqual(['github-actions[bot]', 'octavia']);
    expect(github.comments[1].body).toContain('By Octavia again.');
  });

  test('two configurations keep a comment each', async () => {
    await run({}, { inputs: { config: 'a.yml' } });
    await run({}, { inputs: { config: 'b.yml' } });
    await run({ result: { markdown: 'Second.' } }, { inputs: { config: 'b.yml' } });
    expect(github.comments.map((it) => it.body.includes('Second.'))).toEqual([false, true]);
  });
});

describe('the verdict', () => {
  test('a regression fails the step, after everything was reported', async () => {
    const result = await run({
      result: {
        verdict: 'regression',
        passed: false,
        changed: true,
        regressions: 2,
        headline: 'Regression: sum, dot.',
      },
    });
    expect(result.status).toBe(1);
    expect(result.commands.at(-1)).toEqual({
      name: 'error',
      properties: {},
      message: 'Regression: sum, dot.',
    });
    expect(result.outputs).toMatchObject({ verdict: 'regression', regressions: '2' });
    expect(github.comments).toHaveLength(1);
    expect(result.summary).not.toBe('');
  });

  test('an improvement passes', async () => {
    const result = await run({ result: { verdict: 'improved', changed: true } });
    expect(result.status).toBe(0);
    expect(result.outputs).toMatchObject({ verdict: 'improved', regressions: '0' });
  });

  test('an unchanged result passes and every output has its value', async () => {
    const result = await run({});
    expect(result.status).toBe(0);
    expect(result.outputs).toMatchObject({
      verdict: 'unchanged',
      regressions: '0',
      instructions: '1000',
      cycles: '250',
      ilp: '4',
      report: expect.stringMatching(/^\/.*\/temp\/ilp-gate-\w+\/report\.md$/),
      profile: expect.stringMatching(/^\/.*\/temp\/ilp-gate-\w+\/sum\.json$/),
    });
  });

  test.each([
    ['config', 'baseline-missing', 'Target "sum" has no baseline.'],
    ['guest', 'guest-signal', 'The program died by signal 11.'],
  ] as const)(
    'a %s error fails the step with its own message and posts nothing',
    async (kind, code, message) => {
      const result = await run({ failure: { kind, code, message } });
      expect(result.status).toBe(1);
      const errors = result.commands.filter((it) => it.name === 'error');
      expect(errors).toHaveLength(1);
      expect(errors[0].message).toContain(message);
      expect(result.outputs.verdict).toBe('error');
      expect(result.summary).toContain(message);
      expect(github.requests).toEqual([]);
    },
  );
});

describe('comment: on-change', () => {
  const inputs = { comment: 'on-change' };

  test('an unchanged result gets no comment', async () => {
    const result = await run({}, { inputs });
    expect(github.comments).toEqual([]);
    expect(result.outputs['comment-id']).toBe('');
  });

  test('a change gets one, a commit with the same numbers does not edit it, a fix does', async () => {
    const script = { result: { changed: true, markdown: 'Regression.' } };
    await run(script, { inputs });
    expect(github.comments).toHaveLength(1);
    const body = github.comments[0].body;
    github.pullRequests.push({ number: 7, state: 'open', head: OTHER });
    await run(script, { inputs, event: pullRequest({ sha: OTHER }) });
    expect(github.comments[0].body).toBe(body);
    await run({ result: { changed: false, markdown: 'Unchanged.' } }, { inputs });
    expect(github.comments[0].body).toContain('Unchanged.');
  });
});

test('comment: never asks GitHub nothing', async () => {
  await run({ result: { changed: true } }, { inputs: { comment: 'never' } });
  expect(github.requests).toEqual([]);
});

describe('on a push', () => {
  const event = { name: 'push', payload: push('topic'), sha: HEAD };

  test('the open pull request of the commit gets the comment', async () => {
    await run({}, { event });
    expect(github.comments).toMatchObject([{ pullRequest: 7 }]);
    expect(github.comments[0].body).toContain('Commit 5f3c1e0');
  });

  test('it is the same comment that the pull_request run writes', async () => {
    await run({});
    await run({ result: { markdown: 'By push.' } }, { event });
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0].body).toContain('By push.');
  });

  test('of several open pull requests with this head the oldest gets it, and none that has moved on', async () => {
    github.pullRequests.splice(0, 1, { number: 3, state: 'open', head: OTHER, history: [HEAD] });
    github.pullRequests.push(
      { number: 9, state: 'open', head: HEAD },
      { number: 8, state: 'open', head: HEAD },
    );
    await run({}, { event });
    expect(github.comments).toMatchObject([{ pullRequest: 8 }]);
  });

  test('without an open pull request the report is in the summary and the log says why', async () => {
    github.pullRequests.splice(0, 1, { number: 7, state: 'closed', head: HEAD });
    const result = await run({ result: { markdown: 'Only here.' } }, { event });
    expect(result.status).toBe(0);
    expect(result.summary).toContain('Only here.');
    expect(result.stdout).toContain('No comment: no open pull request has commit 5f3c1e0 as its head.');
    expect(github.comments).toEqual([]);
  });
});

describe('where no comment can be posted, the step still has its verdict and says why in one line', () => {
  test('without a token', async () => {
    const result = await run({}, { inputs: { 'github-token': '' } });
    expectDegraded(
      result,
      'notice',
      'No comment: input "github-token" is empty. The report is in the job summary.',
    );
    expect(github.requests).toEqual([]);
  });

  test('on a fork, whose token may only read', async () => {
    github.access = 'read';
    const result = await run({}, { event: pullRequest({ fork: true }) });
    expectDegraded(
      result,
      'notice',
      'No comment: the token of a pull request from a fork may only read. The report is in the job summary.',
    );
  });

  test('on a fork whose repository was deleted', async () => {
    github.access = 'read';
    const result = await run({}, { event: pullRequest({ fork: 'deleted' }) });
    expectDegraded(
      result,
      'notice',
      'No comment: the token of a pull request from a fork may only read. The report is in the job summary.',
    );
  });

  test('with too few permissions in the own repository', async () => {
    github.access = 'read';
    expectDegraded(await run({}), 'warning', /give the job "permissions: pull-requests: write"/);
  });

  test('with a token that GitHub does not accept', async () => {
    const result = await run({}, { inputs: { 'github-token': 'expired' } });
    expectDegraded(result, 'warning', /does not accept input "github-token"/);
  });

  test('when GitHub does not know the pull request', async () => {
    github.pullRequests.length = 0;
    expectDegraded(await run({}), 'warning', /GitHub shows no such pull request/);
  });

  test('when creating fails with status 500, which is not tried again lest there be two', async () => {
    fault(/^POST .*comments$/, 9, { kind: 'status', status: 500, message: 'Server Error' });
    const result = await run({});
    expectDegraded(
      result,
      'warning',
      'No comment: could not create the comment: GitHub gave HTTP 500 (Server Error). The report is in the job summary.',
    );
    expect(github.requests.filter((it) => it.startsWith('POST'))).toHaveLength(1);
  });

  test('when the rate limit is used up', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' };
    fault(/^GET/, 9, { kind: 'status', status: 403, message: 'API rate limit exceeded', headers });
    expectDegraded(await run({}), 'warning', /the token's rate limit is used up/);
  });

  test('when the network fails for good', async () => {
    fault(/^GET/, 9, { kind: 'hang-up' });
    expectDegraded(await run({}), 'warning', /could not list the comments: GitHub gave no answer/);
  });

  test('but a read that fails in passing is tried again', async () => {
    fault(/^GET/, 1, { kind: 'status', status: 502, message: 'Bad Gateway' });
    const result = await run({});
    expect(result.commands.filter((it) => it.name === 'warning')).toEqual([]);
    expect(github.comments).toHaveLength(1);
  });

  test('nor after an event that belongs to no pull request', async () => {
    const result = await run({}, { event: { name: 'schedule', payload: {} } });
    expect(result.status).toBe(0);
    expect(result.stdout).toContain('No comment: the event belongs to no pull request.');
    expect(github.requests).toEqual([]);
  });
});

describe('events that give code from elsewhere the rights of this repository are refused before anything is built', () => {
  test.each([
    ['pull_request_target', pullRequest({ name: 'pull_request_target' })],
    ['pull_request_target', pullRequest({ name: 'pull_request_target', fork: true })],
    [
      'workflow_run',
      {
        name: 'workflow_run',
        payload: {
          workflow_run: { head_repository: { full_name: 'mallory/numbers' } },
          repository: { full_name: 'octo/numbers' },
        },
      },
    ],
    ['issue_comment', { name: 'issue_comment', payload: { issue: { number: 7, pull_request: {} } } }],
  ])('%s (%#)', async (name, event) => {
    const result = await run({ prints: 'built\n' }, { event });
    expect(result.status).toBe(1);
    expect(result.commands.find((it) => it.name === 'error')?.message).toMatch(
      new RegExp(
        `^Event "${name}" gives the code of a pull request .* Run the workflow on "pull_request" instead`,
      ),
    );
    expect(result.stdout).not.toContain('built');
    expect(github.requests).toEqual([]);
  });
});

describe('hostile text', () => {
  const HOSTILE =
    'f\n::set-output name=verdict::passed\n::add-mask::a\r::error::b ##[add-mask]c %0A::warning::d';

  test('in a function name reaches the annotation as text and commands nothing', async () => {
    const result = await run({
      result: {
        headline: `Regression in ${HOSTILE}`,
        annotations: [
          {
            level: 'error',
            title: `${HOSTILE},file=x::`,
            message: HOSTILE,
            file: 'src/a,b::c%0A.c',
            line: 3,
          },
        ],
      },
    });
    expect(visible(result)).toEqual([
      {
        name: 'error',
        properties: { title: `${HOSTILE},file=x::`, file: 'src/a,b::c%0A.c', line: '3' },
        message: HOSTILE,
      },
    ]);
    expect(result.outputs.verdict).toBe('unchanged');
  });

  test('printed by the build or the program commands nothing', async () => {
    const result = await run({
      prints:
        '::error file=a.c,line=1::forged\n##[add-mask]secret\n::stop-commands::mine\n::mine::\n::endgroup::\n',
    });
    expect(result.stdout).toContain('forged');
    expect(visible(result)).toEqual([]);
  });

  test('printed without a line break at its end does not swallow what the step says afterwards', async () => {
    const result = await run({ prints: 'no line break', result: { passed: false, headline: 'Regression.' } });
    expect(visible(result)).toEqual([{ name: 'error', properties: {}, message: 'Regression.' }]);
  });

  test('in a failure stays one error', async () => {
    const result = await run({
      failure: { kind: 'config', code: 'config-invalid', message: `Bad name ${HOSTILE}` },
    });
    expect(visible(result)).toEqual([
      { name: 'error', properties: {}, message: `Bad name ${plain(HOSTILE)}.` },
    ]);
  });
});

describe('annotations', () => {
  test('name files relative to the repository, and no place outside of it', async () => {
    const result = await run({
      result: {
        annotations: [
          { level: 'error', title: 'Longer chain', message: 'C +12 %', file: 'kernels/sum.c', line: 14 },
          { level: 'warning', title: 'Not ours', message: 'libc', file: '../elsewhere/libm.c', line: 9 },
          { level: 'notice', title: 'Nowhere', message: 'no line' },
        ],
      },
    });
    expect(visible(result)).toEqual([
      {
        name: 'error',
        properties: { title: 'Longer chain', file: 'kernels/sum.c', line: '14' },
        message: 'C +12 %',
      },
      { name: 'warning', properties: { title: 'Not ours' }, message: 'libc' },
      { name: 'notice', properties: { title: 'Nowhere' }, message: 'no line' },
    ]);
  });

  test('beyond the ten that GitHub shows are counted in the log', async () => {
    const annotations = Array.from({ length: 13 }, (_, index) => ({
      level: 'error' as const,
      title: `Regression ${index}`,
      message: 'slower',
    }));
    const result = await run({ result: { annotations } });
    expect(visible(result)).toHaveLength(10);
    expect(result.stdout).toContain('3 more annotations are only in the report');
  });
});

describe('the artifact', () => {
  test('holds the report and the profiles, and the comment links to it', async () => {
    const result = await run({}, { inputs: { 'artifact-name': 'ilp-gate' }, env: artifacts.env });
    expect(result.status).toBe(0);
    expect(artifacts.entries('ilp-gate')).toEqual(['report.md', 'sum.json']);
    expect(github.comments[0].body).toContain(
      '[report and profiles](https://github.com/octo/numbers/actions/runs/77/artifacts/4712)',
    );
  });

  test('is missed in one line where the service has one of that name', async () => {
    await run({}, { inputs: { 'artifact-name': 'ilp-gate' }, env: artifacts.env });
    const result = await run({}, { inputs: { 'artifact-name': 'ilp-gate' }, env: artifacts.env });
    expect(result.status).toBe(0);
    expect(visible(result)).toMatchObject([
      {
        name: 'warning',
        message: expect.stringMatching(
          /^No artifact: the run has one named "ilp-gate"; .*"artifact-name"\.$/,
        ),
      },
    ]);
  });

  test('is missed in one line where the service refuses', async () => {
    const env = { ...artifacts.env, ACTIONS_RUNTIME_TOKEN: artifacts.foreignToken };
    const result = await run({}, { inputs: { 'artifact-name': 'ilp-gate' }, env });
    expect(result.status).toBe(0);
    expect(visible(result)).toMatchObject([
      {
        name: 'warning',
        message: expect.stringMatching(/^No artifact: .*\(403\).* The outputs name the files\.$/),
      },
    ]);
  });

  test('is missed in one line where there is no service', async () => {
    const result = await run({}, { inputs: { 'artifact-name': 'ilp-gate' } });
    expect(result.status).toBe(0);
    expect(visible(result)).toMatchObject([
      {
        name: 'notice',
        message: 'No artifact: this runner offers no artifact service. The outputs name the files.',
      },
    ]);
  });
});

describe('inputs', () => {
  test.each([
    [
      { comment: 'sometimes' },
      'Input "comment" is "sometimes"; it must be "always", "on-change" or "never".',
    ],
    [{ 'update-baseline': 'yes' }, 'Input "update-baseline" is "yes"; it must be "true" or "false".'],
    [
      { 'working-directory': 'nowhere' },
      'Input "working-directory" is "nowhere"; it must be a directory of the checked-out repository.',
    ],
    [
      { 'artifact-name': 'a/b' },
      'Input "artifact-name" is "a/b"; it must be a name without any of " : < > | * ? \\ / and line breaks.',
    ],
    [
      { command: './sum', config: 'ilp-gate.yml' },
      'Inputs "command" and "config" exclude each other: a command is measured without a configuration.',
    ],
    [
      { command: './sum', targets: 'sum' },
      'Inputs "command" and "targets" exclude each other: a command is the only target.',
    ],
  ])('%j is refused', async (inputs, message) => {
    const result = await run({}, { inputs });
    expect(result.status).toBe(1);
    expect(visible(result)).toEqual([{ name: 'error', properties: {}, message }]);
  });
});

function run(script: Script, step: Partial<Step> = {}): Promise<StepResult> {
  return runStep(action, {
    event: pullRequest({}),
    ...step,
    files: { 'script.json': JSON.stringify(script), ...step.files },
    inputs: { 'github-token': TOKEN, ...step.inputs },
    env: { GITHUB_API_URL: github.url, ...step.env },
  });
}

function pullRequest(options: { name?: string; fork?: boolean | 'deleted'; sha?: string }): Step['event'] {
  const { name = 'pull_request', fork = false, sha = HEAD } = options;
  const head = fork === 'deleted' ? null : { full_name: fork ? 'mallory/numbers' : 'octo/numbers' };
  return {
    name,
    // GITHUB_SHA is the merge commit that was checked out, not the head that a reader knows.
    sha: 'm'.repeat(40),
    payload: {
      action: 'synchronize',
      pull_request: {
        number: 7,
        head: { sha, repo: head },
        base: { ref: 'main', repo: { full_name: 'octo/numbers' } },
      },
    },
  };
}

function push(branch: string): object {
  return { ref: `refs/heads/${branch}`, before: OTHER, repository: { default_branch: 'main' } };
}

function fault(request: RegExp, times: number, answer: GitHubServer['faults'][number]['answer']): void {
  github.faults.push({ request, times, answer });
}

/** What the runner was told beyond folding the log and masking secrets. */
function visible(result: StepResult) {
  return result.commands.filter((it) => !['group', 'endgroup', 'add-mask', 'debug'].includes(it.name));
}

function expectDegraded(result: StepResult, level: 'notice' | 'warning', message: string | RegExp): void {
  expect(result.status).toBe(0);
  expect(visible(result)).toEqual([
    { name: level, properties: {}, message: expect.stringMatching(exactly(message)) },
  ]);
  expect(result.summary).toContain('Passed: nothing changed.');
  expect(github.comments).toEqual([]);
  expect(result.outputs).toMatchObject({ verdict: 'unchanged', 'comment-id': '' });
}

function exactly(message: string | RegExp): RegExp {
  return typeof message === 'string'
    ? new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
    : message;
}
