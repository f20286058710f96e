import type { Address } from '../../src/base/brand.ts';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import {
  CALLS_PER_PARENT,
  type CallRecord,
  type ChainRecord,
  type FunctionRecord,
  type ThreadRecord,
} from '../../src/observation/observation.ts';
import { type Call, callTree, outermostCalls, threadView } from './calls.ts';
import { type DataFlowGraph, measure, type Step } from './graph.ts';
import type { ProgramRun } from './program.ts';

/** What is asked of a measurement. */
export interface Question {
  /** Deepest calls; -1 is unbounded. */
  readonly depth: number;
  readonly functions: readonly string[];
  /** RUN_CHAIN or names of functions. */
  readonly chains: readonly string[];
}

/** What a measurement answers, apart from what it says of files. */
export interface Answer {
  readonly run: CallRecord;
  readonly functions: readonly FunctionRecord[];
  readonly chains: readonly ChainRecord[];
  readonly threads?: readonly ThreadRecord[];
}

/** A call with its numbers. */
interface MeasuredCall {
  readonly call: Call;
  /** Whose instructions count; undefined for all. */
  readonly thread: number | undefined;
  readonly instructions: number;
  readonly cycles: number;
}

/** Reads the answer off the stored graph: every context's cycles are computed anew from its first instruction. */
export function answer(run: ProgramRun, { depth, functions, chains }: Question): Answer {
  const { graph, code, programEntry } = run;
  const deepest = depth < 0 ? Infinity : depth;
  const views = run.traces.map((trace) => ({ trace, view: threadView(graph, trace) }));
  const trees = views.map(({ trace, view }, index) => {
    const { root, isFound } = run.roots[index];
    const from = index === 0 ? run.root : isFound ? root : NOWHERE;
    return callTree(view, trace, code, from, programEntry, deepest);
  });
  const inTree = new Map<number, MeasuredCall[]>();
  const [main, ...others] = trees.map((tree, index) =>
    recordOf(graph, tree, inTree, index === 0 ? undefined : index, index),
  );
  const calls = new Map<number, readonly MeasuredCall[]>(
    [...inTree].map(([entry, all]) => [entry, outermostOf(all)]),
  );
  for (const name of [...functions, ...chains]) {
    for (const entry of code.named(name)) {
      const outermost = views
        .flatMap(({ trace, view }, index) =>
          outermostCalls(view, trace, entry, programEntry).map((call) => measured(graph, call, index)),
        )
        .sort((a, b) => a.call.start - b.call.start);
      if (outermost.length > 0) calls.set(entry, outermost);
    }
  }
  return {
    run:
      others.length === 0
        ? main
        : { ...main, calls: [...main.calls, ...others.flatMap((each) => each.calls)] },
    functions: [...calls]
      .sort(([, a], [, b]) => a[0].call.start - b[0].call.start)
      .map(([entry, all]) => functionRecord(entry, all)),
    chains: chains.flatMap((name) =>
      name === RUN_CHAIN
        ? [chainRecord(graph, trees[0], undefined, undefined)]
        : inOrder(code.named(name).map((entry) => calls.get(entry) ?? [])).map((all) => {
            const best = longest(all);
            return chainRecord(graph, best.call, all.indexOf(best), best.thread);
          }),
    ),
    ...(others.length > 0 && {
      threads: trees.map((tree, index): ThreadRecord => {
        const { instructions, cycles } = measure(graph, tree.start, tree.end, index);
        const root = index === 0 ? run.root : run.roots[index].root;
        return { ...(root !== undefined && { entry: root as Address }), instructions, cycles };
      }),
    }),
  };
}

/** Calls of functions, by when the first of each begins; of those that are called. */
const inOrder = (all: readonly (readonly MeasuredCall[])[]): readonly (readonly MeasuredCall[])[] =>
  all.filter(({ length }) => length > 0).sort(([a], [b]) => a.call.start - b.call.start);

