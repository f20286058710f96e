import { randomFrom } from './random.ts';
import { BC, LUA, PERL, SQL } from './scripts.ts';
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

/** The files that the real programs read, by name; each is made only when it is asked for. */
export const INPUTS: Readonly<Record<string, () => string | Uint8Array>> = {
  'gzip.txt': () => text(1, 3_000_000),
  'small.txt': () => text(10, 250_000),
  'bzip2.txt': () => text(2, 2_000_000),
  'xz.txt': () => text(3, 600_000),
  'sort.txt': () => text(4, 3_000_000),
  'gawk.txt': () => text(5, 1_500_000),
  'perl.txt': () => text(6, 300_000),
  noise: () => noise(7, 16_000_000),
  'records.json': () => records(8, 3000),
  'unit.i': () => generatedUnit(9, 6),
  'script.sql': () => SQL,
  'small.sql': () => SQL.replace('25000', '500'),
  'script.lua': () => LUA,
  'script.pl': () => PERL,
  'script.bc': () => BC,
};
