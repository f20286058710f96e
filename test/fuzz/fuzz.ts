import fc from 'fast-check';
import { Failure } from '../../src/base/failure.ts';

/** FUZZ=20 runs twenty times as many cases, from a seed of their own; FUZZ_SEED repeats one. Both are printed. */
const MORE = Number(process.env.FUZZ ?? 1);
const SEED = Number(process.env.FUZZ_SEED ?? (process.env.FUZZ === undefined ? 1 : Date.now() % 2 ** 31));
if (process.env.FUZZ !== undefined) console.log(`FUZZ=${MORE} FUZZ_SEED=${SEED}`);

/** No input of a test is so large that reading it may take longer, even on a busy machine. */
const LONGEST = 20_000;

export interface Outcome {
  readonly cases: number;
  /** Read to the end; the others were refused. */
  readonly accepted: number;
  /** Codes of the failures. */
  readonly codes: ReadonlySet<string>;
}

/**
 * Reads inputs. What a reader may throw is a Failure whose message is a line of text without controls, and it comes to an end
 * soon: anything else fails with the input, made as small as can be, and the seed.
 */
export async function fuzz<T>(
  inputs: fc.Arbitrary<T>,
  cases: number,
  read: (input: T) => unknown,
): Promise<Outcome> {
  let all = 0;
  let accepted = 0;
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const start = performance.now();
      all++;
      try {
        await read(input);
        accepted++;
      } catch (problem) {
        if (!(problem instanceof Failure)) throw problem;
        codes.add(problem.code);
        if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(problem.code)) throw new Error(`code ${problem.code}`);
        if (problem.message.length > 20_000)
          throw new Error(`a message of ${problem.message.length} characters`);
      }
      const took = performance.now() - start;
      if (took > LONGEST) throw new Error(`took ${took.toFixed(0)} ms`);
    }),
    { numRuns: cases * MORE, seed: SEED, endOnFailure: MORE > 1 },
  );
  return { cases: all, accepted, codes };
}

/** One change of some bytes. `place` is a share of what may be changed. */
type Change =
  | { readonly kind: 'set'; readonly place: number; readonly bytes: readonly number[] }
  | { readonly kind: 'flip'; readonly place: number; readonly bit: number }
  | { readonly kind: 'add'; readonly place: number; readonly by: number }
  | { readonly kind: 'cut'; readonly place: number; readonly size: number }
  | { readonly kind: 'repeat'; readonly place: number; readonly size: number; readonly times: number }
  | { readonly kind: 'end'; readonly place: number };

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** Numbers at the edges of what fits: sizes, offsets and counts like these are what readers must not trust. */
const EDGES: readonly (readonly number[])[] = [
  [0],
  [1],
  [0x7f],
  [0x80],
  [0xff],
  [0xff, 0xff],
  [0, 0, 0, 0x80],
  [0xff, 0xff, 0xff, 0x7f],
  [0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0, 1, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0, 0, 0, 0, 0],
];
const inPlace: readonly fc.Arbitrary<Change>[] = [
  fc.record({
    kind: fc.constant('set' as const),
    place,
    bytes: fc.oneof(fc.constantFrom(...EDGES), fc.array(fc.nat(255), { minLength: 1, maxLength: 8 })),
  }),
  fc.record({ kind: fc.constant('flip' as const), place, bit: fc.nat(7) }),
  fc.record({ kind: fc.constant('add' as const), place, by: fc.integer({ min: -16, max: 16 }) }),
];
const change: fc.Arbitrary<Change> = fc.oneof(
  ...inPlace,
  fc.record({ kind: fc.constant('cut' as const), place, size: fc.nat(64) }),
  fc.record({
    kind: fc.constant('repeat' as const),
    place,
    size: fc.integer({ min: 1, max: 64 }),
    times: fc.integer({ min: 1, max: 200 }),
  }),
  fc.record({ kind: fc.constant('end' as const), place }),
);

/** Bytes that may be changed: where a format says something, not where it holds what is not looked at. */
export interface Area {
  readonly start: number;
  readonly end: number;
}

/** A good input with what was done to it. */
export interface Mutant {
  readonly seed: number;
  readonly changes: readonly Change[];
}

export function mutants(seeds: number): fc.Arbitrary<Mutant> {
  return fc.record({ seed: fc.nat(seeds - 1), changes: fc.array(change, { minLength: 1, maxLength: 6 }) });
}

/** The same, where what stands behind a change must stay where it was if anything is to be read at all. */
export function mutantsInPlace(seeds: number): fc.Arbitrary<Mutant> {
  const each = fc.oneof({ weight: 40, arbitrary: fc.oneof(...inPlace) }, { weight: 1, arbitrary: change });
  return fc.record({ seed: fc.nat(seeds - 1), changes: fc.array(each, { minLength: 1, maxLength: 6 }) });
}

export function mutated(
  good: Uint8Array,
  { changes }: Mutant,
  areas: readonly Area[] = [{ start: 0, end: good.length }],
): Uint8Array {
  let bytes: Uint8Array = good.slice();
  const total = areas.reduce((sum, { start, end }) => sum + end - start, 0);
  const positionOf = (share: number): number => {
    let left = Math.floor(share * total);
    for (const { start, end } of areas) {
      if (left < end - start) return start + left;
      left -= end - start;
    }
    return 0;
  };
  for (const each of changes) {
    const at = Math.min(positionOf(each.place), Math.max(0, bytes.length - 1));
    switch (each.kind) {
      case 'set':
        bytes.set(each.bytes.slice(0, bytes.length - at), at);
        break;
      case 'flip':
        bytes[at] ^= 1 << each.bit;
        break;
      case 'add':
        bytes[at] += each.by;
        break;
      case 'cut':
        bytes = joined(bytes.subarray(0, at), bytes.subarray(at + each.size));
        break;
      case 'repeat': {
        const part = bytes.subarray(at, at + each.size);
        bytes = joined(
          bytes.subarray(0, at),
          ...Array<Uint8Array>(each.times).fill(part),
          bytes.subarray(at),
        );
        break;
      }
      case 'end':
        bytes = bytes.slice(0, at);
        break;
    }
  }
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The same of a text; words of the format are put in, too. */
export function mutatedText(good: string, mutant: Mutant, words: readonly string[] = []): string {
  let text = decoder.decode(mutated(encoder.encode(good), mutant));
  mutant.changes.forEach((each, i) => {
    if (words.length === 0 || i % 2 === 0) return;
    const at = Math.floor(each.place * text.length);
    text = text.slice(0, at) + words[Math.floor(each.place * 7919) % words.length] + text.slice(at);
  });
  return text;
}
