import type { Environment, ModuleFingerprint } from '../profile/profile.ts';
import type { EnvironmentChange } from './diff.ts';

/** Which parts of the environment differ, in a fixed order: what makes numbers incomparable first. */
export function diffEnvironment(base: Environment, head: Environment): EnvironmentChange[] {
  const changes: EnvironmentChange[] = [];
  if (base.rules !== head.rules)
    changes.push({ part: 'rules', base: String(base.rules), head: String(head.rules) });
  if (base.isa !== head.isa) changes.push({ part: 'isa', base: base.isa, head: head.isa });
  if (base.children !== head.children)
    changes.push({ part: 'children', base: base.children ?? 'ignore', head: head.children ?? 'ignore' });
  if (base.tool !== head.tool) changes.push({ part: 'tool', base: base.tool, head: head.tool });
  const compilers = { base: base.compilers.join(', '), head: head.compilers.join(', ') };
  if (compilers.base !== compilers.head) changes.push({ part: 'compilers', ...compilers });

  const before = new Map(base.libraries.map((library) => [library.name, library]));
  const after = new Map(head.libraries.map((library) => [library.name, library]));
  for (const [name, library] of after) {
    const old = before.get(name);
    if (old === undefined) changes.push({ part: 'library', name, head: identify(library) });
    else if (old.loaded !== library.loaded) {
      changes.push({ part: 'library', name, base: identify(old), head: identify(library) });
    }
  }
  for (const [name, library] of before) {
    if (!after.has(name)) changes.push({ part: 'library', name, base: identify(library) });
  }
  return changes;
}

/** Programs and libraries are loaded with the same contents: nothing that was built has changed. */
export function sameBinary(base: Environment, head: Environment): boolean {
  const contents = (environment: Environment): string =>
    JSON.stringify([
      environment.program.loaded,
      environment.libraries.map((library) => [library.name, library.loaded]),
      environment.others?.map((other) => [other.name, other.loaded]) ?? [],
    ]);
  return contents(base) === contents(head);
}

function identify(module: ModuleFingerprint): string {
  return module.buildId === undefined
    ? `sha256 ${module.sha256.slice(0, 12)}`
    : `build id ${module.buildId.slice(0, 12)}`;
}
