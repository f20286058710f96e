import { CONTEXT_OPENS, FUEL, PRECISE_ADDRESS, PRECISE_FUEL, valueOffset } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { FPU_TOP, MXCSR } from '../../x86/state.ts';
import { ifProbed } from '../counts/probes.ts';
import type { Pieces } from './pieces.ts';
import { ENTRY, HEAD, sizeOfEntry } from './record.ts';
import { enterHead, goToBlock } from './way-on.ts';

/** Handlers of the records that are before, between and behind those of instructions. */

export function emitCount(p: Pieces, f: FunctionBuilder): void {
  const count = f.local('i32');
  f.get(0);
  f.get(0);
  f.memory('i32.load', HEAD.count);
  f.i32(1);
  f.op('i32.sub');
  f.tee(count);
  f.memory('i32.store', HEAD.count);
  f.get(count);
  f.i32(0);
  f.op('i32.le_s');
  f.if(undefined, 'unlikely');
  f.get(0);
  f.call(p.events.promote);
  f.set(count);
  p.go(f, count);
  f.end();
  p.goOn(f, HEAD.size);
}

/**
 * [handler, instructions of the block, place, entries], which are 8 bytes where executions are counted. Of a block whose
 * one instruction may fault it is noted which it is and what the fuel was.
 */
export function emitHead(p: Pieces, f: FunctionBuilder, leave: number, isPrecise: boolean): void {
  const fuel = f.local('i64');
  f.i32(0);
  f.memory('i64.load', FUEL);
  f.tee(fuel);
  f.i64(0n);
  f.op('i64.lt_s');
  f.if(undefined, 'unlikely');
  p.leaveIfSpent(f, leave, () => p.pushAddress(f, ENTRY.place));
  f.i32(0);
  f.memory('i64.load', FUEL);
  f.set(fuel);
  f.end();
  if (isPrecise) {
    f.i32(0);
    f.get(0);
    f.memory('i32.load', ENTRY.place);
    f.memory('i32.store', PRECISE_ADDRESS);
    f.i32(0);
    f.get(fuel);
    f.memory('i64.store', PRECISE_FUEL);
  }
  enterHead(f, 0, fuel, p.way);
  const pushWord = (offset: number) => () => {
    f.get(0);
    f.memory('i32.load', offset);
  };
  p.options.log?.emitBlock(f, pushWord(ENTRY.place), pushWord(ENTRY.instructions));
  p.goOn(f, sizeOfEntry(p.way.tallies));
}

/** [handler, place]: entering there may open contexts. It must not be entered twice, so that the slice ends before. */
export function emitHook(p: Pieces, f: FunctionBuilder, leave: number): void {
  p.leaveIfSpent(f, leave, () => p.pushAddress(f, 4));
  f.get(0);
  f.memory('i32.load', 4);
  f.call(p.events.enterHooked);
  p.goOn(f, 8);
}

/** [handler, place, where it is counted down]: control is to stop there some time. */
export function emitProbe(p: Pieces, f: FunctionBuilder, leave: number): void {
  const pushAddress = () => p.pushAddress(f, 4);
  // It must not be counted twice, so that the slice ends before.
  p.leaveIfSpent(f, leave, pushAddress);
  const pushCell = () => {
    f.get(0);
    f.memory('i32.load', 8);
  };
  ifProbed(f, pushCell, 0);
  f.call(p.events.probed!);
  pushAddress();
  f.returnCall(leave);
  f.end();
  p.goOn(f, 12);
}

/** [handler, top, place]: the block is valid for one top of the x87 stack. */
export function emitTop(p: Pieces, f: FunctionBuilder): void {
  const record = f.local('i32');
  f.i32(0);
  f.memory('i32.load', valueOffset(FPU_TOP));
  f.get(0);
  f.memory('i32.load', 4);
  f.op('i32.ne');
  f.if(undefined, 'unlikely');
  f.get(0);
  f.memory('i32.load', 8);
  f.call(p.events.variant);
  f.set(record);
  p.go(f, record);
  f.end();
  p.goOn(f, 12);
}

/** The block's code may have changed; `distance` is how far the record is behind the block's first. */
export function emitStale(p: Pieces, f: FunctionBuilder, distance: number): void {
  const record = f.local('i32');
  f.get(0);
  f.i32(distance);
  f.op('i32.sub');
  f.i32(distance);
  f.call(p.events.refresh);
  f.set(record);
  p.go(f, record);
}

/** [handler, link]: the block goes on in another. */
export function emitGoTo(p: Pieces, f: FunctionBuilder): void {
  const link = f.local('i32');
  f.get(0);
  f.i32(4);
  f.op('i32.add');
  f.set(link);
  p.follow(f, link);
}

/** [handler, place of the jump, of its target, record]: on the way of a jump that may open a context. */
export function emitJumpEnters(p: Pieces, f: FunctionBuilder): void {
  const record = f.local('i32');
  f.i32(0);
  f.memory('i32.load', CONTEXT_OPENS);
  f.if(undefined, 'unlikely');
  f.get(0);
  f.memory('i32.load', 4);
  p.pushAddress(f, 8);
  f.call(p.events.openByJump);
  f.end();
  f.get(0);
  f.memory('i32.load', 12);
  f.set(record);
  goToBlock(f, record, p.way);
}

/** [handler, site, link] */
export function emitService(p: Pieces, f: FunctionBuilder, leave: number): void {
  const link = f.local('i32');
  f.get(0);
  f.memory('i32.load', 4);
  f.call(p.events.service);
  f.get(0);
  f.i32(8);
  f.op('i32.add');
  f.set(link);
  f.i32(0);
  f.memory('i32.load', valueOffset(MXCSR));
  f.i32(p.options.mxcsr);
  f.op('i32.ne');
  // It may have ended the slice: what is at the next address is not this thread's to execute then.
  f.i32(0);
  f.memory('i64.load', FUEL);
  f.i64(0n);
  f.op('i64.lt_s');
  f.op('i32.or');
  f.if(undefined, 'unlikely');
  p.pushAddressAt(f, link, 4);
  f.returnCall(leave);
  f.end();
  p.follow(f, link);
}

/** The block has a region. */
export function emitHot(f: FunctionBuilder, distance: number, goHot: number): void {
  f.get(0);
  if (distance > 0) {
    f.i32(distance);
    f.op('i32.sub');
  }
  f.returnCall(goHot);
}
