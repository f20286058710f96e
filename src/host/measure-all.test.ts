import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Failure } from '../base/failure.ts';
import type { MeasureListener } from '../pipeline/ports.ts';
import { fittingIn } from './available-memory.ts';
import { measureInProcesses } from './measure-all.ts';
import type { Request } from './worker-messages.ts';

/** A measuring process that does what its program's name says, and notes in a file that it was started. */
const WORKER = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { Failure } from ${JSON.stringify(new URL('../base/failure.ts', import.meta.url).pathname)};
import { serveJobs } from ${JSON.stringify(new URL('./worker-child.ts', import.meta.url).pathname)};

appendFileSync(new URL('started', import.meta.url), '.');
const ways = {
  async nothing() {},
  async create(name) { writeFileSync(new URL(name, import.meta.url), ''); },
  async wait(name) {
    while (!existsSync(new URL(name, import.meta.url))) await new Promise((done) => setTimeout(done, 5));
  },
  async fail() { throw new Failure('guest', 'fuel-spent', 'too long', { fuel: 5 }); },
  async blunder() { throw new TypeError('an index of ours'); },
  async killed() { process.kill(process.pid, 'SIGKILL'); await new Promise(() => setInterval(() => {}, 1000)); },
  async ends() { process.exit(0); },
  async hoard() {
    for (const all = [];;) all.push(new Array(10_000).fill(all.length));
  },
};
serveJobs(async ({ program, args }, progress) => {
  progress({ phase: 'counting', pass: 1, passes: 1, instructions: args.length });
  await ways[program](...args);
  return { exit: { kind: 'exit', status: 0 }, notes: [], output: args };
});
`;

let directory: string;
let worker: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'ilp-gate-workers-'));
  worker = join(directory, 'worker.ts');
  writeFileSync(worker, WORKER);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const request = (program: string, ...args: string[]): Request => ({
  program,
  args,
  workingDirectory: '/',
  env: {},
  stdin: { kind: 'empty' },
  isa: 'x86-64',
  depth: 3,
  listsCalls: true,
  functions: [],
  chains: [],
  writes: 'discard',
  sourceRoot: '/',
});

async function measure(jobs: number, requests: readonly Request[], listener?: MeasureListener) {
  writeFileSync(join(directory, 'started'), '');
  const alone = async () => requests.map(() => new Failure('usage', 'alone', 'in this process'));
  const results = await measureInProcesses({ jobs, keepsCode: false, alone, worker })(requests, listener);
  return { results, started: readFileSync(join(directory, 'started'), 'utf8').length };
}

const measured = (...output: string[]) => ({
  exit: { kind: 'exit', status: 0 },
  notes: [],
  output,
});

// The processes run TypeScript, as these tests do.
describe.skipIf(Number(process.versions.node.split('.')[0]) < 24)('programs measured in processes', () => {
  it('have their results in the order of the requests, whoever comes first', async () => {
    const finished: number[] = [];
    const requests = [
      request('wait', 'last'),
      request('nothing', '1'),
      request('nothing', '2'),
      request('create', 'last'),
    ];
    const { results, started } = await measure(2, requests, { finished: (at) => finished.push(at) });
    expect(results).toEqual([measured('last'), measured('1'), measured('2'), measured('last')]);
    expect(finished.slice(0, 2)).toEqual([1, 2]);
    expect(started).toBe(2);
  });

  it('tell of their progress by number', async () => {
    const heard: [number, number][] = [];
    await measure(2, [request('nothing', 'x', 'y'), request('nothing', 'x', 'y', 'z')], {
      progress: (at, { instructions }) => heard.push([at, instructions]),
    });
    expect(heard.sort()).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  it('are measured here where there is one alone, or one at a time', async () => {
    expect(await measure(2, [request('nothing', '1')])).toMatchObject({
      results: [{ code: 'alone' }],
      started: 0,
    });
    const both = await measure(1, [request('nothing', '1'), request('nothing', '1')]);
    expect(both).toMatchObject({ results: [{ code: 'alone' }, { code: 'alone' }], started: 0 });
  });

  it('fail one by one, with everything that a Failure says', async () => {
    const { results, started } = await measure(2, [
      request('fail'),
      request('nothing', '1'),
      request('fail'),
    ]);
    expect(results[0]).toBeInstanceOf(Failure);
    expect(results[0]).toMatchObject({
      kind: 'guest',
      code: 'fuel-spent',
      message: 'too long',
      facts: { fuel: 5 },
    });
    expect(results.slice(1)).toEqual([measured('1'), expect.any(Failure)]);
    expect(started).toBe(2);
  });

  it.each([
    ['killed', /^the process that measured it was ended by SIGKILL$/],
    ['ends', /^the process that measured it ended with status 0$/],
    ['hoard', /^the process that measured it was ended by SIGABRT: .* - JavaScript heap out of memory$/],
  ])(
    'may lose their process (%s): that is a failure of one, and another process takes the next',
    async (way, message) => {
      vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=60');
      onTestFinished(() => void vi.unstubAllEnvs());
      const requests = [request(way), request('nothing', '1'), request(way), request('nothing', '2')];
      const { results, started } = await measure(2, requests);
      const died = expect.objectContaining({
        kind: 'environment',
        code: 'measurement-died',
        message: expect.stringMatching(message),
      });
      expect(results).toEqual([died, measured('1'), died, measured('2')]);
      expect(started).toBeGreaterThan(2);
    },
  );

  it('say why when no process can be started', async () => {
    const missing = measureInProcesses({
      jobs: 2,
      keepsCode: false,
      alone: async () => [],
      worker: join(directory, 'none.cjs'),
    });
    const results = await missing([request('nothing', '1'), request('nothing', '1')]);
    expect(results).toMatchObject([1, 2].map(() => ({ code: 'measurement-died' })));
    expect((results[0] as Failure).message).toMatch(
      /^the process that measured it ended with status 1: Error: Cannot find module '.*none\.cjs'$/,
    );
  });

  it('hand on a mistake of our own with the stack where it was made', async () => {
    const failing = measure(2, [request('blunder'), request('nothing', '1')]);
    await expect(failing).rejects.toMatchObject({
      stack: expect.stringMatching(/TypeError: an index of ours\n +at .*blunder/),
    });
  });
});

it('as many measurements fit in memory as have a gibibyte each, and always one', () => {
  expect([0, 1, 1.9, 2, 15.5].map((gibibytes) => fittingIn(gibibytes * 2 ** 30))).toEqual([1, 1, 1, 2, 15]);
  expect([0.1, 1, 3, 20].map((gibibytes) => fittingIn(15.5 * 2 ** 30, gibibytes * 2 ** 30))).toEqual([
    15, 15, 5, 1,
  ]);
});
