import type { RegionRecord, StoredCode, StoredRegion } from '../../emulator/ports.ts';

/** A region as bytes: its record in JSON, the guest's code, WebAssembly, what V8 made of that (empty where it made nothing). */
export interface PackedRegion
  extends Pick<StoredRegion, 'slots' | 'size' | 'lastSlot' | 'lastSite' | 'unused'> {
  readonly record: Uint8Array;
  readonly code: Uint8Array;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly compiled: Uint8Array<ArrayBuffer>;
}

export interface PackedCode extends Omit<StoredCode, 'regions'> {
  readonly regions: readonly PackedRegion[];
}

const PARTS = ['record', 'code', 'bytes', 'compiled'] as const;
type Part = (typeof PARTS)[number];

/** Of each region all but its parts, of which there are the lengths. */
interface Header extends Omit<StoredCode, 'regions'> {
  readonly regions: readonly (Omit<PackedRegion, Part> & {
    readonly lengths: Readonly<Record<Part, number>>;
  })[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const packRecord = (record: RegionRecord): Uint8Array => encoder.encode(JSON.stringify(record));
export const unpackRecord = (record: Uint8Array): RegionRecord =>
  JSON.parse(decoder.decode(record)) as RegionRecord;

/** In turn: the length of a header in 4 bytes, the header in JSON, the parts of all regions. */
export function packCode({ regions, ...others }: PackedCode): readonly Uint8Array[] {
  const header: Header = {
    ...others,
    regions: regions.map(({ record, code, bytes, compiled, ...region }) => ({
      ...region,
      lengths: {
        record: record.length,
        code: code.length,
        bytes: bytes.length,
        compiled: compiled.length,
      },
    })),
  };
  const text = encoder.encode(JSON.stringify(header));
  const parts = regions.flatMap((region) => PARTS.map((part) => region[part]));
  return [new Uint8Array(Uint32Array.of(text.length).buffer), text, ...parts];
}

/** Of what `packCode` gave. The parts share its memory. */
export function unpackCode(packed: Uint8Array<ArrayBuffer>): PackedCode {
  let at = 0;
  const take = (length: number) => {
    const from = at;
    at += length;
    return packed.subarray(from, at);
  };
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  at = 4;
  const { regions, ...others } = JSON.parse(decoder.decode(take(length))) as Header;
  return {
    ...others,
    regions: regions.map(({ lengths, ...region }) => ({
      ...region,
      record: take(lengths.record),
      code: take(lengths.code),
      bytes: take(lengths.bytes),
      compiled: take(lengths.compiled),
    })),
  };
}
