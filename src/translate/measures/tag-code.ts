import { OFFSETS, TAG_COST, TAG_NUMBERS } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { TAG_SHAPE } from '../steps/tag-shape.ts';

/** Locals of an instruction that is measured in tags. */
export interface TagLocals {
  /** The largest of its sources' tags. */
  readonly producer: number;
  /** Takes the instruction's own tag. */
  readonly tag: number;
}

/** The number of an instruction, as its block has it. */
export interface TagNumber {
  /** A v128: the number of some instruction, in each of its words... */
  readonly unit: number;
  /** ...and an i32: where the entry of that number is. */
  readonly entry: number;
  /** So many instructions after that one. */
  readonly index: number;
}

/** The log of producers, as instructions write it. */
export interface TagLog {
  /** The ring: where it is, and how many entries of 8 bytes it has, a power of two. LOG_TAIL bytes behind it belong to it. */
  readonly at: number;
  readonly slots: number;
  /** So many instructions back it is looked at: at most as many as there are slots. */
  readonly entries: number;
  /** Whether there are threads: those that the followed call is not of pass on the largest tag, and no more (rule 9). */
  readonly threads: boolean;
}

/** Bytes of an entry of the log: the producer's number, and the place. */
export const LOG_ENTRY = 8;

/**
 * Behind the ring: a block that begins before its end goes on there, so that a block looks once where its entries are and not with each of them. Whoever reads
 * the log brings them to the ring's beginning first (emulator/memory/producers.ts), and whoever begins a slice, of which none is so long that the
 * ring's end comes twice (EngineLimits.logSlots).
 */
export const LOG_TAIL = 0x1_0000;

/** Takes the number on the stack (an i64 of which the low 32 bits count) into locals. */
export function takeNumber(f: FunctionBuilder, { unit, entry }: Omit<TagNumber, 'index'>, log: TagLog): void {
  f.op('i32.wrap_i64');
  f.tee(entry);
  f.op('i32x4.splat');
  f.set(unit);
  f.get(entry);
  f.i32(Math.log2(LOG_ENTRY));
  f.op('i32.shl');
  f.i32(LOG_ENTRY * (log.slots - 1));
  f.op('i32.and');
  f.i32(log.at | 0);
  f.op('i32.add');
  f.set(entry);
}

/** Of two steps, the first word of the second one and the others of the first. */
const NUMBER_OF_SECOND = [16, 17, 18, 19, ...Array.from({ length: 12 }, (_, i) => 4 + i)];

/** tag = (cycle of the producer + 1) << 32 | number; log[number] = the producer's number, and what `pushPlace` pushes (i32). */
export function emitTag(
  f: FunctionBuilder,
  { producer, tag }: TagLocals,
  { unit, entry, index }: TagNumber,
  log: TagLog,
  pushPlace: () => void,
): void {
  f.get(producer);
  f.get(unit);
  f.shuffle(NUMBER_OF_SECOND);
  f.i32(0);
  f.memory('v128.load', OFFSETS + 16 * index);
  f.op('i32x4.add');
  if (log.threads) {
    f.get(producer);
    TAG_SHAPE.pushOrigin(f);
    f.op(TAG_SHAPE.max);
    f.i32(0);
    f.memory('v128.load64_zero', TAG_COST);
    f.op('v128.bitselect');
  }
  f.set(tag);
  f.get(entry);
  f.get(producer);
  f.lane('f32x4.extract_lane', 0);
  f.memory('f32.store', LOG_ENTRY * index);
  f.get(entry);
  pushPlace();
  f.memory('i32.store', LOG_ENTRY * index + 4);
}

/** Puts what inverts the number in a tag into a local. */
export function takeInversion(f: FunctionBuilder, inversion: number): void {
  f.i32(0);
  f.memory('v128.load', TAG_NUMBERS);
  f.set(inversion);
}

/** Brings a tag into the maximum, whose numbers are inverted: of equal cycles the first instruction's is the larger one. */
export function raiseMaximum(f: FunctionBuilder, maximum: number, tag: number, inversion: number): void {
  f.get(maximum);
  f.get(tag);
  f.get(inversion);
  f.op('v128.xor');
  f.op(TAG_SHAPE.max);
  f.set(maximum);
}
