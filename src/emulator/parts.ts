import { type CallTree, mergeCycles } from './contexts/call-tree.ts';
import type { ThreadCounts } from './contexts/contexts.ts';
import { type FunctionSums, longer } from './contexts/function-records.ts';
import { FIRST, groupsAtOnce, type MeasuredPart } from './pass/measured-part.ts';
import { endAt } from './slices/halt.ts';
import { type PlacedCalls, placeCalls, type ThreadCalls } from './thread-calls.ts';

/** What passes after the first one measure, part by part. Plain data: other processes are asked for it. */
export type Part =
  /** Calls of the first thread's tree, whose depth 0 is the run, from one depth to another. */
  | {
      readonly kind: 'calls';
      readonly from: number;
      readonly to: number;
      /** Of calls on several stacks: the layers that were measured before. */
      readonly layersBefore?: number;
    }
  /** Threads, whose depth 0 is each as a whole, and their calls. */
  | {
      readonly kind: 'threads';
      readonly calls: readonly ThreadCalls[];
      /** Instructions that the run has executed when they execute none any more, if it goes on behind that. */
      readonly until?: number;
    }
  /** Every outermost call of some functions. Threads are groups as those of ThreadCalls. */
  | {
      readonly kind: 'functions';
      readonly names: readonly string[];
      readonly threads: readonly (readonly number[])[];
    };

const NONE: ReadonlyMap<number, never> = new Map<number, never>();

/** What was found of a part. */
export interface PartCounts {
  /** By index of the thread: its calls, as far as a pass measured their cycles. */
  readonly trees: ReadonlyMap<number, CallTree>;
  /** By index of the thread: its cycles as a whole, where they are not those of its tree. */
  readonly wholes: ReadonlyMap<number, number>;
  /** By entry. */
  readonly functions: ReadonlyMap<number, FunctionSums>;
}

/** Trees of parts of the calls, put together as they are found: a deep recursion has thousands of parts, and each pass finds the whole tree. */
export class GatheredTrees {
  readonly trees = new Map<number, CallTree>();

  /** Takes the trees out of what was found of a part. */
  take({ kind }: Part, found: readonly PartCounts[]): readonly PartCounts[] {
    if (kind === 'functions') return found;
    return found.map((counts) => {
      for (const [index, tree] of counts.trees) {
        const known = this.trees.get(index);
        if (known === undefined) this.trees.set(index, tree);
        else mergeCycles(known, tree);
      }
      return { ...counts, trees: NONE };
    });
  }
}

/** What remains of a pass when its memory is gone. */
export interface Counts {
  readonly threads: readonly ThreadCounts[];
  readonly functions: ReadonlyMap<number, FunctionSums>;
  readonly hooked: ReadonlySet<number>;
  readonly leftOut: ReadonlySet<number>;
  /** Of calls on several stacks, as deep as the pass measured them. */
  readonly layers: number;
}

export const countsOf = ({ threads, functions, hooked, leftOut, layers }: Counts): Counts => ({
  threads,
  functions,
  hooked,
  leftOut,
  layers,
});

/** How parts are measured here. */
export interface PartPasses {
  /** Contexts that one pass measures: fewer once a run has many cycles. */
  readonly lanes: () => number;
  /** Runs one pass, whose output nobody hears; again, of what is asked for then, where there is too little room for it. */
  readonly run: (phase: 'counting' | 'functions', measured: () => Partial<MeasuredPart>) => Counts;
}

/**
 * Measures a part, in as many passes as there are lanes for: anew where they become fewer while it does, or what was measured in more of them would count again.
 */
export function measurePart(part: Part, passes: PartPasses): readonly PartCounts[] {
  for (;;) {
    const before = passes.lanes();
    const found = measureOnce(part, passes);
    if (passes.lanes() === before) return found;
  }
}

function measureOnce(part: Part, passes: PartPasses): readonly PartCounts[] {
  switch (part.kind) {
    case 'calls':
      return measureCalls(part, passes);
    case 'threads':
      return measureThreads(part, passes);
    case 'functions':
      return measureFunctions(part.names, part.threads, passes);
  }
}

function measureCalls(
  { from, to, layersBefore = 0 }: Extract<Part, { kind: 'calls' }>,
  { lanes, run }: PartPasses,
): readonly PartCounts[] {
  const found: PartCounts[] = [];
  for (let first = from; first <= to; first += lanes())
    eachLayer(layersBefore + 1, (layer) => {
      const counts = run('counting', () => ({ firstDepth: first, layer }));
      found.push({ trees: treesOf(counts, FIRST), wholes: NONE, functions: counts.functions });
      return counts;
    });
  return found;
}

