import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demangle } from '../../src/host/demangle.ts';
import { casesOf } from '../corpus/cases.ts';
import { oracleMissing } from '../guest/builds.ts';
import { fuzz, mutants, mutatedText } from './fuzz.ts';

describe.skipIf(oracleMissing('g++'))('mangled names', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-mangled-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('that are damaged come to an end, in a text of bounded length', async () => {
    const names = ['templates', 'lambdas', 'variant'].flatMap((part) => {
      const source = casesOf('cpp').find(({ name }) => name.includes(part))?.source;
      if (source === undefined) return [];
      const output = join(directory, part);
      execFileSync('g++', ['-std=c++20', '-O1', '-w', '-c', '-o', output, source]);
      return [
        ...Buffer.from(readFileSync(output))
          .toString('latin1')
          .matchAll(/_Z\w{4,}/g),
      ].map(([name]) => name);
    });
    names.push(
      '_RNvMs_NtCs1234_7mycrate3fooINtB4_3BarpE3new',
      '_RINvNtC3std3mem8align_ofjdE',
      '_ZN4core3ptr85drop_in_place$LT$alloc..vec..Vec$LT$u8$GT$$GT$17h0123456789abcdefE',
    );
    expect(names.length).toBeGreaterThan(100);
    const words = [
      'S_',
      'S0_',
      'T_',
      'I',
      'E',
      'J',
      'Dp',
      'N',
      'K',
      'P',
      'R',
      'FvvE',
      'L_Z',
      'X',
      'cv',
      'sr',
      'UlvE_',
      'B1',
      'IpE',
    ];
    let demangled = 0;
    await fuzz(mutants(names.length), 2000, (mutant) => {
      const name = mutatedText(names[mutant.seed], mutant, words);
      const text = demangle(name);
      if (text !== name) demangled++;
      if (text.length > 2 ** 15) throw new Error(`${text.length} characters`);
    });
    expect(demangled).toBeGreaterThan(50);
  });
});
