import { Failure } from '../base/failure.ts';
import type { Profile } from '../profile/profile.ts';
import { writeProfile } from '../profile/write.ts';
import type { GatePorts } from './ports.ts';
import { baselinePath, build, type Project, selectTargets, shownBaselinePath } from './project.ts';
import { chainsRecorded, functionsMeasured, type Run, runTargets } from './run-targets.ts';
import { trimCalls } from './trim-calls.ts';
import { trimChains } from './trim-chains.ts';
import { trimLoops } from './trim-loops.ts';

export interface UpdatedBaseline {
  readonly target: string;
  /** As the configuration names it. */
  readonly file: string;
  readonly kind: 'created' | 'changed' | 'unchanged';
  readonly profile: Profile;
}

/**
 * Builds, measures every target and writes the baselines, after the last measurement succeeded: all of them or none.
 * Throws Failure: that of the first target, in the order of the configuration, that could not be measured.
 */
export async function update(
  project: Project,
  names: readonly string[],
  ports: GatePorts,
): Promise<readonly UpdatedBaseline[]> {
  const targets = selectTargets(project.config, names);
  await build(project, ports);
  const updated: UpdatedBaseline[] = [];
  const writes: { path: string; text: string }[] = [];
  const runs = targets.map(
    (target): Run => ({ project, target, what: 'head', chains: chainsRecorded(project, target) }),
  );
  for (const [at, measured] of (await runTargets(runs, ports)).entries()) {
    if (measured instanceof Failure) throw measured;
    const { target } = runs[at];
    const profile = trimLoops(trimChains(trimCalls(measured)), functionsMeasured(project.config, target));
    const path = baselinePath(project, target, ports.files);
    const text = writeProfile(profile);
    const before = await ports.files.read(path);
    const kind = before === undefined ? 'created' : before === text ? 'unchanged' : 'changed';
    updated.push({ target: target.name, file: shownBaselinePath(project, target), kind, profile });
    if (kind !== 'unchanged') writes.push({ path, text });
  }
  await ports.files.writeAll(writes);
  return updated;
}
