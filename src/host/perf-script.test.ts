import { describe, expect, test } from 'vitest';
import { readSamples } from './perf-script.ts';

const MAPPED = 'PERF_RECORD_MMAP2';
const TEXT = `
  10 ${MAPPED} 10/10: [0x1000(0x1000) @ 0 fe:00 1 0]: r-xp /usr/bin/dash
  10     500             1010
  11 ${MAPPED} 11/11: [0x400000(0x2000) @ 0x1000 fe:00 2 0]: r-xp /home/me/my prog
  11 ${MAPPED} 11/11: [0x7f0000000000(0x1000) @ 0x26000 fe:00 3 0]: r-xp /usr/lib/libc.so.6
  11     100           400010
  11     100           401fff
  11     100     7f0000000008
  11     100 ffffffff81000c60
  12 ${MAPPED} 12/12: [0x500000(0x2000) @ 0x1000 fe:00 2 0]: r-xp /home/me/my prog
  12     100           500010
`;

describe('samples of perf', () => {
  const { cycles, files } = readSamples(TEXT, '/home/me/my prog');

  test('are offsets in the files that the program has mapped, in all processes that run it', () => {
    expect(files.get('/home/me/my prog')).toEqual([
      { offset: 0x1010, cycles: 100 },
      { offset: 0x2fff, cycles: 100 },
      { offset: 0x1010, cycles: 100 },
    ]);
    expect(files.get('/usr/lib/libc.so.6')).toEqual([{ offset: 0x26008, cycles: 100 }]);
  });

  test('what is in no file counts in the sum, other programs do not', () => {
    expect(cycles).toBe(500);
    expect(files.has('/usr/bin/dash')).toBe(false);
  });

  test('text that is none of this is passed over', () => {
    expect(readSamples(`garbage\n${MAPPED}\n 1 2\n`, '/x')).toEqual({ cycles: 0, files: new Map() });
  });
});
