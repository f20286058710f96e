import { FUEL, HOST_STACK } from '../../guest/layout.ts';
import type { FunctionBuilder, ValueType } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import type { CachePlace } from '../cached-lookup.ts';
import { type PlaceFunctions, pushAddressOf } from '../code-places.ts';
import type { TraceLog } from '../counts/trace-log.ts';
import type { Counting } from '../instruments.ts';
import { CARRIED_CELLS, REGION_TYPE } from '../region-interface.ts';
import type { Measure } from '../steps/measure.ts';
import { HANDLER_TYPE } from './record.ts';
import { goTo, goToBlock, type WayOn } from './way-on.ts';

export interface InterpreterEvents extends PlaceFunctions {
  /** (link) -> record */
  readonly link: number;
  /** (head) -> record to go on with: the block has been entered often enough for a better translation. */
  readonly promote: number;
  /** (head, whether it was entered there) -> record: the block's code may have changed. */
  readonly refresh: number;
  /** (place) -> record: the block at a place for the present top of the x87 stack. */
  readonly variant: number;
  /** (address i64) -> head of a block */
  readonly recordsAt: number;
  /** (address i64) -> head of a block, which the caches of jump targets have from then on. */
  readonly recordsAnywhere: number;
  /** (slot) -> head of a block, 0 when the slot now holds a region. */
  readonly recordsOfSlot: number;
  /** () -> whether the interpreter must leave: the slice is over. */
  readonly endSlice: number;
  readonly openByJump: number;
  readonly enterHooked: number;
  /** (place of the jump, place of its target) */
  readonly noteJump: number;
  /** (place of the call, place of its target) -> whether it has so many that no more is to be told. */
  readonly noteCall: number;
  readonly service: number;
  readonly raise: number;
  /** (place of the jump, target i64): an indirect jump goes to its target. Where executions are counted. */
  readonly countJump?: number;
  /** A probe stops control. Where there are some. */
  readonly probed?: number;
}

export interface InterpreterOptions {
  readonly measure: Measure;
  /** Control bits of MXCSR for which code is interpreted. */
  readonly mxcsr: number;
  readonly slotRecords: number;
  readonly recordCache: number;
  /** The caches of jump targets. */
  readonly jumpTargets: CachePlace;
  readonly largeJumpCache: number;
  readonly counters: Counting;
  /** HOST_STACK when nothing is taken of it. */
  readonly hostStack: number;
  /** Whether returns to interpreted code are found on the stack of flat calls. */
  readonly flatCalls: boolean;
  readonly heads: WayOn['heads'];
  /** Where the blocks are logged that begin. */
  readonly log?: TraceLog;
}

/** What the interpreter's own functions are put together from. */
export class Pieces {
  readonly module: ModuleBuilder;
  readonly events: InterpreterEvents;
  readonly options: InterpreterOptions;
  readonly regionType: number;
  /** What regions carry in parameters and results: type and place in the state area, in their order. */
  readonly carried: readonly (readonly [type: ValueType, offset: number])[];
  readonly way: WayOn;

  constructor(module: ModuleBuilder, events: InterpreterEvents, options: InterpreterOptions) {
    this.module = module;
    this.events = events;
    this.options = options;
    this.way = {
      handlerType: module.type(HANDLER_TYPE),
      heads: options.heads,
      tallies: events.countJump !== undefined,
      counters: options.counters,
    };
    this.regionType = module.type(REGION_TYPE);
    this.carried = CARRIED_CELLS;
  }

  count(f: FunctionBuilder, name: string, push?: () => void): void {
    this.options.counters.emit(f, name, push);
  }

  signature(params: readonly ValueType[]) {
    return { params, results: HANDLER_TYPE.results };
  }

  pushCarried(f: FunctionBuilder): void {
    for (const [type, offset] of this.carried) {
      f.i32(0);
      f.memory(`${type}.load`, offset);
    }
  }

  /** Goes on with the record in a local. */
  go(f: FunctionBuilder, record: number): void {
    goTo(f, record, this.way);
  }

  /** Goes on at a constant distance from the record in local 0. */
  goOn(f: FunctionBuilder, size: number): void {
    f.get(0);
    f.i32(size);
    f.op('i32.add');
    f.get(0);
    f.memory('i32.load', size);
    f.returnCallIndirect(this.way.handlerType);
  }

  /** Follows the link in a local. */
  follow(f: FunctionBuilder, link: number): void {
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
    goToBlock(f, record, this.way);
  }

  /** Leaves for an address unless the slice has instructions left or another one begins in place. */
  leaveIfSpent(f: FunctionBuilder, leave: number, pushAddress: () => void): void {
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
  pushNobodyWaits(f: FunctionBuilder): void {
    f.i32(0);
    f.memory('i32.load', HOST_STACK);
    f.i32(this.options.hostStack);
    f.op('i32.eq');
  }

  /** Pushes the address (i64) whose place is a word of the record in local 0. */
  pushAddress(f: FunctionBuilder, offset: number): void {
    this.pushAddressAt(f, 0, offset);
  }

  /** The same of a word at an offset from a local. */
  pushAddressAt(f: FunctionBuilder, local: number, offset: number): void {
    const pushPlace = () => {
      f.get(local);
      f.memory('i32.load', offset);
    };
    pushAddressOf(f, pushPlace, this.events);
  }

  setCell(f: FunctionBuilder, cell: number, push: () => void): void {
    f.i32(0);
    push();
    f.memory('i32.store', cell);
  }

  pushCell(f: FunctionBuilder, cell: number): void {
    f.i32(0);
    f.memory('i32.load', cell);
  }
}
