import {
  CONTEXT_ELSEWHERE,
  CONTEXT_LOG,
  CONTEXT_LOG_END,
  CONTEXT_LOG_SIZE,
  CONTEXT_OPENS,
  CONTEXT_TOP,
  valueOffset,
} from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { RSP } from '../../x86/state.ts';
import { CLOSE_TYPE } from '../region-interface.ts';
import { emitCountLeaves } from './leaf-log.ts';
import type { Carried, ContextMeter } from './meters.ts';
import { addToField, pushField, pushWord, setField, setWord } from './record-code.ts';
import { EDGE, FIRST_NODE, FRAME, FUNCTION, NOTE, RUN_FRAME } from './records.ts';
import { pushExecuted, pushInnermostSlot, pushStays, shareSlot } from './words.ts';

/** How contexts close (rule 9). */
export interface Closing {
  readonly meter: ContextMeter;
  /** Index of what counts calls in line that have ended, where there are any. */
  readonly countLeaves?: number | undefined;
  /** Indices of the functions that ask JavaScript; see ContextEvents. */
  readonly events: { readonly endSums: number; readonly takeLog: number };
}

/** close() */
export function defineClose(module: ModuleBuilder, closing: Closing): number {
  const f = new FunctionBuilder({ params: [], results: [] });
  const rsp = f.local('i64');
  pushWord(f, 'i64', valueOffset(RSP));
  f.set(rsp);
  emitClose(f, closing, rsp);
  return module.define(f);
}

/** closeCarrying(next i64, carried...): the same with what a region holds in locals; gives back what a region does. */
export function defineCloseCarrying(module: ModuleBuilder, closing: Closing): number {
  const f = new FunctionBuilder(CLOSE_TYPE);
  const carried: Carried = { rsp: 1, fuel: 2, rspStep: 3, maximum: 4 };
  emitClose(f, closing, carried.rsp, carried);
  for (const local of [0, carried.rsp, carried.fuel, carried.rspStep, carried.maximum]) f.get(local);
  return module.define(f);
}

function emitClose(f: FunctionBuilder, closing: Closing, rsp: number, carried?: Carried): void {
  const slot = f.local('i64');
  emitCountLeaves(f, closing.countLeaves);
  const executed = executedLocal(f, carried);
  const done = f.block();
  const next = f.loop();
  pushIsEmpty(f);
  f.brIf(done);
  pushInnermostSlot(f);
  f.set(slot);
  // Signed: above the addresses of programs there is no stack of theirs.
  f.get(slot);
  f.get(rsp);
  f.op('i64.ge_s');
  f.brIf(done);
  emitPop(f, closing, executed, carried);
  f.br(next);
  f.end();
  f.end();
}

/** finish(down i32): contexts end whatever rsp is, down to the frame there, which stays. */
export function defineFinish(module: ModuleBuilder, closing: Closing): number {
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  const down = 0;
  emitCountLeaves(f, closing.countLeaves);
  const executed = executedLocal(f);
  const done = f.block();
  const next = f.loop();
  pushWord(f, 'i32', CONTEXT_TOP);
  f.get(down);
  f.op('i32.eq');
  f.brIf(done);
  emitPop(f, closing, executed);
  f.br(next);
  f.end();
  f.end();
  return module.define(f);
}

/** setStack(before i64): code has set rsp to something else than it was before. */
export function defineSetStack(
  module: ModuleBuilder,
  countLeaves: number | undefined,
  stackSet: number,
): number {
  const f = new FunctionBuilder({ params: ['i64'], results: [] });
  const rsp = f.local('i64');
  pushWord(f, 'i64', valueOffset(RSP));
  f.set(rsp);
  pushStays(f, 0, rsp);
  f.if();
  f.return();
  f.end();
  emitCountLeaves(f, countLeaves);
  for (const address of [0, rsp]) {
    f.get(address);
    f.op('f64.convert_i64_u');
  }
  f.call(stackSet);
  return module.define(f);
}

function executedLocal(f: FunctionBuilder, carried?: Carried): number {
  const executed = f.local('i64');
  pushExecuted(f, carried?.fuel);
  f.set(executed);
  return executed;
}

/** Whether no context is open but the run. */
function pushIsEmpty(f: FunctionBuilder): void {
  pushWord(f, 'i32', CONTEXT_TOP);
  f.i32(RUN_FRAME);
  f.op('i32.eq');
}

/** Takes the innermost context off the stack. */
function emitPop(f: FunctionBuilder, closing: Closing, executed: number, carried?: Carried): void {
  const frame = f.local('i32');
  const instructions = f.local('i64');
  const lane = f.local('i32');
  const fn = f.local('i32');
  pushWord(f, 'i32', CONTEXT_TOP);
  f.set(frame);
  f.get(executed);
  pushField(f, 'i64', frame, FRAME.start);
  f.op('i64.sub');
  pushWord(f, 'i64', CONTEXT_ELSEWHERE);
  f.op('i64.sub');
  pushField(f, 'i64', frame, FRAME.elsewhere);
  f.op('i64.add');
  f.set(instructions);
  pushField(f, 'i32', frame, FRAME.function);
  f.set(fn);
  setField(f, 'i32', fn, FUNCTION.nesting, () => {
    pushField(f, 'i32', fn, FUNCTION.nesting);
    f.i32(1);
    f.op('i32.sub');
  });
  f.get(frame);
  f.memory('i32.load16_s', FRAME.lane);
  f.set(lane);
  emitCount(
    f,
    closing,
    { record: fn, instructions, lane, executed },
    {
      ...frameParts(f, frame),
      cycles: () => closing.meter.close(f, lane, executed, carried),
    },
  );
  f.get(frame);
  f.i32(FRAME.size);
  f.op('i32.sub');
  f.set(frame);
  setWord(f, 'i32', CONTEXT_TOP, () => f.get(frame));
  const slot = f.local('i64');
  pushField(f, 'i64', frame, FRAME.slot);
  f.set(slot);
  shareSlot(f, slot);
  setWord(f, 'i32', CONTEXT_OPENS, () => {
    f.get(frame);
    f.memory('i32.load16_u', FRAME.opens);
  });
}

