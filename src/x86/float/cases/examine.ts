import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import type { Kind } from '../extended.ts';
import { INTEGER_BIT, type Parts } from './number.ts';

/** fxam: condition codes (SDM volume 2, FXAM) of a register that is not empty. */
export const CLASSES: Readonly<Record<Kind, number>> = {
  unsupported: 0,
  'quiet-nan': 0x100,
  'signalling-nan': 0x100,
  normal: 0x400,
  infinity: 0x500,
  zero: 0x4000,
  denormal: 0x4400,
};

/** Of every number, and what is none. */
export function examineCases(c: Calculator, { significand, exponent, sign }: Parts): Case[] {
  const smallest = c.choose(c.op('eqz', significand), c.i32(CLASSES.zero), CLASSES.denormal);
  const isInfinity = c.op('eq', significand, INTEGER_BIT);
  const largest = c.choose(isInfinity, c.i32(CLASSES.infinity), CLASSES['quiet-nan']);
  const other = c.choose(c.op('eq', exponent, 0x7fff), largest, CLASSES.normal);
  const supported = c.choose(c.op('lt_s', significand, 0), other, CLASSES.unsupported);
  const found = c.choose(c.op('eqz', exponent), smallest, supported);
  return [{ when: c.i32(1), results: [c.op('or', found, c.op('shr_u', sign, 6))] }];
}
