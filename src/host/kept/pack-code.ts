import type { RegionRecord, StoredCode, StoredHandlers, StoredRegion } from '../../emulator/ports.ts';

/** A region as bytes: its record in JSON, the guest's code, WebAssembly, what V8 made of that (empty where it made nothing). */
export interface PackedRegion
  extends Pick<StoredRegion, 'slots' | 'size' | 'lastSlot' | 'lastSite' | 'unused'> {
  readonly record: Uint8Array;
  readonly code: Uint8Array;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly compiled: Uint8Array<ArrayBuffer>;
}

export interface PackedCode extends Omit<StoredCode, 'regions' | 'blocks' | 'newBlocks'> {
  readonly blocks: Int32Array<ArrayBuffer>;
  readonly regions: readonly PackedRegion[];
}

const PARTS = ['record', 'code', 'bytes', 'compiled'] as const;
type Part = (typeof PARTS)[number];

/** Of each region all but its parts, of which there are the lengths; likewise of the handlers. */
interface Header extends Omit<StoredCode, 'regions' | 'handlers' | 'blocks' | 'newBlocks'> {
  readonly handlers: Omit<StoredHandlers, 'modules'> & { readonly lengths: readonly number[] };
  readonly regions: readonly (Omit<PackedRegion, Part> & {
    readonly lengths: Readonly<Record<Part, number>>;
  })[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const packRecord = (record: RegionRecord): Uint8Array => encoder.encode(JSON.stringify(record));
export const unpackRecord = (record: Uint8Array): RegionRecord =>
  JSON.parse(decoder.decode(record)) as RegionRecord;

/** In turn: the lengths of header and blocks in 4 bytes each, the blocks, the header in JSON, the modules of handlers, the parts of all regions. */
export function packCode({
  regions,
  handlers: { modules, ...handlers },
  blocks,
  ...others
}: PackedCode): readonly Uint8Array[] {
  const header: Header = {
    ...others,
    handlers: { ...handlers, lengths: modules.map(({ length }) => length) },
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
  return [
    new Uint8Array(Uint32Array.of(text.length, blocks.byteLength).buffer),
    new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.byteLength),
    text,
    ...modules,
    ...parts,
  ];
}

/** Of what `packCode` gave. The parts share its memory. */
export function unpackCode(packed: Uint8Array<ArrayBuffer>): PackedCode {
  let at = 0;
  const take = (length: number) => {
    const from = at;
    at += length;
    return packed.subarray(from, at);
  };
  const view = new DataView(packed.buffer, packed.byteOffset);
  at = 8;
  const blocks = wordsOf(take(view.getUint32(4, true)));
  const header = JSON.parse(decoder.decode(take(view.getUint32(0, true)))) as Header;
  const {
    regions,
    handlers: { lengths, ...handlers },
    ...others
  } = header;
  return {
    ...others,
    handlers: { ...handlers, modules: lengths.map(take) },
    blocks,
    regions: regions.map(({ lengths, ...region }) => ({
      ...region,
      record: take(lengths.record),
      code: take(lengths.code),
      bytes: take(lengths.bytes),
      compiled: take(lengths.compiled),
    })),
  };
}

/** In place where that is possible, as it is behind a digest and two lengths. */
function wordsOf(bytes: Uint8Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(buffer, byteOffset, length / 4);
}
