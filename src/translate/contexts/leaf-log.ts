import {
  CONTEXT_FIRST_DEPTH,
  CONTEXT_LINKING,
  CONTEXT_TOP,
  FLOOR,
  LEAF_LOG,
  LEAF_LOG_END,
  LEAF_LOG_SIZE,
} from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import type { LeafLocals, LeafOpening } from '../steps/measure.ts';
import { raisedTo } from './meters.ts';
import { pushWord, setField, setWord } from './record-code.ts';
import { FRAME, LEAF } from './records.ts';
import { pushAsks, pushExecuted } from './words.ts';

/**
 * Contexts of calls in line (calls-in-line.ts). Nothing opens or closes before such a call returns, and nobody looks at the stack
 * of contexts, so that it has no frame there: when it closes it is noted in LEAF_LOG, and counted with others before anything
 * happens to the stack. All that is in the region: a call of the host would take the region's locals through memory (a loop of
 * four functions of two instructions: 2.19 -> 1.67 s, 0.63 with one context; with less done in what was called, as much
 * as before). Where control leaves the region before the call returns, or JavaScript is asked whether a slice ends, the frame is
 * put on the stack first.
 */

/** What a region knows of the context of a call in line: 0 where none has opened. */
export const OPEN = 1;
/** Its frame is on the stack. */
export const PUSHED = 2;

/** In place of its lane: it opens no context. */
export const REFUSED = -2;

/** A call in line opens a context, unless it is on its way through linkage. `raise` raises steps in locals to that in a local. */
export function emitOpenLeaf(
  f: FunctionBuilder,
  shape: LaneShape,
  { isLinking, leafLane }: LeafOpening,
  locals: LeafLocals,
  raise: (raised: number) => void,
): void {
  const depth = f.local('i32');
  const lane = f.local('i32');
  f.i32(OPEN);
  f.set(locals.isOpen);
  pushWord(f, 'i64', CONTEXT_LINKING);
  f.i64(0n);
  f.op('i64.ne');
  f.if(undefined, 'unlikely');
  f.get(locals.rsp);
  f.call(isLinking);
  f.op('i32.eqz');
  f.set(locals.isOpen);
  f.end();
  pushExecuted(f, locals.fuel);
  f.set(locals.start);
  f.get(locals.rsp);
  f.set(locals.slot);
  pushWord(f, 'i32', CONTEXT_TOP);
  f.memory('i32.load', FRAME.depth);
  f.i32(1);
  f.op('i32.add');
  f.tee(depth);
  pushWord(f, 'i32', CONTEXT_FIRST_DEPTH);
  f.op('i32.sub');
  f.set(lane);
  pushAsks(f, depth);
  f.if(undefined, 'unlikely');
  f.get(depth);
  f.call(leafLane);
  f.tee(lane);
  f.i32(REFUSED);
  f.op('i32.eq');
  f.if();
  f.i32(0);
  f.set(locals.isOpen);
  f.end();
  f.end();
  f.get(lane);
  f.i32(shape.lanes);
  f.op('i32.lt_u');
  // A lane that measures nothing may have any floor.
  f.if();
  const raised = raisedTo(f, shape, lane, locals.start);
  for (const local of [locals.rspStep, locals.maximum]) {
    f.get(local);
    f.get(raised);
    f.op(shape.max);
    f.set(local);
  }
  f.i32(0);
  f.i32(0);
  f.memory('v128.load', FLOOR);
  f.get(raised);
  f.op(shape.max);
  f.memory('v128.store', FLOOR);
  raise(raised);
  f.end();
}

/** It closes, having no frame; steps are in the maximum. */
export function emitCloseLeaf(
  f: FunctionBuilder,
  shape: LaneShape,
  countLeaves: number,
  place: number,
  locals: LeafLocals,
): void {
  const at = f.local('i32');
  pushWord(f, 'i32', LEAF_LOG_END);
  f.set(at);
  setField(f, 'i32', at, LEAF.target, () => f.i32(place));
  setField(f, 'i64', at, LEAF.start, () => f.get(locals.start));
  setField(f, 'i64', at, LEAF.executed, () => pushExecuted(f, locals.fuel));
  f.get(at);
  f.i32(0);
  f.memory('v128.load', FLOOR);
  f.memory('v128.store', LEAF.floor);
  f.get(at);
  f.get(locals.rspStep);
  f.get(locals.maximum);
  f.op(shape.max);
  f.memory('v128.store', LEAF.largest);
  f.get(at);
  f.i32(LEAF.size);
  f.op('i32.add');
  f.set(at);
  setWord(f, 'i32', LEAF_LOG_END, () => f.get(at));
  f.get(at);
  f.i32(LEAF_LOG + LEAF_LOG_SIZE);
  f.op('i32.eq');
  f.if(undefined, 'unlikely');
  f.call(countLeaves);
  f.end();
}

/** Before anything happens to the stack of contexts: counts what LEAF_LOG has. */
export function emitCountLeaves(f: FunctionBuilder, countLeaves: number | undefined): void {
  if (countLeaves === undefined) return;
  pushWord(f, 'i32', LEAF_LOG_END);
  f.i32(LEAF_LOG);
  f.op('i32.gt_u');
  f.if();
  f.call(countLeaves);
  f.end();
}
