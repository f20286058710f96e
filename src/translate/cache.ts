import { Failure } from '../base/failure.ts';
import {
  CODE_CACHE_ENTRY,
  FAR_ACCESSES,
  GUEST_END,
  JUMP_CACHE_ENTRIES,
  JUMP_CACHES,
  UNALIGNED,
} from '../guest/layout.ts';
import type { ValueType } from '../wasm/function.ts';
import { ModuleBuilder } from '../wasm/module.ts';
import type { CodeReader } from '../x86/decode.ts';
import type { LevelWatch } from '../x86/required-level.ts';
import { AddressCache, codeAddress } from './address-cache.ts';
import type { CachePlace } from './cached-lookup.ts';
import type { CodeEvents } from './code-events.ts';
import { type CodePlaces, placeImports } from './code-places.ts';
import { discoverRegion } from './discover.ts';
import { helperFunctions } from './helper-functions.ts';
import { entriesUntilHot } from './hot-entries.ts';
import { HotRegions } from './hot-regions.ts';
import { InstalledRegions } from './installed.ts';
import type { Instruments } from './instruments.ts';
import type { RecordSpace } from './interpreter/blocks.ts';
import { Interpreter } from './interpreter/interpreter.ts';
import type { PreparedHandlers } from './interpreter/prepared.ts';
import { IndirectJumps } from './jumps.ts';
import { does, type EngineLimits, type Optimisation } from './limits.ts';
import type { Measure, UnalignedInLine } from './measure.ts';
import type { Probes } from './probes.ts';
import { type Region, sizeOfRegion } from './region.ts';
import {
  FAULTS,
  type JumpTable,
  type RegionEnvironment,
  type ServiceSite,
  UNSUPPORTED,
} from './region-interface.ts';
import { defineRegion, type EntrySlot } from './region-module.ts';
import { Slots } from './slots.ts';
import { importSpace } from './space.ts';
import { areSame, RegionNotes, type Symbols } from './stored/region-notes.ts';
import { BlockLog, StoredBlocks } from './stored/stored-blocks.ts';
import { piecesOf, type StoredCode, type StoredRegion } from './stored/stored-code.ts';
import { StoredRegions } from './stored/stored-regions.ts';
import { defineEntry } from './support.ts';
import type { ContextFunctions } from './support-contexts.ts';
import { instantiateSupport } from './support-module.ts';
import { serviceNumber, siteOf } from './support-strings.ts';
import type { Tally } from './tally.ts';
import type { TraceLog } from './trace-log.ts';

export interface CodeOptions {
  readonly memory: WebAssembly.Memory;
  readonly code: CodeReader;
  readonly places: CodePlaces;
  readonly measure: Measure;
  readonly events: CodeEvents;
  readonly contexts: ContextFunctions;
  /** A jump into a linkage stub or to another function's entry (rule 9). */
  readonly entersFunction: (from: number, target: number) => boolean;
  /** Entering there opens a context wherever it happens. */
  readonly isHooked: (address: number) => boolean;
  /** A page holds translated code from now on. */
  readonly onCode: (page: number) => void;
  /** Top of the x87 stack in the state. */
  readonly fpuTop: () => number;
  readonly limits: EngineLimits;
  /** Control bits of MXCSR that the code is valid for, and which of the CODE_CACHES this is. */
  readonly mxcsr: number;
  readonly index: number;
  /** Whether the instruction at an address is executed by itself, with all state in memory: it may fault. */
  readonly isPrecise: (address: number) => boolean;
  /** Where interpreted code is kept, of all code caches. */
  readonly records: RecordSpace;
  readonly instruments: Instruments;
  /** Counts executions, when somebody asks. */
  readonly tally?: Tally;
  /** Where control is to stop. */
  readonly probes?: Probes;
  /** Whoever logs what is executed wants it interpreted (see EngineLimits.hotEntries). */
  readonly log?: TraceLog;
  /** Hears of the instructions' levels. */
  readonly levels?: LevelWatch;
  /** Handlers that were made before: for this very measure, these limits and this mxcsr, with nothing in addition. */
  readonly prepared?: PreparedHandlers;
  /** Whether what is made is left for later runs; not where anybody asks for something in addition. */
  readonly leavesCode?: boolean;
  /** What an earlier cache left: for this very program, measure, these limits, this mxcsr and index. */
  readonly stored?: StoredCode | undefined;
}

const STUB_BATCH = 512;

