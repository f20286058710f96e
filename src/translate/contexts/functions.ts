import { MEMORY_PAGES } from '../../guest/layout.ts';
import type { ValueType } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import { defineClose, defineCloseCarrying, defineFinish, defineSetStack } from './closing.ts';
import { defineLeafLane } from './finding.ts';
import { defineCountLeaves, defineIsLinking, definePushLeaf, defineRaiseSteps } from './leaves.ts';
import { laneMeter, tagMeter } from './meters.ts';
import {
  defineEnterHooked,
  defineOpenByCall,
  defineOpenByJump,
  defineOpenCarrying,
  definePush,
} from './opening.ts';

/**
 * Contexts open and close in WebAssembly: a program whose main loop calls small functions does so a million times a second
 * (measured on such a program: 1.1 µs for a call and its return in JavaScript). JavaScript hears of what happens for the
 * first time, and answers by writing a record into the entry that it is given.
 */
export interface ContextEvents {
  /** What stands for an address of code in 32 bits: so are keys, targets and addresses below. */
  placeOf(address: bigint): number;
  /** Makes the entry in CALL_TARGETS that tells what a call to the target opens under the key. */
  learnCall(key: number, target: number, entry: number): void;
  /** Makes the entry in JUMP_TARGETS for a jump. */
  learnJump(from: number, target: number, entry: number): void;
  /** Makes the entry under HOOKED: a function is entered that opens contexts wherever that happens. */
  learnHook(address: number, entry: number): void;
  /** The same where calls of the function are not measured: another function that shares its lane is open. */
  leaveOut(address: number, entry: number): void;
  /** The layer in which a call at a depth opens, where CONTEXT_ASKS; 0 where it opens no context. */
  layerOf(depth: number): number;
  /** Code has set rsp, which was something else before: perhaps to another stack. Addresses are numbers, because bigints take longer. */
  stackSet(before: number, rsp: number): void;
  /** The innermost context has as many calls as are listed; gives the key for those that follow. */
  startSums(): number;
  /** The innermost context is over, and so are the sums over its calls. */
  endSums(key: number): void;
  /** The log of closed calls is full, and is to be emptied. */
  takeLog(): void;
  /** There is no place for another frame; throws. */
  stackFull(): void;
  /** The call begins or ends whose chain is sought. */
  windowOpened(): void;
  windowClosed(): void;
}

/** What generated code and the run call. State that regions carry must be in memory. */
export interface ContextFunctions {
  /** A call instruction has pushed its return address at rsp and goes to `target`. */
  openByCall(target: bigint): void;
  /** The same for a region. */
  readonly openCarrying: WebAssembly.ExportValue;
  /** A jump leaves a region. */
  openByJump(from: number, target: bigint): void;
  /** A region begins at an address where entering opens contexts. */
  enterHooked(address: number): void;
  /** rsp is now here: every context on this stack whose return slot lies below has ended. */
  close(): void;
  /** The same for a region, which tail-calls it with what it returns: only contexts have changed when it gives that back. */
  readonly closeCarrying: WebAssembly.ExportValue;
  /** For calls in line, of lanes (contexts/leaves.ts): those that have closed count. */
  countLeaves?(): void;
  readonly isLinking?: WebAssembly.ExportValue;
  readonly pushLeaf?: WebAssembly.ExportValue;
  readonly leafLane?: WebAssembly.ExportValue;
  readonly raiseSteps?: WebAssembly.ExportValue;
  /** Opens a context whatever the caches say. */
  push(fn: number, edge: number, slot: bigint, depth: number, lane: number): void;
  /** Code has set rsp, which was something else before. `close` comes next, where it has risen. */
  setStack(before: bigint): void;
  /** Contexts end whatever rsp is, down to the frame at an address, which stays. */
  finish(down: number): void;
}

const NOTHING: readonly ValueType[] = [];
const EVENTS: Readonly<Record<keyof ContextEvents, readonly [readonly ValueType[], readonly ValueType[]]>> = {
  placeOf: [['i64'], ['i32']],
  learnCall: [['i32', 'i32', 'i32'], NOTHING],
  learnJump: [['i32', 'i32', 'i32'], NOTHING],
  learnHook: [['i32', 'i32'], NOTHING],
  leaveOut: [['i32', 'i32'], NOTHING],
  layerOf: [['i32'], ['i32']],
  stackSet: [['f64', 'f64'], NOTHING],
  startSums: [NOTHING, ['i32']],
  endSums: [['i32'], NOTHING],
  takeLog: [NOTHING, NOTHING],
  stackFull: [NOTHING, NOTHING],
  windowOpened: [NOTHING, NOTHING],
  windowClosed: [NOTHING, NOTHING],
};

/** Makes the functions for one memory, to measure with lanes or else with tags. `callsPerParent` calls of a listed call are listed. What opens is remembered, or asked each time. */
export function contextFunctions(
  memory: WebAssembly.Memory,
  shape: LaneShape | undefined,
  callsPerParent: number,
  events: ContextEvents,
  remembers = true,
): ContextFunctions {
  const module = new ModuleBuilder('contexts');
  module.importMemory('env', 'memory', MEMORY_PAGES);
  const env: WebAssembly.ModuleImports = { memory };
  const indices = {} as Record<keyof ContextEvents, number>;
  for (const name of Object.keys(EVENTS) as (keyof ContextEvents)[]) {
    const [params, results] = EVENTS[name];
    indices[name] = module.importFunction('env', name, { params, results });
    env[name] = events[name].bind(events);
  }
  const basis = {
    meter: shape === undefined ? tagMeter(indices) : laneMeter(shape),
    lanes: shape?.lanes ?? 1,
    callsPerParent,
    remembers,
    events: indices,
  };
  const countLeaves = shape && defineCountLeaves(module, basis, basis, shape);
  const parts = { ...basis, countLeaves };
  if (shape !== undefined) {
    module.export('countLeaves', countLeaves!);
    module.export('isLinking', defineIsLinking(module));
    module.export('pushLeaf', definePushLeaf(module, parts, shape));
    module.export('leafLane', defineLeafLane(module, parts));
    module.export('raiseSteps', defineRaiseSteps(module, shape));
  }
  module.export('push', definePush(module, parts));
  module.export('openByCall', defineOpenByCall(module, parts));
  module.export('openCarrying', defineOpenCarrying(module, parts));
  module.export('openByJump', defineOpenByJump(module, parts));
  module.export('enterHooked', defineEnterHooked(module, parts, shape !== undefined));
  module.export('close', defineClose(module, parts));
  module.export('closeCarrying', defineCloseCarrying(module, parts));
  module.export('setStack', defineSetStack(module, countLeaves, indices.stackSet));
  module.export('finish', defineFinish(module, parts));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.build()), { env });
  return instance.exports as unknown as ContextFunctions;
}
