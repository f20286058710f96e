import type { Machine } from '../../machines/machine.ts';
import type { LoopClass } from '../../profile/loops.ts';
import type { BlockInstruction } from '../../x86/block.ts';
import { isGeneral } from '../../x86/locations.ts';
import { type Body, bodyOf } from './body.ts';
import { type Dependences, dependencesOf, type Earlier, type MemoryDependence } from './dataflow.ts';
import { type Bottleneck, edgesOf, type Fetching, type Mac, macOf } from './mac.ts';
import { nameOfPorts, weightedPortOptimum } from './port-optimum.ts';
import { maximumRecurrence } from './recurrence.ts';
import { scheduleOf } from './schedule.ts';

/** A way through a loop's iteration, as a share of all iterations. */
export interface LoopPath {
  readonly instructions: readonly BlockInstruction[];
  /** Positions of the branches that are taken. */
  readonly taken: ReadonlySet<number>;
  /** Where the instructions lie, at least within a page; absent where a linker has yet to say. */
  readonly addresses?: readonly number[];
  /** Above 0; the shares of a loop's paths are taken relative to one another. */
  readonly share: number;
  /** Dependences through memory, positions in this path; undefined: as far as the addresses' spelling tells. */
  readonly memory: readonly MemoryDependence[] | undefined;
  /** What was executed before the loop, as far as it is known. */
  readonly before: readonly Earlier[];
}

/** The bounds of a loop in cycles per iteration of the machine code. */
export interface LoopCycles {
  readonly MAC: number;
  readonly MACS: number;
  /** Parts of MAC: `issue`, `recurrence`, `port 0, 1` and so on, the largest first. */
  readonly parts: readonly { readonly part: string; readonly cycles: number }[];
  readonly limits: { readonly MAC: string; readonly MACS: string };
  readonly class: LoopClass;
  /** Positions of the instructions around the longest recurrence of the most frequent path. */
  readonly recurrence: readonly number[];
  readonly unknown: readonly string[];
  /** Whether every path's schedule came back to a state that it had been in, so that MACS is exact. */
  readonly exact: boolean;
}

/** Longer bodies are not scheduled: their bounds would take minutes, and no loop of that size repeats one path. */
export const LONGEST_BOUNDED = 2000;

/** A path in a machine's terms. */
export interface PreparedPath {
  readonly body: Body;
  readonly dependences: Dependences;
  /** Of 1. */
  readonly share: number;
}

/**
 * MAC and MACS of a loop. Each path is bounded as if it were repeated alone; the parts of MAC and MACS itself are the means
 * by share. A mean of schedules is at least the mean of any part, so that MAC <= MACS holds for the loop as for each path.
 * Undefined for a loop whose every path is too long.
 */
export function loopBounds(all: readonly LoopPath[], machine: Machine): LoopCycles | undefined {
  const paths = preparedPaths(all, machine);
  return paths.length === 0 ? undefined : boundsOfPaths(paths, machine);
}

/** Without those that are too long. */
export function preparedPaths(all: readonly LoopPath[], machine: Machine): readonly PreparedPath[] {
  const paths = all.filter(
    ({ instructions }) => instructions.length > 0 && instructions.length <= LONGEST_BOUNDED,
  );
  const total = paths.reduce((sum, { share }) => sum + share, 0);
  if (total <= 0) return [];
  return paths.map(({ instructions, taken, addresses, memory, before, share }) => {
    const body = bodyOf(instructions, machine, taken, addresses);
    const dependences = dependencesOf(body, machine, 'distinct', { memory, before });
    return { body, dependences, share: share / total };
  });
}

/** The same of paths that are prepared; there is one at least. */
export function boundsOfPaths(paths: readonly PreparedPath[], machine: Machine): LoopCycles {
  const bounded = paths.map((path) => ({ ...boundsOf(path, machine), share: path.share }));
  const parts = partsOf(bounded);
  const [largest] = parts;
  const macs = Math.max(
    bounded.reduce((sum, { macs, share }) => sum + share * macs, 0),
    largest.cycles,
  );
  const most = bounded.reduce((a, b) => (b.share > a.share ? b : a));
  return {
    MAC: largest.cycles,
    MACS: macs,
    parts: parts.filter(({ cycles }) => cycles > 0),
    limits: { MAC: largest.part, MACS: macs > largest.cycles * NOTABLY ? 'schedule' : largest.part },
    class: most.class,
    recurrence: most.mac.recurrence,
    unknown: [...new Set(bounded.flatMap(({ unknown }) => unknown))],
    exact: bounded.every(({ exact }) => exact),
  };
}

