import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/base/failure.ts';
import { RUN_CHAIN } from '../../src/base/run-chain.ts';
import { CODE_ADDRESS, tinyElf } from '../../src/elf/fixtures/tiny-elf.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import { oracleMissing } from '../guest/builds.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf, SILENT } from '../guest/request.ts';
import { fuzz, mutantsInPlace, mutated } from './fuzz.ts';

const measure = measureWith(testMeasuring());

/** Beside the program lies a file that it was not given; no program may write, even where it tries. */
const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-programs-'));
const program = join(directory, 'program');
const canary = join(directory, 'canary');
afterAll(() => rmSync(directory, { recursive: true }));
beforeAll(() => writeFileSync(canary, 'sings'));

const ends = new Map<string, number>();

async function runs(bytes: Uint8Array, fuel = 50_000): Promise<void> {
  writeFileSync(program, bytes, { mode: 0o755 });
  chmodSync(program, 0o755);
  const { exit, profile } = await measure(
    requestOf(program, directory, { args: [canary], depth: 3, chains: [RUN_CHAIN], fuel }),
    SILENT,
  );
  const end = exit.kind === 'exit' ? 'exit' : `signal ${exit.signal}`;
  ends.set(end, (ends.get(end) ?? 0) + 1);
  expect(profile !== undefined).toBe(exit.kind === 'exit');
}

function isUntouched(): void {
  expect(readdirSync(directory).sort()).toEqual(['canary', 'program']);
  expect(readFileSync(canary, 'utf8')).toBe('sings');
  expect(statSync(canary).mode & 0o777).toBe(0o644);
}

function withCode(code: readonly number[]): Uint8Array {
  const bytes = tinyElf();
  bytes.set(code, 0x1000);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(24, BigInt(CODE_ADDRESS), true);
  // All of it may be read, written and executed.
  view.setUint32(64 + 4, 7, true);
  return bytes;
}

/** Pieces of code that lead somewhere, among the noise. */
const PIECES: readonly (readonly number[])[] = [
  [0x0f, 0x05], // syscall
  [0xb8, 0x3c, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05], // exit(0)
  [0x48, 0x8d, 0x3d, 0, 0, 0, 0], // lea rdi, [rip]
  [0x54, 0x5f], // rdi = rsp
  [0xeb, 0xf0], // jump back
  [0x74, 0x10],
  [0xe8, 0, 0, 0, 0], // call what follows
  [0xc3],
  [0xff, 0xe0], // jmp rax
  [0xff, 0xd4], // call rsp
  [0xf3, 0xaa], // rep stosb
  [0xf3, 0xa4],
  [0x48, 0xc7, 0xc1, 0xff, 0xff, 0xff, 0x7f], // rcx = 2^31 - 1
  [0xc6, 0x05, 0, 0, 0, 0, 0xcc], // write to the code that follows
  [0x48, 0x81, 0xec, 0, 0, 0x10, 0], // sub rsp, 1 MiB
  [0x50],
  [0x9d], // popf
  [0xcd, 0x80],
  [0xf0],
  [0x66],
  [0x64],
];
/** Numbers of system calls are small: mmap, open, fork and the others. */
const callOf = fc.nat(450).map((number) => [0xb8, number & 0xff, number >> 8, 0, 0, 0x0f, 0x05]);
const noise = fc.array(fc.nat(255), { minLength: 1, maxLength: 8 });
const code = fc
  .array(fc.oneof(noise, fc.constantFrom(...PIECES), callOf), { minLength: 1, maxLength: 40 })
  .map((pieces) => pieces.flat());

describe('random bytes as a program', () => {
  it('end by themselves, by a signal, by a refusal or when the fuel is spent', async () => {
    await fuzz(code, 50, (each) => runs(withCode(each)));
    isUntouched();
    expect([...ends.keys()]).toEqual(expect.arrayContaining(['exit', 'signal 11', 'signal 4']));
  });
});

describe('a program that', () => {
  const ended = (each: readonly number[]) =>
    runs(withCode(each), 3_000_000).then(
      () => 'ended',
      (problem: Failure) => problem.code,
    );

  it.each([
    ['never ends', [0xeb, 0xfe], 'fuel-spent'],
    ['calls itself for ever', [0xe8, 0xfb, 0xff, 0xff, 0xff], 'ended'],
    ['pushes for ever', [0x50, 0xeb, 0xfd], 'ended'],
    ['jumps into the void', [0x48, 0xc7, 0xc0, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xe0], 'ended'],
    ['overwrites its next instruction', [0xc6, 0x05, 1, 0, 0, 0, 0xf4, 0x90, 0x90], 'ended'],
    // mov ecx, 0x10000; again: inc byte [operand]; add eax, operand; loop again; hlt
    [
      'changes its loop',
      [0xb9, 0, 0, 1, 0, 0xfe, 0x05, 1, 0, 0, 0, 0x05, 0, 0, 0, 0, 0xe2, 0xf3, 0xf4],
      'ended',
    ],
  ] as const)('%s is ended', async (_, each, end) => {
    expect(await ended(each)).toBe(end);
    isUntouched();
  });
});

const SOURCE = `
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }
int main(int c, char **v) {
  char *p = malloc(100);
  FILE *f = fopen(v[1], "r+");
  if (f != NULL) fputs("x", f), fclose(f);
  memset(p, c, 100);
  printf("%d %d\\n", depth(8), p[c]);
  return 0;
}
`;

describe.skipIf(oracleMissing('musl-gcc'))('a program that was changed', () => {
  it('ends somehow, and touches nothing', async () => {
    const path = join(tmpdir(), `ilp-gate-changed-${process.pid}.c`);
    writeFileSync(path, SOURCE);
    execFileSync('musl-gcc', ['-O1', '-static', '-o', program, path]);
    rmSync(path);
    const good = new Uint8Array(readFileSync(program));
    await fuzz(mutantsInPlace(1), 40, (mutant) => runs(mutated(good, mutant), 2_000_000));
    isUntouched();
  });
});
