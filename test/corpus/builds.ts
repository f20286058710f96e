import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IsaLevel } from '../../src/base/isa-level.ts';
import { DEFAULT_PATH } from '../../src/linux/loader.ts';
import { hasFeatures } from '../x86/native/features.ts';
import type { Case, Language } from './cases.ts';

/** A way to compile a program: a compiler, a level, a way of linking, and the processor that the program is for. */
export interface Build {
  readonly name: string;
  readonly compiler: string;
  readonly flags: readonly string[];
  readonly isa: IsaLevel;
}

const build = (name: string, compiler: string, ...flags: string[]): Build => ({
  name,
  compiler,
  flags,
  isa: 'x86-64',
});

/** What of a level's extensions only some processors have. */
const EXTENSIONS = {
  'x86-64-v2': ['pni', 'ssse3', 'sse4_1', 'sse4_2', 'popcnt', 'cx16'],
  'x86-64-v3': ['avx', 'avx2', 'fma', 'f16c', 'bmi1', 'bmi2', 'abm', 'movbe'],
} as const;

/** For processors of a level; absent where this one is below it. */
function leveled(compiler: string, ...flags: string[]): readonly Build[] {
  const levels = (['x86-64-v2', 'x86-64-v3'] as const).filter((isa) => hasFeatures(...EXTENSIONS[isa]));
  return levels.map((isa) => ({ name: isa.slice(7), compiler, flags: [...flags, `-march=${isa}`], isa }));
}

/** Approximate reciprocals differ from one processor to the next, so -Ofast must do without. */
const FAST = ['-Ofast', '-mno-recip'];

const gnu = (compiler: string, ...always: string[]): readonly Build[] => [
  build('O0', compiler, ...always, '-O0'),
  build('O1', compiler, ...always, '-O1'),
  build('O2', compiler, ...always, '-O2'),
  build('O3', compiler, ...always, '-O3'),
  build('Os', compiler, ...always, '-Os'),
  build('Ofast', compiler, ...always, ...FAST),
  build('lto', compiler, ...always, '-O2', '-flto'),
  build('static', compiler, ...always, '-O2', '-static'),
  ...leveled(compiler, ...always, '-O3'),
];

const clang = (compiler: string, ...always: string[]): readonly Build[] => [
  build('clang-O0', compiler, ...always, '-O0'),
  build('clang-O2', compiler, ...always, '-O2'),
];

const C = ['-std=gnu17', '-g', '-w'];
const CPP = ['-std=c++20', '-g', '-w'];

export const BUILDS: Readonly<Record<Language, readonly Build[]>> = {
  c: [...gnu('gcc', ...C), ...clang('clang', ...C), build('musl', 'musl-gcc', ...C, '-O2', '-static')],
  cpp: [...gnu('g++', ...CPP), ...clang('clang++', ...CPP)],
  fortran: gnu('gfortran', '-g', '-w'),
  rust: [
    build('0', 'rustc', '--edition=2021', '-Awarnings', '-g'),
    build('1', 'rustc', '--edition=2021', '-Awarnings', '-Copt-level=1'),
    build('2', 'rustc', '--edition=2021', '-Awarnings', '-Copt-level=2'),
    build('3', 'rustc', '--edition=2021', '-Awarnings', '-Copt-level=3', '-Clto=fat'),
    build('s', 'rustc', '--edition=2021', '-Awarnings', '-Copt-level=s', '-Ctarget-feature=+crt-static'),
  ],
  go: [
    build('default', 'go', 'build'),
    build('N', 'go', 'build', '-gcflags=-N -l'),
    build('s', 'go', 'build', '-ldflags=-s -w'),
  ],
};

export function buildsOf({ language, not, only }: Case): readonly Build[] {
  return BUILDS[language].filter(
    ({ name }) => !not.includes(name) && (only.length === 0 || only.includes(name)),
  );
}

/** Libraries follow the source, as static linking wants it. */
const LIBRARIES: Readonly<Record<Language, readonly string[]>> = {
  c: ['-lm'],
  cpp: ['-lm'],
  fortran: [],
  rust: [],
  go: [],
};

/** Compiles it into the directory; gives the program's path. */
export async function compile(program: Case, way: Build, directory: string): Promise<string> {
  const { language, name, source } = program;
  const folder = join(directory, language, way.name);
  mkdirSync(folder, { recursive: true });
  const output = join(folder, name);
  const flags = program.flags.filter((flag) => !flag.startsWith('-l'));
  const libraries = program.flags.filter((flag) => flag.startsWith('-l'));
  const input =
    language === 'go' ? ['-o', output, source] : [source, '-o', output, ...libraries, ...LIBRARIES[language]];
  await promisify(execFile)(way.compiler, [...way.flags, ...flags, ...input], {
    cwd: folder,
    env: { PATH: DEFAULT_PATH, LC_ALL: 'C', HOME: directory, GOCACHE: join(directory, 'go-cache') },
  });
  return output;
}
