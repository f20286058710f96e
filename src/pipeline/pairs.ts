import { Failure } from '../base/failure.ts';
import type { Target } from '../config/config.ts';
import type { Profile } from '../profile/profile.ts';
import { readProfile } from '../profile/read.ts';
import type { GatePorts, TextFiles } from './ports.ts';
import { baselinePath, type Project, shownBaselinePath } from './project.ts';
import { type Run, runTargets } from './run-targets.ts';

/** A target's two profiles, or why there is no such pair. */
export type Pair =
  | { readonly kind: 'measured'; readonly target: Target; readonly base: Profile; readonly head: Profile }
  | { readonly kind: 'failed'; readonly target: Target; readonly failure: Failure };

export interface Base {
  readonly target: Target;
  readonly base: Profile | Failure;
}

/** Each target's committed baseline, or why it has none. */
export async function readBaselines(
  project: Project,
  targets: readonly Target[],
  files: TextFiles,
): Promise<readonly Base[]> {
  const bases: Base[] = [];
  for (const target of targets) {
    const base = await readBaseline(project, target, files).catch(asResult);
    bases.push({ target, base });
  }
  return bases;
}

/** Measures the targets that have a base. */
export async function runHead(
  project: Project,
  bases: readonly Base[],
  ports: GatePorts,
): Promise<readonly Pair[]> {
  const present = bases.filter(({ base }) => !(base instanceof Failure));
  const heads = await runTargets(
    present.map(({ target }) => countsOf(project, target, 'head')),
    ports,
  );
  return bases.map((each) => pairOf(each, heads[present.indexOf(each)]));
}

/** Measures the targets on both sides, so that even a single one keeps two cores busy. */
export async function runBaseAndHead(
  head: Project,
  base: Project,
  targets: readonly Target[],
  ports: GatePorts,
): Promise<readonly Pair[]> {
  const measured = await runTargets(
    [
      ...targets.map((target) => countsOf(base, target, 'base')),
      ...targets.map((target) => countsOf(head, target, 'head')),
    ],
    ports,
  );
  return targets.map((target, at) =>
    pairOf({ target, base: inMergeBase(measured[at]) }, measured[targets.length + at]),
  );
}

/**
 * The pairs with further chains: the head's, and the base's where that can be measured. Where this fails, a pair stays
 * as it is, because its verdict stands without the reason; a note says so.
 */
export async function withChains(
  wanted: readonly { readonly pair: Pair; readonly chains: readonly string[] }[],
  projects: { readonly head: Project; readonly base: Project | undefined },
  ports: GatePorts,
): Promise<readonly Pair[]> {
  const runs = wanted.flatMap(({ pair: { target }, chains }): Run[] => {
    if (chains.length === 0) return [];
    const head: Run = { project: projects.head, target, what: 'chains', chains };
    return projects.base === undefined ? [head] : [{ ...head, project: projects.base }, head];
  });
  const measured = [...(runs.length === 0 ? [] : await runTargets(runs, ports))];
  const take = (target: Target): Profile['chains'] => {
    const result = measured.shift()!;
    if (!(result instanceof Failure)) return result.chains;
    ports.note?.(target.name, `the longest chains could not be measured: ${result.message}`);
    return [];
  };
  return wanted.map(({ pair, chains }): Pair => {
    if (pair.kind === 'failed' || chains.length === 0) return pair;
    const { target } = pair;
    const base = projects.base === undefined ? pair.base : joined(pair.base, take(target));
    return { ...pair, base, head: joined(pair.head, take(target)) };
  });
}

function joined(profile: Profile, chains: Profile['chains']): Profile {
  return { ...profile, chains: [...profile.chains, ...chains] };
}

function countsOf(project: Project, target: Target, what: 'base' | 'head'): Run {
  return { project, target, what, chains: [] };
}

/** `head` is only absent where the base is a Failure. */
function pairOf({ target, base }: Base, head: Profile | Failure | undefined): Pair {
  if (base instanceof Failure) return { kind: 'failed', target, failure: base };
  if (head instanceof Failure) return { kind: 'failed', target, failure: head };
  return { kind: 'measured', target, base, head: head! };
}

function inMergeBase(result: Profile | Failure): Profile | Failure {
  if (!(result instanceof Failure)) return result;
  return new Failure(result.kind, result.code, `at the merge base: ${result.message}`, result.facts);
}

function asResult(problem: unknown): Failure {
  if (problem instanceof Failure) return problem;
  throw problem;
}

async function readBaseline(project: Project, target: Target, files: TextFiles): Promise<Profile> {
  const file = shownBaselinePath(project, target);
  const text = await files.read(baselinePath(project, target, files));
  if (text === undefined) {
    throw new Failure('config', 'baseline-missing', `there is no baseline ${file}`, {
      file,
      target: target.name,
    });
  }
  return readProfile(text, file);
}
