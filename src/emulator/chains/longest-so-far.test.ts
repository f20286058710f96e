import { describe, expect, it } from 'vitest';
import { MEMORY_PAGES } from '../../guest/layout.ts';
import { Producers } from '../memory/producers.ts';
import { LongestSoFar } from './longest-so-far.ts';

const ENTRIES = 256;
const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
const producers = new Producers(memory, {
  at: 0xfff0_0000,
  slots: ENTRIES,
  entries: ENTRIES,
  threads: false,
});

/** Instructions from 1 on, of which each has a producer, 0 for none, and a place. */
type Executed = readonly { readonly producer: number; readonly place: number }[];

/** Executes them, and reads after each of these numbers, with the chain's end then. */
function read(executed: Executed, readings: readonly (readonly [newest: number, last: number])[]) {
  const longest = new LongestSoFar();
  let done = 0;
  for (const [newest, last] of readings) {
    for (; done < newest; done++) {
      const { producer, place } = executed[done];
      producers.log(done + 2, producer === 0 ? 0 : producer + 1, place);
    }
    longest.note(producers, newest, last);
  }
  const links = longest.links();
  return {
    total: links.total,
    unread: longest.unread,
    links: links.inOrder((place) => place).map(({ address, count }) => [Number(address), count]),
  };
}

/** Two chains that take turns: odd instructions and even ones; places repeat. */
const two = (count: number): Executed =>
  Array.from({ length: count }, (_, i) => ({ producer: Math.max(0, i - 1), place: -0x8000_0000 + (i % 6) }));

const every = (step: number, count: number, last: (newest: number) => number) =>
  Array.from({ length: Math.floor(count / step) }, (_, i) => [step * (i + 1), last(step * (i + 1))] as const);

describe('the links of the longest chain', () => {
  it('are read in as many parts as the log asks for, in the order in which the chain comes to them', () => {
    const { links, ...rest } = read(
      two(3000),
      every(60, 3000, (newest) => newest),
    );
    expect(rest).toEqual({ total: 1500, unread: 0 });
    expect(links).toEqual([1, 3, 5].map((place) => [-0x8000_0000 + place, 500]));
  });

  it('are those of the last chain where it was another one for as long as the log goes back', () => {
    const readings = every(60, 3000, (newest) => (newest < 2900 ? newest : newest - 1));
    const { total, unread } = read(two(3000), readings);
    expect(unread).toBeGreaterThan(2900 - ENTRIES);
    expect(unread).toBeLessThan(2940 - ENTRIES + 8);
    expect(total).toBe((2999 - unread) / 2);
  });

  it('are not those of a chain that was read in between', () => {
    const readings = every(60, 3000, (newest) => (newest === 1500 ? newest - 1 : newest));
    expect(read(two(3000), readings).total + read(two(3000), readings).unread / 2).toBe(1500);
    // Chains that meet: the one that was read in between comes from the other.
    const meeting = two(3000).map((each, i) => (i === 1402 ? { ...each, producer: 1402 } : each));
    const { total, unread, links } = read(meeting, readings);
    expect({ total, unread }).toEqual({ total: 1500, unread: 0 });
    expect(links.map(([, count]) => count)).toEqual([500, 500, 500]);
  });

  it('are unknown before what a log that is too short holds of a slice', () => {
    const { total, unread } = read(two(3000), [
      [120, 120],
      [2000, 2000],
      [2060, 2060],
    ]);
    expect(unread).toBe(2000 - ENTRIES);
    expect(total).toBe((2060 - unread) / 2);
  });
});
