import { StateMachine } from '../../../src/emulator/machine/state.ts';
import { LanesLedger } from '../../../src/emulator/memory/lanes-ledger.ts';
import { firstLanes } from '../../../src/emulator/memory/measure-plan.ts';
import {
  CONTEXT_SLOT,
  FLOOR,
  FUEL,
  HOST_STACK,
  MAXIMUM,
  RARE_STEPS,
  SHADOW,
  stepOffset,
} from '../../../src/guest/layout.ts';
import { GuestMemory, READ, WRITE } from '../../../src/guest/memory.ts';
import type { Fault } from '../../../src/ir/node.ts';
import { CodeCache } from '../../../src/translate/cache.ts';
import { CodePlaces } from '../../../src/translate/code-places.ts';
import {
  type ContextEvents,
  type ContextFunctions,
  contextFunctions,
} from '../../../src/translate/contexts/functions.ts';
import { exceedsMaximum, isRaised } from '../../../src/translate/contexts/meters.ts';
import { NO_INSTRUMENTS } from '../../../src/translate/instruments.ts';
import { RecordSpace } from '../../../src/translate/interpreter/record-space.ts';
import { ENGINE_LIMITS, type EngineLimits } from '../../../src/translate/limits.ts';
import { Lanes } from '../../../src/translate/measures/lanes.ts';
import type { ServiceSite } from '../../../src/translate/region-interface.ts';
import { NARROW } from '../../../src/translate/steps/lane-shape.ts';
import { CodeReader } from '../../../src/x86/decode.ts';
import { FPU_TOP, LOCATIONS } from '../../../src/x86/state.ts';
import type { Random } from './random.ts';
import { CODE_ADDRESS, DATA_ADDRESS, DATA_MARGIN, DATA_SIZE } from './state.ts';

const PLAN = firstLanes(ENGINE_LIMITS);

const LANES = 4;
const START = DATA_ADDRESS - DATA_MARGIN;
const SIZE = DATA_SIZE + 2 * DATA_MARGIN;
const PAGES = Math.ceil(SIZE / 4096);

/** A cycle in each of the four lanes. */
export type Step = readonly number[];

/** Why an instruction did not finish. */
export class Stopped extends Error {
  readonly fault: Fault | 'page-fault' | 'unsupported' | 'service';
  /** Of the instruction that faults, or the text of an unsupported one. */
  readonly at: number | string;

  constructor(fault: Stopped['fault'], at: number | string = '') {
    super(fault);
    this.fault = fault;
    this.at = at;
  }
}

/** How instructions are run. */
export interface HandlerOptions {
  /** As the first tier alone, one instruction at a time, unless it is said otherwise. */
  readonly limits?: Partial<EngineLimits>;
  /** As where faults are found, singly. */
  readonly isPrecise?: boolean;
  /** Runs what is a service; without it that stops. */
  readonly serve?: (machine: StateMachine, site: ServiceSite) => void;
}

const ONE_BY_ONE: Partial<EngineLimits> = { blockInstructions: 1, hotEntries: 0x7fff_ffff };

/** No context is ever open, so that nothing is asked. */
const NO_EVENTS = new Proxy({} as ContextEvents, {
  get: (_, name) => () => {
    // Instructions that set rsp do.
    if (name === 'stackSet') return;
    throw new Error(`${String(name)} is asked of no contexts`);
  },
});

/** Runs single instructions through the engine's handlers, as the first tier of a program's code runs them. */
export class HandlerRunner {
  readonly guest: GuestMemory;
  readonly machine: StateMachine;
  private readonly memory = new WebAssembly.Memory({ initial: 65536, maximum: 65536 });
  private readonly words: Int32Array;
  private readonly ledger: LanesLedger;
  private readonly measure = new Lanes(NARROW, PLAN);
  private readonly contexts: ContextFunctions;
  /** By MXCSR's control bits, and whether its sticky bits are kept. */
  private readonly caches = new Map<string, CodeCache>();
  private readonly records = new RecordSpace();
  private readonly options: HandlerOptions;

  constructor(options: HandlerOptions = {}) {
    this.options = options;
    const { buffer } = this.memory;
    this.guest = new GuestMemory(buffer);
    this.words = new Int32Array(buffer);
    this.contexts = contextFunctions(this.memory, NARROW, 0, NO_EVENTS);
    // No rsp is above.
    this.guest.view.setBigInt64(CONTEXT_SLOT, -1n, true);
    this.ledger = new LanesLedger(this.guest, PLAN, ENGINE_LIMITS);
    this.ledger.start();
    this.machine = new StateMachine(this.guest, {
      isa: 'x86-64',
      clock: () => 0n,
      random: (length) => new Uint8Array(length),
      prepareStore: () => {},
      signalsX87: true,
    });
    this.guest.map(START, START + 4096 * PAGES, READ | WRITE);
    for (let page = 0; page < PAGES; page++) {
      this.ledger.preparePage(START / 4096 + page);
      this.guest.allowFastStores(START + 4096 * page);
    }
  }

