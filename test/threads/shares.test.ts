import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parseImage } from '../../src/elf/parse.ts';
import { observe } from '../../src/emulator/observe.ts';
import { shareExecutions } from '../../src/emulator/thread-shares.ts';
import { hostDisk } from '../../src/host/disk.ts';
import { emptyInput } from '../../src/host/input.ts';
import { frozenDisk } from '../../src/linux/frozen-disk.ts';
import type { Executions } from '../../src/observation/observation.ts';
import type { ThreadShares } from '../../src/observation/shares.ts';
import { forkFunctions } from '../../src/pipeline/fork-functions.ts';
import type { EngineLimits } from '../../src/translate/limits.ts';
import { totalOf } from '../executions/counts.ts';
import { usualHandlers } from '../guest/measuring.ts';
import { isMissing, Workshop } from '../measure/build.ts';
import { commandOf } from '../reference/program.ts';

const textOf = (name: string): string => readFileSync(new URL(`./programs/${name}`, import.meta.url), 'utf8');
const DISK = frozenDisk(hostDisk());

/** What is executed in all, and divided. */
function sharesOf(program: string, args: readonly string[] = []) {
  const guest = {
    command: commandOf(program, args),
    isa: 'x86-64' as const,
    directory: process.cwd(),
    disk: DISK,
    input: emptyInput(),
    output: { stdout: () => {}, stderr: () => {} },
    parseImage,
  };
  const { observation, images } = observe({
    guest,
    hasher: { sha256: () => '' },
    depth: 0,
    functions: [],
    chains: [],
    counts: true,
    prepared: usualHandlers,
  });
  const forks = forkFunctions(observation.modules, images);
  const divide = (limits: Partial<EngineLimits> = {}) => shareExecutions({ guest, forks, limits });
  const nameAt = (address: number | undefined): string | undefined => {
    for (const [i, { base }] of observation.modules.entries()) {
      const own = images[i].functions.find((each) => each.address + base === address);
      if (own?.name !== undefined) return own.name;
    }
    return undefined;
  };
  return {
    ...divide(),
    divide,
    executions: observation.executions!,
    threads: observation.threads ?? [],
    nameAt,
  };
}

/** Executions by instruction stretches, branches and jumps, summed: comparable whatever they are cut into. */
function added(all: readonly Executions[]) {
  const [starts, branches, jumps] = [0, 0, 0].map(() => new Map<string, number>());
  const add = (to: Map<string, number>, key: string, count: number) =>
    to.set(key, (to.get(key) ?? 0) + count);
  for (const { ranges, branches: own, jumps: indirect } of all) {
    for (const { start, end, executions, instructions } of ranges) {
      for (let at: number = start; at < end; at++) add(starts, `${at}`, executions);
      add(starts, 'all', executions * instructions);
    }
    for (const { address, executions, taken } of own) {
      add(branches, `${address}`, executions);
      add(branches, `${address} taken`, taken);
    }
    for (const { address, targets } of indirect)
      for (const target of targets) add(jumps, `${address} ${target.address}`, target.executions);
  }
  return [starts, branches, jumps].map((map) => [...map].filter(([, count]) => count > 0).sort());
}

const LIMITS: readonly Partial<EngineLimits>[] = [
  { hotEntries: 0x7fff_ffff },
  { hotEntries: 1, warmEntries: 1 },
  { hotEntries: 50, firstSlice: 333, longestSlice: 5000, wideFrom: 2000 },
];

const plainShares = ({ regions, shares }: ThreadShares) => ({
  regions,
  shares: shares.map(({ region, thread, executions }) => ({ region, thread, added: added([executions]) })),
});

describe.skipIf(isMissing('gcc'))('executions divided among threads and regions', () => {
  const workshop = new Workshop();
  afterAll(() => workshop.remove());

  it.each([
    ['imbalance.c', ['-O2', '-pthread'], LIMITS.slice(0, 2)],
    ['waiting.c', ['-O2', '-pthread'], []],
    ['locks-and-signals.c', ['-O2', '-pthread'], []],
    ['teams.c', ['-O2', '-fopenmp'], process.env.FULL === '1' ? LIMITS : LIMITS.slice(2)],
  ])('%s: they are those of the run, of each thread its own, in every tier', (name, flags, tiers) => {
    const program = workshop.compile(textOf(name), flags);
    const found = sharesOf(program, ['nested']);
    expect(added(found.shares.map(({ executions }) => executions))).toEqual(added([found.executions]));
    for (const [index, { instructions }] of found.threads.entries()) {
      const own = found.shares.filter(({ thread }) => thread === index);
      const counted = own.reduce((sum, { executions }) => sum + totalOf(executions), 0);
      // Where a thread waits when the run ends, the call that it waits in has not retired.
      expect(counted).toBe(instructions);
    }
    for (const limits of tiers) expect(plainShares(found.divide(limits))).toEqual(plainShares(found));
  });

  it('threads that are started one by one are one region, each time', () => {
    const { regions } = sharesOf(workshop.compile(textOf('imbalance.c'), ['-O2', '-pthread']), ['nested']);
    expect(regions).toEqual([
      { forker: 0, times: 1, team: [0] },
      { parent: 0, forker: 0, times: 2, team: [0, 1, 2, 3, 4] },
    ]);
  });

  it('what the process executed before it became another program is in none of them', () => {
    const program = workshop.compile(
      `#include <pthread.h>
      #include <unistd.h>
      volatile long x;
      static void *work(void *times) { for (long i = (long)times; i > 0; i--) x += i; return 0; }
      static void both(long times) {
        pthread_t other;
        pthread_create(&other, 0, work, (void *)times);
        pthread_join(other, 0);
        work((void *)times);
      }
      int main(int count, char **arguments) {
        both(100 * count);
        if (count == 1) execl(arguments[0], arguments[0], "again", (char *)0);
        return 0;
      }`,
      ['-O1', '-pthread', '-static'],
    );
    const found = sharesOf(program);
    expect(added(found.shares.map(({ executions }) => executions))).toEqual(added([found.executions]));
    const alone = sharesOf(program, ['again']);
    expect(plainShares(found)).toEqual(plainShares(alone));
    expect(added([found.executions])).toEqual(added([alone.executions]));
  });

  it('OpenMP’s regions are told apart by function and forking thread, nested ones too', () => {
    const { regions, nameAt } = sharesOf(workshop.compile(textOf('teams.c'), ['-O2', '-fopenmp']));
    expect(regions.map(({ entry, ...region }) => ({ ...region, name: nameAt(entry) }))).toEqual([
      { forker: 0, times: 1, team: [0], name: undefined },
      { parent: 0, forker: 0, times: 1, team: [0, 1], name: 'main._omp_fn.0' },
      { parent: 0, forker: 0, times: 3, team: [0, 1], name: 'main._omp_fn.1' },
      { parent: 0, forker: 0, times: 1, team: [0, 1], name: 'main._omp_fn.2' },
      { parent: 3, forker: 1, times: 1, team: [1, 2], name: 'main._omp_fn.3' },
      { parent: 3, forker: 0, times: 1, team: [0, 3], name: 'main._omp_fn.3' },
    ]);
  });
});
