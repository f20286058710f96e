import {
  CALL_TARGETS,
  CONTEXT_DEEPEST,
  CONTEXT_ELSEWHERE,
  CONTEXT_FUNCTIONS,
  CONTEXT_HELD,
  CONTEXT_LINKING,
  CONTEXT_OPENS,
  CONTEXT_TOP,
  HANDLER_SLOT,
  JUMP_TARGETS,
  valueOffset,
} from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { RSP } from '../../x86/state.ts';
import { pushPlaceOf } from '../code-places.ts';
import { OPEN_TYPE } from '../region-interface.ts';
import { emitReturnWithinSpan, type Finding, find, findCall } from './finding.ts';
import { emitCountLeaves } from './leaf-log.ts';
import type { Carried, ContextMeter } from './meters.ts';
import { pushField, pushWord, setField, setWord } from './record-code.ts';
import {
  FRAME,
  FUNCTION,
  HOOKED,
  JUMP,
  JUMP_LINKS,
  JUMP_OPENS,
  LISTED,
  OTHER_STACK,
  RUN_FRAME,
  TARGET,
  UNLISTED,
  UNLISTED_EDGE,
} from './records.ts';
import { pushExecuted, pushInnermostSlot, pushOpens, shareSlot } from './words.ts';

/** How contexts open (rule 9). Each way in is one function with all its code in it, because each call would cost as much as a part. */
export interface Opening extends Finding {
  readonly meter: ContextMeter;
  /** Index of what counts calls in line that have ended, where there are any. */
  readonly countLeaves?: number | undefined;
  readonly events: Finding['events'] & {
    readonly placeOf: number;
    readonly learnJump: number;
    readonly learnHook: number;
    readonly leaveOut: number;
    readonly stackFull: number;
  };
}

/** push(function i32, edge i32, slot i64, depth i32, lane i32) */
export function definePush(module: ModuleBuilder, opening: Opening): number {
  const f = new FunctionBuilder({ params: ['i32', 'i32', 'i64', 'i32', 'i32'], results: [] });
  const layer = f.local('i32');
  emitCountLeaves(f, opening.countLeaves);
  emitPush(f, opening, { fn: 0, edge: 1, slot: 2, depth: 3, lane: 4, layer });
  return module.define(f);
}

/** openByCall(target i64) */
export function defineOpenByCall(module: ModuleBuilder, opening: Opening): number {
  const f = new FunctionBuilder({ params: ['i64'], results: [] });
  const rsp = f.local('i64');
  pushWord(f, 'i64', valueOffset(RSP));
  f.set(rsp);
  emitOpenByCall(f, opening, 0, rsp);
  return module.define(f);
}

/** openCarrying(target i64, carried...) -> rsp's step, the maximum: the same with what a region holds in locals. */
export function defineOpenCarrying(module: ModuleBuilder, opening: Opening): number {
  const f = new FunctionBuilder(OPEN_TYPE);
  const carried: Carried = { rsp: 1, fuel: 2, rspStep: 3, maximum: 4 };
  emitOpenByCall(f, opening, 0, carried.rsp, carried);
  f.get(carried.rspStep);
  f.get(carried.maximum);
  return module.define(f);
}

function emitOpenByCall(
  f: FunctionBuilder,
  opening: Opening,
  address: number,
  rsp: number,
  carried?: Carried,
): void {
  const target = f.local('i32');
  emitCountLeaves(f, opening.countLeaves);
  const done = f.block();
  // Linkage stubs and the resolver call, too, but open nothing.
  pushIsLinking(f, rsp);
  f.brIf(done, 'unlikely');
  pushPlaceOf(f, address, opening.events);
  f.set(target);
  emitOpen(f, opening, target, rsp, done, carried);
  f.end();
}