/** A context that ends, in locals. */
interface Ending {
  /** Its function's. */
  readonly record: number;
  readonly instructions: number;
  /** -1 for none. */
  readonly lane: number;
  /** Instructions executed. */
  readonly executed: number;
}

/** What pushes what else is known of it. */
interface EndingParts {
  /** Where it has a lane. */
  readonly cycles: () => void;
  readonly edge: () => void;
  readonly ordinal: () => void;
  readonly start: () => void;
  readonly depth: () => void;
  readonly key: () => void;
}

const frameParts = (f: FunctionBuilder, frame: number): Omit<EndingParts, 'cycles'> => ({
  edge: () => pushField(f, 'i32', frame, FRAME.edge),
  ordinal: () => pushField(f, 'i64', frame, FRAME.ordinal),
  start: () => pushField(f, 'i64', frame, FRAME.start),
  depth: () => pushField(f, 'i32', frame, FRAME.depth),
  key: () => pushField(f, 'i32', frame, FRAME.key),
});

/** Adds what the context took to all that count it. */
export function emitCount(f: FunctionBuilder, closing: Closing, ending: Ending, parts: EndingParts): void {
  const { instructions, lane } = ending;
  const cycles = f.local('i64');
  const sums = f.local('i32');
  f.get(lane);
  f.i32(0);
  f.op('i32.lt_s');
  f.if();
  f.i64(-1n);
  f.set(cycles);
  f.else();
  parts.cycles();
  f.set(cycles);
  parts.ordinal();
  f.i64(0n);
  f.op('i64.ge_s');
  f.if();
  addToFunction(f, ending, parts, cycles);
  f.end();
  f.end();
  parts.edge();
  f.tee(sums);
  f.if();
  addToField(f, 'i64', sums, EDGE.calls, () => f.i64(1n));
  addToField(f, 'i64', sums, EDGE.instructions, () => f.get(instructions));
  addToField(f, 'i64', sums, EDGE.cycles, () => f.get(cycles));
  f.else();
  note(f, ending, parts, cycles, closing);
  f.end();
}

function addToFunction(
  f: FunctionBuilder,
  { record, instructions, executed }: Ending,
  parts: EndingParts,
  cycles: number,
): void {
  addToField(f, 'i64', record, FUNCTION.calls, () => f.i64(1n));
  addToField(f, 'i64', record, FUNCTION.instructions, () => f.get(instructions));
  addToField(f, 'i64', record, FUNCTION.cycles, () => f.get(cycles));
  // Outermost calls in several threads need not end in the order in which they began.
  parts.start();
  pushField(f, 'i64', record, FUNCTION.first);
  f.op('i64.lt_u');
  f.if();
  setField(f, 'i64', record, FUNCTION.first, parts.start);
  f.end();
  f.get(cycles);
  pushField(f, 'i64', record, FUNCTION.longestCycles);
  f.op('i64.ge_s');
  f.if();
  const done = f.block();
  f.get(cycles);
  pushField(f, 'i64', record, FUNCTION.longestCycles);
  f.op('i64.eq');
  parts.start();
  pushField(f, 'i64', record, FUNCTION.longestStart);
  f.op('i64.ge_u');
  f.op('i32.and');
  f.brIf(done);
  setField(f, 'i64', record, FUNCTION.longestCycles, () => f.get(cycles));
  setField(f, 'i64', record, FUNCTION.longestInstructions, () => f.get(instructions));
  setField(f, 'i64', record, FUNCTION.longestIndex, parts.ordinal);
  setField(f, 'i64', record, FUNCTION.longestStart, parts.start);
  setField(f, 'i64', record, FUNCTION.longestEnd, () => f.get(executed));
  f.end();
  f.end();
}

/** A listed call goes into the log. */
function note(
  f: FunctionBuilder,
  { record, instructions }: Ending,
  parts: EndingParts,
  cycles: number,
  { events }: Closing,
): void {
  const at = f.local('i32');
  const key = f.local('i32');
  pushWord(f, 'i32', CONTEXT_LOG_END);
  f.set(at);
  setField(f, 'i32', at, NOTE.entry, () => pushField(f, 'i32', record, FUNCTION.entry));
  setField(f, 'i32', at, NOTE.depth, parts.depth);
  setField(f, 'i64', at, NOTE.instructions, () => f.get(instructions));
  setField(f, 'i64', at, NOTE.cycles, () => f.get(cycles));
  parts.key();
  f.tee(key);
  f.i32(FIRST_NODE);
  f.op('i32.ge_u');
  f.if(undefined, 'unlikely');
  f.get(key);
  f.call(events.endSums);
  f.else();
  f.i32(0);
  f.set(key);
  f.end();
  setField(f, 'i32', at, NOTE.key, () => f.get(key));
  f.get(at);
  f.i32(NOTE.size);
  f.op('i32.add');
  f.set(at);
  setWord(f, 'i32', CONTEXT_LOG_END, () => f.get(at));
  f.get(at);
  f.i32(CONTEXT_LOG + CONTEXT_LOG_SIZE);
  f.op('i32.eq');
  f.if(undefined, 'unlikely');
  f.call(events.takeLog);
  f.end();
}
