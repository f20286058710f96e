import type { BlockLog } from '../interpreter/stored-blocks.ts';
import type { StoredHandlers } from '../interpreter/stored-handlers.ts';
import { hostFuses } from '../lowering/host-fma.ts';
import { areSame } from '../stored/region-notes.ts';
import { piecesOf, type StoredCode, type StoredRegion } from '../stored/stored-code.ts';
import { StoredRegions } from '../stored/stored-regions.ts';
import type { CodeParts } from './code-parts.ts';

/** Regions that an earlier run has left, put into their slots when they are wanted; and those that this run leaves. */
export class RegionReuse {
  private readonly parts: CodeParts;
  private readonly regions: StoredRegions;

  constructor(parts: CodeParts) {
    this.parts = parts;
    this.regions = new StoredRegions(parts.options.stored);
  }

  /** A region was made, in place of the one that its slot had before; undefined where no other run can use it. */
  add(slot: number, region: StoredRegion | undefined): void {
    this.regions.add(slot, region);
  }

  /** Entries after which it is worth going on in the region that an earlier run has left for an address; undefined where there is none. */
  entriesUntil(address: number): number | undefined {
    const { slots, installed, options } = this.parts;
    const slot = slots.find(address);
    if (slot === undefined) return undefined;
    if (installed.holds(slot)) return 1;
    // Others are compiled again, so that they come when they would be made.
    return this.regions.find(slot)?.isOptimised ? options.limits.storedEntries : undefined;
  }

  /** The slot of an address, if a region of an earlier run is in it from now on, or was put there before. */
  at(address: number): number | undefined {
    const { slots, installed, options } = this.parts;
    if (options.stored === undefined) return undefined;
    const slot = slots.find(address);
    if (slot === undefined) return undefined;
    return installed.holds(slot) || this.put(slot) ? slot : undefined;
  }

  /** Puts the region that an earlier run made for a slot, or a way in through it, into its slots. Tells whether there is one. */
  put(slot: number): boolean {
    const { slots: all, installed, jumps, warm, hot, table, options } = this.parts;
    const region = this.regions.take(slot);
    if (region === undefined || installed.holds(region.slots[0]) || !this.isValid(region)) return false;
    const { slots, size } = region;
    const record = region.record();
    const [own, ...ways] = slots;
    for (const { from, enters, targets } of record.jumps) {
      for (const target of targets) jumps.note(from, target, false);
      if (enters) jumps.note(from, from, true);
    }
    for (const { at, targets } of record.tables) jumps.fill(at, targets);
    for (const piece of piecesOf(region)) warm.expect(piece);
    if (record.isCrowded) warm.crowd(own);
    options.measure.hasAsked ||= record.asks;
    options.measure.areBytesResting ||= record.asksForBytes;
    const free = slots.filter((each) => !installed.holds(each));
    hot.add(
      own,
      record.blocks.slice(0, record.blocks.length - record.inLine).map(([start]) => start),
      free.slice(1),
      { size, isFull: record.isFull, isUnaligned: record.isUnaligned, asksForBytes: record.asksForBytes },
    );
    const pieces = piecesOf(region);
    installed.install(free, { pieces, isVolatile: record.isVolatile }, () => this.instantiate(region));
    ways.forEach((way, i) => {
      if (record.areTargets[i]) this.parts.enterAt(all.addressOf(way), way);
    });
    this.regions.use({ ...region, unused: 0, body: table.get(own) });
    options.events.translated(size);
    return installed.holds(slot);
  }

  /** Fills the region's slots, but for those that hold regions: a loop with a region of its own keeps it. */
  private instantiate({ slots, module }: StoredRegion): void {
    const { installed, table } = this.parts;
    const held = slots
      .filter((slot) => installed.holds(slot))
      .map((slot) => [slot, table.get(slot)] as const);
    this.parts.instantiate(module());
    for (const [slot, body] of held) table.set(slot, body);
  }

  /** Whether the region would be made of the same code in the same way. */
  private isValid(region: StoredRegion): boolean {
    const { installed, slots, symbols } = this.parts;
    const { answers, isFused, isVolatile } = region.record();
    return (
      (!isFused || hostFuses()) &&
      (isVolatile || !installed.isVolatile(piecesOf(region))) &&
      piecesOf(region).every((piece) => installed.isSame(piece)) &&
      areSame(answers, slots.addressOf(region.slots[0]), symbols)
    );
  }

  /** What to leave for later runs; nothing where some instruction is above the level, of which a run must hear. */
  leave(handlers: StoredHandlers, blocks: BlockLog): StoredCode | undefined {
    const { options, slots, numbers, jumps } = this.parts;
    if (options.levels?.found !== undefined) return undefined;
    return this.regions.leave(slots.stored, numbers.sites, numbers.unsupported, jumps.end, handlers, blocks);
  }
}
