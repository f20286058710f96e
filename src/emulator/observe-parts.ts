import { chainOf } from './chains/chain.ts';
import type { HelpResult, HelpTask } from './helpers.ts';
import { GatheredTrees, measurePart, type PartCounts } from './parts.ts';
import type { MeasuredPart } from './pass/measured-part.ts';
import { Passes, type RepeatedRun } from './passes.ts';

/** Measures what another process that observes the same run asks for. Throws as `observe`. */
export function observeParts(run: RepeatedRun, task: HelpTask): HelpResult {
  return task.followsRun === true ? followRun(run, task) : measureParts(run, task);
}

function followRun(run: RepeatedRun, { outgrown }: HelpTask): HelpResult {
  const passes = new Passes(run, outgrown, 'chains');
  const chain = chainOf(passes.quiet, undefined);
  passes.storeCode();
  return { parts: [], chain };
}

function measureParts(run: RepeatedRun, { parts, outgrown }: HelpTask): HelpResult {
  const passes = new Passes(run, outgrown);
  const gathered = new GatheredTrees();
  const found = parts.map((part) => {
    let executed = 0;
    const runOnce = (_: unknown, measured: () => Partial<MeasuredPart>) => {
      const counts = passes.counts(() => {}, measured);
      executed = counts.executed;
      return counts;
    };
    const counts = measurePart(part, { lanes: () => passes.lanes, run: runOnce });
    return { counts: gathered.take(part, counts), executed };
  });
  // With the last part that has trees are those of all of them.
  const last = parts.findLastIndex(({ kind }) => kind !== 'functions');
  const trees: PartCounts = { trees: gathered.trees, wholes: new Map(), functions: new Map() };
  return {
    parts: found.map((each, i) => (i === last ? { ...each, counts: [...each.counts, trees] } : each)),
  };
}
