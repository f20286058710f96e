import { Failure } from '../base/failure.ts';
import type { Target } from '../config/config.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import { judge } from '../gate/judge.ts';
import type { GateResult, TargetResult } from '../gate/result.ts';
import type { Finding, Verdict } from '../gate/verdict.ts';
import type { Profile } from '../profile/profile.ts';
import { readProfile } from '../profile/read.ts';
import type { GatePorts } from './ports.ts';
import {
  baselinePath,
  functionsLimited,
  functionsReliedOn,
  type Project,
  selectTargets,
  shownBaselinePath,
} from './project.ts';
import { runTarget } from './run-target.ts';

export interface CheckResult {
  readonly result: GateResult;
  /** What was measured now, of every target that could be. */
  readonly profiles: readonly { readonly target: string; readonly profile: Profile }[];
}

/**
 * Builds, measures every target and holds it against its base. A target that cannot be judged does not keep the
 * others from it: its Failure is part of the result. Throws Failure where no target could be (unknown-target, build-failed).
 */
export async function check(
  project: Project,
  names: readonly string[],
  ports: GatePorts,
): Promise<CheckResult> {
  const targets = selectTargets(project.config, names);
  await build(project, ports);
  const bases = await basesOf(project, targets, ports);
  const measured = new Map<string, Profile | Failure>();
  for (const target of targets) {
    const base = bases.get(target.name)!;
    const profile = base instanceof Failure ? base : await failureOr(() => runTarget(project, target, ports));
    measured.set(target.name, profile);
  }
  const uncalled = names.length === 0 ? limitedButNotCalled(project, [...measured.values()]) : [];

  const results: TargetResult[] = [];
  const profiles: { target: string; profile: Profile }[] = [];
  for (const target of targets) {
    const base = bases.get(target.name)!;
    const head = measured.get(target.name)!;
    const judged = await failureOr(async () => {
      if (base instanceof Failure) throw base;
      if (head instanceof Failure) throw head;
      return judgeTarget(project, target, { base, head, uncalled }, ports);
    });
    if (judged instanceof Failure) {
      results.push({ kind: 'failed', target: target.name, failure: judged });
    } else {
      profiles.push({ target: target.name, profile: judged.profile });
      results.push({ kind: 'judged', target: target.name, verdict: judged.verdict });
    }
  }
  return { result: { targets: results }, profiles };
}

/**
 * Functions that the configuration's own limits name but no target called: most likely mistyped or renamed.
 * Unknown as long as a target could not be measured.
 */
function limitedButNotCalled({ config }: Project, measured: readonly (Profile | Failure)[]): string[] {
  const called = new Set<string>();
  for (const profile of measured) {
    if (profile instanceof Failure) return [];
    for (const each of profile.functions) called.add(each.name);
  }
  return functionsLimited(config.limits).filter((name) => !called.has(name));
}

export async function build(project: Project, ports: GatePorts): Promise<void> {
  if (project.config.build !== undefined) await ports.build(project.config.build, project.directory);
}

async function judgeTarget(
  project: Project,
  target: Target,
  {
    base,
    head,
    uncalled,
  }: { readonly base: Profile; readonly head: Profile; readonly uncalled: readonly string[] },
  ports: GatePorts,
): Promise<{ readonly profile: Profile; readonly verdict: Verdict }> {
  const levels = [project.config.limits, target.limits];
  const judged = (profile: Profile): Verdict =>
    judge(diffProfiles(base, profile), levels, [...functionsReliedOn(target), ...uncalled]);
  const verdict = judged(head);
  const unexplained = functionsUnexplained(verdict.findings);
  if (unexplained.length === 0) return { profile: head, verdict };
  // The run is deterministic: measuring again only adds the chains that now turn out to be wanted.
  const explained = await runTarget(project, target, ports, unexplained);
  return { profile: explained, verdict: judged(explained) };
}

function functionsUnexplained(findings: readonly Finding[]): string[] {
  const wanted = findings.filter((each) => each.metric !== 'instructions' && each.cause === undefined);
  return [...new Set(wanted.flatMap((each) => each.function ?? []))];
}

/** Each target's base, or why it has none. */
async function basesOf(
  project: Project,
  targets: readonly Target[],
  ports: GatePorts,
): Promise<ReadonlyMap<string, Profile | Failure>> {
  const each = async (
    work: (target: Target) => Promise<Profile>,
  ): Promise<Map<string, Profile | Failure>> => {
    const bases = new Map<string, Profile | Failure>();
    for (const target of targets) bases.set(target.name, await failureOr(() => work(target)));
    return bases;
  };
  switch (project.config.base) {
    case 'baseline':
      return each((target) => readBaseline(project, target, ports));
    case 'merge-base':
      return ports.atMergeBase(project.directory, async (directory) => {
        const atBase = { ...project, directory };
        await build(atBase, ports);
        return each((target) => runTarget(atBase, target, ports).catch(inMergeBase));
      });
  }
}

function inMergeBase(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  throw new Failure(error.kind, error.code, `at the merge base: ${error.message}`, error.facts);
}

async function failureOr<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

async function readBaseline(project: Project, target: Target, ports: GatePorts): Promise<Profile> {
  const file = shownBaselinePath(project, target);
  const text = await ports.files.read(baselinePath(project, target, ports.files));
  if (text === undefined) {
    throw new Failure('config', 'baseline-missing', `there is no baseline ${file}`, {
      file,
      target: target.name,
    });
  }
  return readProfile(text, file);
}
