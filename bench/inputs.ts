import { randomFrom } from './random.ts';
import { BC, LUA, PERL, PYTHON, sql } from './scripts.ts';
import { generatedUnit } from './unit.ts';

const SYLLABLES = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'si', 'to', 'vu', 'ze', 'sch', 'tr'];

/** Lines of a few words and a number; as in a language, some words are frequent and most are rare. */
export function text(seed: number, bytes: number): string {
  const random = randomFrom(seed);
  const word = (): string => {
    let letters = '';
    for (let rank = random.below(60) * random.below(60), i = 0; i < 2 || rank > 0; i++) {
      letters += SYLLABLES[rank % SYLLABLES.length];
      rank = Math.floor(rank / SYLLABLES.length);
    }
    return letters;
  };
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)!.length + 1) {
    const words = Array.from({ length: 3 + random.below(8) }, word);
    lines.push(`${words.join(' ')} ${random.below(100_000)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** An array of records with nested objects, strings that need escapes, and numbers of both kinds. */
export function records(seed: number, count: number): string {
  const random = randomFrom(seed);
  const record = (id: number): object => ({
    id,
    name: `item "${random.below(5000)}" \\ ${SYLLABLES[random.below(SYLLABLES.length)]}`,
    price: random.below(1_000_000) / 100,
    tags: Array.from({ length: random.below(5) }, () => SYLLABLES[random.below(SYLLABLES.length)]),
    stock: { place: `${random.below(40)}-${random.below(9)}`, left: random.below(300), open: id % 3 === 0 },
  });
  return `${JSON.stringify(Array.from({ length: count }, (_, id) => record(id)))}\n`;
}

/** Bytes that do not compress. */
export function noise(seed: number, bytes: number): Uint8Array {
  const random = randomFrom(seed);
  return Uint8Array.from({ length: bytes }, () => random.below(2 ** 32) >>> 24);
}

/**
 * The files that the real programs read, by name; each is made only when it is asked for. A program has about so many times its work
 * to do, but for those whose inputs are called small.
 */
export const INPUTS: Readonly<Record<string, (times: number) => string | Uint8Array>> = {
  'gzip.txt': (times) => text(1, times * 3_000_000),
  'small.txt': () => text(10, 250_000),
  'bzip2.txt': (times) => text(2, times * 2_000_000),
  'xz.txt': (times) => text(3, times * 600_000),
  'sort.txt': (times) => text(4, times * 3_000_000),
  'gawk.txt': (times) => text(5, times * 1_500_000),
  'perl.txt': (times) => text(6, times * 300_000),
  noise: (times) => noise(7, times * 16_000_000),
  'records.json': (times) => records(8, times * 3000),
  'unit.i': (times) => generatedUnit(9, times * 6),
  'script.sql': (times) => sql(times * 25_000),
  'small.sql': () => sql(500),
  'script.lua': (times) => `do\n${LUA}end\n`.repeat(times),
  'script.pl': () => PERL,
  'script.py': (times) => PYTHON.repeat(times),
  'script.bc': (times) => BC.repeat(times),
};
