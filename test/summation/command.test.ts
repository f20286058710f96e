import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doubleOf } from './dyadic.ts';
import { ask, BUILDS, build, EXAMPLE, type Programs, toolchainMissing } from './program.ts';

const SUMS = ['Sum', 'Sum2', 'DDSum', 'iFastSum', 'AccSum', 'FastAccSum', 'HybridSum', 'OnlineExactSum'];

/** Reads what %a writes. */
function parseHex(text: string): number {
  const parts = /^(-?)0x([01])(?:\.([0-9a-f]+))?p([+-]\d+)$/.exec(text);
  if (parts === null) throw new Error(`not a hexadecimal number: ${text}`);
  const [, sign, lead = '', fraction = '', exponent] = parts;
  const significand = Number.parseInt(lead + fraction, 16) * 2 ** (-4 * fraction.length);
  const power = Number(exponent);
  const value = significand * 2 ** Math.max(power, -1022) * 2 ** Math.min(power + 1022, 0);
  return sign === '-' ? -value : value;
}

describe.skipIf(toolchainMissing())('the summation command', () => {
  let programs: Programs;
  beforeAll(() => {
    programs = build();
  });
  afterAll(() => {
    rmSync(programs.directory, { recursive: true });
  });

  const run = (program: string, ...args: readonly string[]) => spawnSync(program, args, { encoding: 'utf8' });

  it('prints the same result in both builds, for every algorithm and both distributions', () => {
    for (const algorithm of [...SUMS, 'Dot', 'Horner', 'CompHorner', 'DDHorner']) {
      for (const distribution of ['dU', 'dD', 'dC']) {
        const [paper, o2] = BUILDS.map((name) =>
          run(programs.command[name], algorithm, '1000', distribution, '40'),
        );
        expect(paper?.status, algorithm).toBe(0);
        expect(paper?.stdout, algorithm).toMatch(/^-?0x1(\.[0-9a-f]+)?p[+-]\d+\n$/);
        expect(o2?.stdout, algorithm).toBe(paper?.stdout);
      }
    }
  });

  it('checks its result against an exact sum: no error beyond the rounding for the exact algorithms', () => {
    for (const algorithm of ['iFastSum', 'HybridSum', 'OnlineExactSum']) {
      for (const distribution of ['dU', 'dD', 'dC']) {
        const lines = run(
          programs.command.paper,
          algorithm,
          '10000',
          distribution,
          '500',
          '--check',
        ).stdout.split('\n');
        expect(lines[1]).toBe(`exact ${lines[0]}`);
        const error = parseHex(lines[2]!.replace('error ', ''));
        expect(Math.abs(error / parseHex(lines[0]!)), algorithm).toBeLessThanOrEqual(2 ** -53);
      }
    }
    const [result, exact] = run(programs.command.paper, 'Sum', '10000', 'dU', '500', '--check').stdout.split(
      '\n',
    );
    expect(exact).not.toBe(`exact ${result}`);
  });

  it('gives the first elements of d_D the exponent -DELTA/2 and the last one DELTA/2', () => {
    const exponent = (text: string): number => Math.floor(Math.log2(Math.abs(parseHex(text.trimEnd()))));
    expect(exponent(run(programs.command.o2, 'Sum', '1', 'dD', '600').stdout)).toBe(300);
    // From one element to two the last one moves: the first element is what the error of the sum says.
    const lines = run(programs.command.o2, 'Sum', '2', 'dD', '600', '--check').stdout.split('\n');
    expect(exponent(lines[0]!)).toBe(300);
    expect(exponent(lines[2]!.replace('error ', ''))).toBe(-300);
  });

  it('makes sums of d_C that cancel to the elements with the exponent -DELTA/2, of which Sum gets no digit', () => {
    for (const n of [1, 4, 5, 8, 1000]) {
      const text = run(programs.command.paper, 'OnlineExactSum', String(n), 'dC', '200').stdout;
      expect(Math.abs(parseHex(text.trimEnd())), `${n} elements`).toBeLessThan(4 * 2 ** -99);
      expect(Math.abs(parseHex(text.trimEnd()))).toBeGreaterThan(0);
    }
    const [result, exact] = run(programs.command.paper, 'Sum', '1000', 'dC', '200', '--check').stdout.split(
      '\n',
    );
    expect(Math.abs(parseHex(result!) / parseHex(exact!.replace('exact ', '')))).toBeGreaterThan(1e10);
  });

  it('refuses what it does not understand with status 2, and says how it is used', () => {
    const mistakes = [
      [],
      ['Sum'],
      ['Sum', '10'],
      ['Plus', '10', 'dU'],
      ['Sum', '-1', 'dU'],
      ['Sum', '', 'dU'],
      ['Sum', '10000001', 'dU'],
      ['Sum', '10', 'dX'],
      ['Sum', '10', 'dU', '3'],
      ['Sum', '10', 'dU', '1802'],
      ['Horner', '10', 'dU', '--check'],
      ['Sum', '10', 'dU', '10', '10'],
    ];
    for (const args of mistakes) {
      const { status, stdout, stderr } = run(programs.command.o2, ...args);
      expect(status, args.join(' ')).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^summation: .*\nusage: /);
    }
  });

  it('prints every double as text that reads back to the same bits', () => {
    const values = [1, -1.5, 2 ** -1074, -(2 ** -1030) * 3, Number.MAX_VALUE, 2 ** -1022, Math.PI];
    fc.assert(
      fc.property(
        fc
          .constantFrom(...values)
          .chain((v) => fc.oneof(fc.constant(v), fc.double({ noNaN: true, noDefaultInfinity: true }))),
        (value) => {
          fc.pre(value !== 0);
          const [text] = ask(programs.harness.o2, [{ name: 'Format', n: 1, values: [value] }]);
          expect(parseHex(text!)).toBe(value);
        },
      ),
    );
    const special = [0, -0, Infinity, -Infinity, doubleOf(0x7ff8000000000000n)].map((value) => ({
      name: 'Format',
      n: 1,
      values: [value],
    }));
    expect(ask(programs.harness.o2, special)).toEqual(['0x0p+0', '-0x0p+0', 'inf', '-inf', 'nan']);
  });

  it('holds no instruction beyond SSE2 in its own code, in both builds and in the prebuilt program', () => {
    const beyond =
      /\t(v[a-z]+|movddup|movs[hl]dup|lddqu|addsub\w+|h(add|sub)p[sd]|ph(add|sub)\w+|pabs[bwd]|palignr|pshufb|psign\w|pmaddubsw|pmulhrsw|pblend\w+|blend\w+|round[sp][sd]|dpp[sd]|pmov[sz]x\w+|ptest|pcmpeqq|pcmpgtq|crc32\w?|popcnt|[lt]zcnt|bextr|bls\w+|sarx|shlx|shrx|rorx|mulx|f?n?m(add|sub)\w+)\s/;
    const disassemble = (file: string): string =>
      execFileSync('objdump', ['-d', '--no-show-raw-insn', file], { encoding: 'utf8', maxBuffer: 1 << 26 });
    for (const name of BUILDS) {
      for (const object of [
        'sum',
        'ifastsum',
        'accsum',
        'fastaccsum',
        'hybridsum',
        'onlineexactsum',
        'summation',
        'data',
        'exact',
      ]) {
        const code = disassemble(join(programs.directory, name, `${object}.o`));
        expect(code).toMatch(/\tret/);
        expect(beyond.exec(code)?.[1], object).toBeUndefined();
      }
    }
    expect(beyond.exec(disassemble(join(EXAMPLE, 'prebuilt/summation')))?.[1]).toBeUndefined();
  });
});
