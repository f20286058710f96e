import * as zlib from 'node:zlib';
import type { Inflate } from '../elf/ports.ts';

/** In Node since 22.15. */
const { zstdDecompressSync } = zlib as {
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
};

export const inflate: Inflate = (bytes, size, form) => {
  const options = { maxOutputLength: Math.max(1, size) };
  if (form === 'zlib') return zlib.inflateSync(bytes, options);
  if (zstdDecompressSync === undefined)
    throw new Error(
      `it is compressed with zstd, which Node ${process.versions.node} cannot read (22.15 and later can)`,
    );
  return zstdDecompressSync(bytes, options);
};
