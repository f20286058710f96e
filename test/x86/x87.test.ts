import { Mnemonic } from 'iced-x86';
import { describe, expect, test } from 'vitest';
import type { AbstractMachine } from '../../src/ir/interpreter.ts';
import { helperFunctions } from '../../src/translate/lowering/helper-functions.ts';
import { HELPERS } from '../../src/x86/helpers.ts';
import { X87_ROWS } from '../../src/x86/lift/x87.ts';
import { assemble, mnemonicOf } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { hasNativeOracle, type NativeCase, runNative } from './native/runner.ts';
import { ALL_FLAGS, DATA_ADDRESS, FX_CONTROL, FX_STATUS, FX_TAGS, State } from './native/state.ts';
import { double, extended, integers, Random, single } from './operands.ts';

/** What is at [rdi]. */
type Fill = (random: Random, state: State) => void;

const words =
  (next: (random: Random) => bigint): Fill =>
  (random, state) =>
    new DataView(state.data.buffer, state.data.byteOffset, 8).setBigUint64(0, next(random), true);

function setExtended(bytes: Uint8Array, { significand, head }: { significand: bigint; head: number }): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 10);
  view.setBigUint64(0, significand, true);
  view.setUint16(8, head, true);
}

const extendedAtData: Fill = (random, state) => setExtended(state.data, extended(random));

const decimalAtData: Fill = (random, state) => {
  for (let i = 0; i < 9; i++) state.data[i] = random.below(10) | (random.below(10) << 4);
  state.data[9] = random.below(2) << 7;
};

/** All exceptions masked; every precision and rounding; a stack that mostly holds what the instruction needs. */
function randomState(random: Random, fill: Fill): State {
  const state = State.initial();
  const { fx } = state;
  fx.setUint16(FX_CONTROL, 0x7f | (random.below(16) << 8), true);
  const top = random.below(8);
  fx.setUint16(
    FX_STATUS,
    (random.below(128) & 0x7f) | (top << 11) | (random.below(16) & 0x7 ? 0 : 0x4700),
    true,
  );
  fx.setUint8(FX_TAGS, random.below(6) === 0 ? random.below(256) : 0xff & ~(1 << ((top + 7) & 7)));
  const first = extended(random);
  for (let i = 0; i < 8; i++)
    setExtended(state.st(i), i === 0 ? first : extended(random, first.head & 0x7fff));
  if (random.below(8) === 0) state.st(1).set(state.st(0));
  fill(random, state);
  state.setGpr(7, BigInt(DATA_ADDRESS));
  state.rflags = 0x202 | (Number(random.bits()) & 0x8d5);
  return state;
}

/** Instructions that define C0, C2 and C3, or keep all condition codes. */
const DEFINING = /^(f[ui]?com[p ]|fu?compp|ftst|fxam|fprem|fninit|fnst|fnop|fwait)/;

/** Condition codes that are undefined after an instruction, or on which vendors' manuals differ. */
function undefinedConditions(line: string, after: State): number {
  if (/^(ffree|fldcw|fnclex)/.test(line)) return 0x4700;
  // The SDM clears C1, AMD's manual leaves it alone.
  if (/^(fu?comi|fcmov)/.test(line)) return 0x4700;
  // Of a sequence, the last instruction that writes condition codes decides.
  if (line.includes(';')) return 0x4700;
  if (!DEFINING.test(line)) return 0x4500;
  // C0 and C3, when there is no quotient: the result is a NaN.
  const top = new DataView(after.st(0).buffer, after.st(0).byteOffset, 10);
  const nan = (top.getUint16(8, true) & 0x7fff) === 0x7fff && top.getBigUint64(0, true) << 1n !== 1n << 64n;
  return line.startsWith('fprem') && nan ? 0x4100 : 0;
}

function summary(state: State, ignoredConditions = 0): Record<string, string> {
  const status = state.fx.getUint16(FX_STATUS, true);
  const facts: Record<string, string> = {
    signal: String(state.signal),
    control: state.fx.getUint16(FX_CONTROL, true).toString(16),
    top: String((status >> 11) & 7),
    conditions: (status & 0x4700 & ~ignoredConditions).toString(16),
    exceptions: (status & 0x7f).toString(16),
    tags: state.fx.getUint8(FX_TAGS).toString(2),
    ax: state.gpr(0).toString(16),
    flags: (state.rflags & ALL_FLAGS).toString(16),
    data: Buffer.from(state.data.subarray(0, 128)).toString('hex'),
  };
  for (let i = 0; i < 8; i++) facts[`st${i}`] = Buffer.from(state.st(i)).reverse().toString('hex');
  return facts;
}

function describeState(state: State): string {
  const { control, top, tags, conditions, data, ...rest } = summary(state);
  return JSON.stringify({
    control,
    top,
    tags,
    conditions,
    st0: rest.st0,
    st1: rest.st1,
    data: data.slice(0, 20),
  });
}

/** Mnemonics of all instructions compared with the processor so far. */
const compared = new Set<Mnemonic>();

