import {
  CONTEXT_OPENS,
  ENTRY_TARGET,
  FLAT_CALLS,
  FLAT_CALLS_BASE,
  FLAT_CALLS_END,
  FLAT_CALLS_LIMIT,
  GUEST_END,
  HOST_STACK,
  SLOT_RECORD_COUNT,
  valueOffset,
} from '../../guest/layout.ts';
import { FunctionBuilder } from '../../wasm/function.ts';
import { MXCSR, RSP } from '../../x86/state.ts';
import { pushSecondCached } from '../cached-lookup.ts';
import { pushPlaceOf } from '../code-places.ts';
import { REGION_TYPE } from '../region-interface.ts';
import type { Pieces } from './pieces.ts';
import { HEAD, LINK } from './record.ts';
import { goToBlock } from './way-on.ts';

/** The ways into the interpreter, out of it, and from call to call. */

/** leave(address i64): back to the code that entered. */
export function defineLeave(p: Pieces): number {
  const f = new FunctionBuilder(p.signature(['i64']));
  p.count(f, 'interpreter: left');
  p.setCell(f, FLAT_CALLS_END, () => p.pushCell(f, FLAT_CALLS_BASE));
  f.get(0);
  p.pushCarried(f);
  return p.module.define(f);
}

/** What handlers rely on. */
export function defineRaiseMaximum(p: Pieces): number {
  const f = new FunctionBuilder({ params: [], results: [] });
  p.options.measure.raiseMaximum(f);
  return p.module.define(f);
}

/** enter(rsp, fuel, rsp's step, MAXIMUM, slot i32): what a slot holds until it has a region. */
export function defineEnter(p: Pieces, raise: number): number {
  const { slotRecords } = p.options;
  const { params } = REGION_TYPE;
  const f = new FunctionBuilder(p.signature([...params, 'i32']));
  const slot = params.length;
  const record = f.local('i32');
  storeCarried(f, p);
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
  f.call(p.events.recordsOfSlot);
  f.tee(record);
  f.op('i32.eqz');
  f.if();
  // Not the parameters: making a region may have ended the slice, by what is in memory.
  p.pushCarried(f);
  f.get(slot);
  f.returnCallIndirect(p.regionType);
  f.end();
  f.end();
  goIn(f, p, record, raise);
  return p.module.define(f);
}

/**
 * enter(rsp, fuel, rsp's step, MAXIMUM) at ENTRY_TARGET. The host foretells where it goes, and has it in its caches: of 20,000 targets of a
 * `switch`, each with a slot and a function in it, that was a third of the time.
 */
export function defineEnterAnywhere(p: Pieces, raise: number): number {
  const { jumpTargets, largeJumpCache } = p.options;
  const f = new FunctionBuilder(REGION_TYPE);
  const target = f.local('i64');
  const record = f.local('i32');
  storeCarried(f, p);
  f.i32(0);
  f.memory('i64.load', ENTRY_TARGET);
  f.set(target);
  pushSecondCached(f, target, jumpTargets, largeJumpCache);
  f.tee(record);
  f.op('i32.eqz');
  f.if(undefined, 'unlikely');
  f.get(target);
  f.call(p.events.recordsAnywhere);
  f.set(record);
  f.end();
  goIn(f, p, record, raise);
  return p.module.define(f);
}

function storeCarried(f: FunctionBuilder, p: Pieces): void {
  p.carried.forEach(([type, offset], i) => {
    f.i32(0);
    f.get(i);
    f.memory(`${type}.store`, offset);
  });
}

/** Begins with the block whose head is in a local. */
function goIn(f: FunctionBuilder, p: Pieces, record: number, raise: number): void {
  p.count(f, 'interpreter: entered');
  f.call(raise);
  p.setCell(f, FLAT_CALLS_BASE, () => p.pushCell(f, FLAT_CALLS_END));
  goToBlock(f, record, p.way);
}

