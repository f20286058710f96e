import { extname, join } from 'node:path';
import type { Case, Missing } from './case.ts';
import { compile, locate } from './compile.ts';

/** Source and repetitions, such that callgrind took two to three seconds. */
const PROGRAMS: readonly (readonly [source: string, repetitions: number])[] = [
  ['mandelbrot.c', 30],
  ['n-body.c', 1_000_000],
  ['matches.c', 70],
  ['parser.c', 30],
  ['ordered-map.cc', 550_000],
  ['string-map.cc', 900_000],
  ['string-sort.cc', 120_000],
  ['virtual-calls.cc', 4000],
  ['stencil.f90', 500],
  ['hash-map.rs', 6_000_000],
  ['b-tree.rs', 550_000],
];

/** Compilers and their options, by the source's name. */
const COMPILERS: Readonly<Record<string, readonly [compiler: string, ...flags: string[]]>> = {
  '.c': ['gcc', '-O2', '-lm'],
  '.cc': ['g++', '-O2'],
  '.f90': ['gfortran', '-O2'],
  '.rs': ['rustc', '-O'],
};

/** Small programs as people write them in four languages, with their libraries, dynamically linked. */
export function languages(
  folder: string,
  wanted: (name: string) => boolean,
  longer: number,
): (Case | Missing)[] {
  return PROGRAMS.filter(([source]) => wanted(source)).map(([source, repetitions]) => {
    const group = 'languages';
    const [compiler, ...flags] = COMPILERS[extname(source)];
    if (locate(compiler) === undefined)
      return { group, name: source, reason: `${compiler} is not installed` };
    const file = join(import.meta.dirname, 'languages', source);
    const program = compile(compiler, flags, file, join(folder, `${group}-${source.replace('.', '-')}`));
    return { group, name: source, program, args: [String(longer * repetitions)] };
  });
}
