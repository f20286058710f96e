import type { LoopProfile, ParallelBounds, RunBounds } from './loops.ts';
import { inner, list, row } from './rows.ts';

/**
 * A loop as a few lines: what it is, how the run went through it, what it asks for, its bounds, then a line for each
 * cause and note. So a review shows which of these an edit moved; in one line it would only show that something did.
 */
export function writeLoop(loop: LoopProfile): string {
  const { essential, causes, notes } = loop;
  const members = [
    inner(loop, IDENTITY_KEYS),
    inner(loop, RUN_KEYS),
    ...(essential === undefined ? [] : [`"essential": ${row(essential, OPERATION_KEYS)}`]),
    `"compiled": ${row(loop.compiled, COMPILED_KEYS)}`,
    `"bounds": ${row(loop.bounds, BOUND_KEYS)}`,
    `"limits": ${row(loop.limits, LIMIT_KEYS)}`,
    `"gaps": ${row(loop.gaps, GAP_KEYS)}`,
    `"causes": ${list(
      causes.map((cause) => row(cause, CAUSE_KEYS)),
      INDENT,
    )}`,
    `"notes": ${list(
      notes.map((note) => JSON.stringify(note)),
      INDENT,
    )}`,
  ];
  return `{ ${members.join(`,\n${INDENT}`)} }`;
}

export function writeRunBounds(bounds: RunBounds): string {
  const { rest, parallel } = bounds;
  const tail = rest === undefined ? '' : `, "rest": ${row(rest, REST_KEYS)}`;
  const threads = parallel === undefined ? '' : `, "parallel": ${writeParallel(parallel)}`;
  return `{ ${inner(bounds, RUN_BOUND_KEYS)}${threads}${tail} }`;
}

function writeParallel(parallel: ParallelBounds): string {
  const regions = parallel.regions.map((region) => {
    const threads = region.threads.map((each) => row(each, THREAD_KEYS)).join(', ');
    return `{ ${inner(region, REGION_KEYS)}, "threads": [${threads}] }`;
  });
  const loops = parallel.loops.map((each) => row(each, PARALLEL_LOOP_KEYS));
  return `{ ${inner(parallel, PARALLEL_KEYS)}, "regions": ${list(regions)}, "loops": ${list(loops)} }`;
}

/** Of what belongs to a loop, below `"loops": [` and its own brace. */
const INDENT = '      ';

const IDENTITY_KEYS = ['function', 'file', 'line', 'endLine', 'address', 'depth', 'innermost'] as const;
const RUN_KEYS = ['entries', 'iterations', 'unroll', 'unrollFrom', 'class', 'runTime', 'share'] as const;
const OPERATION_KEYS = ['fa', 'fm', 'fma', 'fmisc', 'loads', 'stores', 'integer'] as const;
const COMPILED_KEYS = ['instructions', ...OPERATION_KEYS, 'branches'] as const;
const BOUND_KEYS = ['M', 'MA', 'MAC', 'MACS', 'measured'] as const;
const LIMIT_KEYS = ['MA', 'MAC', 'MACS'] as const;
const GAP_KEYS = ['A', 'C', 'S', 'P'] as const;
const CAUSE_KEYS = ['gap', 'kind', 'count', 'cycles', 'file', 'line', 'text', 'advice'] as const;
const RUN_BOUND_KEYS = ['machine', 'runTime', 'covered', 'measured'] as const;
const REST_KEYS = ['loops', 'runTime'] as const;
const PARALLEL_KEYS = [
  'threads',
  'sequential',
  'balanced',
  'runTime',
  'imbalance',
  'utilisation',
  'speedUp',
  'waiting',
] as const;
const THREAD_KEYS = ['index', 'runTime'] as const;
const REGION_KEYS = [
  'function',
  'forker',
  'within',
  'part',
  'times',
  'balanced',
  'runTime',
  'imbalance',
] as const;
const PARALLEL_LOOP_KEYS = ['address', 'threads', 'balanced', 'runTime', 'imbalance'] as const;
