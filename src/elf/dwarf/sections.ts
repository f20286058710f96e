import { u64 } from '../file.ts';
import { ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD, SHF_COMPRESSED } from '../format.ts';
import type { Sections } from '../image.ts';
import type { Inflate } from '../ports.ts';
import { sectionBytes } from '../section-headers.ts';

const NAMES = {
  line: '.debug_line',
  lineStr: '.debug_line_str',
  str: '.debug_str',
  strOffsets: '.debug_str_offsets',
  info: '.debug_info',
  abbrev: '.debug_abbrev',
  addr: '.debug_addr',
  ranges: '.debug_ranges',
  rangeLists: '.debug_rnglists',
} as const;

/** The debug sections that names and lines need; an absent one is empty. */
export type DebugSections = { readonly [Part in keyof typeof NAMES]: Uint8Array };

const EMPTY = new Uint8Array(0);
/** Deflate cannot compress further (zlib's technical notes: 1032 to 1), zstd not beyond a block of 128 KiB in 4 bytes; a header that says so lies. */
const MAX_RATIOS = { zlib: 1032, zstd: 2 ** 15 };
const MAX_INFLATED = 2 ** 30;

/**
 * Each section is read when first asked for. `report` hears one sentence per section that cannot be read. `suffix` is what
 * names of sections end with: `.dwo` in files of split units.
 */
export function debugSections(
  source: Sections,
  inflate: Inflate,
  report: (problem: string) => void,
  suffix = '',
): DebugSections {
  const sections = {};
  for (const [part, name] of Object.entries(NAMES)) {
    let bytes: Uint8Array | undefined;
    const get = (): Uint8Array => {
      bytes ??= readDebugSection(source, `${name}${suffix}`, inflate, report);
      return bytes;
    };
    Object.defineProperty(sections, part, { get, enumerable: true });
  }
  return sections as DebugSections;
}

/** Empty where there is none, or it cannot be read. */
export function readDebugSection(
  source: Sections,
  name: string,
  inflate: Inflate,
  report: (problem: string) => void,
): Uint8Array {
  try {
    return read(source, name, inflate);
  } catch (error) {
    report(`The section ${name} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    return EMPTY;
  }
}

function read(source: Sections, name: string, inflate: Inflate): Uint8Array {
  const section = source.sections.find((s) => s.name === name);
  if (section === undefined) return readGnuCompressed(source, name, inflate);
  const bytes = sectionBytes(source.bytes, section);
  if (bytes === undefined) throw new Error('its contents are not in the file');
  // SHF_COMPRESSED is a 32-bit flag; the bit operation drops only what lies above.
  return (section.flags & SHF_COMPRESSED) === 0 ? bytes : readCompressed(bytes, inflate);
}

/** gABI, "Compression Header": type, reserved, size, alignment. */
function readCompressed(bytes: Uint8Array, inflate: Inflate): Uint8Array {
  if (bytes.length < 24) throw new Error('its compression header is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint32(0, true);
  if (type !== ELFCOMPRESS_ZLIB && type !== ELFCOMPRESS_ZSTD)
    throw new Error(`its compression type is ${type}`);
  const form = type === ELFCOMPRESS_ZLIB ? 'zlib' : 'zstd';
  return inflateExactly(bytes.subarray(24), u64(view, 8), form, inflate);
}

/** The form before the gABI had one (gcc -gz=zlib-gnu): ".zdebug_line" holds "ZLIB", a big-endian size, a stream. */
function readGnuCompressed(source: Sections, name: string, inflate: Inflate): Uint8Array {
  const section = source.sections.find((s) => s.name === name.replace('.', '.z'));
  if (section === undefined) return EMPTY;
  const bytes = sectionBytes(source.bytes, section);
  if (bytes === undefined || bytes.length < 12) throw new Error('its contents are not in the file');
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== 'ZLIB')
    throw new Error('its compression type is unknown');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return inflateExactly(bytes.subarray(12), view.getUint32(4) * 2 ** 32 + view.getUint32(8), 'zlib', inflate);
}

function inflateExactly(
  compressed: Uint8Array,
  size: number,
  form: 'zlib' | 'zstd',
  inflate: Inflate,
): Uint8Array {
  if (size > MAX_INFLATED || size > compressed.length * MAX_RATIOS[form]) {
    throw new Error(`its uncompressed size of ${size} bytes is not credible`);
  }
  const bytes = inflate(compressed, size, form);
  if (bytes.length !== size) throw new Error(`it has ${bytes.length} bytes uncompressed instead of ${size}`);
  return bytes;
}
