import type { Image, SourceLine } from '../image.ts';
import type { ImageTools } from '../ports.ts';
import { compilationUnit } from './compilation-units.ts';
import { Cursor, DwarfError } from './cursor.ts';
import { PathTable, UnitFiles } from './files.ts';
import type { FormValue } from './forms.ts';
import { readLineHeader } from './line-header.ts';
import { type DebugSections, debugSections } from './sections.ts';
import { type SplitName, splitFiles } from './split-files.ts';
import { Budget, StringReader } from './strings.ts';
import { readUnitLength } from './unit-length.ts';
import { type FunctionEntry, type InlinedNode, type UnitTree, unitTree } from './unit-tree.ts';
import { DW_AT, numberOf, UnitValues } from './unit-values.ts';
import { type Unit, UnitReader } from './units.ts';

/** A call that the compiler replaced by a copy of the callee. */
export interface InlinedCall {
  /** The callee as linkers would know it, where the compiler says. */
  readonly symbol?: string;
  /** The callee's name in the source, with namespaces and classes. */
  readonly name?: string;
  /** Where the call stands. */
  readonly call?: SourceLine;
}

/** The inlined calls that an instruction belongs to, the innermost first; none where debug information does not say. */
export interface InlinedCalls {
  at(address: number): readonly InlinedCall[];
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;
/** From a copy to its origin to its declaration; more are a circle. */
const MOST_HOPS = 8;
/** Compilers inline some tens of levels. */
const DEEPEST = 1000;

/**
 * Reads nothing until the first question; then the beginnings of all units, and of those that hold an address everything, once.
 * Never throws on account of the file.
 */
export function inlinedCalls(image: Image, tools: ImageTools): InlinedCalls {
  const problems: string[] = [];
  const report = (problem: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  let reader: InlineReader | undefined;
  return {
    at(address) {
      try {
        reader ??= new InlineReader(image, tools, report);
        return reader.at(address);
      } catch (error) {
        if (!(error instanceof DwarfError)) throw error;
        report(`Inlined calls cannot be read: ${error.message}.`);
        return [];
      }
    },
    problems,
  };
}

/** One .debug_info: of the program, of a split unit, or of what several programs share. */
interface InfoFile {
  readonly sections: DebugSections;
  readonly strings: StringReader;
  readonly reader: UnitReader;
  readonly units: readonly Unit[];
  readonly trees: Map<Unit, LoadedUnit | undefined>;
  readonly shared: InfoFile | undefined;
  /** Of a split unit: where its addresses and files are. */
  readonly skeleton: Skeleton | undefined;
}

interface Skeleton {
  readonly unit: Unit;
  readonly file: InfoFile;
}

interface LoadedUnit extends UnitTree {
  readonly unit: Unit;
  readonly file: InfoFile;
  readonly files: UnitFiles | undefined;
}

class InlineReader {
  readonly #report: (problem: string) => void;
  readonly #main: InfoFile;
  readonly #split: (split: SplitName) => DebugSections | undefined;
  readonly #covered: readonly { readonly low: number; readonly high: number; readonly unit: Unit }[];
  readonly #paths: PathTable;

  constructor(image: Image, tools: ImageTools, report: (problem: string) => void) {
    this.#report = report;
    const { own, shared } = image.debug ?? {};
    const other = shared && this.#open(debugSections(shared, tools.inflate, report), undefined, undefined);
    this.#main = this.#open(debugSections(own ?? image, tools.inflate, report), other, undefined);
    this.#split = splitFiles(image.debug?.path ?? image.path, tools, report);
    this.#paths = new PathTable(new Budget(32 * image.bytes.length + 2 ** 26));
    this.#covered = this.#main.units.flatMap((unit) =>
      this.#guarded(unit, () =>
        this.#values(this.#main, unit)
          .ranges(unit.root)
          .map((range) => ({ ...range, unit })),
      ),
    );
  }

  #open(sections: DebugSections, shared: InfoFile | undefined, skeleton: Skeleton | undefined): InfoFile {
    const reader = new UnitReader(sections);
    const units = reader.units(this.#report);
    const strings = new StringReader(sections, shared?.sections);
    return { sections, strings, reader, units, trees: new Map(), shared, skeleton };
  }

