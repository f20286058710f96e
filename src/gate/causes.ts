import type { Diff, FunctionDiff } from '../diff/diff.ts';
import type { CountMetric } from './limits.ts';
import type { Cause } from './verdict.ts';

/** Why a metric of the run (`name` absent) or of a function got worse; undefined where the profiles do not tell. */
export function causeOf(metric: CountMetric, name: string | undefined, diff: Diff): Cause | undefined {
  switch (metric) {
    case 'cycles':
      return chainCause(name, diff);
    case 'instructions':
      return functionCause(name, diff);
    case 'ilp':
      return chainCause(name, diff) ?? functionCause(name, diff);
  }
}

/** Its own chain's growth; else that of a function below it which gained at least half as many cycles; else its chain as it is now. */
function chainCause(name: string | undefined, diff: Diff): Cause | undefined {
  const own = diff.chains.find((each) => each.function === name);
  if (own?.growth !== undefined) return { kind: 'chain', chain: own, growth: own.growth };
  const below = reachableFrom(name, diff);
  const gained = gainedCycles(name, diff);
  const explaining = diff.chains.find(
    (each) =>
      each.growth !== undefined &&
      below.has(each.function) &&
      (each.head.length - each.base!.length) * 2 >= gained,
  );
  if (explaining?.growth !== undefined)
    return { kind: 'chain', chain: explaining, growth: explaining.growth };
  const [first, ...others] =
    own?.base === undefined ? (own?.lines ?? []).flatMap((line) => line.head ?? []) : [];
  if (own === undefined || first === undefined) return undefined;
  const line = others.reduce((most, each) => (each.count > most.count ? each : most), first);
  const link = [...line.links].sort((a, b) => b.count - a.count)[0];
  return { kind: 'new-chain', chain: own, line, ...(link === undefined ? {} : { link }) };
}

function gainedCycles(name: string | undefined, diff: Diff): number {
  if (name === undefined) return diff.total.head.cycles - diff.total.base.cycles;
  const pair = diff.functions.find((each) => each.kind !== 'vanished' && each.head.name === name);
  if (pair === undefined || pair.kind === 'vanished' || pair.kind === 'appeared') return 0;
  return pair.head.cycles - pair.base.cycles;
}

/** The functions called below one of that name, as far as calls were contexts; below the run are all. */
function reachableFrom(name: string | undefined, diff: Diff): ReadonlySet<string | undefined> {
  if (name === undefined) return new Set(diff.callees.map((each) => each.caller));
  const callees = new Map(diff.callees.map((each) => [each.caller, each.callees]));
  const reached = new Set<string>([name]);
  // A Set visits what is added while it is being visited.
  for (const each of reached) for (const callee of callees.get(each) ?? []) reached.add(callee);
  return reached;
}

/**
 * Follows the growth of I down the call graph: as long as one callee accounts for at least half of what its caller
 * gained, that callee is the better answer. Sums include callees, so the last one on the path gained it itself (or
 * below the depth that was measured).
 */
function functionCause(name: string | undefined, diff: Diff): Cause | undefined {
  const gains = new Map(diff.functions.flatMap((each) => gainOf(each)));
  const callees = new Map(diff.callees.map((each) => [each.caller, each.callees]));
  const total = diff.total.head.instructions - diff.total.base.instructions;
  const path: string[] = [];
  let delta = name === undefined ? total : (gains.get(name)?.delta ?? 0);
  let next =
    name ??
    steepest(
      [...gains.keys()].filter((each) => !isCalled(each, diff)),
      gains,
      delta,
    );
  while (next !== undefined && !path.includes(next)) {
    path.push(next);
    delta = gains.get(next)!.delta;
    next = steepest(callees.get(next) ?? [], gains, delta);
  }
  const last = path[path.length - 1];
  if (last === undefined || delta <= 0) return undefined;
  const { file, line } = gains.get(last)!;
  return {
    kind: 'function',
    path,
    delta,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}

interface Gain {
  readonly delta: number;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

function gainOf(each: FunctionDiff): [string, Gain][] {
  if (each.kind === 'vanished') return [];
  const { name, instructions, file, line } = each.head;
  return [
    [name, { delta: instructions - (each.kind === 'appeared' ? 0 : each.base.instructions), file, line }],
  ];
}

/** The name that gained most, when that is at least half of `delta`. */
function steepest(
  names: readonly string[],
  gains: ReadonlyMap<string, Gain>,
  delta: number,
): string | undefined {
  let best: string | undefined;
  for (const name of names) {
    const gain = gains.get(name)?.delta ?? 0;
    if (gain > 0 && gain * 2 >= delta && gain > (best === undefined ? 0 : gains.get(best)!.delta))
      best = name;
  }
  return best;
}

function isCalled(name: string, diff: Diff): boolean {
  return diff.callees.some((each) => each.caller !== name && each.callees.includes(name));
}