/** What was interpreted and translated so far. */
export interface CodeStatistics {
  /** Instructions in interpreted blocks, the blocks, and the handlers that they took. */
  readonly interpreted: number;
  readonly blocks: number;
  readonly handlers: number;
  /** Regions that were made, their instructions, how many of them because they kept being left for code that they lack. */
  readonly regions: number;
  readonly regionInstructions: number;
  readonly anew: number;
  /** Regions taken out of use because their code may have changed, and those that were put back. */
  readonly forgotten: number;
  readonly restored: number;
  /** Bytes of WebAssembly: of regions, of handlers. */
  readonly regionBytes: number;
  readonly handlerBytes: number;
}

/** All translated code of a run: regions by address in slots of one table, made when they are first entered. */
export class CodeCache implements RegionEnvironment {
  /** Texts of unsupported instructions, by number. */
  private readonly unsupported: string[] = [];
  readonly instruments: Instruments;
  readonly code: CodeReader;
  readonly keepsDeadState: boolean;
  readonly keepsLocals: boolean;
  readonly groupsAccesses: boolean;
  readonly tally: Tally | undefined;
  readonly probes: Probes | undefined;
  private readonly options: CodeOptions;
  private readonly stepType: ValueType;
  private readonly table: WebAssembly.Table;
  private readonly slots = new Slots(() => this.addStubs());
  private readonly installed: InstalledRegions;
  private readonly sites: ServiceSite[] = [];
  private readonly jumps: IndirectJumps;
  private readonly hot: HotRegions;
  /** Slots in whose regions there is no room for all that is warm. */
  private readonly crowded = new Set<number>();
  private readonly stored: StoredRegions | undefined;
  private readonly blockLog: BlockLog | undefined;
  /** Blocks of regions that an earlier run has made: they were warm then. */
  private readonly warmBefore = new Set<number>();
  private readonly symbols: Symbols;
  /** Of the region that is being made. */
  private notes: RegionNotes;
  private readonly imports: WebAssembly.Imports;
  private readonly interpreter: Interpreter;
  readonly jumpTargets: CachePlace;
  private readonly jumpCache: AddressCache;
  /** One word: UNALIGNED. */
  private readonly unaligned: Int32Array;
  /** One word: FAR_ACCESSES. */
  private readonly farAccesses: Uint32Array;
  private farBefore = 0;
  private hasManyFar = false;
  private readonly run: (address: bigint) => bigint;
  private readonly noteQuiet: (page: number) => void;
  private stubs = 0;

