import { TAG_COST } from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';

/** Locals of an instruction that is measured in tags. */
export interface TagLocals {
  /** The largest of its sources' tags, and the number of the instruction itself (i64, in 32 bits). */
  readonly producer: number;
  readonly number: number;
  /** Takes the instruction's own tag. */
  readonly tag: number;
  /** Takes where its entry is (i32). */
  readonly entry: number;
}

/** The log of producers, as instructions write it. */
export interface TagLog {
  /** The ring: where it is, and its entries of 8 bytes, a power of two. */
  readonly at: number;
  readonly entries: number;
  /** Whether there are threads: those that the followed call is not of pass on the largest tag, and no more (rule 9). */
  readonly threads: boolean;
}

/**
 * tag = (cycle of the producer + 1) << 32 | number; log[number] = the producer's number, and what `pushPlace` pushes (i32). With
 * shifts and two stores, because the processor's operations take no constants of 64 bits.
 */
export function emitTag(
  f: FunctionBuilder,
  { producer, number, tag, entry }: TagLocals,
  log: TagLog,
  pushPlace: () => void,
): void {
  f.get(producer);
  f.i64(32n);
  f.op('i64.shr_u');
  f.i64(1n);
  f.op('i64.add');
  f.i64(32n);
  f.op('i64.shl');
  f.get(number);
  f.op('i64.or');
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
  f.get(number);
  f.op('i32.wrap_i64');
  f.i32(log.entries - 1);
  f.op('i32.and');
  f.i32(3);
  f.op('i32.shl');
  f.tee(entry);
  f.get(producer);
  f.memory('i64.store32', log.at);
  f.get(entry);
  pushPlace();
  f.memory('i32.store', log.at + 4);
}
