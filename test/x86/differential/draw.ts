import { Decoder, DecoderOptions, type Instruction } from 'iced-x86';
import { DEFAULT_MXCSR } from '../../../src/x86/lift/context.ts';
import { MXCSR, VARIABLES } from '../../../src/x86/state.ts';
import { liftCase } from '../native/emulated.ts';
import { example, type Form, varied } from '../native/forms.ts';
import { Random } from '../native/random.ts';
import { FX_CONTROL, FX_MXCSR, FX_STATUS, FX_TAGS, type State } from '../native/state.ts';
import { MXCSR_STICKY } from '../native/transfer.ts';
import { hasUndefinedResult, isSystemCall } from '../native/undefined.ts';
import { extended } from '../operands.ts';

/** One encoding of a form, and states to run it in. Of these, what code is translated for is the same. */
export interface Draw {
  readonly form: Form;
  readonly index: number;
  readonly code: Uint8Array;
  readonly text: string;
  readonly befores: readonly State[];
  /** Whether MXCSR's sticky bits are kept: without them code is translated otherwise. */
  readonly keepsStatus: boolean;
  /** Address of the memory operand, 0 if there is none. */
  readonly memory: number;
}

/** States of an encoding: translating it costs more than running it. */
const STATES = 4;
const ATTEMPTS = 30;

/** Invalid operations, division by zero and overflow are not masked. */
const UNMASKED = DEFAULT_MXCSR & ~0x680;

/** Rounding, flushing to zero, denormals as zeros, and unmasked exceptions: with the default mode twice, as many as an engine can hold code for. */
export const MODES = [DEFAULT_MXCSR, 0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0xffc0, UNMASKED];

/** The index-th encoding of a form: depends on the seed, the form and the index alone. */
export function draw(form: Form, seed: number, index: number): Draw | undefined {
  const random = new Random(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(form.code, 0x85eb_ca6b) ^ (index << 3));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const made = example(form, random);
    if (made === undefined) continue;
    const top = random.below(8);
    const governed = isGoverned(made.code, made.before);
    const mxcsr = governed ? random.pick(MODES) : DEFAULT_MXCSR;
    const keepsStatus =
      !governed || mxcsr !== DEFAULT_MXCSR || form.name.includes('tmxcsr') || random.chance(50);
    const befores: State[] = [];
    for (let i = 0; i < 2 * STATES && befores.length < STATES; i++) {
      const before = i === 0 ? made.before : varied(made, random);
      if (before === undefined) break;
      drawFpu(random, before, top);
      before.fx.setUint32(FX_MXCSR, mxcsr | (random.u32() & MXCSR_STICKY), true);
      if (withInstruction(made.code, (instruction) => isDefined(instruction, before))) befores.push(before);
    }
    if (befores.length === 0) continue;
    return { form, index, code: made.code, text: made.text, befores, keepsStatus, memory: made.memory };
  }
  return undefined;
}

export function withInstruction<T>(code: Uint8Array, ask: (instruction: Instruction) => T): T {
  const decoder = new Decoder(64, code, DecoderOptions.None);
  const instruction = decoder.decode();
  const answer = ask(instruction);
  instruction.free();
  decoder.free();
  return answer;
}

export const isDefined = (instruction: Instruction, before: State): boolean =>
  !isSystemCall(instruction) && !hasUndefinedResult(instruction, before);

/** Whether MXCSR's control bits are among its sources. */
function isGoverned(code: Uint8Array, before: State): boolean {
  const { instructions } = liftCase({ code, before });
  const location = VARIABLES[MXCSR].location as number;
  return instructions.some(({ sources }) => sources.includes(location));
}

/** All exceptions masked; every precision and rounding; a stack that mostly holds what instructions need. */
export function drawFpu(random: Random, state: State, top: number): void {
  const { fx } = state;
  fx.setUint16(FX_CONTROL, 0x7f | (random.below(16) << 8), true);
  const conditions = random.chance(50) ? 0 : random.u32() & 0x4700;
  fx.setUint16(FX_STATUS, (random.u32() & 0x7f) | (top << 11) | conditions, true);
  fx.setUint8(FX_TAGS, random.chance(15) ? random.below(256) : 0xff & ~(1 << ((top + 7) & 7)));
  const first = extended(random);
  for (let i = 0; i < 8; i++) {
    const st = state.st(i);
    const { significand, head } = i === 0 ? first : extended(random, first.head & 0x7fff);
    const view = new DataView(st.buffer, st.byteOffset, 10);
    view.setBigUint64(0, significand, true);
    view.setUint16(8, head, true);
  }
  if (random.chance(12)) state.st(1).set(state.st(0));
}
