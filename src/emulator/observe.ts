import { RUN_CHAIN } from '../base/run-chain.ts';
import type { ChainRecord } from '../observation/observation.ts';
import {
  allButOne,
  areSame,
  askFor,
  type Helpers,
  isLong,
  measureTogether,
  type Share,
  sharesAhead,
  sharesBehind,
} from './helpers.ts';
import type { KnownRun } from './known-runs.ts';
import { type Observed, type ObserveOptions, PartedRun } from './parted-run.ts';
import type { Part, PartCounts } from './parts.ts';
import { Passes } from './passes.ts';

/**
 * Runs the guest as often as its measurement needs. The run is deterministic, so every pass executes the same
 * instructions: the first is the one whose output is heard; the others follow what its lanes cannot hold.
 *
 * A run in which a call has many cycles, and what is old decides again (LanesLedger.rebase), begins anew with lanes of 64 bits, which are
 * half as many (LaneShape), and so does one that uses much memory, with steps of half the size (measure-plan.ts). It loses what
 * it did until then, and takes a pass for fewer depths.
 */
export function observe(options: ObserveOptions): Observed {
  const passes = new Passes(options);
  try {
    const run = new PartedRun(options, passes);
    return run.observed(run.parts.map((part) => run.measure(part)));
  } finally {
    options.engineStats?.hear({ passes: passes.space.passes });
  }
}

/**
 * The same, sooner: a helper follows the chain of the run from the beginning on, and helpers measure parts of a long run at the same time. Asks for them when it
 * is known to be long: where an earlier run of the command was, before the first pass, and else behind it.
 */
export async function observeTogether(
  options: Omit<ObserveOptions, 'engineStats'>,
  start: () => Promise<Helpers>,
): Promise<Observed> {
  const passes = new Passes(options);
  let started: Promise<Helpers> | undefined;
  const all = () => {
    started ??= start();
    return started;
  };
  const chain = options.chains.includes(RUN_CHAIN) ? await follow(passes, await all()) : undefined;
  /** But for the one that follows the chain. */
  const helpers = async () => (chain === undefined ? all() : allButOne(await all()));
  const knownRuns = passes.knownRuns();
  const known = knownRuns?.last;
  const ahead = await askAhead(passes, known, helpers);
  const run = new PartedRun(options, passes);
  const { parts, executed } = run;
  const isAsKnown = known !== undefined && areSame(parts, known.parts);
  let wasInVain = isAsKnown && known.wasInVain === true;
  let found: readonly (readonly PartCounts[])[];
  if (isAsKnown && ahead.length > 0) {
    const together = await measureTogether(run, parts, ahead);
    found = together.found;
    wasInVain = !together.sawThisRun;
  } else {
    for (const share of ahead) share.dismiss();
    found = await measureBehind(run, passes, helpers);
  }
  if (knownRuns?.isNews(parts) === true) {
    const { taken } = await helpers();
    knownRuns.note({ parts, executed, memory: taken(), ...(wasInVain && { wasInVain }) });
  }
  return run.observed(found, await (chain && run.chainBy(chain)));
}

/** Has the chain of the run followed, by whom this process does not wait for; undefined where that does not come to an end. */
async function follow(
  { outgrown }: Passes,
  { most, askAhead }: Helpers,
): Promise<(() => Promise<ChainRecord | undefined>) | undefined> {
  if (most() < 1) return undefined;
  const { answer } = await askAhead({ parts: [], outgrown: [...outgrown], followsRun: true });
  return async () => (await answer())?.chain;
}

/** Has what an earlier run was measured in measured together with the first pass, where that is worth it. */
async function askAhead(
  { outgrown }: Passes,
  known: KnownRun | undefined,
  helpers: () => Promise<Helpers>,
): Promise<readonly Share[]> {
  if (known === undefined || known.parts.length === 0 || known.wasInVain === true) return [];
  const others = await helpers();
  if (!isLong(known.parts, known.executed, others.fromAhead)) return [];
  return askFor(sharesAhead(known, others), [...outgrown], others.askAhead);
}

/** Measures what there is behind the first pass. */
async function measureBehind(
  run: PartedRun,
  passes: Passes,
  helpers: () => Promise<Helpers>,
): Promise<readonly (readonly PartCounts[])[]> {
  const { parts, executed, outgrown } = run;
  const measure = (some: readonly Part[]) => some.map((part) => run.measure(part));
  const others = parts.length > 1 ? await helpers() : undefined;
  const isShared = others !== undefined && others.most() > 0 && isLong(parts, executed, others.from);
  const before = isShared ? run.partsBeforeHelp : parts.length;
  const found = measure(parts.slice(0, before));
  const rest = parts.slice(before);
  if (!isShared || rest.length < 2) return [...found, ...measure(rest)];
  // Helpers begin with what has been translated here: in first runs of zstd, pigz and a program of Go 0.89 to 0.93 of the time.
  passes.storeCode();
  const shares = await askFor(sharesBehind(rest, executed, others), outgrown, others.ask);
  return [...found, ...(await measureTogether(run, rest, shares)).found];
}
