import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { Failure } from '../base/failure.ts';
import { type Path, printPath, type ShapeIssue, shapeProblem } from '../base/shape-problem.ts';
import { BOUND_METRICS, type Limits, METRICS, type Metric, type MetricLimits } from '../gate/limits.ts';
import { parseLimit } from '../gate/parse-limit.ts';
import {
  type Config,
  DEFAULT_BASELINE_DIRECTORY,
  DEFAULT_CHILDREN,
  DEFAULT_DEPTH,
  DEFAULT_ISA,
  type Target,
} from './config.ts';
import { nearest } from './nearest.ts';
import { configShape, knownKeys } from './schema.ts';
import { splitWords } from './words.ts';

/**
 * Reads a configuration. `file` is how the user knows it; it is only used in messages.
 * Throws Failure (kind `config`): config-too-large, config-malformed-yaml, config-unknown-key, config-unsupported or config-invalid,
 * each with line and column.
 */
export function readConfig(text: string, file: string): Config {
  const source = parseYaml(text, file);
  const shape = configShape.safeParse(source.value);
  if (!shape.success) throw source.shapeFailure(shape.error.issues);
  const raw = shape.data;
  if (raw.targets.length === 0) throw source.invalid(['targets'], 'at least one target', 'an empty list');

  for (const key of ['build', 'machine', 'baseline'] as const) refuseNul(raw[key], [key], source);
  if (raw.machine === undefined) refuseLimitsOnBounds(raw, source);
  const targets = raw.targets.map((each, at) => readTarget(each, ['targets', at], source));
  const names = new Map<string, string>();
  for (const [at, { name }] of targets.entries()) {
    // Baselines are files, and a checkout may lie on a file system that ignores case.
    const earlier = names.get(name.toLowerCase());
    if (earlier !== undefined) {
      throw source.invalid(
        ['targets', at, 'name'],
        'a name of its own',
        `${JSON.stringify(name)} after ${JSON.stringify(earlier)}`,
      );
    }
    names.set(name.toLowerCase(), name);
  }
  return {
    ...(raw.build === undefined ? {} : { build: raw.build }),
    targets,
    limits: readLimits(raw.limits, ['limits'], source),
    depth: raw.depth ?? DEFAULT_DEPTH,
    ...(raw.fuel === undefined ? {} : { fuel: raw.fuel }),
    children: raw.children ?? DEFAULT_CHILDREN,
    isa: raw.isa ?? DEFAULT_ISA,
    ...(raw.machine === undefined ? {} : { machine: raw.machine }),
    baseline: raw.baseline ?? DEFAULT_BASELINE_DIRECTORY,
    base: raw.base ?? 'baseline',
  };
}

type RawConfig = (typeof configShape)['_zod']['output'];
type RawTarget = RawConfig['targets'][number];
type RawLimits = NonNullable<RawConfig['limits']>;

/** A safe file name on every system, and a safe word in a report. */
const TARGET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

function readTarget(raw: RawTarget, path: Path, source: YamlSource): Target {
  if (!TARGET_NAME.test(raw.name)) {
    const expected =
      'a file name of at most 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit';
    throw source.invalid([...path, 'name'], expected, JSON.stringify(raw.name));
  }
  refuseNul(raw.stdin, [...path, 'stdin'], source);
  return {
    name: raw.name,
    command: readCommand(raw.command, [...path, 'command'], source),
    functions: raw.functions ?? [],
    env: readEnv(raw.env ?? {}, [...path, 'env'], source),
    ...(raw.stdin === undefined ? {} : { stdin: raw.stdin }),
    ...(raw.children === undefined ? {} : { children: raw.children }),
    expectExit: raw['expect-exit'] ?? 0,
    limits: readLimits(raw.limits, [...path, 'limits'], source),
  };
}

/** What the system is given as a path or an argument cannot have it. */
function refuseNul(text: string | undefined, path: Path, source: YamlSource): void {
  if (text?.includes('\0')) throw source.invalid(path, 'text without NUL characters', JSON.stringify(text));
}

function readCommand(
  raw: RawTarget['command'],
  path: Path,
  source: YamlSource,
): readonly [string, ...string[]] {
  let words: readonly string[];
  if (typeof raw === 'string') {
    const split = splitWords(raw);
    if (split.kind === 'refused')
      throw source.invalid(path, 'a program and its arguments', `${JSON.stringify(raw)}: ${split.problem}`);
    words = split.words;
  } else {
    words = raw.map(String);
  }
  const [program, ...args] = words;
  if (program === undefined || program === '')
    throw source.invalid(path, 'a program and its arguments', 'no program');
  const withNul = words.find((word) => word.includes('\0'));
  if (withNul !== undefined)
    throw source.invalid(path, 'words without NUL characters', JSON.stringify(withNul));
  return [program, ...args];
}

function readEnv(
  raw: Readonly<Record<string, string | number>>,
  path: Path,
  source: YamlSource,
): Record<string, string> {
  for (const [name, value] of Object.entries(raw)) {
    if (name === '' || /[=\0]/.test(name))
      throw source.invalid([...path, name], 'a name without = and NUL', JSON.stringify(name));
    if (String(value).includes('\0'))
      throw source.invalid([...path, name], 'a value without NUL', JSON.stringify(value));
  }
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]));
}

