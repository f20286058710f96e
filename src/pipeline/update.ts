import type { Profile } from '../profile/profile.ts';
import { writeProfile } from '../profile/write.ts';
import { build } from './check.ts';
import type { GatePorts } from './ports.ts';
import { baselinePath, type Project, selectTargets, shownBaselinePath } from './project.ts';
import { runTarget } from './run-target.ts';
import { trimCalls } from './trim-calls.ts';
import { trimChains } from './trim-chains.ts';

export interface UpdatedBaseline {
  readonly target: string;
  /** As the configuration names it. */
  readonly file: string;
  readonly kind: 'created' | 'changed' | 'unchanged';
  readonly profile: Profile;
}

/** Builds, measures every target and writes the baselines, after the last measurement succeeded: all of them or none. */
export async function update(
  project: Project,
  names: readonly string[],
  ports: GatePorts,
): Promise<readonly UpdatedBaseline[]> {
  const targets = selectTargets(project.config, names);
  await build(project, ports);
  const updated: UpdatedBaseline[] = [];
  const writes: { path: string; text: string }[] = [];
  for (const target of targets) {
    const profile = trimChains(trimCalls(await runTarget(project, target, ports)));
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
