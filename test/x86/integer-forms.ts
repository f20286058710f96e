import { INTEGER_ROWS } from '../../src/x86/lift/rows.ts';
import { type Form, formsOf } from './native/forms.ts';

/**
 * Forms that end a block as unsupported: segment and control registers, far jumps and calls, 2-byte frames. And nop
 * 0F 0D with a register, which AMD's processors refuse and Intel's accept.
 */
const NOT_LIFTED = /Sreg|_FS$|_GS$|_m16(16|32|64)$|_cr$|_dr$|^Mov_[cd]r|^Enterw|_0F0D$/;

/** All encodings of the integer instructions that we lift. */
export const INTEGER_FORMS: readonly Form[] = formsOf(
  (form) =>
    (form.string ? /^(Movs|Stos|Lods|Scas|Cmps)/.test(form.name) : INTEGER_ROWS.has(form.mnemonic)) &&
    !NOT_LIFTED.test(form.name),
);
