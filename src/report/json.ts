import type { ChainDiff, FunctionDiff, LineShare } from '../diff/diff.ts';
import { printLimit } from '../gate/limits.ts';
import { exitStatus, type GateResult, overallOutcome, type TargetResult } from '../gate/result.ts';
import type { Cause, Finding } from '../gate/verdict.ts';
import type { Totals } from '../profile/profile.ts';
import { headline } from './headline.ts';
import { boundsJson, changeJson, loopIdentity } from './json-bounds.ts';
import { remedyFor } from './remedies.ts';

const VERDICT_FORMAT = 'ilp-gate/verdict';
/** Raised when a key changes its meaning or goes; new keys may come without. */
const VERDICT_VERSION = 1;

/** The report for programs. Keys keep their order and meaning within a version. Ends with a newline. */
export function jsonReport(result: GateResult): string {
  const report = {
    format: VERDICT_FORMAT,
    version: VERDICT_VERSION,
    outcome: overallOutcome(result),
    exitStatus: exitStatus(result),
    headline: headline(result, (text) => text),
    targets: result.targets.map(targetJson),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function targetJson(result: TargetResult): object {
  if (result.kind === 'failed') {
    const { kind, code, message, facts } = result.failure;
    return {
      target: result.target,
      outcome: 'failed',
      failure: { kind, code, message, remedy: remedyFor(result.failure), facts },
    };
  }
  const { outcome, findings, notes, diff } = result.verdict;
  return {
    target: result.target,
    outcome,
    binary: diff.binary,
    counts: diff.counts,
    command: diff.command,
    environment: diff.environment,
    notes,
    total: { base: totals(diff.total.base), head: totals(diff.total.head) },
    findings: findings.map(findingJson),
    functions: diff.functions.map(functionJson),
    chains: diff.chains.map(chainJson),
    bounds: diff.bounds && boundsJson(diff.bounds),
  };
}

function findingJson(finding: Finding): object {
  const { metric, limit, cause, function: name, file, line, base, head, delta } = finding;
  return {
    metric,
    function: name,
    file,
    line,
    loop: 'loop' in finding && finding.loop ? finding.loop.head.address : undefined,
    base,
    head,
    delta,
    limit: printLimit(metric, limit),
    cause: cause && causeJson(cause),
  };
}

function causeJson(cause: Cause): object {
  switch (cause.kind) {
    case 'chain': {
      const { line, link, baseCount, headCount } = cause.growth;
      return {
        kind: 'chain',
        chain: cause.chain.function ?? 'run',
        file: line.file,
        line: line.line,
        function: line.function,
        baseCount,
        headCount,
        link: link && { address: link.address, instruction: link.instruction, count: link.count },
      };
    }
    case 'new-chain': {
      const { chain, line, link } = cause;
      return {
        kind: 'new-chain',
        chain: chain.function ?? 'run',
        file: line.file,
        line: line.line,
        function: line.function,
        headCount: line.count,
        link: link && { address: link.address, instruction: link.instruction, count: link.count },
      };
    }
    case 'function':
      return { kind: 'function', path: cause.path, delta: cause.delta, file: cause.file, line: cause.line };
    case 'loop':
      return { kind: 'loop', ...loopIdentity(cause.pair.head), causes: cause.pair.causes.map(changeJson) };
    case 'new-loop':
      return { kind: 'new-loop', ...loopIdentity(cause.loop), runTime: cause.loop.runTime };
  }
}

function functionJson(each: FunctionDiff): object {
  const about = each.kind === 'vanished' ? each.base : each.head;
  return {
    name: about.name,
    file: about.file,
    line: about.line,
    change: each.kind,
    renamed: each.kind === 'renamed' ? { from: each.base.name, because: each.because } : undefined,
    base: each.kind === 'appeared' ? undefined : { calls: each.base.calls, ...totals(each.base) },
    head: each.kind === 'vanished' ? undefined : { calls: each.head.calls, ...totals(each.head) },
  };
}

function chainJson(chain: ChainDiff): object {
  return {
    function: chain.function,
    base: chain.base && { length: chain.base.length },
    head: { length: chain.head.length },
    lines: chain.lines.map(({ base, head, delta }) => ({
      base: base && share(base),
      head: head && share(head),
      delta,
    })),
  };
}

function share({ file, line, function: name, count, share }: LineShare): object {
  return { file, line, function: name, count, share: Math.round(share * 10_000) / 10_000 };
}

function totals({ instructions, cycles, ilp }: Totals): Totals {
  return { instructions, cycles, ilp };
}
