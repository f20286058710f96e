import { Decoder, DecoderOptions, type Instruction, Mnemonic, OpKind } from 'iced-x86';
import { describe, expect, it } from 'vitest';
import { MMX_ROWS } from '../../src/x86/lift/mmx.ts';
import { AVX_ROWS, EXTENSION_ROWS, SSE_ROWS } from '../../src/x86/lift/sse.ts';
import { type Effects, icedEffects, liftedEffects } from './effects.ts';
import { liftCase } from './native/emulated.ts';
import { type Example, example, type Form, formsOf } from './native/forms.ts';
import { Random } from './native/random.ts';

const CASES = Number(process.env.ILP_GATE_CASES ?? 12);
const ROWS = new Set(
  [...SSE_ROWS, ...EXTENSION_ROWS, ...AVX_ROWS, ...MMX_ROWS].map(([mnemonic]) => mnemonic),
);

/** Selectors that name the halves of 256 bits to read: other halves are no sources, though iced has them all. */
const BY_SELECTOR =
  /^VEX_V(perm(q|pd)_ymm_ymmm256_imm8|perm2[fi]128|(insert|extract)[fi]128|p?blend(d|ps|pd|w)_ymm)/;

const FORMS = formsOf((form) => ROWS.has(form.mnemonic) && !form.string && !BY_SELECTOR.test(form.name));

/** Rule 4's closed list, on one register twice. */
const IDIOM = /^V?(Pxor|Xorp[sd]|Psub\w+|Pcmp(eq|gt)[bwdq]|Pandn|Andnp[sd])$/i;

describe('sources and destinations of vector instructions', () => {
  it(`are those that iced reports, corrected by rule 4 (${FORMS.length} forms)`, () => {
    expect(FORMS.flatMap(differences).slice(0, 5)).toEqual([]);
  });
});

function differences(form: Form): string[] {
  const random = new Random(form.code);
  const made = Array.from({ length: CASES }, () => example(form, random)).filter(
    (each) => each !== undefined,
  );
  return made.map(difference).filter((text) => text !== '');
}

function difference(made: Example): string {
  const block = liftCase(made);
  if (block.instructions.length === 0) return '';
  const decoder = new Decoder(64, made.code, DecoderOptions.None);
  const instruction = decoder.decode();
  const expected = show(corrected(icedEffects(instruction), instruction), instruction);
  const lifted = show(liftedEffects(block), instruction);
  decoder.free();
  instruction.free();
  return lifted === expected ? '' : `${made.text}: ${lifted}, expected ${expected}`;
}

function corrected(iced: Effects, instruction: Instruction): Effects {
  if (isIdiom(instruction)) return { ...iced, sources: [] };
  switch (instruction.mnemonic) {
    case Mnemonic.Vzeroupper: {
      const destinations = iced.destinations.filter((name) => name.startsWith('ymm'));
      return { sources: [], destinations, loads: [], stores: [] };
    }
    case Mnemonic.Clflush:
      // Evicts a line, reads none of its bytes.
      return { ...iced, loads: [] };
    default:
      return iced;
  }
}

/** The sources are the last two operands, of which the first is also the destination without VEX. */
function isIdiom(instruction: Instruction): boolean {
  if (!IDIOM.test(Mnemonic[instruction.mnemonic])) return false;
  const last = instruction.opCount - 1;
  const [x, y] = [last - 1, last].map((k) =>
    instruction.opKind(k) === OpKind.Register ? instruction.opRegister(k) : -k,
  );
  return x === y;
}

/** Lanes are accessed one by one where a mask chooses them: all together they are the operand. Gathers' are not in iced. */
function accesses(sizes: readonly number[], instruction: Instruction): string[] {
  const name = Mnemonic[instruction.mnemonic];
  if (/^Vp?gather/.test(name)) return [];
  const isMasked = /^Vp?maskmov/.test(name) && sizes.length > 0;
  return (isMasked ? [sizes.reduce((sum, size) => sum + size)] : sizes).map((size) => `[${size}]`);
}

/** iced knows no MXCSR: sse-dependences.test.ts has examples of what it governs. */
function show({ sources, destinations, loads, stores }: Effects, instruction: Instruction): string {
  const read = [...sources.filter((name) => name !== 'mxcsr'), ...accesses(loads, instruction)];
  return `${read.join(' ')} -> ${[...destinations, ...accesses(stores, instruction)].join(' ')}`;
}
