import type { FunctionDiff, LineShare } from '../diff/diff.ts';
import { BOUND_METRICS, type CountMetric } from '../gate/limits.ts';
import type { BoundFinding, Cause, CountFinding, Finding, Verdict } from '../gate/verdict.ts';
import type { LoopProfile } from '../profile/loops.ts';
import type { ChainLink, Profile, Totals } from '../profile/profile.ts';

/** A verdict arranged for readers; what the text, Markdown and annotations have in common. */
export interface View {
  /** The run and the functions that changed, the run first. */
  readonly changed: readonly Row[];
  readonly unchanged: readonly Row[];
  /** Each different reason once, with the findings it explains. */
  readonly explanations: readonly Explanation[];
  /** Findings that the profiles do not explain. */
  readonly unexplained: readonly Finding[];
}

export interface Row {
  /** Absent for the whole run. */
  readonly name?: string;
  readonly file?: string;
  readonly base?: Totals;
  readonly head?: Totals;
  readonly calls?: { readonly base?: number; readonly head?: number };
  readonly renamedFrom?: string;
  /** The metrics whose limit is passed. */
  readonly passedLimits: readonly CountMetric[];
}

export interface Explanation {
  readonly cause: Cause;
  readonly findings: readonly Finding[];
}

export function viewOf(verdict: Verdict): View {
  const rows = [
    runRow(verdict),
    ...verdict.diff.functions.map((each) => functionRow(each, verdict.findings)),
  ];
  const explained = verdict.findings.filter((finding) => finding.cause !== undefined);
  return {
    changed: rows.filter(isChanged),
    unchanged: rows.filter((row) => !isChanged(row)),
    explanations: group(explained),
    unexplained: verdict.findings.filter((finding) => finding.cause === undefined),
  };
}

function runRow({ diff, findings }: Verdict): Row {
  return { base: diff.total.base, head: diff.total.head, passedLimits: metricsOf(findings, undefined) };
}

function functionRow(each: FunctionDiff, findings: readonly Finding[]): Row {
  const about = each.kind === 'vanished' ? each.base : each.head;
  return {
    name: about.name,
    ...(about.file === undefined ? {} : { file: about.file }),
    ...(each.kind === 'appeared' ? {} : { base: each.base }),
    ...(each.kind === 'vanished' ? {} : { head: each.head }),
    calls: {
      ...(each.kind === 'appeared' ? {} : { base: each.base.calls }),
      ...(each.kind === 'vanished' ? {} : { head: each.head.calls }),
    },
    ...(each.kind === 'renamed' ? { renamedFrom: each.base.name } : {}),
    passedLimits: metricsOf(findings, about),
  };
}

function metricsOf(
  findings: readonly Finding[],
  about: { readonly name: string; readonly file?: string } | undefined,
): CountMetric[] {
  return findings
    .filter(isOfCounts)
    .filter((each) => each.function === about?.name && each.file === about?.file)
    .map((each) => each.metric);
}

function isOfCounts(finding: Finding): finding is CountFinding {
  return !isOfBounds(finding);
}

export function isOfBounds(finding: Finding): finding is BoundFinding {
  return (BOUND_METRICS as readonly string[]).includes(finding.metric);
}

function isChanged(row: Row): boolean {
  if (row.base === undefined || row.head === undefined || row.renamedFrom !== undefined) return true;
  const moved = row.base.instructions !== row.head.instructions || row.base.cycles !== row.head.cycles;
  return moved || row.calls?.base !== row.calls?.head;
}

/** One explanation per culprit: the run, main and the function itself mostly fail for one and the same line. */
function group(findings: readonly Finding[]): Explanation[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = culprit(finding.cause!);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [finding]);
    else members.push(finding);
  }
  return [...groups.values()].map((members) => ({
    cause: representative(members).cause!,
    findings: members,
  }));
}

function culprit(cause: Cause): string {
  switch (cause.kind) {
    case 'chain':
      return culpritLine(cause.growth.line);
    case 'new-chain':
      return culpritLine(cause.line);
    case 'function':
      return JSON.stringify(['function', cause.path[cause.path.length - 1]]);
    case 'loop':
      return JSON.stringify(['loop', cause.pair.head.function, cause.pair.head.address]);
    case 'new-loop':
      return JSON.stringify(['loop', cause.loop.function, cause.loop.address]);
  }
}

function culpritLine({ module, file, line, function: name }: LineShare): string {
  return JSON.stringify(file === undefined ? [module, name] : [file, line]);
}

/** Of findings with one culprit, the one nearest to it: its own function's chain, or the longest way down to it. */
function representative(findings: readonly Finding[]): Finding {
  const own = findings.find(
    ({ cause, ...finding }) => cause?.kind === 'chain' && cause.growth.line.function === finding.function,
  );
  if (own !== undefined) return own;
  const depth = ({ cause }: Finding): number => (cause?.kind === 'function' ? cause.path.length : 0);
  return findings.reduce((best, each) => (depth(each) > depth(best) ? each : best));
}

/** `sum.c:12`, or the function, or the module, as far as the program's symbols tell. */
export function placeOf(line: Pick<LineShare, 'file' | 'line' | 'function' | 'module'>): string {
  if (line.file !== undefined) return line.line === undefined ? line.file : `${line.file}:${line.line}`;
  return line.function ?? line.module;
}

/**
 * Where the function that holds the line's code has the call which was replaced by that code: `sum.c:30` for a line of what was
 * inlined there. Undefined where nothing was, or where its links come from several places.
 */
export function inlinedAt({ links }: Pick<LineShare, 'links'>): string | undefined {
  const places = new Set(
    links.map(({ inlined }) => {
      const { file, line } = inlined?.at(-1) ?? {};
      return file === undefined || line === undefined ? undefined : `${file}:${line}`;
    }),
  );
  return places.size === 1 ? [...places][0] : undefined;
}

/** The same as the end of a clause; empty where there is none. */
export function inlinedThere(line: Pick<LineShare, 'links'>, show: (text: string) => string): string {
  const place = inlinedAt(line);
  return place === undefined ? '' : `, inlined at ${show(place)}`;
}

/** With its address where neither a line nor a function says where it is. */
export function instructionOf({ instruction, address, file, function: name }: ChainLink): string {
  return file === undefined && name === undefined ? `${instruction} at ${address}` : instruction;
}

/** The run, the function or the loop that a finding is about. Foreign names are passed through `show`. */
export function subjectOf(finding: Finding, show: (text: string) => string): string {
  if ('loop' in finding && finding.loop !== undefined) return nameLoop(finding.loop.head, show);
  return finding.function === undefined ? 'the whole run' : show(finding.function);
}

/** `the loop at dot.c:7 in dot`. */
/** What a chain without a function is of: with several programs, that of one of them (rule 11). */
export function runOf({ processes }: Pick<Profile, 'processes'>): string {
  return processes === undefined ? 'the whole run' : 'the first process’s last program';
}

export function nameLoop(loop: LoopProfile, show: (text: string) => string): string {
  return `the loop at ${show(placeOfLoop(loop))} in ${show(loop.function)}`;
}

/** `dot.c:7`, or its address where no line is known. */
export function placeOfLoop({ file, line, address }: LoopProfile): string {
  if (file === undefined) return line === undefined ? address : `line ${line}`;
  return line === undefined ? file : `${file}:${line}`;
}

/** Whether the numbers of base and head mean the same: else no table may put them side by side. */
export function isComparable(verdict: Verdict): boolean {
  return !verdict.notes.some((note) => note.kind === 'environment' && !note.comparable);
}
