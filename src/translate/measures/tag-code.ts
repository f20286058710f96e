import { TAG_COST } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';

/** What a cycle is in a tag. */
const TAG_CYCLE = 1n << 32n;

/** Locals of an instruction that is measured in tags. */
export interface TagLocals {
  /** The largest of its sources' tags. */
  readonly producer: number;
  /** Takes the instruction's own tag. */
  readonly tag: number;
  /** Takes where its entry is (i32). */
  readonly entry: number;
}

/** The number of an instruction, as its block has it. */
export interface TagNumber {
  /** An i64: a tag of one cycle with the number of some instruction... */
  readonly unit: number;
  /** ...and an i32: the low bits of that number, times an entry's size. */
  readonly offset: number;
  /** So many instructions after that one. */
  readonly index: number;
}

/** The log of producers, as instructions write it. */
export interface TagLog {
  /** The ring: where it is, and its entries of 8 bytes, a power of two. */
  readonly at: number;
  readonly entries: number;
  /** Whether there are threads: those that the followed call is not of pass on the largest tag, and no more (rule 9). */
  readonly threads: boolean;
}

/** Bytes of an entry of the log: the producer's number, and the place. */
export const LOG_ENTRY = 8;

/** Takes the number on the stack (an i64 of which the low 32 bits count) into locals. */
export function takeNumber(f: FunctionBuilder, { unit, offset }: Omit<TagNumber, 'index'>): void {
  f.i64(0xffff_ffffn);
  f.op('i64.and');
  f.i64(TAG_CYCLE);
  f.op('i64.add');
  f.tee(unit);
  f.op('i32.wrap_i64');
  f.i32(Math.log2(LOG_ENTRY));
  f.op('i32.shl');
  f.set(offset);
}

/**
 * tag = (cycle of the producer + 1) << 32 | number; log[number] = the producer's number, and what `pushPlace` pushes (i32). With
 * shifts and two stores, because the processor's operations take no constants of 64 bits.
 */
export function emitTag(
  f: FunctionBuilder,
  { producer, tag, entry }: TagLocals,
  { unit, offset, index }: TagNumber,
  log: TagLog,
  pushPlace: () => void,
): void {
  f.get(producer);
  f.i64(32n);
  f.op('i64.shr_u');
  f.i64(32n);
  f.op('i64.shl');
  f.get(unit);
  f.i64(BigInt(index));
  f.op('i64.add');
  f.op('i64.add');
  if (log.threads) {
    // 0 would be no tag.
    f.get(producer);
    f.get(producer);
    f.op('i64.eqz');
    f.op('i64.extend_i32_u');
    f.op('i64.add');
    f.i32(0);
    f.memory('i64.load', TAG_COST);
    f.op('i64.eqz');
    f.op('i32.eqz');
    f.op('select');
  }
  f.set(tag);
  f.get(offset);
  f.i32(LOG_ENTRY * index);
  f.op('i32.add');
  f.i32(LOG_ENTRY * (log.entries - 1));
  f.op('i32.and');
  f.tee(entry);
  f.get(producer);
  f.memory('i64.store32', log.at);
  f.get(entry);
  pushPlace();
  f.memory('i32.store', log.at + 4);
}
