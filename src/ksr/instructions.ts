export interface Instruction {
  /** In lower case; a column that is empty has `finop` or `cxnop`. */
  readonly mnemonic: string;
  readonly operands: readonly string[];
}

/** FPU and IPU, or CEU and XIU. */
export type Side = 'left' | 'right';

/** As K-MACSTAT counts them; `integer`, `address` and `other` are what it counts by the column alone. */
export type Operation =
  | {
      readonly kind: 'nop' | 'add' | 'multiply' | 'triad' | 'misc' | 'integer' | 'address' | 'call' | 'other';
    }
  | { readonly kind: 'load' | 'store'; readonly floatingPoint: boolean }
  | Branch;

export interface Branch {
  readonly kind: 'branch';
  readonly conditional: boolean;
  /**
   * When the two pairs behind it are aborted: never, when it is taken (`qt`), when it is not (`qf`). Those behind an
   * unconditional branch are always executed (appendix A.4).
   */
  readonly quash: 'never' | 'true' | 'false';
  /** Absent where the target is in a register. */
  readonly target?: string;
}

/** Not `%fp`, the frame pointer. */
const FP_REGISTER = /^%?f\d/;

const NOPS = /^(?:f?i?nop|c?x?nop)$/;

/**
 * The names are of a family (`ld`), an operand size in bytes (`8`) and an attribute (`.ex`). Beside the names that KSR's
 * compilers write there are those that a reader of the paper would: it names operations, hardly any mnemonics.
 */
const LOAD = /^(?:ld(?!a)[a-z]{0,2}|load[a-z]{0,2}|lfl|lw|lb|lh)$/;
const STORE = /^(?:st[a-z]{0,2}|store[a-z]{0,2}|sfl|sw|sb|sh)$/;
const CALL = /^(?:jsr|bsr|jal|call)$/;
const CONDITIONAL = /^b(?:cc|cs|c|s|eq|ne|lt|le|gt|ge|lo|ls|hi|hs|mi|pl|z|nz|t|f|true|false|set|clr|on|off)$/;
const QUASH = /[.,]q([ntf])$/;
const UNCONDITIONAL = /^(?:jmp|jump|j|br|bra|b|ret|rts|rtn)$/;
/** A product that is added to or subtracted from (`fmad`, `fmsb`, `fnma`), or a sum that is multiplied (`fadm`). */
const TRIAD = /^f(?:n?m(?:ul|py|l)?_?(?:a(?!x|b)|s|r)|n?(?:add|ad|a|sub|sb|s)_?m)/;
const ADD = /^f(?:add|ad|rsub|rsb|subr|sub|sb|su)[a-z]{0,1}$/;
const MULTIPLY = /^f(?:mul|mpy|ml|rdiv|div|dv)[a-z]{0,1}$/;
const FLOATING =
  /^f(?:abs|neg|mov|cmp|tst|test|rsqrt|sqrt|sqr|cvt|conv|fix|flt|float|floor|flo|ceil|cei|trunc|tru|rnd|round|int|min|max|sel|cpy|copy|class|recip|rcp|scale)[a-z_]{0,3}$/;
const INTEGER =
  /^i?(?:add|sub|mul|div|rem|mod|neg|abs|and|or|xor|eqv|not|nand|nor|andn|orn|ash|lsh|rot|sh[lr]|sl[la]|sr[la]|clr|set|ins|ext|itst|ctst|tst|test|cmp|comp|sel|mov|cvt|max|min|pop|ff|inc|dec|lit)[a-z_]{0,3}$/;
const ADDRESS =
  /^(?:s?add|s?sub|c?add|c?sub|movb|movi|mov|lea|lda|la|and|or|xor|sh[lr]?|lit|inc|dec|neg|not|ctst|cmp|itst)[a-z_]{0,3}$/;
/** Prefetch and post-store, and what the XIU does. */
const OTHER = /^(?:pcsp|pstsp|pf|prefetch|post|poststore|gsp|rsp|movin|movout|trap|sync|fence)[a-z]{0,2}$/;

