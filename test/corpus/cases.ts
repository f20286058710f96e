import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Language = 'c' | 'cpp' | 'fortran' | 'rust' | 'go';

/** One program of the corpus: a source file, with what its first line says about building it. */
export interface Case {
  readonly language: Language;
  /** The file's name without its ending; the folder is the language. */
  readonly name: string;
  readonly source: string;
  /** Added to the compiler's flags. */
  readonly flags: readonly string[];
  /** Names of builds that do not apply, see BUILDS. */
  readonly not: readonly string[];
  /** Where not empty, the only builds that apply. */
  readonly only: readonly string[];
  /**
   * Its instruction count depends on what the host tells it: the order of a directory's entries, the length of /proc/self/maps
   * (which Rust's runtime reads), when threads run.
   */
  readonly uncounted: boolean;
  /** How many instructions more or fewer it may take in QEMU; undefined: its count there says nothing. */
  readonly apart: number | undefined;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

export function casesOf(language: Language): readonly Case[] {
  const folder = join(FOLDER, language);
  return readdirSync(folder)
    .sort()
    .map((file) => readCase(language, join(folder, file), file.slice(0, -extname(file).length)));
}

/**
 * QEMU has no vDSO, which unwinding would look through, describes other caches, and /proc/self/maps is as long as its own files make it:
 * some hundred instructions of a program's start each.
 */
const APART = 3000;

/** The first line may be a comment `corpus: FLAG... not:BUILD,... only:BUILD,... uncounted apart:N`. */
function readCase(language: Language, source: string, name: string): Case {
  const [first] = readFileSync(source, 'utf8').split('\n', 1);
  const words = /\bcorpus: (.*?)(\*\/)?$/.exec(first)?.[1].trim().split(/ +/) ?? [];
  const flags: string[] = [];
  const not: string[] = [];
  const only: string[] = [];
  let uncounted = language === 'rust' || language === 'go';
  let apart: number | undefined;
  for (const word of words) {
    if (word.startsWith('not:')) not.push(...word.slice(4).split(','));
    else if (word.startsWith('only:')) only.push(...word.slice(5).split(','));
    else if (word.startsWith('-')) flags.push(word);
    else if (word === 'uncounted') uncounted = true;
    else if (word.startsWith('apart:')) apart = Number(word.slice(6));
    else throw new Error(`${source}: corpus: ${word}?`);
  }
  if (language === 'rust' || !uncounted) apart ??= APART;
  return { language, name, source, flags, not, only, uncounted, apart };
}