/** goAnywhere(address i64): on to an address that no link leads to, when nobody waits for us; else back. */
export function defineGoAnywhere(p: Pieces, leave: number, recordAt: number): number {
  const f = new FunctionBuilder(p.signature(['i64']));
  const record = f.local('i32');
  p.pushNobodyWaits(f);
  f.op('i32.eqz');
  f.if();
  f.get(0);
  f.returnCall(leave);
  f.end();
  p.count(f, 'interpreter: went on where nobody waited');
  p.setCell(f, FLAT_CALLS_END, () => f.i32(FLAT_CALLS));
  f.get(0);
  f.call(recordAt);
  f.set(record);
  goToBlock(f, record, p.way);
  return p.module.define(f);
}

/** doReturn(target i64): rsp is above the return address already. */
export function defineReturn(p: Pieces, goAnywhere: number): number {
  const f = new FunctionBuilder(p.signature(['i64']));
  const top = f.local('i32');
  const link = f.local('i32');
  const end = f.local('i32');
  p.pushCell(f, FLAT_CALLS_END);
  f.tee(end);
  p.pushCell(f, FLAT_CALLS_BASE);
  f.op('i32.ne');
  f.if();
  f.get(end);
  f.i32(16);
  f.op('i32.sub');
  f.tee(top);
  f.memory('i32.load', 8);
  f.set(link);
  /** Goes back by the link on top if it leads to where the return goes. */
  const goBackIf = (pushAddress: () => void) => {
    f.get(top);
    f.memory('i64.load', 0);
    f.i32(0);
    f.memory('i64.load', valueOffset(RSP));
    f.op('i64.eq');
    pushAddress();
    f.get(0);
    f.op('i64.eq');
    f.op('i32.and');
    f.if(undefined, 'likely');
    p.setCell(f, FLAT_CALLS_END, () => f.get(top));
    p.follow(f, link);
    f.end();
  };
  // Places of high addresses are negative, and no address is.
  goBackIf(() => {
    f.get(link);
    f.memory('i64.load32_s', LINK.place);
  });
  f.get(0);
  f.i64(BigInt(GUEST_END));
  f.op('i64.ge_u');
  f.if(undefined, 'unlikely');
  goBackIf(() => p.pushAddressAt(f, link, LINK.place));
  f.end();
  f.end();
  f.get(0);
  f.returnCall(goAnywhere);
  return p.module.define(f);
}

/** pushCall(link of the way back i32) */
export function definePushCall(p: Pieces): number {
  const f = new FunctionBuilder({ params: ['i32'], results: [] });
  if (!p.options.flatCalls) return p.module.define(f);
  const end = f.local('i32');
  p.pushCell(f, FLAT_CALLS_END);
  f.set(end);
  f.get(end);
  f.i32(FLAT_CALLS_LIMIT);
  f.op('i32.ge_u');
  f.if(undefined, 'unlikely');
  // Forgetting calls is safe: returns to them then lead out of the interpreter.
  p.pushCell(f, FLAT_CALLS_BASE);
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
  p.setCell(f, FLAT_CALLS_END, () => {
    f.get(end);
    f.i32(16);
    f.op('i32.add');
  });
  return p.module.define(f);
}

export function defineCallDirect(p: Pieces, pushCall: number): number {
  const f = new FunctionBuilder(p.signature(['i32', 'i32']));
  f.get(1);
  f.call(pushCall);
  p.follow(f, 0);
  return p.module.define(f);
}

export function defineCallIndirect(p: Pieces, pushCall: number, recordAt: number): number {
  const f = new FunctionBuilder(p.signature(['i64', 'i32', 'i32']));
  const record = f.local('i32');
  noteCall(f, p, 0, 2);
  f.get(1);
  f.call(pushCall);
  f.get(0);
  f.call(recordAt);
  f.set(record);
  goToBlock(f, record, p.way);
  return p.module.define(f);
}

/** Where jumps and calls go is learned for the region's translation: `tell` tells it, where it is another address than last time. */
function ifElsewhere(f: FunctionBuilder, target: number, jump: number, tell: () => void): void {
  f.get(jump);
  f.memory('i32.load', 4);
  f.get(target);
  f.op('i32.wrap_i64');
  f.op('i32.ne');
  f.if();
  f.get(jump);
  f.get(target);
  f.op('i32.wrap_i64');
  f.memory('i32.store', 4);
  tell();
  f.end();
}

