import { TAG_COST } from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';

/** Locals of an instruction that is measured in tags. */
export interface TagLocals {
  /** The largest of its sources' tags, and the number of the instruction itself (i64, in 32 bits). */
  readonly producer: number;
  readonly number: number;
  /** Takes the instruction's own tag. */
  readonly tag: number;
}

/** The log of producers, as instructions write it. */
export interface TagLog {
  /** The ring: where it is, and its entries of 8 bytes, a power of two. */
  readonly at: number;
  readonly entries: number;
  /** Whether there are threads: those that the followed call is not of pass on the largest tag, and no more (rule 9). */
  readonly threads: boolean;
}

/** tag = (cycle of the producer + 1) << 32 | number; log[number] = what `pushAddress` pushes, << 32 | the producer's number. */
export function emitTag(
  f: FunctionBuilder,
  { producer, number, tag }: TagLocals,
  log: TagLog,
  /** Pushes the instruction's address (i64), shifted into the high half. */
  pushAddress: () => void,
): void {
  f.get(producer);
  f.i64(-0x1_0000_0000n);
  f.op('i64.and');
  f.i64(0x1_0000_0000n);
  f.op('i64.add');
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
  f.get(producer);
  f.i64(0xffff_ffffn);
  f.op('i64.and');
  pushAddress();
  f.op('i64.or');
  f.memory('i64.store', log.at);
}
