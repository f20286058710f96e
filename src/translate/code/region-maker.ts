import { Failure } from '../../base/failure.ts';
import { FAR_ACCESSES, GUEST_END } from '../../guest/layout.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import type { CodeReader } from '../../x86/decode.ts';
import type { Probes } from '../counts/probes.ts';
import type { Tally } from '../counts/tally.ts';
import type { Instruments } from '../instruments.ts';
import { does, type Optimisation } from '../limits.ts';
import { hostFuses } from '../lowering/host-fma.ts';
import type { JumpTable, RegionEnvironment, ServiceSite } from '../region-interface.ts';
import { isLeaf, withCallsInLine } from '../regions/calls-in-line.ts';
import { discoverRegion, type RegionLimits } from '../regions/discover.ts';
import { accessesOf, type Region, type RegionBlock, sizeOfRegion } from '../regions/region.ts';
import { betterRoot } from '../regions/roots.ts';
import { importSpace } from '../space.ts';
import type { UnalignedInLine } from '../steps/measure.ts';
import { RegionNotes } from '../stored/region-notes.ts';
import type { CodePiece, StoredRegion } from '../stored/stored-code.ts';
import { siteOf } from '../strings/numbers.ts';
import type { CodeParts } from './code-parts.ts';
import { defineRegion, type EntrySlot } from './region-module.ts';

/** What a region became: for later runs, undefined where none can use it. */
export type OnMade = (slot: number, region: StoredRegion | undefined) => void;

interface FoundRegion {
  readonly region: Region;
  /** Whether a limit has cut it off. */
  readonly isFull: boolean;
  /** Its code, and that of the functions that it has in line. */
  readonly own: readonly CodePiece[];
  readonly inLine: readonly CodePiece[];
}

/** Makes regions of what is warm, and puts them into their slots: the second tier. */
export class RegionMaker implements RegionEnvironment {
  readonly instruments: Instruments;
  readonly code: CodeReader;
  /** Of the region that is being made: some of its code can be written, so that it looks for changes. */
  isVolatile = false;
  readonly keepsLocals: boolean;
  readonly groupsAccesses: boolean;
  readonly tally: Tally | undefined;
  readonly probes: Probes | undefined;
  readonly jumpTargets: CodeParts['jumpTargets'];
  /** How many were made, the bytes of their WebAssembly, their instructions. */
  readonly statistics = { regions: 0, regionBytes: 0, regionInstructions: 0 };
  private readonly parts: CodeParts;
  private readonly onMade: OnMade;
  /** Of the region that is being made. */
  private notes: RegionNotes;
  /** One word: FAR_ACCESSES. */
  private readonly farAccesses: Uint32Array;
  private farBefore = 0;
  private hasManyFar = false;

  constructor(parts: CodeParts, onMade: OnMade) {
    this.parts = parts;
    this.onMade = onMade;
    const { options, jumpTargets, symbols } = parts;
    this.instruments = options.instruments;
    this.code = options.code;
    this.tally = options.tally;
    this.probes = options.probes;
    this.jumpTargets = jumpTargets;
    this.notes = new RegionNotes(symbols);
    this.keepsLocals = this.does('state in locals');
    const { isInLine, followsFar } = options.measure.entry;
    this.groupsAccesses = this.does('grouped accesses') && isInLine && !followsFar;
    this.farAccesses = new Uint32Array(options.memory.buffer, FAR_ACCESSES, 1);
  }

  private does(optimisation: Optimisation): boolean {
    return does(this.parts.options.limits, optimisation);
  }

  /** Other code may read what the region overwrites. */
  get keepsDeadState(): boolean {
    return this.isVolatile || !this.does('dead state');
  }

  /** Between slices. */
  startSlice(): void {
    this.farBefore = this.farAccesses[0];
  }