/** The helpers as generated code calls them: their common cases are WebAssembly. */
const COMPILED: AbstractMachine['helpers'] = new Map(
  [...HELPERS.keys()].map((name) => {
    const run = helperFunctions(true)[name] as (
      ...args: (number | bigint)[]
    ) => number | bigint | (number | bigint)[];
    return [name, { run: (...args) => [run(...args)].flat() }];
  }),
);

/** Runs every line on random states here and there. */
function compare(
  lines: readonly string[],
  fill: Fill = words(integers),
  cases = 150,
  instructions = 1,
): void {
  const random = new Random(lines.length);
  const code = assemble(lines);
  for (const bytes of code) compared.add(mnemonicOf(bytes));
  const all: NativeCase[] = code.flatMap((bytes) =>
    Array.from({ length: cases }, () => ({ code: bytes, before: randomState(random, fill) })),
  );
  const expected = runNative(all);
  for (const helpers of [HELPERS, COMPILED])
    expect(differences(all, expected, lines, instructions, helpers)).toEqual({});
}

/** By line, the first of its cases that the host does otherwise. */
function differences(
  all: readonly NativeCase[],
  expected: readonly State[],
  lines: readonly string[],
  instructions: number,
  helpers: AbstractMachine['helpers'],
): Record<string, string> {
  const failures = new Map<string, string>();
  all.forEach((one, i) => {
    const line = lines[Math.floor((i * lines.length) / all.length)];
    if (failures.has(line)) return;
    const ignored = undefinedConditions(line, expected[i]);
    const ours = summary(runEmulated(one, instructions, helpers), ignored);
    const host = summary(expected[i], ignored);
    const differing = Object.keys(host).filter((key) => host[key] !== ours[key]);
    if (differing.length > 0)
      failures.set(
        line,
        `${differing.map((key) => `${key} is ${ours[key]}, on the host ${host[key]}`).join('; ')}; before: ${describeState(one.before)}`,
      );
  });
  return Object.fromEntries(failures);
}

const each = (names: string, ...forms: string[]): string[] =>
  names.split(' ').flatMap((name) => forms.map((form) => `${name} ${form}`));