function measureThreads(
  { calls, until }: Extract<Part, { kind: 'threads' }>,
  { lanes, run }: PartPasses,
): readonly PartCounts[] {
  const found: PartCounts[] = [];
  for (let left = calls; left.length > 0; left = placeCalls(left, lanes()).left) {
    const placed = (): readonly PlacedCalls[] => placeCalls(left, lanes()).placed;
    eachLayer(1, (layer) => {
      const counts = run('counting', () => ({
        placed: placed(),
        layer,
        ...(hasCalls(left) ? {} : { depth: 0 }),
        ...(until !== undefined && { halt: endAt(until) }),
      }));
      found.push(countsOfThreads(counts, placed(), hasCalls(left)));
      return counts;
    });
  }
  return found;
}

/** Where threads are measured as wholes only, calls are none of the pass's business. */
const hasCalls = (calls: readonly ThreadCalls[]): boolean => calls.some(({ to }) => to > 0);

/** The first thread's tree is the run's. */
function countsOfThreads(counts: Counts, placed: readonly PlacedCalls[], areTrees: boolean): PartCounts {
  const indices = placed.flatMap(({ threads }) => threads);
  const isTree = (index: number) => areTrees && !FIRST.includes(index);
  const wholes = indices
    .filter((index) => !isTree(index))
    .map((index) => [index, counts.threads[index].tree.cycles.at(-1)!] as const)
    .filter(([, cycles]) => cycles >= 0);
  return {
    trees: treesOf(counts, indices.filter(isTree)),
    wholes: new Map(wholes),
    functions: areTrees ? counts.functions : NONE,
  };
}

/** Measures a layer, and those behind it that are then known of. */
function eachLayer(first: number, measure: (layer: number) => Counts): void {
  let layers = first;
  for (let layer = first; layer <= layers; layer++) layers = Math.max(layers, measure(layer).layers);
}

/** Functions that have a name in common share a lane; those of which calls were left out by that are measured again, each with its own. */
function measureFunctions(
  names: readonly string[],
  groups: readonly (readonly number[])[],
  passes: PartPasses,
): readonly PartCounts[] {
  const functions = new Map<number, FunctionSums>();
  const leftOut = new Set<number>();
  for (let from = 0; from < names.length; from += passes.lanes()) {
    const found = measureEntered(groups, passes, () => ({ named: names.slice(from, from + passes.lanes()) }));
    mergeSums(functions, found.functions);
    for (const entry of found.leftOut) leftOut.add(entry);
  }
  const apart = [...leftOut];
  for (const entry of apart) functions.delete(entry);
  for (let from = 0; from < apart.length; from += passes.lanes()) {
    const entries = () => apart.slice(from, from + passes.lanes());
    mergeSums(functions, measureEntered(groups, passes, () => ({ named: [], entries: entries() })).functions);
  }
  return [{ trees: NONE, wholes: NONE, functions }];
}

/** What the first thread's calls take, and those of the threads that enter any of the functions. */
function measureEntered(
  groups: readonly (readonly number[])[],
  { lanes, run }: PartPasses,
  what: () => Pick<MeasuredPart, 'named' | 'entries'>,
): { readonly functions: ReadonlyMap<number, FunctionSums>; readonly leftOut: ReadonlySet<number> } {
  const functions = new Map<number, FunctionSums>();
  const leftOut = new Set<number>();
  // Who enters any of them is known behind the first pass.
  for (let left = [FIRST, ...groups]; left.length > 0; ) {
    const threads = () => left.slice(0, groupsAtOnce(what(), lanes()));
    const counts = run('functions', () => ({
      depth: 0,
      firstDepth: undefined,
      threads: threads(),
      ...what(),
    }));
    mergeSums(functions, counts.functions);
    for (const entry of counts.leftOut) leftOut.add(entry);
    left = left.slice(threads().length).filter((group) => group.some((index) => counts.hooked.has(index)));
  }
  return { functions, leftOut };
}

const treesOf = ({ threads }: Counts, indices: readonly number[]): Map<number, CallTree> =>
  new Map(indices.map((index) => [index, threads[index].tree]));

export function mergeSums(into: Map<number, FunctionSums>, from: ReadonlyMap<number, FunctionSums>): void {
  for (const [entry, sums] of from) {
    const known = into.get(entry);
    if (known === undefined) {
      into.set(entry, sums);
      continue;
    }
    known.calls += sums.calls;
    known.instructions += sums.instructions;
    known.cycles += sums.cycles;
    known.longest = longer(known.longest, sums.longest);
    known.first = Math.min(known.first, sums.first);
  }
}
