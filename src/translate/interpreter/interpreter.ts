import {
  CODE_CACHE_ENTRY,
  FUEL,
  RECORD_CACHE_ENTRIES,
  RECORD_CACHES,
  SLOT_RECORD_COUNT,
  SLOT_RECORDS,
} from '../../guest/layout.ts';
import { wasUsed } from '../../guest/used-places.ts';
import type { ValueType } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import { AddressCache, codeAddress } from '../address-cache.ts';
import type { CachePlace } from '../cached-lookup.ts';
import type { CodeSettings } from '../code-settings.ts';
import type { ContextFunctions } from '../contexts/functions.ts';
import { does } from '../limits.ts';
import { helperFunctions } from '../lowering/helper-functions.ts';
import { REGION_TYPE, type ServiceSite } from '../region-interface.ts';
import type { StoredDecoding } from './block-decoder.ts';
import { Blocks } from './blocks.ts';
import { Handlers } from './handlers.ts';
import type { InterpreterOptions as SupportOptions } from './pieces.ts';
import { PREPARED_SLOT, type PreparedHandlers } from './prepared.ts';
import { HEAD } from './record.ts';
import type { RecordSpace } from './record-space.ts';
import type { StoredHandlers } from './stored-handlers.ts';
import { COMMON_HANDLERS, type CommonHandler, defineInterpreter } from './support.ts';

/** What the cache works for, and what it does for the interpreter. */
export interface InterpreterOptions extends CodeSettings {
  readonly memory: ArrayBuffer;
  readonly records: RecordSpace;
  readonly prepared?: PreparedHandlers;
  readonly table: WebAssembly.Table;
  readonly contexts: Pick<ContextFunctions, 'close' | 'setStack'>;
  /** What regions import. */
  readonly env: WebAssembly.ModuleImports;
  readonly reserve: () => number;
  /** Reserves a slot before there are any others. */
  readonly reserveFirst: () => number;
  readonly importSpace: (module: ModuleBuilder) => void;
  readonly siteNumber: (site: ServiceSite) => number;
  readonly unsupportedNumber: (text: string) => number;
  /** The caches of jump targets, and who hears of the records at one. */
  readonly jumpTargets: CachePlace;
  readonly largeJumpCache: number;
  readonly noteRecords: (address: number, head: number) => void;
  readonly noteJump: (from: number, target: number) => void;
  /** Tells whether the call has so many targets that no more need be noted. */
  readonly noteCall: (from: number, target: number) => boolean;
  /** Whether a region takes in the block at an address, which has become hot. */
  readonly takeIn: (address: number) => boolean;
  /** Whether a region holds the block without beginning there. */
  readonly isHeld: (address: number) => boolean;
  /** Slot of the region at an address, which is made if there is none. */
  readonly regionAt: (address: number) => number;
  /** Address that a slot stands for; undefined when it is for one top of the x87 stack only. */
  readonly addressOf: (slot: number) => number | undefined;
  readonly makeRegion: (slot: number) => void;
  /** Whether a slot holds its region, or can again. */
  readonly hasRegion: (slot: number) => boolean;
  /** What is decoded is left for later runs; this was left by an earlier one. */
  readonly storedBlocks?: StoredDecoding;
  readonly storedHandlers?: StoredHandlers | undefined;
  /** Slot of the region that an earlier run has left for an address; undefined where there is none. */
  readonly storedAt: (address: number) => number | undefined;
  /** Entries after which it is worth to go on there. */
  readonly entriesUntilStored: (address: number) => number | undefined;
}

/** Runs code that is executed a few times: a code cache's first tier. */
export class Interpreter {
  readonly blocks: Blocks;
  readonly handlers: Handlers;
  /** What regions import, and the interpreter's own functions. */
  readonly imports: WebAssembly.Imports;
  /** The slot of the way in at an address that ENTRY_TARGET has. */
  readonly wayIn: number;
  private readonly options: InterpreterOptions;
  /** The handler that stops control where it is probed. */
  private readonly probe: number | undefined;

