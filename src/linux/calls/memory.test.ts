import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BRK_LIMIT, CHEAP_END, GUEST_END, MMAP_TOP, PAGE_SIZE } from '../../guest/layout.ts';
import { READ, WRITE } from '../../guest/memory.ts';
import { freshMemory, Guest } from '../fixtures/guest.ts';
import { allRegions } from '../region-list.ts';

const RW = 3;
const PRIVATE = 0x02;
const SHARED = 0x01;
const FIXED = 0x10;
const ANONYMOUS = 0x20;
const NO_FILE = -1;

const map = (g: Guest, length: number, address = 0, flags = PRIVATE | ANONYMOUS) =>
  g.call('mmap', address, length, RW, flags, NO_FILE, 0);

describe('mmap', () => {
  test('hands out addresses downwards from the end of the space and fills gaps first', () => {
    const g = new Guest();
    expect(map(g, 5000)).toBe(MMAP_TOP - 0x2000);
    expect(map(g, 1)).toBe(MMAP_TOP - 0x3000);
    expect(map(g, 0x3000)).toBe(MMAP_TOP - 0x6000);
    expect(g.call('munmap', MMAP_TOP - 0x2000, 0x2000)).toBe(0);
    expect(map(g, 0x3000)).toBe(MMAP_TOP - 0x9000);
    expect(map(g, 0x1000)).toBe(MMAP_TOP - 0x1000);
  });

  test('uses the space below the break limit when its own is used up', () => {
    const g = new Guest();
    const large = 0x0600_0000;
    expect(map(g, large)).toBe(MMAP_TOP - large);
    expect(map(g, large)).toBe(BRK_LIMIT - large);
    expect(map(g, large)).toBe(BRK_LIMIT - 2 * large);
    expect(map(g, large)).toBe(MMAP_TOP);
    expect(map(g, large)).toBe(MMAP_TOP + large);
    expect(map(g, 2 ** 50)).toBe('ENOMEM');
  });

  test('all that is said to be free lies where measuring costs least', () => {
    const g = new Guest();
    const info = g.room(112);
    expect(g.call('sysinfo', info)).toBe(0);
    const free = Number(new DataView(g.bytes(info, 112).slice().buffer).getBigUint64(40, true));
    const at = map(g, free) as number;
    expect(at + free).toBeLessThanOrEqual(MMAP_TOP);
  });

  test('reservations of terabytes cost nothing, and what is touched of them a page', () => {
    const g = new Guest();
    const size = 16 * 2 ** 40;
    const at = g.call('mmap', 0, size, 0, PRIVATE | ANONYMOUS, NO_FILE, 0) as number;
    expect(at).toBeGreaterThan(GUEST_END);
    expect(g.call('uname', at + 2 ** 43)).toBe('EFAULT');
    expect(g.call('mprotect', at + 2 ** 43, 0x2000, RW)).toBe(0);
    expect(g.call('uname', at + 2 ** 43 + 0xf00)).toBe(0);
    expect(g.text(at + 2 ** 43 + 0xf00, 5)).toBe('Linux');
    const touched = () => g.memory.far.touched(at, at + size).length;
    expect(touched()).toBe(2);
    expect(g.call('madvise', at + 2 ** 43, 0x1000, 4)).toBe(0);
    expect(touched()).toBe(1);
    expect(g.call('munmap', at + 4096, size)).toBe(0);
    expect(touched()).toBe(0);
    expect(g.memory.isMapped(at)).toBe(true);
    expect(g.memory.isMapped(at + 4096)).toBe(false);
  });

  test('a large reservation is far, but for one that is asked for beside the program: there will be code', () => {
    const g = new Guest();
    const reserve = (hint: number) => g.call('mmap', hint, 2 ** 29, 0, PRIVATE | ANONYMOUS, NO_FILE, 0);
    expect(reserve(0)).toBeGreaterThan(GUEST_END);
    expect(reserve(0x1000_0000)).toBeLessThan(GUEST_END);
    // There is no room for another one.
    expect(reserve(0x1000_0000)).toBeGreaterThan(GUEST_END);
  });

  test('heaps of threads are where measuring costs least, as many as fit, and then far', () => {
    const g = new Guest();
    const heap = 2 ** 26;
    const reserve = (length: number, hint = 0) =>
      g.call('mmap', hint, length, 0, PRIVATE | ANONYMOUS, NO_FILE, 0) as number;
    const heaps = Array.from({ length: 8 }, () => reserve(heap));
    expect(heaps.map((at) => at + heap <= CHEAP_END)).toEqual([
      ...[true, true, true, true, true, true],
      ...[false, false],
    ]);
    expect(heaps.filter((at) => at >= GUEST_END)).toHaveLength(2);
    // glibc reserves twice as much, gives back what is not aligned, and asks for the next one behind it...
    const twice = reserve(2 * heap);
    expect(twice).toBeGreaterThan(GUEST_END);
    expect(g.call('munmap', twice + heap, heap)).toBe(0);
    expect(reserve(heap, twice + heap)).toBe(twice + heap);
    // ...which as long as there is room elsewhere is not where it wants it.
    expect(g.call('munmap', heaps[1], heap)).toBe(0);
    expect(reserve(heap, twice)).toBe(heaps[1]);
    // What may be accessed at once is near.
    expect(map(g, heap)).toBeLessThan(GUEST_END);
  });

  test('a near mapping takes the place of what far pages lay in', () => {
    const g = new Guest();
    const far = map(g, 0x3000, 0x7fff_0000_0000, PRIVATE | ANONYMOUS | FIXED) as number;
    g.memory.write(
      far,
      Uint8Array.from({ length: 0x3000 }, (_, i) => i % 251),
    );
    const before = g.bytes(far, 0x3000);
    const offset = g.memory.offsetOf(far, 0x3000);
    expect(g.memory.isMapped(offset)).toBe(false);
    expect(g.memory.permission(offset)).toBe(0);
    expect(map(g, 0x1000, offset + 0x1000, PRIVATE | ANONYMOUS | FIXED)).toBe(offset + 0x1000);
    expect(g.bytes(offset + 0x1000, 0x1000).every((byte) => byte === 0)).toBe(true);
    expect(g.memory.offsetOf(far, 0x3000)).not.toBe(offset);
    expect(g.bytes(far, 0x3000)).toEqual(before);
  });

  test('takes a hint where it is free', () => {
    const g = new Guest();
    expect(map(g, 0x1000, 0x300_0000)).toBe(0x300_0000);
    expect(map(g, 0x1000, 0x300_0000)).toBe(MMAP_TOP - 0x1000);
    expect(map(g, 0x1000, 0x7fff_0000_0000)).toBe(MMAP_TOP - 0x2000);
    expect(map(g, 0x1000, 0x7fff_0000_0000, PRIVATE | ANONYMOUS | FIXED)).toBe(0x7fff_0000_0000);
    expect(map(g, 0x1000, 2 ** 47, PRIVATE | ANONYMOUS | FIXED)).toBe('ENOMEM');
    expect(map(g, 0x1000, 0x300_0000, PRIVATE | ANONYMOUS | 0x10_0000)).toBe('EEXIST');
  });

  test('shows a file, zero beyond its end, and keeps private stores from it', () => {
    const g = new Guest({ files: { '/home/me/project/f': `${'x'.repeat(4096)}tail` } });
    const fd = g.call('openat', -100, 'f', 0, 0) as number;
    const at = g.call('mmap', 0, 8192, RW, PRIVATE, fd, 4096) as number;
    expect(g.text(at, 6)).toBe('tail\0\0');
    g.memory.write(at, Uint8Array.of(0x54));
    expect(g.contents('f').slice(0, 5)).toBe('xxxxx');
    expect(g.call('mmap', 0, 8192, RW, PRIVATE, fd, 100)).toBe('EINVAL');
    expect(g.call('mmap', 0, 8192, RW, SHARED, fd, 0)).toBe('EACCES');
    expect(g.call('mmap', 0, 0, RW, PRIVATE, fd, 0)).toBe('EINVAL');
    expect(g.call('mmap', 0, 8192, RW, PRIVATE, 99, 0)).toBe('EBADF');
  });

  test('a shared mapping and its file show the same', () => {
    const g = new Guest({ files: { '/home/me/project/f': 'original' } });
    const fd = g.call('openat', -100, 'f', 2, 0) as number;
    const at = g.call('mmap', 0, 4096, RW, SHARED, fd, 0) as number;
    g.memory.write(at, Uint8Array.from(Buffer.from('stored')));
    expect(g.contents('f')).toBe('storedal');
    g.call('pwrite64', fd, 'W', 1, 7);
    expect(g.text(at, 8)).toBe('storedaW');
    g.memory.write(at, Uint8Array.from(Buffer.from('S')));
    g.call('munmap', at, 4096);
    expect(g.contents('f')).toBe('StoredaW');
  });
});

