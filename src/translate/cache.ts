import {
  BYTEWISE_COUNT,
  CODE_CACHE_ENTRY,
  CODE_CHANGES,
  JUMP_CACHE_ENTRIES,
  JUMP_CACHES,
  LARGE_CACHE_SIZE,
  LARGE_JUMP_CACHES,
  UNALIGNED,
} from '../guest/layout.ts';
import { ModuleBuilder } from '../wasm/module.ts';
import { AddressCache, codeAddress, LargeAddressCache } from './address-cache.ts';
import { CodeNumbers } from './code/code-numbers.ts';
import type { CodeParts } from './code/code-parts.ts';
import { HotRegions } from './code/hot-regions.ts';
import { InstalledRegions } from './code/installed.ts';
import { IndirectJumps } from './code/jumps.ts';
import { RegionMaker } from './code/region-maker.ts';
import { RegionReuse } from './code/region-reuse.ts';
import { Slots } from './code/slots.ts';
import { Telling } from './code/telling.ts';
import { WarmBlocks } from './code/warm-blocks.ts';
import type { CodeOptions } from './code-options.ts';
import { placeImports } from './code-places.ts';
import { entriesUntilHot } from './hot-entries.ts';
import { Interpreter } from './interpreter/interpreter.ts';
import { BlockLog, StoredBlocks } from './interpreter/stored-blocks.ts';
import { does, type Optimisation } from './limits.ts';
import { helperFunctions } from './lowering/helper-functions.ts';
import { importSpace } from './space.ts';
import type { Asking } from './steps/quiet-pages.ts';
import type { StoredCode } from './stored/stored-code.ts';
import { instantiateSupport } from './support/module.ts';
import { defineEntry } from './support/support.ts';

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
export class CodeCache {
  private readonly options: CodeOptions;
  private readonly parts: CodeParts;
  private readonly maker: RegionMaker;
  /** Where code is left for later runs. */
  private readonly reuse: RegionReuse | undefined;
  private readonly blockLog: BlockLog | undefined;
  private readonly imports: WebAssembly.Imports;
  private readonly interpreter: Interpreter;
  private readonly jumpCache: AddressCache;
  private readonly largeJumpCache: LargeAddressCache;
  /** One word: UNALIGNED. */
  private readonly unaligned: Int32Array;
  /** One word: BYTEWISE_COUNT. */
  private readonly bytewise: Int32Array;
  private readonly run: (address: bigint) => bigint;
  /** Notes a page's largest steps, where measure.hasQuietPages. */
  readonly noteQuiet: (page: number) => void;
  private stubs = 0;

