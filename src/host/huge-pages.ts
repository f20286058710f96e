import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AdviseHugePages } from '../emulator/ports.ts';

/** Koffi, a foreign function interface: its native part alone, for which its package has no name. Beside the bundle it has the other one. */
const PACKAGE = '@koromix/koffi-linux-x64/linux_x64/koffi.node';
const BUNDLED = 'koffi.node';

/** What we need of it. */
interface Koffi {
  load(library: string): { func(prototype: string): Madvise };
}
type Madvise = (start: Uint8Array, length: number, advice: number) => number;

/** Of <sys/mman.h>. */
const MADV_HUGEPAGE = 14;
const MADV_NOHUGEPAGE = 15;

/** `always [madvise] never`: programs are to ask. Where all have them, or none, there is nothing to ask for. */
const SETTING = '/sys/kernel/mm/transparent_hugepage/enabled';

let madvise: Madvise | undefined;
let isAsked: boolean | undefined;

/** Nothing happens on hosts that have none, or that this way to ask is not for. */
export const adviseHugePages: AdviseHugePages = (memory, areWanted) => {
  try {
    isAsked ??= readFileSync(SETTING, 'utf8').includes('[madvise]');
    if (!isAsked) return;
    madvise ??= loadMadvise();
    madvise(new Uint8Array(memory), memory.byteLength, areWanted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  } catch {
    // It takes longer.
    isAsked = false;
  }
};

function loadMadvise(): Madvise {
  const require = createRequire(import.meta.url);
  const isBundled = import.meta.url.endsWith('.cjs');
  const koffi = require(isBundled ? join(fileURLToPath(import.meta.url), '..', BUNDLED) : PACKAGE) as Koffi;
  return koffi.load('libc.so.6').func('int madvise(void *start, size_t length, int advice)');
}
