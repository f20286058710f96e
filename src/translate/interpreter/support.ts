import {
  CONTEXT_OPENS,
  FLAT_CALLS,
  FLAT_CALLS_BASE,
  FLAT_CALLS_END,
  FLAT_CALLS_LIMIT,
  FUEL,
  HOST_STACK,
  MAXIMUM,
  RECORD_CACHE_ENTRIES,
  SLOT_RECORD_COUNT,
  stepOffset,
  valueOffset,
} from '../../guest/layout.ts';
import { FunctionBuilder, type ValueType } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { FPU_TOP, MXCSR, RSP, VARIABLES } from '../../x86/state.ts';
import type { Counting } from '../instruments.ts';
import type { Measure } from '../measure.ts';
import { ifProbed } from '../probes.ts';
import { regionSignature } from '../region-interface.ts';
import type { TraceLog } from '../trace-log.ts';
import { HEAD, handlerSignature } from './record.ts';

/**
 * The parts of the interpreter that are the same for all instructions: entering and leaving it, calls and returns, the
 * records that begin blocks.
 *
 * A call of interpreted code by interpreted code takes nothing of the host's stack: what it must come back to is kept on
 * a stack of its own (FLAT_CALLS: rsp after the return in 8 bytes, the link of the way back in 4). The part of that stack
 * above FLAT_CALLS_BASE belongs to the present entry into the interpreter; a return beyond it is one to the code that
 * entered. A region is entered by a host call while there are flat calls, otherwise in place of the interpreter.
 */
export interface InterpreterEvents {
  /** (link) -> record */
  readonly link: number;
  /** (head) -> record to go on with: the block has been entered often enough for a better translation. */
  readonly promote: number;
  /** (head, whether it was entered there) -> record: the block's code may have changed. */
  readonly refresh: number;
  /** (address) -> record: the block at an address for the present top of the x87 stack. */
  readonly variant: number;
  /** (address i64) -> head of a block */
  readonly recordsAt: number;
  /** (slot) -> head of a block, 0 when the slot now holds a region. */
  readonly recordsOfSlot: number;
  /** () -> whether the interpreter must leave: the slice is over. */
  readonly endSlice: number;
  readonly openByJump: number;
  readonly enterHooked: number;
  readonly noteJump: number;
  readonly service: number;
  readonly raise: number;
  /** (from, target i64): an indirect jump goes to its target. Where executions are counted. */
  readonly countJump?: number;
  /** A probe stops control. Where there are some. */
  readonly probed?: number;
}

/** Handlers that are not those of an instruction form, by name; each gets a slot of the table. */
export const COMMON_HANDLERS = [
  'count',
  'head',
  'hook',
  'top',
  'hot',
  'hotEntry',
  'stale',
  'staleEntry',
  'goTo',
  'jumpEnters',
  'service',
  'fault',
] as const;
export type CommonHandler = (typeof COMMON_HANDLERS)[number];

export interface InterpreterParts {
  readonly enter: number;
  readonly callDirect: number;
  readonly callIndirect: number;
  readonly doReturn: number;
  readonly jumpIndirect: number;
  readonly common: Readonly<Record<CommonHandler, number>>;
  /** Of records before blocks at which control may be stopped. */
  readonly probe: number | undefined;
}

export interface InterpreterOptions {
  readonly measure: Measure;
  /** Control bits of MXCSR for which code is interpreted. */
  readonly mxcsr: number;
  readonly slotRecords: number;
  readonly recordCache: number;
  readonly counters: Counting;
  /** HOST_STACK when nothing is taken of it. */
  readonly hostStack: number;
  /** Whether returns to interpreted code are found on the stack of flat calls. */
  readonly flatCalls: boolean;
  /** Where the blocks are logged that begin. */
  readonly log?: TraceLog;
}

const RSP_STEP = stepOffset(VARIABLES[RSP].location!);

export function defineInterpreter(
  module: ModuleBuilder,
  events: InterpreterEvents,
  options: InterpreterOptions,
): InterpreterParts {
  return new Definer(module, events, options).define();
}

class Definer {
  private readonly module: ModuleBuilder;
  private readonly events: InterpreterEvents;
  private readonly options: InterpreterOptions;
  private readonly handlerType: number;
  private readonly regionType: number;
  private readonly carried: readonly (readonly [ValueType, string, number])[];

