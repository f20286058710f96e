import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import type { CodeKey, CodeStore, RegionRecord, StoredCode, StoredRegion } from '../../emulator/ports.ts';
import { hasKnownNatives } from '../v8.ts';
import { compiledOf, moduleOf } from './compiled-modules.ts';
import { digestBy, keep, keepAlso, keptDirectory, makeRoom, readKept } from './directory.ts';
import { type PackedRegion, packCode, packRecord, unpackCode, unpackRecord } from './pack-code.ts';
import { digestOfPart } from './part-digests.ts';

/** A file is written anew where so small a part of its instructions is new, or newly optimised. */
const LEAST_NEWS = 1 / 32;
/** Likewise of its decoded blocks, of which the rare ones depend on when regions come. */
const LEAST_NEW_BLOCKS = 1 / 8;

const digest = digestBy(createHash);

/**
 * Keeps code for the processes that come later, with what V8's optimising compiler has made of it: a program that is measured
 * again begins with the code with which it ended. Undefined for sources, which have no version, and where code cannot be kept.
 */
export function diskCodeStore(): CodeStore | undefined {
  const directory = hasKnownNatives && import.meta.url.endsWith('.cjs') ? keptDirectory() : undefined;
  return directory === undefined ? undefined : new DiskCodeStore(directory);
}

class DiskCodeStore implements CodeStore {
  private readonly directory: string;
  /** Who made the code: this part of the program, and V8. */
  private readonly maker: string;
  /** By a region's WebAssembly: as it was read, or kept last. */
  private readonly packed = new WeakMap<Uint8Array, PackedRegion>();

  /** Commands of which there is a file. */
  private readonly found = new Set<string>();

  constructor(directory: string) {
    this.directory = directory;
    this.maker = `${digestOfPart(fileURLToPath(import.meta.url), digest)} ${cachedDataVersionTag()}`;
  }

  private placeOf(key: string, kind: 'code' | 'notes' = 'code'): string {
    return join(this.directory, `${kind}-${digest(Buffer.from(`${this.maker} ${key}`)).toString('hex')}`);
  }

  findNotes(command: string): readonly string[] {
    const kept = readKept(this.placeOf(command, 'notes'), digest);
    return kept === undefined ? [] : new TextDecoder().decode(kept).split('\n');
  }

  keepNotes(command: string, notes: readonly string[]): void {
    keep(this.placeOf(command, 'notes'), [new TextEncoder().encode(notes.join('\n'))], digest);
  }

  find({ command, program }: CodeKey): StoredCode | undefined {
    const own = readKept(this.placeOf(command), digest);
    if (own !== undefined) this.found.add(command);
    const kept = own ?? readKept(this.placeOf(program), digest);
    if (kept === undefined) return undefined;
    const { regions, blocks, ...others } = unpackCode(kept);
    return {
      ...others,
      blocks: () => blocks,
      newBlocks: 0,
      regions: regions.map((region) => this.unpack(region)),
    };
  }

  private unpack(region: PackedRegion): StoredRegion {
    const { record, compiled, ...others } = region;
    const { bytes } = region;
    this.packed.set(bytes, region);
    let known: RegionRecord | undefined;
    return {
      ...others,
      isOptimised: compiled.length > 0,
      record: () => {
        known ??= unpackRecord(record);
        return known;
      },
      module: () =>
        (compiled.length > 0 ? moduleOf(bytes, compiled) : undefined) ?? new WebAssembly.Module(bytes),
    };
  }

  keep({ command, program }: CodeKey, { regions, blocks, newBlocks, ...others }: StoredCode): void {
    let all = 0;
    let news = 0;
    const packed = regions.map((region): PackedRegion => {
      const before = this.packed.get(region.bytes);
      const now = this.pack(region, before);
      this.packed.set(region.bytes, now);
      all += region.size;
      if (before?.compiled.length !== now.compiled.length) news += region.size;
      return now;
    });
    const isKnown = news <= all * LEAST_NEWS && newBlocks <= LEAST_NEW_BLOCKS;
    if (isKnown && this.found.has(command)) return;
    this.found.add(command);
    keep(this.placeOf(command), packCode({ ...others, blocks: blocks(), regions: packed }), digest);
    keepAlso(this.placeOf(command), this.placeOf(program));
    makeRoom(this.directory);
  }

  private pack(region: StoredRegion, before: PackedRegion | undefined): PackedRegion {
    const { slots, size, lastSlot, lastSite, unused, record, code, bytes, module, body } = region;
    const known = before !== undefined && before.compiled.length > 0 ? before.compiled : undefined;
    const compiled = known ?? (body === undefined ? undefined : compiledOf(module(), body));
    return {
      slots,
      size,
      lastSlot,
      lastSite,
      unused,
      record: before?.record ?? packRecord(record()),
      code,
      bytes,
      compiled: compiled ?? new Uint8Array(),
    };
  }
}
