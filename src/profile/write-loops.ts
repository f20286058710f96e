import type { LoopProfile, RunBounds } from './loops.ts';
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
  const { rest } = bounds;
  const tail = rest === undefined ? '' : `, "rest": ${row(rest, REST_KEYS)}`;
  return `{ ${inner(bounds, RUN_BOUND_KEYS)}${tail} }`;
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
