import { Decoder, DecoderOptions, type Instruction, Mnemonic } from 'iced-x86';
import { describe, expect, it } from 'vitest';
import { INTEGER_ROWS } from '../../src/x86/lift/rows.ts';
import { INTEGER_FORMS } from './integer-forms.ts';
import { runEmulated } from './native/emulated.ts';
import { hostExecutes } from './native/features.ts';
import { type Example, example, type Form } from './native/forms.ts';
import { Random } from './native/random.ts';
import { hasNativeOracle, runNative } from './native/runner.ts';
import { ALL_FLAGS, CODE_ADDRESS, FLAG_BITS, SEGMENT_INDEX, type State } from './native/state.ts';
import {
  hasUndefinedResult,
  isAddressApart,
  isComparable,
  isSystemCall,
  undefinedFlags,
} from './native/undefined.ts';

/** More cases: ILP_GATE_CASES=200 (a form); another draw: ILP_GATE_SEED=7. */
const CASES = Number(process.env.ILP_GATE_CASES ?? 12);
const SEED = Number(process.env.ILP_GATE_SEED ?? 1);

const integerForms = INTEGER_FORMS.filter((form) => isComparable(form) && hostExecutes(form));

describe.skipIf(!hasNativeOracle())('integer instructions on the host processor', () => {
  const tested = new Set(integerForms.map((form) => form.mnemonic));

  it('covers every integer row', () => {
    const left = new Set(
      INTEGER_FORMS.filter((form) => !isComparable(form) || !hostExecutes(form)).map((form) => form.mnemonic),
    );
    const missing = [...INTEGER_ROWS.keys()].filter((row) => !tested.has(row) && !left.has(row));
    expect(missing.map((row) => Mnemonic[row])).toEqual([]);
  });

  const examples = integerForms.flatMap((form) => draw(form));
  const after = runNative(examples);
  const results = new Map<string, { made: Example; native: State }[]>();
  examples.forEach((made, i) => {
    const mnemonic = Mnemonic[made.form.mnemonic];
    if (!results.has(mnemonic)) results.set(mnemonic, []);
    results.get(mnemonic)?.push({ made, native: after[i] });
  });

  for (const [mnemonic, cases] of results)
    it(`${mnemonic.toLowerCase()} does what the host does (${cases.length} cases, seed ${SEED})`, () => {
      const differences = cases
        .map(({ made, native }) => difference(made, native))
        .filter((text) => text !== '');
      expect(differences.slice(0, 3)).toEqual([]);
    });
});

function draw(form: Form): Example[] {
  const random = new Random(SEED * 100_003 + form.code);
  const made: Example[] = [];
  for (let attempts = 0; made.length < CASES && attempts < CASES * 20; attempts++) {
    const candidate = example(form, random);
    if (candidate !== undefined && isDefined(candidate)) made.push(candidate);
  }
  return made;
}

function isDefined({ code, before }: Example): boolean {
  const instruction = decode(code);
  return !hasUndefinedResult(instruction, before) && !isSystemCall(instruction);
}

function decode(code: Uint8Array): Instruction {
  const decoder = new Decoder(64, code, DecoderOptions.None);
  const instruction = decoder.decode();
  decoder.free();
  return instruction;
}

const NAMES = 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'.split(' ');
const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** Where our result differs from the host's, in words; empty if nowhere. */
function difference(made: Example, native: State): string {
  const instruction = decode(made.code);
  const ours = attempt(made);
  if (typeof ours === 'string') return `${made.text}: ${ours}`;
  const found: string[] = [];
  if (ours.signal !== native.signal) found.push(`signal ${ours.signal}, host ${native.signal}`);
  if (ours.taken !== native.taken) found.push(`taken ${ours.taken}, host ${native.taken}`);
  for (let i = 0; i < 16; i++)
    if (ours.gpr(i) !== native.gpr(i))
      found.push(`${NAMES[i]} ${hex(ours.gpr(i))}, host ${hex(native.gpr(i))}`);
  if (ours.rip !== native.rip && !isAddressApart(instruction))
    found.push(`rip ${hex(ours.rip)}, host ${hex(native.rip)}`);
  found.push(...segmentDifferences(ours, native));
  // Execution may also have gone where there is no code: the signal is the next instruction's.
  const completed = native.rip !== BigInt(CODE_ADDRESS);
  const defined = ALL_FLAGS & ~undefinedFlags(instruction, made.before);
  for (const [name, bit] of Object.entries(FLAG_BITS))
    if (completed && (ours.rflags ^ native.rflags) & defined & bit)
      found.push(`${name} ${ours.rflags & bit ? 1 : 0}, host ${native.rflags & bit ? 1 : 0}`);
  const at = ours.data.findIndex((byte, i) => byte !== native.data[i]);
  if (at >= 0) found.push(`data[${at}] ${hex(ours.data[at])}, host ${hex(native.data[at])}`);
  if (found.length === 0) return '';
  const registers = NAMES.map((name, i) => `${name}=${hex(made.before.gpr(i))}`).join(' ');
  return `${made.text} (${Buffer.from(made.code).toString('hex')}): ${found.join('; ')}; before: ${registers} flags=${hex(made.before.rflags)}`;
}

function segmentDifferences(ours: State, native: State): string[] {
  const found: string[] = [];
  for (const [name, index] of Object.entries(SEGMENT_INDEX) as [keyof typeof SEGMENT_INDEX, number][]) {
    const [selector, host] = [ours.selector(name), native.selector(name)];
    const isNull = selector < 4;
    // When an interrupt returns, a null selector loses its privilege level.
    if (selector !== host && !(isNull && host === 0))
      found.push(`${name} ${hex(selector)}, host ${hex(host)}`);
    // A null selector leaves the base on AMD's processors before Zen 2.
    const flat = 1 << (index - SEGMENT_INDEX.fs);
    if (!isNull && (ours.flat ^ native.flat) & flat) found.push(`${name} is flat: ${ours.flat & flat}`);
  }
  return found;
}

function attempt(made: Example): State | string {
  try {
    return runEmulated(made);
  } catch (error) {
    return `threw ${error}`;
  }
}
