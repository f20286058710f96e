import type { Target } from '../config/config.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import { withoutParameters } from '../elf/names.ts';
import { judge } from '../gate/judge.ts';
import { unjudgedBounds } from '../gate/judge-bounds.ts';
import type { GateResult, TargetResult } from '../gate/result.ts';
import type { Finding, Verdict } from '../gate/verdict.ts';
import type { Profile } from '../profile/profile.ts';
import { type Pair, readBaselines, runBaseAndHead, runHead, withChains } from './pairs.ts';
import type { GatePorts } from './ports.ts';
import { build, functionsLimited, functionsReliedOn, type Project, selectTargets } from './project.ts';
import { chainsRecorded } from './run-targets.ts';

export interface CheckResult {
  readonly result: GateResult;
  /** What was measured now, of every target that could be. Its chains are those that a verdict needed. */
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
  switch (project.config.base) {
    case 'baseline': {
      const bases = await readBaselines(project, targets, ports.files);
      return judgeAll({ project, all: names.length === 0 }, await runHead(project, bases, ports), ports);
    }
    case 'merge-base':
      return ports.atMergeBase(project.directory, async (directory) => {
        const atBase = { ...project, directory };
        await build(atBase, ports);
        const pairs = await runBaseAndHead(project, atBase, targets, ports);
        return judgeAll({ project, atBase, all: names.length === 0 }, pairs, ports);
      });
  }
}

interface Scene {
  readonly project: Project;
  /** Where the base was measured and can be again; absent where it is a stored profile. */
  readonly atBase?: Project;
  /** Whether the pairs are all targets of the configuration. */
  readonly all: boolean;
}

/**
 * The verdict itself needs no chain, and to follow one takes several times as long as to count: chains are measured where a
 * limit on cycles or ILP was passed, because the report says why. The run is deterministic, so that measuring again only
 * adds what was left out.
 */
async function judgeAll(scene: Scene, pairs: readonly Pair[], ports: GatePorts): Promise<CheckResult> {
  const { project, atBase } = scene;
  const judgeable = pairs.map((pair) => withJudgeableBounds(project, pair));
  const uncalled = scene.all ? limitedButNotCalled(project, judgeable) : [];
  const verdictOf = (pair: Pair): Verdict | undefined =>
    pair.kind === 'measured' ? judgePair(project, pair, uncalled) : undefined;
  const explain = (
    judged: readonly Pair[],
    wanted: (target: Target, verdict: Verdict) => readonly string[],
  ) =>
    withChains(
      judged.map((pair) => {
        const verdict = verdictOf(pair);
        return { pair, chains: verdict === undefined ? [] : wanted(pair.target, verdict) };
      }),
      { head: project, base: atBase },
      ports,
    );

  const first = await explain(judgeable, (target, { findings }) =>
    findings.some(isAboutChains) ? chainsRecorded(project, target) : [],
  );
  const explained = await explain(first, (target, { findings }) => {
    const known = chainsRecorded(project, target);
    return functionsUnexplained(findings).filter((name) => !known.includes(name));
  });
  const profiles: { target: string; profile: Profile }[] = [];
  const results = explained.map((pair): TargetResult => {
    const target = pair.target.name;
    if (pair.kind === 'failed') return { kind: 'failed', target, failure: pair.failure };
    profiles.push({ target, profile: pair.head });
    return { kind: 'judged', target, verdict: judgePair(project, pair, uncalled) };
  });
  return { result: { targets: results }, profiles };
}

/** Limits on bounds that cannot be applied stop a target, as a missing baseline does. */
function withJudgeableBounds({ config }: Project, pair: Pair): Pair {
  if (pair.kind === 'failed') return pair;
  const { target, base, head } = pair;
  const failure = unjudgedBounds(diffProfiles(base, head), [config.limits, target.limits]);
  return failure === undefined ? pair : { kind: 'failed', target, failure };
}

function judgePair(
  { config }: Project,
  { target, base, head }: Extract<Pair, { kind: 'measured' }>,
  uncalled: readonly string[],
): Verdict {
  return judge(
    diffProfiles(base, head),
    [config.limits, target.limits],
    [...functionsReliedOn(target).filter((name) => !isShortFor(name, head)), ...uncalled],
  );
}

/** What is measured under a name without parameters has its whole name in the profile. Limits are for whole names. */
function isShortFor(name: string, { functions }: Profile): boolean {
  return functions.some((each) => withoutParameters(each.name) === name);
}

/**
 * Functions that the configuration's own limits name but no target called: most likely mistyped or renamed.
 * Unknown as long as a target could not be measured.
 */
function limitedButNotCalled({ config }: Project, pairs: readonly Pair[]): string[] {
  const called = new Set<string>();
  for (const pair of pairs) {
    if (pair.kind === 'failed') return [];
    for (const each of pair.head.functions) called.add(each.name);
  }
  return functionsLimited(config.limits).filter((name) => !called.has(name));
}

function isAboutChains({ metric }: Finding): boolean {
  return metric === 'cycles' || metric === 'ilp';
}

function functionsUnexplained(findings: readonly Finding[]): string[] {
  const wanted = findings.filter((each) => isAboutChains(each) && each.cause === undefined);
  return [...new Set(wanted.flatMap((each) => each.function ?? []))];
}
