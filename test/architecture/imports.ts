import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ParseResult, parseSync, Visitor } from 'oxc-parser';

/** Paths relative to src/, with `/`, and their text. */
export type Sources = ReadonlyMap<string, string>;

/** One import, of a type or a value, by whatever syntax. */
export interface Import {
  /** Path relative to src/. */
  readonly from: string;
  /** Path relative to src/, or the name of a package or node: module. */
  readonly to: string;
  readonly kind: 'file' | 'package';
}

/** The shipped sources: tests and their fixtures may import what they like. */
export function shippedSources(root: string): Sources {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .filter((file) => !file.endsWith('.test.ts') && !file.split('/').includes('fixtures'))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Every import of every file. Throws where a file cannot be parsed or an import's target is not a literal. */
export function importsOf(sources: Sources): readonly Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...new Set(requestsOf(from, text))].map((request): Import => {
      if (!request.startsWith('.')) return { from, to: request, kind: 'package' };
      return { from, to: posix.join(posix.dirname(from), request), kind: 'file' };
    }),
  );
}

function requestsOf(file: string, text: string): string[] {
  const { module, program } = parse(file, text);
  const requests = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
      const literal = /^(['"`])([^'"`$]+)\1$/.exec(text.slice(start, end));
      if (!literal) throw new Error(`${file}: import(${text.slice(start, end)}) is not a literal`);
      return literal[2];
    }),
  ];
  // `import('./x.ts').T` in a type is an import too, which the module record leaves out.
  new Visitor({
    TSImportType(node) {
      requests.push(node.source.value);
    },
  }).visit(program);
  return requests;
}

/** Where a file names a member such as `Math.random`: `file:line`. */
export function usesOfMember(sources: Sources, object: string, property: string): readonly string[] {
  return [...sources].flatMap(([file, text]) => {
    const found: string[] = [];
    new Visitor({
      MemberExpression(node) {
        if (node.object.type !== 'Identifier' || node.object.name !== object) return;
        if (node.property.type !== 'Identifier' || node.property.name !== property) return;
        found.push(`${file}:${text.slice(0, node.start).split('\n').length}`);
      },
    }).visit(parse(file, text).program);
    return found;
  });
}

/** A cycle among the edges as the nodes on it, first and last the same; undefined where there is none. */
export function cycleIn(edges: Iterable<readonly [from: string, to: string]>): readonly string[] | undefined {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) {
    const targets = next.get(from);
    if (targets) targets.push(to);
    else next.set(from, [to]);
  }
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): readonly string[] | undefined => {
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node];
    if (finished.has(node)) return undefined;
    path.push(node);
    for (const target of next.get(node) ?? []) {
      const cycle = visit(target);
      if (cycle) return cycle;
    }
    path.pop();
    finished.add(node);
    return undefined;
  };
  for (const node of next.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}

function parse(file: string, text: string): ParseResult {
  const result = parseSync(file, text);
  if (result.errors.length > 0) throw new Error(`${file}: ${result.errors[0].message}`);
  return result;
}
