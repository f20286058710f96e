import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PROFILE_FORMAT, PROFILE_VERSION, type Profile } from '../../src/profile/profile.ts';
import { writeProfile } from '../../src/profile/write.ts';
import { type GitHubServer, startGitHub, TOKEN } from './github-server.ts';
import { bundle, runStep, type Step, type StepResult } from './step.ts';

const HEAD = '5f3c1e0a9b7d2468ace013579bdf02468ace1357';

/** `for (i = 0; i < n; i++) s += x[i];` on 1000 doubles: the additions wait for each other, the loads do not. */
const BASE = profile({ cycles: 1012, addsAt: { 14: 1000 } });
/** A second addition in the loop, in place of something else: as many instructions, twice the chain. */
const LONGER_CHAIN = profile({ cycles: 2012, addsAt: { 14: 1000, 15: 1000 }, build: 'b' });
const SHORTER_CHAIN = profile({ cycles: 512, addsAt: { 14: 500 }, build: 'b' });

const CONFIG = 'targets:\n  - name: sum\n    command: ./sum 1000\n';

let home: string;
let action: string;
let github: GitHubServer;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ilp-gate-action-'));
  [action, github] = await Promise.all([
    bundle(join(import.meta.dirname, 'scripted-measure-entry.ts'), home),
    startGitHub(),
  ]);
});

afterAll(async () => {
  await github?.close();
  rmSync(home, { recursive: true });
});

beforeEach(() => {
  github.reset();
  github.pullRequests.push({ number: 7, state: 'open', head: HEAD });
});

afterEach(() => {
  expect(github.problems).toEqual([]);
});

test('a longer chain with the same instruction count blocks the pull request, and comment and annotation name the line', async () => {
  const result = await run({ measured: LONGER_CHAIN });
  expect(result.status).toBe(1);
  expect(result.outputs).toMatchObject({
    verdict: 'regression',
    instructions: '4000',
    cycles: '2012',
    ilp: '1.9881',
  });
  expect(Number(result.outputs.regressions)).toBeGreaterThan(0);
  const [annotation] = annotations(result);
  expect(annotation.properties).toMatchObject({ file: 'src/sum.c', line: '15' });
  expect(annotation.properties.title).toBe('sum: cycles');
  expect(annotation.message).toContain('grew from 1,012 to 2,012 links');
  expect(annotation.message).toContain('addsd');
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0].body).toMatch(/^<!-- ilp-gate:report [0-9a-f]{16} -->\n.*Regression in .*sum/);
  expect(github.comments[0].body).toContain('src/sum.c:15');
  expect(result.summary).toContain('src/sum.c:15');
  expect(result.commands.at(-1)).toMatchObject({
    name: 'error',
    message: expect.stringMatching(/^Regression in sum: /),
  });
});

test('a shorter chain passes and is called an improvement', async () => {
  const result = await run({ measured: SHORTER_CHAIN });
  expect(result.status).toBe(0);
  expect(result.outputs).toMatchObject({ verdict: 'improved', regressions: '0', cycles: '512' });
  expect(annotations(result)).toEqual([]);
});

test('the same binary with the same numbers passes, and with comment: on-change says nothing', async () => {
  const result = await run({ measured: BASE, inputs: { comment: 'on-change' } });
  expect(result.status).toBe(0);
  expect(result.outputs).toMatchObject({ verdict: 'unchanged', regressions: '0', 'comment-id': '' });
  expect(github.comments).toEqual([]);
});

test('in a subdirectory, annotations still name files from the root of the repository', async () => {
  const result = await run({
    measured: LONGER_CHAIN,
    directory: 'kernels/',
    inputs: { 'working-directory': 'kernels' },
  });
  expect(annotations(result)[0].properties.file).toBe('kernels/src/sum.c');
});

