import { Mnemonic } from 'iced-x86';
import { describe, expect, test } from 'vitest';
import { MMX_ROWS } from '../../src/x86/lift/mmx.ts';
import { hasNativeOracle } from './native/runner.ts';
import { double, integers } from './operands.ts';
import { anyMode, compare, compared, numbers, singles } from './sse-cases.ts';

/** Two registers, one register twice, memory. */
const forms = (names: string, immediates: readonly string[] = ['']): string[] =>
  names
    .split(' ')
    .flatMap((name) =>
      immediates.flatMap((immediate) =>
        ['mm1, mm2', 'mm5, mm5', `mm3, ${/punpckl/.test(name) ? 'dword' : 'qword'} ptr [rdi + 17]`].map(
          (operands) => `${name} ${operands}${immediate}`,
        ),
      ),
    );

const fpu = { fpu: true };

describe.skipIf(!hasNativeOracle())(
  'MMX instructions do what the processor does, also to the x87 stack',
  () => {
    test('arithmetic and logic', () => {
      compare(
        forms('paddb paddw paddd paddq paddsb paddsw paddusb paddusw psubb psubw psubd psubq psubsb psubsw'),
        integers,
        fpu,
      );
      compare(
        forms(
          'psubusb psubusw pmullw pmulhw pmulhuw pmuludq pmaddwd psadbw pavgb pavgw pminub pmaxub pminsw pmaxsw',
        ),
        integers,
        fpu,
      );
      compare(forms('pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd pand pandn por pxor'), integers, fpu);
    });

    test('shifts', () => {
      const shifts = 'psllw pslld psllq psrlw psrld psrlq psraw psrad';
      const immediates = shifts
        .split(' ')
        .flatMap((name) => [0, 1, 15, 16, 31, 32, 63, 64, 255].map((count) => `${name} mm6, ${count}`));
      compare([...forms(shifts), ...immediates], integers, fpu);
    });

    test('packing, unpacking and shuffling', () => {
      compare(
        forms('packsswb packuswb packssdw punpcklbw punpcklwd punpckldq punpckhbw punpckhwd punpckhdq'),
        integers,
        fpu,
      );
      compare(forms('pshufw', numbers(0, 0x1b, 0x4e, 0xe4, 0xff)), integers, fpu);
      compare(
        [
          'pinsrw mm1, eax, 1',
          'pinsrw mm1, eax, 7',
          'pinsrw mm1, word ptr [rdi + 3], 2',
          'pextrw eax, mm1, 3',
          'pextrw r9d, mm1, 6',
          'pmovmskb eax, mm1',
        ],
        integers,
        fpu,
      );
    });

    test('SSSE3', () => {
      compare(
        forms('pshufb phaddw phaddd phaddsw phsubw phsubd phsubsw pmaddubsw pmulhrsw psignb psignw psignd'),
        integers,
        fpu,
      );
      compare(forms('pabsb pabsw pabsd'), integers, fpu);
      compare(forms('palignr', numbers(0, 1, 7, 8, 9, 15, 16, 17, 255)), integers, fpu);
    });

    test('moves', () => {
      compare(
        [
          'movd mm1, eax',
          'movd mm1, dword ptr [rdi + 5]',
          'movd r9d, mm2',
          'movd dword ptr [rdi + 5], mm2',
          'movq mm1, rax',
          'movq r9, mm7',
          'movq mm1, mm2',
          'movq mm1, qword ptr [rdi + 5]',
          'movq qword ptr [rdi + 5], mm2',
          'movntq qword ptr [rdi + 5], mm2',
          'movq2dq xmm1, mm2',
          'movdq2q mm1, xmm2',
          'maskmovq mm1, mm2',
          'maskmovq mm4, mm4',
          'emms',
        ],
        integers,
        fpu,
      );
    });

    test('conversions, in every mode of MXCSR', () => {
      for (const options of [fpu, { ...fpu, mxcsr: anyMode }]) {
        compare(
          ['cvtpi2ps', 'cvtpi2pd'].flatMap((name) => [
            `${name} xmm1, mm2`,
            `${name} xmm1, qword ptr [rdi + 3]`,
          ]),
          integers,
          options,
        );
        compare(
          ['cvtps2pi', 'cvttps2pi'].flatMap((name) => [
            `${name} mm1, xmm2`,
            `${name} mm1, qword ptr [rdi + 3]`,
          ]),
          singles,
          options,
        );
        compare(
          ['cvtpd2pi', 'cvttpd2pi'].flatMap((name) => [
            `${name} mm1, xmm2`,
            `${name} mm1, xmmword ptr [rdi + 16]`,
            `${name} mm1, xmmword ptr [rdi + 17]`,
          ]),
          double,
          options,
        );
      }
    });

    test('beside x87 instructions in one block', () => {
      compare(
        [
          'movq mm1, rax; paddb mm1, mm2; emms; fld1',
          'fldz; movq mm3, mm1; fxch st(1); nop',
          'movq mm0, mm1; fstp st(0); movq mm7, mm0; nop',
          'emms; fild qword ptr [rdi]; movq rax, mm7; emms',
        ],
        integers,
        { ...fpu, instructions: 4 },
      );
    });

    test('every row was compared', () => {
      const missing = MMX_ROWS.map(([mnemonic]) => mnemonic).filter((mnemonic) => !compared.has(mnemonic));
      expect(missing.map((mnemonic) => Mnemonic[mnemonic])).toEqual([]);
    });
  },
);