describe.skipIf(!hasNativeOracle())('x87 instructions do what the processor does', () => {
  test('loads of single and double precision', () => {
    compare(['fld dword ptr [rdi]'], words(single), 1500);
    compare(['fld qword ptr [rdi]'], words(double), 1500);
  });

  test('loads and stores of ten bytes, integers and decimals', () => {
    compare(['fld tbyte ptr [rdi]'], extendedAtData, 500);
    compare(each('fild', 'word ptr [rdi]', 'dword ptr [rdi]', 'qword ptr [rdi]'), words(integers), 500);
    compare(['fbld tbyte ptr [rdi]'], decimalAtData, 500);
    compare(['fstp tbyte ptr [rdi]', 'fbstp tbyte ptr [rdi]'], words(integers), 800);
  });

  test('stores that round', () => {
    compare(each('fst fstp', 'dword ptr [rdi]', 'qword ptr [rdi]'), words(integers), 1500);
    compare(
      [
        ...each('fist fistp', 'word ptr [rdi]', 'dword ptr [rdi]'),
        'fistp qword ptr [rdi]',
        ...each('fisttp', 'word ptr [rdi]', 'dword ptr [rdi]', 'qword ptr [rdi]'),
      ],
      words(integers),
      800,
    );
  });

  test('moves between registers, signs and constants', () => {
    compare([
      ...each('fld', 'st(0)', 'st(1)', 'st(6)', 'st(7)'),
      ...each('fst fstp', 'st(0)', 'st(1)', 'st(3)', 'st(7)'),
      // fstpnce
      ...[0, 1, 3, 7].map((i) => `.byte 0xd9, ${0xd8 + i}`),
      ...each('fxch', 'st(0)', 'st(1)', 'st(5)'),
      'fchs',
      'fabs',
      ...'fld1 fldz fldpi fldl2e fldl2t fldlg2 fldln2'.split(' '),
      ...each('fcmovb fcmove fcmovbe fcmovu fcmovnb fcmovne fcmovnbe fcmovnu', 'st, st(1)', 'st, st(4)'),
    ]);
  });

  test('addition, subtraction, multiplication and division of registers', () => {
    compare(each('fadd fsub fsubr fmul fdiv fdivr', 'st, st(1)', 'st(1), st', 'st, st(0)'), undefined, 1500);
    compare(each('faddp fsubp fsubrp fmulp fdivp fdivrp', 'st(1), st', 'st(2), st'), undefined, 500);
  });

  test('arithmetic with memory', () => {
    compare(each('fadd fsub fsubr fmul fdiv fdivr', 'dword ptr [rdi]'), words(single), 500);
    compare(each('fadd fsub fsubr fmul fdiv fdivr', 'qword ptr [rdi]'), words(double), 500);
    compare(
      each('fiadd fisub fisubr fimul fidiv fidivr', 'word ptr [rdi]', 'dword ptr [rdi]'),
      words(integers),
      500,
    );
  });

  test('square root, rounding, scaling, remainders and parts', () => {
    compare(['fsqrt', 'frndint', 'fscale', 'fprem', 'fprem1', 'fxtract'], undefined, 1500);
  });

  test('comparisons', () => {
    compare(
      [
        ...each('fcom fcomp fucom fucomp', 'st(1)', 'st(0)', 'st(3)'),
        'fcompp',
        'fucompp',
        'ftst',
        'fxam',
        ...each('fcomi fcomip fucomi fucomip', 'st, st(1)', 'st, st(0)', 'st, st(5)'),
      ],
      undefined,
      500,
    );
    compare(each('fcom fcomp', 'dword ptr [rdi]'), words(single), 500);
    compare(each('fcom fcomp', 'qword ptr [rdi]'), words(double), 500);
    compare(each('ficom ficomp', 'word ptr [rdi]', 'dword ptr [rdi]'), words(integers), 500);
  });

  test('control and status', () => {
    compare([
      'fnstcw word ptr [rdi]',
      'fnstsw word ptr [rdi]',
      'fnstsw ax',
      'fnclex',
      'fninit',
      'fincstp',
      'fdecstp',
      ...each('ffree ffreep', 'st(0)', 'st(3)'),
      'fnop',
      'fwait',
      'emms',
      // fneni, fndisi, fnsetpm
      ...['0xdb, 0xe0', '0xdb, 0xe1', '0xdb, 0xe4'].map((bytes) => `.byte ${bytes}`),
    ]);
    compare(
      ['fldcw word ptr [rdi]'],
      words((random) => 0x3fn | (random.bits() & 0xffffn)),
    );
  });

  test('sequences in one block, through pushes and pops', () => {
    const random = new Random(11);
    const parts = [
      ...[
        'fld qword ptr [rdi]',
        'fld dword ptr [rdi + 8]',
        'fild word ptr [rdi]',
        'fstp tbyte ptr [rdi + 16]',
      ],
      ...[
        'fstp qword ptr [rdi + 32]',
        'fld st(1)',
        'fxch st(2)',
        'faddp st(1), st',
        'fmul st, st(1)',
        'fld1',
      ],
      ...[
        'fchs',
        'fsqrt',
        'fdivrp st(2), st',
        'fstp st(0)',
        'fincstp',
        'ffree st(0)',
        'fistp dword ptr [rdi + 40]',
      ],
      ...['fcomip st, st(1)', 'fucompp', 'fnstcw word ptr [rdi + 48]', 'fxam', 'fldz'],
    ];
    const sequences = Array.from({ length: 500 }, () =>
      Array.from({ length: 6 }, () => random.pick(parts)).join('; '),
    );
    compare(sequences, words(double), 12, 6);
  });

  test('every row was compared', () => {
    const elsewhere = ['F2xm1', 'Fyl2x', 'Fyl2xp1', 'Fpatan', 'Fsin', 'Fcos'];
    const missing = X87_ROWS.map(([mnemonic]) => mnemonic).filter((mnemonic) => !compared.has(mnemonic));
    expect(missing.map((mnemonic) => Mnemonic[mnemonic]).sort()).toEqual(elsewhere.sort());
  });

  test("saving the state stores what the processor stores, but the last instruction's pointers", () => {
    const random = new Random(3);
    // Byte ranges of the image that hold pointers, or that processors fill in their own way.
    const fxsave = [
      [6, 24],
      [28, 32],
    ];
    const forms = { fnstenv: [[12, 28]], fnsave: [[12, 28]], fxsave, fxsave64: fxsave };
    for (const [name, ignored] of Object.entries(forms)) {
      const [code] = assemble([`${name} [rdi + rsi * 8 + 16]`]);
      const cases = Array.from({ length: 200 }, () => {
        const before = randomState(random, words(integers));
        before.setGpr(6, 4n);
        return { code, before };
      });
      const expected = runNative(cases);
      cases.forEach((one, i) => {
        const ours = runEmulated(one);
        for (const state of [ours, expected[i]])
          for (const [from, to] of ignored) state.data.fill(0, 48 + from, 48 + to);
        expect(Buffer.from(ours.data).toString('hex'), name).toBe(
          Buffer.from(expected[i].data).toString('hex'),
        );
        expect(summary(ours), name).toEqual(summary(expected[i]));
      });
    }
  });

  test('restoring the state loads what the processor loads', () => {
    const random = new Random(4);
    for (const [save, restore] of [
      ['fnstenv', 'fldenv'],
      ['fnsave', 'frstor'],
      ['fxsave', 'fxrstor'],
      ['fxsave64', 'fxrstor64'],
    ]) {
      const [stored, loaded] = assemble([`${save} [rdi]`, `${restore} [rdi]`]);
      const images = runNative(
        Array.from({ length: 200 }, () => ({ code: stored, before: randomState(random, words(integers)) })),
      );
      const cases = images.map((image) => {
        const before = randomState(random, words(integers));
        before.data.set(image.data);
        return { code: loaded, before };
      });
      const expected = runNative(cases);
      cases.forEach((one, i) => {
        expect(summary(runEmulated(one)), restore).toEqual(summary(expected[i]));
      });
    }
  });
});
