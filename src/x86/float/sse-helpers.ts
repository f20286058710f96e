import type { Type } from '../../ir/ops.ts';
import type { Helper } from '../helper.ts';
import { SSE_CASES } from './cases/sse.ts';
import { DOUBLE, type Format, SINGLE } from './round.ts';
import {
  arithmetic,
  compare,
  convert,
  extremum,
  FLUSH_TO_ZERO,
  fromHalf,
  fromInteger,
  fused,
  integral,
  type Operation,
  type Result,
  root,
  toHalf,
  toInteger,
} from './sse.ts';

/**
 * SSE operations as helpers: operands and result are bit patterns (i32 of singles, i64 of doubles and of integers to be
 * converted), the last argument is MXCSR's control bits, the last result the exceptions raised.
 */
interface Width {
  readonly name: 'f32' | 'f64';
  readonly type: Type;
  readonly bits: number;
  readonly format: Format;
}

const WIDTHS: readonly Width[] = [
  { name: 'f32', type: 'i32', bits: 32, format: SINGLE },
  { name: 'f64', type: 'i64', bits: 64, format: DOUBLE },
];

const raw = (value: number | bigint, { bits }: Width): bigint => BigInt.asUintN(bits, BigInt(value));
const signed = (bits: bigint, type: Type): number | bigint =>
  type === 'i32' ? Number(BigInt.asIntN(32, bits)) : BigInt.asIntN(64, bits);

const table: [string, Helper][] = [];

function define(
  name: string,
  params: readonly Type[],
  result: Type,
  run: (args: readonly (number | bigint)[], mxcsr: number) => Result,
): void {
  table.push([
    `sse.${name}`,
    {
      params: [...params, 'i32'],
      results: [result, 'i32'],
      ...(SSE_CASES[name] && { cases: SSE_CASES[name] }),
      run: (...args) => {
        const mxcsr = args[args.length - 1] as number;
        const { bits, flags } = run(args, mxcsr);
        return [signed(bits, result), flags];
      },
    },
  ]);
}

/** Comparison results: 0 greater, 1 less, 2 equal, 3 unordered. */
const ORDERS = { greater: 0n, less: 1n, equal: 2n, unordered: 3n } as const;

for (const width of WIDTHS) {
  const { name, type, format } = width;
  const two = [type, type];
  for (const operation of ['add', 'sub', 'mul', 'div'] satisfies Operation[])
    define(`${operation}.${name}`, two, type, ([x, y], mxcsr) =>
      arithmetic(operation, format, raw(x, width), raw(y, width), mxcsr),
    );
  define(`fma.${name}`, [type, type, type, 'i32'], type, ([x, y, z, signs], mxcsr) =>
    fused(
      format,
      [x, y, z].map((each) => raw(each, width)),
      signs as number,
      mxcsr,
    ),
  );
  define(`sqrt.${name}`, [type], type, ([x], mxcsr) => root(format, raw(x, width), mxcsr));
  define(`integral.${name}`, [type, 'i32'], type, ([x, select], mxcsr) =>
    integral(format, raw(x, width), select as number, mxcsr),
  );
  for (const [operation, wanted] of [
    ['min', 'less'],
    ['max', 'greater'],
  ] as const)
    define(`${operation}.${name}`, two, type, ([x, y], mxcsr) =>
      extremum(wanted, format, raw(x, width), raw(y, width), mxcsr),
    );
  for (const [operation, ordered] of [
    ['comi', true],
    ['ucomi', false],
  ] as const)
    define(`${operation}.${name}`, two, 'i32', ([x, y], mxcsr) => {
      const { order, flags } = compare(format, raw(x, width), raw(y, width), ordered, mxcsr);
      return { bits: ORDERS[order], flags };
    });
  for (const target of WIDTHS) {
    if (target !== width)
      define(`${target.name}_${name}`, [type], target.type, ([x], mxcsr) =>
        convert(format, target.format, raw(x, width), mxcsr),
      );
    for (const [how, truncate] of [
      ['trunc', true],
      ['round', false],
    ] as const)
      define(`i${target.bits}_${how}_${name}`, [type], target.type, ([x], mxcsr) =>
        toInteger(format, target.bits, raw(x, width), truncate, mxcsr),
      );
  }
  define(`${name}_i64`, ['i64'], type, ([x], mxcsr) => fromInteger(format, x as bigint, mxcsr));
}

define('f32_f16', ['i32'], 'i32', ([x]) => fromHalf(BigInt(x)));
define('f16_f32', ['i32', 'i32'], 'i32', ([x, select], mxcsr) =>
  toHalf(BigInt.asUintN(32, BigInt(x)), select as number, mxcsr),
);

/** What generated code leaves over of `x86.f64.fma` and its like: numbers that are very large or small, infinities and NaNs. */
const fusedDouble = (mxcsr: number): Helper => ({
  params: ['i64', 'i64', 'i64'],
  results: ['i64'],
  run: (...operands) => {
    const bits = operands.map((each) => BigInt.asUintN(64, each as bigint));
    return [BigInt.asIntN(64, fused(DOUBLE, bits, 0, mxcsr).bits)];
  },
});

/** MXCSR at a program's start. */
const DEFAULT_MODE = 0x1f80;

export const SSE_HELPERS: readonly (readonly [string, Helper])[] = [
  ...table,
  ['fma.f64', fusedDouble(DEFAULT_MODE)],
  ['fma_ftz.f64', fusedDouble(DEFAULT_MODE | FLUSH_TO_ZERO)],
];
