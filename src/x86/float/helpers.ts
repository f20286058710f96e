import { Failure } from '../../base/failure.ts';
import type { Helper } from '../helper.ts';
import { add, divide, multiply, nanOutcome, squareRoot, subtract } from './arithmetic.ts';
import { CONDITIONS } from './cases/compare.ts';
import { CLASSES } from './cases/examine.ts';
import { X87_CASES } from './cases/index.ts';
import { compare } from './compare.ts';
import { fromDecimal, fromDouble, fromSingle, toDecimal, toDouble, toInteger, toSingle } from './convert.ts';
import { DENORMAL, DIVIDE_BY_ZERO, INVALID } from './exceptions.ts';
import { type Extended, kindOf, type Outcome, roundingOf, rulesOf, signOf } from './extended.ts';
import { extract, remainder, roundInteger, scale } from './parts.ts';
import type { Rules } from './round.ts';
import { SSE_HELPERS } from './sse-helpers.ts';
import { arcTangent, logarithm, logarithmOfOnePlus, powerMinusOne } from './transcendental.ts';
import { cosineOf, sineOf, tangentOf } from './trigonometry.ts';

/**
 * 80-bit arithmetic as helpers of lifted code. An extended operand or result is two values: the significand (i64) and
 * sign with exponent (i32). `control` is the x87 control word; every result but comparisons' is followed by
 * flags: exceptions in bits 0-5, C1 (rounded up) in bit 9.
 */
type Arguments = readonly (number | bigint)[];

const EXTENDED_TYPES = ['i64', 'i32'] as const;
const OUTCOME_TYPES = ['i64', 'i32', 'i32'] as const;

function extended(args: Arguments, at: number): Extended {
  return { significand: BigInt.asUintN(64, args[at] as bigint), head: (args[at + 1] as number) & 0xffff };
}

const bits = ({ significand, head }: Extended): [bigint, number] => [BigInt.asIntN(64, significand), head];
const outcome = ({ value, flags }: Outcome): (number | bigint)[] => [...bits(value), flags];

type Binary = (x: Extended, y: Extended, rules: Rules) => Outcome;

const BINARY: Readonly<Record<string, Binary>> = {
  add,
  sub: subtract,
  subr: (x, y, rules) => subtract(y, x, rules),
  mul: multiply,
  div: divide,
  divr: (x, y, rules) => divide(y, x, rules),
};

const table: [string, Helper][] = [];

/** An operand in memory that is denormal is flagged even though the extended number is not. */
function withMemoryFlags(x: Extended, y: Outcome, flags: number): number {
  const settled = nanOutcome(x, y.value) !== undefined || (flags & (INVALID | DIVIDE_BY_ZERO)) !== 0;
  return settled ? flags : flags | (y.flags & DENORMAL);
}

const fromMemory = {
  f32: (value: number | bigint): Outcome => fromSingle(BigInt.asUintN(32, BigInt(value))),
  f64: (value: number | bigint): Outcome => fromDouble(BigInt.asUintN(64, value as bigint)),
} as const;
const MEMORY = [
  ['f32', 'i32'],
  ['f64', 'i64'],
] as const;

for (const [name, run] of Object.entries(BINARY)) {
  table.push([
    `x87.${name}`,
    {
      params: [...EXTENDED_TYPES, ...EXTENDED_TYPES, 'i32'],
      results: OUTCOME_TYPES,
      run: (...args) => outcome(run(extended(args, 0), extended(args, 2), rulesOf(args[4] as number))),
    },
  ]);
  for (const [format, type] of MEMORY)
    table.push([
      `x87.${name}.${format}`,
      {
        params: [...EXTENDED_TYPES, type, 'i32'],
        results: OUTCOME_TYPES,
        run: (...args) => {
          const x = extended(args, 0);
          const y = fromMemory[format](args[2]);
          const result = run(x, y.value, rulesOf(args[3] as number));
          return outcome({ ...result, flags: withMemoryFlags(x, y, result.flags) });
        },
      },
    ]);
}

const UNARY: Readonly<Record<string, (x: Extended, control: number) => Outcome>> = {
  sin: sineOf,
  cos: cosineOf,
  tan: tangentOf,
  '2xm1': powerMinusOne,
  sqrt: (x, control) => squareRoot(x, rulesOf(control)),
  rndint: roundInteger,
};
for (const [name, run] of Object.entries(UNARY))
  table.push([
    `x87.${name}`,
    {
      params: [...EXTENDED_TYPES, 'i32'],
      results: OUTCOME_TYPES,
      run: (...args) => outcome(run(extended(args, 0), args[2] as number)),
    },
  ]);

/** fscale of (st0, st1), and the functions of (st1, st0). */
const CONTROLLED: Readonly<Record<string, (x: Extended, y: Extended, control: number) => Outcome>> = {
  scale,
  yl2x: logarithm,
  yl2xp1: logarithmOfOnePlus,
  patan: arcTangent,
};
for (const [name, run] of Object.entries(CONTROLLED))
  table.push([
    `x87.${name}`,
    {
      params: [...EXTENDED_TYPES, ...EXTENDED_TYPES, 'i32'],
      results: OUTCOME_TYPES,
      run: (...args) => outcome(run(extended(args, 0), extended(args, 2), args[4] as number)),
    },
  ]);

