import type { FunctionSymbol, Image } from '../../elf/image.ts';
import { COLD, FunctionNames } from '../../elf/names.ts';
import { stubRanges, stubSections } from '../../elf/plt.ts';
import type { Demangle } from '../../elf/ports.ts';
import { type FunctionIndex, functionIndex } from '../../elf/symbols.ts';

/** A mapped file, as the kernel notes it. */
export interface MappedModule {
  readonly path: string;
  readonly image: Image;
  readonly base: number;
  readonly start: number;
  readonly end: number;
}

/** What the run must know of names and code while it runs: function entries (rule 9), linkage stubs. */
export class ModuleMap {
  private readonly modules: readonly MappedModule[];
  private readonly names: FunctionNames;
  private readonly indexes = new WeakMap<Image, FunctionIndex>();
  private readonly stubs = new WeakMap<Image, (address: number) => boolean>();

  /** The list may grow while the run goes on. */
  constructor(modules: readonly MappedModule[], demangle: Demangle = (name) => name) {
    this.modules = modules;
    this.names = new FunctionNames(demangle);
  }

  /** A later mapping may lie inside the range of an earlier one. */
  at(address: number): MappedModule | undefined {
    for (let i = this.modules.length - 1; i >= 0; i--) {
      const module = this.modules[i];
      if (address >= module.start && address < module.end) return module;
    }
    return undefined;
  }

  private index(module: MappedModule): FunctionIndex {
    let index = this.indexes.get(module.image);
    if (index === undefined) {
      index = functionIndex(module.image);
      this.indexes.set(module.image, index);
    }
    return index;
  }

  /** Whether a jump enters a function: through a linkage stub, or at another function's entry (rule 9). */
  entersFunction(from: number, target: number): boolean {
    return this.isStub(target) || (this.isFunctionEntry(target) && this.functionAt(from) !== target);
  }

  /**
   * Code of one function around both addresses, none of which but its first byte begins a function or is in a linkage stub: a jump from
   * the first address to any of it enters none. Undefined where there is no such code.
   */
  spanOf(from: number, target: number): { readonly start: number; readonly end: number } | undefined {
    const module = this.at(from);
    if (module === undefined || module !== this.at(target)) return undefined;
    const { base, image } = module;
    const piece = this.index(module).piece(from - base);
    if (piece === undefined || target - base < piece.start || target - base >= piece.end) return undefined;
    const hasStubs = stubSections(image).some(
      ({ address, size }) => address < piece.end && address + size > piece.start,
    );
    const span = { start: piece.start + base, end: piece.end + base };
    const hasOthers = this.modules.some(
      (other) => other !== module && other.start < span.end && other.end > span.start,
    );
    return hasStubs || hasOthers ? undefined : span;
  }

  /** Split-off parts of functions (`f.cold`) are no functions. */
  private isFunctionEntry(address: number): boolean {
    const symbol = this.symbolAt(address);
    return symbol !== undefined && !isCold(symbol);
  }

  /** Entry of the function that the code at an address belongs to. */
  private functionAt(address: number): number | undefined {
    const module = this.at(address);
    if (module === undefined) return undefined;
    const index = this.index(module);
    const part = index.covering(address - module.base);
    const whole = part?.name !== undefined && isCold(part) ? wholeOf(index, part, part.name) : part;
    return whole && whole.address + module.base;
  }

  nameAt(address: number): string | undefined {
    return this.symbolAt(address)?.name;
  }

  private symbolAt(address: number): FunctionSymbol | undefined {
    const module = this.at(address);
    return module && this.index(module).entry(address - module.base);
  }

  /** All names by which a function is called; one without a symbol by `module+0xoffset`, as profiles name it. */
  isNamed(address: number, name: string): boolean {
    const module = this.at(address);
    if (module === undefined) return false;
    const own = address - module.base;
    if (
      this.index(module)
        .called(name, this.names)
        .some((symbol) => symbol.address === own)
    )
      return true;
    return name === `${baseName(module.path)}+0x${own.toString(16)}`;
  }

  /** Whether the code at an address belongs to a function of the name. */
  isWithin(address: number, name: string): boolean {
    const entry = this.functionAt(address);
    return entry !== undefined && this.isNamed(entry, name);
  }

  /** Addresses of a name in the modules mapped so far. */
  named(name: string): number[] {
    return this.modules.flatMap((module) =>
      this.index(module)
        .called(name, this.names)
        .map((symbol) => symbol.address + module.base),
    );
  }

  isStub(address: number): boolean {
    const module = this.at(address);
    if (module === undefined) return false;
    let isStub = this.stubs.get(module.image);
    if (isStub === undefined) {
      isStub = stubRanges(module.image);
      this.stubs.set(module.image, isStub);
    }
    return isStub(address - module.base);
  }
}

const isCold = ({ name }: FunctionSymbol): boolean => name !== undefined && COLD.test(name);

/** The function that a cold part was split off from: of several with its name that of its own source file, else one that all files share. */
function wholeOf(index: FunctionIndex, { file }: FunctionSymbol, cold: string): FunctionSymbol | undefined {
  const named = index.named(cold.replace(COLD, ''));
  const of = (wanted: string | undefined) => named.find((each) => each.file === wanted);
  return of(file) ?? of(undefined) ?? named[0];
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