  constructor(module: ModuleBuilder, events: InterpreterEvents, options: InterpreterOptions) {
    this.module = module;
    this.events = events;
    this.options = options;
    const { stepType } = options.measure;
    this.handlerType = module.type(handlerSignature(stepType));
    this.regionType = module.type(regionSignature(stepType));
    this.carried = [
      ['i64', 'i64', valueOffset(RSP)],
      ['i64', 'i64', FUEL],
      [stepType, stepType, RSP_STEP],
      [stepType, stepType, MAXIMUM],
    ];
  }

  define(): InterpreterParts {
    const { module } = this;
    const leave = this.defineLeave();
    const recordAt = this.defineRecordAt();
    const raise = this.defineRaiseMaximum();
    const goAnywhere = this.defineGoAnywhere(leave, recordAt);
    const doReturn = this.defineReturn(goAnywhere);
    const enterCall = this.definePushCall();
    const goHot = this.defineGoHot(leave, doReturn, raise);
    const define = (emit: (f: FunctionBuilder) => void): number => {
      const f = new FunctionBuilder(handlerSignature(this.options.measure.stepType));
      emit(f);
      return module.define(f);
    };
    return {
      enter: this.defineEnter(raise),
      callDirect: this.defineCallDirect(enterCall),
      callIndirect: this.defineCallIndirect(enterCall, recordAt),
      doReturn,
      jumpIndirect: this.defineJumpIndirect(recordAt),
      probe: this.events.probed === undefined ? undefined : define((f) => this.emitProbe(f, leave)),
      common: {
        count: define((f) => this.emitCount(f)),
        head: define((f) => this.emitHead(f, leave)),
        hook: define((f) => this.emitHook(f, leave)),
        top: define((f) => this.emitTop(f)),
        hot: define((f) => emitHot(f, 0, goHot)),
        hotEntry: define((f) => emitHot(f, HEAD.size, goHot)),
        stale: define((f) => this.emitStale(f, 0)),
        staleEntry: define((f) => this.emitStale(f, HEAD.size)),
        goTo: define((f) => this.emitGoTo(f)),
        jumpEnters: define((f) => this.emitJumpEnters(f)),
        service: define((f) => this.emitService(f, leave)),
        fault: define((f) => {
          f.get(0);
          f.memory('i32.load', 4);
          f.get(0);
          f.memory('i32.load', 8);
          f.call(this.events.raise);
          f.unreachable();
        }),
      },
    };
  }

  // --- pieces

  private count(f: FunctionBuilder, name: string, push?: () => void): void {
    this.options.counters.emit(f, name, push);
  }

  private signature(params: readonly ValueType[]) {
    return { params, results: handlerSignature(this.options.measure.stepType).results };
  }

  private pushCarried(f: FunctionBuilder): void {
    for (const [, type, offset] of this.carried) {
      f.i32(0);
      f.memory(`${type}.load`, offset);
    }
  }

  /** Goes on with the record in a local. */
  private go(f: FunctionBuilder, record: number): void {
    f.get(record);
    f.get(record);
    f.memory('i32.load', 0);
    f.returnCallIndirect(this.handlerType);
  }

  /** Goes on at a constant distance from the record in local 0. */
  private goOn(f: FunctionBuilder, size: number): void {
    f.get(0);
    f.i32(size);
    f.op('i32.add');
    f.get(0);
    f.memory('i32.load', size);
    f.returnCallIndirect(this.handlerType);
  }

  /** Follows the link in a local. */
  private follow(f: FunctionBuilder, link: number): void {
    const record = f.local('i32');
    f.get(link);
    f.memory('i32.load', 0);
    f.tee(record);
    f.op('i32.eqz');
    f.if(undefined, 'unlikely');
    f.get(link);
    f.call(this.events.link);
    f.set(record);
    f.end();
    this.go(f, record);
  }

  /** Leaves for an address unless the slice has instructions left or another one begins in place. */
  private leaveIfSpent(f: FunctionBuilder, leave: number, pushAddress: () => void): void {
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if(undefined, 'unlikely');
    f.call(this.events.endSlice);
    f.if();
    pushAddress();
    f.returnCall(leave);
    f.end();
    f.end();
  }

