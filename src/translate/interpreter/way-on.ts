import { FUEL } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { Counting } from '../instruments.ts';
import { ENTRY, HEAD, sizeOfEntry } from './record.ts';

/** How records are gone on to. */
export interface WayOn {
  /** Type of handlers. */
  readonly handlerType: number;
  /** Slots of the two usual records that begin a block, where handlers do their work in line. */
  readonly heads: { readonly count: number; readonly head: number } | undefined;
  /** Whether entries are counted in 8 bytes. */
  readonly tallies: boolean;
  readonly counters: Counting;
}

/** Goes on with the record in a local. */
export function goTo(f: FunctionBuilder, record: number, { handlerType }: WayOn): void {
  f.get(record);
  f.get(record);
  f.memory('i32.load', 0);
  f.returnCallIndirect(handlerType);
}

/**
 * The same where a block begins there. Calling a handler takes 21 host instructions, more than counting the block's entry
 * does, so that is done here.
 */
export function goToBlock(f: FunctionBuilder, record: number, way: WayOn): void {
  const { handlerType, heads } = way;
  if (heads === undefined) return goTo(f, record, way);
  const handler = f.local('i32');
  const count = f.local('i32');
  const fuel = f.local('i64');
  const pushIs = (slot: number) => {
    f.get(handler);
    f.i32(slot);
    f.op('i32.eq');
  };
  const skip = (size: number) => {
    f.get(record);
    f.i32(size);
    f.op('i32.add');
    f.tee(record);
    f.memory('i32.load', 0);
    f.set(handler);
  };
  f.get(record);
  f.memory('i32.load', 0);
  f.set(handler);
  pushIs(heads.count);
  f.if();
  f.get(record);
  f.memory('i32.load', HEAD.count);
  f.i32(1);
  f.op('i32.sub');
  f.tee(count);
  f.i32(0);
  f.op('i32.gt_s');
  f.if(undefined, 'likely');
  f.get(record);
  f.get(count);
  f.memory('i32.store', HEAD.count);
  skip(HEAD.size);
  f.end();
  f.end();
  f.i32(0);
  f.memory('i64.load', FUEL);
  f.set(fuel);
  pushIs(heads.head);
  f.get(fuel);
  f.i64(0n);
  f.op('i64.ge_s');
  f.op('i32.and');
  f.if(undefined, 'likely');
  enterHead(f, record, fuel, way);
  skip(sizeOfEntry(way.tallies));
  f.end();
  f.get(record);
  f.get(handler);
  f.returnCallIndirect(handlerType);
}

/** Takes the block's instructions off the fuel, which is in a local, and counts the entry. */
export function enterHead(
  f: FunctionBuilder,
  record: number,
  fuel: number,
  { tallies, counters }: WayOn,
): void {
  const pushInstructions = () => {
    f.get(record);
    f.memory('i64.load32_u', ENTRY.instructions);
  };
  counters.emit(f, 'tiers: blocks interpreted');
  counters.emit(f, 'tiers: instructions interpreted', pushInstructions);
  f.i32(0);
  f.get(fuel);
  pushInstructions();
  f.op('i64.sub');
  f.memory('i64.store', FUEL);
  f.get(record);
  f.get(record);
  if (tallies) {
    f.memory('i64.load', ENTRY.entries);
    f.i64(1n);
    f.op('i64.add');
    f.memory('i64.store', ENTRY.entries);
  } else {
    f.memory('i32.load', ENTRY.entries);
    f.i32(1);
    f.op('i32.add');
    f.memory('i32.store', ENTRY.entries);
  }
}
