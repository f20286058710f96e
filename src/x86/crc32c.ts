/** CRC-32C by byte (Castagnoli's polynomial 0x1edc6f41, its bits reversed): what crc32 computes. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f6_3b78 : 0);
  return crc;
});

/** The remainder after the low `size` bytes of the data, without the inversions before and after. */
export function crc32c(crc: number, data: number, size: 1 | 2 | 4): number {
  let rest = crc;
  for (let at = 0; at < size; at++) rest = TABLE[(rest ^ (data >>> (8 * at))) & 0xff] ^ (rest >>> 8);
  return rest;
}
