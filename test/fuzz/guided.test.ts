import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { parseImage } from '../../src/elf/parse.ts';
import { oracleMissing } from '../guest/builds.ts';
import { guided } from './guided.ts';
import { readAll } from './read-all.ts';

/** GUIDED=100000 reads so many programs; GUIDED_SEED draws others. */
const CASES = Number(process.env.GUIDED ?? 300);
const SEED = Number(process.env.GUIDED_SEED ?? 1);

const SOURCE = `
static inline int twice(int x) { return x * 2; }
struct pair { int a; const char *b; };
int value(const struct pair *p) { return twice(p->a) + (p->b != 0); }
int main(void) { struct pair p = {3, "x"}; return value(&p); }
`;

describe.skipIf(oracleMissing('gcc', 'clang'))('guided by what they reach', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-guided-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('damaged programs are read or refused', { timeout: 36_000_000 }, () => {
    writeFileSync(join(directory, 'small.c'), SOURCE);
    const small = ['-O1', '-nostdlib', '-Wl,--build-id=none'];
    const builds = [
      ['gcc', '-g', '-shared', '-fPIC', ...small],
      ['gcc', '-g', '-gdwarf-4', '-static', '-emain', ...small],
      ['gcc', '-g', '-gz', '-static', '-emain', ...small],
      ['clang', '-g', '-shared', '-fPIC', ...small],
    ];
    const seeds = builds.map(([compiler, ...flags]) => {
      execFileSync(compiler, [...flags, '-o', 'small', 'small.c'], { cwd: directory, stdio: 'pipe' });
      return new Uint8Array(readFileSync(join(directory, 'small')));
    });
    let accepted = 0;
    const { kept, traits } = guided(seeds, '/src/elf/', CASES, SEED, (bytes) => {
      try {
        readAll(parseImage('program', bytes));
        accepted++;
      } catch (problem) {
        if (!(problem instanceof Failure)) throw problem;
      }
    });
    if (process.env.GUIDED !== undefined)
      console.log(`${CASES} cases, ${accepted} of them read; ${kept} inputs kept for ${traits} traits`);
    expect(accepted).toBeGreaterThan(CASES / 10);
    // It has learnt something.
    expect(kept).toBeGreaterThan(seeds.length);
  });
});