/** The family and what follows it: `add8.ntr` is `add` and `.ntr`. */
function parts(mnemonic: string): { readonly family: string; readonly attributes: string } {
  const end = mnemonic.search(/[.,\d]/);
  return end < 0
    ? { family: mnemonic, attributes: '' }
    : { family: mnemonic.slice(0, end), attributes: mnemonic.slice(end) };
}

export const isNop = (mnemonic: string): boolean => NOPS.test(parts(mnemonic).family);

/** The side that an instruction without its pair belongs to; undefined where the name alone does not tell. */
export function sideOf(mnemonic: string): Side | undefined {
  const { family } = parts(mnemonic);
  if (/^c?xnop$/.test(family) || isRightOnly(family) || OTHER.test(family)) return 'right';
  return /^f/.test(family) || INTEGER.test(family) ? 'left' : undefined;
}

const isRightOnly = (family: string): boolean =>
  LOAD.test(family) ||
  STORE.test(family) ||
  CALL.test(family) ||
  CONDITIONAL.test(family) ||
  UNCONDITIONAL.test(family);

export interface Classified {
  readonly operation: Operation;
  /** False for a name that is not known: it counts as one operation of its column. */
  readonly known: boolean;
}

/** What an instruction of a column counts as. */
export function classify(side: Side, { mnemonic, operands }: Instruction): Classified {
  const { family, attributes } = parts(mnemonic);
  if (NOPS.test(family)) return sure({ kind: 'nop' });
  return side === 'left' ? leftOf(family, operands) : rightOf(family, attributes, operands);
}

function leftOf(family: string, operands: readonly string[]): Classified {
  if (TRIAD.test(family)) return sure({ kind: 'triad' });
  if (MULTIPLY.test(family)) return sure({ kind: 'multiply' });
  if (ADD.test(family)) return sure({ kind: 'add' });
  // Conversions and moves have names of integer operations, and a floating-point register.
  const touches = operands.some((operand) => FP_REGISTER.test(operand));
  if (FLOATING.test(family)) return sure({ kind: 'misc' });
  if (INTEGER.test(family)) return sure({ kind: touches ? 'misc' : 'integer' });
  return { operation: { kind: touches || family.startsWith('f') ? 'misc' : 'integer' }, known: false };
}

function rightOf(family: string, attributes: string, operands: readonly string[]): Classified {
  if (CALL.test(family)) return sure({ kind: 'call' });
  if (UNCONDITIONAL.test(family))
    return sure({ kind: 'branch', conditional: false, quash: 'never', ...target(operands) });
  if (CONDITIONAL.test(family) || QUASH.test(attributes))
    return sure({ kind: 'branch', conditional: true, quash: quashOf(attributes), ...target(operands) });
  if (LOAD.test(family)) return sure({ kind: 'load', floatingPoint: isFloating(family, operands.at(-1)) });
  if (STORE.test(family)) return sure({ kind: 'store', floatingPoint: isFloating(family, operands[0]) });
  if (OTHER.test(family)) return sure({ kind: 'other' });
  if (ADDRESS.test(family)) return sure({ kind: 'address' });
  return { operation: { kind: 'other' }, known: false };
}

/** By the register; by the name where there is no register to see. */
function isFloating(family: string, register: string | undefined): boolean {
  if (register !== undefined && /^(?:%|[a-z]{1,2}\d+$)/.test(register)) return FP_REGISTER.test(register);
  return !/^(?:ld|st|load|store)?[ibhw]$/.test(family);
}

function quashOf(attributes: string): Branch['quash'] {
  const which = QUASH.exec(attributes)?.[1];
  if (which === 't') return 'true';
  return which === 'f' ? 'false' : 'never';
}

/** The last operand, unless it is in a register or a distance in bytes. */
function target(operands: readonly string[]): { readonly target?: string } {
  const last = operands.at(-1);
  return last === undefined || /[(%]|^-?\d+$/.test(last) ? {} : { target: last };
}

const sure = (operation: Operation): Classified => ({ operation, known: true });
