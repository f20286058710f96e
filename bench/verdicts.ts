import { type Result, range, ratio } from './result.ts';
import { geometricMean } from './statistics.ts';

/** A target and what was measured. Nothing to judge: `passed` is absent. */
export interface Verdict {
  readonly target: string;
  readonly measured: string;
  readonly passed?: boolean;
}

/** Callgrind's seconds from which a kernel counts: below, start-up is what would be compared. */
const LONG_KERNEL = 1;
/** Callgrind's seconds from which a real program must not be slower at all, and what a shorter one may take more. */
const LONG_PROGRAM = 2;
const ALLOWANCE = 0.5;
const GIB = 2 ** 30;

/** What is judged: runs of programs that were measured before, and first runs. */
type Judged = 'gate' | 'gate, first run';

const wall = (result: Result, tool: Judged | 'callgrind'): number | undefined =>
  range(result, tool, 'wall')?.median;

/** A case that the peers can run and ilp-gate cannot is missed, not left out of the mean. */
function mean(target: string, tool: Judged, results: readonly Result[], limit: number): Verdict {
  const ratios = results.flatMap((result) => ratio(result, tool, 'callgrind') ?? []);
  const value = geometricMean(ratios);
  const missed = results.filter((result) => wall(result, tool) === undefined).map(({ name }) => name);
  if (value === undefined && missed.length === 0) return { target, measured: 'not measured' };
  const without = missed.length === 0 ? '' : `, without ${missed.join(', ')}`;
  return {
    target,
    measured: `${value?.toFixed(3) ?? 'not measured'} (${ratios.length} measured${without})`,
    passed: value !== undefined && value <= limit && missed.length === 0,
  };
}

/** Every one of the results is within its limit; those that are not are named with their excess. */
function each(
  target: string,
  results: readonly Result[],
  value: (result: Result) => number | undefined,
  limit: (result: Result) => number,
  show: (value: number) => string,
): Verdict {
  if (results.length === 0) return { target, measured: 'not measured' };
  const over = results.flatMap((result) => {
    const measured = value(result);
    if (measured === undefined) return [`${result.name}: not measured`];
    return measured <= limit(result) ? [] : [`${result.name}: ${show(measured)}`];
  });
  const all = results.length === 1 ? show(value(results[0]) ?? Number.NaN) : `all ${results.length}`;
  return { target, measured: over.length === 0 ? all : over.join('; '), passed: over.length === 0 };
}

export function verdicts(results: readonly Result[]): Verdict[] {
  const hasFirst = results.some(({ outcomes }) => outcomes['gate, first run'] !== undefined);
  const modest = results.filter((result) => (range(result, 'native', 'memory')?.median ?? GIB) <= 100e6);
  const kernels = against(results, 'kernels', LONG_KERNEL);
  const contexts = kernels.filter((result) => ratio(result, 'gate', 'gate, one context') !== undefined);
  return [
    ...speeds(results, 'gate'),
    each(
      'guests of at most 100 MB: peak memory at most 1 GB',
      modest,
      (result) => range(result, 'gate', 'memory')?.median,
      () => GIB,
      (value) => `${(value / GIB).toFixed(2)} GB`,
    ),
    contextCost(contexts),
    ...(hasFirst ? speeds(results, 'gate, first run') : []).map((verdict) => ({
      ...verdict,
      target: `first runs: ${verdict.target}`,
    })),
  ];
}

/** Those of a group for which callgrind takes so many seconds. */
const against = (results: readonly Result[], group: Result['group'], least: number): Result[] =>
  results.filter((result) => result.group === group && (wall(result, 'callgrind') ?? -1) >= least);

function speeds(results: readonly Result[], tool: Judged): Verdict[] {
  const kernels = against(results, 'kernels', LONG_KERNEL);
  const vectors = against(results, 'vectors', LONG_KERNEL);
  const languages = against(results, 'languages', LONG_KERNEL);
  const programs = against(results, 'programs', 0);
  const long = against(results, 'programs', LONG_PROGRAM);
  const chases = kernels.filter(({ name }) => /^(list|tree) (16|64) MB$/.test(name));
  const smallest = results.filter(({ group, name }) => group === 'startup' && name === 'true');
  const none = (target: string, some: readonly Result[]): Verdict =>
    each(
      `${target}: none over callgrind`,
      some,
      (result) => ratio(result, tool, 'callgrind'),
      () => 1,
      (value) => value.toFixed(2),
    );
  return [
    mean('kernels of 1 s or more: geometric mean over callgrind at most 0.25', tool, kernels, 0.25),
    mean('stretch: at most 0.15', tool, kernels, 0.15),
    none('kernels of 1 s or more', kernels),
    none('kernels for x86-64-v3', vectors),
    none('small programs in four languages', languages),
    none('random chases over 16 MB and 64 MB', chases),
    mean('real programs: geometric mean over callgrind at most 0.5', tool, programs, 0.5),
    mean('stretch: at most 0.3', tool, programs, 0.3),
    none('real programs of 2 s or more', long),
    each(
      "shorter real programs: at most callgrind's time + 0.5 s",
      programs.filter((result) => !long.includes(result)),
      (result) => wall(result, tool),
      (result) => wall(result, 'callgrind')! + ALLOWANCE,
      (value) => `${value.toFixed(2)} s`,
    ),
    each(
      '`true`, dynamic: at most 0.5 s',
      smallest,
      (result) => wall(result, tool),
      () => 0.5,
      (value) => `${value.toFixed(2)} s`,
    ),
  ];
}

function contextCost(results: readonly Result[]): Verdict {
  const target = 'four nested contexts: at most 1.15 times one';
  const value = geometricMean(results.map((result) => ratio(result, 'gate', 'gate, one context')!));
  if (value === undefined) return { target, measured: 'not measured (--contexts)' };
  return {
    target,
    measured: `${value.toFixed(3)} (geometric mean of ${results.length})`,
    passed: value <= 1.15,
  };
}