/** Results: remainder, exceptions, condition codes. */
for (const [name, nearest] of [
  ['x87.prem', false],
  ['x87.prem1', true],
] as const)
  table.push([
    name,
    {
      params: [...EXTENDED_TYPES, ...EXTENDED_TYPES],
      results: [...OUTCOME_TYPES, 'i32'],
      run: (...args) => {
        const result = remainder(extended(args, 0), extended(args, 2), nearest);
        return [...outcome(result), result.condition];
      },
    },
  ]);

/** Results: exponent, significand, exceptions. */
table.push([
  'x87.xtract',
  {
    params: EXTENDED_TYPES,
    results: [...EXTENDED_TYPES, ...OUTCOME_TYPES],
    run: (...args) => {
      const { exponent, significand, flags } = extract(extended(args, 0));
      return [...bits(exponent), ...bits(significand), flags];
    },
  },
]);

/** `ordered`: 1 when a quiet NaN is invalid. Results: condition codes, exceptions. */
table.push([
  'x87.compare',
  {
    params: [...EXTENDED_TYPES, ...EXTENDED_TYPES, 'i32'],
    results: ['i32', 'i32'],
    run: (...args) => {
      const { order, flags } = compare(extended(args, 0), extended(args, 2), args[4] !== 0);
      return [CONDITIONS[order], flags];
    },
  },
]);
for (const [format, type] of MEMORY)
  table.push([
    `x87.compare.${format}`,
    {
      params: [...EXTENDED_TYPES, type],
      results: ['i32', 'i32'],
      run: (...args) => {
        const x = extended(args, 0);
        const y = fromMemory[format](args[2]);
        const { order, flags } = compare(x, y.value, true);
        return [CONDITIONS[order], withMemoryFlags(x, y, flags)];
      },
    },
  ]);

/** fxam. */
table.push([
  'x87.examine',
  {
    params: EXTENDED_TYPES,
    results: ['i32'],
    run: (...args) => {
      const x = extended(args, 0);
      return [CLASSES[kindOf(x)] | (signOf(x) << 9)];
    },
  },
]);

/** Stores. Results: the bits to store, flags. */
table.push([
  'x87.store.f32',
  {
    params: [...EXTENDED_TYPES, 'i32'],
    results: ['i32', 'i32'],
    run: (...args) => {
      const stored = toSingle(extended(args, 0), args[2] as number);
      return [Number(BigInt.asIntN(32, stored.bits)), stored.flags];
    },
  },
]);
table.push([
  'x87.store.f64',
  {
    params: [...EXTENDED_TYPES, 'i32'],
    results: ['i64', 'i32'],
    run: (...args) => {
      const stored = toDouble(extended(args, 0), args[2] as number);
      return [BigInt.asIntN(64, stored.bits), stored.flags];
    },
  },
]);
for (const width of [16, 32, 64])
  table.push([
    `x87.store.i${width}`,
    {
      params: [...EXTENDED_TYPES, 'i32'],
      results: ['i64', 'i32'],
      run: (...args) => {
        const stored = toInteger(extended(args, 0), width, roundingOf(args[2] as number));
        return [stored.integer, stored.flags];
      },
    },
  ]);

/** Packed decimals: the low 8 bytes and the high 2. */
table.push([
  'x87.load.bcd',
  {
    params: ['i64', 'i32'],
    results: EXTENDED_TYPES,
    run: (low, high) => {
      const decimal = (BigInt((high as number) & 0xffff) << 64n) | BigInt.asUintN(64, low as bigint);
      return bits(fromDecimal(decimal));
    },
  },
]);
table.push([
  'x87.store.bcd',
  {
    params: [...EXTENDED_TYPES, 'i32'],
    results: ['i64', 'i32', 'i32'],
    run: (...args) => {
      const stored = toDecimal(extended(args, 0), roundingOf(args[2] as number));
      return [BigInt.asIntN(64, stored.bits), Number(stored.bits >> 64n), stored.flags];
    },
  },
]);

/**
 * Control words that generated code honours: MXCSR must round to nearest, mask all exceptions and leave denormals alone;
 * the x87 may round as it likes but must mask all exceptions, for none is ever delivered.
 */
export function checkMxcsr(value: number): number {
  if ((value & 0xffc0) !== 0x1f80) throw unsupported('MXCSR', value);
  return value;
}

/** The program unmasks an exception of the x87: code must be translated so that it is delivered. */
export class X87Unmasked extends Error {}

function checkX87Control(value: number): number {
  if ((value & 0x3f) !== 0x3f) throw new X87Unmasked();
  return value;
}

function unsupported(register: string, value: number): Failure {
  const text = `0x${(value >>> 0).toString(16)}`;
  return new Failure(
    'guest',
    'unsupported-floating-point-control',
    `the program sets the ${register} to ${text}; this mode of rounding, denormals or unmasked exceptions is not supported`,
    { register, value: text },
  );
}

table.push([
  'x87.control',
  { params: ['i32'], results: ['i32'], run: (value) => [checkX87Control(value as number)] },
]);

export const FLOAT_HELPERS: readonly (readonly [string, Helper])[] = [
  ...table.map(([name, helper]) => [name, { ...helper, cases: X87_CASES[name] }] as const),
  ...SSE_HELPERS,
];