test('a hostile function name reaches comment, summary and annotation as text only', async () => {
  const name = 'sum\n::add-mask::x ##[error]y |`</td><img src=x> @octocat #1 [a](http://b) -->';
  const result = await run({
    measured: profile({ cycles: 2012, addsAt: { 14: 1000, 15: 1000 }, build: 'b', name }),
    baseline: profile({ cycles: 1012, addsAt: { 14: 1000 }, name }),
  });
  expect(result.status).toBe(1);
  expect(result.commands.map((it) => it.name)).not.toContain('set-output');
  expect(result.commands.filter((it) => it.name === 'add-mask').map((it) => it.message)).toEqual([TOKEN]);
  for (const text of [github.comments[0].body, result.summary]) {
    const outsideCode = text.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
    expect(outsideCode).not.toMatch(/<img|@octocat|\]\(http:\/\/b\)/);
  }
});

describe('the build command of the configuration', () => {
  const build = (command: string) => `build: ${JSON.stringify(command)}\n${CONFIG}`;

  test('runs first, in the directory of the configuration, without the token or the files of this step', async () => {
    const result = await run({
      config: build('env > build-env && mkdir measured && mv later.json measured/sum.json'),
      files: { 'later.json': JSON.stringify(BASE) },
      env: { CC: 'clang', ACTIONS_RUNTIME_TOKEN: 'runtime-secret' },
      keep: ['build-env'],
    });
    expect(result.status).toBe(0);
    const env = result.kept['build-env'];
    expect(env).toContain('CC=clang');
    expect(env).toContain('GITHUB_SHA=');
    expect(env).not.toMatch(/INPUT_|ACTIONS_|GITHUB_(OUTPUT|ENV|PATH|STEP_SUMMARY)=/);
    expect(env).not.toContain(TOKEN);
    expect(env).not.toContain('runtime-secret');
  });

  test('may print commands on either stream, and the runner obeys none', async () => {
    const result = await run({
      config: build(
        "echo '::add-mask::a'; echo '::error::b' >&2; echo '##[warning]c'; echo '::stop-commands::d'",
      ),
      measured: BASE,
    });
    expect(result.stdout).toContain('::error::b');
    expect(result.stderr).toBe('');
    expect(result.commands.map((it) => it.message)).not.toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
    expect(result.status).toBe(0);
  });

  test('fails the step with its own message when it fails', async () => {
    const result = await run({ config: build('exit 3'), measured: BASE });
    expect(result.status).toBe(1);
    expect(annotations(result)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^The build command "exit 3" exited with status 3\./),
      }),
    ]);
  });
});

describe('what keeps a target from being judged fails the step and says what to do', () => {
  test('no configuration', async () => {
    const result = await run({ config: undefined, measured: BASE });
    expect(result.status).toBe(1);
    expect(annotations(result)[0].message).toBe(
      'There is no configuration ilp-gate.yml. Commit an ilp-gate.yml, name another file in input "config", or set input "working-directory".',
    );
    expect(result.outputs.verdict).toBe('error');
  });

  test('a malformed configuration', async () => {
    const result = await run({ config: 'target: []\n', measured: BASE });
    expect(result.status).toBe(1);
    expect(annotations(result)[0].message).toMatch(/^ilp-gate\.yml:1:1: .*targets/i);
  });

  test('no baseline', async () => {
    const result = await run({ baseline: undefined, measured: BASE });
    expect(result.status).toBe(1);
    expect(annotations(result)[0].message).toContain('there is no baseline .ilp-gate/sum.json');
    expect(result.summary).toContain('Run "ilp-gate update" and commit the baseline');
    expect(result.outputs).toMatchObject({
      verdict: 'failed',
      instructions: '',
      cycles: '',
      ilp: '',
      profile: '',
    });
  });

  test('a target that the configuration does not have', async () => {
    const result = await run({ measured: BASE, inputs: { targets: 'sun' } });
    expect(result.status).toBe(1);
    expect(annotations(result)[0].message).toContain('did you mean sum?');
  });
});

describe('update-baseline', () => {
  test('writes the measured profile to the repository and passes, without a comment', async () => {
    const result = await run({
      baseline: undefined,
      measured: LONGER_CHAIN,
      inputs: { 'update-baseline': 'true' },
      keep: ['.ilp-gate/sum.json'],
    });
    expect(result.status).toBe(0);
    expect(result.outputs).toMatchObject({ verdict: 'updated', cycles: '2012' });
    expect(JSON.parse(result.kept['.ilp-gate/sum.json'])).toMatchObject({ total: { cycles: 2012 } });
    expect(result.summary).toMatch(/^Baseline updated: 1 target\.\n[\s\S]*\.ilp-gate\/sum\.json +created/);
    expect(github.requests).toEqual([]);
  });
});

