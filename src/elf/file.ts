import { Failure } from '../base/failure.ts';

/** The file under parse. Every message names it. */
export interface ElfFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export function elfFile(path: string, bytes: Uint8Array): ElfFile {
  return { path, bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** 64-bit little-endian. Above 2^53 the result is rounded: compare it with a limit before use. */
export function u64(view: DataView, offset: number): number {
  return view.getUint32(offset, true) + view.getUint32(offset + 4, true) * 2 ** 32;
}

/** Throws `elf-truncated` unless the bytes exist. `what` is a noun phrase: "the program header table". */
export function requireInside(file: ElfFile, offset: number, size: number, what: string): void {
  if (offset + size <= file.bytes.length) return;
  throw new Failure(
    'guest',
    'elf-truncated',
    `${file.path} is truncated: ${what} is at ${hex(offset)} to ${hex(offset + size)}, but the file ends at ${hex(file.bytes.length)}.`,
    { path: file.path, offset, size, fileSize: file.bytes.length },
  );
}

/** An ELF file that contradicts itself. `finding` is a clause that says what was found; `offset` says where. */
export function malformed(file: ElfFile, offset: number, finding: string): Failure {
  return new Failure(
    'guest',
    'elf-malformed',
    `${file.path} is a malformed ELF file: ${finding} (at file offset ${hex(offset)}).`,
    { path: file.path, offset },
  );
}

export function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
