import type { HelpResult, HelpTask } from './helpers.ts';
import { countsOf, measurePart } from './parts.ts';
import { Passes, type RepeatedRun } from './passes.ts';

/** Measures what another process that observes the same run asks for. Throws as `observe`. */
export function observeParts(run: RepeatedRun, { parts, outgrown }: HelpTask): HelpResult {
  const passes = new Passes(run, outgrown);
  let executed = 0;
  const counts = parts.map((part) =>
    measurePart(part, {
      lanes: () => passes.lanes,
      run: (_, measured) =>
        passes.finished(
          () => {},
          () => ({ ...passes.quiet, ...measured() }),
          (world, start) => {
            start();
            executed = world.main.executed();
            return countsOf(world.main.contexts);
          },
        ),
    }),
  );
  return { counts, executed };
}
