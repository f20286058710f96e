import { resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { cause, loop, profileWith } from '../../test/bounds/loops.ts';
import { Failure } from '../base/failure.ts';
import { RUN_CHAIN } from '../base/run-chain.ts';
import { readGrammar } from '../host/grammars.ts';
import { imageTools } from '../host/image-tools.ts';
import type { GuestExit } from '../observation/observation.ts';
import { quietly, serially } from '../pipeline/quietly.ts';
import type { Measure, MeasureRequest } from '../pipeline/request.ts';
import type { Profile } from '../profile/profile.ts';
import { readProfile } from '../profile/read.ts';
import { NO_PAINT } from '../report/ports.ts';
import { GIVEN_ENVIRONMENT } from '../report/remedies.ts';
import { main } from './main.ts';

/** A machine in memory: files, a terminal, and programs whose measurement is whatever the test says. */
class Machine {
  readonly files = new Map<string, string>();
  readonly built: string[] = [];
  readonly requests: MeasureRequest[] = [];
  stdout = '';
  stderr = '';
  watched = false;
  exit: GuestExit = { kind: 'exit', status: 0 };
  cycles = 50;
  guest: { stdout?: string; stderr?: string; failure?: Failure } = {};
  buildFailure: Failure | undefined;
  notes: readonly string[] = [];
  /** Whether profiles have a loop with bounds; it gets worse with more than 50 cycles. */
  bounded = false;

  async run(...argv: string[]): Promise<number> {
    this.stdout = '';
    this.stderr = '';
    const { files } = this;
    const measure: Measure = async (request, sinks) => {
      this.requests.push(request);
      if (this.guest.failure !== undefined) throw this.guest.failure;
      sinks.progress?.({ phase: 'counting', pass: 1, passes: 2, instructions: 1_000_000 });
      if (this.guest.stdout !== undefined) sinks.stdout(Buffer.from(this.guest.stdout));
      if (this.guest.stderr !== undefined) sinks.stderr(Buffer.from(this.guest.stderr));
      sinks.progress?.({ phase: 'chains', pass: 2, passes: 2, instructions: 2_000_000 });
      return this.exit.kind === 'signal'
        ? { exit: this.exit, notes: this.notes }
        : {
            exit: this.exit,
            profile: this.profile(request),
            uncalled: request.functions.filter((name) => name === 'cold'),
            notes: this.notes,
          };
    };
    return main(argv, {
      measure: (options) => {
        options.engineStats?.('how it went\n', { passes: [] });
        return measure;
      },
      measureAll: () => serially(quietly(measure)),
      files: {
        read: async (path) => files.get(path),
        writeAll: async (all) => all.forEach(({ path, text }) => void files.set(path, text)),
        resolve,
      },
      code: {
        readBytes: async (path) => {
          const text = files.get(path);
          return text === undefined ? undefined : new TextEncoder().encode(text);
        },
        imageTools,
      },
      build: async (command) => {
        this.built.push(command);
        if (this.buildFailure !== undefined) throw this.buildFailure;
      },
      atMergeBase: (_, work) => work('/base'),
      readGrammar,
      readSource: () => undefined,
      terminal: {
        stdout: (data) => this.write('stdout', data),
        stderr: (data) => this.write('stderr', data),
        stdoutPaint: NO_PAINT,
        stderrPaint: NO_PAINT,
        watched: this.watched,
        width: 80,
      },
      workingDirectory: '/work',
      version: '1.2.3',
    });
  }

  private write(stream: 'stdout' | 'stderr', data: string | Uint8Array): void {
    this[stream] += Buffer.from(data).toString();
  }

  private profile({ program, args, target, workingDirectory, chains }: MeasureRequest): Profile {
    const cycles = workingDirectory === '/base' ? 40 : this.cycles;
    const counts = { instructions: 100, cycles, ilp: Math.round(1_000_000 / cycles) / 10_000 };
    const link = {
      address: 'p+0x10',
      instruction: 'add rax, rbx',
      function: 'hot',
      file: 'p.c',
      line: 3,
      count: cycles,
      share: 1,
    };
    const { loops, bounds } = profileWith([
      cycles > 50
        ? loop({ bounds: { MAC: 2, MACS: 4 }, causes: [cause({ line: 11, cycles: 1 })] })
        : loop({ bounds: { MAC: 2, MACS: 3 } }),
    ]);
    return {
      format: 'ilp-gate/profile',
      version: 1,
      ...(this.bounded ? { loops: loops!, bounds: bounds! } : {}),
      ...(target === undefined ? {} : { target }),
      command: [program, ...args],
      total: counts,
      functions: [{ name: 'hot', calls: 1, ...counts }],
      calls: [],
      chains: chains.map((name) => ({
        ...(name === RUN_CHAIN ? {} : { function: name, call: 0 }),
        length: cycles,
        links: [link],
      })),
      environment: {
        tool: '1',
        rules: 1,
        isa: 'x86-64',
        program: { name: 'p', sha256: String(cycles), loaded: String(cycles) },
        libraries: [],
        compilers: [],
      },
    };
  }
}

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
  machine.files.set(
    '/work/ilp-gate.yml',
    'build: make\ntargets:\n  - { name: one, command: ./p 1, functions: [hot] }\n  - { name: two, command: ./p 2, stdin: in.txt, env: { A: 1 } }\n',
  );
});

