import { Failure } from '../base/failure.ts';
import type { Config, Target } from '../config/config.ts';
import { nearest } from '../config/nearest.ts';
import { readConfig } from '../config/read.ts';
import type { Limits } from '../gate/limits.ts';
import { machineNamed } from './machine.ts';
import type { GatePorts, TextFiles } from './ports.ts';

/** A configuration and where it applies. */
export interface Project {
  readonly config: Config;
  /** Absolute; the paths of the configuration are relative to it, and the guests start in it. */
  readonly directory: string;
}

/** Reads a project's configuration. Throws Failure (`config`): config-missing, and those of readConfig and machineNamed. */
export async function loadProject(
  path: string,
  workingDirectory: string,
  files: TextFiles,
): Promise<Project> {
  const file = files.resolve(workingDirectory, path);
  const text = await files.read(file);
  if (text === undefined) {
    throw new Failure('config', 'config-missing', `there is no configuration ${path}`, { file: path });
  }
  const project = { config: readConfig(text, path), directory: files.resolve(file, '..') };
  // Read again where it is needed: here it is only to be wrong before anything is built and measured.
  const { machine } = project.config;
  if (machine !== undefined) await machineNamed(machine, project.directory, files);
  return project;
}

/** Runs the project's build command, if it has one. Throws Failure (`environment`). */
export async function build({ config, directory }: Project, ports: Pick<GatePorts, 'build'>): Promise<void> {
  if (config.build !== undefined) await ports.build(config.build, directory);
}

/** The targets to run: all, or those named, in the configuration's order. Throws Failure (`usage`, unknown-target). */
export function selectTargets(config: Config, names: readonly string[]): readonly Target[] {
  const known = config.targets.map((target) => target.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const guess = nearest(name, known);
    const help = guess === undefined ? `it has ${known.join(', ')}` : `did you mean ${guess}?`;
    throw new Failure(
      'usage',
      'unknown-target',
      `the configuration has no target ${JSON.stringify(name)}; ${help}`,
      {
        name,
        known,
      },
    );
  }
  return names.length === 0 ? config.targets : config.targets.filter((target) => names.includes(target.name));
}

/** The names that this target's configuration relies on, so that a rename does not silently leave them unguarded. */
export function functionsReliedOn(target: Target): string[] {
  return [...new Set([...target.functions, ...functionsLimited(target.limits)])];
}

export function functionsLimited(limits: Limits): string[] {
  return Object.keys(limits.functions ?? {}).filter((name) => name !== '*');
}

export function baselinePath(project: Project, target: Target, files: TextFiles): string {
  return files.resolve(project.directory, shownBaselinePath(project, target));
}

/** As messages and reports name it: relative to the configuration. */
export function shownBaselinePath(project: Project, target: Target): string {
  return `${project.config.baseline.replace(/\/+$/, '')}/${target.name}.json`;
}