  /** Pushes whether no call of the host's is open: no region waits for a return. */
  private pushNobodyWaits(f: FunctionBuilder): void {
    f.i32(0);
    f.memory('i32.load', HOST_STACK);
    f.i32(this.options.hostStack);
    f.op('i32.eq');
  }

  private setCell(f: FunctionBuilder, cell: number, push: () => void): void {
    f.i32(0);
    push();
    f.memory('i32.store', cell);
  }

  private pushCell(f: FunctionBuilder, cell: number): void {
    f.i32(0);
    f.memory('i32.load', cell);
  }

  // --- in and out

  /** leave(address i64): back to the code that entered. */
  private defineLeave(): number {
    const f = new FunctionBuilder(this.signature(['i64']));
    this.count(f, 'interpreter: left');
    this.setCell(f, FLAT_CALLS_END, () => this.pushCell(f, FLAT_CALLS_BASE));
    f.get(0);
    this.pushCarried(f);
    return this.module.define(f);
  }

  /** recordAt(address i64) -> head of a block: the cache, else the event. */
  private defineRecordAt(): number {
    const { recordCache } = this.options;
    const f = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
    const entry = f.local('i32');
    f.get(0);
    f.op('i32.wrap_i64');
    f.i32(RECORD_CACHE_ENTRIES - 1);
    f.op('i32.and');
    f.i32(3);
    f.op('i32.shl');
    f.tee(entry);
    f.memory('i64.load32_u', recordCache);
    f.get(0);
    f.op('i64.eq');
    f.if('i32');
    f.get(entry);
    f.memory('i32.load', recordCache + 4);
    f.else();
    f.get(0);
    f.call(this.events.recordsAt);
    f.end();
    return this.module.define(f);
  }

  /** What handlers rely on. */
  private defineRaiseMaximum(): number {
    const f = new FunctionBuilder({ params: [], results: [] });
    this.options.measure.raiseMaximum(f);
    return this.module.define(f);
  }

  /** enter(rsp, fuel, rsp's step, MAXIMUM, slot i32): what a slot holds until it has a region. */
  private defineEnter(raise: number): number {
    const { measure, slotRecords } = this.options;
    const { params } = regionSignature(measure.stepType);
    const f = new FunctionBuilder(this.signature([...params, 'i32']));
    const slot = params.length;
    const record = f.local('i32');
    this.carried.forEach(([, type, offset], i) => {
      f.i32(0);
      f.get(i);
      f.memory(`${type}.store`, offset);
    });
    f.get(slot);
    f.i32(SLOT_RECORD_COUNT);
    f.op('i32.lt_u');
    f.if('i32');
    f.get(slot);
    f.i32(2);
    f.op('i32.shl');
    f.memory('i32.load', slotRecords);
    f.else();
    f.i32(0);
    f.end();
    f.tee(record);
    f.op('i32.eqz');
    f.if(undefined, 'unlikely');
    f.get(slot);
    f.call(this.events.recordsOfSlot);
    f.tee(record);
    f.op('i32.eqz');
    f.if();
    params.forEach((_, i) => {
      f.get(i);
    });
    f.get(slot);
    f.returnCallIndirect(this.regionType);
    f.end();
    f.end();
    this.count(f, 'interpreter: entered');
    f.call(raise);
    this.setCell(f, FLAT_CALLS_BASE, () => this.pushCell(f, FLAT_CALLS_END));
    this.go(f, record);
    return this.module.define(f);
  }

  /** goAnywhere(address i64): on to an address that no link leads to, when nobody waits for us; else back. */
  private defineGoAnywhere(leave: number, recordAt: number): number {
    const f = new FunctionBuilder(this.signature(['i64']));
    const record = f.local('i32');
    this.pushNobodyWaits(f);
    f.op('i32.eqz');
    f.if();
    f.get(0);
    f.returnCall(leave);
    f.end();
    this.count(f, 'interpreter: went on where nobody waited');
    this.setCell(f, FLAT_CALLS_END, () => f.i32(FLAT_CALLS));
    f.get(0);
    f.call(recordAt);
    f.set(record);
    this.go(f, record);
    return this.module.define(f);
  }