/** openByJump(place of the jump i32, target i64) */
export function defineOpenByJump(module: ModuleBuilder, opening: Opening): number {
  const f = new FunctionBuilder({ params: ['i32', 'i64'], results: [] });
  const from = 0;
  const rsp = f.local('i64');
  const slot = f.local('i64');
  const target = f.local('i32');
  const entry = f.local('i32');
  const verdict = f.local('i32');
  emitCountLeaves(f, opening.countLeaves);
  pushWord(f, 'i64', valueOffset(RSP));
  f.set(rsp);
  pushPlaceOf(f, 1, opening.events);
  f.set(target);
  pushIsLinking(f, rsp);
  f.if();
  // Stubs call and jump to the resolver; what leaves them with the call's own stack is the function, or another stub.
  f.get(rsp);
  pushWord(f, 'i64', CONTEXT_LINKING);
  f.op('i64.ne');
  f.if();
  f.return();
  f.end();
  setWord(f, 'i64', CONTEXT_LINKING, () => f.i64(0n));
  f.get(rsp);
  f.set(slot);
  f.else();
  emitReturnWithinSpan(f, opening, from, target);
  find(f, opening, JUMP_TARGETS, from, target, entry, () => {
    f.get(from);
    f.get(target);
    f.get(entry);
    f.call(opening.events.learnJump);
  });
  pushField(f, 'i32', entry, JUMP.verdict);
  f.set(verdict);
  f.get(verdict);
  f.i32(JUMP_LINKS);
  f.op('i32.eq');
  f.if();
  setWord(f, 'i64', CONTEXT_LINKING, () => f.get(rsp));
  f.return();
  f.end();
  f.get(verdict);
  f.i32(JUMP_OPENS);
  f.op('i32.ne');
  f.if();
  f.return();
  f.end();
  // Of a tail call: the one `ret` closes it together with its caller. What nobody called stays open to the end.
  // A signal's handler has a return slot of its own, though no context; so has what was entered on another stack.
  pushInnermostSlot(f);
  f.tee(slot);
  f.get(rsp);
  f.get(slot);
  f.i64(OTHER_STACK);
  f.op('i64.ne');
  f.get(rsp);
  pushWord(f, 'i64', HANDLER_SLOT);
  f.op('i64.ne');
  f.op('i32.and');
  f.op('select');
  f.set(slot);
  f.end();
  const done = f.block();
  emitOpen(f, opening, target, slot, done);
  f.end();
  return module.define(f);
}

/** enterHooked(place i32). `leavesOut`: where several functions have a lane, one of them has it at a time. */
export function defineEnterHooked(module: ModuleBuilder, opening: Opening, leavesOut: boolean): number {
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  const address = 0;
  const key = f.local('i32');
  const entry = f.local('i32');
  const fn = f.local('i32');
  const edge = f.local('i32');
  const slot = f.local('i64');
  const depth = f.local('i32');
  const lane = f.local('i32');
  const layer = f.local('i32');
  emitCountLeaves(f, opening.countLeaves);
  f.i32(HOOKED);
  f.set(key);
  find(f, opening, CALL_TARGETS, key, address, entry, () => {
    f.get(address);
    f.get(entry);
    f.call(opening.events.learnHook);
  });
  pushField(f, 'i32', entry, TARGET.function);
  f.tee(fn);
  f.op('i32.eqz');
  f.if();
  f.return();
  f.end();
  // A loop that jumps back to its function's first instruction is no call.
  pushField(f, 'i32', fn, FUNCTION.nesting);
  f.if();
  f.return();
  f.end();
  f.i32(UNLISTED_EDGE);
  f.set(edge);
  pushWord(f, 'i64', valueOffset(RSP));
  f.set(slot);
  pushField(f, 'i32', entry, TARGET.edge);
  f.set(lane);
  if (leavesOut) emitLeaveOut(f, opening, { address, entry, lane });
  emitPush(f, opening, { fn, edge, slot, depth, lane, layer });
  return module.define(f);
}

/** Returns where another function is open that has the lane. Few are: open calls of functions by name alone, and of each one. */
function emitLeaveOut(
  f: FunctionBuilder,
  opening: Opening,
  { address, entry, lane }: { readonly address: number; readonly entry: number; readonly lane: number },
): void {
  const frame = f.local('i32');
  const leaveOut = () => {
    f.get(address);
    f.get(entry);
    f.call(opening.events.leaveOut);
    f.return();
  };
  f.get(lane);
  f.i32(0);
  f.op('i32.ge_s');
  f.if();
  // On stacks that were left.
  pushWord(f, 'i32', CONTEXT_HELD);
  f.get(lane);
  f.op('i32.shr_u');
  f.i32(1);
  f.op('i32.and');
  f.if();
  leaveOut();
  f.end();
  pushWord(f, 'i32', CONTEXT_TOP);
  f.set(frame);
  const none = f.block();
  const next = f.loop();
  f.get(frame);
  f.i32(RUN_FRAME);
  f.op('i32.le_u');
  f.brIf(none);
  f.get(frame);
  f.memory('i32.load16_s', FRAME.lane);
  f.get(lane);
  f.op('i32.eq');
  f.if();
  leaveOut();
  f.end();
  f.get(frame);
  f.i32(FRAME.size);
  f.op('i32.sub');
  f.set(frame);
  f.br(next);
  f.end();
  f.end();
  f.end();
}

/** Locals that tell what opens. */
interface Opened {
  readonly fn: number;
  readonly edge: number;
  readonly slot: number;
  readonly depth: number;
  readonly lane: number;
  readonly layer: number;
  /** The instructions executed when it opened; undefined where it opens now. */
  readonly start?: number;
}

