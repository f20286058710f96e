import { readFileSync } from 'node:fs';
import type { HostPages } from '../emulator/ports.ts';
import { nativeCalls } from './native-calls.ts';

/** Of <sys/mman.h>. */
const MADV_HUGEPAGE = 14;
const MADV_NOHUGEPAGE = 15;
const MADV_POPULATE_WRITE = 23;

/** `always [madvise] never`: programs are to ask. Where all have them, or none, there is nothing to ask for. */
const SETTING = '/sys/kernel/mm/transparent_hugepage/enabled';

let isAsked: boolean | undefined;

/** Nothing happens on hosts that have none, or that this way to ask is not for. */
export const adviseHugePages: HostPages['advise'] = (memory, areWanted) => {
  try {
    isAsked ??= readFileSync(SETTING, 'utf8').includes('[madvise]');
  } catch {
    isAsked = false;
  }
  if (!isAsked) return;
  // Without it, it takes longer.
  nativeCalls()?.madvise(
    new Uint8Array(memory),
    memory.byteLength,
    areWanted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE,
  );
};

/** Calls that have not ended, as far as we know: that is heard when no generated code is left, and Koffi has room for 256. */
let running = 0;
const MOST_RUNNING = 64;

/** Only where huge pages have been asked for; Linux before 5.14 does not know how. */
export const populate: HostPages['populate'] = (memory, start, length) => {
  if (isAsked !== true || running === MOST_RUNNING) return false;
  const calls = nativeCalls();
  if (calls === undefined) return false;
  running++;
  const address = calls.addressOf(new Uint8Array(memory, start, length));
  withOneThread(() =>
    calls.madviseAside(address, length, MADV_POPULATE_WRITE, () => {
      running--;
    }),
  );
  return true;
};

/**
 * Node's pool has one thread where this is what begins it, unless somebody wants more: four would take turns with the guest on two cores (60 MB that are filled at
 * once: 0.50 s instead of 0.57, and 0.90 without any). What we execute later shall not find it in its environment.
 */
function withOneThread(begin: () => void): void {
  const { env } = process;
  if (env.UV_THREADPOOL_SIZE !== undefined) return begin();
  env.UV_THREADPOOL_SIZE = '1';
  begin();
  delete env.UV_THREADPOOL_SIZE;
}