describe('mprotect, mremap, madvise and brk', () => {
  test('protection changes by page, and every page must be mapped', () => {
    const g = new Guest();
    const at = map(g, 0x3000) as number;
    expect(g.call('mprotect', at + 0x1000, 0x1000, 0)).toBe(0);
    expect([0, 1, 2].map((page) => g.memory.permission(at + page * PAGE_SIZE))).toEqual([
      READ | WRITE,
      0,
      READ | WRITE,
    ]);
    expect(g.call('read', 0, at + 0x1000, 1)).toBe(0);
    expect(g.call('uname', at + 0x1000)).toBe('EFAULT');
    expect(g.call('mprotect', at, 0x4000, 1)).toBe('ENOMEM');
    expect(g.call('mprotect', at + 1, 0x1000, 1)).toBe('EINVAL');
  });

  test('mremap grows in place, moves, and shrinks', () => {
    const g = new Guest();
    const at = map(g, 0x1000, 0x300_0000) as number;
    g.memory.write(at, Uint8Array.from(Buffer.from('kept')));
    expect(g.call('mremap', at, 0x1000, 0x2000, 1)).toBe(at);
    map(g, 0x1000, at + 0x2000);
    expect(g.call('mremap', at, 0x2000, 0x4000, 0)).toBe('ENOMEM');
    const moved = g.outcome('mremap', at, 0x2000, 0x4000, 1);
    const to = MMAP_TOP - 0x4000;
    expect(moved).toMatchObject({ result: BigInt(to), written: [{ address: to, length: 0x1000 }] });
    // Of its two pages nobody has written to the second one.
    expect(g.text(to, 4)).toBe('kept');
    expect(g.memory.isMapped(at)).toBe(false);
    expect(g.call('mremap', to, 0x4000, 0x1000, 0)).toBe(to);
    expect(g.memory.isMapped(to + 0x1000)).toBe(false);
    expect(g.call('mremap', at, 0x1000, 0x2000, 1)).toBe('EFAULT');
  });

  test('MADV_DONTNEED makes anonymous pages zero again', () => {
    const g = new Guest();
    const at = map(g, 0x2000) as number;
    g.memory.write(at, Uint8Array.of(1));
    expect(g.call('madvise', at, 0x1000, 4)).toBe(0);
    expect(g.bytes(at, 1)[0]).toBe(0);
    expect(g.call('madvise', at + 0x2000, 0x1000, 4)).toBe('ENOMEM');
    expect(g.call('madvise', at, 0x1000, 1000)).toBe('EINVAL');
  });

  test('the break grows and shrinks within its limit', () => {
    const g = new Guest();
    const start = 0x50_0000;
    g.kernel.state.breakStart = start;
    g.kernel.state.break = start;
    expect(g.call('brk', 0)).toBe(start);
    expect(g.call('brk', start + 5000)).toBe(start + 5000);
    expect(g.memory.permission(start + 8191)).toBe(READ | WRITE);
    g.memory.write(start + 4096, Uint8Array.of(9));
    expect(g.call('brk', start + 100)).toBe(start + 100);
    expect(g.memory.isMapped(start + 4096)).toBe(false);
    expect(g.call('brk', start + 5000)).toBe(start + 5000);
    expect(g.bytes(start + 4096, 1)[0]).toBe(0);
    expect(g.call('brk', BRK_LIMIT + 1)).toBe(start + 5000);
    expect(g.call('brk', start - 1)).toBe(start + 5000);
  });
});

