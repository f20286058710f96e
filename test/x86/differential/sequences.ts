import { FlowControl, type Instruction, OpCodeOperandKind as Kind, RflagsBits } from 'iced-x86';
import { hostExecutes } from '../native/features.ts';
import { everyForm, example, type Form, isFree } from '../native/forms.ts';
import { Random } from '../native/random.ts';
import { type NativeCase, runNative } from '../native/runner.ts';
import { FLAG_BITS, FX_MXCSR, type State } from '../native/state.ts';
import { exactnessOf, isComparable, undefinedFlags } from '../native/undefined.ts';
import { type Compared, differencesOf } from './compare.ts';
import { drawFpu, isDefined, MODES, withInstruction } from './draw.ts';
import { Engine, TIERS } from './engine.ts';
import { type Divergence, hasTreatment } from './run.ts';

/** Two to six instructions on few registers, where what one leaves is what another one takes. */
interface Sequence extends NativeCase {
  readonly index: number;
  readonly text: string;
  readonly flags: number;
  readonly keepsStatus: boolean;
}

const LONGEST_CODE = 28;
const ALL_CONDITIONS = 0x4700;
const FEW = { registers: 4, registersOnly: true };
const BATCH = 5000;

/** iced's names for flags, and the processor's bits. */
const FLAGS: readonly (readonly [RflagsBits, number])[] = [
  [RflagsBits.CF, FLAG_BITS.CF],
  [RflagsBits.PF, FLAG_BITS.PF],
  [RflagsBits.AF, FLAG_BITS.AF],
  [RflagsBits.ZF, FLAG_BITS.ZF],
  [RflagsBits.SF, FLAG_BITS.SF],
  [RflagsBits.OF, FLAG_BITS.OF],
];
const bitsOf = (flags: number): number =>
  FLAGS.reduce((all, [ours, bit]) => all | (flags & ours ? bit : 0), 0);

/** Forms whose results are exact and hang on registers alone; condition codes do not leave the x87. */
function sequenceForms(): Form[] {
  return everyForm().filter(
    (form) =>
      hasTreatment(form) &&
      isComparable(form) &&
      hostExecutes(form) &&
      isFree(form) &&
      exactnessOf(form.mnemonic) === 'bits' &&
      !form.kinds.some((kind) => kind === Kind.cl || kind === Kind.seg_reg) &&
      !/^(Fn?st(sw|env|cw)|Fldcw|Fx|Fn?save|Frstor|Fldenv|Fprem|Int|Ud|.*_(cr|dr)|Wr[fg]s|Rd[fg]s|Enter|Leave|Emms)/.test(
        form.name,
      ),
  );
}

/** Depends on the seed and the index alone; undefined where a draw came to nothing. */
function drawSequence(forms: readonly Form[], seed: number, index: number): Sequence | undefined {
  const random = new Random(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(index + 1, 0x85eb_ca6b));
  const code: number[] = [];
  const texts: string[] = [];
  let before: State | undefined;
  let flags = 0;
  for (let i = 2 + random.below(5); i > 0; i--) {
    const made = example(random.pick(forms), random, FEW);
    if (made === undefined || made.memory !== 0) continue;
    if (code.length + made.code.length > LONGEST_CODE) break;
    const first = before ?? made.before;
    const left = withInstruction(made.code, (instruction) => after(instruction, first, flags));
    if (left === undefined) continue;
    before = first;
    flags = left;
    code.push(...made.code);
    texts.push(made.text);
  }
  if (before === undefined || texts.length < 2) return undefined;
  drawFpu(random, before, random.below(8));
  const mxcsr = random.pick(MODES);
  before.fx.setUint32(FX_MXCSR, mxcsr | random.below(64), true);
  const keepsStatus = random.chance(50);
  return { index, code: Uint8Array.from(code), text: texts.join('; '), before, flags, keepsStatus };
}

/** The flags that are undefined after an instruction; undefined where it reads such a flag, or does anything but go on. */
function after(instruction: Instruction, before: State, flags: number): number | undefined {
  if (instruction.flowControl !== FlowControl.Next || instruction.isPrivileged) return undefined;
  if ((bitsOf(instruction.rflagsRead) & flags) !== 0 || !isDefined(instruction, before)) return undefined;
  return (flags & ~bitsOf(instruction.rflagsModified)) | undefinedFlags(instruction, before);
}

export interface SequenceReport {
  readonly cases: number;
  readonly divergences: readonly Divergence[];
}

/** Runs random sequences on the host's processor and in both tiers of the emulator. */
export function differentialSequences(cases: number, seed: number, index?: number): SequenceReport {
  const forms = sequenceForms();
  const engines = TIERS.map((tier) => new Engine(tier));
  const divergences: Divergence[] = [];
  let done = 0;
  for (let next = index ?? 0; done < cases; ) {
    const batch: Sequence[] = [];
    const wanted = index === undefined ? Math.min(BATCH, cases - done) : 1;
    for (; batch.length < wanted; next++) {
      const made = drawSequence(forms, seed, next);
      if (made !== undefined) batch.push(made);
    }
    const hosts = runNative(batch);
    batch.forEach((one, i) => {
      engines.forEach((engine, tier) => {
        const text = judge(one, engine, hosts[i]);
        if (text !== '')
          divergences.push({
            form: '',
            index: one.index,
            tier: TIERS[tier],
            text: `${one.text} (${Buffer.from(one.code).toString('hex')}): ${text}`,
          });
      });
    });
    done += batch.length;
    if (index !== undefined) break;
  }
  return { cases: done, divergences };
}

function judge({ code, before, flags, keepsStatus }: Sequence, engine: Engine, host: State): string {
  const [outcome] = engine.run(code, [before], keepsStatus);
  if ('unsupported' in outcome) return '';
  // Where within the sequence an instruction faults, is another test's matter.
  if (host.signal !== 0)
    return outcome.signal === host.signal ? '' : `signal ${outcome.signal}, host ${host.signal}`;
  const compared: Compared = {
    flags,
    conditions: () => ALL_CONDITIONS,
    exactness: 'bits',
    bytes: [],
    isAddressApart: false,
    keepsStatus,
    memory: 0,
  };
  return differencesOf(compared, outcome, host).slice(0, 5).join('; ');
}