  constructor(options: CodeOptions) {
    this.options = options;
    this.instruments = options.instruments;
    this.code = options.code;
    this.tally = options.tally;
    this.probes = options.probes;
    const { isHooked, isPrecise, entersFunction } = options;
    this.symbols = {
      isHooked,
      isSeen: (address) => isHooked(address) || isPrecise(address),
      entersFunction,
    };
    this.notes = new RegionNotes(this.symbols);
    if (options.leavesCode) {
      this.stored = new StoredRegions(options.stored);
      this.blockLog = new BlockLog();
    }
    this.keepsDeadState = !this.does('dead state');
    this.keepsLocals = this.does('state in locals');
    const { isInLine, followsFar } = options.measure.entry;
    this.groupsAccesses = this.does('grouped accesses') && isInLine && !followsFar;
    this.stepType = options.measure.stepType;
    this.table = new WebAssembly.Table({ element: 'anyfunc', initial: 2 * STUB_BATCH });
    this.jumpTargets = {
      at: JUMP_CACHES + CODE_CACHE_ENTRY * JUMP_CACHE_ENTRIES * options.index,
      entries: JUMP_CACHE_ENTRIES,
    };
    const { buffer } = options.memory;
    this.unaligned = new Int32Array(buffer, UNALIGNED, 1);
    this.farAccesses = new Uint32Array(buffer, FAR_ACCESSES, 1);
    this.jumps = new IndirectJumps(buffer, options.index);
    this.installed = new InstalledRegions(this.table, options.code, options.onCode, (slot) =>
      this.interpreter.blocks.cool(this.slots.addressOf(slot)),
    );
    this.hot = new HotRegions(
      this.slots,
      this.installed,
      options.limits,
      (slot) => this.translate(slot),
      () => options.events.isToStop(),
    );
    this.jumpCache = new AddressCache(buffer, this.jumpTargets.at, JUMP_CACHE_ENTRIES);
    const { contexts, events, places } = options;
    const env: WebAssembly.ModuleImports = {
      memory: options.memory,
      table: this.table,
      resolve: (address: bigint) => this.resolve(address),
      ...placeImports(places),
      variant: (place: number) => this.variant(places.addressOf(place)),
      openByCall: contexts.openByCall,
      openCarrying: contexts.openCarrying,
      openByJump: contexts.openByJump,
      enterHooked: contexts.enterHooked,
      close: contexts.close,
      closeCarrying: contexts.closeCarrying,
      endSlice: (slot: number) => {
        this.noteUnaligned(slot);
        return this.hot.isToLeave(slot) || events.endSlice() ? 1 : 0;
      },
      hearJump: (slot: number, from: number, target: number) =>
        this.noteJump(slot, places.addressOf(from), places.addressOf(target)),
      hearExit: (slot: number, place: number) => {
        const address = places.addressOf(place);
        this.hot.noteMisses(slot, address, this.isWarm(address, slot));
      },
      refuseEntry: (slot: number) => this.installed.remove(slot),
      serve: (number: number) => events.service(this.sites[siteOf(number)]),
      raise: (number: number, place: number) =>
        number < UNSUPPORTED
          ? events.raise(FAULTS[number], places.addressOf(place))
          : events.unsupported(this.unsupported[number - UNSUPPORTED]),
      pageFault: events.pageFault.bind(events),
      prepareStore: events.prepareStore.bind(events),
      addBytePage: events.addBytePage.bind(events),
      beyond: events.beyond.bind(events),
      away: events.away.bind(events),
      probed: () => events.probed(),
    };
    const support = instantiateSupport(env, {
      ...options,
      jumpTargets: this.jumpTargets,
      counters: this.instruments.counters,
    });
    this.run = support.dispatch as (address: bigint) => bigint;
    this.noteQuiet = support.quietPage as (page: number) => void;
    const countJump = options.tally?.buildCountJump(importSpace, env);
    const regionEnvironment = { ...env, ...support, ...(countJump && { countJump }) };
    this.imports = { env: regionEnvironment, helper: helperFunctions(this.does('helper cases')) };
    this.interpreter = this.buildInterpreter(regionEnvironment);
    if (options.stored !== undefined) this.expect(options.stored);
    this.interpreter.placeStored();
  }

  /** Runs from an address until the slice's instructions are spent; gives the address to go on from. */
  dispatch(address: number | bigint): bigint {
    return this.run(BigInt(address));
  }

  /** Notes a page's largest steps; there is nothing to note as long as no region asks for them. */
  get quietPage(): ((page: number) => void) | undefined {
    return this.options.measure.hasAsked ? this.noteQuiet : undefined;
  }

  private readonly statistics = { regions: 0, regionBytes: 0, regionInstructions: 0 };

  private does(optimisation: Optimisation): boolean {
    return does(this.options.limits, optimisation);
  }

  private buildInterpreter(env: WebAssembly.ModuleImports): Interpreter {
    const { memory, entersFunction, contexts, ...options } = this.options;
    return new Interpreter({
      ...options,
      memory: memory.buffer,
      table: this.table,
      entersFunction,
      close: contexts.close,
      env,
      reserve: () => this.slots.reserveHandler(),
      reserveFirst: () => this.slots.reserveFirst(),
      importSpace,
      siteNumber: (site) => this.siteNumber(site),
      unsupportedNumber: (text) => this.unsupportedNumber(text),
      noteJump: (from, target) => this.jumps.note(from, target, entersFunction(from, target)),
      takeIn: (address) => this.hot.takeIn(address),
      isHeld: (address) => this.hot.isHeld(address),
      regionAt: (address) => this.regionAt(address),
      addressOf: (slot) => (this.slots.topOf(slot) === undefined ? this.slots.addressOf(slot) : undefined),
      makeRegion: (slot) => this.makeRegion(slot),
      hasRegion: (slot) => this.hasRegion(slot),
      storedAt: (address) => this.storedAt(address),
      ...(this.blockLog && {
        storedBlocks: {
          log: this.blockLog,
          before: this.options.stored && new StoredBlocks(this.options.stored.blocks),
        },
        storedHandlers: this.options.stored?.handlers,
      }),
      entriesUntilStored: (address) => this.entriesUntilStored(address),
    });
  }

  /** Slot of the region at an address, which is made now unless it exists. */
  private regionAt(address: number): number {
    const slot = this.slotOf(address);
    this.makeRegion(slot);
    return slot;
  }