  /** Makes the region of a slot of what is warm by now. */
  make(slot: number): void {
    const { within, onRegion } = this.instruments;
    const { options, installed, hot, table, jumps, warm } = this.parts;
    const { measure } = options;
    this.notes = new RegionNotes(this.parts.symbols);
    const { region, isFull, own, inLine } = within('lift', () => this.regionOf(slot));
    const size = sizeOfRegion(region);
    // A loop with a region of its own keeps it.
    const entries = region.entries
      .map((entry): EntrySlot => ({ entry, slot: this.slotOf(entry.address) }))
      .filter((way) => !hot.has(way.slot) || !installed.holds(way.slot));
    const slots = [slot, ...entries.map((way) => way.slot)];
    const pieces = [...own, ...inLine];
    const starts = own.map(({ start }) => start);
    const isUnaligned = hot.isUnaligned(slot, size);
    const asksForBytes = measure.areBytesResting && hot.mayAskForBytes(size);
    hot.add(slot, starts, slots.slice(1), { size, isFull, isUnaligned, asksForBytes });
    warm.hold(
      slot,
      starts,
      this.notes.jumpSites.flatMap((from) => this.targetsOf(from)),
    );
    const locals = new Map<number, string>();
    const { hasAsked } = measure;
    measure.hasAsked = false;
    const bytes = within('emit', () => this.build(region, slot, entries, locals));
    const asks = measure.hasAsked;
    measure.hasAsked ||= hasAsked;
    onRegion?.({ region, bytes, locals });
    try {
      const module = within('compile', () => new WebAssembly.Module(bytes));
      installed.install(slots, { pieces, isVolatile: this.isVolatile }, () => {
        within('compile', () => this.parts.instantiate(module));
      });
      this.tally?.install(slots);
      for (const way of entries) if (way.entry.isTarget) this.parts.enterAt(way.entry.address, way.slot);
      const noted = this.notes.region({
        entry: region.entry,
        pieces,
        inLine: inLine.length,
        slots,
        size,
        bytes,
        module: () => module,
        body: table.get(slot),
        areTargets: entries.map(({ entry }) => entry.isTarget),
        jumps: (from) => ({ enters: jumps.enters(from), targets: this.targetsOf(from) }),
        isFull,
        isCrowded: warm.isCrowded(slot),
        isUnaligned,
        asksForBytes,
        isVolatile: this.isVolatile,
        asks,
      });
      this.onMade(slot, this.looksAhead(region) ? undefined : noted);
    } catch (error) {
      throw new Failure(
        'guest',
        'internal-translation',
        `code at 0x${region.entry.toString(16)} could not be translated: ${error}`,
      );
    }
    this.statistics.regions++;
    this.statistics.regionBytes += bytes.length;
    this.statistics.regionInstructions += size;
    options.events.translated(size);
  }

  /** The region of a slot. Which code it has is known before it is known whether that can be written. */
  private regionOf(slot: number): FoundRegion {
    this.isVolatile = false;
    const found = this.regionAsIs(slot);
    this.isVolatile = this.parts.installed.isVolatile([...found.own, ...found.inLine]);
    return this.isVolatile ? this.regionAsIs(slot) : found;
  }

  private regionAsIs(slot: number): FoundRegion {
    const found = this.withinLimits(slot);
    const pieceOf = ({ lifted }: RegionBlock): CodePiece => ({
      start: lifted.address,
      bytes: this.code.bytes(lifted.address, lifted.end - lifted.address),
    });
    const { blocks } = found.region;
    const own = blocks.filter(({ inside }) => inside === undefined).map(pieceOf);
    const inLine = blocks.filter(({ inside }) => inside !== undefined).map(pieceOf);
    return { ...found, own, inLine };
  }

  private withinLimits(slot: number): Pick<FoundRegion, 'region' | 'isFull'> {
    const { hotInstructions, regionAccesses, mostWarmBlocks } = this.parts.options.limits;
    const { warm } = this.parts;
    let region = this.discover(slot, hotInstructions);
    const root = this.does('better roots') ? betterRoot(region) : undefined;
    if (root !== undefined) region = this.discover(slot, hotInstructions, root);
    if (!warm.isCrowded(slot) && region.blocks.length > mostWarmBlocks) {
      warm.crowd(slot);
      region = this.discover(slot, hotInstructions, root);
    }
    const size = sizeOfRegion(region);
    const accesses = accessesOf(region);
    if (accesses <= regionAccesses) {
      const isFull = size >= hotInstructions;
      return { region: isFull ? region : this.withCalls(region, slot), isFull };
    }
    const fewer = Math.ceil((size * regionAccesses) / accesses);
    return { region: this.discover(slot, fewer, root), isFull: true };
  }

  /** What leaves a full region is not taken in later: functions must be whole. */
  private withCalls(region: Region, slot: number): Region {
    const { options } = this.parts;
    const { leafInstructions, inLineInstructions, largeRegion, callTargets } = options.limits;
    // A tally counts blocks by address, and probes stop control between all.
    const isPossible =
      this.does('calls in line') &&
      options.measure.inLine !== undefined &&
      this.tally === undefined &&
      this.probes === undefined;
    if (!isPossible || sizeOfRegion(region) > largeRegion) return region;
    const known = new Map<number, Region | undefined>();
    const leafAt = (address: number): Region | undefined => {
      if (!known.has(address)) known.set(address, this.leafAt(address, slot, leafInstructions));
      return known.get(address);
    };
    const targetsOf = (from: number): readonly number[] => {
      this.notes.noteJump(from);
      const targets = this.targetsOf(from);
      return targets.length > callTargets
        ? []
        : targets.filter((target) => this.parts.warm.isWarm(target, slot));
    };
    return withCallsInLine(region, { leafAt, targetsOf, room: inLineInstructions });
  }

  private leafAt(address: number, slot: number, instructions: number): Region | undefined {
    const { warm, options } = this.parts;
    if (address >= GUEST_END || this.notes.isSeen(address) || !warm.isWarm(address, slot)) return undefined;
    const leaf = discoverRegion(
      this.code,
      address,
      { top: 0, mxcsr: options.mxcsr },
      { ...this.limitsOf(slot, instructions), entries: 0, entersTargets: false },
    );
    const isWhole = sizeOfRegion(leaf) < instructions;
    const leaves = ({ successors }: RegionBlock) =>
      successors.some((edge) => edge.kind === 'exit' && warm.isWarm(edge.address, slot));
    return isWhole && isLeaf(leaf) && !leaf.blocks.some(leaves) ? leaf : undefined;
  }

