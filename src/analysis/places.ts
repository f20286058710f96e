import { type InlinedCalls, inlinedCalls } from '../elf/dwarf/inlined-calls.ts';
import { type LineTable, lineTable } from '../elf/dwarf/line-table.ts';
import type { FunctionSymbol, Image, SourceLine } from '../elf/image.ts';
import { FunctionNames } from '../elf/names.ts';
import type { ImageTools } from '../elf/ports.ts';
import { type FunctionIndex, functionIndex } from '../elf/symbols.ts';
import type { ObservedModule } from '../observation/observation.ts';
import type { InlinedCall } from '../profile/profile.ts';
import { formatInstruction } from '../x86/format.ts';

/** A module with what names its addresses. */
interface Place {
  readonly module: PlacedModule;
  readonly image: Image;
  readonly functions: FunctionIndex;
  readonly lines: LineTable;
  readonly inlined: InlinedCalls;
}

/** Where a module is, as far as names need it. */
export type PlacedModule = Pick<ObservedModule, 'path' | 'base' | 'start' | 'end'>;

const LONGEST_INSTRUCTION = 15;

/** Names guest addresses: module + offset, function, source line, instruction text. */
export class Places {
  private readonly places: readonly Place[];
  private readonly sourceRoot: string;
  private readonly names: FunctionNames;
  /** Names of files that were asked for: a program has few files and millions of instructions. */
  private readonly files = new Map<string, string>();

  /** `images[i]` is the file of `modules[i]`; `sourceRoot` is absolute. */
  constructor(
    modules: readonly PlacedModule[],
    images: readonly Image[],
    sourceRoot: string,
    tools: ImageTools,
  ) {
    this.places = modules.map((module, i) => ({
      module,
      image: images[i],
      functions: functionIndex(images[i]),
      lines: lineTable(images[i], tools.inflate),
      inlined: inlinedCalls(images[i], tools),
    }));
    this.sourceRoot = sourceRoot;
    this.names = new FunctionNames(tools.demangle);
  }

  /** What could not be read of the debug information that was asked for: one sentence a module. */
  problems(): string[] {
    return this.places.flatMap(({ module, lines, inlined }) => {
      const problems = [...lines.problems, ...inlined.problems];
      if (problems.length === 0) return [];
      const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
      return [`source lines of ${module.path} are incomplete: ${problems[0]}${more}`];
    });
  }

  private at(address: number): Place | undefined {
    return this.places.findLast(({ module }) => address >= module.start && address < module.end);
  }

  /** `module+0xoffset`, the offset as `objdump -d` prints it for the module. */
  address(address: number): string {
    const place = this.at(address);
    if (place === undefined) return `0x${address.toString(16)}`;
    return `${baseName(place.module.path)}+0x${(address - place.module.base).toString(16)}`;
  }

  /** Name of the function that begins at the address; stripped ones are named by address. */
  entryName(address: number): string {
    const place = this.at(address);
    return this.shown(place?.functions.entry(address - place.module.base)) ?? this.address(address);
  }

  coveringName(address: number): string | undefined {
    const place = this.at(address);
    return this.shown(place?.functions.covering(address - place.module.base));
  }

  private shown(symbol: FunctionSymbol | undefined): string | undefined {
    return symbol?.name === undefined ? undefined : this.names.shown(symbol.name);
  }

  /** Where the function at the address is declared. */
  declaration(address: number): { file: string; line: number } | undefined {
    const place = this.at(address);
    return this.relative(place?.lines.declaration(address - place.module.base));
  }

  line(address: number): { file: string; line: number } | undefined {
    const place = this.at(address);
    return this.relative(place?.lines.lookup(address - place.module.base));
  }

  /** The calls that the compiler replaced by copies which the instruction belongs to, the innermost first. */
  inlined(address: number): InlinedCall[] {
    const place = this.at(address);
    if (place === undefined) return [];
    return place.inlined.at(address - place.module.base).map(({ symbol, name, call }) => {
      const shown = symbol === undefined ? name : this.names.shown(symbol);
      return { ...(shown !== undefined && { function: shown }), ...this.relative(call) };
    });
  }

  instruction(address: number): string {
    const place = this.at(address);
    const own = place === undefined ? 0 : address - place.module.base;
    const segment = place?.image.segments.find((s) => own >= s.address && own < s.address + s.fileSize);
    if (place === undefined || segment === undefined) return '(generated code)';
    const offset = segment.offset + own - segment.address;
    return formatInstruction(place.image.bytes.subarray(offset, offset + LONGEST_INSTRUCTION), own);
  }

  /**
   * Relative to the source root when the file lies below it; else as the compiler was told it. Both give the same for a
   * program that was built in the source root, wherever it is run.
   */
  private relative(source: SourceLine | undefined): { file: string; line: number } | undefined {
    if (source === undefined) return undefined;
    const key = `${source.directory}\0${source.file}`;
    const file = this.files.get(key) ?? this.relativeFile(source);
    this.files.set(key, file);
    return { file, line: source.line };
  }

  private relativeFile(source: SourceLine): string {
    const path = normalise(source.file);
    for (const directory of [this.sourceRoot, source.directory]) {
      if (directory === undefined) continue;
      const prefix = `${normalise(directory)}/`;
      if (path.startsWith(prefix)) return path.slice(prefix.length);
    }
    return path;
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
