import type { Machine } from '../../machines/machine.ts';
import type { Body } from './body.ts';
import type { Dependences } from './dataflow.ts';
import { decodeBound, predecodeBound, replayBound } from './front-end-bound.ts';
import { portOptimum } from './port-optimum.ts';
import { type Edge, maximumRecurrence } from './recurrence.ts';

export type Bottleneck =
  | 'predecode'
  | 'decode'
  | 'fetch'
  | 'issue'
  | 'ports'
  | 'divider'
  | 'recurrence'
  | 'schedule';

/**
 * How the front end gets the code: a block repeated in a row without branch and never seen before, or a loop from the cache of
 * decoded instructions.
 */
export type Fetching = 'unrolled' | 'loop';

/** Lower bounds of the cycles per repetition, each for one part of the machine as if the others were infinite. */
export interface Mac {
  readonly cycles: number;
  readonly bottleneck: Bottleneck;
  readonly parts: Readonly<Record<Exclude<Bottleneck, 'schedule'>, number>>;
  /** The ports that need `parts.ports` cycles. */
  readonly ports: string;
  /** Instructions around the longest recurrence. */
  readonly recurrence: readonly number[];
}

export function macOf(body: Body, dependences: Dependences, machine: Machine, fetching: Fetching): Mac {
  const load = portOptimum(body.uops.filter(({ move }) => move === undefined).map(({ ports }) => ports));
  const recurrence = maximumRecurrence(body.uops.length, edgesOf(body, dependences));
  const parts = {
    predecode: fetching === 'unrolled' ? predecodeBound(body, machine) : 0,
    decode: fetching === 'unrolled' ? decodeBound(body, machine) : 0,
    fetch: fetching === 'loop' ? replayBound(body, machine) : 0,
    issue: issueBound(body, machine),
    ports: load.cycles,
    divider: body.uops.reduce((sum, { divider }) => sum + divider, 0),
    recurrence: recurrence.cycles,
  };
  // The first of equals: what is nearer to the end of the pipeline explains more.
  const order = ['recurrence', 'divider', 'ports', 'issue', 'fetch', 'decode', 'predecode'] as const;
  let bottleneck: (typeof order)[number] = 'issue';
  let cycles = 0;
  for (const part of order)
    if (parts[part] > cycles + 1e-9) {
      bottleneck = part;
      cycles = parts[part];
    }
  const nodes = [...new Set(recurrence.nodes.map((uop) => body.uops[uop].instruction))];
  return { cycles, bottleneck, parts, ports: load.ports, recurrence: nodes };
}

/** Renaming takes so many slots a cycle, and of those with vector registers fewer on some machines. */
function issueBound({ slots, instructions }: Body, { issue }: Machine): number {
  const vectors = slots.filter(({ instruction }) => instructions[instruction].width > 0).length;
  return Math.max(slots.length / issue.width, vectors / (issue.vector ?? issue.width));
}

/**
 * Start to start: a micro-operation after the latency of what it waits for. What waits for a load that takes its value from
 * a store waits for that store's data as well. A move that renaming does costs nothing here: the schedule may find it to.
 */
export function edgesOf(body: Body, { waits, forwards, extra }: Dependences): readonly Edge[] {
  return waits.flatMap((list, to) =>
    list.flatMap(({ on, distance, sooner }): Edge[] => [
      { from: on, to, cycles: latencyOf(body, extra, on) - sooner, distance },
      ...forwards[on].map((store) => ({
        from: store.on,
        to,
        cycles: store.latency,
        distance: distance + store.distance,
      })),
    ]),
  );
}

export function latencyOf(body: Body, extra: readonly number[], uop: number): number {
  const { latency, move } = body.uops[uop];
  if (move !== undefined) return 0;
  return latency + extra[uop];
}
