import { Failure } from '../base/failure.ts';
import { describeValue, type Path, printPath, type ShapeIssue, shapeProblem } from '../base/shape-problem.ts';
import { positionOf, scanJson } from './json-position.ts';
import type { CallProfile, Profile } from './profile.ts';
import { PROFILE_FORMAT, PROFILE_VERSION } from './profile.ts';
import { callShape, profileShape } from './schema.ts';
import { type StoredProfile, upgrade } from './upgrade.ts';

/**
 * Reads a stored profile. `file` is how the user knows it; it is only used in messages.
 * Throws Failure (kind `config`): profile-conflict, profile-not-json, profile-not-a-profile, profile-newer-version,
 * profile-too-old or profile-malformed, each with the line it was found in.
 */
export function readProfile(text: string, file: string): Profile {
  const stored = parse(text, file);
  if (
    typeof stored !== 'object' ||
    stored === null ||
    !('format' in stored) ||
    stored.format !== PROFILE_FORMAT
  ) {
    const format =
      typeof stored === 'object' && stored !== null && 'format' in stored ? stored.format : stored;
    throw new Failure(
      'config',
      'profile-not-a-profile',
      `${file} is not a profile: expected a JSON object with "format": "${PROFILE_FORMAT}", found ${describeValue(format)}`,
      { file },
    );
  }
  return check(current(stored as StoredProfile, text, file), text, file);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const conflict = /^(?:<{7}|={7}|>{7})(?: |$)/m.exec(text);
    if (conflict !== null) {
      const { line } = positionOf(text, conflict.index);
      const message = `${file}:${line} holds the markers of a merge conflict`;
      throw new Failure('config', 'profile-conflict', message, { file, line });
    }
    const scan = scanJson(text);
    const { line, column } = positionOf(text, scan.kind === 'malformed' ? scan.offset : 0);
    const words = scan.kind === 'malformed' ? `: expected ${scan.expected}, found ${scan.found}` : '';
    throw new Failure('config', 'profile-not-json', `${file}:${line}:${column} is not JSON${words}`, {
      file,
      line,
      column,
    });
  }
}

function current(stored: StoredProfile, text: string, file: string): StoredProfile {
  const { version } = stored;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw malformed(text, file, ['version'], 'a version number from 1', describeValue(version));
  }
  if (version > PROFILE_VERSION) {
    throw new Failure(
      'config',
      'profile-newer-version',
      `${file} has profile version ${version}; this ilp-gate reads versions up to ${PROFILE_VERSION}`,
      { file, version, supported: PROFILE_VERSION },
    );
  }
  const upgraded = upgrade(stored, version);
  if (upgraded === undefined) {
    const message = `${file} has profile version ${version}, which this ilp-gate no longer reads`;
    throw new Failure('config', 'profile-too-old', message, { file, version, supported: PROFILE_VERSION });
  }
  return upgraded;
}

function check(stored: StoredProfile, text: string, file: string): Profile {
  const fail = (issue: ShapeIssue, root: unknown, at: Path): Failure => {
    const problem = shapeProblem(issue, root);
    const key = problem.unknownKey === undefined ? [] : [problem.unknownKey];
    return malformed(text, file, [...at, ...problem.path, ...key], problem.expected, problem.found);
  };
  const shape = profileShape.safeParse(stored);
  if (!shape.success) throw fail(shape.error.issues[0]!, stored, []);

  const calls: CallProfile[] = [];
  const pending: Siblings[] = [{ from: shape.data.calls, to: calls }];
  for (let siblings = pending.pop(); siblings !== undefined; siblings = pending.pop()) {
    for (const [index, node] of siblings.from.entries()) {
      const call = callShape.safeParse(node);
      if (!call.success) throw fail(call.error.issues[0]!, node, [...pathOf(siblings), index]);
      const below: CallProfile[] = [];
      siblings.to.push({ ...call.data, calls: below });
      if (call.data.calls.length > 0)
        pending.push({ from: call.data.calls, to: below, parent: siblings, index });
    }
  }
  return { ...shape.data, calls };
}

/** The calls of one parent: unchecked, and where they go once checked. */
interface Siblings {
  readonly from: readonly unknown[];
  readonly to: CallProfile[];
  /** Whose call they belong to, and which; absent for the roots. A list of links, as the whole path would be quadratic. */
  readonly parent?: Siblings;
  readonly index?: number;
}

function pathOf(siblings: Siblings): Path {
  const steps: (string | number)[] = [];
  let at: Siblings | undefined = siblings;
  for (; at.parent !== undefined; at = at.parent) steps.push('calls', at.index!);
  return ['calls', ...steps.reverse()];
}

function malformed(text: string, file: string, path: Path, expected: string, found: string): Failure {
  const { line } = locate(text, path);
  return new Failure(
    'config',
    'profile-malformed',
    `${file}:${line}: ${printPath(path)}: expected ${expected}, found ${found}`,
    { file, line, path: printPath(path), expected, found },
  );
}

/** The line of a path, or of the nearest enclosing value that the text has. */
function locate(text: string, path: Path): { readonly line: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const scan = scanJson(text, path.slice(0, length));
    if (scan.kind === 'well-formed' && scan.offset !== undefined) return positionOf(text, scan.offset);
  }
  return { line: 1 };
}
