import type { CompilationUnit } from './compilation-units.ts';
import type { FileEntry, LineHeader } from './line-header.ts';
import type { Budget, StringReader } from './strings.ts';

/** Number of a path in a `PathTable`; 0 means that the file is not known. */
export type FileId = number;

/** The distinct paths of all units. */
export class PathTable {
  readonly #ids = new Map<string, FileId>();
  readonly #paths: string[] = [''];
  readonly #directories: string[] = [''];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** `directory` is where the compiler ran; the first unit that names a path says. */
  intern(path: string, directory: string): FileId {
    this.#budget.spend(path.length);
    let id = this.#ids.get(path);
    if (id === undefined) {
      id = this.#paths.length;
      this.#paths.push(path);
      this.#directories.push(directory);
      this.#ids.set(path, id);
    }
    return id;
  }

  path(id: FileId): string {
    return this.#paths[id]!;
  }

  directory(id: FileId): string {
    return this.#directories[id]!;
  }
}

/** Turns the file register of one unit's line program into paths, each once. */
export class UnitFiles {
  readonly #header: LineHeader;
  readonly #unit: () => CompilationUnit | undefined;
  readonly #section: Uint8Array;
  readonly #strings: StringReader;
  readonly #paths: PathTable;
  readonly #ids: FileId[] = [];

  /** `unit` is asked only when the line table itself does not say enough. */
  constructor(
    header: LineHeader,
    unit: () => CompilationUnit | undefined,
    section: Uint8Array,
    strings: StringReader,
    paths: PathTable,
  ) {
    this.#header = header;
    this.#unit = unit;
    this.#section = section;
    this.#strings = strings;
    this.#paths = paths;
  }

  id(register: number): FileId {
    const known = this.#ids[register];
    if (known !== undefined) return known;
    const file = this.#header.files[register];
    if (file === undefined) return 0;
    const path = this.#path(file, register);
    const id = path === undefined ? 0 : this.#paths.intern(path, this.#directory(0));
    this.#ids[register] = id;
    return id;
  }

  /** DW_LNE_define_file. */
  define(file: FileEntry): void {
    this.#header.files.push(file);
  }

  #path(file: FileEntry, register: number): string | undefined {
    const isOld = this.#header.version < 5;
    const name = isOld && register === 0 ? this.#unit()?.name : this.#strings.read(file.name, this.#section);
    if (name === undefined || name === '') return undefined;
    if (name.startsWith('/')) return name;
    const directory = this.#directory(file.directory);
    if (directory.startsWith('/') || file.directory === 0) return join(directory, name);
    return join(this.#directory(0), join(directory, name));
  }

  #directory(index: number): string {
    if (index === 0 && this.#header.version < 5) return this.#unit()?.directory ?? '';
    const value = this.#header.directories[index];
    return (value && this.#strings.read(value, this.#section)) ?? '';
  }
}

function join(directory: string, name: string): string {
  if (directory === '') return name;
  return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
}
