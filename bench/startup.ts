import { join } from 'node:path';
import type { Case, Missing } from './case.ts';
import { compile, locate } from './compile.ts';

/** The smallest programs, where start-up is all there is. */
export function startup(folder: string, wanted: (name: string) => boolean): (Case | Missing)[] {
  const hello = join(import.meta.dirname, 'startup', 'hello.c');
  const builds: readonly (readonly [name: string, compiler: string, ...args: string[]])[] = [
    ['hello, static musl', 'musl-gcc', '-O2', '-static'],
    ['hello, static glibc', 'gcc', '-O2', '-static'],
    ['hello, dynamic glibc', 'gcc', '-O2'],
  ];
  const cases: (Case | Missing)[] = builds.map(([name, compiler, ...args]) =>
    locate(compiler) === undefined
      ? { group: 'startup', name, reason: `${compiler} is not installed` }
      : {
          group: 'startup',
          name,
          program: compile(compiler, args, hello, join(folder, name.replaceAll(/\W+/g, '-'))),
          args: [],
        },
  );
  return [{ group: 'startup' as const, name: 'true', program: '/bin/true', args: [] }, ...cases].filter(
    ({ name }) => wanted(name),
  );
}
