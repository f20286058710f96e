import { Failure } from '../base/failure.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import { judge } from '../gate/judge.ts';
import { unjudgedBounds } from '../gate/judge-bounds.ts';
import type { Limits } from '../gate/limits.ts';
import type { GateResult } from '../gate/result.ts';
import type { Profile } from '../profile/profile.ts';
import { readProfile } from '../profile/read.ts';
import type { TextFiles } from './ports.ts';
import { functionsReliedOn, type Project } from './project.ts';

/**
 * Holds one stored profile against another. The limits are those of the project's target of the same name, where a
 * project is given, else the defaults. Throws Failure: profile-missing, those of readProfile and of limits on bounds that the profiles lack.
 */
export async function diffFiles(
  paths: { readonly base: string; readonly head: string; readonly workingDirectory: string },
  files: TextFiles,
  project?: Project,
): Promise<GateResult> {
  const base = await readStored(paths.base, paths.workingDirectory, files);
  const head = await readStored(paths.head, paths.workingDirectory, files);
  const target = project?.config.targets.find((each) => each.name === head.target);
  const levels: Limits[] = [project?.config.limits ?? {}, target?.limits ?? {}];
  const diff = diffProfiles(base, head);
  const failure = unjudgedBounds(diff, levels);
  if (failure !== undefined) throw failure;
  const verdict = judge(diff, levels, target === undefined ? [] : functionsReliedOn(target));
  return { targets: [{ kind: 'judged', target: head.target ?? head.command[0] ?? paths.head, verdict }] };
}

async function readStored(path: string, workingDirectory: string, files: TextFiles): Promise<Profile> {
  const text = await files.read(files.resolve(workingDirectory, path));
  if (text === undefined)
    throw new Failure('usage', 'profile-missing', `there is no file ${path}`, { file: path });
  return readProfile(text, path);
}
