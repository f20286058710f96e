import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, NODES } from '../bundle.ts';
import { oracleMissing } from '../guest/builds.ts';

const SOURCE = fileURLToPath(new URL('./nosy.c', import.meta.url));

/** One way to run the same measurement. */
interface Circumstances {
  readonly node?: string;
  /** Below the temporary directory; the program is copied there. */
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command before it: limits, masks. */
  readonly before?: string;
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly profile: string;
}

const BIG_ENVIRONMENT = Object.fromEntries(
  Array.from({ length: 200 }, (_, i) => [`VARIABLE_${i}`, 'x'.repeat(i)]),
);

const ELSEWHERE: Circumstances = { directory: 'another/directory/with/a much longer path' };
const OTHER_USER: Circumstances = {
  env: {
    HOME: '/home/other',
    USER: 'other',
    LANG: 'de_DE.UTF-8',
    LC_ALL: 'tr_TR.UTF-8',
    TERM: 'dumb',
    TZ: 'Asia/Tokyo',
  },
};
const LARGE: Circumstances = { env: BIG_ENVIRONMENT };
const LIMITED: Circumstances = { before: 'ulimit -s 4096; ulimit -n 300; umask 077' };

const OTHERS: Readonly<Record<string, Circumstances>> = {
  'a second time': {},
  'in another directory with a longer path': ELSEWHERE,
  "in another user's environment": OTHER_USER,
  'in a large environment': LARGE,
  'with other limits and another mask': LIMITED,
  'with all of this': { ...ELSEWHERE, ...LIMITED, env: { ...LARGE.env, ...OTHER_USER.env } },
  'on the other Node': { node: NODES[0] },
};

const ALL = process.env.FULL === '1';
/** With FULL it is also told which of the circumstances makes a difference. */
const USUAL: Readonly<Record<string, ReadonlySet<string>>> = {
  static: new Set(['with all of this', 'on the other Node']),
  dynamic: new Set(['with all of this', 'on the other Node']),
};

function isMissing(node = NODES[1]): boolean {
  if (existsSync(node)) return false;
  if (process.env.REQUIRE_ORACLES === '1') throw new Error(`${node} is missing`);
  return true;
}

describe.skipIf(oracleMissing('gcc') || isMissing())('the same program, arguments and input', () => {
  const root = mkdtempSync(join(tmpdir(), 'ilp-gate-determinism-'));
  let cli: string;
  const programs = new Map<string, string>();
  let runs = 0;

  beforeAll(() => {
    cli = bundle(join(root, 'bundle'));
    for (const [linking, flag] of [
      ['static', '-static'],
      ['dynamic', '-pie'],
    ]) {
      const program = join(root, linking);
      execFileSync('gcc', ['-std=gnu11', '-O2', '-g', '-w', flag, '-o', program, SOURCE], {
        stdio: 'ignore',
      });
      programs.set(linking, program);
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  function measure(
    linking: string,
    { node = NODES[1], directory = 'd', env = {}, before = ':' }: Circumstances,
  ): Outcome {
    const cwd = join(root, directory);
    const json = join(root, `profile-${runs++}.json`);
    mkdirSync(cwd, { recursive: true });
    const program = join(cwd, 'nosy');
    copyFileSync(programs.get(linking)!, program);
    chmodSync(program, 0o755);
    utimesSync(program, runs, runs);
    const command = [
      node,
      cli,
      'measure',
      '--depth',
      '-1',
      '--function',
      'spin',
      '--machine',
      'zen5',
      '--json',
      json,
      '--',
      './nosy',
      'argument',
    ];
    const run = spawnSync('sh', ['-c', `${before}; exec "$@"`, 'sh', ...command], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      input: '',
      encoding: 'latin1',
    });
    return {
      status: run.status,
      stdout: run.stdout,
      profile: existsSync(json) ? readFileSync(json, 'latin1') : run.stderr,
    };
  }

  describe.each(['static', 'dynamic'])('%s', (linking) => {
    let first: Outcome;
    beforeAll(() => {
      first = measure(linking, {});
      expect(first.status).toBe(0);
      expect(first.profile).toContain('"format": "ilp-gate/profile"');
      expect(first.profile).toContain('"loops": [');
    });

    for (const [name, circumstances] of Object.entries(OTHERS)) {
      if (!ALL && !USUAL[linking].has(name)) continue;
      it.skipIf(isMissing(circumstances.node))(
        `give the same output and profile, byte for byte, ${name}`,
        () => {
          expect(measure(linking, circumstances)).toEqual(first);
        },
      );
    }
  });
});
