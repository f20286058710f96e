/**
 * Decompresses a zlib stream (RFC 1950) whose result has exactly `size` bytes. The host must stop at `size`:
 * a crafted stream may go on. Throws anything when the stream is corrupt, shorter or longer.
 */
export type Inflate = (compressed: Uint8Array, size: number) => Uint8Array;
