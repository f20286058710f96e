/** `1 spill`, `3 spills`. */
export const numbered = (count: number, one: string, more: string): string =>
  `${printed(count)} ${count === 1 ? one : more}`;

/** At most two decimals. */
export const printed = (value: number): string => String(Math.round(value * 100) / 100);

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/** Said of a recurrence through loads, wherever it is found. */
export const LOAD_CHAIN_ADVICE =
  'Store the elements in an array, follow several lists at a time, or keep several elements in one node';
