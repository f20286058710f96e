import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Inputs, readInputs } from '../../src/action/inputs.ts';
import { commentKey } from '../../src/action/key.ts';
import { readSamples } from '../../src/host/perf-script.ts';
import { boundListing, readCounts } from '../../src/pipeline/ksr.ts';
import { listing } from '../ksr/listings.ts';
import { fuzz, mutants, mutatedText } from './fuzz.ts';

/** What other programs and other people write. */
describe('what comes from outside', () => {
  const PROGRAM = '/home/me/my prog';
  const PERF = [
    '  10 PERF_RECORD_MMAP2 10/10: [0x1000(0x1000) @ 0 fe:00 1 0]: r-xp /usr/bin/dash',
    '  10     500             1010',
    `  11 PERF_RECORD_MMAP2 11/11: [0x400000(0x2000) @ 0x1000 fe:00 2 0]: r-xp ${PROGRAM}`,
    '  11 PERF_RECORD_MMAP 11/11: [0x7f0000000000(0x1000) @ 0x26000 fe:00 3 0]: r-xp /usr/lib/libc.so.6',
    '  11     100           400010',
    '  11     100     7f0000000008',
    '  11     100 ffffffff81000c60',
    `  12 PERF_RECORD_MMAP2 12/12: [0x500000(0x2000) @ 0x1000 fe:00 2 0]: r-xp ${PROGRAM}`,
    '  12     100           500010',
  ].join('\n');

  it('samples of perf that are damaged give numbers all the same', async () => {
    const words = [
      'PERF_RECORD_MMAP2',
      '0x',
      '[',
      '11',
      '-1/',
      'ffffffffffffffffffffff',
      '\0',
      '\r',
      ' '.repeat(5000),
    ];
    const { accepted, cases } = await fuzz(mutants(1), 400, (mutant) => {
      const { cycles, files } = readSamples(mutatedText(PERF, mutant, words), PROGRAM);
      let inFiles = 0;
      for (const samples of files.values())
        for (const { offset, cycles: each } of samples) {
          if (!(Number.isFinite(offset) && offset >= 0)) throw new Error(`offset ${offset}`);
          inFiles += each;
        }
      if (!(inFiles <= cycles)) throw new Error(`${inFiles} of ${cycles} cycles`);
    });
    expect(accepted).toBe(cases);
  });

  it('inputs of the action are read or refused', async () => {
    const names = [
      'working-directory',
      'targets',
      'command',
      'config',
      'comment',
      'artifact-name',
      'update-baseline',
    ];
    const value = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        'true',
        'FALSE',
        'always',
        'on-change',
        'a, b\nc',
        '../..',
        '/',
        '\0',
        '::error::x',
        '__proto__',
      ),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    const inputs = fc.dictionary(fc.constantFrom(...names), value);
    const { codes, accepted } = await fuzz(inputs, 400, (given) => {
      const read: Inputs = readInputs(
        (name) => (Object.hasOwn(given, name) ? given[name] : ''),
        { workspace: '/home/runner/work/x' },
        (path) => !path.includes('\0'),
      );
      if (!/^[0-9a-f]{16}$/.test(commentKey(read, '/home/runner/work/x'))) throw new Error('no key');
      if (read.source.kind === 'command' && read.targets.length > 0) throw new Error('two sources');
    });
    expect([...codes].sort()).toEqual(['input-invalid', 'inputs-conflict']);
    expect(accepted).toBeGreaterThan(20);
  });

  it('counts of a listing’s loops are read or refused', async () => {
    const good = ['{"L1": 10, "L2": 3}', '# counts\nlabel,count\nL1,10\nL2,3\n'];
    const words = ['L1', '-1', '1e3', '9007199254740993', ',', '"', '{', '}', 'null', '\n', '__proto__'];
    const text = listing('figure20.s');
    await fuzz(mutants(2), 300, async (mutant) => {
      const counts = readCounts(mutatedText(good[mutant.seed], mutant, words), 'counts');
      for (const count of counts.values())
        if (!Number.isSafeInteger(count)) throw new Error(`count ${count}`);
      const { bounds } = await boundListing(text, 'x.s', { counts });
      if (!(bounds.runTime !== undefined && bounds.runTime >= 0)) throw new Error(`RB ${bounds.runTime}`);
    });
  });
});
