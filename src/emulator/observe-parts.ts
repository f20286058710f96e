import type { HelpResult, HelpTask } from './helpers.ts';
import { measurePart } from './parts.ts';
import type { MeasuredPart } from './pass/measured-part.ts';
import { Passes, type RepeatedRun } from './passes.ts';

/** Measures what another process that observes the same run asks for. Throws as `observe`. */
export function observeParts(run: RepeatedRun, { parts, outgrown }: HelpTask): HelpResult {
  const passes = new Passes(run, outgrown);
  return {
    parts: parts.map((part) => {
      let executed = 0;
      const runOnce = (_: unknown, measured: () => Partial<MeasuredPart>) => {
        const counts = passes.counts(() => {}, measured);
        executed = counts.executed;
        return counts;
      };
      const counts = measurePart(part, { lanes: () => passes.lanes, run: runOnce });
      return { counts, executed };
    }),
  };
}
