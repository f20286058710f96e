import type { Address } from '../base/brand.ts';
import { Failure } from '../base/failure.ts';
import type { ChainRecord } from '../observation/observation.ts';
import type { LongestCall } from './contexts.ts';
import { orOutgrown } from './measure-plan.ts';
import { PassOver } from './pass-over.ts';
import type { TagsLedger } from './tags-ledger.ts';
import { World, type WorldOptions } from './world.ts';

/** The call whose chain is asked for; undefined for the run. */
export type ChainWindow = (LongestCall & { readonly entry: number }) | undefined;

/**
 * The canonical longest chain (rule 10) of the run or of one call.
 *
 * A pass over the window logs every instruction's producer into a ring of `logEntries`; the chain is read from its
 * end backwards. Where it leaves the ring, another pass is stopped at that instruction, so that the ring holds what
 * came before: memory is bounded, and a window of n instructions takes n / logEntries passes.
 */
export function chainOf(options: WorldOptions, window: ChainWindow, runLength: number): ChainRecord {
  const start = window?.start ?? 0;
  const counts = new Map<number, { count: number; first: number }>();
  let pass = runWindow(options, window, undefined);
  const { end } = pass;
  const logEntries = pass.tags.log.entries;
  let next = end.instruction;
  // The ring holds the last instructions executed; a stopped pass runs on to the next end of a loop or call.
  let newest = window === undefined ? runLength : window.end - window.start;
  let position = end.cycles;
  while (next > 0) {
    if (next <= newest - logEntries) {
      pass = runWindow(options, window, start + next);
      newest = pass.executed - start;
      if (next <= newest - logEntries) throw new Error(`the log of ${logEntries} instructions is too short`);
    }
    const { address, producer } = pass.tags.logged(next);
    const known = counts.get(address);
    if (known === undefined) counts.set(address, { count: 1, first: position });
    else {
      known.count++;
      known.first = position;
    }
    position--;
    next = producer;
  }
  if (position !== 0) throw new Error(`a chain of ${end.cycles} cycles has ${end.cycles - position} links`);
  const links = [...counts].sort((a, b) => a[1].first - b[1].first);
  return {
    ...(window !== undefined && { entry: window.entry as Address }),
    callIndex: window?.index ?? 0,
    length: end.cycles,
    links: links.map(([address, { count }]) => ({ address: address as Address, count })),
  };
}

/** Tags have 32 bits for the number of an instruction (translate/tags.ts). */
export function chainTooLong(what: string, most: number): Failure {
  return new Failure(
    'guest',
    'chain-too-long',
    `the chain of ${what} cannot be followed: it goes through more than ${most} instructions`,
    { instructions: most },
  );
}

function runWindow(options: WorldOptions, window: ChainWindow, stopAt: number | undefined): WindowRun {
  for (;;) {
    const run = orOutgrown(() => tryWindow(options, window, stopAt));
    if (typeof run === 'object') return run;
    options.space.outgrow(run);
  }
}

interface WindowRun {
  readonly tags: TagsLedger;
  readonly executed: number;
  readonly end: { readonly cycles: number; readonly instruction: number };
}

function tryWindow(options: WorldOptions, window: ChainWindow, stopAt: number | undefined): WindowRun {
  let end: { cycles: number; instruction: number } | undefined;
  const world = new World({
    ...options,
    depth: 0,
    firstDepth: window === undefined ? 0 : undefined,
    ...(stopAt !== undefined && { stopAt }),
    ...(window !== undefined && {
      window: {
        start: window.start,
        end: window.end,
        closed: (tags) => {
          end = tags.end();
          throw new PassOver();
        },
      },
    }),
  });
  const pass = world.main;
  try {
    world.run();
    if (window === undefined) end = pass.tags!.end();
  } catch (problem) {
    if (!(problem instanceof PassOver)) throw problem;
  }
  return { tags: pass.tags!, executed: pass.executed(), end: end ?? { cycles: 0, instruction: 0 } };
}
