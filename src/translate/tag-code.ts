import type { FunctionBuilder } from '../wasm/function.ts';

/** Locals of an instruction that is measured in tags. */
export interface TagLocals {
  /** The largest of its sources' tags, and the number of the instruction itself (i64, in 32 bits). */
  readonly producer: number;
  readonly number: number;
  /** Takes the instruction's own tag. */
  readonly tag: number;
}

/** tag = (cycle of the producer + 1) << 32 | number; log[number] = what `pushAddress` pushes, << 32 | the producer's number. */
export function emitTag(
  f: FunctionBuilder,
  { producer, number, tag }: TagLocals,
  log: { readonly at: number; readonly entries: number },
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