test('a command is measured without a configuration, under the name of its program', async () => {
  const result = await run({ config: undefined, measured: BASE, inputs: { command: './build/sum 1000' } });
  expect(result.outputs.verdict).toBe('unchanged');
  expect(result.status).toBe(0);
});

interface Case {
  readonly config?: string | undefined;
  readonly baseline?: Profile | undefined;
  readonly measured?: Profile;
  /** Where in the repository all of this lies. */
  readonly directory?: string;
  readonly files?: Record<string, string>;
  readonly inputs?: Record<string, string>;
  readonly env?: Record<string, string>;
  readonly keep?: readonly string[];
}

function run(scene: Case): Promise<StepResult> {
  const { directory = '', measured } = scene;
  const config = 'config' in scene ? scene.config : CONFIG;
  const baseline = 'baseline' in scene ? scene.baseline : BASE;
  const files: Record<string, string> = {
    ...(config === undefined ? {} : { [`${directory}ilp-gate.yml`]: config }),
    ...(baseline === undefined ? {} : { [`${directory}.ilp-gate/sum.json`]: writeProfile(baseline) }),
    ...(measured === undefined ? {} : { [`${directory}measured/sum.json`]: JSON.stringify(measured) }),
    ...scene.files,
  };
  const event: Step['event'] = {
    name: 'pull_request',
    payload: {
      pull_request: {
        number: 7,
        head: { sha: HEAD, repo: { full_name: 'octo/numbers' } },
        base: { ref: 'main', repo: { full_name: 'octo/numbers' } },
      },
    },
  };
  const inputs = { 'github-token': TOKEN, ...scene.inputs };
  const env = { GITHUB_API_URL: github.url, ...scene.env };
  return runStep(action, { event, files, inputs, env, keep: scene.keep ?? [] });
}

function annotations(result: StepResult) {
  return result.commands.filter((it) => ['error', 'warning', 'notice'].includes(it.name));
}

interface Scripted {
  readonly cycles: number;
  /** How many links of the chain each line of src/sum.c has. */
  readonly addsAt: Readonly<Record<number, number>>;
  /** Tells binaries apart. */
  readonly build?: string;
  readonly name?: string;
}

function profile({ cycles, addsAt, build = 'a', name = 'sum' }: Scripted): Profile {
  const total = { instructions: 4000, cycles, ilp: Math.round((4000 / cycles) * 10_000) / 10_000 };
  const setUp = {
    address: 'sum+0x1100',
    instruction: 'pxor xmm0, xmm0',
    function: name,
    file: 'src/sum.c',
    line: 12,
  };
  const links = Object.entries(addsAt).map(([line, count]) => ({
    address: `sum+0x11${line}`,
    instruction: 'addsd xmm0, qword ptr [rdi+rax*8]',
    function: name,
    file: 'src/sum.c',
    line: Number(line),
    count,
    share: Math.round((count / cycles) * 10_000) / 10_000,
  }));
  const chain = {
    length: cycles,
    links: [{ ...setUp, count: 12, share: Math.round((12 / cycles) * 10_000) / 10_000 }, ...links],
  };
  return {
    format: PROFILE_FORMAT,
    version: PROFILE_VERSION,
    target: 'sum',
    command: ['./sum', '1000'],
    total,
    functions: [{ name, file: 'src/sum.c', line: 10, calls: 1, ...total }],
    calls: [{ function: name, depth: 1, index: 0, ...total, calls: [] }],
    chains: [chain],
    environment: {
      tool: '0.1.0',
      rules: 1,
      isa: 'x86-64',
      program: { name: 'sum', sha256: build.repeat(64), loaded: build.repeat(64) },
      libraries: [],
      compilers: ['GCC: (Debian 12.2.0) 12.2.0'],
    },
  };
}
