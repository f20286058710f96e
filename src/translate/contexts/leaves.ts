import { CONTEXT_LINKING, LEAF_LOG, LEAF_LOG_END } from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { PUSH_LEAF_TYPE } from '../region-interface.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import { type Closing, emitCount } from './closing.ts';
import { findCall } from './finding.ts';
import { emitCountLeaves, PUSHED } from './leaf-log.ts';
import { emitRaiseSteps, pushLeafCycles, startCycles } from './meters.ts';
import { emitPush, noteDepth, type Opening, pushIsLinking, takeOrdinal } from './opening.ts';
import { pushField, pushWord, setWord } from './record-code.ts';
import { FUNCTION, LEAF, LISTED } from './records.ts';

/** What contexts/leaf-log.ts leaves to functions. */

/** countLeaves(): counts all calls of LEAF_LOG, which is empty then. */
export function defineCountLeaves(
  module: ModuleBuilder,
  opening: Opening,
  closing: Closing,
  shape: LaneShape,
): number {
  const f = new FunctionBuilder({ params: [], results: [] });
  const at = f.local('i32');
  const end = f.local('i32');
  const target = f.local('i32');
  /** Where the last call went if it is summed up: then one to there is found where that was. A listed one counts as its caller's. */
  const summed = f.local('i32');
  const start = f.local('i64');
  const executed = f.local('i64');
  const ordinal = f.local('i64');
  const instructions = f.local('i64');
  pushWord(f, 'i32', LEAF_LOG_END);
  f.set(end);
  f.i32(LEAF_LOG);
  f.set(at);
  setWord(f, 'i32', LEAF_LOG_END, () => f.get(at));
  const done = f.block();
  const next = f.loop();
  f.get(at);
  f.get(end);
  f.op('i32.eq');
  f.brIf(done);
  const one = f.block();
  pushField(f, 'i32', at, LEAF.target);
  f.set(target);
  pushField(f, 'i64', at, LEAF.start);
  f.set(start);
  pushField(f, 'i64', at, LEAF.executed);
  f.set(executed);
  f.get(target);
  f.get(summed);
  f.op('i32.ne');
  f.if();
  f.i32(0);
  f.set(summed);
  const { record, edge, depth, lane } = findCall(f, opening, target, () => f.br(one));
  noteDepth(f, depth);
  f.get(edge);
  f.if();
  f.get(target);
  f.set(summed);
  f.end();
  f.end();
  f.get(executed);
  f.get(start);
  f.op('i64.sub');
  f.set(instructions);
  f.i64(-1n);
  f.set(ordinal);
  pushField(f, 'i32', record, FUNCTION.nesting);
  f.op('i32.eqz');
  f.if();
  takeOrdinal(f, record, ordinal);
  f.end();
  emitCount(
    f,
    closing,
    { record, instructions, lane, executed },
    {
      cycles: () => pushLeafCycles(f, shape, lane, at),
      edge: () => f.get(edge),
      ordinal: () => f.get(ordinal),
      start: () => f.get(start),
      depth: () => f.get(depth),
      key: () => f.i32(LISTED),
    },
  );
  f.end();
  f.get(at);
  f.i32(LEAF.size);
  f.op('i32.add');
  f.set(at);
  f.br(next);
  f.end();
  f.end();
  return module.define(f);
}

/** pushLeaf(place of the function i32, return slot i64, instructions executed when it opened i64) -> PUSHED, or 0: its frame is put on the stack, if it has opened. */
export function definePushLeaf(module: ModuleBuilder, opening: Opening, shape: LaneShape): number {
  const f = new FunctionBuilder(PUSH_LEAF_TYPE);
  const [target, slot, start] = [0, 1, 2];
  emitCountLeaves(f, opening.countLeaves);
  const leave = () => {
    f.i32(0);
    f.return();
  };
  const isLinked = () => setWord(f, 'i64', CONTEXT_LINKING, () => f.get(slot));
  const { record, ...found } = findCall(f, opening, target, leave, isLinked);
  emitPush(f, opening, { fn: record, slot, start, ...found });
  f.get(found.lane);
  f.i32(0);
  f.op('i32.ge_s');
  f.if();
  startCycles(f, shape, found.lane);
  f.end();
  f.i32(PUSHED);
  return module.define(f);
}

/** isLinking(rsp i64) -> i32: whether the call whose return address is there is in a linkage stub or the resolver. */
export function defineIsLinking(module: ModuleBuilder): number {
  const f = new FunctionBuilder({ params: ['i64'], results: ['i32'] });
  pushIsLinking(f, 0);
  return module.define(f);
}

/** raiseSteps(): control leaves the function for another region, and steps in the state area have not risen when its context opened. */
export function defineRaiseSteps(module: ModuleBuilder, shape: LaneShape): number {
  const f = new FunctionBuilder({ params: [], results: [] });
  emitRaiseSteps(f, shape);
  return module.define(f);
}
