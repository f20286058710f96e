import { Failure } from '../base/failure.ts';
import { type ElfFile, malformed, requireInside, u64 } from './file.ts';
import * as elf from './format.ts';

/** The ELF header's fields that the other readers need, after the file has proved to be for us. */
export interface Header {
  readonly type: 'executable' | 'shared';
  readonly entry: number;
  readonly programHeaders: { readonly offset: number; readonly count: number };
  readonly sectionHeaderOffset: number;
  readonly sectionHeaderCount: number;
  readonly sectionNamesIndex: number;
}

const MACHINES: Readonly<Record<number, string>> = {
  2: 'SPARC',
  3: 'Intel 80386',
  8: 'MIPS',
  20: 'PowerPC',
  21: '64-bit PowerPC',
  22: 'IBM S/390',
  40: '32-bit Arm',
  43: '64-bit SPARC',
  50: 'Intel Itanium',
  183: '64-bit Arm (AArch64)',
  243: 'RISC-V',
  247: 'BPF',
  258: 'LoongArch',
};

/** EI_OSABI values whose system calls are not Linux's. 0 (System V) and 3 (GNU) are what Linux tools write. */
const OTHER_SYSTEMS: Readonly<Record<number, string>> = {
  1: 'HP-UX',
  2: 'NetBSD',
  6: 'Solaris',
  7: 'AIX',
  9: 'FreeBSD',
  12: 'OpenBSD',
};

/** Reads the ELF header, or throws the Failure that says what the file is instead. */
export function identify(file: ElfFile): Header {
  requireOurMachine(file);
  return readHeader(file, executableType(file));
}

/** The same of a file that is not linked, or that only holds sections of a program. */
export function identifyRelocatable(file: ElfFile): Header {
  requireOurMachine(file);
  return readHeader(file, 'shared');
}

/** Whether it is an object file, of whatever machine. */
export function isRelocatable(bytes: Uint8Array): boolean {
  return bytes.length >= elf.HEADER_SIZE && isElf(bytes) && bytes[16] === elf.ET_REL && bytes[17] === 0;
}

export function isElf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
}

function requireOurMachine(file: ElfFile): void {
  requireMagic(file);
  requireInside(file, 0, elf.HEADER_SIZE, 'the ELF header');
  const { path, bytes, view } = file;
  const machine = view.getUint16(18, true);
  requireClass(file, machine);
  if (bytes[5] !== elf.ELFDATA2LSB) {
    throw fail('elf-other-machine', path, 'is a big-endian program, not x86-64', { dataEncoding: bytes[5]! });
  }
  if (machine !== elf.EM_X86_64) {
    const name = MACHINES[machine] ?? `an unknown machine (e_machine ${machine})`;
    throw fail('elf-other-machine', path, `is a program for ${name}, not x86-64`, { machine });
  }
  const system = OTHER_SYSTEMS[bytes[7]!];
  if (system !== undefined) {
    throw fail('elf-other-system', path, `is a program for ${system}, not Linux`, { osAbi: bytes[7]! });
  }
}

function requireMagic(file: ElfFile): void {
  const { path, bytes } = file;
  if (bytes.length === 0) throw fail('elf-not-elf', path, 'is empty', {});
  if (bytes[0] === 0x23 && bytes[1] === 0x21) {
    const interpreter = firstLine(bytes.subarray(2, 256));
    throw fail(
      'elf-script',
      path,
      `is a script for "${interpreter}", not a native program; name the interpreter as the program and the script as its argument`,
      { interpreter },
    );
  }
  if (!isElf(bytes))
    throw fail('elf-not-elf', path, `is not an ELF file: it starts with ${otherFormat(bytes)}`, {});
}

function requireClass(file: ElfFile, machine: number): void {
  const elfClass = file.bytes[4];
  if (elfClass === elf.ELFCLASS64) return;
  if (elfClass !== elf.ELFCLASS32)
    throw malformed(file, 4, `its class is ${elfClass}, neither 32- nor 64-bit`);
  const what = machine === elf.EM_X86_64 ? 'an x32 program (32-bit addresses on x86-64)' : 'a 32-bit program';
  throw fail('elf-32-bit', file.path, `is ${what}; only 64-bit programs can be run`, { machine });
}

function executableType(file: ElfFile): Header['type'] {
  const type = file.view.getUint16(16, true);
  switch (type) {
    case elf.ET_EXEC:
      return 'executable';
    case elf.ET_DYN:
      return 'shared';
    case elf.ET_REL:
      throw fail('elf-not-executable-type', file.path, 'is an object file (relocatable); link it first', {
        type,
      });
    case elf.ET_CORE:
      throw fail('elf-not-executable-type', file.path, 'is a core dump, not a program', { type });
    default:
      throw fail('elf-not-executable-type', file.path, `has ELF type ${type}, which is no program`, { type });
  }
}

function readHeader(file: ElfFile, type: Header['type']): Header {
  const { view } = file;
  const header: Header = {
    type,
    entry: u64(view, 24),
    programHeaders: { offset: u64(view, 32), count: view.getUint16(56, true) },
    sectionHeaderOffset: u64(view, 40),
    sectionHeaderCount: view.getUint16(60, true),
    sectionNamesIndex: view.getUint16(62, true),
  };
  const programHeaderSize = view.getUint16(54, true);
  if (header.programHeaders.count > 0 && programHeaderSize !== elf.PROGRAM_HEADER_SIZE) {
    throw malformed(
      file,
      54,
      `its program headers are ${programHeaderSize} bytes each instead of ${elf.PROGRAM_HEADER_SIZE}`,
    );
  }
  const sectionHeaderSize = view.getUint16(58, true);
  if (header.sectionHeaderOffset > 0 && sectionHeaderSize !== elf.SECTION_HEADER_SIZE) {
    throw malformed(
      file,
      58,
      `its section headers are ${sectionHeaderSize} bytes each instead of ${elf.SECTION_HEADER_SIZE}`,
    );
  }
  return header;
}

function otherFormat(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  if (start.startsWith('MZ')) return '"MZ", as Windows programs do';
  if (start.startsWith('!<arch>')) return '"!<arch>", as static libraries (.a) do';
  const isMachO = start.startsWith('\xcf\xfa\xed\xfe') || start.startsWith('\xca\xfe\xba\xbe');
  if (isMachO) return 'the magic number of macOS programs';
  if (start.startsWith('\0asm')) return '"\\0asm", as WebAssembly modules do';
  if (start.startsWith('\x1f\x8b')) return 'the magic number of gzip';
  if (/^[\t\n\r\x20-\x7e]+$/.test(start)) return `the text ${JSON.stringify(start)}`;
  const first = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'));
  return `the bytes ${first.join(' ')}`;
}

function firstLine(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes);
  return text
    .split(/[\n\0]/, 1)[0]!
    .replace(/[^\x20-\x7e]/g, '?')
    .trim();
}

function fail(
  code: string,
  path: string,
  predicate: string,
  facts: Readonly<Record<string, string | number>>,
): Failure {
  return new Failure('guest', code, `${path} ${predicate}.`, { path, ...facts });
}