function readLimits(raw: RawLimits | undefined, path: Path, source: YamlSource): Limits {
  if (raw === undefined) return {};
  const { functions, ...metrics } = raw;
  const perFunction = Object.entries(functions ?? {}).map(([name, limits]): [string, MetricLimits] => {
    if (limits === 'none')
      return [name, Object.fromEntries(METRICS.map((metric) => [metric, { kind: 'none' } as const]))];
    return [name, readMetrics(limits, [...path, 'functions', name], source)];
  });
  const own = readMetrics(metrics, path, source);
  return functions === undefined ? own : { ...own, functions: Object.fromEntries(perFunction) };
}

type MetricWords = { readonly [M in Metric]?: string | number };

/** Without a machine there are no bounds, and a limit would guard nothing. */
function refuseLimitsOnBounds(raw: RawConfig, source: YamlSource): void {
  const levels: [RawLimits | undefined, Path][] = [
    [raw.limits, ['limits']],
    ...raw.targets.map(({ limits }, at): [RawLimits | undefined, Path] => [
      limits,
      ['targets', at, 'limits'],
    ]),
  ];
  for (const [limits = {}, path] of levels) {
    const { functions = {}, ...metrics } = limits;
    const perFunction = Object.entries(functions).map(([name, each]): [MetricWords, Path] => [
      each === 'none' ? {} : each,
      [...path, 'functions', name],
    ]);
    for (const [each, at] of [[metrics, path] as [MetricWords, Path], ...perFunction]) {
      const metric = BOUND_METRICS.find((name) => each[name] !== undefined && each[name] !== 'none');
      if (metric === undefined) continue;
      const expected =
        '"machine: NAME" in the configuration, which says what is bounded ("ilp-gate machines" lists them)';
      throw source.invalid([...at, metric], expected, 'a limit without it');
    }
  }
}

function readMetrics(
  raw: Readonly<Record<string, string | number>>,
  path: Path,
  source: YamlSource,
): MetricLimits {
  const limits: { -readonly [M in keyof MetricLimits]: MetricLimits[M] } = {};
  for (const metric of METRICS) {
    const value = raw[metric];
    if (value === undefined) continue;
    const parsed = parseLimit(metric, value);
    if (parsed.kind === 'refused')
      throw source.invalid([...path, metric], parsed.expected, JSON.stringify(value));
    limits[metric] = parsed.limit;
  }
  return limits;
}

interface YamlSource {
  readonly value: unknown;
  shapeFailure(issues: readonly ShapeIssue[]): Failure;
  invalid(path: Path, expected: string, found: string): Failure;
}

/** Keys of the configuration's format that this version does not act on yet: refused, so that nobody relies on them. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'model-cycles':
    'model cycles are not computed by this version; "run-time-bound" limits what loops take at least',
};

/** A thousand targets have less; to look for keys that stand twice takes a time that grows with the square. */
const LONGEST = 2 ** 18;

function parseYaml(text: string, file: string): YamlSource {
  if (text.length > LONGEST)
    throw new Failure(
      'config',
      'config-too-large',
      `${file} has ${text.length} characters: a configuration has at most ${LONGEST}`,
      { file, length: text.length },
    );
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const where = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const failure = (code: string, offset: number, message: string): Failure => {
    const { line, column } = where(offset);
    return new Failure('config', code, `${file}:${line}:${column}: ${message}`, { file, line, column });
  };
  const [error] = document.errors;
  if (error !== undefined)
    throw failure('config-malformed-yaml', error.pos[0], `this is not YAML: ${error.message}`);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (cause) {
    throw failure('config-malformed-yaml', 0, cause instanceof Error ? cause.message : String(cause));
  }

  const offsetOf = (path: Path): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  };
  const offsetOfKey = (path: Path, key: string): number => {
    const parent = path.length === 0 ? document.contents : document.getIn(path, true);
    if (!isMap(parent)) return offsetOf(path);
    const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    return isScalar(pair?.key) && pair.key.range ? pair.key.range[0] : offsetOf(path);
  };
  return {
    value,
    invalid: (path, expected, found) =>
      failure('config-invalid', offsetOf(path), `${printPath(path)}: expected ${expected}, found ${found}`),
    shapeFailure: (issues) => {
      // A mistyped key often is also a missing one: the typo is the better message.
      const unknown = issues
        .map((issue) => deepest(issue))
        .find((issue) => issue.code === 'unrecognized_keys');
      const issue = unknown ?? deepest(issues[0]!);
      const { path, expected, found, unknownKey } = shapeProblem(issue, value);
      if (unknownKey === undefined) {
        return failure(
          'config-invalid',
          offsetOf(path),
          `${printPath(path)}: expected ${expected}, found ${found}`,
        );
      }
      const at = offsetOfKey(path, unknownKey);
      const unsupported = Object.hasOwn(UNSUPPORTED, unknownKey) ? UNSUPPORTED[unknownKey] : undefined;
      if (unsupported !== undefined)
        return failure('config-unsupported', at, `${unknownKey}: ${unsupported}`);
      const { place, keys } = knownKeys(path);
      const guess = nearest(unknownKey, keys);
      const help =
        guess === undefined ? `; it has ${keys.join(', ')}` : `; did you mean ${JSON.stringify(guess)}?`;
      return failure('config-unknown-key', at, `${place} has no key ${JSON.stringify(unknownKey)}${help}`);
    },
  };
}

/** Of a union, the alternative that got furthest, with the union's path put before its own. */
function deepest(issue: ShapeIssue): ShapeIssue {
  for (const alternative of issue.errors ?? []) {
    const [first] = alternative;
    if (first === undefined) continue;
    if (first.path.length > 0 || first.code === 'unrecognized_keys') {
      return deepest({ ...first, path: [...issue.path, ...first.path] });
    }
  }
  return issue;
}
