import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { oracleMissing } from '../guest/builds.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf, SILENT } from '../guest/request.ts';

const SOURCE = fileURLToPath(new URL('../guest/programs/switches.c', import.meta.url));
const measure = measureWith(testMeasuring());

interface DebugSection {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/** The sections whose names start with .debug, as ranges of the file. */
function debugSections(bytes: Buffer): readonly DebugSection[] {
  const table = Number(bytes.readBigUInt64LE(0x28));
  const section = (index: number) => ({
    name: bytes.readUInt32LE(table + 64 * index),
    offset: Number(bytes.readBigUInt64LE(table + 64 * index + 24)),
    size: Number(bytes.readBigUInt64LE(table + 64 * index + 32)),
  });
  const names = section(bytes.readUInt16LE(0x3e)).offset;
  const nameAt = (at: number) => bytes.toString('latin1', at, bytes.indexOf(0, at));
  return Array.from({ length: bytes.readUInt16LE(0x3c) }, (_, index) => section(index))
    .map(({ name, offset, size }) => ({ name: nameAt(names + name), offset, size }))
    .filter(({ name }) => name.startsWith('.debug'));
}

describe.skipIf(oracleMissing('gcc'))('debug information that is corrupt', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-dwarf-'));
  const program = join(directory, 'program');
  let good: Buffer;
  let expected: Profile;

  let notes: readonly string[] = [];

  const measured = async (): Promise<Profile> => {
    const { profile, notes: said } = await measure(
      requestOf(program, directory, { chains: [RUN_CHAIN] }),
      SILENT,
    );
    notes = said;
    return profile!;
  };

  beforeAll(async () => {
    execFileSync('gcc', ['-std=gnu11', '-O1', '-g', '-static', '-o', program, SOURCE]);
    good = readFileSync(program);
    expected = await measured();
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is said in one sentence that names the program', async () => {
    expect(notes).toEqual([]);
    const bytes = Buffer.from(good);
    const lines = debugSections(good).find(({ name }) => name === '.debug_line')!;
    bytes.fill(0xff, lines.offset + 4, lines.offset + 40);
    writeFileSync(program, bytes);
    await measured();
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(
      /^source lines of .*program are incomplete: The line table at 0 of \.debug_line/,
    );
  });

  it('costs names and lines at most, never the measurement', async () => {
    const sections = debugSections(good);
    expect(sections.length).toBeGreaterThan(3);
    expect(expected.functions.some(({ line }) => line !== undefined)).toBe(true);
    const change = fc.record({
      section: fc.nat(sections.length - 1),
      place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      value: fc.oneof(fc.nat(255), fc.constant(255), fc.constant(128)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 30 }), async (changes) => {
        const bytes = Buffer.from(good);
        for (const { section, place, value } of changes)
          bytes[sections[section].offset + Math.floor(place * sections[section].size)] = value;
        writeFileSync(program, bytes);
        const { total, functions, chains } = await measured();
        expect(total).toEqual(expected.total);
        expect(functions.map(({ instructions, cycles }) => [instructions, cycles])).toEqual(
          expected.functions.map(({ instructions, cycles }) => [instructions, cycles]),
        );
        expect(chains[0].length).toBe(expected.chains[0].length);
      }),
      { numRuns: process.env.FULL === '1' ? 200 : 15, seed: 1 },
    );
  });
});
