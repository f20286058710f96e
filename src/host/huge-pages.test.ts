import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { expect, test } from 'vitest';
import { canAskForHugePages } from '../../test/host/huge-pages.ts';
import { adviseHugePages, populate } from './huge-pages.ts';
import { nativeCalls } from './native-calls.ts';

/** Bytes of this process that are in huge pages. */
function hugeBytes(): number {
  const [, kib] = /^AnonHugePages:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))!;
  return 1024 * Number(kib);
}

test.skipIf(!canAskForHugePages)(
  'memory that is touched after the advice lies in huge pages, and no more after the other one',
  () => {
    const MB = 2 ** 20;
    const { buffer } = new WebAssembly.Memory({ initial: 65_536, maximum: 65_536 });
    const bytes = new Uint8Array(buffer);
    const touch = (from: number) => {
      for (let at = from; at < from + 64 * MB; at += 4096) bytes[at] = 1;
    };
    const before = hugeBytes();
    adviseHugePages(buffer, true);
    touch(256 * MB);
    const advised = hugeBytes();
    // The kernel may have run out of some.
    expect(advised - before).toBeGreaterThan(8 * MB);
    adviseHugePages(buffer, false);
    touch(1024 * MB);
    expect(hugeBytes()).toBeLessThanOrEqual(advised);
  },
);

/** Whether all pages of memory are there, as the system tells (proc(5), /proc/pid/pagemap). */
function areThere(bytes: Uint8Array): boolean {
  const entries = Buffer.alloc(8 * (bytes.length / 4096));
  const file = openSync('/proc/self/pagemap', 'r');
  readSync(file, entries, 0, entries.length, (Number(nativeCalls()!.addressOf(bytes)) / 4096) * 8);
  closeSync(file);
  for (let at = 7; at < entries.length; at += 8) if ((entries[at] & 0x80) === 0) return false;
  return true;
}

test.skipIf(!canAskForHugePages)(
  'a part of memory is touched by another thread while this one goes on',
  async () => {
    const { buffer } = new WebAssembly.Memory({ initial: 65_536, maximum: 65_536 });
    adviseHugePages(buffer, true);
    const bytes = new Uint8Array(buffer, 512 * 2 ** 20, 32 * 2 ** 20);
    const environment = { ...process.env };
    expect(areThere(bytes)).toBe(false);
    expect(populate(buffer, bytes.byteOffset, bytes.length)).toBe(true);
    expect({ ...process.env }).toEqual(environment);
    await expect.poll(() => areThere(bytes), { timeout: 10_000 }).toBe(true);
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    // No more than the interface has room for, until this thread hears that some have ended.
    const accepted = () => Array.from({ length: 70 }, () => populate(buffer, 0, 4096)).filter(Boolean).length;
    const first = accepted();
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(64);
    expect(accepted()).toBe(0);
    await expect.poll(() => populate(buffer, 0, 4096), { timeout: 10_000 }).toBe(true);
  },
);
