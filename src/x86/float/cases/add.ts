import type { Node } from '../../../ir/node.ts';
import type { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { DOWN } from '../round.ts';
import { INTEGER_BIT, isNormal, isZero, number, type Parts, within } from './number.ts';
import { type Cut, fullPrecision, roundedNumber, roundingOf } from './rounding.ts';
import { usualSum } from './usual.ts';

/** Exponents of the larger operand for which no sum leaves the normal numbers: cancellation takes up to 64 bits. */
const LEAST = 66;
const GREATEST = 0x7ffc;

/** All but a difference of less than one unit of the larger operand, which is left to the helper. */
export function addCases(c: Calculator, x: Parts, y: Parts, control: Node): Case[] {
  const full = fullPrecision(c, control);
  const swapped = c.op(
    'or',
    c.op('lt_u', x.exponent, y.exponent),
    c.all(c.op('eq', x.exponent, y.exponent), c.op('lt_u', x.significand, y.significand)),
  );
  const larger = choose(c, swapped, y, x);
  const smaller = choose(c, swapped, x, y);
  const apart = c.op('sub', larger.exponent, smaller.exponent);
  const usual = c.all(
    full,
    c.op('lt_s', c.op('and', x.significand, y.significand), 0),
    within(c, larger.exponent, LEAST, GREATEST),
  );
  const overlap = c.op('lt_u', apart, 64);
  const near = c.all(usual, overlap);
  const same = c.op('eq', x.sign, y.sign);
  const shift = c.wide(apart);
  const aligned: Cut = {
    kept: c.op('shr_u', smaller.significand, shift),
    rest: c.op('shl', c.op('shl', smaller.significand, 1), c.op('sub', c.i64(63n), shift)),
  };
  const difference = subtracted(c, larger.significand, aligned);
  const unequal = c.op('ne', difference.kept, 0);
  const far = c.all(usual, c.not(overlap), c.op('ne', smaller.exponent, 0));
  const below: Cut = { kept: c.i64(0n), rest: belowUnit(c, smaller.significand, apart) };
  const zeroSign = c.choose(c.op('eq', roundingOf(c, control), DOWN), c.i32(0x8000), 0);
  const positiveZero = { significand: c.i64(0n), exponent: c.i32(0), sign: zeroSign };
  const xZero = isZero(c, x);
  const yZero = isZero(c, y);
  return [
    usualSum(c, x, y, control),
    { when: c.all(near, same), results: sum(c, larger, aligned, control) },
    { when: c.all(near, unequal), results: normalised(c, larger, difference, control) },
    { when: c.all(near, c.op('eqz', difference.rest)), results: number(c, positiveZero) },
    { when: c.all(full, xZero, isNormal(c, y)), results: number(c, y) },
    { when: c.all(full, yZero, isNormal(c, x)), results: number(c, x) },
    { when: c.all(xZero, yZero, same), results: number(c, x) },
    { when: c.all(xZero, yZero), results: number(c, positiveZero) },
    { when: c.all(far, same), results: sum(c, larger, below, control) },
    { when: far, results: normalised(c, larger, subtracted(c, larger.significand, below), control) },
  ];
}

function choose(c: Calculator, condition: Node, ifTrue: Parts, ifFalse: Parts): Parts {
  return {
    significand: c.choose(condition, ifTrue.significand, ifFalse.significand),
    exponent: c.choose(condition, ifTrue.exponent, ifFalse.exponent),
    sign: c.choose(condition, ifTrue.sign, ifFalse.sign),
  };
}

/** A significand 64 bits or more below the unit, as a fraction of it. */
function belowUnit(c: Calculator, significand: Node, apart: Node): Node {
  const beyond = c.op('sub', apart, 64);
  const shift = c.wide(c.choose(c.op('lt_u', beyond, 63), beyond, 63));
  const shifted = c.op('shr_u', significand, shift);
  const lost = c.op('ne', c.op('shl', shifted, shift), significand);
  return c.op('or', shifted, c.wide(lost));
}

/** Adds to the larger significand; a carry moves the sum down by one bit, and the lowest bit below it is 0 then. */
function sum(c: Calculator, larger: Parts, addend: Cut, control: Node): Node[] {
  const total = c.op('add', larger.significand, addend.kept);
  const carried = c.op('lt_u', total, addend.kept);
  const halved = c.op('or', c.op('shr_u', addend.rest, 1), c.op('shl', total, 63));
  const cut: Cut = {
    kept: c.choose(carried, c.op('or', c.op('shr_u', total, 1), INTEGER_BIT), total),
    rest: c.choose(carried, halved, addend.rest),
  };
  const exponent = c.op('add', larger.exponent, carried);
  return roundedNumber(c, cut, { exponent, sign: larger.sign }, control);
}

function subtracted(c: Calculator, larger: Node, { kept, rest }: Cut): Cut {
  const borrow = c.wide(c.op('ne', rest, 0));
  return {
    kept: c.op('sub', c.op('sub', larger, kept), borrow),
    rest: c.op('sub', c.i64(0n), rest),
  };
}

/**
 * A difference moved up until its highest bit is set. It moves by more than one bit only where the operands were at most
 * one bit apart, so that no bit was lost below it.
 */
function normalised(c: Calculator, larger: Parts, { kept, rest }: Cut, control: Node): Node[] {
  const zeros = c.op('clz', kept);
  const moved = c.op('shr_u', c.op('shr_u', rest, 1), c.op('sub', c.i64(63n), zeros));
  const cut: Cut = {
    kept: c.op('or', c.op('shl', kept, zeros), moved),
    rest: c.op('shl', rest, zeros),
  };
  const exponent = c.op('sub', larger.exponent, c.narrow(zeros));
  return roundedNumber(c, cut, { exponent, sign: larger.sign }, control);
}
