import type { FunctionBuilder } from '../../wasm/function.ts';
import type { LaneShape, StepShape } from './lane-shape.ts';
import { TAG_SHAPE } from './tag-shape.ts';

/**
 * How a step lies in shadow memory, which keeps one entry for each aligned 4 bytes, a granule. An entry tells three cases
 * apart:
 *
 * - single: the step of all four bytes;
 * - unknown: 0, nothing is known of the page yet;
 * - mixed: the bytes differ and have entries of their own, one after the other at the place that the entry holds.
 */
export interface StepEntry {
  /** An entry takes 2^bits bytes. */
  readonly bits: 4 | 3 | 2;
  /** End of the guest addresses that have shadow memory. */
  readonly end: number;
  /** Whether generated code has the usual cases in line. */
  readonly isInLine: boolean;
  /**
   * Whether generated code may access far memory (guest/far-memory.ts). What it accesses is then where the support functions
   * say, not where the address says: 4 to 10 % more time in loops of few loads, which only programs with far memory pay.
   */
  readonly followsFar: boolean;
  /** Pushes the entry at the address on the stack. */
  load(f: FunctionBuilder, offset: number): void;
  /** Stores the step on the stack's top at the address below it. */
  store(f: FunctionBuilder, offset: number): void;
  /** Raises the step in one local to that in another. */
  raise(f: FunctionBuilder, kept: number, other: number): void;
  /** Pushes the step of what was never written. */
  pushOrigin(f: FunctionBuilder): void;
  /** Pushes the step of no access: it is below all others. */
  pushNone(f: FunctionBuilder): void;
  /** Pushes something that is not 0 where the entry in a local is single. */
  pushIsSingle(f: FunctionBuilder, entry: number): void;
  /**
   * Puts the largest of some entries, each of which a function pushes, into a local, and pushes something that is not 0 where all of
   * them are single.
   */
  largest(f: FunctionBuilder, entries: readonly (() => void)[], kept: number, take: () => number): void;
  pushIsUnknown(f: FunctionBuilder, entry: number): void;
  /** Pushes where the bytes' entries are, of a mixed entry. */
  pushPlace(f: FunctionBuilder, entry: number): void;
  /** Pushes the mixed entry for a place in an i32 local. */
  pushMixed(f: FunctionBuilder, place: number): void;
  // The same of an entry in memory, which begins at an index of 32-bit words.
  isSingle(words: Int32Array, at: number): boolean;
  isUnknown(words: Int32Array, at: number): boolean;
  /** Of a mixed one. */
  placeIn(words: Int32Array, at: number): number;
  setMixed(words: Int32Array, at: number, place: number): void;
  /** Writes where the mixed ones among the first entries begin, in turn; gives how many there are. */
  findMixed(words: Int32Array, entries: number, found: Int32Array): number;
  /** Makes the words of consecutive entries the origin's. */
  setOrigin(words: Int32Array, start: number, end: number): void;
}

/**
 * Lanes: the sign of the second word tells, or of the only one; 0 is unknown. Steps of 32 bits are negative (NARROW), and mixed entries
 * positive, so that the largest of some entries is single where all are: one look at its signs. Steps of 64 bits are positive doubles, and
 * mixed entries negative in that word. Elsewhere a mixed entry has its place in the first word.
 */
export const TELLING_WORD = 1;

const LANE_LOADS = { 4: 'v128.load', 3: 'v128.load64_zero', 2: 'v128.load32_zero' } as const;

/** What generated code does with an entry, however it is made. */
export type Reach = Pick<StepEntry, 'end' | 'isInLine' | 'followsFar'>;

export function laneEntry(shape: LaneShape, reach: Reach): StepEntry {
  const format = shape.laneBytes === 8 ? doublesEntry : shape.bits === 2 ? oneWordEntry : wordsEntry;
  return { ...format(shape), ...reach };
}

type Format = Omit<StepEntry, keyof Reach>;

/** The only word; places are multiples of 16 below 2^32, so that a sixteenth leaves room for the sign. */
function oneWordEntry(shape: LaneShape): Format {
  const pushWord = (f: FunctionBuilder, entry: number) => {
    f.get(entry);
    f.lane('i32x4.extract_lane', 0);
  };
  return {
    ...wordsEntry(shape, 0),
    pushIsUnknown(f, entry) {
      pushWord(f, entry);
      f.op('i32.eqz');
    },
    pushPlace(f, entry) {
      pushWord(f, entry);
      f.i32(4);
      f.op('i32.shl');
    },
    pushMixed(f, place) {
      f.get(place);
      f.i32(4);
      f.op('i32.shr_u');
      f.op('i32x4.splat');
    },
    placeIn: (words, at) => (words[at] << 4) >>> 0,
    setMixed(words, at, place) {
      words[at] = place >>> 4;
    },
  };
}

