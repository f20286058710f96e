import { Mnemonic } from 'iced-x86';
import { describe, expect, test } from 'vitest';
import { SSE_ROWS } from '../../src/x86/lift/sse.ts';
import { assemble } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { hasNativeOracle, runNative } from './native/runner.ts';
import type { State } from './native/state.ts';
import { double, integers, Random } from './operands.ts';
import { compare, compared, numbers, PREDICATES, packed, randomState, scalar, singles } from './sse-cases.ts';

const SELECTORS = numbers(0, 0x1b, 0x4e, 0xe4, 0xff, 0x93);

describe.skipIf(!hasNativeOracle())('SSE instructions do what the processor does', () => {
  test('moves between vector registers and memory', () => {
    compare(
      [
        ...packed('movaps movapd movdqa movups movupd movdqu'),
        ...[
          'movaps',
          'movapd',
          'movdqa',
          'movups',
          'movupd',
          'movdqu',
          'movntps',
          'movntpd',
          'movntdq',
        ].flatMap((name) => [`${name} [rdi + 32], xmm5`, `${name} [rdi + 40], xmm5`]),
        ...scalar('movss', 'dword'),
        ...scalar('movsd', 'qword'),
        'movss dword ptr [rdi + 3], xmm7',
        'movsd qword ptr [rdi + 3], xmm7',
        ...['movlps', 'movlpd', 'movhps', 'movhpd'].flatMap((name) => [
          `${name} xmm1, qword ptr [rdi + 9]`,
          `${name} qword ptr [rdi + 9], xmm1`,
        ]),
        'movhlps xmm1, xmm2',
        'movlhps xmm1, xmm2',
        'movhlps xmm1, xmm1',
        'movlhps xmm1, xmm1',
      ],
      double,
    );
  });

  test('moves between vector and general registers', () => {
    compare(
      [
        'movd xmm1, eax',
        'movd xmm1, dword ptr [rdi + 5]',
        'movd r9d, xmm2',
        'movd dword ptr [rdi + 5], xmm2',
        'movq xmm1, rax',
        'movq r9, xmm12',
        'movq xmm1, xmm2',
        'movq xmm1, xmm1',
        'movq xmm1, qword ptr [rdi + 5]',
        'movq qword ptr [rdi + 5], xmm2',
        'movnti dword ptr [rdi + 5], eax',
        'movnti qword ptr [rdi + 5], rax',
        'movmskps eax, xmm3',
        'movmskpd r10d, xmm3',
        'pmovmskb eax, xmm3',
        'pinsrw xmm1, eax, 5',
        'pinsrw xmm1, eax, 13',
        'pinsrw xmm1, word ptr [rdi + 5], 0',
        'pextrw eax, xmm3, 7',
        'pextrw r8d, xmm3, 8',
        'maskmovdqu xmm1, xmm2',
        'maskmovdqu xmm4, xmm4',
      ],
      integers,
    );
  });

  test('arithmetic on single precision', () => {
    compare(packed('addps subps mulps divps sqrtps minps maxps'), singles);
    compare(scalar('addss subss mulss divss sqrtss minss maxss', 'dword'), singles);
  });

  test('arithmetic on double precision', () => {
    compare(packed('addpd subpd mulpd divpd sqrtpd minpd maxpd'), double);
    compare(scalar('addsd subsd mulsd divsd sqrtsd minsd maxsd', 'qword'), double);
  });

  test('comparisons with all eight predicates', () => {
    compare([...packed('cmpps', PREDICATES), ...scalar('cmpss', 'dword', PREDICATES)], singles);
    compare([...packed('cmppd', PREDICATES), ...scalar('cmpsd', 'qword', PREDICATES)], double);
  });

  test('comparisons that set the flags', () => {
    compare(scalar('comiss ucomiss', 'dword'), singles);
    compare(scalar('comisd ucomisd', 'qword'), double);
  });

  test('logic on floating-point registers', () => {
    compare(packed('andps andpd andnps andnpd orps orpd xorps xorpd'), integers);
  });

  test('conversions from floating point', () => {
    const toGeneral = (names: string, size: string) =>
      names
        .split(' ')
        .flatMap((name) => [
          `${name} eax, xmm1`,
          `${name} r9, xmm2`,
          `${name} eax, ${size} ptr [rdi + 9]`,
          `${name} rcx, ${size} ptr [rdi + 9]`,
        ]);
    compare(
      [
        ...toGeneral('cvtss2si cvttss2si', 'dword'),
        ...scalar('cvtss2sd', 'dword'),
        ...scalar('cvtps2pd', 'qword'),
      ],
      singles,
    );
    compare(packed('cvtps2dq cvttps2dq'), singles);
    compare([...toGeneral('cvtsd2si cvttsd2si', 'qword'), ...scalar('cvtsd2ss', 'qword')], double);
    compare(packed('cvtpd2ps cvtpd2dq cvttpd2dq'), double);
  });

  test('conversions from integers', () => {
    compare(
      [
        ...['cvtsi2ss', 'cvtsi2sd'].flatMap((name) => [
          `${name} xmm1, eax`,
          `${name} xmm1, r9`,
          `${name} xmm1, dword ptr [rdi + 9]`,
          `${name} xmm1, qword ptr [rdi + 9]`,
        ]),
        ...packed('cvtdq2ps'),
        ...scalar('cvtdq2pd', 'qword'),
      ],
      integers,
    );
  });

  test('integer arithmetic', () => {
    compare(
      packed(
        'paddb paddw paddd paddq paddsb paddsw paddusb paddusw psubb psubw psubd psubq psubsb psubsw psubusb psubusw',
      ),
      integers,
    );
    compare(
      packed('pmullw pmulhw pmulhuw pmuludq pmaddwd psadbw pavgb pavgw pminub pmaxub pminsw pmaxsw'),
      integers,
    );
  });

  test('integer comparisons and logic', () => {
    compare(packed('pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd pand pandn por pxor'), integers);
  });

  test('shifts by registers and immediates, of any size', () => {
    const shifts = 'psllw pslld psllq psrlw psrld psrlq psraw psrad';
    const immediates = shifts
      .split(' ')
      .flatMap((name) => [0, 1, 15, 16, 31, 32, 63, 64, 255].map((count) => `${name} xmm6, ${count}`));
    const bytes = ['pslldq', 'psrldq'].flatMap((name) =>
      [0, 1, 7, 8, 15, 16, 200].map((n) => `${name} xmm6, ${n}`),
    );
    compare([...packed(shifts), ...immediates, ...bytes], integers);
  });

  test('packing, unpacking and shuffling', () => {
    compare(
      packed(
        'packsswb packuswb packssdw punpcklbw punpckhbw punpcklwd punpckhwd punpckldq punpckhdq punpcklqdq punpckhqdq',
      ),
      integers,
    );
    compare(packed('unpcklps unpckhps unpcklpd unpckhpd'), double);
    compare(packed('shufps shufpd pshufd pshuflw pshufhw', SELECTORS), integers);
  });

  test('SSE3 and SSSE3', () => {
    compare(
      [
        ...packed('addsubps haddps hsubps movsldup movshdup lddqu').filter(
          (line) => !/lddqu.*, xmm\d$/.test(line),
        ),
      ],
      singles,
    );
    compare([...packed('addsubpd haddpd hsubpd'), ...scalar('movddup', 'qword')], double);
    compare(
      packed(
        'pshufb phaddw phaddd phaddsw phsubw phsubd phsubsw pmaddubsw pmulhrsw psignb psignw psignd pabsb pabsw pabsd',
      ),
      integers,
    );
    compare(packed('palignr', numbers(0, 1, 15, 16, 17, 31, 32, 255)), integers);
  });

  test('chains of scalar instructions in one block', () => {
    const random = new Random(7);
    const operands = ['xmm1', 'xmm2', 'xmm3', 'qword ptr [rdi + 8]'];
    const names =
      'movsd addsd subsd mulsd divsd sqrtsd minsd maxsd cvtsd2ss cvtss2sd movss addss movq unpcklpd movapd'.split(
        ' ',
      );
    const sequence = () =>
      Array.from({ length: 4 }, () => {
        const name = random.pick(names);
        const operand = random
          .pick(operands)
          .replace('qword', /(?<!2)ss$|^cvtss/.test(name) ? 'dword' : 'qword');
        const aligned = name === 'unpcklpd' || name === 'movapd';
        return `${name} ${random.pick(['xmm1', 'xmm2', 'xmm3'])}, ${aligned ? 'xmm2' : operand}`;
      }).join('; ');
    compare(Array.from({ length: 150 }, sequence), (r) => (r.below(3) === 0 ? singles(r) : double(r)), {
      instructions: 4,
    });
  });

  test('control register, prefetches and clflush', () => {
    compare(['stmxcsr dword ptr [rdi + 8]', 'clflush [rdi]'], integers);
    compare(
      [
        'prefetcht0 [rdi]',
        'prefetcht1 [rdi]',
        'prefetcht2 [rdi]',
        'prefetchnta [rdi + 3]',
        'prefetchw [rdi]',
      ],
      integers,
    );
  });

  test('every row was compared, but the approximations', () => {
    const approximations = [Mnemonic.Rcpps, Mnemonic.Rcpss, Mnemonic.Rsqrtps, Mnemonic.Rsqrtss];
    const missing = SSE_ROWS.map(([mnemonic]) => mnemonic).filter((mnemonic) => !compared.has(mnemonic));
    expect(missing.sort()).toEqual(approximations.sort());
  });

  test("approximations are as near as the manual asks, and special cases are the processor's", () => {
    const random = new Random(5);
    const lines = [
      'rcpps xmm1, xmm2',
      'rsqrtps xmm1, xmm2',
      'rcpss xmm1, dword ptr [rdi]',
      'rsqrtss xmm1, xmm2',
    ];
    const cases = assemble(lines).flatMap((code) =>
      Array.from({ length: 3000 }, () => ({ code, before: randomState(random, singles) })),
    );
    const expected = runNative(cases);
    const wrong = cases.flatMap((one, i) => {
      const ours = lanesOf(runEmulated(one));
      return lanesOf(expected[i]).flatMap((host, lane) => {
        // Both are within 1.5 * 2^-12 of the exact value.
        const near = Math.abs(ours[lane] - host) < 3.01 * 2 ** -12 * Math.abs(host);
        const same = Object.is(ours[lane], host);
        return same || (Number.isFinite(host) && near)
          ? []
          : [`${lines[Math.floor(i / 3000)]}: ${ours[lane]}, host ${host}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});

/** The single-precision lanes of xmm1. */
function lanesOf(state: State): number[] {
  const view = new DataView(state.xmm(1).buffer, state.xmm(1).byteOffset, 16);
  return [0, 4, 8, 12].map((at) => view.getFloat32(at, true));
}
