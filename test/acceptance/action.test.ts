import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ArtifactServer, startArtifacts } from '../action/artifact-server.ts';
import { type GitHubServer, startGitHub, TOKEN } from '../action/github-server.ts';
import { runStep, type Step, type StepResult } from '../action/step.ts';
import { toolchainMissing } from '../summation/program.ts';
import { exampleFiles, Product, serialised } from './example.ts';

// The bundle that the runner starts, with the real engine and compiler: only GitHub is a stand-in.
const FIRST = '5f3c1e0a9b7d2468ace013579bdf02468ace1357';
const FIXED = '9b7d2468ace013579bdf02468ace13575f3c1e0a';
const BASELINES = ['.ilp-gate/Sum.json', '.ilp-gate/Sum2.json'];

const sources = exampleFiles();
const longer = serialised(sources['sum2.c'] ?? '');

describe.skipIf(toolchainMissing())('the action on the example', () => {
  let product: Product;
  let github: GitHubServer;
  let artifacts: ArtifactServer;
  let baselines: Record<string, string>;

  beforeAll(async () => {
    product = new Product();
    [github, artifacts] = await Promise.all([startGitHub(), startArtifacts()]);
    const update = await step({ inputs: { 'update-baseline': 'true' }, keep: BASELINES });
    expect(update.outputs).toMatchObject({ verdict: 'updated' });
    baselines = update.kept;
  });
  afterAll(async () => {
    product?.remove();
    await Promise.all([github?.close(), artifacts?.close()]);
  });
  beforeEach(() => {
    github.reset();
    github.pullRequests.push({ number: 7, state: 'open', head: FIRST });
    artifacts.artifacts.clear();
  });
  afterEach(() => expect(github.problems).toEqual([]));

  test('blocks a pull request that lengthens a chain, and passes it when that is taken back', async () => {
    const blocked = await step({ files: { ...baselines, 'sum2.c': longer.text }, event: pullRequest(FIRST) });
    expect(blocked.status).toBe(1);
    // Whichever was measured first: the log does not depend on it.
    expect(blocked.stdout).toContain('\nRan Sum.\nRan Sum2.\nFollowed the longest chains of Sum2.\n');
    expect(blocked.outputs).toMatchObject({ verdict: 'regression' });
    expect(Number(blocked.outputs.regressions)).toBeGreaterThanOrEqual(2);
    expect(Number(blocked.outputs.instructions)).toBeGreaterThan(Number(blocked.outputs.cycles));
    const [comment] = github.comments;
    expect(github.comments).toHaveLength(1);
    expect(comment).toMatchObject({ author: 'github-actions[bot]', pullRequest: 7 });
    expect(comment?.body).toMatch(
      /^<!-- ilp-gate:report \w{16} -->\n### ❌ Regression in `Sum2`: cycles of the/,
    );
    for (const text of [comment?.body, blocked.summary])
      expect(text).toContain(`| **\`sum2.c:${longer.line}\`** in \`Sum2\` |`);
    expect(comment?.body).toContain('Commit 5f3c1e0 · [workflow run]');
    expect(blocked.outputs['comment-id']).toBe(String(comment?.id));
    expect(messages(blocked, 'error').map((it) => it.properties)).toContainEqual(
      expect.objectContaining({ file: 'sum2.c', line: String(longer.line), title: 'Sum2: cycles' }),
    );

    github.pullRequests.splice(0, 1, { number: 7, state: 'open', head: FIXED });
    const passed = await step({ files: baselines, event: pullRequest(FIXED) });
    expect(passed).toMatchObject({ status: 0, outputs: { verdict: 'unchanged', regressions: '0' } });
    expect(messages(passed, 'error')).toEqual([]);
    expect(github.comments).toEqual([comment]);
    expect(comment?.body).toMatch(
      /-->\n### ✅ Unchanged: both targets are the same binary with the same numbers\.\n/,
    );
    expect(comment?.body).toContain('Commit 9b7d246 · ');
    expect(passed.outputs['comment-id']).toBe(blocked.outputs['comment-id']);
    expect(passed.summary).toContain('✅ Unchanged: both targets');
  });

  test('uploads the report, as Markdown and as a page, and a profile of each target', async () => {
    const result = await step({ files: baselines, env: artifacts.env, event: pullRequest(FIRST) });
    expect(result.status).toBe(0);
    expect(artifacts.entries('ilp-gate')).toEqual(['Sum.json', 'Sum2.json', 'report.html', 'report.md']);
    expect(github.comments[0]?.body).toContain('[report and profiles](');
  });

  test('without an artifact service it says so in one line and the verdict stays', async () => {
    const result = await step({ files: baselines, event: pullRequest(FIRST) });
    expect(result.status).toBe(0);
    expect([...messages(result, 'warning'), ...messages(result, 'notice')]).toHaveLength(1);
    expect(artifacts.artifacts.size).toBe(0);
  });

  test('on a push, comments on the open pull request that has the commit as its head', async () => {
    const payload = { ref: 'refs/heads/topic', before: FIXED, repository: { default_branch: 'main' } };
    const event = { name: 'push', sha: FIRST, payload };
    const result = await step({ files: { ...baselines, 'sum2.c': longer.text }, event });
    expect(result.status).toBe(1);
    expect(github.comments).toEqual([expect.objectContaining({ pullRequest: 7 })]);
  });

  test('without a baseline the step fails, judges nothing and names the command that writes one', async () => {
    const result = await step({ event: pullRequest(FIRST) });
    expect(result.status).toBe(1);
    expect(result.outputs).toMatchObject({ verdict: 'failed', regressions: '0', profile: '' });
    expect(messages(result, 'error').at(-1)?.message).toBe('Not judged: both targets could not be compared.');
    for (const text of [result.summary, github.comments[0]?.body]) {
      expect(text).toContain('there is no baseline .ilp-gate/Sum2.json');
      expect(text).toContain('Run "ilp-gate update" and commit the baseline it writes.');
    }
  });

  function step(options: Partial<Step>): Promise<StepResult> {
    return runStep(product.action, {
      event: pullRequest(FIRST),
      ...options,
      files: { ...sources, ...options.files },
      inputs: { 'github-token': TOKEN, 'artifact-name': 'ilp-gate', ...options.inputs },
      env: { GITHUB_API_URL: github.url, ...options.env },
    });
  }
});

function pullRequest(commit: string): Step['event'] {
  const repository = { full_name: 'octo/numbers' };
  const head = { sha: commit, repo: repository };
  const base = { ref: 'main', repo: repository };
  return { name: 'pull_request', payload: { pull_request: { number: 7, head, base } } };
}

function messages(result: StepResult, level: 'error' | 'warning' | 'notice') {
  return result.commands.filter((it) => it.name === level);
}
