import { type CallTree, mergeCycles } from './contexts/call-tree.ts';
import type { ThreadCounts } from './contexts/contexts.ts';
import { type FunctionSums, longer } from './contexts/function-records.ts';
import { FIRST, type MeasuredPart } from './pass/measured-part.ts';
import { endAt } from './slices/halt.ts';

/** What passes after the first one measure, part by part. Plain data: other processes are asked for it. */
export type Part =
  /** Calls of the tree from one depth to another, no more than there are lanes: of threads of which none begins before another has ended. */
  | {
      readonly kind: 'calls';
      readonly from: number;
      readonly to: number;
      /** Of calls on several stacks: the layers that were measured before. */
      readonly layersBefore?: number;
      /** Absent: the first one, whose depth 0 is the run. */
      readonly threads?: readonly number[];
      /** Instructions that the run has executed when they execute none any more, if it goes on behind that. */
      readonly until?: number;
    }
  /** Threads as wholes. */
  | { readonly kind: 'wholes'; readonly threads: readonly number[] }
  /** Every outermost call of some functions. Threads are groups as above. */
  | {
      readonly kind: 'functions';
      readonly names: readonly string[];
      readonly threads: readonly (readonly number[])[];
    };

/** What was found of a part. */
export interface PartCounts {
  /** By index of the thread: its calls, as far as a pass measured their cycles. */
  readonly trees: ReadonlyMap<number, CallTree>;
  /** By entry. */
  readonly functions: ReadonlyMap<number, FunctionSums>;
}

/** Trees of parts of the calls, put together as they are found: a deep recursion has thousands of parts, and each pass finds the whole tree. */
export class GatheredTrees {
  readonly trees = new Map<number, CallTree>();

  /** Takes the trees out of what was found of a part. */
  take({ kind }: Part, found: readonly PartCounts[]): readonly PartCounts[] {
    if (kind !== 'calls') return found;
    return found.map(({ trees, functions }) => {
      for (const [index, tree] of trees) {
        const known = this.trees.get(index);
        if (known === undefined) this.trees.set(index, tree);
        else mergeCycles(known, tree);
      }
      return { trees: new Map(), functions };
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

/** Measures a part, in as many passes as there are lanes for. */
export function measurePart(part: Part, passes: PartPasses): readonly PartCounts[] {
  switch (part.kind) {
    case 'calls':
      return measureCalls(part, passes);
    case 'wholes':
      return measureWholes(part.threads, passes);
    case 'functions':
      return measureFunctions(part.names, part.threads, passes);
  }
}

function measureCalls(
  { from, to, threads, until, layersBefore = 0 }: Extract<Part, { kind: 'calls' }>,
  { lanes, run }: PartPasses,
): readonly PartCounts[] {
  const found: PartCounts[] = [];
  for (let first = from; first <= to; first += lanes()) {
    let layers = layersBefore + 1;
    for (let layer = layers; layer <= layers; layer++) {
      const counts = run('counting', () => ({
        firstDepth: first,
        layer,
        ...(threads && { threads }),
        ...(until !== undefined && { halt: endAt(until) }),
      }));
      found.push({ trees: treesOf(counts, threads ?? FIRST), functions: counts.functions });
      layers = Math.max(layers, counts.layers);
    }
  }
  return found;
}

function measureWholes(threads: readonly number[], { lanes, run }: PartPasses): readonly PartCounts[] {
  const found: PartCounts[] = [];
  for (let from = 0; from < threads.length; from += lanes()) {
    const measured = () => threads.slice(from, from + lanes());
    const counts = run('counting', () => ({ depth: 0, firstDepth: undefined, wholes: measured() }));
    found.push({ trees: treesOf(counts, measured()), functions: new Map() });
  }
  return found;
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
  return [{ trees: new Map(), functions }];
}

/** What the first thread's calls take, and those of the threads that enter any of the functions. */
function measureEntered(
  groups: readonly (readonly number[])[],
  { run }: PartPasses,
  what: () => Pick<MeasuredPart, 'named' | 'entries'>,
): { readonly functions: ReadonlyMap<number, FunctionSums>; readonly leftOut: ReadonlySet<number> } {
  const functions = new Map<number, FunctionSums>();
  const leftOut = new Set<number>();
  const entered = new Set([FIRST]);
  for (const threads of entered) {
    const counts = run('functions', () => ({ depth: 0, firstDepth: undefined, threads, ...what() }));
    mergeSums(functions, counts.functions);
    for (const entry of counts.leftOut) leftOut.add(entry);
    for (const group of groups) if (group.some((index) => counts.hooked.has(index))) entered.add(group);
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