  /** `other`: where another region is to begin. */
  private discover(slot: number, instructions: number, other?: number): Region {
    const { options, slots } = this.parts;
    const { fpuTop, mxcsr } = options;
    return discoverRegion(
      this.code,
      slots.addressOf(slot),
      { top: slots.topOf(slot) ?? fpuTop(), mxcsr },
      this.limitsOf(slot, instructions, other),
    );
  }

  private limitsOf(slot: number, instructions: number, other?: number): RegionLimits {
    const { options, warm, hot } = this.parts;
    const { notes } = this;
    return {
      entersFunction: (from, target) => notes.entersFunction(from, target),
      isSeen: (address) => notes.isSeen(address),
      isLeader: (address) => this.probes?.has(address) === true,
      endsBehindStores: this.isVolatile,
      isWarm: (address) =>
        warm.isWarm(address, slot) && address !== other && !hot.isWayIntoAnother(address, slot),
      jumpTargets: (from) => {
        notes.noteJump(from);
        return this.targetsOf(from);
      },
      instructions,
      entries: this.does('loop entries') ? options.limits.entries : 0,
      // Whoever counts must know which jump led to a target.
      entersTargets: this.does('entered targets') && this.tally === undefined,
      lifting: { keeps: this.does('lifted blocks'), sharesNodes: this.does('shared nodes') },
    };
  }

  private targetsOf(from: number): readonly number[] {
    return this.does('learned jumps') ? this.parts.jumps.targets(from) : [];
  }

  /** Whether what some instruction does depends on code that the region does not have. */
  private looksAhead({ blocks }: Region): boolean {
    return blocks.some(({ lifted }) =>
      lifted.instructions.some(({ address }) => this.code.looksAhead(address)),
    );
  }

  private build(
    region: Region,
    slot: number,
    entries: readonly EntrySlot[],
    locals: Map<number, string>,
  ): Uint8Array<ArrayBuffer> {
    const module = new ModuleBuilder(`region 0x${region.entry.toString(16)}`);
    importSpace(module);
    const { measure } = this.parts.options;
    defineRegion(module, { region, measure, environment: this, slot, entries, locals });
    return module.build(this.does('branch hints'));
  }

  // --- what the emitter asks

  placeOf(address: number): number {
    if (address >= GUEST_END) this.notes.noteFar();
    return this.parts.options.places.of(address);
  }

  slotOf(address: number): number {
    const slot = this.parts.slots.of(address);
    this.notes.noteSlot(slot);
    return slot;
  }

  isHooked(address: number): boolean {
    return this.parts.symbols.isHooked(address);
  }

  learns(from: number): boolean {
    return !this.parts.jumps.enters(from);
  }

  isWarm(address: number, slot: number): boolean {
    return this.parts.warm.isWarm(address, slot);
  }

  jumpTable(targets: readonly number[]): JumpTable {
    const table = this.parts.jumps.table(targets);
    this.notes.noteTable({ at: table.at, targets });
    return table;
  }

  /**
   * V8 takes more than linear time for large regions: without unaligned loads in line python takes 5 % less, most of it one
   * region of 5,000 instructions. In all regions that would cost xz 5 %, perl 2 %.
   */
  unalignedInLine(slot: number, instructions: number): UnalignedInLine {
    if (this.parts.hot.isBytewise(slot)) return 'bytewise';
    if (this.parts.hot.isUnaligned(slot, instructions)) return 'edges';
    return instructions > this.parts.options.limits.largeRegion ? 'none' : 'whole';
  }

  asksForBytes(slot: number): boolean {
    return this.parts.hot.asksForBytes(slot);
  }

  /**
   * A look-up takes 70 bytes of machine code in each access. Programs of Go, which access far memory now and then, took 5 to 9 % longer with
   * it, and those with AddressSanitizer, which looks at far memory before each access, a third to six tenths of the time.
   */
  get farInLine(): boolean {
    const { limits, measure } = this.parts.options;
    this.hasManyFar ||= this.farAccesses[0] - this.farBefore >= limits.manyFar;
    return this.hasManyFar && measure.entry.followsFar && this.does('far in line');
  }

  /** Asked where an instruction multiplies and adds: finding out takes a millisecond. */
  get fuses(): boolean {
    if (!this.does('host fma') || !hostFuses()) return false;
    this.notes.noteFused();
    return true;
  }

  siteNumber(site: ServiceSite): number {
    const number = this.parts.numbers.ofSite(site);
    this.notes.noteSite(siteOf(number));
    return number;
  }

  unsupportedNumber(text: string): number {
    return this.parts.numbers.ofUnsupported(text);
  }
}
