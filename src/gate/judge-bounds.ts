import { Failure } from '../base/failure.ts';
import type { BoundsDiff, Diff, LoopDiff } from '../diff/diff.ts';
import {
  BOUND_METRICS,
  type BoundMetric,
  boundExceeds,
  type Limit,
  type Limits,
  limitFor,
  type MetricLimits,
  PARALLEL_FIGURES,
  PARALLEL_METRICS,
} from './limits.ts';
import type { BoundFinding, Cause } from './verdict.ts';

/**
 * Holds bounds against the limits that the user set on them: the run-time bound of the run, then its parallel bounds where it
 * has several threads, then the run-time bound of each function
 * with loops on both sides, then MAC and MACS of each loop that both sides have. A loop that is new has nothing to be
 * compared with; it counts in the run-time bounds.
 */
export function judgeBounds(diff: Diff, levels: readonly Limits[]): BoundFinding[] {
  const { bounds } = diff;
  if (bounds === undefined || !bounds.comparable || limitedBounds(levels).length === 0) return [];
  const findings: BoundFinding[] = [];
  const run = exceeded('run-time-bound', undefined, bounds.base!.runTime, bounds.head!.runTime, levels);
  if (run !== undefined) findings.push({ ...run, ...causeIn(bounds.loops, run.delta) });
  findings.push(...parallelFindings(bounds, levels));
  for (const [name, { base, head, loops }] of runTimesByFunction(bounds.loops)) {
    const found = exceeded('run-time-bound', name, base, head, levels);
    if (found !== undefined) findings.push({ ...found, ...causeIn(loops, found.delta) });
  }
  for (const loop of bounds.loops) {
    if (loop.kind !== 'changed') continue;
    for (const [metric, name] of [
      ['mac', 'MAC'],
      ['macs', 'MACS'],
    ] as const) {
      const { base, head } = loop;
      const found = exceeded(metric, head.function, base.bounds[name], head.bounds[name], levels);
      if (found === undefined) continue;
      findings.push({
        ...found,
        ...(head.file === undefined ? {} : { file: head.file }),
        ...(head.line === undefined ? {} : { line: head.line }),
        loop,
        cause: { kind: 'loop', pair: loop },
      });
    }
  }
  return findings;
}

/**
 * Why bounds that have a limit cannot be judged: a limit that silently guards nothing would be worse than none.
 * A Failure of kind `config`: bounds-missing, bounds-other-machine or parallel-bounds-missing; undefined where they can be.
 */
export function unjudgedBounds({ bounds }: Diff, levels: readonly Limits[]): Failure | undefined {
  const limited = limitedBounds(levels);
  if (limited.length === 0) return undefined;
  if (bounds?.comparable === true) return unjudgedParallel(bounds, limited);
  const what = `the limits on ${limited.join(' and ')} cannot be applied`;
  if (bounds?.base === undefined || bounds.head === undefined) {
    const side = bounds?.head === undefined ? 'head' : 'base';
    const which = side === 'base' ? 'the profile to compare with' : 'the measured profile';
    return new Failure('config', 'bounds-missing', `${what}: ${which} has no bounds of loops`, {
      side,
      limits: limited,
    });
  }
  const machines = { base: bounds.base.machine, head: bounds.head.machine };
  const message = `${what}: the bounds to compare with are those of ${JSON.stringify(machines.base)}, the measured ones of ${JSON.stringify(machines.head)}`;
  return new Failure('config', 'bounds-other-machine', message, machines);
}

function unjudgedParallel({ parallel }: BoundsDiff, limited: readonly BoundMetric[]): Failure | undefined {
  const concerned = limited.filter((metric) => (PARALLEL_METRICS as readonly string[]).includes(metric));
  if (concerned.length === 0 || parallel === undefined) return undefined;
  if (parallel.base !== undefined && parallel.head !== undefined) return undefined;
  const side = parallel.head === undefined ? 'head' : 'base';
  const which = side === 'base' ? 'the run to compare with' : 'the measured run';
  return new Failure(
    'config',
    'parallel-bounds-missing',
    `the limits on ${concerned.join(' and ')} cannot be applied: ${which} has more threads than parallel bounds are computed for`,
    { side, limits: concerned },
  );
}