/** Puts a frame on the stack. */
export function emitPush(
  f: FunctionBuilder,
  opening: Opening,
  { fn, edge, slot, depth, lane, layer, start }: Opened,
  carried?: Carried,
): void {
  const frame = f.local('i32');
  const executed = f.local('i64');
  const nested = f.local('i32');
  const opens = f.local('i32');
  const ordinal = f.local('i64');
  pushWord(f, 'i32', CONTEXT_TOP);
  f.i32(FRAME.size);
  f.op('i32.add');
  f.tee(frame);
  f.i32(CONTEXT_FUNCTIONS - FRAME.size);
  f.op('i32.gt_u');
  f.if(undefined, 'unlikely');
  f.call(opening.events.stackFull);
  f.end();
  setWord(f, 'i32', CONTEXT_TOP, () => f.get(frame));
  if (start === undefined) pushExecuted(f, carried?.fuel);
  else f.get(start);
  f.set(executed);
  setField(f, 'i64', frame, FRAME.slot, () => f.get(slot));
  setField(f, 'i64', frame, FRAME.start, () => f.get(executed));
  setField(f, 'i64', frame, FRAME.elsewhere, () => pushWord(f, 'i64', CONTEXT_ELSEWHERE));
  setField(f, 'i32', frame, FRAME.function, () => f.get(fn));
  setField(f, 'i32', frame, FRAME.edge, () => f.get(edge));
  f.get(frame);
  f.get(lane);
  f.memory('i32.store16', FRAME.lane);
  pushOpens(f, depth);
  f.set(opens);
  f.get(frame);
  f.get(opens);
  f.memory('i32.store16', FRAME.opens);
  setWord(f, 'i32', CONTEXT_OPENS, () => f.get(opens));
  setField(f, 'i32', frame, FRAME.depth, () => f.get(depth));
  setField(f, 'i32', frame, FRAME.layer, () => f.get(layer));
  setField(f, 'i32', frame, FRAME.home, () => f.get(depth));
  setField(f, 'i32', frame, FRAME.key, () => {
    f.i32(UNLISTED);
    f.i32(LISTED);
    f.get(edge);
    f.op('select');
  });
  setField(f, 'i32', frame, FRAME.children, () => f.i32(0));
  // A call inside another of the same function has no ordinal.
  pushField(f, 'i32', fn, FUNCTION.nesting);
  f.set(nested);
  setField(f, 'i32', fn, FUNCTION.nesting, () => {
    f.get(nested);
    f.i32(1);
    f.op('i32.add');
  });
  f.get(nested);
  f.if();
  setField(f, 'i64', frame, FRAME.ordinal, () => f.i64(-1n));
  f.else();
  takeOrdinal(f, fn, ordinal);
  setField(f, 'i64', frame, FRAME.ordinal, () => f.get(ordinal));
  f.end();
  noteDepth(f, depth);
  shareSlot(f, slot);
  if (start !== undefined) return;
  f.get(lane);
  f.i32(0);
  f.op('i32.ge_s');
  f.if();
  opening.meter.open(f, lane, executed, carried);
  f.end();
}

/** A local gets the ordinal of another outermost call. */
export function takeOrdinal(f: FunctionBuilder, record: number, ordinal: number): void {
  pushField(f, 'i64', record, FUNCTION.ordinals);
  f.set(ordinal);
  setField(f, 'i64', record, FUNCTION.ordinals, () => {
    f.get(ordinal);
    f.i64(1n);
    f.op('i64.add');
  });
}

/** There is a context of the depth in a local. */
export function noteDepth(f: FunctionBuilder, depth: number): void {
  f.get(depth);
  pushWord(f, 'i32', CONTEXT_DEEPEST);
  f.op('i32.gt_s');
  f.if(undefined, 'unlikely');
  setWord(f, 'i32', CONTEXT_DEEPEST, () => f.get(depth));
  f.end();
}

/** The innermost context calls the target, or a linkage stub: then it branches to `done`. */
function emitOpen(
  f: FunctionBuilder,
  opening: Opening,
  target: number,
  slot: number,
  done: number,
  carried?: Carried,
): void {
  const isLinked = () => setWord(f, 'i64', CONTEXT_LINKING, () => f.get(slot));
  const { record, ...opened } = findCall(f, opening, target, () => f.br(done), isLinked);
  emitPush(f, opening, { fn: record, slot, ...opened }, carried);
}

/** Whether a call on its way to its function is still in a linkage stub or the resolver: until rsp rises above its slot. */
export function pushIsLinking(f: FunctionBuilder, rsp: number): void {
  pushWord(f, 'i64', CONTEXT_LINKING);
  f.op('i64.eqz');
  f.if('i32', 'likely');
  f.i32(0);
  f.else();
  f.get(rsp);
  pushWord(f, 'i64', CONTEXT_LINKING);
  f.op('i64.gt_u');
  f.if();
  setWord(f, 'i64', CONTEXT_LINKING, () => f.i64(0n));
  f.end();
  pushWord(f, 'i64', CONTEXT_LINKING);
  f.i64(0n);
  f.op('i64.ne');
  f.end();
}