const NOWHERE = -1;

function measured(graph: DataFlowGraph, call: Call, thread: number | undefined): MeasuredCall {
  const { instructions, cycles } = measure(graph, call.start, call.end, thread);
  return { call, instructions, cycles, thread };
}

/** Calls of a function that begin while no other one of its thread is open, in order. */
function outermostOf(calls: MeasuredCall[]): readonly MeasuredCall[] {
  const ends = new Map<number | undefined, Step>();
  return calls
    .sort((a, b) => a.call.start - b.call.start)
    .filter(({ call, thread }) => {
      const end = ends.get(thread) ?? 0;
      ends.set(thread, Math.max(end, call.end));
      return call.start >= end;
    });
}

/** The tree, and all calls of each function in it. Not recursive: trees are deep. */
function recordOf(
  graph: DataFlowGraph,
  run: Call,
  found: Map<number, MeasuredCall[]>,
  whole: number | undefined,
  thread: number,
): CallRecord {
  const root: { calls: CallRecord[] } = { calls: [] };
  const pending = [{ call: run, depth: 0, into: root.calls }];
  const built: { readonly calls: CallRecord[]; readonly record: Rests }[] = [];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { call, depth, into } = next;
    const one = measured(graph, call, depth === 0 ? whole : thread);
    const calls: CallRecord[] = [];
    const record = {
      entry: call.callee as Address,
      depth,
      instructions: one.instructions,
      cycles: one.cycles,
      calls,
      rest: [] as CallRecord['rest'],
    };
    into.push(record);
    built.push({ calls, record });
    if (depth > 0) {
      const known = found.get(call.callee);
      if (known === undefined) found.set(call.callee, [one]);
      else known.push(one);
    }
    for (const inner of call.calls) pending.push({ call: inner, depth: depth + 1, into: calls });
  }
  for (const { calls, record } of built) record.rest = restOf(calls);
  return root.calls[0];
}

interface Rests {
  rest: CallRecord['rest'];
}

/** Takes what is beyond the limit off the calls and sums it per callee. */
function restOf(calls: CallRecord[]): CallRecord['rest'] {
  const sums = new Map<number, { entry: Address; calls: number; instructions: number; cycles: number }>();
  for (const { entry, instructions, cycles } of calls.splice(CALLS_PER_PARENT)) {
    const sum = sums.get(entry) ?? { entry, calls: 0, instructions: 0, cycles: 0 };
    sum.calls++;
    sum.instructions += instructions;
    sum.cycles += cycles;
    sums.set(entry, sum);
  }
  return [...sums.values()];
}

/** The call with the largest C, the earliest on a tie (rule 10). */
function longest(calls: readonly MeasuredCall[]): MeasuredCall {
  return calls.reduce((best, call) => (call.cycles > best.cycles ? call : best));
}

function functionRecord(entry: number, calls: readonly MeasuredCall[]): FunctionRecord {
  const best = longest(calls);
  return {
    entry: entry as Address,
    calls: calls.length,
    instructions: calls.reduce((sum, { instructions }) => sum + instructions, 0),
    cycles: calls.reduce((sum, { cycles }) => sum + cycles, 0),
    longest: { index: calls.indexOf(best), instructions: best.instructions, cycles: best.cycles },
  };
}

function chainRecord(
  graph: DataFlowGraph,
  call: Call,
  callIndex: number | undefined,
  thread: number | undefined,
): ChainRecord {
  const { chain } = measure(graph, call.start, call.end, thread);
  const counts = new Map<number, number>();
  for (const step of chain) counts.set(graph.address(step), (counts.get(graph.address(step)) ?? 0) + 1);
  return {
    ...(callIndex !== undefined && { entry: call.callee as Address }),
    callIndex: callIndex ?? 0,
    length: chain.length,
    links: [...counts].map(([address, count]) => ({ address: address as Address, count })),
  };
}
