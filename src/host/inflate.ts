import { createRequire } from 'node:module';
import type { Inflate } from '../elf/ports.ts';

interface Zlib {
  inflateSync(bytes: Uint8Array, options: { maxOutputLength: number }): Uint8Array;
  /** In Node since 22.15. */
  zstdDecompressSync?(bytes: Uint8Array, options: { maxOutputLength: number }): Uint8Array;
}

/** Most runs meet no compressed section, and loading it takes 4 ms. */
const zlib = (): Zlib => createRequire(import.meta.url)('node:zlib');

export const inflate: Inflate = (bytes, size, form) => {
  const options = { maxOutputLength: Math.max(1, size) };
  if (form === 'zlib') return zlib().inflateSync(bytes, options);
  const { zstdDecompressSync } = zlib();
  if (zstdDecompressSync === undefined)
    throw new Error(
      `it is compressed with zstd, which Node ${process.versions.node} cannot read (22.15 and later can)`,
    );
  return zstdDecompressSync(bytes, options);
};