  private makeRegion(slot: number): void {
    if (!this.hasRegion(slot) && !this.reuse(slot)) this.translate(slot);
  }

  /** Whether the slot holds its region, or does again because the code turned out to be the same. */
  private hasRegion(slot: number): boolean {
    if (this.installed.holds(slot)) return true;
    if (!this.does('kept regions') || !this.installed.restore(slot)) return false;
    this.tally?.restore(slot);
    return true;
  }

  /** Between slices: so many instructions were executed. */
  hasten(executed: number): void {
    this.interpreter.blocks.hasten(
      entriesUntilHot(this.options.limits, executed, this.statistics.regionInstructions),
    );
    this.farBefore = this.farAccesses[0];
  }

  /** Between slices: regions that were to be made anew while that could not be. */
  translatePostponed(): void {
    this.hot.renewPostponed();
  }

  /** Memory in [start, end) may hold other code from now on. */
  forget(start: number, end: number): void {
    this.installed.forget(start, end);
    this.interpreter.blocks.forget(start, end);
  }

  /** Gives back what decoding holds, until code is read again: the collector would see to it too late in a process that measures for ever. */
  rest(): void {
    this.code.forget();
  }

  /** The instruction at an address was executed by itself and did not retire. */
  uncount(address: number): void {
    if (this.tally !== undefined) this.interpreter.blocks.uncount(address);
  }

  get counts(): CodeStatistics {
    const { blocks, handlers } = this.interpreter;
    return {
      ...this.statistics,
      anew: this.hot.renewed,
      ...this.installed.statistics,
      interpreted: blocks.statistics.instructions,
      blocks: blocks.statistics.blocks,
      handlers: handlers.statistics.handlers,
      handlerBytes: handlers.statistics.bytes,
    };
  }

  // --- slots

  placeOf(address: number): number {
    if (address >= GUEST_END) this.notes.noteFar();
    return this.options.places.of(address);
  }

  slotOf(address: number): number {
    const slot = this.slots.of(address);
    this.notes.noteSlot(slot);
    return slot;
  }

  private addStubs(): void {
    while (this.slots.length > this.stubs) this.addStubBatch();
  }

  private addStubBatch(): void {
    if (this.stubs + STUB_BATCH > this.table.length) this.table.grow(this.table.length);
    const module = new ModuleBuilder('way into the interpreter');
    importSpace(module);
    const enter = this.interpreter.importEnter(module);
    for (let i = 0; i < STUB_BATCH; i++) {
      const slot = this.stubs + i;
      // The interpreter's first handlers are there already.
      if (this.slots.isHandler(slot)) continue;
      module.place(slot, defineEntry(module, enter, slot, this.stepType));
    }
    new WebAssembly.Instance(new WebAssembly.Module(module.build()), this.interpreter.imports);
    this.stubs += STUB_BATCH;
  }

  private resolve(address: bigint): number {
    const at = codeAddress(address, this.options.events);
    const slot = this.slotOf(at);
    this.instruments.counters.add('looked up: slots');
    if (!this.does('address caches')) return slot;
    this.jumpCache.set(at, slot);
    return slot;
  }

  private variant(address: number): number {
    // Interpreted code has its own way to find the top.
    return this.options.isPrecise(address)
      ? this.slotOf(address)
      : this.slots.variant(address, this.options.fpuTop());
  }

  // --- translation

  isHooked(address: number): boolean {
    return this.options.isHooked(address);
  }

  learns(from: number): boolean {
    return !this.jumps.enters(from);
  }

  isWarm(address: number, slot: number): boolean {
    if (!this.does('warm blocks')) return true;
    if (this.warmBefore.has(address)) return true;
    const { warmEntries, crowdedEntries } = this.options.limits;
    return this.interpreter.blocks.isWarm(address, this.crowded.has(slot) ? crowdedEntries : warmEntries);
  }

  jumpTable(targets: readonly number[]): JumpTable {
    const table = this.jumps.table(targets);
    this.notes.noteTable({ at: table.at, targets });
    return table;
  }

  private noteJump(slot: number, from: number, target: number): void {
    const enters = this.options.entersFunction(from, target);
    const isNew = this.jumps.note(from, target, enters);
    this.hot.noteMisses(slot, target, enters ? isNew : this.isWarm(target, slot));
  }

  /**
   * V8 takes more than linear time for large regions: without unaligned loads in line python takes 5 % less, most of it one
   * region of 5,000 instructions. In all regions that would cost xz 5 %, perl 2 %.
   */
  unalignedInLine(slot: number, instructions: number): UnalignedInLine {
    if (this.hot.isUnaligned(slot)) return 'edges';
    return instructions > this.options.limits.largeRegion ? 'none' : 'whole';
  }

