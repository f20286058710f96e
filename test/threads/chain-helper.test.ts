import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { helperProcesses } from '../../src/host/helper-processes.ts';
import type { HelperProcesses, HelpJob } from '../../src/pipeline/ports.ts';
import type { MeasureProgress, MeasureRequest } from '../../src/pipeline/request.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { measureHere } from '../../src/worker/engine.ts';
import { isMissing, Workshop } from '../measure/build.ts';

/** The chain goes through what is read from the file, and from standard input. */
const SOURCE = `
#include <stdio.h>
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  unsigned sum = 1;
  for (int byte; (byte = fgetc(file)) != EOF; ) for (int i = 0; i < byte; i++) sum = sum * 31 + 7;
  if (argc > 2) for (int byte; (byte = getchar()) != EOF; ) for (int i = 0; i < byte; i++) sum = sum * 29 + 5;
  printf("%u\\n", sum);
}
`;
const CONTENT = 'c'.repeat(5000);
const SINKS = { stdout: () => {}, stderr: () => {} };

describe.skipIf(isMissing('gcc'))(
  'the chain of the run, followed by another process from the beginning on',
  () => {
    const workshop = new Workshop();
    afterAll(() => workshop.remove());
    const program = isMissing('gcc') ? '' : workshop.compile(SOURCE, ['-O1']);
    const at = (name: string) => join(workshop.directory, name);
    const write = (name: string, content: string) => writeFileSync(at(name), content);
    const request: MeasureRequest = {
      program,
      args: [at('file'), 'input'],
      workingDirectory: workshop.directory,
      env: {},
      stdin: { kind: 'file', path: at('input') },
      isa: 'x86-64-v3',
      depth: 3,
      listsCalls: true,
      functions: [],
      chains: [RUN_CHAIN, 'main'],
      writes: 'discard',
      sourceRoot: workshop.directory,
    };

    interface Asked {
      readonly before?: () => void;
      readonly after?: () => void;
      readonly request?: MeasureRequest;
      readonly most?: number;
      readonly worker?: string;
    }

    async function measureWithHelper({ before, after, most = 1, worker, ...asked }: Asked = {}) {
      const jobs: HelpJob[] = [];
      const helpers = async (): Promise<HelperProcesses> => {
        const processes = helperProcesses({ keepsCode: false, most, ...(worker && { worker }) });
        return {
          ...processes,
          async start(job) {
            jobs.push(job);
            before?.();
            const helper = await processes.start(job);
            // Nothing changes while it runs.
            await helper.answer;
            after?.();
            return helper;
          },
        };
      };
      let followedHere = 0;
      const progress = ({ phase, instructions }: MeasureProgress) => {
        if (phase === 'chains') followedHere = Math.max(followedHere, instructions);
      };
      const { profile } = await measureHere({ helpers })(asked.request ?? request, { ...SINKS, progress });
      return { profile, jobs, followedHere };
    }

    let alone: Profile | undefined;
    beforeAll(async () => {
      write('file', CONTENT);
      write('input', 'defg');
      ({ profile: alone } = await measureHere()(request, SINKS));
    });

    it('is what this process would find, whatever it reads from a file that is its standard input', async () => {
      const { profile, jobs } = await measureWithHelper();
      expect(jobs.map(({ task }) => task)).toEqual([{ parts: [], outgrown: [], followsRun: true }]);
      expect(Buffer.from(jobs[0].input).toString()).toBe('defg');
      expect(profile).toEqual(alone);
      expect(alone?.chains).toHaveLength(2);
    });

    it('takes no pass here', async () => {
      const ofRun = { ...request, chains: [RUN_CHAIN] };
      const [helped, here] = [
        await measureWithHelper({ request: ofRun }),
        await measureWithHelper({ request: ofRun, most: 0 }),
      ];
      expect(helped.followedHere).toBe(0);
      expect(here.followedHere).toBeGreaterThan(100_000);
      expect(helped.profile).toEqual(here.profile);
    });

    it('is followed here where the other process saw another file, or died, or there is none', async () => {
      const { profile: first } = await measureWithHelper({
        before: () => write('file', `${CONTENT}d`),
        after: () => write('file', CONTENT),
      });
      write('dies.mjs', 'process.exit(3);');
      const { profile: second } = await measureWithHelper({ worker: at('dies.mjs') });
      const { profile: third, jobs } = await measureWithHelper({ most: 0 });
      const { profile: other } = await measureHere()(request, SINKS);
      expect([first, second, third, other]).toEqual([alone, alone, alone, alone]);
      expect(jobs).toEqual([]);
    });
  },
);