/** MAC alone, which needs no schedule. */
export function macOfPaths(paths: readonly PreparedPath[], machine: Machine): number {
  const bounded = paths.map(({ body, dependences, share }) => ({
    body,
    mac: macOf(body, dependences, machine, fetchingOf(body, machine)),
    share,
  }));
  return partsOf(bounded)[0].cycles;
}

/** The largest first. */
function partsOf(
  paths: readonly Pick<PathBounds & { readonly share: number }, 'body' | 'mac' | 'share'>[],
): readonly { readonly part: string; readonly cycles: number }[] {
  const ports = weightedPorts(paths);
  const parts: { part: string; cycles: number }[] = [
    { part: nameOfPorts(ports.ports), cycles: ports.cycles },
  ];
  for (const part of PARTS)
    parts.push({ part, cycles: paths.reduce((sum, { mac, share }) => sum + share * mac.parts[part], 0) });
  // The first of equals: what is nearer to the end of the pipeline explains more.
  return parts.sort((a, b) => b.cycles - a.cycles || order(a.part) - order(b.part));
}

/** A schedule that takes so much longer than the largest bound is itself what limits. */
const NOTABLY = 1.1;

const PARTS = ['recurrence', 'divider', 'issue', 'fetch', 'decode', 'predecode'] as const;
const order = (part: string): number =>
  part.startsWith('port') ? 1.5 : (PARTS as readonly string[]).indexOf(part);

interface PathBounds {
  readonly body: Body;
  readonly mac: Mac;
  readonly macs: number;
  readonly class: LoopClass;
  readonly unknown: readonly string[];
  readonly exact: boolean;
}

const fetchingOf = (body: Body, machine: Machine): Fetching =>
  body.slots.length <= machine.uopCache.uops ? 'loop' : 'unrolled';

function boundsOf({ body, dependences }: PreparedPath, machine: Machine): PathBounds {
  const fetching = fetchingOf(body, machine);
  const mac = macOf(body, dependences, machine, fetching);
  const schedule = scheduleOf(body, dependences, machine, fetching, mac.cycles);
  // A mean over finitely many repetitions can be below MAC by what windows hold at its ends; the schedule itself cannot.
  const macs = Math.max(schedule.cycles, mac.cycles);
  return {
    body,
    mac,
    macs,
    class: classOf(body, dependences, mac),
    unknown: body.unknown,
    exact: schedule.exact,
  };
}

function weightedPorts(paths: readonly { readonly body: Body; readonly share: number }[]) {
  const counts = new Map<string, number>();
  for (const { body, share } of paths)
    for (const { ports, move } of body.uops)
      if (move === undefined) counts.set(ports, (counts.get(ports) ?? 0) + share);
  return weightedPortOptimum(counts);
}

/**
 * A loop whose longest recurrence takes at least as long as everything else is a chain: of loads where an address comes from
 * a load of the chain, else of computation. Counters and pointers that step by a number are no chains: iterations do not wait
 * for what they compute.
 */
function classOf(body: Body, dependences: Dependences, mac: Mac): LoopClass {
  const isStep = body.instructions.map(
    ({ value, writes }) =>
      value?.kind === 'sum' && value.to === value.from && writes.filter(isGeneral).length === 1,
  );
  const edges = edgesOf(body, dependences).filter(
    ({ from, to }) => !(isStep[body.uops[from].instruction] && isStep[body.uops[to].instruction]),
  );
  const { cycles, nodes } = maximumRecurrence(body.uops.length, edges);
  const others = Math.max(...OTHERS.map((part) => mac.parts[part]));
  if (cycles === 0 || cycles < others) return 'high-ilp';
  return nodes.some((uop) => body.uops[uop].kind === 'load') ? 'load-chain' : 'compute-chain';
}

const OTHERS: readonly Exclude<Bottleneck, 'schedule' | 'recurrence'>[] = [
  'ports',
  'divider',
  'issue',
  'fetch',
  'decode',
  'predecode',
];
