import { readC } from './c/unit.ts';
import type { LoopDemand } from './demand.ts';
import { demandOf } from './demand-of.ts';
import { readFortran } from './fortran/unit.ts';
import { withoutLabels } from './jumps.ts';
import { ALONE, type ReadGrammar, type Surroundings } from './ports.ts';
import type { Needed } from './reach.ts';
import type { Language, SourceUnit } from './syntax.ts';
import { Walker } from './walker.ts';

/** The loops of a source file, in the order of their lines. */
export interface SourceLoops {
  readonly language: Language;
  readonly loops: readonly LoopDemand[];
  /** What of the file was not understood outside of its loops. */
  readonly problems: readonly { readonly line: number; readonly why: string }[];
}

/** Never throws on any text; `read` may, where the parser's files are missing. */
export async function sourceLoops(
  text: string,
  language: Language,
  read: ReadGrammar,
  around: Surroundings = ALONE,
): Promise<SourceLoops> {
  const unit = withLoops(await unitOf(text, language, read, around));
  const walker = new Walker(unit);
  const loops = unit.functions.flatMap((each) => {
    const { loops: facts, graph } = walker.walk(each);
    // From the inside out: an outer loop computes what those inside it take.
    const needed: Needed = new Map();
    return facts.toReversed().map((loop) => demandOf(loop, graph, needed));
  });
  loops.sort((a, b) => a.line - b.line || a.depth - b.depth);
  const problems = new Map(unit.problems.map((each) => [`${each.line} ${each.why}`, each]));
  return { language, loops, problems: [...problems.values()] };
}

/** Loops that are written with labels are loops like others. */
const withLoops = (unit: SourceUnit): SourceUnit => ({
  ...unit,
  functions: unit.functions.map((each) => ({ ...each, body: withoutLabels(each.body) })),
});

function unitOf(
  text: string,
  language: Language,
  read: ReadGrammar,
  around: Surroundings,
): Promise<SourceUnit> {
  switch (language) {
    case 'c':
    case 'c++':
      return readC(text, language, read, around);
    case 'fortran-free':
    case 'fortran-fixed':
      return Promise.resolve(readFortran(text, language, around));
  }
}

/** By the file's name: the case of `.C` and `.F90` means something. Undefined for what is no source. */
export function languageOf(file: string): Language | undefined {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1] ?? '';
  if (extension === 'C') return 'c++';
  if (extension === 'H') return 'c++';
  switch (extension.toLowerCase()) {
    case 'c':
    case 'h':
    case 'i':
      return 'c';
    case 'cc':
    case 'cpp':
    case 'cxx':
    case 'c++':
    case 'hpp':
    case 'hh':
    case 'hxx':
    case 'h++':
    case 'ipp':
    case 'tpp':
    case 'tcc':
    case 'txx':
    case 'inl':
    case 'ii':
    case 'ixx':
    case 'cppm':
    case 'cu':
    case 'cuh':
      return 'c++';
    case 'f':
    case 'for':
    case 'f77':
    case 'ftn':
    case 'fpp':
      return 'fortran-fixed';
    case 'f90':
    case 'f95':
    case 'f03':
    case 'f08':
    case 'f15':
    case 'f18':
    case 'f23':
      return 'fortran-free';
    default:
      return undefined;
  }
}
