import { DOUBLE, INT, LONG, type Type } from './syntax.ts';

/** What headers that are not read define. */
export const HEADER_CONSTANTS: ReadonlyMap<string, { readonly value: number; readonly type: Type }> = new Map(
  [
    ...Object.entries({
      M_PI: Math.PI,
      M_PI_2: Math.PI / 2,
      M_PI_4: Math.PI / 4,
      M_1_PI: 1 / Math.PI,
      M_2_PI: 2 / Math.PI,
      M_E: Math.E,
      M_LN2: Math.LN2,
      M_LN10: Math.LN10,
      M_SQRT2: Math.SQRT2,
      M_SQRT1_2: Math.SQRT1_2,
      DBL_EPSILON: 2 ** -52,
      DBL_MAX: Number.MAX_VALUE,
      DBL_MIN: 2 ** -1022,
      HUGE_VAL: Number.POSITIVE_INFINITY,
    }).map(([name, value]): [string, { value: number; type: Type }] => [name, { value, type: DOUBLE }]),
    ...Object.entries({
      FLT_EPSILON: 2 ** -23,
      FLT_MAX: 3.4028234663852886e38,
      FLT_MIN: 2 ** -126,
      INFINITY: Number.POSITIVE_INFINITY,
    }).map(([name, value]): [string, { value: number; type: Type }] => [
      name,
      { value, type: { kind: 'float', bytes: 4 } },
    ]),
    ...Object.entries({ NULL: 0, INT_MAX: 2 ** 31 - 1, INT_MIN: -(2 ** 31), RAND_MAX: 2 ** 31 - 1 }).map(
      ([name, value]): [string, { value: number; type: Type }] => [name, { value, type: INT }],
    ),
    ['LONG_MAX', { value: Number.MAX_SAFE_INTEGER, type: LONG }],
  ],
);
