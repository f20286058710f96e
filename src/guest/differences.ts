/** Bytes one after the other. */
export interface Difference {
  readonly address: number;
  length: number;
}

/** Where bytes at addresses are not what they were, in order. */
export function differencesBetween(
  originals: readonly (readonly [start: number, bytes: Uint8Array])[],
  now: (start: number) => Uint8Array,
): readonly Difference[] {
  const found: Difference[] = [];
  for (const [start, bytes] of [...originals].sort(([a], [b]) => a - b))
    addDifferences(found, start, new Int32Array(now(start).buffer), new Int32Array(bytes.buffer));
  return found;
}

/** Adds where the bytes of `a`, which begin at an address, are not those of `b`: to the last one found, where they follow it. */
export function addDifferences(found: Difference[], start: number, a: Int32Array, b: Int32Array): void {
  for (let word = 0; word < a.length; word++) {
    let difference = a[word] ^ b[word];
    for (let byte = 0; difference !== 0; byte++, difference >>>= 8) {
      if ((difference & 0xff) === 0) continue;
      const address = start + 4 * word + byte;
      const last = found[found.length - 1];
      if (last !== undefined && last.address + last.length === address) last.length++;
      else found.push({ address, length: 1 });
    }
  }
}
