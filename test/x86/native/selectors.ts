import type { Random } from './random.ts';

/** User code may load these (any requested privilege level), and the null selector. */
const USER = [0x20, 0x28, 0x30, 0x78];
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
  return avoidProcessor(random.u32() & 0xffff, form);
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
  return (selector & 0xfffc) === 0x20 ? 0x33 : selector;
}
