import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { diffProfiles } from '../../src/diff/diff-profiles.ts';
import { CODE_ADDRESS, symbolSections, tinyElf } from '../../src/elf/fixtures/tiny-elf.ts';
import { judge } from '../../src/gate/judge.ts';
import type { GateResult } from '../../src/gate/result.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { readProfile } from '../../src/profile/read.ts';
import { writeProfile } from '../../src/profile/write.ts';
import { sourceNotes } from '../../src/report/annotate.ts';
import { profileReport } from '../../src/report/html/profile-report.ts';
import { verdictReport } from '../../src/report/html/verdict-report.ts';
import { jsonReport } from '../../src/report/json.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { NO_PAINT } from '../../src/report/ports.ts';
import { measureSummary } from '../../src/report/summary.ts';
import { textReport } from '../../src/report/text.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf, SILENT } from '../guest/request.ts';

const NAMES = [
  'a\nb',
  '\n::error file=x::boom',
  '::set-output name=x::y',
  '##[error]boom',
  '%0A::error::x',
  '\u001b[31mred\u001b[0m',
  '\u009b2J',
  '\u202egnp.exe',
  '\u200b\u2066x\u2069',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</details></table>',
  '`` `code` ```',
  '| a | b |',
  '@octocat #1 GH-1 https://example.com',
  '[x](javascript:alert(1))',
  '{{x}}{%y%}',
  'a,b;c"d\'e',
  '\r\ttab',
  '__proto__',
  'constructor',
  '\ufffd\uffff',
  'run',
  '*',
  '_ZN3geo3sumEi',
  '_ZNotMangled\n::error::',
  'long'.repeat(2 ** 18),
];

const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-names-'));
afterAll(() => rmSync(directory, { recursive: true }));
const program = join(directory, 'program');

/** Calls a function of each name, `nops` instructions long, and exits. */
function build(nops: number): void {
  const size = nops + 1;
  const first = 5 * NAMES.length + 16;
  const code = NAMES.flatMap((_, i) => {
    const distance = first + i * size - (i + 1) * 5;
    return [0xe8, distance & 0xff, (distance >> 8) & 0xff, 0, 0];
  });
  code.push(0xb8, 60, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05);
  while (code.length < first) code.push(0x90);
  for (const _ of NAMES) code.push(...Array<number>(nops).fill(0x90), 0xc3);
  const symbols = NAMES.map((name, i) => ({ name, address: CODE_ADDRESS + first + i * size, size }));
  const bytes = tinyElf(symbolSections(symbols, 3));
  bytes.set(code, 0x1000);
  writeFileSync(program, bytes, { mode: 0o755 });
}

async function profile(nops: number): Promise<Profile> {
  build(nops);
  const { profile: found } = await measureWith(testMeasuring())(
    requestOf(program, directory, {
      functions: NAMES.slice(0, 8),
      chains: [RUN_CHAIN, ...NAMES.slice(0, 8)],
    }),
    SILENT,
  );
  return found!;
}

/** What a terminal, a log or a reader takes for something else than text. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\p{Cs}]/u;

function isHarmless(text: string): void {
  for (const line of text.split('\n')) {
    expect(line).not.toMatch(UNSEEN);
    expect(line).not.toMatch(/^\s*::/);
  }
}

describe('functions with hostile names', () => {
  let base: Profile;
  let head: Profile;
  let result: GateResult;
  beforeAll(async () => {
    base = await profile(3);
    head = await profile(9);
    const verdict = judge(diffProfiles(base, head), [{}], []);
    result = { targets: [{ kind: 'judged', target: 'names', verdict }] };
  });

  it('are in the profile as they are, and are read back', () => {
    const known = new Set(head.functions.map(({ name }) => name));
    const expected = NAMES.slice(0, -1).map((name) => (name === '_ZN3geo3sumEi' ? 'geo::sum(int)' : name));
    expect(
      [...known].filter((name) => name.startsWith('longlong')).map((name) => name.length < 5000),
    ).toEqual([true]);
    expect(expected.filter((name) => !known.has(name))).toEqual([]);
    expect(readProfile(writeProfile(head), 'p.json')).toEqual(head);
  });

  it('do nothing in a summary or a report, as text or Markdown', () => {
    for (const text of [measureSummary(head, NO_PAINT), textReport(result, NO_PAINT)]) {
      isHarmless(text);
      expect(text).not.toContain('##[');
    }
    const markdown = markdownReport(result);
    isHarmless(markdown);
    expect(markdown.length).toBeLessThan(65_536);
    // Outside of code, no HTML but our own.
    const outside = markdown.replace(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, '');
    expect(outside).not.toMatch(/<script|<img|javascript:|@octocat/);
  });

  it('do nothing in pages', () => {
    for (const page of [profileReport(head), verdictReport(result)]) {
      expect(page).not.toMatch(/<script>alert|<img src=x|<\/details><\/table>/);
      expect(page.replaceAll('\n', '')).not.toMatch(UNSEEN);
    }
  });

  it('are data in JSON and in annotations', () => {
    JSON.parse(jsonReport(result));
    for (const { message, file } of sourceNotes(result)) {
      expect(message.split('\n').filter((line) => /^\s*::/.test(line))).toEqual([]);
      expect(file ?? '').not.toMatch(/\n/);
    }
  });
});