const BASELINE = '/work/.ilp-gate/one.json';

describe('measure', () => {
  it('passes the guest’s output and exit status through and puts the summary on stderr', async () => {
    machine.guest = { stdout: 'out\n', stderr: 'err\n' };
    machine.exit = { kind: 'exit', status: 7 };
    expect(await machine.run('measure', '--', './p', 'x')).toBe(7);
    expect(machine.stdout).toBe('out\n');
    expect(machine.stderr).toMatch(/^err\n.*whole run/s);
  });

  it('take run for the run where chains are asked for, and for a function where functions are', async () => {
    const machine = new Machine();
    await machine.run('measure', '--chain', 'run', '--chain', 'f', '--', './p');
    await machine.run('measure', '--function', 'run', '--', './p');
    expect(machine.requests.map(({ chains }) => chains)).toEqual([[RUN_CHAIN, 'f'], ['run']]);
  });

  it('asks for what its options say, and takes options after the first -- for the program’s', async () => {
    await machine.run(
      ...[
        'measure',
        '--function',
        'f',
        '--function',
        'g',
        '--depth',
        '-1',
        '--isa',
        'x86-64-v2',
        '--fuel',
        '1_000',
      ],
      ...['--env', 'A=b=c', '--env', 'D=', '--chain', 'g', '--', './p', '--depth', '--', '9'],
    );
    expect(machine.requests[0]).toEqual({
      program: './p',
      args: ['--depth', '--', '9'],
      workingDirectory: '/work',
      sourceRoot: '/work',
      env: { A: 'b=c', D: '' },
      stdin: { kind: 'inherit' },
      isa: 'x86-64-v2',
      depth: -1,
      listsCalls: false,
      functions: ['f', 'g'],
      chains: ['g'],
      insistsOnChains: true,
      fuel: 1000,
      writes: 'keep',
    });
  });

  it('follows the chains of the named functions when none is named, and none without them', async () => {
    await machine.run('measure', '--', './p');
    expect(machine.requests[0]).toMatchObject({ chains: [] });
    machine.requests.length = 0;

    await machine.run('measure', '--function', 'hot', '--', './p');
    expect(machine.requests[0]).toMatchObject({ chains: ['hot'], depth: 3, isa: 'x86-64-v3' });
  });

  it('with --json - leaves stdout to the profile alone', async () => {
    machine.guest = { stdout: 'out\n' };
    expect(await machine.run('measure', '--json', '-', '--', './p')).toBe(0);
    expect(readProfile(machine.stdout, 'stdout').command).toEqual(['./p']);
    expect(machine.stderr).toMatch(/^out\n/);
  });

  it('with --json FILE writes the profile there', async () => {
    await machine.run('measure', '--json', 'out/p.json', '--', './p');
    expect(readProfile(machine.files.get('/work/out/p.json')!, 'p.json').total.cycles).toBe(50);
    expect(machine.requests[0]).toMatchObject({ listsCalls: true });
  });

  it('with --html FILE writes a page there, with --html - to stdout, beside the profile', async () => {
    machine.guest = { stdout: 'out\n' };
    await machine.run('measure', '--html', 'out/p.html', '--json', 'p.json', '--', './p');
    expect(machine.files.get('/work/out/p.html')).toMatch(/^<!doctype html>.*>100<.*instructions/s);
    expect(machine.files.has('/work/p.json')).toBe(true);
    expect(machine.stdout).toBe('out\n');
    await machine.run('measure', '--html', '-', '--', './p');
    expect(machine.stdout).toMatch(/^<!doctype html>/);
    expect(machine.stderr).toMatch(/^out\n/);
  });

  it('shows the bounds of the loops where the profile has them', async () => {
    await machine.run('measure', '--', './p');
    expect(machine.stderr).not.toContain('Run-time bound');
    machine.bounded = true;
    await machine.run('measure', '--', './p');
    expect(machine.stderr).toContain('\nRun-time bound on skylake: 3,100 cycles;');
    expect(machine.stderr).toMatch(/kernel kernel\.c:10 .* schedule, MAC: port 5 /);
  });

  it('tells with --engine-stats how the engine spent its effort: on stderr, or as data in a file', async () => {
    expect(await machine.run('measure', '--engine-stats', '--', 'p')).toBe(0);
    expect(machine.stderr).toContain('how it went\n');
    expect(await machine.run('measure', '--engine-stats', 'stats.json', '--', 'p')).toBe(0);
    expect(machine.stderr).not.toContain('how it went');
    expect(JSON.parse(machine.files.get('/work/stats.json') ?? '')).toEqual({ passes: [] });
    await machine.run('measure', '--', 'p');
    expect(machine.stderr).not.toContain('how it went');
  });

  it('returns 128 + n and writes no profile when a signal ends the program', async () => {
    machine.exit = { kind: 'signal', signal: 11 };
    expect(await machine.run('measure', '--json', 'p.json', '--', './p')).toBe(139);
    expect(machine.stderr).toBe(
      `ilp-gate: ./p died by signal 11 (SIGSEGV); no profile is written\n  ${GIVEN_ENVIRONMENT}\n`,
    );
    expect(machine.files.has('/work/p.json')).toBe(false);
  });

  it('names functions that were asked for and not called', async () => {
    await machine.run('measure', '--function', 'cold', '--', './p');
    expect(machine.stderr).toContain('ilp-gate: cold was not called\n');
  });

  it('returns 126 when the program cannot be run, and 125 for whatever else goes wrong', async () => {
    machine.guest.failure = new Failure('guest', 'program-not-found', 'there is no program ./p');
    expect(await machine.run('measure', '--', './p')).toBe(126);
    expect(machine.stderr).toMatch(/^ilp-gate: there is no program \.\/p\n {2}Build it first/);
    machine.guest.failure = new Failure('environment', 'program-missing', 'there is no ./p');
    expect(await machine.run('measure', '--', './p')).toBe(125);
  });

  it.each([
    [['measure'], 'measure needs a program after "--": ilp-gate measure [OPTIONS] -- PROGRAM [ARG]...'],
    [['measure', '--'], 'measure needs a program after "--": ilp-gate measure [OPTIONS] -- PROGRAM [ARG]...'],
    [
      ['measure', './p', 'x'],
      'unexpected "./p": the program and its arguments go after "--", as in: ilp-gate measure -- ./p x',
    ],
    [['measure', '--machin', 'zen5', '--', './p'], "unknown option '--machin'"],
    [
      ['measure', '--machine', 'zen', '--', './p'],
      'there is no machine "zen"; there are: ivybridge, haswell, broadwell, skylake, icelake-server, sapphirerapids, zen2, zen3, zen4, zen5',
    ],
    [
      ['measure', '--machine', 'ksr1', '--', './p'],
      'a program is machine code of another processor: MAC and MACS on ksr1 come from a two-column listing of KSR assembly code only',
    ],
    [['measure', '--json', '-', '--html', '-', '--', './p'], '--json and --html cannot both go to stdout'],
    [['measure', '--json', 'x', '--html', 'x', '--', './p'], '--json and --html cannot both go to x'],
    [
      ['measure', '--depth', '1.5', '--', './p'],
      "option '--depth <k>' argument '1.5' is invalid. It must be a whole number, at least -1.",
    ],
    [
      ['measure', '--env', 'A', '--', './p'],
      "option '--env <name=value>' argument 'A' is invalid. It must be NAME=VALUE.",
    ],
  ])('returns 125 for %j', async (argv, message) => {
    expect(await machine.run(...argv)).toBe(125);
    expect(machine.stderr.split('\n')[0]).toBe(`ilp-gate: ${message}`);
    expect(machine.requests).toEqual([]);
  });

  it('draws its progress on a terminal only, and never into a line of the guest’s', async () => {
    machine.guest = { stderr: 'question? ' };
    await machine.run('measure', '--', './p');
    expect(machine.stderr).not.toContain('\r');
    machine.watched = true;
    await machine.run('measure', '--', './p');
    const erase = '\r\u001b[K';
    const drawn = `${erase}counting, pass 1 of 2, 1,000,000 instructions${erase}question? \n   `;
    expect(machine.stderr.slice(0, drawn.length)).toBe(drawn);
  });
});

