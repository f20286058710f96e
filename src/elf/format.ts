/**
 * Numbers of the ELF file format, named as in the System V ABI ("gABI", chapters 4 and 5) and its
 * x86-64 supplement; only those that a loader and a symbol reader need.
 */

export const HEADER_SIZE = 64;
export const PROGRAM_HEADER_SIZE = 56;
export const SECTION_HEADER_SIZE = 64;
export const SYMBOL_SIZE = 24;

export const ELFCLASS32 = 1;
export const ELFCLASS64 = 2;
export const ELFDATA2LSB = 1;

export const ET_REL = 1;
export const ET_EXEC = 2;
export const ET_DYN = 3;
export const ET_CORE = 4;

export const EM_X86_64 = 62;

/** e_phnum when the count did not fit. */
export const PN_XNUM = 0xffff;

export const PT_LOAD = 1;
export const PT_DYNAMIC = 2;
export const PT_INTERP = 3;
export const PT_NOTE = 4;
export const PT_GNU_EH_FRAME = 0x6474e550;
export const PT_GNU_STACK = 0x6474e551;

export const PF_X = 1;
export const PF_W = 2;
export const PF_R = 4;

export const SHT_SYMTAB = 2;
export const SHT_NOTE = 7;
export const SHT_NOBITS = 8;
export const SHT_DYNSYM = 11;

export const SHF_EXECINSTR = 0x4;
export const SHF_COMPRESSED = 0x800;

export const SHN_UNDEF = 0;
export const SHN_ABS = 0xfff1;
/** The real index did not fit in 16 bits. */
export const SHN_XINDEX = 0xffff;

export const STT_NOTYPE = 0;
export const STT_FUNC = 2;
export const STT_FILE = 4;
export const STT_GNU_IFUNC = 10;
export const STB_LOCAL = 0;

export const DT_NULL = 0;
export const DT_NEEDED = 1;
export const DT_HASH = 4;
export const DT_STRTAB = 5;
export const DT_SYMTAB = 6;
export const DT_STRSZ = 10;
export const DT_SONAME = 14;
export const DT_GNU_HASH = 0x6ffffef5;

export const NT_GNU_BUILD_ID = 3;

export const ELFCOMPRESS_ZLIB = 1;
export const ELFCOMPRESS_ZSTD = 2;