  constructor(options: CodeOptions) {
    this.options = options;
    const { buffer } = options.memory;
    this.unaligned = new Int32Array(buffer, UNALIGNED, 1);
    this.bytewise = new Int32Array(buffer, BYTEWISE_COUNT, 1);
    this.parts = this.makeParts(buffer);
    const { at, entries } = this.parts.jumpTargets;
    this.jumpCache = new AddressCache(buffer, at, entries);
    const largeJumpCache = LARGE_JUMP_CACHES + LARGE_CACHE_SIZE * options.index;
    this.largeJumpCache = new LargeAddressCache(buffer, largeJumpCache);
    if (options.leavesCode) {
      this.reuse = new RegionReuse(this.parts);
      this.blockLog = new BlockLog();
    }
    this.maker = new RegionMaker(this.parts, (slot, region) => this.reuse?.add(slot, region));
    const env = this.makeEnvironment();
    const support = instantiateSupport(env, {
      ...options,
      jumpTargets: this.parts.jumpTargets,
      largeJumpCache,
      counters: options.instruments.counters,
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

  private makeParts(buffer: ArrayBuffer): CodeParts {
    const { options } = this;
    const { isHooked, isPrecise, entersFunction, limits } = options;
    const initial = 2 * STUB_BATCH + (options.prepared?.count ?? 0);
    const table = new WebAssembly.Table({ element: 'anyfunc', initial });
    const slots = new Slots(() => this.addStubs());
    const changes = new Int32Array(buffer, CODE_CHANGES, 1);
    const installed = new InstalledRegions(table, options, {
      onInstall: (slot) => this.noteInstalled(slot),
      onReset: (slot) => {
        changes[0]++;
        this.interpreter.blocks.cool(slots.addressOf(slot));
      },
    });
    return {
      options,
      symbols: {
        isHooked,
        isSeen: (address) => isHooked(address) || isPrecise(address),
        entersFunction,
      },
      table,
      slots,
      numbers: new CodeNumbers(),
      jumps: new IndirectJumps(buffer, options.index),
      jumpTargets: {
        at: JUMP_CACHES + CODE_CACHE_ENTRY * JUMP_CACHE_ENTRIES * options.index,
        entries: JUMP_CACHE_ENTRIES,
      },
      warm: new WarmBlocks(limits, {
        hasEntered: (address, times) => this.interpreter.blocks.isWarm(address, times),
        isSame: (piece) => installed.isSame(piece),
      }),
      installed,
      hot: new HotRegions(
        slots,
        installed,
        limits,
        new Telling(buffer, limits),
        (slot) => this.maker.make(slot),
        () => options.events.isToStop(),
      ),
      instantiate: (module) => {
        new WebAssembly.Instance(module, this.imports);
      },
      enterAt: (address, slot) => this.interpreter.blocks.enterAt(address, slot),
    };
  }

  /** What generated code and the support functions call. */
  private makeEnvironment(): WebAssembly.ModuleImports {
    const { memory, contexts, events, places } = this.options;
    const { table, numbers, hot, warm, installed } = this.parts;
    return {
      memory,
      table,
      resolve: (address: bigint) => this.resolve(address),
      ...placeImports(places),
      variant: (place: number) => this.variant(places.addressOf(place)),
      openByCall: contexts.openByCall,
      openCarrying: contexts.openCarrying,
      openByJump: contexts.openByJump,
      enterHooked: contexts.enterHooked,
      close: contexts.close,
      closeCarrying: contexts.closeCarrying,
      setStack: contexts.setStack,
      ...leafImports(contexts),
      endSlice: (slot: number) => {
        this.noteUnaligned(slot);
        if (this.options.measure.areBytesResting) hot.noteResting(slot);
        return hot.isToLeave(slot) || events.endSlice() ? 1 : 0;
      },
      hearJump: (slot: number, from: number, target: number) =>
        this.noteJump(slot, places.addressOf(from), places.addressOf(target)),
      hearCall: (slot: number, from: number, target: number) => {
        const address = places.addressOf(target);
        const isNew = this.parts.jumps.note(places.addressOf(from), address, false);
        hot.noteMisses(slot, isNew || warm.isWarm(address, slot));
      },
      hearExit: (slot: number, place: number) => {
        const address = places.addressOf(place);
        hot.noteLack(slot, address, warm.isWarm(address, slot));
      },
      refuseEntry: (slot: number) => installed.remove(slot),
      serve: (number: number) => events.service(numbers.site(number)),
      raise: (number: number, place: number) => numbers.raise(number, places.addressOf(place), events),
      pageFault: events.pageFault.bind(events),
      checkStore: events.checkStore.bind(events),
      prepareStore: events.prepareStore.bind(events),
      addBytes: events.addBytes.bind(events),
      recall: events.recall.bind(events),
      beyond: events.beyond.bind(events),
      away: events.away.bind(events),
      probed: () => events.probed(),
    };
  }

  private buildInterpreter(env: WebAssembly.ModuleImports): Interpreter {
    const { memory, entersFunction, contexts, stored, ...options } = this.options;
    const { table, slots, numbers, jumps, hot } = this.parts;
    return new Interpreter({
      ...options,
      memory: memory.buffer,
      table,
      entersFunction,
      contexts,
      env,
      reserve: () => slots.reserveHandler(),
      reserveFirst: () => slots.reserveFirst(),
      importSpace,
      siteNumber: (site) => numbers.ofSite(site),
      unsupportedNumber: (text) => numbers.ofUnsupported(text),
      noteJump: (from, target) => jumps.note(from, target, entersFunction(from, target)),
      noteCall: (from, target) =>
        jumps.note(from, target, false) && jumps.targets(from).length > this.options.limits.callTargets,
      takeIn: (address) => hot.takeIn(address),
      isHeld: (address) => hot.isHeld(address),
      regionAt: (address) => this.regionAt(address),
      addressOf: (slot) => (slots.topOf(slot) === undefined ? slots.addressOf(slot) : undefined),
      makeRegion: (slot) => this.makeRegion(slot),
      hasRegion: (slot) => this.hasRegion(slot),
      jumpTargets: this.parts.jumpTargets,
      largeJumpCache: this.largeJumpCache.at,
      noteRecords: (address, head) => {
        if (!this.does('address caches')) return;
        this.jumpCache.replace(address, head, 1);
        this.largeJumpCache.replace(address, head, 1);
      },
      storedAt: (address) => this.reuse?.at(address),
      ...(this.blockLog && {
        storedBlocks: { log: this.blockLog, before: stored && new StoredBlocks(stored.blocks()) },
        storedHandlers: stored?.handlers,
      }),
      entriesUntilStored: (address) => this.reuse?.entriesUntil(address),
    });
  }

  /** All that generated code names by numbers is what it was in an earlier run. */
  private expect({ slots, sites, unsupported, tablesEnd }: StoredCode): void {
    this.parts.numbers.expect(sites, unsupported);
    this.parts.jumps.reserve(tablesEnd);
    this.parts.slots.expect(slots);
  }

  private does(optimisation: Optimisation): boolean {
    return does(this.options.limits, optimisation);
  }

  /** Runs from an address until the slice's instructions are spent; gives the address to go on from. */
  dispatch(address: number | bigint): bigint {
    return this.run(BigInt(address));
  }

  /** Which loads ask whether their page is quiet, or would. */
  get asking(): Asking {
    const { measure, limits } = this.options;
    const { hasQuietPages, hasAsked } = measure;
    const manyBytes = this.bytewise[0] > limits.restingPages;
    return { words: hasAsked, bytes: hasQuietPages && manyBytes && this.does('resting bytes') };
  }

  /** Many quiet pages have steps of their bytes: loads of bytes ask whether theirs is one, in regions that are made from now on. */
  letBytesAsk(): void {
    this.options.measure.areBytesResting = true;
  }

  /** Slot of the region at an address, which is made now unless it exists. */
  private regionAt(address: number): number {
    const slot = this.parts.slots.of(address);
    this.makeRegion(slot);
    return slot;
  }

  private makeRegion(slot: number): void {
    if (!this.hasRegion(slot) && !this.reuse?.put(slot)) this.maker.make(slot);
  }

  /** Whether the slot holds its region, or does again because the code turned out to be the same. */
  private hasRegion(slot: number): boolean {
    const { installed } = this.parts;
    if (installed.holds(slot)) return true;
    if (!this.does('kept regions') || !installed.restore(slot)) return false;
    this.options.tally?.restore(slot);
    return true;
  }

  /** Between slices: so many instructions were executed. */
  hasten(executed: number): void {
    this.interpreter.blocks.hasten(
      entriesUntilHot(this.options.limits, executed, this.maker.statistics.regionInstructions),
    );
    this.maker.startSlice();
  }

  /** Between slices: regions that were to be made anew while that could not be. */
  translatePostponed(): void {
    this.parts.hot.renewPostponed();
  }

  /** Whether something was made of bytes in [start, end), which are about to be stored to: else that need not be forgotten. */
  holds(start: number, end: number): boolean {
    return this.interpreter.blocks.holds(start, end) || this.parts.installed.hasCode(start, end);
  }

  /** Memory in [start, end) may hold other code from now on. */
  forget(start: number, end: number): void {
    this.parts.installed.forget(start, end);
    this.interpreter.blocks.forget(start, end);
  }

  /** The instruction at an address is executed by itself from now on: code that holds it knows nothing of that. */
  setApart(address: number): void {
    this.parts.installed.removeWith(address);
    this.interpreter.blocks.setApart(address);
  }

  /** Gives back what decoding holds, until code is read again: the collector would see to it too late in a process that measures for ever. */
  rest(): void {
    this.options.code.forget();
  }

  /** The instruction at an address was executed by itself and did not retire. */
  uncount(address: number): void {
    if (this.options.tally !== undefined) this.interpreter.blocks.uncount(address);
  }

  get counts(): CodeStatistics {
    const { blocks, handlers } = this.interpreter;
    return {
      ...this.maker.statistics,
      anew: this.parts.hot.renewed,
      ...this.parts.installed.statistics,
      interpreted: blocks.statistics.instructions,
      blocks: blocks.statistics.blocks,
      handlers: handlers.statistics.handlers,
      handlerBytes: handlers.statistics.bytes,
    };
  }

  /** What to leave for later runs. */
  toStore(): StoredCode | undefined {
    return this.reuse?.leave(this.interpreter.handlers.left(), this.blockLog!);
  }

  // --- slots

  private addStubs(): void {
    while (this.parts.slots.length > this.stubs) this.addStubBatch();
  }

  private addStubBatch(): void {
    const { table, slots } = this.parts;
    if (this.stubs + STUB_BATCH > table.length) table.grow(table.length);
    const module = new ModuleBuilder('way into the interpreter');
    importSpace(module);
    const enter = this.interpreter.importEnter(module);
    for (let i = 0; i < STUB_BATCH; i++) {
      const slot = this.stubs + i;
      // The interpreter's first handlers are there already.
      if (slots.isHandler(slot)) continue;
      module.place(slot, defineEntry(module, enter, slot));
    }
    new WebAssembly.Instance(new WebAssembly.Module(module.build()), this.interpreter.imports);
    this.stubs += STUB_BATCH;
  }

  private resolve(address: bigint): number {
    const at = codeAddress(address, this.options.events);
    const slot = this.slotToEnter(at);
    this.options.instruments.counters.add('looked up: slots');
    if (!this.does('address caches')) return slot;
    this.jumpCache.set(at, slot);
    this.largeJumpCache.set(at, slot);
    return slot;
  }

  /** Where there is no region yet, an address needs no slot of its own. */
  private slotToEnter(address: number): number {
    const { slots } = this.parts;
    if (!this.does('shared way in')) return slots.of(address);
    return slots.find(address) ?? this.interpreter.wayIn;
  }

  /** A slot has a region, to which jumps go from now on. */
  private noteInstalled(slot: number): void {
    const { slots } = this.parts;
    if (slots.topOf(slot) !== undefined) return;
    const address = slots.addressOf(slot);
    this.jumpCache.replace(address, slot);
    this.largeJumpCache.replace(address, slot);
  }

  private variant(address: number): number {
    const { slots } = this.parts;
    // Interpreted code has its own way to find the top.
    return this.options.isPrecise(address)
      ? slots.of(address)
      : slots.variant(address, this.options.fpuTop());
  }

  // --- what regions tell

  private noteJump(slot: number, from: number, target: number): void {
    const { jumps, hot, warm } = this.parts;
    const enters = this.options.entersFunction(from, target);
    const isNew = jumps.note(from, target, enters);
    const isWanted = enters ? isNew : jumps.goesTo(from, target) && warm.isWanted(target, slot);
    hot.noteLack(slot, target, isWanted);
  }

  /** A slice has ended in a region. */
  private noteUnaligned(slot: number): void {
    const [count] = this.unaligned;
    this.unaligned[0] = 0;
    const { manyUnaligned, bytewisePages } = this.options.limits;
    const areBytewise = this.bytewise[0] > bytewisePages;
    if (this.does('edges in line')) this.parts.hot.noteUnaligned(slot, count >= manyUnaligned, areBytewise);
  }
}

/** What regions with calls in line call; nothing where the measurement has none. */
const leafImports = ({
  countLeaves,
  isLinking,
  leafLane,
  pushLeaf,
  raiseSteps,
}: CodeOptions['contexts']): WebAssembly.ModuleImports =>
  countLeaves === undefined
    ? {}
    : {
        countLeaves,
        isLinking: isLinking!,
        leafLane: leafLane!,
        pushLeaf: pushLeaf!,
        raiseSteps: raiseSteps!,
      };