/** Of what a processor for each thread takes. */
function parallelFindings({ parallel, loops }: BoundsDiff, levels: readonly Limits[]): BoundFinding[] {
  if (parallel?.base === undefined || parallel.head === undefined) return [];
  const { base, head } = parallel;
  return PARALLEL_METRICS.flatMap((metric): BoundFinding[] => {
    const key = PARALLEL_FIGURES[metric];
    const found = exceeded(metric, undefined, base[key], head[key], levels);
    if (found === undefined) return [];
    // The same loop in the same shares: it takes longer itself.
    return [metric === 'parallel-bound' ? { ...found, ...causeIn(loops, found.delta) } : found];
  });
}

/** The bounds that some level sets a limit on, for the run or for a function. */
function limitedBounds(levels: readonly Limits[]): BoundMetric[] {
  const all = levels.flatMap((level): MetricLimits[] => [level, ...Object.values(level.functions ?? {})]);
  return BOUND_METRICS.filter((metric) =>
    all.some((limits) => limits[metric] !== undefined && limits[metric].kind !== 'none'),
  );
}

function exceeded(
  metric: BoundMetric,
  name: string | undefined,
  base: number,
  head: number,
  levels: readonly Limits[],
):
  | { metric: BoundMetric; function?: string; base: number; head: number; delta: number; limit: Limit }
  | undefined {
  const limit = limitFor(metric, name, levels);
  if (!boundExceeds(metric, limit, base, head)) return undefined;
  const delta = rounded(head - base);
  return { metric, ...(name === undefined ? {} : { function: name }), base, head, delta, limit };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

interface RunTimes {
  base: number;
  head: number;
  readonly loops: LoopDiff[];
}

/**
 * By the head's functions, in the order of their loops. A loop that moved between functions counts where it is now on
 * both sides; what the base left out counts on neither.
 */
function runTimesByFunction(loops: readonly LoopDiff[]): Map<string, RunTimes> {
  const functions = new Map<string, RunTimes>();
  const newNames = new Map<string, string>();
  const of = (name: string): RunTimes => {
    const known = functions.get(name) ?? { base: 0, head: 0, loops: [] };
    functions.set(name, known);
    return known;
  };
  const paired = new Set<string>();
  for (const loop of loops) {
    if (loop.kind === 'unpaired' || loop.kind === 'vanished') continue;
    const sums = of(loop.head.function);
    sums.head += loop.head.runTime;
    sums.loops.push(loop);
    if (loop.kind === 'appeared') continue;
    sums.base += loop.base.runTime;
    paired.add(loop.head.function);
    newNames.set(loop.base.function, loop.head.function);
  }
  for (const loop of loops) {
    if (loop.kind !== 'vanished') continue;
    const name = newNames.get(loop.base.function) ?? loop.base.function;
    const sums = functions.get(name);
    if (sums !== undefined) sums.base += loop.base.runTime;
  }
  for (const [name, sums] of functions) {
    if (!paired.has(name)) functions.delete(name);
    sums.base = rounded(sums.base);
    sums.head = rounded(sums.head);
  }
  return functions;
}

/** The loop that gained at least half of it, if there is one. */
function causeIn(loops: readonly LoopDiff[], delta: number): { readonly cause?: Cause } {
  let most: { gain: number; cause: Cause } | undefined;
  for (const loop of loops) {
    const found = gainOf(loop);
    if (found !== undefined && found.gain > (most?.gain ?? 0)) most = found;
  }
  return most === undefined || most.gain * 2 < delta ? {} : { cause: most.cause };
}

function gainOf(loop: LoopDiff): { gain: number; cause: Cause } | undefined {
  switch (loop.kind) {
    case 'changed':
      return { gain: loop.head.runTime - loop.base.runTime, cause: { kind: 'loop', pair: loop } };
    case 'appeared':
      return { gain: loop.head.runTime, cause: { kind: 'new-loop', loop: loop.head } };
    case 'unchanged':
    case 'vanished':
    case 'unpaired':
      return undefined;
  }
}
