import { RECORD_CACHE_ENTRIES } from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { defineCachedLookup } from '../cached-lookup.ts';
import {
  emitCount,
  emitGoTo,
  emitHead,
  emitHook,
  emitHot,
  emitJumpEnters,
  emitProbe,
  emitService,
  emitStale,
  emitTop,
} from './common-records.ts';
import { type InterpreterEvents, type InterpreterOptions, Pieces } from './pieces.ts';
import { HANDLER_TYPE, HEAD } from './record.ts';
import {
  defineCallDirect,
  defineCallIndirect,
  defineEnter,
  defineEnterAnywhere,
  defineGoAnywhere,
  defineGoHot,
  defineJumpIndirect,
  defineLeave,
  definePushCall,
  defineRaiseMaximum,
  defineReturn,
} from './ways.ts';

/** Handlers that are not those of an instruction form, by name; each gets a slot of the table. */
export const COMMON_HANDLERS = [
  'count',
  'head',
  'preciseHead',
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
  /** Not of records: what regions go to where there is none. */
  'enterAnywhere',
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

/**
 * The parts of the interpreter that are the same for all instructions: entering and leaving it, calls and returns (ways.ts),
 * the records that begin blocks (common-records.ts).
 *
 * A call of interpreted code by interpreted code takes nothing of the host's stack: what it must come back to is kept on
 * a stack of its own (FLAT_CALLS: rsp after the return in 8 bytes, the link of the way back in 4). The part of that stack
 * above FLAT_CALLS_BASE belongs to the present entry into the interpreter; a return beyond it is one to the code that
 * entered. A region is entered by a host call while there are flat calls, otherwise in place of the interpreter.
 */
export function defineInterpreter(
  module: ModuleBuilder,
  events: InterpreterEvents,
  options: InterpreterOptions,
): InterpreterParts {
  const p = new Pieces(module, events, options);
  const leave = defineLeave(p);
  // recordAt(address i64) -> head of a block
  const recordAt = defineCachedLookup(module, events.recordsAt, {
    at: options.recordCache,
    entries: RECORD_CACHE_ENTRIES,
  });
  const raise = defineRaiseMaximum(p);
  const goAnywhere = defineGoAnywhere(p, leave, recordAt);
  const doReturn = defineReturn(p, goAnywhere);
  const enterCall = definePushCall(p);
  const goHot = defineGoHot(p, leave, doReturn, raise);
  const define = (emit: (f: FunctionBuilder) => void): number => {
    const f = new FunctionBuilder(HANDLER_TYPE);
    emit(f);
    return module.define(f);
  };
  return {
    enter: defineEnter(p, raise),
    callDirect: defineCallDirect(p, enterCall),
    callIndirect: defineCallIndirect(p, enterCall, recordAt),
    doReturn,
    jumpIndirect: defineJumpIndirect(p, recordAt),
    probe: p.events.probed === undefined ? undefined : define((f) => emitProbe(p, f, leave)),
    common: {
      count: define((f) => emitCount(p, f)),
      head: define((f) => emitHead(p, f, leave, false)),
      preciseHead: define((f) => emitHead(p, f, leave, true)),
      hook: define((f) => emitHook(p, f, leave)),
      top: define((f) => emitTop(p, f)),
      hot: define((f) => emitHot(f, 0, goHot)),
      hotEntry: define((f) => emitHot(f, HEAD.size, goHot)),
      stale: define((f) => emitStale(p, f, 0)),
      staleEntry: define((f) => emitStale(p, f, HEAD.size)),
      enterAnywhere: defineEnterAnywhere(p, raise),
      goTo: define((f) => emitGoTo(p, f)),
      jumpEnters: define((f) => emitJumpEnters(p, f)),
      service: define((f) => emitService(p, f, leave)),
      fault: define((f) => {
        f.get(0);
        f.memory('i32.load', 4);
        f.get(0);
        f.memory('i32.load', 8);
        f.call(p.events.raise);
        f.unreachable();
      }),
    },
  };
}