  private cacheFor(mxcsr: number, keepsStatus: boolean): CodeCache {
    const key = `${mxcsr} ${keepsStatus}`;
    const known = this.caches.get(key);
    if (known !== undefined) return known;
    const stop = (reason: Stopped['fault'], at?: number | string): never => {
      throw new Stopped(reason, at);
    };
    const { limits, serve, isPrecise } = this.options;
    const cache = new CodeCache({
      memory: this.memory,
      code: new CodeReader((address) => this.fetch(address), { keepsStatus, signalsX87: keepsStatus }),
      isVolatile: () => false,
      places: new CodePlaces(),
      measure: this.measure,
      events: {
        endSlice: () => true,
        service: (site) => (serve === undefined ? stop('service') : serve(this.machine, site)),
        raise: (fault, address) => stop(fault, address),
        unsupported: (text) => stop('unsupported', text),
        pageFault: () => stop('page-fault'),
        checkStore: (address, size) => {
          if (!this.guest.allows(Number(BigInt.asUintN(64, address)), size, WRITE)) stop('page-fault');
        },
        prepareStore: () => stop('page-fault'),
        addBytes: (page) => this.ledger.addBytes(page),
        recall: (place, size) => this.ledger.recall(place, size),
        beyond: () => stop('page-fault'),
        away: (address) => Number(address),
        isToStop: () => false,
        translated: () => {},
        probed: () => stop('service'),
      },
      contexts: this.contexts,
      entersFunction: () => false,
      isPrecise: () => isPrecise === true,
      isHooked: () => false,
      onCode: () => {},
      fpuTop: () => this.machine.readI32(FPU_TOP),
      limits: { ...ENGINE_LIMITS, ...(limits ?? ONE_BY_ONE) },
      mxcsr,
      index: this.caches.size,
      records: this.records,
      instruments: NO_INSTRUMENTS,
    });
    this.caches.set(key, cache);
    return cache;
  }

  /** Steps of all locations and of the data, with a floor below most of them. */
  randomSteps(random: Random): void {
    const step = () => NARROW.origin + 1 + random.below(1000);
    // As where a region wrote them.
    this.words[RARE_STEPS / 4] = 1;
    for (let lane = 0; lane < LANES; lane++) {
      const floor = NARROW.origin + random.below(500);
      this.words[FLOOR / 4 + lane] = floor;
      this.words[MAXIMUM / 4 + lane] = floor;
      for (let l = 0; l < LOCATIONS; l++) {
        const made = isRaised(l) ? Math.max(floor, step()) : step();
        this.words[stepOffset(l) / 4 + lane] = made;
        if (exceedsMaximum(l)) continue;
        this.words[MAXIMUM / 4 + lane] = Math.max(this.words[MAXIMUM / 4 + lane], made);
      }
    }
    for (let at = DATA_ADDRESS; at < DATA_ADDRESS + DATA_SIZE; at += 4)
      for (let lane = 0; lane < LANES; lane++) this.words[SHADOW / 4 + at + lane] = step();
  }

  floor(): Step {
    return this.stepAt(FLOOR / 4);
  }

  maximum(): Step {
    const step = [...this.stepAt(MAXIMUM / 4)];
    for (let l = 0; l < LOCATIONS; l++)
      for (let lane = 0; lane < LANES; lane++) step[lane] = Math.max(step[lane], this.location(l)[lane]);
    return step;
  }

  location(location: number): Step {
    return this.stepAt(stepOffset(location) / 4);
  }

  byte(address: number): Step {
    const granule = SHADOW / 4 + (address & ~3);
    if (this.measure.entry.isSingle(this.words, granule)) return this.stepAt(granule);
    return this.stepAt(this.measure.entry.placeIn(this.words, granule) / 4 + LANES * (address & 3));
  }

  private stepAt(at: number): Step {
    return [...this.words.subarray(at, at + LANES)];
  }

  /** Code lies in one page; there is none elsewhere. */
  private fetch(address: number): Uint8Array {
    if (address < CODE_ADDRESS || address >= CODE_ADDRESS + 4096) return new Uint8Array(0);
    return this.guest.bytes.subarray(address, Math.min(address + 15, CODE_ADDRESS + 4096));
  }

  /** Places code at CODE_ADDRESS, and more at other addresses of its page; the rest is no operation. */
  place(code: Uint8Array, more: readonly (readonly [address: number, code: Uint8Array])[] = []): void {
    const { guest } = this;
    for (const cache of this.caches.values()) cache.forget(CODE_ADDRESS, CODE_ADDRESS + 4096);
    guest.bytes.fill(0x90, CODE_ADDRESS, CODE_ADDRESS + 256);
    for (const [address, bytes] of [[CODE_ADDRESS, code] as const, ...more]) guest.bytes.set(bytes, address);
  }

  /** Runs what is placed, until the first slice of so many instructions is over; gives the address to go on from. */
  dispatch(mxcsr: number, instructions: number, keepsStatus = true): number {
    const { guest } = this;
    guest.view.setBigInt64(FUEL, BigInt(instructions), true);
    guest.view.setInt32(HOST_STACK, 500_000, true);
    return Number(this.cacheFor(mxcsr, keepsStatus).dispatch(CODE_ADDRESS));
  }

  /** Runs the instruction; gives the address to go on from. */
  run(code: Uint8Array, mxcsr: number): number {
    this.place(code);
    return this.dispatch(mxcsr, 0);
  }
}