describe('update and check', () => {
  it('build, write the baselines, and find them unchanged', async () => {
    expect(await machine.run('update')).toBe(0);
    expect(machine.stdout).toMatch(/one\.json {2}created +100 +50 {2}2\.00\n.*two\.json {2}created/);
    expect(await machine.run('check')).toBe(0);
    expect(machine.stdout).toMatch(/^Unchanged: both targets/);
    expect(machine.built).toEqual(['make', 'make']);
  });

  it('run a target as its configuration says', async () => {
    await machine.run('update', '--target', 'two');
    expect(machine.requests).toMatchObject([
      {
        program: './p',
        args: ['2'],
        workingDirectory: '/work',
        env: { A: '1' },
        stdin: { kind: 'file', path: '/work/in.txt' },
        chains: [RUN_CHAIN],
        writes: 'discard',
        target: 'two',
      },
    ]);
    expect([...machine.files.keys()]).toEqual(['/work/ilp-gate.yml', '/work/.ilp-gate/two.json']);
  });

  it('return 1 on a regression, with the line that caused it', async () => {
    await machine.run('update');
    machine.cycles = 60;
    expect(await machine.run('check')).toBe(1);
    expect(machine.stdout).toContain(
      'Regression in both targets: cycles of the whole run of one +20.0% (50 → 60)',
    );
    expect(machine.stdout).toContain(
      'p.c:3 in hot has 60 of them, 10 more than before, mostly add rax, rbx.',
    );
  });

  it('hold bounds against the limits on them, and say which loop and what came with it', async () => {
    machine.files.set(
      '/work/ilp-gate.yml',
      'machine: skylake\nlimits: { cycles: none, macs: 0 }\ntargets: [{ name: one, command: ./p }]',
    );
    expect(await machine.run('update')).toBe(0);
    expect(await machine.run('check')).toBe(2);
    expect(machine.stdout).toMatch(
      /the limits on macs cannot be applied: the measured profile has no bounds of loops\n {2}Name a machine/,
    );
    machine.bounded = true;
    await machine.run('update');
    expect(await machine.run('check')).toBe(0);
    machine.cycles = 60;
    expect(await machine.run('check')).toBe(1);
    expect(machine.stdout).toContain('MACS of the loop at kernel.c:10 in kernel +33.3% (3.00 → 4.00)');
    expect(machine.stdout).toContain('a spill in line 11 (+1.00 CPL). A value goes to the stack and back.');
    expect(await machine.run('check', '--format', 'html', '--output', 'r.html')).toBe(1);
    expect(machine.files.get('/work/r.html')).toMatch(/^<!doctype html>.*a spill in line 11/s);
  });

  it('return 2 for a missing baseline and name update, but still judge the other targets', async () => {
    await machine.run('update', '--target', 'two');
    expect(await machine.run('check')).toBe(2);
    expect(machine.stdout).toContain('there is no baseline .ilp-gate/one.json');
    expect(machine.stdout).toContain('Run "ilp-gate update"');
    expect(machine.stdout).toContain('two: unchanged');
  });

  it('return 2 for a malformed baseline, with the line', async () => {
    await machine.run('update');
    machine.files.set(BASELINE, machine.files.get(BASELINE)!.replace('"version": 1', '"version": 99'));
    expect(await machine.run('check', '--target', 'one')).toBe(2);
    expect(machine.stdout).toContain(
      '.ilp-gate/one.json has profile version 99; this ilp-gate reads versions up to 1',
    );
  });

  it('return 3 when the program does not end as expected, show what it said, and write nothing', async () => {
    machine.exit = { kind: 'exit', status: 4 };
    machine.guest = { stderr: 'no such input\n' };
    expect(await machine.run('update')).toBe(3);
    expect(machine.stderr).toContain(
      'ilp-gate: one: ./p exited with status 4, expected 0\n  | no such input\n',
    );
    expect(machine.files.has(BASELINE)).toBe(false);
    machine.exit = { kind: 'signal', signal: 6 };
    expect(await machine.run('update')).toBe(3);
    expect(machine.stderr).toContain('./p died by signal 6 (SIGABRT)');
  });

  it('accept the exit status that the configuration expects', async () => {
    machine.files.set('/work/ilp-gate.yml', 'targets: [{ name: one, command: ./p, expect-exit: 4 }]');
    machine.exit = { kind: 'exit', status: 4 };
    expect(await machine.run('update')).toBe(0);
  });

  it('return 2 when the build fails, and measure nothing', async () => {
    machine.buildFailure = new Failure(
      'environment',
      'build-failed',
      'the build command "make" exited with status 2',
    );
    expect(await machine.run('check')).toBe(2);
    expect(machine.stderr).toMatch(
      /^ilp-gate: the build command "make" exited with status 2\n {2}Run the build/,
    );
    expect(machine.requests).toEqual([]);
  });

  it('measure a regression’s function again when its chain was not asked for, and show that chain', async () => {
    machine.files.set('/work/ilp-gate.yml', 'targets: [{ name: one, command: ./p }]');
    await machine.run('update');
    machine.cycles = 60;
    machine.requests.length = 0;
    expect(await machine.run('check', '--format', 'json')).toBe(1);
    expect(machine.requests.map((request) => request.chains)).toEqual([[], [RUN_CHAIN], ['hot']]);
    const [target] = JSON.parse(machine.stdout).targets;
    expect(target.findings).toMatchObject([
      { metric: 'cycles', cause: { kind: 'chain', file: 'p.c', line: 3 } },
      { metric: 'cycles', function: 'hot', cause: { kind: 'new-chain', file: 'p.c', line: 3 } },
    ]);
  });

  it('follow no chain where none is needed to explain a verdict', async () => {
    await machine.run('update');
    expect(machine.requests.map((request) => request.chains)).toEqual([[RUN_CHAIN, 'hot'], [RUN_CHAIN]]);
    for (const [cycles, verdict] of [
      [50, 'unchanged'],
      [49, 'improved'],
    ] as const) {
      machine.cycles = cycles;
      machine.requests.length = 0;
      expect(await machine.run('check', '--format', 'json')).toBe(0);
      expect(machine.requests.map((request) => request.chains)).toEqual([[], []]);
      expect(JSON.parse(machine.stdout).targets).toMatchObject([
        { outcome: verdict, chains: [] },
        { outcome: verdict, chains: [] },
      ]);
    }
  });

  it('follow the chains of the targets that need them, on both sides where the base can be run', async () => {
    machine.files.set(
      '/work/ilp-gate.yml',
      'base: merge-base\nlimits: { cycles: +100% }\ntargets: [{ name: one, command: ./p, limits: { cycles: 0 } }, { name: two, command: ./p }]',
    );
    expect(await machine.run('check')).toBe(1);
    expect(machine.requests.map((each) => [each.workingDirectory, each.target, each.chains])).toEqual([
      ['/base', 'one', []],
      ['/base', 'two', []],
      ['/work', 'one', []],
      ['/work', 'two', []],
      ['/base', 'one', [RUN_CHAIN]],
      ['/work', 'one', [RUN_CHAIN]],
      ['/base', 'one', ['hot']],
      ['/work', 'one', ['hot']],
    ]);
    expect(machine.stdout).toContain('p.c:3 in hot has 50 of them, 10 more than before');
  });

  it('measure the functions that the configuration limits, and say which of them nothing called', async () => {
    const limits = 'limits: { functions: { hot: { cycles: +5% }, hott: none } }';
    machine.files.set(
      '/work/ilp-gate.yml',
      `${limits}\ntargets: [{ name: one, command: ./p }, { name: two, command: ./p }]`,
    );
    await machine.run('update');
    expect(machine.requests[0]).toMatchObject({
      functions: ['hot', 'hott'],
      chains: [RUN_CHAIN, 'hot', 'hott'],
    });
    await machine.run('check');
    expect(machine.stdout).toContain('Named in the configuration but not called, so not guarded: hott.');
    await machine.run('check', '--target', 'one');
    expect(machine.stdout).not.toContain('hott');
  });

  it('compare with the merge base instead of a baseline where the configuration says so', async () => {
    machine.files.set(
      '/work/ilp-gate.yml',
      'base: merge-base\nbuild: make\ntargets: [{ name: one, command: ./p }]',
    );
    expect(await machine.run('check')).toBe(1);
    expect(machine.stdout).toContain('40 → 50');
    expect(machine.built).toEqual(['make', 'make']);
  });

  it('write the report to a file with --output, and the verdict to stderr', async () => {
    await machine.run('update');
    expect(await machine.run('check', '--format', 'markdown', '--output', 'r.md')).toBe(0);
    expect(machine.stdout).toBe('');
    expect(machine.stderr).toBe('Unchanged: both targets are the same binary with the same numbers.\n');
    expect(machine.files.get('/work/r.md')).toMatch(/^### ✅ Unchanged/);
  });

  it.each([
    [['check', '--target', 'onne'], 'the configuration has no target "onne"; did you mean one?'],
    [['check', '--config', 'x.yml'], 'there is no configuration x.yml'],
    [
      ['check', '--format', 'sarif'],
      "option '--format <format>' argument 'sarif' is invalid. Allowed choices are text, markdown, json, html.",
    ],
    [['check', 'one'], "too many arguments for 'check'. Expected 0 arguments but got 1."],
    [['check', '--', './p'], 'only measure and bounds take a program after "--"'],
    [['gauge'], "unknown command 'gauge'"],
    [['chekc'], "unknown command 'chekc'"],
    [['diff', 'a.json'], "missing required argument 'HEAD.json'"],
    [['diff', 'a.json', 'b.json'], 'there is no file a.json'],
  ])('return 2 for %j', async (argv, message) => {
    expect(await machine.run(...argv)).toBe(2);
    expect(machine.stderr.split('\n')[0]).toBe(`ilp-gate: ${message}`);
    expect(machine.requests).toEqual([]);
  });
});

describe('diff', () => {
  beforeEach(async () => {
    await machine.run('measure', '--json', 'a.json', '--', './p');
    machine.cycles = 51;
    await machine.run('measure', '--json', 'b.json', '--', './p');
  });

  it('compares two stored profiles, nothing may get worse', async () => {
    expect(await machine.run('diff', 'a.json', 'b.json')).toBe(1);
    expect(await machine.run('diff', 'b.json', 'a.json')).toBe(0);
    expect(await machine.run('diff', 'a.json', 'a.json')).toBe(0);
  });

  it('takes the limits of a configuration', async () => {
    machine.files.set('/work/loose.yml', 'limits: { cycles: +2% }\ntargets: [{ name: one, command: ./p }]');
    expect(await machine.run('diff', '--config', 'loose.yml', 'a.json', 'b.json')).toBe(0);
  });
});

describe('bounds of blocks', () => {
  beforeEach(() => {
    // imul rax,rax; then an addition through memory; then what is no instruction of 64-bit mode.
    machine.files.set('/work/blocks.csv', '480fafc0,300.0\n0107,500.0\n\n4801c006,100\n');
  });

  it('are JSON in the order of the lines', async () => {
    expect(await machine.run('bounds', '--machine', 'skylake', '--blocks', 'blocks.csv', '--json', '-')).toBe(
      0,
    );
    expect(JSON.parse(machine.stdout)).toEqual({
      machine: 'skylake',
      blocks: [
        { cycles: 3, bottleneck: 'recurrence' },
        { cycles: 5, bottleneck: 'recurrence' },
        { cycles: 1, bottleneck: 'recurrence', unknown: ['no instruction at byte 3'] },
      ],
    });
  });

  it('are a table for people, and a file where one is named', async () => {
    expect(await machine.run('bounds', '--blocks', 'blocks.csv')).toBe(0);
    expect(machine.stdout).toContain('     3.00  recurrence\n');
    expect(await machine.run('bounds', '--blocks', 'blocks.csv', '--json', 'out.json')).toBe(0);
    expect(machine.stdout).toBe('');
    expect(JSON.parse(machine.files.get('/work/out.json')!).blocks).toHaveLength(3);
  });

  it("take a machine of the user's own", async () => {
    const own = {
      format: 'ilp-gate/machine',
      version: 1,
      name: 'mine',
      extends: 'skylake',
      overlay: [{ match: 'imul r64,r64', latency: 7, source: 'measured' }],
    };
    machine.files.set('/work/mine.json', JSON.stringify(own));
    expect(
      await machine.run('bounds', '--machine', 'mine.json', '--blocks', 'blocks.csv', '--json', '-'),
    ).toBe(0);
    expect(JSON.parse(machine.stdout)).toMatchObject({ machine: 'mine', blocks: [{ cycles: 7 }, {}, {}] });
  });

  it.each([
    [['--blocks', 'bad.csv'], 'bad.csv:2: "g" at column 3 is not a hexadecimal digit'],
    [['--blocks', 'hole.csv'], 'hole.csv:1: there is no machine code'],
    [['--blocks', 'odd.csv'], 'odd.csv:1: 3 hexadecimal digits are not whole bytes'],
    [['--blocks', 'none.csv'], 'there is no file none.csv'],
    [
      ['--blocks', 'blocks.csv', '--machine', 'zen9'],
      'there is no machine "zen9"; there are: ivybridge, haswell',
    ],
    [['--blocks', 'blocks.csv', '--machine', 'ksr1'], 'ksr1 has no x86 instructions'],
    [['--blocks', 'blocks.csv', '--machine', './no.json'], 'there is no machine file ./no.json'],
    [['--blocks', 'blocks.csv', '--machine', 'text.json'], 'text.json is not JSON'],
    [[], 'bounds needs a file'],
    [['absent.o'], 'there is no file absent.o'],
    [['none.f90'], 'there is no file none.f90'],
    [['mine.txt'], 'mine.txt is neither machine code'],
    [['mine.txt', '--blocks', 'bad.csv'], 'bounds takes a file or --blocks FILE, not both'],
  ])('say what is wrong with %s', async (argv, message) => {
    machine.files.set('/work/bad.csv', '90\n48g1\n');
    machine.files.set('/work/odd.csv', '480\n');
    machine.files.set('/work/hole.csv', ',100\n');
    machine.files.set('/work/text.json', 'zen');
    machine.files.set('/work/mine.txt', 'a note');
    expect(await machine.run('bounds', ...argv)).toBe(2);
    expect(machine.stderr).toContain(message);
  });
});

describe('machines', () => {
  it('are listed', async () => {
    expect(await machine.run('machines')).toBe(0);
    expect(machine.stdout).toMatch(/^ {2}skylake +Intel Skylake/m);
    expect(machine.stdout).toMatch(/^ {2}zen5 +AMD Zen 5/m);
  });

  it('are explained with their sources', async () => {
    expect(await machine.run('machines', 'haswell')).toBe(0);
    expect(machine.stdout).toMatch(/reorder buffer 192, scheduler 60/);
    expect(machine.stdout).toMatch(/Apache-2\.0 WITH LLVM-exception/);
    expect(machine.stdout).toMatch(/uiCA: Accurate Throughput Prediction/);
    expect(machine.stdout).toContain('None of them was checked on hardware.');
    expect(await machine.run('machines', 'zen5')).toBe(0);
    expect(machine.stdout).toMatch(/\d+ of \d+ were checked on hardware\./);
    expect(machine.stdout).toMatch(/imul r\(16\|32\|64\),\.\* +measured\n/);
    expect(await machine.run('machines', 'zen9')).toBe(2);
    expect(await machine.run('machines', 'ksr1')).toBe(0);
    expect(machine.stdout).toMatch(/triad and floating-point store on FPU\{C\}/);
  });
});

describe('bounds of a source file', () => {
  const source = `void daxpy(int n, double a, double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}
double sum(int n, double *x) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}
`;

  it('gives essential operations and bounds of each loop as JSON', async () => {
    const machine = new Machine();
    machine.files.set('/work/a.c', source);
    expect(
      await machine.run('bounds', '--machine', 'skylake', '--isa', 'x86-64-v3', 'a.c', '--json', '-'),
    ).toBe(0);
    const result = JSON.parse(machine.stdout);
    expect(Object.keys(result)).toEqual(['machine', 'loops']);
    expect(result.machine).toBe('skylake');
    expect(result.loops).toMatchObject([
      {
        function: 'daxpy',
        line: 2,
        endLine: 3,
        depth: 1,
        innermost: true,
        essential: { fa: 0, fm: 0, fma: 1, fmisc: 0, loads: 2, stores: 1 },
        bounds: { M: 0.125, MA: 0.25 },
      },
      {
        function: 'sum',
        line: 7,
        essential: { fa: 1, loads: 1, recurrence: { operations: ['add'], distance: 1, reassociable: true } },
        bounds: { M: 0.0625, MA: 4 },
      },
    ]);
  });

  it('shows them as a table with what limits', async () => {
    const machine = new Machine();
    machine.files.set('/work/a.c', source);
    expect(await machine.run('bounds', '--machine', 'ksr1', '--function', 'daxpy', 'a.c')).toBe(0);
    expect(machine.stdout).toBe(
      [
        'a.c on ksr1: cycles per iteration (M, MA) and per floating-point operation (CPF) at least',
        'line  loop   fa  fm  fma  misc  int  load  store     M    MA   CPF  limited by',
        '   2  daxpy   0   0    1     0          2      1  1.00  3.00  1.50  issue',
        '',
      ].join('\n'),
    );
  });

  it('names a function that has no loop', async () => {
    const machine = new Machine();
    machine.files.set('/work/a.c', source);
    expect(await machine.run('bounds', '--function', 'main', 'a.c')).toBe(2);
    expect(machine.stderr).toContain('a.c has no function main with a loop');
  });
});

describe('help', () => {
  const COMMANDS = ['measure', 'check', 'update', 'diff', 'bounds', 'machines'];
  it.each([['--help'], ...COMMANDS.map((name) => [name, '--help'])])(
    'of %s %s shows examples',
    async (...argv) => {
      expect(await machine.run(...argv)).toBe(0);
      expect(machine.stdout).toMatch(/ {2}ilp-gate \w+ /);
      expect(Math.max(...machine.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    },
  );

  it('is shown without arguments, as an error', async () => {
    expect(await machine.run()).toBe(2);
    expect(machine.stderr).toMatch(/^Usage: ilp-gate/);
  });

  it('has a version', async () => {
    expect(await machine.run('--version')).toBe(0);
    expect(machine.stdout).toBe('1.2.3\n');
  });
});

describe('bounds of a listing of KSR assembly code', () => {
  const LISTING =
    '.L6:\n fadd8 %f0, %f1, %f1 ; ld8 0(%c6), %f0\n finop ; bcc.qn @citst, .L6\n finop ; cxnop\n finop ; cxnop\n';

  it('are told as a table, as JSON, and in the layout of K-MACSTAT', async () => {
    const machine = new Machine();
    machine.files.set('/work/a.s', LISTING);
    expect(await machine.run('bounds', '--machine', 'ksr1', 'a.s')).toBe(0);
    expect(machine.stdout).toContain('.L6   1-3    innermost  1');
    expect(await machine.run('bounds', '--machine', 'ksr1', 'a.s', '--format', 'macstat')).toBe(0);
    expect(machine.stdout).toContain('KSR compiled codes length = 4 instructions');
    machine.files.set('/work/counts.csv', '.L6,10\n');
    expect(
      await machine.run(
        'bounds',
        '--machine',
        'ksr1',
        'a.s',
        '--json',
        '-',
        '--unroll',
        '.L6=2',
        '--counts',
        'counts.csv',
      ),
    ).toBe(0);
    expect(JSON.parse(machine.stdout)).toMatchObject({
      machine: 'ksr1',
      runTime: 40,
      loops: [{ label: '.L6', unroll: 2, unrollFrom: 'option', iterations: 20, bounds: { MACS: 2 } }],
    });
  });

  it.each([
    [['a.s', '--counts', 'none.csv'], 'there is no file none.csv'],
    [['none.s'], 'there is no file none.s'],
    [['program'], 'program is machine code of another processor'],
    [['a.s', '--unroll', '0'], 'It must be a whole number, or LABEL=NUMBER.'],
    [['a.s', '--unroll', '.L9=2'], 'there is no loop .L9 in the listing; there are: .L6'],
  ])('%j is refused with exit status 2', async (args, message) => {
    const machine = new Machine();
    machine.files.set('/work/a.s', LISTING);
    machine.files.set('/work/program', '\u007fELF\u0002');
    expect(await machine.run('bounds', '--machine', 'ksr1', ...args)).toBe(2);
    expect(machine.stderr).toContain(message);
  });
});

describe('bounds of a program that is run', () => {
  let machine: Machine;
  beforeEach(() => {
    machine = new Machine();
    machine.bounded = true;
    machine.guest = { stdout: 'said' };
  });

  it('keep its output off stdout, and its writes off the disk', async () => {
    expect(
      await machine.run('bounds', '--machine', 'zen5', '--isa', 'x86-64-v3', '--', './p', '--json', '1'),
    ).toBe(0);
    expect(machine.requests).toMatchObject([
      {
        program: './p',
        args: ['--json', '1'],
        isa: 'x86-64-v3',
        depth: 0,
        bounds: { machine: 'zen5', isa: 'x86-64-v3', functions: [] },
        writes: 'discard',
      },
    ]);
    expect(machine.stdout).toMatch(/^Run-time bound on /);
    expect(machine.stdout).not.toContain('said');
    expect(machine.stderr).toContain('said');
  });

  it('are JSON alone on stdout', async () => {
    machine.notes = ['something'];
    expect(await machine.run('bounds', '--json', '-', '--', './p')).toBe(0);
    const { loops, bounds, machine: name, notes } = JSON.parse(machine.stdout);
    expect(loops.length).toBeGreaterThan(0);
    expect(bounds.machine).toBe(name);
    expect(notes).toEqual(['something']);
    const [{ function: first }] = loops;
    await machine.run('bounds', '--json', '-', '--function', first, '--', './p');
    const chosen = JSON.parse(machine.stdout).loops;
    expect(chosen.every((loop: { function: string }) => loop.function === first)).toBe(true);
  });

  it('end with 3 where the program does not end well', async () => {
    machine.exit = { kind: 'exit', status: 4 };
    expect(await machine.run('bounds', '--', './p')).toBe(3);
    expect(machine.stderr).toContain('ilp-gate: ./p exited with status 4');
    machine.exit = { kind: 'signal', signal: 11 };
    expect(await machine.run('bounds', '--', './p')).toBe(3);
    expect(machine.stderr).toContain(
      `ilp-gate: ./p died by signal 11 (SIGSEGV); there are no bounds\n  ${GIVEN_ENVIRONMENT}\n`,
    );
  });

  it.each([
    [['--'], 'there is no program after "--"'],
    [['file.o', '--', './p'], 'bounds takes a program after "--" or a file, not both'],
    [['--blocks', 'b.csv', '--', './p'], 'bounds takes a program after "--" or --blocks FILE, not both'],
    [['--machine', 'ksr1', '--', './p'], 'a program is machine code of another processor'],
    [['--machine', 'zen9', '--', './p'], 'there is no machine "zen9"'],
  ])('refuse %j', async (options, message) => {
    expect(await machine.run('bounds', ...options)).toBe(2);
    expect(machine.stderr).toContain(message);
    expect(machine.requests).toEqual([]);
  });
});
