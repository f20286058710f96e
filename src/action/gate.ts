import { join } from 'node:path';
import { configFromCommand } from '../config/from-command.ts';
import { exitStatus, overallOutcome } from '../gate/result.ts';
import type { Verdict } from '../gate/verdict.ts';
import { check } from '../pipeline/check.ts';
import type { GatePorts, MergeBase } from '../pipeline/ports.ts';
import { loadProject, type Project } from '../pipeline/project.ts';
import { update } from '../pipeline/update.ts';
import type { Profile } from '../profile/profile.ts';
import { writeProfile } from '../profile/write.ts';
import { sourceNotes } from '../report/annotate.ts';
import { fenced } from '../report/escape.ts';
import { headline } from '../report/headline.ts';
import { verdictReport } from '../report/html/verdict-report.ts';
import { markdownReport } from '../report/markdown.ts';
import { plural } from '../report/numbers.ts';
import { NO_PAINT } from '../report/ports.ts';
import { updateReport } from '../report/update.ts';
import type { GateRequest, GateResult } from './ports.ts';

/** The pipeline's ports, except that only the event tells which merge base is meant. */
export interface HostPorts extends Omit<GatePorts, 'atMergeBase'> {
  readonly mergeBaseOf: (reference: string | undefined) => MergeBase;
}

/** The gate as the action runs it: the pipeline, with its report and profiles written to files. */
export function gateOver(host: HostPorts): (request: GateRequest) => Promise<GateResult> {
  return async (request) => {
    const ports: GatePorts = { ...host, atMergeBase: host.mergeBaseOf(request.base) };
    const project = await projectOf(request, ports);
    return request.updateBaseline
      ? updateBaseline(request, project, ports)
      : compare(request, project, ports);
  };
}

async function projectOf({ source, workingDirectory }: GateRequest, ports: GatePorts): Promise<Project> {
  switch (source.kind) {
    case 'config':
      return loadProject(source.path, workingDirectory, ports.files);
    case 'command':
      return { config: configFromCommand(source.command), directory: workingDirectory };
  }
}

async function compare(request: GateRequest, project: Project, ports: GatePorts): Promise<GateResult> {
  const { result, profiles } = await check(project, request.targets, ports);
  const verdicts = result.targets.flatMap((each) => (each.kind === 'judged' ? [each.verdict] : []));
  const outcome = overallOutcome(result);
  const markdown = markdownReport(result);
  return {
    verdict: outcome,
    passed: exitStatus(result) === 0,
    changed:
      outcome !== 'unchanged' &&
      (outcome !== 'passed' ||
        verdicts.some((each) => each.diff.counts === 'different' || boundsMoved(each))),
    regressions: verdicts
      .filter((each) => each.outcome === 'regression')
      .reduce((sum, each) => sum + each.findings.length, 0),
    headline: headline(result),
    markdown,
    annotations: sourceNotes(result).map(({ file, ...note }) =>
      file === undefined ? note : { ...note, file: ports.files.resolve(project.directory, file) },
    ),
    totals: totalsOf(profiles),
    ...(await writeResults(
      request.outputDirectory,
      { markdown, page: verdictReport(result) },
      profiles,
      ports,
    )),
  };
}

/** Code of the same counts may be scheduled worse. */
function boundsMoved({ diff: { bounds } }: Verdict): boolean {
  return bounds?.comparable === true && bounds.loops.some((loop) => loop.kind === 'changed');
}

async function updateBaseline(request: GateRequest, project: Project, ports: GatePorts): Promise<GateResult> {
  const updated = await update(project, request.targets, ports);
  const written = updated.filter((each) => each.kind !== 'unchanged');
  const sentence =
    written.length === 0
      ? 'The baseline is up to date.'
      : `Baseline updated: ${plural(written.length, 'target')}.`;
  const markdown = `${sentence}\n\n${fenced(updateReport(updated, NO_PAINT).trimEnd().split('\n'))}\n`;
  return {
    verdict: 'updated',
    passed: true,
    changed: written.length > 0,
    regressions: 0,
    headline: sentence,
    markdown,
    annotations: [],
    totals: totalsOf(updated),
    ...(await writeResults(request.outputDirectory, { markdown }, updated, ports)),
  };
}

type Measured = readonly { readonly target: string; readonly profile: Profile }[];

/** Absent where no target was measured: a value that was not measured is never 0. */
function totalsOf(measured: Measured): GateResult['totals'] {
  if (measured.length === 0) {
    return undefined;
  }
  const instructions = measured.reduce((sum, each) => sum + each.profile.total.instructions, 0);
  const cycles = measured.reduce((sum, each) => sum + each.profile.total.cycles, 0);
  return { instructions, cycles, ilp: Math.round((instructions / cycles) * 10_000) / 10_000 };
}

async function writeResults(
  directory: string,
  { markdown, page }: { readonly markdown: string; readonly page?: string },
  measured: Measured,
  ports: GatePorts,
): Promise<Pick<GateResult, 'reportPath' | 'pagePath' | 'profilePaths'>> {
  const report = { path: join(directory, 'report.md'), text: `${markdown.trimEnd()}\n` };
  const pages = page === undefined ? [] : [{ path: join(directory, 'report.html'), text: page }];
  const profiles = measured.map(({ target, profile }) => ({
    path: join(directory, `${target}.json`),
    text: writeProfile(profile),
  }));
  await ports.files.writeAll([report, ...pages, ...profiles]);
  return {
    reportPath: report.path,
    ...(pages[0] === undefined ? {} : { pagePath: pages[0].path }),
    profilePaths: profiles.map((each) => each.path),
  };
}