/** Above all steps, in the words of a mixed entry that have no place. */
const MIXED = 0x7fff_ffff;

function wordsEntry(shape: StepShape, telling = TELLING_WORD): Format {
  const pushIsSingle = (f: FunctionBuilder, entry: number) => {
    f.get(entry);
    f.op('i32x4.bitmask');
    f.i32(1 << telling);
    f.op('i32.and');
  };
  return {
    bits: shape.bits,
    load: (f, offset) => f.memory(LANE_LOADS[shape.bits], offset),
    store(f, offset) {
      if (shape.bits === 4) f.memory('v128.store', offset);
      else f.memoryLane(shape.bits === 3 ? 'v128.store64_lane' : 'v128.store32_lane', offset, 0);
    },
    raise(f, kept, other) {
      f.get(kept);
      f.get(other);
      f.op(shape.max);
      f.set(kept);
    },
    pushOrigin: (f) => shape.pushOrigin(f),
    pushNone: (f) => shape.pushNone(f),
    pushIsSingle,
    largest(f, entries, kept) {
      entries.forEach((push, i) => {
        push();
        if (i > 0) f.op(shape.max);
      });
      f.set(kept);
      pushIsSingle(f, kept);
    },
    pushIsUnknown(f, entry) {
      f.get(entry);
      f.lane('i32x4.extract_lane', telling);
      f.op('i32.eqz');
    },
    pushPlace(f, entry) {
      f.get(entry);
      f.lane('i32x4.extract_lane', 0);
    },
    pushMixed(f, place) {
      f.i32(MIXED);
      f.op('i32x4.splat');
      f.get(place);
      f.lane('i32x4.replace_lane', 0);
    },
    isSingle: (words, at) => words[at + telling] < 0,
    isUnknown: (words, at) => words[at + telling] === 0,
    placeIn: (words, at) => words[at] >>> 0,
    setMixed(words, at, place) {
      words.fill(MIXED, at, at + (1 << shape.bits) / 4);
      words[at] = place;
    },
    findMixed: mixedFinder(shape, telling, 1),
    setOrigin: (words, start, end) => {
      const steps = shape.view(words.buffer as ArrayBuffer);
      steps.fill(shape.origin, (4 * start) / shape.laneBytes, (4 * end) / shape.laneBytes);
    },
  };
}

/** Mixed entries have this sign in the word that tells. One loop without calls, for code that is hardly ever warm: it is done for whole pages. */
function mixedFinder({ bits }: StepShape, telling: number, sign: 1 | -1): StepEntry['findMixed'] {
  const size = (1 << bits) / 4;
  return (words, entries, found) => {
    let count = 0;
    for (let at = 0; at < size * entries; at += size) if (sign * words[at + telling] > 0) found[count++] = at;
    return count;
  };
}

function doublesEntry(shape: StepShape): Format {
  const words = wordsEntry(shape);
  const pushAreSingle = (f: FunctionBuilder, entries: readonly number[]) => {
    entries.forEach((entry, i) => {
      f.get(entry);
      if (i > 0) f.op('i32x4.min_s');
    });
    f.lane('i32x4.extract_lane', TELLING_WORD);
    f.i32(0);
    f.op('i32.gt_s');
  };
  return {
    ...words,
    pushIsSingle: (f, entry) => pushAreSingle(f, [entry]),
    largest(f, entries, kept, take) {
      pushAreSingle(f, keepLargest(f, words.raise, entries, kept, take));
    },
    pushMixed(f, place) {
      f.i32(-1);
      f.op('i32x4.splat');
      f.get(place);
      f.lane('i32x4.replace_lane', 0);
    },
    isSingle: (words, at) => words[at + TELLING_WORD] > 0,
    setMixed(words, at, place) {
      words.fill(-1, at, at + (1 << shape.bits) / 4);
      words[at] = place;
    },
    findMixed: mixedFinder(shape, TELLING_WORD, -1),
  };
}

/** Puts the largest of some entries into a local; gives the locals that have them. */
function keepLargest(
  f: FunctionBuilder,
  raise: StepEntry['raise'],
  entries: readonly (() => void)[],
  kept: number,
  take: () => number,
): readonly number[] {
  const locals = entries.map((push) => {
    const local = take();
    push();
    f.set(local);
    return local;
  });
  f.get(locals[0]);
  f.set(kept);
  for (const local of locals.slice(1)) raise(f, kept, local);
  return locals;
}

/** Tags (measures/tags.ts): as one lane of 64 bits, for every tag is a positive double. */
export const tagEntry = (reach: Reach): StepEntry => ({ ...doublesEntry(TAG_SHAPE), ...reach });
