import { Mnemonic } from 'iced-x86';
import { describe, expect, it } from 'vitest';
import { AVX_ROWS } from '../../src/x86/lift/sse.ts';
import { runEmulated } from './native/emulated.ts';
import { hasFeatures, hostExecutes } from './native/features.ts';
import { type Example, example, type Form, formsOf } from './native/forms.ts';
import { Random } from './native/random.ts';
import { runNative } from './native/runner.ts';
import { ALL_FLAGS, FX_MXCSR, type State } from './native/state.ts';
import { double, integers, Random as Operands, single } from './operands.ts';

/** Every VEX encoding with a row, on the host processor: values of all registers, both halves, flags and memory. */
const CASES = Number(process.env.ILP_GATE_CASES ?? 24);
const SEED = Number(process.env.ILP_GATE_SEED ?? 1);

const ROWS = new Set(AVX_ROWS.map(([mnemonic]) => mnemonic));
/** Processors differ in the last bits of these. */
const APPROXIMATE = new Set([Mnemonic.Vrcpps, Mnemonic.Vrcpss, Mnemonic.Vrsqrtps, Mnemonic.Vrsqrtss]);

const forms = formsOf((form) => form.vex && ROWS.has(form.mnemonic) && !APPROXIMATE.has(form.mnemonic));
const executed = forms.filter(hostExecutes);

describe.skipIf(!hasFeatures('avx'))('VEX encodings do what the processor does', () => {
  it(`in all registers and memory (${executed.length} forms, ${CASES} cases each, seed ${SEED})`, () => {
    const examples = executed.flatMap((form) => draws(form));
    const expected = runNative(examples.map(({ code, before }) => ({ code, before })));
    const found = examples.flatMap((made, i) => differences(made, expected[i]));
    expect(found.slice(0, 12)).toEqual([]);
    expect(examples.length).toBeGreaterThan(executed.length * CASES * 0.8);
  });

  it('and each row has an encoding that was compared', () => {
    const seen = new Set(forms.map(({ mnemonic }) => mnemonic));
    const missing = [...ROWS].filter((row) => !seen.has(row) && !APPROXIMATE.has(row));
    expect(missing.map((row) => Mnemonic[row])).toEqual([]);
  });
});

function draws(form: Form): Example[] {
  const random = new Random(SEED * 100_003 + form.code);
  const operands = new Operands(SEED * 7919 + form.code);
  return Array.from({ length: CASES }, () => {
    const made = example(form, random);
    if (made !== undefined && !/gather|maskmov/i.test(form.name)) fill(made, operands);
    return made;
  }).filter((made) => made !== undefined);
}

/** Numbers of interesting magnitude in vectors and memory, of one kind in each case. */
function fill({ before }: Example, random: Operands): void {
  const kind = random.below(3);
  const value = () =>
    kind === 0 ? double(random) : kind === 1 ? single(random) | (single(random) << 32n) : integers(random);
  const put = (bytes: Uint8Array) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + 8 <= bytes.length; at += 8) view.setBigUint64(at, value(), true);
  };
  for (let i = 0; i < 16; i++) {
    put(before.xmm(i));
    put(before.ymmHigh(i));
  }
  put(before.data);
  // Now and then two operands are equal.
  if (random.below(4) === 0) for (let i = 1; i < 16; i += 2) before.xmm(i).set(before.xmm(i - 1));
}

function differences(made: Example, host: State): string[] {
  let ours: State;
  try {
    ours = runEmulated(made);
  } catch (error) {
    return [`${made.text}: ${error}`];
  }
  const [expected, found] = [facts(host), facts(ours)];
  const keys = Object.keys(expected).filter((key) => expected[key] !== found[key]);
  if (keys.length === 0) return [];
  const before = facts(made.before);
  return [
    `${made.text}: ${keys.map((key) => `${key} is ${found[key]}, on the host ${expected[key]}, before ${before[key]}`).join('; ')}`,
  ];
}

function facts(state: State): Record<string, string> {
  const known: Record<string, string> = { signal: String(state.signal) };
  if (state.signal !== 0) return known;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).reverse().toString('hex');
  for (let i = 0; i < 16; i++) known[`r${i}`] = state.gpr(i).toString(16);
  for (let i = 0; i < 16; i++) {
    known[`xmm${i}`] = hex(state.xmm(i));
    known[`high${i}`] = hex(state.ymmHigh(i));
  }
  known.mxcsr = (state.fx.getUint32(FX_MXCSR, true) & ~0x3f).toString(16);
  known.flags = (state.rflags & ALL_FLAGS).toString(16);
  known.data = Buffer.from(state.data).toString('hex');
  return known;
}
