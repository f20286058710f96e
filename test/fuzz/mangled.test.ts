import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demangle } from '../../src/host/demangle.ts';
import { BUILDS, compile } from '../corpus/builds.ts';
import { casesOf } from '../corpus/cases.ts';
import { oracleMissing } from '../guest/builds.ts';
import { fuzz, mutants, mutatedText } from './fuzz.ts';

describe.skipIf(oracleMissing('g++'))('mangled names', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-mangled-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('that are damaged come to an end, in a text of bounded length', async () => {
    const names: string[] = [];
    for (const program of casesOf('cpp').filter(({ name }) => /^(?:templates|lambdas|tuple)/.test(name))) {
      const output = await compile(program, BUILDS.cpp.find(({ name }) => name === 'O1')!, directory);
      const text = readFileSync(output, 'latin1');
      names.push(...[...text.matchAll(/_Z\w{4,}/g)].map(([name]) => name));
    }
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
    // After some names that it fails at, the demangler is not asked any more.
    expect(demangled).toBeGreaterThan(0);
  });
});
