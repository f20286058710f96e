import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { measure } from '../reference/graph.ts';
import { answer } from '../reference/observe.ts';
import { type ProgramRun, runProgram } from '../reference/program.ts';
import { expectSame, fewerPauses, LIMITS } from './compare.ts';
import { measureFast } from './fast.ts';
import { Random } from './random.ts';
import { type Forks, FUNCTIONS, randomMixture } from './random-mixtures.ts';
import { describeRandom, seedsOf } from './random-programs.ts';

/** System calls by their numbers: fork and wait4. */
const REAL = { divide: 57, wait: 61 };
/** In what plays the parent: getpid, and rt_sigprocmask, which takes as many arguments as wait4. */
const PARENT = { divide: 39, wait: 14 };
/** In what plays the child: sync, which returns 0. */
const CHILD = { divide: 162, wait: 14 };

/**
 * A process of a program of several, executed in the reference as the only one: at each fork it goes on as the parent or as
 * the child does, since another system call with as many arguments returns what has the same sign.
 */
interface Role {
  readonly run: ProgramRun;
  /** Its own first step: behind the fork that began it. */
  readonly start: number;
}

describeRandom(
  'random programs of several processes measure as each of them does by itself in the reference',
  seedsOf('MEASURE_PROCESS_SEEDS', 2),
  ['gcc', 'objcopy', 'nm'],
  (random, workshop, seed) => {
    const level = random.pick(['-O0', '-O1', '-O2']);
    const text = random.below(2 ** 30);
    const renamed = FUNCTIONS.filter(() => random.chance(2));
    const make = (forks: Forks): string => {
      const program = workshop.compile(randomMixture(new Random(text), forks), [
        level,
        '-static',
        '-pthread',
        '-w',
      ]);
      for (const name of renamed) execFileSync('objcopy', ['--redefine-sym', `${name}=f`, program]);
      // Of equal length: the path is on the stack.
      const named = join(dirname(program), basename(program).padStart(8, '0'));
      renameSync(program, named);
      return named;
    };
    const waits = Array.from({ length: 1 + random.below(2) }, () => !random.chance(3));
    const play = (children: number): Role => {
      const calls = waits.map((_, at) => ((children >> at) & 1 ? CHILD : PARENT));
      const program = make({
        divide: calls.map(({ divide }) => divide),
        wait: calls.map(({ wait }, at) => (waits[at] ? wait : 0)),
      });
      const run = runProgram(program, [], 3_000_000);
      const began = 32 - Math.clz32(children);
      return { run, start: began === 0 ? 0 : nthStep(run, addressOf(program, 'dividing'), began) + 1 };
    };
    const roles = Array.from({ length: 2 ** waits.length }, (_, children) => play(children));

    const names = [...FUNCTIONS.map((name) => (renamed.includes(name) ? 'f' : name)), 'resume', 'all'];
    const question = {
      depth: random.pick([0, 1, 2, 3, 3, 4, 6, -1]),
      functions: [...new Set(names.filter(() => random.chance(2)))],
      chains: random.chance(2) ? [] : [RUN_CHAIN, ...new Set(names.filter(() => random.chance(4)))],
    };
    const expected = answer(roles[0].run, question);
    const processes = roles.flatMap(({ run: { graph }, start }) => {
      if (start > graph.length) return [];
      const { instructions, cycles } = measure(graph, 0, graph.length, undefined, start);
      return [`${instructions} in ${cycles}`];
    });
    const program = make({
      divide: waits.map(() => REAL.divide),
      wait: waits.map((waits) => (waits ? REAL.wait : 0)),
    });
    for (const limits of [{}, LIMITS[seed % LIMITS.length]].map(fewerPauses)) {
      const ignored = measureFast(program, [], question, limits);
      expectSame(ignored, expected);
      expect(ignored.unmeasured?.processes ?? 0).toBe(processes.length - 1);
      const measured = measureFast(program, [], { ...question, measuresChildren: true }, limits);
      expectSame(measured, expected);
      expect(
        measured.processes!.map(({ instructions, cycles }) => `${instructions} in ${cycles}`).sort(),
      ).toEqual(processes.sort());
    }
  },
);

/** Behind the run's last one where it executes the address less often: then the process that begins there does not exist. */
function nthStep({ graph }: ProgramRun, address: number, nth: number): number {
  let left = nth;
  for (let step = 0; step < graph.length; step++)
    if (graph.address(step) === address && --left === 0) return step;
  return graph.length;
}

function addressOf(program: string, symbol: string): number {
  const line = execFileSync('nm', [program], { encoding: 'latin1' })
    .split('\n')
    .find((each) => each.endsWith(` ${symbol}`))!;
  return Number.parseInt(line, 16);
}
