import type { CallProfile, ChainLink, Profile } from './profile.ts';
import { inner, list, row } from './rows.ts';
import { writeLoop, writeRunBounds } from './write-loops.ts';

/**
 * Canonical JSON: fixed key order, LF, two-space indentation, one row per line (a function, a call, a link), so that
 * a committed baseline diffs in review as a table would. The same profile always gives the same bytes.
 */
export function writeProfile(profile: Profile): string {
  const { environment } = profile;
  const members = [
    member('format', profile.format),
    member('version', profile.version),
    ...(profile.target === undefined ? [] : [member('target', profile.target)]),
    member('command', profile.command),
    `"total": ${row(profile.total, TOTAL_KEYS)}`,
    ...(profile.processes === undefined
      ? []
      : [`"processes": ${list(profile.processes.map((each) => row(each, PROGRAM_KEYS)))}`]),
    ...(profile.threads === undefined
      ? []
      : [`"threads": ${list(profile.threads.map((each) => row(each, THREAD_KEYS)))}`]),
    `"functions": ${list(profile.functions.map((each) => row(each, FUNCTION_KEYS)))}`,
    `"calls": ${callTree(profile.calls)}`,
    `"chains": ${list(
      profile.chains.map((chain) => {
        const links = list(chain.links.map(writeLink), '    ');
        const rest = chain.rest?.map((each) => row(each, REST_KEYS));
        const tail = rest === undefined ? '' : `, "rest": ${list(rest, '    ')}`;
        return `{ ${inner(chain, CHAIN_KEYS)}, "links": ${links}${tail} }`;
      }),
    )}`,
    ...(profile.bounds === undefined ? [] : [`"bounds": ${writeRunBounds(profile.bounds)}`]),
    ...(profile.loops === undefined ? [] : [`"loops": ${list(profile.loops.map(writeLoop))}`]),
    `"environment": {\n    ${[
      member('tool', environment.tool),
      member('rules', environment.rules),
      member('isa', environment.isa),
      `"program": ${row(environment.program, MODULE_KEYS)}`,
      `"libraries": ${list(
        environment.libraries.map((each) => row(each, MODULE_KEYS)),
        '    ',
      )}`,
      ...(environment.children === undefined ? [] : [member('children', environment.children)]),
      ...(environment.others === undefined
        ? []
        : [
            `"others": ${list(
              environment.others.map((each) => row(each, MODULE_KEYS)),
              '    ',
            )}`,
          ]),
      `"compilers": ${list(
        environment.compilers.map((each) => JSON.stringify(each)),
        '    ',
      )}`,
    ].join(',\n    ')}\n  }`,
  ];
  return `{\n  ${members.join(',\n  ')}\n}\n`;
}

const TOTAL_KEYS = ['instructions', 'cycles', 'ilp'] as const;
const PROGRAM_KEYS = ['program', 'process', 'parent', 'instructions', 'cycles'] as const;
const THREAD_KEYS = ['index', 'function', ...TOTAL_KEYS] as const;
const FUNCTION_KEYS = ['name', 'file', 'line', 'calls', ...TOTAL_KEYS] as const;
const CALL_KEYS = ['function', 'depth', 'index', ...TOTAL_KEYS, 'aggregated'] as const;
const CHAIN_KEYS = ['function', 'call', 'length'] as const;
const PLACE_KEYS = ['address', 'instruction', 'function', 'file', 'line'] as const;
const INLINED_KEYS = ['function', 'file', 'line'] as const;
const SHARE_KEYS = ['count', 'share'] as const;
const REST_KEYS = ['module', 'function', 'links', 'count'] as const;
const MODULE_KEYS = ['name', 'buildId', 'sha256', 'loaded'] as const;

/** Deeper calls are not indented further: recursion would make the file quadratic in its depth. */
const DEEPEST_INDENT = 24;

function writeLink(link: ChainLink): string {
  const inlined =
    link.inlined === undefined
      ? ''
      : `, "inlined": [${link.inlined.map((each) => row(each, INLINED_KEYS)).join(', ')}]`;
  return `{ ${inner(link, PLACE_KEYS)}${inlined}, ${inner(link, SHARE_KEYS)} }`;
}

function member(key: string, value: string | number | readonly string[]): string {
  return `${JSON.stringify(key)}: ${Array.isArray(value) ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]` : JSON.stringify(value)}`;
}

/** Iterative, because the tree is as deep as the guest's recursion. */
function callTree(roots: readonly CallProfile[]): string {
  if (roots.length === 0) return '[]';
  const lines = ['['];
  const open: { readonly calls: readonly CallProfile[]; next: number }[] = [{ calls: roots, next: 0 }];
  const indent = (level: number): string => '  '.repeat(Math.min(level, DEEPEST_INDENT));
  while (open.length > 0) {
    const top = open[open.length - 1]!;
    const call = top.calls[top.next];
    const level = open.length + 1;
    if (call === undefined) {
      open.pop();
      const parent = open[open.length - 1];
      if (parent === undefined) break;
      const comma = parent.next < parent.calls.length ? ',' : '';
      lines.push(`${indent(level - 1)}] }${comma}`);
      continue;
    }
    top.next += 1;
    const comma = top.next < top.calls.length ? ',' : '';
    if (call.calls.length === 0) {
      lines.push(`${indent(level)}{ ${inner(call, CALL_KEYS)}, "calls": [] }${comma}`);
    } else {
      lines.push(`${indent(level)}{ ${inner(call, CALL_KEYS)}, "calls": [`);
      open.push({ calls: call.calls, next: 0 });
    }
  }
  lines.push('  ]');
  return lines.join('\n');
}