  // --- calls

  /** doReturn(target i64): rsp is above the return address already. */
  private defineReturn(goAnywhere: number): number {
    const f = new FunctionBuilder(this.signature(['i64']));
    const top = f.local('i32');
    const link = f.local('i32');
    const end = f.local('i32');
    this.pushCell(f, FLAT_CALLS_END);
    f.tee(end);
    this.pushCell(f, FLAT_CALLS_BASE);
    f.op('i32.ne');
    f.if();
    f.get(end);
    f.i32(16);
    f.op('i32.sub');
    f.tee(top);
    f.memory('i64.load', 0);
    f.i32(0);
    f.memory('i64.load', valueOffset(RSP));
    f.op('i64.eq');
    f.get(top);
    f.memory('i32.load', 8);
    f.tee(link);
    f.memory('i64.load32_u', 4);
    f.get(0);
    f.op('i64.eq');
    f.op('i32.and');
    f.if(undefined, 'likely');
    this.setCell(f, FLAT_CALLS_END, () => f.get(top));
    this.follow(f, link);
    f.end();
    f.end();
    f.get(0);
    f.returnCall(goAnywhere);
    return this.module.define(f);
  }

  /** pushCall(link of the way back i32) */
  private definePushCall(): number {
    const f = new FunctionBuilder({ params: ['i32'], results: [] });
    if (!this.options.flatCalls) return this.module.define(f);
    const end = f.local('i32');
    this.pushCell(f, FLAT_CALLS_END);
    f.set(end);
    f.get(end);
    f.i32(FLAT_CALLS_LIMIT);
    f.op('i32.ge_u');
    f.if(undefined, 'unlikely');
    // Forgetting calls is safe: returns to them then lead out of the interpreter.
    this.pushCell(f, FLAT_CALLS_BASE);
    f.set(end);
    f.get(end);
    f.i32(FLAT_CALLS_LIMIT);
    f.op('i32.ge_u');
    f.if();
    f.return();
    f.end();
    f.end();
    f.get(end);
    f.i32(0);
    f.memory('i64.load', valueOffset(RSP));
    f.i64(8n);
    f.op('i64.add');
    f.memory('i64.store', 0);
    f.get(end);
    f.get(0);
    f.memory('i32.store', 8);
    this.setCell(f, FLAT_CALLS_END, () => {
      f.get(end);
      f.i32(16);
      f.op('i32.add');
    });
    return this.module.define(f);
  }

  private defineCallDirect(pushCall: number): number {
    const f = new FunctionBuilder(this.signature(['i32', 'i32']));
    f.get(1);
    f.call(pushCall);
    this.follow(f, 0);
    return this.module.define(f);
  }

  private defineCallIndirect(pushCall: number, recordAt: number): number {
    const f = new FunctionBuilder(this.signature(['i64', 'i32']));
    const record = f.local('i32');
    f.get(1);
    f.call(pushCall);
    f.get(0);
    f.call(recordAt);
    f.set(record);
    this.go(f, record);
    return this.module.define(f);
  }

  /** Where it goes is learned for the region's translation: told when it is another address than last time. */
  private defineJumpIndirect(recordAt: number): number {
    const f = new FunctionBuilder(this.signature(['i64', 'i32']));
    const record = f.local('i32');
    if (this.events.countJump !== undefined) {
      f.get(1);
      f.memory('i32.load', 0);
      f.get(0);
      f.call(this.events.countJump);
    }
    f.i32(0);
    f.memory('i32.load', CONTEXT_OPENS);
    f.if(undefined, 'unlikely');
    f.get(1);
    f.memory('i32.load', 0);
    f.get(0);
    f.call(this.events.openByJump);
    f.end();
    f.get(1);
    f.memory('i32.load', 4);
    f.get(0);
    f.op('i32.wrap_i64');
    f.op('i32.ne');
    f.if();
    f.get(1);
    f.get(0);
    f.op('i32.wrap_i64');
    f.memory('i32.store', 4);
    f.get(1);
    f.memory('i32.load', 0);
    f.get(0);
    f.op('i32.wrap_i64');
    f.call(this.events.noteJump);
    f.end();
    f.get(0);
    f.call(recordAt);
    f.set(record);
    this.go(f, record);
    return this.module.define(f);
  }

