import { Failure } from '../../base/failure.ts';
import { absolute, parseDebugFile } from '../debug-file.ts';
import type { DebugFile } from '../image.ts';
import type { ImageTools } from '../ports.ts';
import { type DebugSections, debugSections, readDebugSection } from './sections.ts';
import { partsOfUnit } from './split-package.ts';

/** What a skeleton says of the file with the rest of its unit. */
export interface SplitName {
  readonly id: string | undefined;
  /** Where the compiler ran. */
  readonly directory: string;
  readonly name: string;
}

/**
 * Finds what -gsplit-dwarf left out of a program: in the package `PROGRAM.dwp` where there is one, else in each unit's .dwo file,
 * which is looked for where its skeleton says and beside the program. `path` is the program's. The function throws DwarfError.
 */
export function splitFiles(
  path: string,
  { readDebugFile, inflate }: ImageTools,
  report: (problem: string) => void,
): (split: SplitName) => DebugSections | undefined {
  const beside = path.slice(0, path.lastIndexOf('/'));
  const open = (file: string): DebugFile | undefined => {
    const bytes = readDebugFile(file);
    try {
      return bytes && parseDebugFile(file, bytes);
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      report(problem.message);
      return undefined;
    }
  };
  const sectionsOf = (file: DebugFile) => debugSections(file, inflate, report, '.dwo');
  let known: { readonly whole: DebugSections; readonly index: Uint8Array } | undefined;
  let isKnown = false;
  const packaged = () => {
    if (isKnown) return known;
    isKnown = true;
    const file = open(`${path}.dwp`);
    if (file !== undefined)
      known = { whole: sectionsOf(file), index: readDebugSection(file, '.debug_cu_index', inflate, report) };
    return known;
  };
  let missing = 0;
  return ({ id, directory, name }) => {
    const found = packaged();
    if (found !== undefined) return id === undefined ? undefined : partsOfUnit(found.whole, found.index, id);
    const named = absolute(absolute(beside, directory), name);
    const file = open(named) ?? open(`${beside}/${name.slice(name.lastIndexOf('/') + 1)}`);
    if (file !== undefined) return sectionsOf(file);
    if (missing++ === 0) report(`${named}, which has the rest of the debug information, cannot be read.`);
    return undefined;
  };
}
