/**
 * Says in words what a schema library reports in codes: what was expected at a place and what stands there.
 * The issue is taken structurally, so that this folder needs no schema library.
 */
export interface ShapeIssue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly expected?: unknown;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly message: string;
  /** One list of issues per alternative of a union. */
  readonly errors?: readonly (readonly ShapeIssue[])[];
}

export type Path = readonly (string | number)[];

export interface ShapeProblem {
  readonly path: Path;
  readonly expected: string;
  readonly found: string;
  /** The first key that does not belong there, when that is the problem. */
  readonly unknownKey?: string;
}

export function shapeProblem(issue: ShapeIssue, root: unknown): ShapeProblem {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const found = describeValue(valueAt(root, path));
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys?.[0] : undefined;
  if (unknownKey !== undefined)
    return { path, expected: 'no such key', found: JSON.stringify(unknownKey), unknownKey };
  return { path, expected: expectation(issue), found };
}

function expectation(issue: ShapeIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_WORDS[String(issue.expected)] ?? String(issue.expected);
    case 'invalid_value':
      return (issue.values ?? []).map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return `at least ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'invalid_union':
      return [...new Set((issue.errors ?? []).map((alternative) => expectation(alternative[0]!)))].join(
        ' or ',
      );
    default:
      return issue.message;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

/** A value in a few words: its type, and itself where it is short. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** `functions[3].calls`; `the whole file` for the empty path. */
export function printPath(path: Path): string {
  if (path.length === 0) return 'the whole file';
  return path
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return at === 0 ? step : `.${step}`;
    })
    .join('');
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
