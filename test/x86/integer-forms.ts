import { INTEGER_ROWS } from '../../src/x86/lift/rows.ts';
import { type Form, formsOf } from './native/forms.ts';

/** nop 0F 0D with a register, which AMD's processors refuse and Intel's accept. */
const NOT_LIFTED = /_0F0D$/;

/** All encodings of the integer instructions that we lift. */
export const INTEGER_FORMS: readonly Form[] = formsOf(
  (form) =>
    (form.string
      ? /^(Movs|Stos|Lods|Scas|Cmps|Ins|Outs)[bwdq]_/.test(form.name)
      : INTEGER_ROWS.has(form.mnemonic)) && !NOT_LIFTED.test(form.name),
);
