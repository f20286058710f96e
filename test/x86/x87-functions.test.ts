import { describe, expect, test } from 'vitest';
import { assemble } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { hasNativeOracle, type NativeCase, runNative } from './native/runner.ts';
import { FX_STATUS, FX_TAGS, State } from './native/state.ts';
import { extended, Random } from './operands.ts';

interface Extended {
  readonly significand: bigint;
  readonly head: number;
}

function get(state: State, i: number): Extended {
  const st = state.st(i);
  const view = new DataView(st.buffer, st.byteOffset, 10);
  return { significand: view.getBigUint64(0, true), head: view.getUint16(8, true) };
}

function set(state: State, i: number, { significand, head }: Extended): void {
  const st = state.st(i);
  const view = new DataView(st.buffer, st.byteOffset, 10);
  view.setBigUint64(0, significand, true);
  view.setUint16(8, head, true);
}

/** Distance of two results in units of the last place; infinite when only one of them is a NaN, say. */
function distance(x: Extended, y: Extended): number {
  if (x.head === y.head && x.significand === y.significand) return 0;
  if ((x.head & 0x8000) !== (y.head & 0x8000)) return Infinity;
  const [a, b] = [x, y].map(
    ({ head, significand }) => (BigInt(Math.max(1, head & 0x7fff)) << 63n) + significand,
  );
  return Number(a > b ? a - b : b - a);
}

/** Operands in the range where the manual defines the function. */
const RANGES: Readonly<Record<string, (random: Random, x: Extended) => Extended>> = {
  // |x| < 1
  f2xm1: (random, x) => ({
    ...x,
    head: (x.head & 0x8000) | (random.below(3) === 0 ? random.below(16383) : 16383 - 1 - random.below(70)),
  }),
  fyl2x: (_, x) => x,
  // |x| < 1 - sqrt(1/2)
  fyl2xp1: (random, x) => ({
    ...x,
    head: (x.head & 0x8000) | (random.below(3) === 0 ? random.below(16381) : 16383 - 3 - random.below(70)),
  }),
  fpatan: (_, x) => x,
};

const normalised = ({ significand, head }: Extended): Extended => ({
  significand: (head & 0x7fff) === 0 ? significand : significand | (1n << 63n),
  head,
});

function randomCase(random: Random, name: string, code: Uint8Array): NativeCase {
  const before = State.initial();
  before.fx.setUint16(FX_STATUS, 4 << 11, true);
  before.fx.setUint8(FX_TAGS, 0xf0);
  const x = normalised(RANGES[name](random, normalised(extended(random))));
  const y = normalised(extended(random, random.below(2) === 0 ? x.head & 0x7fff : undefined));
  // Near 1 the logarithm is small.
  const nearOne = { significand: (1n << 63n) | (random.bits() >> BigInt(1 + random.below(63))), head: 16383 };
  set(before, 0, name === 'fyl2x' && random.below(3) === 0 ? nearOne : x);
  set(before, 1, y);
  return { code, before };
}

const STACK_TOP = 0x3800;
/** Invalid and divide by zero: what special operands raise. */
const SPECIAL = 0x05;

describe.skipIf(!hasNativeOracle())('logarithms, powers and arc tangents of the x87', () => {
  test.each(Object.keys(RANGES))(
    '%s is within one unit in the last place of the processor, special cases equal',
    (name) => {
      const random = new Random(name.length + name.charCodeAt(3));
      const [code] = assemble([name]);
      const cases = Array.from({ length: 1500 }, () => randomCase(random, name, code));
      const wrong = runNative(cases).flatMap((host, i) => {
        const ours = runEmulated(cases[i]);
        const status = (state: State) => state.fx.getUint16(FX_STATUS, true) & (STACK_TOP | SPECIAL);
        const apart = distance(get(ours, 0), get(host, 0));
        if (apart <= 1 && status(ours) === status(host)) return [];
        const show = (state: State, n: number) =>
          `${get(state, n).head.toString(16)}:${get(state, n).significand.toString(16)}`;
        return [
          `st0 ${show(cases[i].before, 0)} st1 ${show(cases[i].before, 1)}: ${show(ours, 0)}, host ${show(host, 0)}, ${apart} apart; status ${status(ours).toString(16)}, host ${status(host).toString(16)}`,
        ];
      });
      expect(wrong.slice(0, 10)).toEqual([]);
    },
  );
});