  // --- regions

  /** goHot(head i32): into the region of the block's slot. */
  private defineGoHot(leave: number, doReturn: number, raise: number): number {
    const { mxcsr } = this.options;
    const f = new FunctionBuilder(this.signature(['i32']));
    const end = f.local('i32');
    const base = f.local('i32');
    const hostStack = f.local('i32');
    const next = f.local('i64');
    const results = this.carried.map(([type]) => f.local(type));
    const pushAddress = () => {
      f.get(0);
      f.memory('i64.load32_u', HEAD.address);
    };
    this.leaveIfSpent(f, leave, pushAddress);
    this.pushCell(f, FLAT_CALLS_END);
    f.tee(end);
    this.pushCell(f, FLAT_CALLS_BASE);
    f.tee(base);
    f.op('i32.eq');
    f.if();
    this.count(f, 'interpreter: left for a region');
    this.pushCarried(f);
    f.get(0);
    f.memory('i32.load', HEAD.slot);
    f.returnCallIndirect(this.regionType);
    f.end();
    this.pushCell(f, HOST_STACK);
    const frame = f.i32Later();
    f.op('i32.sub');
    f.tee(hostStack);
    f.i32(0);
    f.op('i32.lt_s');
    f.if(undefined, 'unlikely');
    this.count(f, 'interpreter: host stack full');
    pushAddress();
    f.returnCall(leave);
    f.end();
    this.count(f, 'interpreter: calls of a region');
    this.setCell(f, HOST_STACK, () => f.get(hostStack));
    this.pushCarried(f);
    f.get(0);
    f.memory('i32.load', HEAD.slot);
    f.callIndirect(this.regionType);
    for (const local of [...results].reverse()) f.set(local);
    f.set(next);
    this.carried.forEach(([, type, offset], i) => {
      f.i32(0);
      f.get(results[i]);
      f.memory(`${type}.store`, offset);
    });
    this.setCell(f, HOST_STACK, () => {
      f.get(hostStack);
      const again = f.i32Later();
      f.patch(again, f.frameSize);
      f.op('i32.add');
    });
    f.patch(frame, f.frameSize);
    this.setCell(f, FLAT_CALLS_END, () => f.get(end));
    this.setCell(f, FLAT_CALLS_BASE, () => f.get(base));
    f.call(raise);
    // The code behind is valid for one mode of MXCSR.
    f.i32(0);
    f.memory('i32.load', valueOffset(MXCSR));
    f.i32(mxcsr);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    f.get(next);
    f.returnCall(leave);
    f.end();
    f.get(next);
    f.returnCall(doReturn);
    return this.module.define(f);
  }

  // --- records that begin blocks

  private emitCount(f: FunctionBuilder): void {
    const count = f.local('i32');
    f.get(0);
    f.get(0);
    f.memory('i32.load', HEAD.count);
    f.i32(1);
    f.op('i32.sub');
    f.tee(count);
    f.memory('i32.store', HEAD.count);
    f.get(count);
    f.i32(0);
    f.op('i32.le_s');
    f.if(undefined, 'unlikely');
    f.get(0);
    f.call(this.events.promote);
    f.set(count);
    this.go(f, count);
    f.end();
    this.goOn(f, HEAD.size);
  }

  /** [handler, instructions of the block, address, entries], which are 8 bytes where executions are counted. */
  private emitHead(f: FunctionBuilder, leave: number): void {
    const fuel = f.local('i64');
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.tee(fuel);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if(undefined, 'unlikely');
    this.leaveIfSpent(f, leave, () => {
      f.get(0);
      f.memory('i64.load32_u', 8);
    });
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.set(fuel);
    f.end();
    this.count(f, 'tiers: blocks interpreted');
    this.count(f, 'tiers: instructions interpreted', () => {
      f.get(0);
      f.memory('i64.load32_u', 4);
    });
    f.i32(0);
    f.get(fuel);
    f.get(0);
    f.memory('i64.load32_u', 4);
    f.op('i64.sub');
    f.memory('i64.store', FUEL);
    const pushWord = (offset: number) => () => {
      f.get(0);
      f.memory('i32.load', offset);
    };
    this.options.log?.emitBlock(f, pushWord(8), pushWord(4));
    f.get(0);
    f.get(0);
    if (this.events.countJump === undefined) {
      f.memory('i32.load', 12);
      f.i32(1);
      f.op('i32.add');
      f.memory('i32.store', 12);
      return this.goOn(f, 16);
    }
    f.memory('i64.load', 12);
    f.i64(1n);
    f.op('i64.add');
    f.memory('i64.store', 12);
    this.goOn(f, 20);
  }

