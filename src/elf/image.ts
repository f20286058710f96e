/** A parsed ELF file as plain data: what the loader maps and what the analysis names. Contents stay in `bytes`. */
export interface Image {
  /** The path as the command or the loader named it; used in messages only. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly type: 'executable' | 'shared';
  /** Entry point, as a virtual address of the file (not yet relocated). */
  readonly entry: number;
  readonly segments: readonly Segment[];
  readonly sections: readonly Section[];
  /** Path of the dynamic linker (PT_INTERP), absent for static programs. */
  readonly interpreter?: string;
  /** Program header table: where it is in memory (for AT_PHDR) and its shape. */
  readonly programHeaders: {
    readonly offset: number;
    readonly address?: number;
    readonly entrySize: number;
    readonly count: number;
  };
  /** Permissions that PT_GNU_STACK asks for; absent means the ABI's default (executable). */
  readonly stackFlags?: number;
  /**
   * Function symbols of .symtab and .dynsym, sorted by address, then by preference (global before local). Of a stripped file
   * also what Go's own table and unwind information tell of.
   */
  readonly functions: readonly FunctionSymbol[];
  /** NT_GNU_BUILD_ID as lower-case hex. */
  readonly buildId?: string;
  /** The distinct strings of .comment, in file order: the compilers that made the objects. */
  readonly compilers: readonly string[];
  /** DT_NEEDED and DT_SONAME, for fingerprints. */
  readonly needed: readonly string[];
  readonly soname?: string;
  /** What is beside the file; see withDebugFiles. */
  readonly debug?: {
    /** Absolute path of the program itself. */
    readonly path: string;
    /** What was taken from this file. */
    readonly own?: DebugFile;
    /** What this file shares with others. */
    readonly shared?: DebugFile;
    /** Why a file that was named is not there, one clause each. */
    readonly problems: readonly string[];
  };
}

/** A file with debug information of another. */
export interface DebugFile extends Sections {
  readonly path: string;
  readonly functions: readonly NamedFunction[];
  readonly buildId?: string;
}

/** What debug information is read from. */
export interface Sections {
  readonly bytes: Uint8Array;
  readonly sections: readonly Section[];
}

/** A PT_LOAD segment. Addresses are the file's own. */
export interface Segment {
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly executable: boolean;
}

export interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

export interface FunctionSymbol {
  /** As in the symbol table, without a version suffix. Absent: known from unwind information only. */
  readonly name?: string;
  readonly address: number;
  /** 0 when the producer did not say. */
  readonly size: number;
  /** The STT_FILE symbol before a local symbol, when there is one. */
  readonly file?: string;
  readonly isIfunc: boolean;
}

/** One of the symbol tables. */
export interface NamedFunction extends FunctionSymbol {
  readonly name: string;
}

/** Source position of one instruction. `file` is as DWARF names it (directory joined); paths are made relative later. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
  /** Where the compiler ran, when DWARF says so. */
  readonly directory?: string;
}