  #values({ sections, strings, skeleton }: InfoFile, unit: Unit): UnitValues {
    return new UnitValues(
      unit,
      sections,
      strings,
      skeleton && { unit: skeleton.unit, sections: skeleton.file.sections },
    );
  }

  #guarded<T>(unit: Unit, work: () => readonly T[]): readonly T[] {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DwarfError)) throw error;
      this.#report(`The unit at ${unit.start} of .debug_info cannot be read: ${error.message}.`);
      return [];
    }
  }

  at(address: number): readonly InlinedCall[] {
    const covers = ({ low, high }: { low: number; high: number }): boolean =>
      address >= low && address < high;
    const unit = this.#covered.find(covers)?.unit;
    const loaded = unit && this.#load(this.#main, unit);
    if (loaded === undefined) return [];
    const chain: InlinedNode[] = [];
    let level = loaded.roots.find(({ ranges }) => ranges.some(covers))?.inlined;
    while (level !== undefined && chain.length < DEEPEST) {
      const node: InlinedNode | undefined = level.find(({ ranges }) => ranges.some(covers));
      if (node !== undefined) chain.push(node);
      level = node?.inlined;
    }
    return chain.reverse().map((node) => this.#describe(node, loaded));
  }

  #describe({ origin, file, line }: InlinedNode, loaded: LoadedUnit): InlinedCall {
    const { symbol, name } = this.#nameOf(origin, loaded);
    const call = file === undefined || line === undefined ? undefined : this.#sourceLine(loaded, file, line);
    return { ...(symbol && { symbol }), ...(name && { name }), ...(call && { call }) };
  }

  #sourceLine({ files }: LoadedUnit, file: number, line: number): SourceLine | undefined {
    const id = files?.id(file) ?? 0;
    if (id === 0 || line <= 0) return undefined;
    const directory = this.#paths.directory(id);
    return { file: this.#paths.path(id), line, ...(directory !== '' && { directory }) };
  }

  /** The first symbol on the way from a copy to its declaration; the name in the scope that it was declared in. */
  #nameOf(from: FormValue | undefined, loaded: LoadedUnit): { symbol?: string; name?: string } {
    let symbol: string | undefined;
    let name: string | undefined;
    let place = from;
    let context = loaded;
    for (let hop = 0; hop < MOST_HOPS && place !== undefined; hop++) {
      const found = this.#resolve(place, context);
      if (found === undefined) break;
      const { entry } = found;
      symbol ??= entry.symbol;
      if (entry.name !== undefined) name = entry.scope + entry.name;
      place = entry.see;
      context = found.loaded;
    }
    return { ...(symbol && { symbol }), ...(name && { name }) };
  }

  #resolve(
    place: FormValue,
    { unit, file }: LoadedUnit,
  ): { readonly entry: FunctionEntry; readonly loaded: LoadedUnit } | undefined {
    if (place.kind !== 'reference') return undefined;
    const holder = place.from === 'shared' ? file.shared : file;
    const offset = place.from === 'unit' ? unit.start + place.offset : place.offset;
    const other = holder?.units.find(({ start, end }) => offset >= start && offset < end);
    const loaded = holder && other && this.#load(holder, other);
    const entry = loaded?.functions.get(offset);
    return loaded && entry && { entry, loaded };
  }

  #load(file: InfoFile, unit: Unit): LoadedUnit | undefined {
    if (file.trees.has(unit)) return file.trees.get(unit);
    const [loaded] = this.#guarded(unit, () => {
      const split = file.skeleton === undefined ? this.#splitOf(file, unit) : undefined;
      const [from, whole] = split ?? [file, unit];
      const tree = unitTree(from.reader, whole, this.#values(from, whole));
      return [{ ...tree, unit: whole, file: from, files: this.#filesOf(from, whole) }];
    });
    file.trees.set(unit, loaded);
    if (loaded !== undefined) loaded.file.trees.set(loaded.unit, loaded);
    return loaded;
  }

  /** The unit that a skeleton stands for, in its file. */
  #splitOf(file: InfoFile, unit: Unit): readonly [InfoFile, Unit] | undefined {
    const values = this.#values(file, unit);
    const name = values.text(unit.root.get(DW_AT.dwoName) ?? unit.root.get(DW_AT.gnuDwoName));
    if (name === undefined) return undefined;
    const directory = values.text(unit.root.get(DW_AT.compDir)) ?? '';
    const sections = this.#split({ id: unit.splitId, directory, name });
    if (sections === undefined) return undefined;
    const split = this.#open(sections, undefined, { unit, file });
    const whole = split.units.find(({ splitId }) => splitId === unit.splitId);
    if (whole === undefined) this.#report(`${name} has the debug information of another build.`);
    return whole && [split, whole];
  }

  /** Files are numbered as in the unit's line table: a split unit's is in its own file where that has one. */
  #filesOf(file: InfoFile, unit: Unit): UnitFiles | undefined {
    const own = file.sections.line.length > 0 || file.skeleton === undefined;
    const [from, holder] =
      own || file.skeleton === undefined ? [file, unit] : [file.skeleton.file, file.skeleton.unit];
    const { line } = from.sections;
    const offset = numberOf(holder.root.get(DW_AT.stmtList)) ?? (file.skeleton === undefined ? undefined : 0);
    if (offset === undefined || offset >= line.length) return undefined;
    const { is64, start, end } = readUnitLength(line, offset);
    const header = readLineHeader(new Cursor(line, start, end), is64);
    const named = file.skeleton ?? { file, unit };
    const about = () => compilationUnit(named.unit, this.#values(named.file, named.unit));
    return new UnitFiles(header, about, line, from.strings, this.#paths);
  }
}
