import { describe, expect, test } from 'vitest';
import { EPOCH } from '../clock.ts';
import { Guest } from '../fixtures/guest.ts';

const START = Number(EPOCH / 1_000_000_000n);

/** st_mtime of the path, in seconds and nanoseconds. */
function modified(guest: Guest, path: string): readonly [seconds: number, nanoseconds: number] {
  const buffer = guest.room(144);
  expect(guest.call('stat', path, buffer)).toBe(0);
  const view = new DataView(guest.bytes(buffer, 144).buffer);
  return [Number(view.getBigInt64(88, true)), Number(view.getBigInt64(96, true))];
}

describe('times of files that were there before the run', () => {
  const guest = new Guest({
    files: {
      '/usr/lib/module.py': { text: 'x', modified: 1_600_000_001 },
      '/etc/python3/site.py': { text: 'x', modified: 1_600_000_002 },
      '/usr/lib/older': { text: 'x', modified: -7 },
      '/usr/lib/built': { text: 'x', modified: 1_600_000_000.25 },
      '/usr/lib/later': { text: 'x', modified: START + 1 },
      '/home/me/project/unpacked': { text: 'x', modified: 1_600_000_000 },
      '/home/me/project-2/unpacked': { text: 'x', modified: 1_600_000_000 },
    },
  });

  test('what a package said of its files is kept: others may have noted it', () => {
    expect(modified(guest, '/usr/lib/module.py')).toEqual([1_600_000_001, 0]);
    expect(modified(guest, '/etc/python3/site.py')).toEqual([1_600_000_002, 0]);
    expect(modified(guest, '/usr/lib/older')).toEqual([-7, 0]);
  });

  test('what the machine did is not told: builds, checkouts, directories', () => {
    expect(modified(guest, '/usr/lib/built')).toEqual([START, 0]);
    expect(modified(guest, 'unpacked')).toEqual([START, 0]);
    expect(modified(guest, '/home/me/project-2/unpacked')).toEqual([START, 0]);
    expect(modified(guest, '/usr/lib')).toEqual([START, 0]);
  });

  test('nothing is newer than what the guest writes', () => {
    expect(modified(guest, '/usr/lib/later')).toEqual([START, 0]);
    guest.clock = 5n;
    guest.save('/usr/lib/module.py', 'changed');
    expect(modified(guest, '/usr/lib/module.py')).toEqual([START, 5]);
  });
});
