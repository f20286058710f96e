import {
  CALL_TARGETS,
  CONTEXT_ASKS,
  CONTEXT_DEEPEST,
  CONTEXT_ELSEWHERE,
  CONTEXT_FIRST_DEPTH,
  CONTEXT_FUNCTIONS,
  CONTEXT_LAYER,
  CONTEXT_LINKING,
  CONTEXT_OPENS,
  CONTEXT_TOP,
  HANDLER_SLOT,
  JUMP_TARGETS,
  TARGET_BITS,
  valueOffset,
} from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { RSP } from '../../x86/state.ts';
import { pushPlaceOf } from '../code-places.ts';
import { openSignature } from '../region-interface.ts';
import { emitCountLeaves, REFUSED } from './leaf-log.ts';
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
  TARGET,
  UNLISTED,
  UNLISTED_EDGE,
} from './records.ts';
import { pushExecuted, pushInnermostSlot, pushOpens, shareSlot } from './words.ts';

/** How contexts open (rule 9). Each way in is one function with all its code in it, because each call would cost as much as a part. */
export interface Opening {
  readonly meter: ContextMeter;
  /** Index of what counts calls in line that have ended, where there are any. */
  readonly countLeaves?: number | undefined;
  /** How many contexts can be measured at once. */
  readonly lanes: number;
  /** Calls of a listed call that are listed. */
  readonly callsPerParent: number;
  /** Whether what JavaScript said once is not asked again. */
  readonly remembers: boolean;
  /** Indices of the functions that ask JavaScript; see ContextEvents. */
  readonly events: {
    readonly placeOf: number;
    readonly learnCall: number;
    readonly learnJump: number;
    readonly learnHook: number;
    readonly layerOf: number;
    readonly startSums: number;
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
  const f = new FunctionBuilder(openSignature(opening.meter.stepType));
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

/** enterHooked(place i32) */
export function defineEnterHooked(module: ModuleBuilder, opening: Opening): number {
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
  emitPush(f, opening, { fn, edge, slot, depth, lane, layer });
  return module.define(f);
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

/** Locals that tell what the innermost context's call opens: the function's record, and the others as in the frame. */
interface FoundCall {
  readonly record: number;
  readonly edge: number;
  readonly depth: number;
  readonly lane: number;
  readonly layer: number;
}

/**
 * Counts the call among the innermost context's; `leave` leaves, where it opens nothing, after `isLinked` where that is because it goes
 * into a linkage stub.
 */
export function findCall(
  f: FunctionBuilder,
  opening: Opening,
  target: number,
  leave: () => void,
  isLinked: () => void = () => {},
): FoundCall {
  const top = f.local('i32');
  const key = f.local('i32');
  const entry = f.local('i32');
  const record = f.local('i32');
  const edge = f.local('i32');
  const depth = f.local('i32');
  const lane = f.local('i32');
  const layer = f.local('i32');
  const learn = () => {
    f.get(key);
    f.get(target);
    f.get(entry);
    f.call(opening.events.learnCall);
  };
  pushWord(f, 'i32', CONTEXT_TOP);
  f.tee(top);
  f.memory('i32.load', FRAME.key);
  f.set(key);
  find(f, opening, CALL_TARGETS, key, target, entry, learn);
  pushField(f, 'i32', entry, TARGET.function);
  f.op('i32.eqz');
  f.if(undefined, 'unlikely');
  isLinked();
  leave();
  f.end();
  pushDepthBelow(f, top);
  f.set(depth);
  takeLayer(f, opening, depth, layer, leave);
  f.get(key);
  f.i32(LISTED);
  f.op('i32.eq');
  f.if();
  pushField(f, 'i32', top, FRAME.children);
  f.i32(opening.callsPerParent);
  f.op('i32.eq');
  f.if(undefined, 'unlikely');
  f.call(opening.events.startSums);
  f.set(key);
  setField(f, 'i32', top, FRAME.key, () => f.get(key));
  find(f, opening, CALL_TARGETS, key, target, entry, learn);
  f.else();
  setField(f, 'i32', top, FRAME.children, () => {
    pushField(f, 'i32', top, FRAME.children);
    f.i32(1);
    f.op('i32.add');
  });
  f.end();
  f.end();
  pushField(f, 'i32', entry, TARGET.function);
  f.set(record);
  pushField(f, 'i32', entry, TARGET.edge);
  f.set(edge);
  pushLaneOf(f, opening, depth, layer);
  f.set(lane);
  return { record, edge, depth, lane, layer };
}

/** A local gets the layer of a call at a depth, 0 where that need not be known; `leave` leaves, where there is none for it. */
function takeLayer(
  f: FunctionBuilder,
  { events }: Opening,
  depth: number,
  layer: number,
  leave: () => void,
): void {
  f.i32(0);
  f.set(layer);
  pushWord(f, 'i32', CONTEXT_ASKS);
  f.if(undefined, 'unlikely');
  f.get(depth);
  f.call(events.layerOf);
  f.tee(layer);
  f.op('i32.eqz');
  f.if();
  leave();
  f.end();
  f.end();
}

/** Pushes the depth of calls by the context whose frame a local has. */
function pushDepthBelow(f: FunctionBuilder, frame: number): void {
  pushField(f, 'i32', frame, FRAME.depth);
  f.i32(1);
  f.op('i32.add');
}

/**
 * Pushes the lane of a depth and layer, which locals have: lane k measures the k-th depth from the first one on, in the layer of the
 * pass; -1 for none.
 */
function pushLaneOf(f: FunctionBuilder, { lanes }: Opening, depth: number, layer: number): void {
  const lane = f.local('i32');
  f.get(depth);
  pushWord(f, 'i32', CONTEXT_FIRST_DEPTH);
  f.op('i32.sub');
  f.tee(lane);
  f.i32(-1);
  f.get(lane);
  f.i32(lanes);
  f.op('i32.lt_u');
  f.get(layer);
  pushWord(f, 'i32', CONTEXT_LAYER);
  f.op('i32.eq');
  f.get(layer);
  f.op('i32.eqz');
  f.op('i32.or');
  f.op('i32.and');
  f.op('select');
}

/**
 * leafLane(distance i32) -> the lane of a call in line whose depth is so far behind the first one that is measured; -1 for none, REFUSED
 * where it opens no context.
 */
export function defineLeafLane(module: ModuleBuilder, opening: Opening): number {
  const f = new FunctionBuilder({ params: ['i32'], results: ['i32'] });
  const depth = f.local('i32');
  const layer = f.local('i32');
  f.get(0);
  pushWord(f, 'i32', CONTEXT_FIRST_DEPTH);
  f.op('i32.add');
  f.set(depth);
  takeLayer(f, opening, depth, layer, () => {
    f.i32(REFUSED);
    f.return();
  });
  pushLaneOf(f, opening, depth, layer);
  return module.define(f);
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

/**
 * Looks for (first, second) in a direct-mapped cache; `learn` makes the entry when it is not there. Entries begin with
 * the pair; an empty one is (0, 0), which no key and no address of a jump is.
 */
function find(
  f: FunctionBuilder,
  { remembers }: Opening,
  cache: number,
  first: number,
  second: number,
  entry: number,
  learn: () => void,
): void {
  f.get(first);
  f.i32(0x85eb_ca6b | 0);
  f.op('i32.mul');
  f.get(second);
  f.op('i32.xor');
  f.i32(0x9e37_79b1 | 0);
  f.op('i32.mul');
  f.i32(32 - TARGET_BITS);
  f.op('i32.shr_u');
  f.i32(4);
  f.op('i32.shl');
  f.i32(cache);
  f.op('i32.add');
  f.set(entry);
  pushField(f, 'i64', entry, 0);
  f.get(first);
  f.op('i64.extend_i32_u');
  f.get(second);
  f.op('i64.extend_i32_u');
  f.i64(32n);
  f.op('i64.shl');
  f.op('i64.or');
  f.op('i64.ne');
  if (!remembers) {
    f.op('drop');
    f.i32(1);
  }
  f.if(undefined, 'unlikely');
  learn();
  f.end();
}