  constructor(options: InterpreterOptions) {
    this.options = options;
    const { memory, index, events, limits, places, contexts } = options;
    const slotRecords = SLOT_RECORDS + 4 * SLOT_RECORD_COUNT * index;
    const recordCache = RECORD_CACHES + CODE_CACHE_ENTRY * RECORD_CACHE_ENTRIES * index;
    // Another cache may have been here.
    if (wasUsed(memory, slotRecords)) new Int32Array(memory, slotRecords, SLOT_RECORD_COUNT).fill(0);
    const fuel = new BigInt64Array(memory, FUEL, 1);
    const env: WebAssembly.ModuleImports = {
      ...options.env,
      link: (link: number) => this.blocks.link(link >>> 0),
      promoteBlock: (head: number) => this.promote(head),
      refresh: (head: number, distance: number) => this.blocks.refresh(head, distance),
      variantRecords: (place: number) => this.blocks.variant(places.addressOf(place)),
      recordsAt: (address: bigint) => this.recordsAt(address),
      recordsAnywhere: (address: bigint) => {
        const head = this.recordsAt(address);
        options.noteRecords(Number(address), head);
        return head;
      },
      recordsOfSlot: (slot: number) => this.recordsOfSlot(slot),
      endInterpretedSlice: () => (events.endSlice() ? 1 : 0),
      noteIndirectJump: (from: number, target: number) =>
        options.noteJump(places.addressOf(from), places.addressOf(target)),
      noteIndirectCall: (from: number, target: number) =>
        options.noteCall(places.addressOf(from), places.addressOf(target)) ? 1 : 0,
      closeWithin: (following: number) => {
        fuel[0] += BigInt(following);
        contexts.close();
        fuel[0] -= BigInt(following);
      },
      setStackWithin: (before: bigint, following: number) => {
        fuel[0] += BigInt(following);
        contexts.setStack(before);
        fuel[0] -= BigInt(following);
      },
    };
    const slots = COMMON_HANDLERS.map(() => options.reserveFirst());
    // Whoever logs stops nowhere.
    if (options.probes !== undefined && options.log === undefined) this.probe = options.reserveFirst();
    this.wayIn = slots[COMMON_HANDLERS.indexOf('enterAnywhere')];
    const common = Object.fromEntries(COMMON_HANDLERS.map((name, i) => [name, slots[i]])) as Record<
      CommonHandler,
      number
    >;
    // What logs blocks does so in the handlers of their heads.
    const heads = options.log === undefined && does(limits, 'heads in line') ? common : undefined;
    this.imports = {
      helper: helperFunctions(does(limits, 'helper cases')),
      env: { ...env, ...this.build(env, common, { slotRecords, recordCache, heads }) },
    };
    const handlers = {
      code: options.code,
      mxcsr: options.mxcsr,
      measure: options.measure,
      reserve: options.reserve,
      imports: this.imports,
      importSpace: options.importSpace,
      instruments: options.instruments,
      extras: { tallies: options.tally !== undefined, log: options.log, isPrecise: false, heads },
      hints: does(limits, 'branch hints'),
      ...(options.levels && { levels: options.levels }),
    };
    this.handlers = new Handlers({
      ...handlers,
      ...(options.prepared && { prepared: this.place(options.prepared) }),
      ...(options.storedBlocks && { leaves: true, before: options.storedHandlers }),
    });
    let precise: Handlers | undefined;
    this.blocks = new Blocks({
      memory,
      code: options.code,
      handlers: this.handlers,
      preciseHandlers: () => {
        precise ??= new Handlers({ ...handlers, extras: { ...handlers.extras, isPrecise: true } });
        return precise;
      },
      isPrecise: options.isPrecise,
      isVolatile: options.isVolatile,
      common,
      ...(this.probe !== undefined && { probe: this.probe }),
      fpuTop: options.fpuTop,
      isHooked: options.isHooked,
      entersFunction: options.entersFunction,
      onCode: options.onCode,
      siteNumber: options.siteNumber,
      unsupportedNumber: options.unsupportedNumber,
      hasRegion: options.hasRegion,
      entriesUntilStored: options.entriesUntilStored,
      limit: limits.blockInstructions,
      hotEntries: limits.hotEntries,
      slotRecords,
      recordCache: new AddressCache(memory, recordCache, RECORD_CACHE_ENTRIES),
      places,
      space: options.records,
      within: options.instruments.within,
      ...(options.tally && { tally: options.tally }),
      ...(options.probes && { probes: options.probes }),
      countsAll: !does(limits, 'cold entries'),
      remembers: does(limits, 'address caches'),
      ...(options.storedBlocks && { stored: options.storedBlocks }),
    });
  }

  /** Puts the handlers that an earlier run has made into their slots, which are reserved by now. */
  placeStored(): void {
    for (const bytes of this.options.storedHandlers?.modules ?? [])
      new WebAssembly.Instance(new WebAssembly.Module(bytes), this.imports);
  }

