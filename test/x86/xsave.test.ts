import { describe, expect, it } from 'vitest';
import { assemble } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { hasFeatures } from './native/features.ts';
import { runNative } from './native/runner.ts';
import { DATA_ADDRESS, FX_CONTROL, FX_MXCSR, FX_TAGS, State } from './native/state.ts';
import { Random } from './operands.ts';

/** The area is at the start of the data. Where the last instruction of the x87 was is not kept (bytes 6 to 23). */
const KEPT_FROM = 6;
const KEPT_TO = 24;
/** Bits of MXCSR that may be set: processors differ. */
const MXCSR_MASK = 30;
const HEADER = 512;
const SIZE = 832;

function stateOf(random: Random, mask: number): State {
  const state = State.initial();
  for (let i = 0; i < 16; i++) {
    state.setGpr(i, random.bits());
    for (const half of [state.xmm(i), state.ymmHigh(i)]) fill(half, random);
  }
  fill(state.data, random);
  state.fx.setUint32(FX_MXCSR, 0x1f80 | (random.below(2) << 13), true);
  state.fx.setUint16(FX_CONTROL, 0x27f, true);
  state.fx.setUint8(FX_TAGS, 0xff);
  for (let i = 0; i < 8; i++) {
    const st = state.st(i);
    fill(st, random);
    st[7] |= 0x80;
    st[9] = 0x3f;
  }
  state.setGpr(0, BigInt(mask) | (random.bits() & 0xffff_ff00_0000_0000n));
  state.setGpr(2, random.bits() & ~0xffff_ffffn);
  state.setGpr(7, BigInt(DATA_ADDRESS));
  return state;
}

function fill(bytes: Uint8Array, random: Random): void {
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
}

/** An area that xrstor takes. */
function prepareArea(state: State, random: Random, present: number, format: number): void {
  const view = new DataView(state.data.buffer, state.data.byteOffset, SIZE);
  state.data.fill(0, HEADER, HEADER + 64);
  view.setUint16(0, 0x37f, true);
  view.setUint16(2, random.below(8) << 11, true);
  view.setUint32(FX_MXCSR, 0x1f80, true);
  for (let i = 0; i < 8; i++) {
    view.setUint8(32 + 16 * i + 7, 0xff);
    view.setUint16(32 + 16 * i + 8, 0x3fff, true);
  }
  view.setUint32(HEADER, present, true);
  if (format === 0) return;
  view.setUint32(HEADER + 8, format, true);
  view.setUint32(HEADER + 12, 0x8000_0000, true);
}

function factsOf(state: State): Record<string, string> {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const facts: Record<string, string> = { signal: String(state.signal) };
  const area = state.data.slice();
  area.fill(0, KEPT_FROM, KEPT_TO);
  area.fill(0, MXCSR_MASK, MXCSR_MASK + 2);
  facts.area = hex(area);
  const fx = new Uint8Array(state.fx.buffer, state.fx.byteOffset, 416).slice();
  fx.fill(0, KEPT_FROM, KEPT_TO);
  fx.fill(0, FX_MXCSR + 4, FX_MXCSR + 8);
  for (let i = 0; i < 8; i++) fx.fill(0, 32 + 16 * i + 10, 48 + 16 * i);
  facts.fx = hex(fx);
  for (let i = 0; i < 16; i++) facts[`high${i}`] = hex(state.ymmHigh(i));
  for (let i = 0; i < 16; i++) facts[`r${i}`] = state.gpr(i).toString(16);
  return facts;
}

function compare(line: string, instructions: number, before: readonly State[]): void {
  const [code] = assemble([line]);
  const cases = before.map((state) => ({ code, before: state }));
  const expected = runNative(cases);
  const found = cases.flatMap((one, i) => {
    const [ours, host] = [factsOf(runEmulated(one, instructions)), factsOf(expected[i])];
    return Object.keys(host)
      .filter((key) => host[key] !== ours[key])
      .map((key) => `case ${i}: ${key}: ${differing(ours[key], host[key])}`);
  });
  expect(found.slice(0, 8)).toEqual([]);
}

/** Bytes that differ, from the first to the last. */
function differing(ours: string, host: string): string {
  const at = Array.from({ length: host.length }, (_, i) => i).filter((i) => ours[i] !== host[i]);
  const [first, last] = [at[0] & ~1, at[at.length - 1] | 1];
  return `bytes ${first / 2} on are ${ours.slice(first, last + 1)}, on the host ${host.slice(first, last + 1)}`;
}

const MASKS = [0, 1, 2, 3, 4, 5, 6, 7];

describe.skipIf(!hasFeatures('xsave', 'xsaveopt', 'xsavec', 'avx'))(
  'state is saved as the processor does',
  () => {
    const random = new Random(3);

    for (const name of ['xsave', 'xsaveopt', 'xsavec', 'xsave64'])
      it(`${name} stores what is asked for`, () => {
        compare(
          `${name} [rdi]`,
          1,
          MASKS.flatMap((mask) => [stateOf(random, mask), stateOf(random, mask)]),
        );
      });

    for (const name of ['xsave', 'xsaveopt', 'xsavec'])
      it(`${name} after vzeroupper`, () => {
        compare(
          `vzeroupper; ${name} [rdi]`,
          2,
          MASKS.map((mask) => stateOf(random, mask)),
        );
      });

    it('xrstor loads what is there and clears what is not, from both formats', () => {
      const before = MASKS.flatMap((mask) =>
        MASKS.flatMap((present) =>
          [0, 7].map((format) => {
            const state = stateOf(random, mask);
            prepareArea(state, random, present, format);
            return state;
          }),
        ),
      );
      compare('xrstor [rdi]', 1, before);
      compare('xrstor64 [rdi]', 1, before);
    });
  },
);

it('xgetbv tells x87, SSE and AVX', () => {
  const [code] = assemble(['xgetbv']);
  const before = State.initial();
  const after = runEmulated({ code, before });
  expect([after.gpr(0), after.gpr(2)]).toEqual([7n, 0n]);
  before.setGpr(1, 1n);
  expect(runEmulated({ code, before }).gpr(0)).toBe(0n);
  before.xmm(3)[5] = 1;
  before.ymmHigh(2)[0] = 1;
  expect(runEmulated({ code, before }).gpr(0)).toBe(6n);
});
