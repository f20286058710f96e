import { Mnemonic } from 'iced-x86';
import { describe, expect, it } from 'vitest';
import { runEmulated } from './native/emulated.ts';
import { example, type Form, formsOf } from './native/forms.ts';
import { Random } from './native/random.ts';
import { hasNativeOracle, type NativeCase, runNative } from './native/runner.ts';
import { ALL_FLAGS, FLAG_BITS, type State } from './native/state.ts';

const CASES = Number(process.env.ILP_GATE_CASES ?? 12) * 250;
const SEED = Number(process.env.ILP_GATE_SEED ?? 1);

const named = (names: string): Form[] => {
  const wanted = new Set(names.split(' '));
  return formsOf((form) => wanted.has(Mnemonic[form.mnemonic]) && !/Sreg|_cr|_dr|moffs/.test(form.name));
};

/** Their flags are all defined, but AF after the logic operations. */
const setters = named('Add Sub Cmp Sbb Adc Neg Inc Dec And Or Xor Test Cmc');
const movers = named('Mov Movzx Movsx Lea Not Bswap Xchg Cdqe Cwde');
const readers = named(
  'Seto Setno Setb Setae Sete Setne Setbe Seta Sets Setns Setp Setnp Setl Setge Setle Setg ' +
    'Cmovo Cmovb Cmovae Cmove Cmovne Cmovbe Cmova Cmovs Cmovp Cmovl Cmovge Cmovle Cmovg Adc Sbb Lahf',
);

interface Sequence extends NativeCase {
  readonly text: string;
  readonly count: number;
}

/** A setter, perhaps more, and a reader: what fused conditions and the simplifier meet in one block. */
function sequence(random: Random): Sequence | undefined {
  const forms = [random.pick(setters)];
  for (let i = random.below(3); i > 0; i--) forms.push(random.pick(random.chance(50) ? setters : movers));
  for (let i = 1 + random.below(2); i > 0; i--) forms.push(random.pick(readers));
  const parts = forms.map((form) => example(form, random, { registers: 4, registersOnly: true }));
  if (parts.some((part) => part === undefined || part.memory !== 0)) return undefined;
  const code = Uint8Array.from(parts.flatMap((part) => [...(part?.code ?? [])]));
  const before = parts[0]?.before as State;
  const text = parts.map((part) => part?.text).join('; ');
  return code.length <= 28 ? { code, before, text, count: parts.length } : undefined;
}

describe.skipIf(!hasNativeOracle())('sequences of integer instructions', () => {
  it(`end as on the host processor (${CASES} cases, seed ${SEED})`, () => {
    const random = new Random(SEED);
    const cases: Sequence[] = [];
    while (cases.length < CASES) {
      const made = sequence(random);
      if (made !== undefined) cases.push(made);
    }
    const native = runNative(cases);
    const differences = cases.flatMap((made, i) => {
      const ours = runEmulated(made, made.count);
      const compared = ALL_FLAGS & ~FLAG_BITS.AF;
      const ahMask = made.text.includes('lahf') ? ~0x1000n : ~0n;
      const same =
        ((ours.rflags ^ native[i].rflags) & compared) === 0 &&
        Array.from({ length: 16 }, (_, r) => r).every(
          (r) => ((ours.gpr(r) ^ native[i].gpr(r)) & ahMask) === 0n,
        );
      return same ? [] : [`${made.text} (${Buffer.from(made.code).toString('hex')})`];
    });
    expect(differences.slice(0, 5)).toEqual([]);
  });
});
