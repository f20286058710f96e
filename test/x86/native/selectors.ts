import type { Random } from './random.ts';
import { hasNativeOracle, runNative } from './runner.ts';
import { State } from './state.ts';

/** Of 32-bit code: not there where Linux runs no 32-bit programs (CONFIG_IA32_EMULATION). */
const CODE_32 = 0x20;
/** User code may load these (any requested privilege level), and the null selector. */
const USER = hasCode32() ? [CODE_32, 0x28, 0x30, 0x78] : [0x28, 0x30, 0x78];
/** Of the processor's number: its limit tells where the test runs. */
const PROCESSOR = 0x78;

/** Whether a form, by iced's name, has an operand that is a selector to load or to look at. */
export function takesSelector(name: string): boolean {
  return /^(Mov_Sreg|Pop[wq]_[FG]S|L[sfg]s_|Lar_|Lsl_|Ver[rw]_)/.test(name);
}

/** Any selector: of user segments, null, of a local table, of the kernel, none at all. */
export function randomSelector(random: Random, form: string): number {
  const kind = random.below(6);
  const level = random.below(4);
  if (kind < 2) return avoidProcessor(random.pick(USER), form) | level;
  if (kind === 2) return 0x2b;
  if (kind === 3) return level;
  if (kind === 4) return random.pick(USER) | 4 | level;
  const any = random.u32() & 0xffff;
  return avoidProcessor((any & 0xfffc) === CODE_32 && !USER.includes(CODE_32) ? any | 8 : any, form);
}

/** Asks the processor: mov ecx, 23h; verr cx; sete al. */
function hasCode32(): boolean {
  if (!hasNativeOracle()) return true;
  const code = Uint8Array.of(0xb9, CODE_32 | 3, 0, 0, 0, 0x0f, 0x00, 0xe1, 0x0f, 0x94, 0xc0);
  const [after] = runNative([{ code, before: State.initial() }]);
  return after.gpr(0) === 1n;
}

function avoidProcessor(selector: number, form: string): number {
  return form.startsWith('Lsl_') && (selector & 0xfffc) === PROCESSOR ? 0x28 : selector;
}

/** A selector for the start of a case. Null has only its level 0: an interrupt's return clears the levels of others. */
export function usableSelector(random: Random): number {
  return random.chance(50) ? 0 : random.pick(USER) | random.below(4);
}

/** For a far transfer: mostly that of 64-bit code; never 32-bit code, which could not come back. */
export function codeSelector(random: Random): number {
  if (random.chance(60)) return 0x33;
  const selector = random.chance(70)
    ? random.pick([0x30, 0x31, 0x32, 0x37, 0x2b, 0x7b, 0, 3])
    : random.u32() & 0xffff;
  return (selector & 0xfffc) === CODE_32 ? 0x33 : selector;
}
