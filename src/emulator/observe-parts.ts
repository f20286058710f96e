import type { HelpResult, HelpTask } from './helpers.ts';
import { measurePart } from './parts.ts';
import type { MeasuredPart } from './pass/measured-part.ts';
import { Passes, type RepeatedRun } from './passes.ts';

/** Measures what another process that observes the same run asks for. Throws as `observe`. */
export function observeParts(run: RepeatedRun, { parts, outgrown }: HelpTask): HelpResult {
  const passes = new Passes(run, outgrown);
  let executed = 0;
  const runOnce = (_: unknown, measured: () => Partial<MeasuredPart>) => {
    const counts = passes.counts(() => {}, measured);
    executed = counts.executed;
    return counts;
  };
  const counts = parts.map((part) => measurePart(part, { lanes: () => passes.lanes, run: runOnce }));
  return { counts, executed };
}