  /** [handler, address]: entering there may open contexts. It must not be entered twice, so that the slice ends before. */
  private emitHook(f: FunctionBuilder, leave: number): void {
    this.leaveIfSpent(f, leave, () => {
      f.get(0);
      f.memory('i64.load32_u', 4);
    });
    f.get(0);
    f.memory('i32.load', 4);
    f.call(this.events.enterHooked);
    this.goOn(f, 8);
  }

  /** [handler, address, where it is counted down]: control is to stop there some time. */
  private emitProbe(f: FunctionBuilder, leave: number): void {
    const pushAddress = () => {
      f.get(0);
      f.memory('i64.load32_u', 4);
    };
    // It must not be counted twice, so that the slice ends before.
    this.leaveIfSpent(f, leave, pushAddress);
    const pushCell = () => {
      f.get(0);
      f.memory('i32.load', 8);
    };
    ifProbed(f, pushCell, 0);
    f.call(this.events.probed!);
    pushAddress();
    f.returnCall(leave);
    f.end();
    this.goOn(f, 12);
  }

  /** [handler, top, address]: the block is valid for one top of the x87 stack. */
  private emitTop(f: FunctionBuilder): void {
    const record = f.local('i32');
    f.i32(0);
    f.memory('i32.load', valueOffset(FPU_TOP));
    f.get(0);
    f.memory('i32.load', 4);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    f.get(0);
    f.memory('i32.load', 8);
    f.call(this.events.variant);
    f.set(record);
    this.go(f, record);
    f.end();
    this.goOn(f, 12);
  }

  /** The block's code may have changed; `distance` is how far the record is behind the block's first. */
  private emitStale(f: FunctionBuilder, distance: number): void {
    const record = f.local('i32');
    f.get(0);
    f.i32(distance);
    f.op('i32.sub');
    f.i32(distance);
    f.call(this.events.refresh);
    f.set(record);
    this.go(f, record);
  }

  // --- records between and behind instructions

  /** [handler, link]: the block goes on in another. */
  private emitGoTo(f: FunctionBuilder): void {
    const link = f.local('i32');
    f.get(0);
    f.i32(4);
    f.op('i32.add');
    f.set(link);
    this.follow(f, link);
  }

  /** [handler, from, target, record]: on the way of a jump that may open a context. */
  private emitJumpEnters(f: FunctionBuilder): void {
    const record = f.local('i32');
    f.i32(0);
    f.memory('i32.load', CONTEXT_OPENS);
    f.if(undefined, 'unlikely');
    f.get(0);
    f.memory('i32.load', 4);
    f.get(0);
    f.memory('i64.load32_u', 8);
    f.call(this.events.openByJump);
    f.end();
    f.get(0);
    f.memory('i32.load', 12);
    f.set(record);
    this.go(f, record);
  }

  /** [handler, site, link] */
  private emitService(f: FunctionBuilder, leave: number): void {
    const link = f.local('i32');
    f.get(0);
    f.memory('i32.load', 4);
    f.call(this.events.service);
    f.get(0);
    f.i32(8);
    f.op('i32.add');
    f.set(link);
    f.i32(0);
    f.memory('i32.load', valueOffset(MXCSR));
    f.i32(this.options.mxcsr);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    f.get(link);
    f.memory('i64.load32_u', 4);
    f.returnCall(leave);
    f.end();
    this.follow(f, link);
  }
}

/** The block has a region. */
function emitHot(f: FunctionBuilder, distance: number, goHot: number): void {
  f.get(0);
  if (distance > 0) {
    f.i32(distance);
    f.op('i32.sub');
  }
  f.returnCall(goHot);
}
