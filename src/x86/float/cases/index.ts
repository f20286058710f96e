import type { Node, NodeFactory } from '../../../ir/node.ts';
import { Calculator } from '../../calculator.ts';
import type { Case } from '../../helper.ts';
import { DOUBLE, SINGLE } from '../round.ts';
import { addCases } from './add.ts';
import { compareCases } from './compare.ts';
import { examineCases } from './examine.ts';
import { arcTangentCases } from './irrational/arc-tangent.ts';
import { powerMinusOneCases } from './irrational/exponential.ts';
import { logarithmCases, logarithmOfOnePlusCases } from './irrational/logarithm.ts';
import { cosineCases, sineCases } from './irrational/sine.ts';
import { divideCases, multiplyCases } from './multiply.ts';
import { fromMemory, negated, type Parts, parts } from './number.ts';
import { nearestRemainderCases, remainderCases } from './remainder.ts';
import { rootCases } from './root.ts';
import { scaleCases } from './scale.ts';
import { roundCases, storeCases, storeIntegerCases } from './store.ts';

/**
 * The x87's common cases by helper: normal numbers and zeros, results that are normal numbers, and where precision
 * control matters its full 64 bits, which is all that Linux programs use. Rounding is any of the four.
 */
type Cases = (b: NodeFactory, args: readonly Node[]) => Case[];
type OfTwo = (c: Calculator, x: Parts, y: Parts, control: Node) => Case[];

const ARITHMETIC: Readonly<Record<string, OfTwo>> = {
  add: addCases,
  sub: (c, x, y, control) => addCases(c, x, negated(c, y), control),
  subr: (c, x, y, control) => addCases(c, y, negated(c, x), control),
  mul: multiplyCases,
  div: divideCases,
  divr: (c, x, y, control) => divideCases(c, y, x, control),
};

const cases: Record<string, Cases> = {};
/** By the name in the IR. */
export const X87_CASES: Readonly<Record<string, Cases>> = cases;

function ofOne(name: string, make: (c: Calculator, x: Parts, control: Node) => Case[]): void {
  cases[name] = (b, [m, h, control]) => {
    const c = new Calculator(b);
    return make(c, parts(c, m, h), control);
  };
}

function ofTwo(name: string, make: OfTwo): void {
  cases[name] = (b, [m, h, m2, h2, control]) => {
    const c = new Calculator(b);
    return make(c, parts(c, m, h), parts(c, m2, h2), control);
  };
}

/** The second number is in a register or in memory. */
function withMemory(name: string, make: OfTwo): void {
  ofTwo(name, make);
  cases[`${name}.f32`] = (b, [m, h, bits, control]) => {
    const c = new Calculator(b);
    return make(c, parts(c, m, h), fromMemory(c, c.wide(bits), SINGLE), control);
  };
  cases[`${name}.f64`] = (b, [m, h, bits, control]) => {
    const c = new Calculator(b);
    return make(c, parts(c, m, h), fromMemory(c, bits, DOUBLE), control);
  };
}

for (const [name, make] of Object.entries(ARITHMETIC)) withMemory(`x87.${name}`, make);
withMemory('x87.compare', compareCases);
ofTwo('x87.scale', scaleCases);
ofTwo('x87.prem', remainderCases);
ofTwo('x87.prem1', nearestRemainderCases);
ofTwo('x87.yl2x', logarithmCases);
ofTwo('x87.yl2xp1', logarithmOfOnePlusCases);
ofTwo('x87.patan', arcTangentCases);
ofOne('x87.2xm1', powerMinusOneCases);
ofOne('x87.sin', sineCases);
ofOne('x87.cos', cosineCases);
ofOne('x87.sqrt', rootCases);
ofOne('x87.rndint', roundCases);
ofOne('x87.examine', examineCases);
ofOne('x87.store.f64', (c, x, control) => storeCases(c, x, DOUBLE, control));
ofOne('x87.store.f32', (c, x, control) =>
  storeCases(c, x, SINGLE, control).map(({ when, results: [bits, flags] }) => ({
    when,
    results: [c.narrow(bits), flags],
  })),
);
for (const width of [16, 32, 64])
  ofOne(`x87.store.i${width}`, (c, x, control) => storeIntegerCases(c, x, width, control));

cases['x87.control'] = (b, [value]) => {
  const c = new Calculator(b);
  return [{ when: c.op('eq', c.op('and', value, 0x3f), 0x3f), results: [value] }];
};
