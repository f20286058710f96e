import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import type { CodeStore } from '../../src/emulator/ports.ts';
import { helperProcesses } from '../../src/host/helper-processes.ts';
import { memoryCodeStore } from '../../src/host/kept/memory-code-store.ts';
import type { HelperProcesses, HelpJob } from '../../src/pipeline/ports.ts';
import type { MeasureRequest } from '../../src/pipeline/request.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { measureHere } from '../../src/worker/engine.ts';
import { isMissing, Workshop } from '../measure/build.ts';

const source = readFileSync(new URL('./programs/shared-work.c', import.meta.url), 'utf8');
const SINKS = { stdout: () => {}, stderr: () => {} };

describe.skipIf(isMissing('gcc'))('passes that other processes take', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());
  const program = isMissing('gcc') ? '' : workshop.compile(source, ['-O2', '-pthread']);
  const at = (name: string) => join(workshop.directory, name);
  const request: MeasureRequest = {
    program,
    args: [at('number')],
    workingDirectory: workshop.directory,
    env: {},
    stdin: { kind: 'file', path: at('input') },
    isa: 'x86-64-v3',
    depth: 3,
    listsCalls: true,
    functions: ['mix', 'round_of', 'work', 'main', 'printf'],
    chains: [],
    writes: 'discard',
    sourceRoot: workshop.directory,
  };
  const write = (name: string, content: string) => writeFileSync(at(name), content);

  /** Measures with helpers; tells whether each has answered. `before` comes before it begins. */
  async function measureWithHelpers(
    before: (job: HelpJob) => void = () => {},
    {
      worker,
      args = [],
      codeStore,
      most = 2,
      chains = [],
      after = () => {},
    }: {
      readonly worker?: string;
      readonly args?: readonly string[];
      readonly chains?: readonly string[];
      readonly codeStore?: CodeStore;
      readonly most?: number;
      readonly after?: () => void;
    } = {},
  ) {
    const answers: boolean[] = [];
    const started = async (): Promise<HelperProcesses> => {
      const processes = helperProcesses({ keepsCode: false, most, ...(worker && { worker }) });
      return {
        ...processes,
        from: 0,
        fromAhead: 0,
        async start(job) {
          before(job);
          const helper = await processes.start(job);
          // Nothing changes while it runs.
          answers.push((await helper.answer) !== undefined);
          after();
          return helper;
        },
      };
    };
    const passes = new Set<number>();
    const progress = ({ pass }: { readonly pass: number }) => passes.add(pass);
    const { profile } = await measureHere({ helpers: started, codeStore })(
      { ...request, args: [...request.args, ...args], chains },
      { ...SINKS, progress },
    );
    return { profile, answers, passesHere: passes.size };
  }

  let alone: Profile | undefined;
  beforeAll(async () => {
    write('number', '4097');
    write('input', '11 ');
    ({ profile: alone } = await measureHere()(request, SINKS));
  });

  it('find what this process would find', async () => {
    const jobs: HelpJob[] = [];
    const { profile, answers, passesHere } = await measureWithHelpers((job) => jobs.push(job));
    expect(answers).toEqual([true, true]);
    const kinds = jobs.map(({ task }) => task.parts.map((part) => ('until' in part ? 'until' : part.kind)));
    expect(kinds).toEqual([['functions', 'until'], ['functions']]);
    // The first one, and those for the two other parts: none is taken again.
    expect(passesHere).toBe(3);
    expect(profile).toEqual(alone);
    expect(alone?.threads).toHaveLength(3);
  });

  it('begin when there is code for threads: where these start late, behind the first of the passes for them', async () => {
    const jobs: HelpJob[] = [];
    const args = ['late'];
    const { profile, answers, passesHere } = await measureWithHelpers((job) => jobs.push(job), { args });
    expect(answers).toEqual([true, true]);
    const kinds = jobs.map(({ task }) => task.parts.map(({ kind }) => kind));
    expect(kinds).toEqual([['functions'], ['functions']]);
    // The first one, one for a thread before others were asked, then the other thread and the first one as a whole.
    expect(passesHere).toBe(4);
    const { profile: late } = await measureHere()({ ...request, args: [...request.args, ...args] }, SINKS);
    expect(profile).toEqual(late);
  });

  it('are shared among those who do not follow the chain of the run', async () => {
    const chains = [RUN_CHAIN];
    const codeStore = memoryCodeStore();
    const jobs: HelpJob[] = [];
    const before = (job: HelpJob) => jobs.push(job);
    const behind = await measureWithHelpers(before, { chains, codeStore, most: 3 });
    const ahead = await measureWithHelpers(before, { chains, codeStore, most: 3 });
    const isOfChain = ({ task }: HelpJob) => task.followsRun === true;
    expect(jobs.map(isOfChain)).toEqual([true, false, false, true, false, false]);
    expect(behind.passesHere - ahead.passesHere).toBe(1);
    const { profile: here } = await measureHere()({ ...request, chains }, SINKS);
    expect([behind.profile, ahead.profile]).toEqual([here, here]);
    expect(here?.chains).toHaveLength(1);
  });

  it('do not count when they see other files', async () => {
    const { profile, answers } = await measureWithHelpers(() => write('number', '4096'));
    expect(answers).toEqual([true, true]);
    expect(profile).toEqual(alone);
    const { profile: other } = await measureHere()(request, SINKS);
    expect(other?.total.instructions).toBe(alone?.total.instructions);
    expect(other).not.toEqual(alone);
    write('number', '4097');
  });

  it('are taken here when the others die', async () => {
    write('dies.mjs', 'process.exit(3);');
    const { profile, answers } = await measureWithHelpers(() => {}, { worker: at('dies.mjs') });
    expect(answers).toEqual([false, false]);
    expect(profile).toEqual(alone);
  });

  describe('together with the first one, in a further run of the command', () => {
    const kindsOf = ({ task }: HelpJob) => task.parts.map(({ kind }) => kind);

    it('find what this process would find', async () => {
      const codeStore = memoryCodeStore();
      const first = await measureWithHelpers(() => {}, { codeStore });
      const jobs: HelpJob[] = [];
      const inputs: string[] = [];
      const asked = (job: HelpJob) => {
        jobs.push(job);
        inputs.push(Buffer.from(job.input).toString());
      };
      const second = await measureWithHelpers(asked, { codeStore });
      expect(first.passesHere).toBe(3);
      // The first pass, and no other but one of those for the two threads, the first thread as a whole and the functions.
      expect(jobs.map(kindsOf)).toEqual([
        ['threads', 'threads'],
        ['functions', 'threads'],
      ]);
      expect(second.passesHere).toBe(2);
      // What has not been read when they are asked.
      expect(inputs).toEqual(['11 ', '11 ']);
      expect([first.profile, second.profile]).toEqual([alone, alone]);
    });

    it('count where the run has become longer or shorter since', async () => {
      const codeStore = memoryCodeStore();
      for (const number of ['4097', '999999999', '1', '4097']) {
        write('number', number);
        const { profile, answers } = await measureWithHelpers(() => {}, { codeStore });
        const { profile: here } = await measureHere()(request, SINKS);
        expect(answers).toEqual([true, true]);
        expect(profile).toEqual(here);
      }
    });

    it('are in vain once where they see other files: later runs ask behind the first pass', async () => {
      const codeStore = memoryCodeStore();
      await measureWithHelpers(() => {}, { codeStore });
      const change = () => write('number', '4096');
      const second = await measureWithHelpers(change, { codeStore, after: () => write('number', '4097') });
      expect(second.profile).toEqual(alone);
      // What helpers were asked for is measured here as well.
      const here = await measureWithHelpers(() => {}, { most: 0 });
      expect(second.passesHere).toBe(here.passesHere);
      const jobs: HelpJob[] = [];
      const third = await measureWithHelpers((job) => jobs.push(job), { codeStore });
      expect(third.passesHere).toBe(3);
      expect(third.profile).toEqual(alone);
    });

    it('are asked for other parts where these are not those of that run', async () => {
      const kept = memoryCodeStore();
      const calls = [{ threads: [7], from: 0, to: 0 }];
      const wrong = JSON.stringify({ parts: [{ kind: 'threads', calls }], executed: 1e9, memory: 0 });
      const codeStore: CodeStore = { ...kept, findNotes: () => [wrong] };
      const jobs: HelpJob[] = [];
      const { profile } = await measureWithHelpers((job) => jobs.push(job), { codeStore });
      expect(jobs.map(kindsOf)[0]).toEqual(['threads']);
      expect(jobs).toHaveLength(3);
      expect(profile).toEqual(alone);
    });
  });
});