describe('the list of regions', () => {
  const memory = freshMemory();
  const WINDOW = 0x400_0000;
  const PAGES = 12;
  const step = fc.record({
    kind: fc.constantFrom('mmap' as const, 'munmap' as const, 'mprotect' as const),
    page: fc.nat(PAGES - 1),
    pages: fc.integer({ min: 1, max: 5 }),
    protection: fc.constantFrom(0, 1, 3),
  });

  test('agrees with a model of pages after any calls, and with the permissions in memory', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        memory.unmap(WINDOW, WINDOW + 2 * PAGES * PAGE_SIZE);
        const g = new Guest({ memory });
        const model = new Map<number, number>();
        for (const { kind, page, pages, protection } of steps) {
          const address = WINDOW + page * PAGE_SIZE;
          const length = pages * PAGE_SIZE;
          const covered = Array.from({ length: pages }, (_, at) => page + at);
          if (kind === 'mmap') {
            g.call('mmap', address, length, protection, PRIVATE | ANONYMOUS | FIXED, NO_FILE, 0);
            for (const one of covered) model.set(one, protection);
          } else if (kind === 'munmap') {
            g.call('munmap', address, length);
            for (const one of covered) model.delete(one);
          } else {
            const hole = covered.findIndex((one) => !model.has(one));
            expect(g.call('mprotect', address, length, protection)).toBe(hole < 0 ? 0 : 'ENOMEM');
            for (const one of covered.slice(0, hole < 0 ? pages : hole)) model.set(one, protection);
          }
        }
        const regions = allRegions(g.kernel.state.regions);
        const listed = new Map(
          regions.flatMap((region) =>
            Array.from({ length: (region.end - region.start) / PAGE_SIZE }, (_, at): [number, number] => [
              (region.start - WINDOW) / PAGE_SIZE + at,
              region.protection,
            ]),
          ),
        );
        expect(listed).toEqual(new Map([...model].sort(([a], [b]) => a - b)));
        expect(regions.every((region, at) => at === 0 || regions[at - 1].end <= region.start)).toBe(true);
        for (let page = 0; page < PAGES + 5; page++) {
          expect(memory.isMapped(WINDOW + page * PAGE_SIZE)).toBe(model.has(page));
          expect(memory.permission(WINDOW + page * PAGE_SIZE)).toBe(model.get(page) ?? 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('ends where guest memory ends', () => {
    const g = new Guest({ memory });
    expect(map(g, 0x2000, GUEST_END - 0x1000, PRIVATE | ANONYMOUS | FIXED)).toBe('ENOMEM');
    expect(map(g, 0x1000, GUEST_END - 0x1000, PRIVATE | ANONYMOUS | FIXED)).toBe(GUEST_END - 0x1000);
    g.call('munmap', GUEST_END - 0x1000, 0x10_0000);
    expect(memory.isMapped(GUEST_END - 0x1000)).toBe(false);
  });
});