  /**
   * A look-up takes 70 bytes of machine code in each access. Programs of Go, which access far memory now and then, took 5 to 9 % longer with
   * it, and those with AddressSanitizer, which looks at far memory before each access, a third to six tenths of the time.
   */
  get farInLine(): boolean {
    const { limits, measure } = this.options;
    this.hasManyFar ||= this.farAccesses[0] - this.farBefore >= limits.manyFar;
    return this.hasManyFar && measure.entry.followsFar && this.does('far in line');
  }

  /** A slice has ended in a region. */
  private noteUnaligned(slot: number): void {
    const [count] = this.unaligned;
    this.unaligned[0] = 0;
    const areMany = count >= this.options.limits.manyUnaligned;
    if (this.does('edges in line')) this.hot.noteUnaligned(slot, areMany);
  }

  siteNumber(site: ServiceSite): number {
    const number = this.sites.push(site) - 1;
    this.notes.noteSite(number);
    return serviceNumber(site, number);
  }

  unsupportedNumber(text: string): number {
    const known = this.unsupported.indexOf(text);
    return known >= 0 ? known : this.unsupported.push(text) - 1;
  }

  /** The region of a slot, of what is warm by now. */
  private discover(slot: number): Region {
    const { code, fpuTop, limits, mxcsr } = this.options;
    const { slots, notes } = this;
    return discoverRegion(
      code,
      slots.addressOf(slot),
      { top: slots.topOf(slot) ?? fpuTop(), mxcsr },
      {
        entersFunction: (from, target) => notes.entersFunction(from, target),
        isSeen: (address) => notes.isSeen(address),
        isLeader: (address) => this.probes?.has(address) === true,
        isWarm: (address) => this.isWarm(address, slot) && !this.hot.isWayIntoAnother(address, slot),
        jumpTargets: (from) => {
          notes.noteJump(from);
          return this.targetsOf(from);
        },
        instructions: limits.hotInstructions,
        entries: this.does('loop entries') ? limits.entries : 0,
        // Whoever counts must know which jump led to a target.
        entersTargets: this.does('entered targets') && this.tally === undefined,
        lifting: { keeps: this.does('lifted blocks'), sharesNodes: this.does('shared nodes') },
      },
    );
  }

  private regionOf(slot: number): Region {
    const region = this.discover(slot);
    if (this.crowded.has(slot) || region.blocks.length <= this.options.limits.mostWarmBlocks) return region;
    this.crowded.add(slot);
    return this.discover(slot);
  }

  private targetsOf(from: number): readonly number[] {
    return this.does('learned jumps') ? this.jumps.targets(from) : [];
  }

