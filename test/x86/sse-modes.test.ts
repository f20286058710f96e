import { describe, expect, test } from 'vitest';
import { SERVICES } from '../../src/x86/services/index.ts';
import { assemble } from './native/assemble.ts';
import { CaseMachine, liftCase, runEmulated } from './native/emulated.ts';
import { hasFeatures } from './native/features.ts';
import { hasNativeOracle, runNative } from './native/runner.ts';
import { DATA_ADDRESS, State } from './native/state.ts';
import { double, integers } from './operands.ts';
import { anyMode, compare, type Fill, PREDICATES, packed, scalar, singles } from './sse-cases.ts';

const modes = { mxcsr: anyMode };

describe.skipIf(!hasNativeOracle())(
  "in other modes of MXCSR, results and sticky exceptions are the processor's",
  () => {
    test('arithmetic', () => {
      compare(packed('addps subps mulps divps sqrtps minps maxps'), singles, modes);
      compare(scalar('addss subss mulss divss sqrtss minss maxss', 'dword'), singles, modes);
      compare(packed('addpd subpd mulpd divpd sqrtpd minpd maxpd'), double, modes);
      compare(scalar('addsd subsd mulsd divsd sqrtsd minsd maxsd', 'qword'), double, modes);
      compare(packed('addsubps haddps hsubps'), singles, modes);
    });

    test('comparisons', () => {
      compare([...packed('cmpps', PREDICATES), ...scalar('cmpss', 'dword', PREDICATES)], singles, modes);
      compare([...packed('cmppd', PREDICATES), ...scalar('cmpsd', 'qword', PREDICATES)], double, modes);
      compare(scalar('comiss ucomiss', 'dword'), singles, modes);
      compare(scalar('comisd ucomisd', 'qword'), double, modes);
    });

    test('conversions', () => {
      const general = (names: string) =>
        names.split(' ').flatMap((name) => [`${name} eax, xmm1`, `${name} r9, xmm2`]);
      compare(
        [...general('cvtss2si cvttss2si'), ...scalar('cvtss2sd', 'dword'), ...scalar('cvtps2pd', 'qword')],
        singles,
        modes,
      );
      compare(packed('cvtps2dq cvttps2dq'), singles, modes);
      compare([...general('cvtsd2si cvttsd2si'), ...scalar('cvtsd2ss', 'qword')], double, modes);
      compare(packed('cvtpd2ps cvtpd2dq cvttpd2dq'), double, modes);
      const fromGeneral = ['cvtsi2ss', 'cvtsi2sd'].flatMap((name) => [
        `${name} xmm1, eax`,
        `${name} xmm1, r9`,
      ]);
      compare([...fromGeneral, ...packed('cvtdq2ps'), ...scalar('cvtdq2pd', 'qword')], integers, modes);
    });

    test('loading and storing the control register', () => {
      compare(['ldmxcsr dword ptr [rdi + 8]'], (random) => BigInt(anyMode(random)));
      compare(['stmxcsr dword ptr [rdi + 8]'], integers, modes);
    });
  },
);

const AVX = hasFeatures('avx', 'fma', 'f16c');

/** Singles that are, or are between, halves of exponents from below the least subnormal one to normal ones. */
const aroundSubnormalHalves: Fill = (random) => {
  const half = () => {
    const sign = BigInt(random.below(2)) << 31n;
    const exponent = BigInt(100 + random.below(15)) << 23n;
    const digits = random.pick([0n, 1n << 22n, 1n << 14n, 1n << 13n, 1n]);
    return sign | exponent | (BigInt(random.below(2)) * digits);
  };
  return half() | (half() << 32n);
};

describe.skipIf(!AVX)('the same of instructions with VEX prefix only', () => {
  const fused = (names: string, register: string) =>
    names.split(' ').flatMap((name) => [`${name} ${register}1, ${register}2, ${register}3`]);
  const orders = ['132', '213', '231'];

  test('fused multiply-add', () => {
    for (const [suffix, fill] of [
      ['s', singles],
      ['d', double],
    ] as const) {
      const names = orders.flatMap((order) =>
        ['vfmadd', 'vfnmsub', 'vfmaddsub', 'vfmsubadd'].map((stem) => `${stem}${order}p${suffix}`),
      );
      compare(fused(names.join(' '), 'ymm'), fill, modes);
      const scalars = orders.flatMap((order) =>
        ['vfmadd', 'vfmsub', 'vfnmadd', 'vfnmsub'].map((stem) => `${stem}${order}s${suffix}`),
      );
      compare(fused(scalars.join(' '), 'xmm'), fill, modes);
    }
  });

  test('half precision', () => {
    const selectors = [0, 1, 2, 3, 4, 7, 12];
    compare(
      selectors.flatMap((select) => [`vcvtps2ph xmm1, ymm2, ${select}`, `vcvtps2ph xmm1, xmm2, ${select}`]),
      singles,
      modes,
    );
    compare(
      selectors.map((select) => `vcvtps2ph xmm1, ymm2, ${select}`),
      aroundSubnormalHalves,
      modes,
    );
    compare(['vcvtph2ps ymm1, xmm2', 'vcvtph2ps xmm1, qword ptr [rdi+8]'], integers, modes);
  });

  test('comparisons with all 32 predicates', () => {
    const predicates = Array.from({ length: 32 }, (_, i) => i);
    compare(
      predicates.flatMap((i) => [`vcmpps ymm1, ymm2, ymm3, ${i}`, `vcmpss xmm1, xmm2, xmm3, ${i}`]),
      singles,
      modes,
    );
    compare(
      predicates.map((i) => `vcmppd ymm1, ymm2, ymm3, ${i}`),
      double,
      modes,
    );
  });
});

/** A machine whose code is lifted for the default mode only. */
class DefaultModeMachine extends CaseMachine {
  override readonly followsMxcsr = false;
}

describe.skipIf(!hasNativeOracle())('what is refused', () => {
  test('another mode, on a machine that runs the default mode only, by its value', () => {
    for (const value of [0x3f80, 0x9f80, 0x1fc0, 0x1f00, 0x1d80]) {
      const before = State.initial();
      before.setGpr(7, BigInt(DATA_ADDRESS));
      new DataView(before.data.buffer, before.data.byteOffset, 4).setUint32(0, value, true);
      const [code] = assemble(['ldmxcsr dword ptr [rdi]']);
      const { terminator } = liftCase({ code, before });
      if (terminator.kind !== 'service') throw new Error('ldmxcsr is a service');
      const run = () => SERVICES.get('ldmxcsr')?.(new DefaultModeMachine(before), terminator.argument);
      expect(run).toThrow(`MXCSR to 0x${value.toString(16)}`);
    }
  });

  test('an exception that the program has unmasked', () => {
    const before = State.initial();
    before.fx.setUint32(24, 0x1f80 & ~0x200, true);
    const [code] = assemble(['divsd xmm1, xmm2']);
    new DataView(before.xmm(1).buffer, before.xmm(1).byteOffset, 8).setFloat64(0, 1, true);
    expect(runEmulated({ code, before }).signal).toBe(8);
    expect(runNative([{ code, before }])[0].signal).toBe(8);
  });
});
