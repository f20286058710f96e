import {
  CALL_TARGET_BITS,
  CALL_TARGETS,
  CONTEXT_FIRST_DEPTH,
  CONTEXT_LAYER,
  CONTEXT_TOP,
  JUMP_SPAN_BITS,
  JUMP_SPANS,
  JUMP_TARGET_BITS,
  JUMP_TARGETS,
} from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { REFUSED } from './leaf-log.ts';
import { pushField, pushWord, setField } from './record-code.ts';
import { FRAME, LISTED, SPAN, TARGET } from './records.ts';
import { pushAsks } from './words.ts';

/** What a call opens, and which lane measures it. */
export interface Finding {
  /** How many contexts can be measured at once. */
  readonly lanes: number;
  /** Calls of a listed call that are listed. */
  readonly callsPerParent: number;
  /** Whether what JavaScript said once is not asked again. */
  readonly remembers: boolean;
  /** Indices of the functions that ask JavaScript; see ContextEvents. */
  readonly events: { readonly learnCall: number; readonly layerOf: number; readonly startSums: number };
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
  finding: Finding,
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
    f.call(finding.events.learnCall);
  };
  pushWord(f, 'i32', CONTEXT_TOP);
  f.tee(top);
  f.memory('i32.load', FRAME.key);
  f.set(key);
  find(f, finding, CALL_TARGETS, key, target, entry, learn);
  pushField(f, 'i32', entry, TARGET.function);
  f.op('i32.eqz');
  f.if(undefined, 'unlikely');
  isLinked();
  leave();
  f.end();
  pushDepthBelow(f, top);
  f.set(depth);
  takeLayer(f, finding, depth, layer, leave);
  f.get(key);
  f.i32(LISTED);
  f.op('i32.eq');
  f.if();
  pushField(f, 'i32', top, FRAME.children);
  f.i32(finding.callsPerParent);
  f.op('i32.eq');
  f.if(undefined, 'unlikely');
  f.call(finding.events.startSums);
  f.set(key);
  setField(f, 'i32', top, FRAME.key, () => f.get(key));
  find(f, finding, CALL_TARGETS, key, target, entry, learn);
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
  pushLaneOf(f, finding, depth, layer);
  f.set(lane);
  return { record, edge, depth, lane, layer };
}

/** A local gets the layer of a call at a depth, 0 where that need not be known; `leave` leaves, where there is none for it. */
function takeLayer(
  f: FunctionBuilder,
  { events }: Finding,
  depth: number,
  layer: number,
  leave: () => void,
): void {
  f.i32(0);
  f.set(layer);
  pushAsks(f, depth);
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
function pushLaneOf(f: FunctionBuilder, { lanes }: Finding, depth: number, layer: number): void {
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

/** leafLane(depth i32) -> the lane of a call in line; -1 for none, REFUSED where it opens no context. */
export function defineLeafLane(module: ModuleBuilder, finding: Finding): number {
  const f = new FunctionBuilder({ params: ['i32'], results: ['i32'] });
  const depth = 0;
  const layer = f.local('i32');
  takeLayer(f, finding, depth, layer, () => {
    f.i32(REFUSED);
    f.return();
  });
  pushLaneOf(f, finding, depth, layer);
  return module.define(f);
}

/**
 * Looks for (first, second) in a direct-mapped cache; `learn` makes the entry when it is not there. Entries begin with
 * the pair; an empty one is (0, 0), which no key and no address of a jump is.
 */
export function find(
  f: FunctionBuilder,
  { remembers }: Finding,
  cache: number,
  first: number,
  second: number,
  entry: number,
  learn: () => void,
): void {
  const bits = cache === JUMP_TARGETS ? JUMP_TARGET_BITS : CALL_TARGET_BITS;
  setEntry(f, entry, { cache, bits }, () => {
    f.get(first);
    f.i32(0x85eb_ca6b | 0);
    f.op('i32.mul');
    f.get(second);
    f.op('i32.xor');
  });
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

/** Returns where the target of a jump is known to lie in the jump's own function; locals have the places of both. */
export function emitReturnWithinSpan(
  f: FunctionBuilder,
  { remembers }: Finding,
  from: number,
  target: number,
): void {
  if (!remembers) return;
  const entry = f.local('i32');
  setEntry(f, entry, { cache: JUMP_SPANS, bits: JUMP_SPAN_BITS }, () => f.get(from));
  pushField(f, 'i32', entry, SPAN.from);
  f.get(from);
  f.op('i32.eq');
  f.get(target);
  pushField(f, 'i32', entry, SPAN.start);
  f.op('i32.sub');
  pushField(f, 'i32', entry, SPAN.length);
  f.op('i32.lt_u');
  f.op('i32.and');
  f.if();
  f.return();
  f.end();
}

/** Where the entry of a jump at a place is among the spans. */
export const spanEntry = (from: number): number =>
  JUMP_SPANS + 16 * (Math.imul(from, SPREAD) >>> (32 - JUMP_SPAN_BITS));

const SPREAD = 0x9e37_79b1 | 0;

/** A local gets the place of a key's entry in a direct-mapped cache with entries of 16 bytes. */
function setEntry(
  f: FunctionBuilder,
  entry: number,
  { cache, bits }: { readonly cache: number; readonly bits: number },
  pushKey: () => void,
): void {
  pushKey();
  f.i32(SPREAD);
  f.op('i32.mul');
  f.i32(32 - bits);
  f.op('i32.shr_u');
  f.i32(4);
  f.op('i32.shl');
  f.i32(cache);
  f.op('i32.add');
  f.set(entry);
}