  /** Puts prepared handlers into their slots. */
  private place(prepared: PreparedHandlers): PreparedHandlers {
    for (let slot = PREPARED_SLOT; slot < PREPARED_SLOT + prepared.count; slot++)
      if (this.options.reserveFirst() !== slot) throw new Error('the slots of prepared handlers are taken');
    new WebAssembly.Instance(prepared.module(), this.imports);
    return prepared;
  }

  private build(
    env: WebAssembly.ModuleImports,
    common: Readonly<Record<CommonHandler, number>>,
    places: Pick<SupportOptions, 'slotRecords' | 'recordCache' | 'heads'>,
  ): WebAssembly.ModuleImports {
    const { measure, mxcsr, importSpace, limits, tally, log, jumpTargets, largeJumpCache } = this.options;
    const module = new ModuleBuilder('interpreter');
    importSpace(module);
    const imported = (name: string, params: ValueType[], results: ValueType[]) =>
      module.importFunction('env', name, { params, results });
    const parts = defineInterpreter(
      module,
      {
        link: imported('link', ['i32'], ['i32']),
        promote: imported('promoteBlock', ['i32'], ['i32']),
        refresh: imported('refresh', ['i32', 'i32'], ['i32']),
        variant: imported('variantRecords', ['i32'], ['i32']),
        recordsAt: imported('recordsAt', ['i64'], ['i32']),
        recordsAnywhere: imported('recordsAnywhere', ['i64'], ['i32']),
        recordsOfSlot: imported('recordsOfSlot', ['i32'], ['i32']),
        endSlice: imported('endInterpretedSlice', [], ['i32']),
        openByJump: imported('openByJump', ['i32', 'i64'], []),
        enterHooked: imported('enterHooked', ['i32'], []),
        noteJump: imported('noteIndirectJump', ['i32', 'i32'], []),
        noteCall: imported('noteIndirectCall', ['i32', 'i32'], ['i32']),
        service: imported('service', ['i32'], []),
        raise: imported('raise', ['i32', 'i32'], []),
        placeOf: imported('placeOf', ['i64'], ['i32']),
        addressOf: imported('addressOf', ['i32'], ['i64']),
        ...(tally && { countJump: imported('countJump', ['i32', 'i64'], []) }),
        ...(this.probe !== undefined && { probed: imported('probed', [], []) }),
      },
      {
        measure,
        mxcsr,
        counters: this.options.instruments.counters,
        flatCalls: does(limits, 'flat calls'),
        hostStack: limits.hostStack,
        ...(log && { log }),
        jumpTargets,
        largeJumpCache,
        ...places,
      },
    );
    for (const name of COMMON_HANDLERS) module.place(common[name], parts.common[name]);
    if (this.probe !== undefined) module.place(this.probe, parts.probe!);
    for (const name of ['enter', 'callDirect', 'callIndirect', 'doReturn', 'jumpIndirect'] as const)
      module.export(name, parts[name]);
    const instance = new WebAssembly.Instance(
      new WebAssembly.Module(module.build(does(limits, 'branch hints'))),
      { env },
    );
    return instance.exports as WebAssembly.ModuleImports;
  }

  /** Imports what the stubs of slots call. */
  importEnter(module: ModuleBuilder): number {
    const { params, results } = REGION_TYPE;
    return module.importFunction('env', 'enter', { params: [...params, 'i32'], results });
  }

  private promote(head: number): number {
    const address = this.blocks.addressOf(head);
    const { storedAt, takeIn, isHeld, regionAt } = this.options;
    const stored = storedAt(address);
    if (stored !== undefined) {
      this.blocks.makeHot(head, stored);
      return head;
    }
    if (takeIn(address)) this.blocks.countAnew(head);
    else if (!isHeld(address) || !this.blocks.putOff(head)) {
      this.blocks.makeHot(head, regionAt(address));
      return head;
    }
    return head + HEAD.size;
  }

  private recordsAt(address: bigint): number {
    const at = codeAddress(address, this.options.events);
    this.options.instruments.counters.add('looked up: records');
    return this.blocks.recordsAt(at);
  }

  private recordsOfSlot(slot: number): number {
    const address = this.options.addressOf(slot);
    this.options.instruments.counters.add('looked up: records of slots');
    if (address !== undefined) return this.blocks.recordsOfSlot(slot, address);
    this.options.makeRegion(slot);
    return 0;
  }
}