/** Of a call with many targets no more is told: its place is 0 then. */
function noteCall(f: FunctionBuilder, p: Pieces, target: number, jump: number): void {
  ifElsewhere(f, target, jump, () => {
    f.get(jump);
    f.memory('i32.load', 0);
    f.if();
    f.get(jump);
    f.memory('i32.load', 0);
    pushPlaceOf(f, target, p.events);
    f.call(p.events.noteCall);
    f.if();
    f.get(jump);
    f.i32(0);
    f.memory('i32.store', 0);
    f.end();
    f.end();
  });
}

export function defineJumpIndirect(p: Pieces, recordAt: number): number {
  const f = new FunctionBuilder(p.signature(['i64', 'i32']));
  const record = f.local('i32');
  if (p.events.countJump !== undefined) {
    f.get(1);
    f.memory('i32.load', 0);
    f.get(0);
    f.call(p.events.countJump);
  }
  f.i32(0);
  f.memory('i32.load', CONTEXT_OPENS);
  f.if(undefined, 'unlikely');
  f.get(1);
  f.memory('i32.load', 0);
  f.get(0);
  f.call(p.events.openByJump);
  f.end();
  ifElsewhere(f, 0, 1, () => {
    f.get(1);
    f.memory('i32.load', 0);
    pushPlaceOf(f, 0, p.events);
    f.call(p.events.noteJump);
  });
  f.get(0);
  f.call(recordAt);
  f.set(record);
  goToBlock(f, record, p.way);
  return p.module.define(f);
}

/** goHot(head i32): into the region of the block's slot. */
export function defineGoHot(p: Pieces, leave: number, doReturn: number, raise: number): number {
  const { mxcsr } = p.options;
  const f = new FunctionBuilder(p.signature(['i32']));
  const end = f.local('i32');
  const base = f.local('i32');
  const hostStack = f.local('i32');
  const next = f.local('i64');
  const results = p.carried.map(([type]) => f.local(type));
  const pushAddress = () => p.pushAddress(f, HEAD.place);
  p.leaveIfSpent(f, leave, pushAddress);
  p.pushCell(f, FLAT_CALLS_END);
  f.tee(end);
  p.pushCell(f, FLAT_CALLS_BASE);
  f.tee(base);
  f.op('i32.eq');
  f.if();
  p.count(f, 'interpreter: left for a region');
  p.pushCarried(f);
  f.get(0);
  f.memory('i32.load', HEAD.slot);
  f.returnCallIndirect(p.regionType);
  f.end();
  p.pushCell(f, HOST_STACK);
  const frame = f.i32Later();
  f.op('i32.sub');
  f.tee(hostStack);
  f.i32(0);
  f.op('i32.lt_s');
  f.if(undefined, 'unlikely');
  p.count(f, 'interpreter: host stack full');
  pushAddress();
  f.returnCall(leave);
  f.end();
  p.count(f, 'interpreter: calls of a region');
  p.setCell(f, HOST_STACK, () => f.get(hostStack));
  p.pushCarried(f);
  f.get(0);
  f.memory('i32.load', HEAD.slot);
  f.callIndirect(p.regionType);
  for (const local of [...results].reverse()) f.set(local);
  f.set(next);
  p.carried.forEach(([type, offset], i) => {
    f.i32(0);
    f.get(results[i]);
    f.memory(`${type}.store`, offset);
  });
  p.setCell(f, HOST_STACK, () => {
    f.get(hostStack);
    const again = f.i32Later();
    f.patch(again, f.frameSize);
    f.op('i32.add');
  });
  f.patch(frame, f.frameSize);
  p.setCell(f, FLAT_CALLS_END, () => f.get(end));
  p.setCell(f, FLAT_CALLS_BASE, () => f.get(base));
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
  return p.module.define(f);
}
