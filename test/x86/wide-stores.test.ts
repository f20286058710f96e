import { describe, expect, it } from 'vitest';
import { XMM, YMM_HIGH } from '../../src/x86/state.ts';
import { assemble } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { HandlerRunner, Stopped } from './native/handled.ts';
import { Random } from './native/random.ts';
import { hasNativeOracle, runNative } from './native/runner.ts';
import { DATA_ADDRESS, DATA_MARGIN, DATA_SIZE, State } from './native/state.ts';

/** One access of 32 bytes, or one masked one, that runs into a page that is not there: nothing of it happens where the program is told. */
const STORES = [
  'vmovups ymmword ptr [rdi], ymm1',
  'vmovdqu ymmword ptr [rdi], ymm1',
  'vmaskmovps ymmword ptr [rdi], ymm2, ymm1',
  'vpmaskmovq ymmword ptr [rdi], ymm2, ymm1',
  'vmovups ymm3, ymmword ptr [rdi]',
  'vmaskmovpd ymm3, ymm2, ymmword ptr [rdi]',
];

describe.skipIf(!hasNativeOracle())('an access of 32 bytes over the end of memory', () => {
  const codes = hasNativeOracle() ? assemble(STORES) : [];
  const runner = new HandlerRunner({ isPrecise: true });
  const end = Math.ceil((DATA_ADDRESS + DATA_SIZE + DATA_MARGIN) / 4096) * 4096;

  STORES.forEach((line, i) => {
    it(`faults and leaves all as it was: ${line}`, () => {
      for (const inside of [4, 8, 16, 24, 31]) {
        runner.randomSteps(new Random(i));
        for (const register of [1, 2]) {
          runner.machine.v128(XMM[register]).fill(0xff);
          runner.machine.v128(YMM_HIGH[register]).fill(0xff);
        }
        runner.machine.v128(XMM[3]).fill(7);
        runner.machine.writeI64(7, BigInt(end - inside));
        runner.guest.bytes.fill(0x11, end - 64, end);
        expect(() => runner.run(codes[i], 0x1f80)).toThrow(Stopped);
        expect([...runner.guest.bytes.subarray(end - 64, end)]).toEqual(Array(64).fill(0x11));
        expect([...runner.machine.v128(XMM[3])]).toEqual(Array(16).fill(7));
      }
    });
  });
});

/** What the mask leaves out is not accessed, so that it does not fault; nor does it where nothing is selected. */
describe.skipIf(!hasNativeOracle())('masked-off bytes over the end of memory', () => {
  const lines = [
    'vmaskmovps ymm3, ymm2, ymmword ptr [rdi]',
    'vmaskmovps ymmword ptr [rdi], ymm2, ymm1',
    'vpmaskmovq ymm3, ymm2, ymmword ptr [rdi]',
    'vpmaskmovq xmmword ptr [rdi], xmm2, xmm1',
  ];
  const codes = hasNativeOracle() ? assemble(lines) : [];
  /** Where the memory ends of the native runner (three pages) and of the emulated case. */
  const hostEnd = DATA_ADDRESS + 2 * 4096;
  const ourEnd = DATA_ADDRESS + DATA_SIZE + DATA_MARGIN;

  lines.forEach((line, i) => {
    it(`do what the processor does: ${line}`, () => {
      const random = new Random(i);
      const cases = Array.from({ length: 200 }, () => {
        const before = State.initial();
        for (const register of [1, 2, 3])
          for (const half of [before.xmm(register), before.ymmHigh(register)]) half.set(random.bytes(16));
        if (random.chance(20)) before.xmm(2).fill(0);
        if (random.chance(50)) before.ymmHigh(2).fill(0);
        before.setGpr(7, BigInt(hostEnd - random.below(40)));
        return { code: codes[i], before };
      });
      const host = runNative(cases);
      const facts = (state: State) => [
        state.signal,
        ...(state.signal === 0 ? [...state.xmm(3), ...state.ymmHigh(3)] : []),
      ];
      cases.forEach((one, n) => {
        one.before.setGpr(7, one.before.gpr(7) + BigInt(ourEnd - hostEnd));
        expect(facts(runEmulated(one))).toEqual(facts(host[n]));
      });
    });
  });
});