  private translate(slot: number): void {
    const { within, onRegion } = this.instruments;
    const { measure, events } = this.options;
    this.notes = new RegionNotes(this.symbols);
    const region = within('lift', () => this.regionOf(slot));
    const size = sizeOfRegion(region);
    // A loop with a region of its own keeps it.
    const entries = region.entries
      .map((entry): EntrySlot => ({ entry, slot: this.slotOf(entry.address) }))
      .filter((way) => !this.hot.has(way.slot) || !this.installed.holds(way.slot));
    const slots = [slot, ...entries.map((way) => way.slot)];
    const pieces = region.blocks.map(({ lifted }) => ({
      start: lifted.address,
      bytes: this.code.bytes(lifted.address, lifted.end - lifted.address),
    }));
    this.hot.add(
      slot,
      pieces.map(({ start }) => start),
      size,
      slots.slice(1),
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
      this.installed.install(slots, pieces, () => {
        within('compile', () => new WebAssembly.Instance(module, this.imports));
      });
      this.tally?.install(slots);
      for (const way of entries)
        if (way.entry.isTarget) this.interpreter.blocks.enterAt(way.entry.address, way.slot);
      const noted = this.notes.region({
        entry: region.entry,
        pieces,
        slots,
        size,
        bytes,
        module: () => module,
        body: this.table.get(slot),
        areTargets: entries.map(({ entry }) => entry.isTarget),
        jumps: (from) => ({ enters: this.jumps.enters(from), targets: this.targetsOf(from) }),
        isCrowded: this.crowded.has(slot),
        isUnaligned: this.hot.isUnaligned(slot),
        asks,
      });
      this.stored?.add(slot, this.looksAhead(region) ? undefined : noted);
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
    events.translated(size);
  }

  /** Whether what some instruction does depends on code that the region does not have. */
  private looksAhead({ blocks }: Region): boolean {
    const { code } = this.options;
    return blocks.some(({ lifted }) => lifted.instructions.some(({ address }) => code.looksAhead(address)));
  }

  private build(
    region: Region,
    slot: number,
    entries: readonly EntrySlot[],
    locals: Map<number, string>,
  ): Uint8Array<ArrayBuffer> {
    const module = new ModuleBuilder(`region 0x${region.entry.toString(16)}`);
    importSpace(module);
    const { measure } = this.options;
    defineRegion(module, { region, measure, environment: this, slot, entries, locals });
    return module.build(this.does('branch hints'));
  }

  // --- what an earlier run left

  /** All that generated code names by numbers is what it was. */
  private expect({ slots, sites, unsupported, tablesEnd }: StoredCode): void {
    this.sites.push(...sites);
    this.unsupported.push(...unsupported);
    this.jumps.reserve(tablesEnd);
    this.slots.expect(slots);
  }

  /** Entries after which it is worth going on in the region that an earlier run has left for an address; undefined where there is none. */
  private entriesUntilStored(address: number): number | undefined {
    const slot = this.stored && this.slots.find(address);
    if (slot === undefined) return undefined;
    if (this.installed.holds(slot)) return 1;
    // Others are compiled again, so that they come when they would be made.
    return this.stored?.find(slot)?.isOptimised ? this.options.limits.storedEntries : undefined;
  }

  /** The slot of an address, if a region of an earlier run is in it from now on, or was put there before. */
  private storedAt(address: number): number | undefined {
    if (this.options.stored === undefined) return undefined;
    const slot = this.slots.find(address);
    if (slot === undefined) return undefined;
    return this.installed.holds(slot) || this.reuse(slot) ? slot : undefined;
  }

  /** Puts the region that an earlier run made for a slot, or a way in through it, into its slots. Tells whether there is one. */
  private reuse(slot: number): boolean {
    const region = this.stored?.take(slot);
    if (region === undefined || this.installed.holds(region.slots[0]) || !this.isValid(region)) return false;
    const { slots, size } = region;
    const record = region.record();
    const [own, ...ways] = slots;
    for (const { from, enters, targets } of record.jumps) {
      for (const target of targets) this.jumps.note(from, target, false);
      if (enters) this.jumps.note(from, from, true);
    }
    for (const { at, targets } of record.tables) this.jumps.fill(at, targets);
    for (const [start] of record.blocks) this.warmBefore.add(start);
    if (record.isCrowded) this.crowded.add(own);
    this.options.measure.hasAsked ||= record.asks;
    const free = slots.filter((each) => !this.installed.holds(each));
    this.hot.add(
      own,
      record.blocks.map(([start]) => start),
      size,
      free.slice(1),
      record.isUnaligned,
    );
    this.installed.install(free, piecesOf(region), () => this.instantiate(region));
    ways.forEach((way, i) => {
      if (record.areTargets[i]) this.interpreter.blocks.enterAt(this.slots.addressOf(way), way);
    });
    this.stored!.use({ ...region, unused: 0, body: this.table.get(own) });
    this.options.events.translated(size);
    return this.installed.holds(slot);
  }

  /** Fills the region's slots, but for those that hold regions: a loop with a region of its own keeps it. */
  private instantiate({ slots, module }: StoredRegion): void {
    const held = slots
      .filter((slot) => this.installed.holds(slot))
      .map((slot) => [slot, this.table.get(slot)] as const);
    new WebAssembly.Instance(module(), this.imports);
    for (const [slot, body] of held) this.table.set(slot, body);
  }

  /** Whether the region would be made of the same code in the same way. */
  private isValid(region: StoredRegion): boolean {
    const { answers } = region.record();
    return (
      piecesOf(region).every((piece) => this.installed.isSame(piece)) &&
      areSame(answers, this.slots.addressOf(region.slots[0]), this.symbols)
    );
  }

  /** What to leave for later runs; nothing where some instruction is above the level, of which a run must hear. */
  toStore(): StoredCode | undefined {
    if (this.options.levels?.found !== undefined) return undefined;
    return this.stored?.leave(
      this.slots.stored,
      this.sites,
      this.unsupported,
      this.jumps.end,
      this.interpreter.handlers.left(),
      this.blockLog!,
    );
  }
}
