import { Mnemonic } from 'iced-x86';
import { describe, expect, test } from 'vitest';
import { EXTENSION_ROWS } from '../../src/x86/lift/sse.ts';
import { hasFeatures } from './native/features.ts';
import { double, integers, type Random } from './operands.ts';
import { anyMode, compare, compared, numbers, packed, scalar, singles } from './sse-cases.ts';

const INTEGERS =
  'pminsb pmaxsb pminuw pmaxuw pminsd pmaxsd pminud pmaxud pmulld pmuldq packusdw pcmpeqq pcmpgtq phminposuw ptest';
const ALL = numbers(...Array.from({ length: 16 }, (_, i) => i), 0x5a, 0xa5, 0xff);

describe.skipIf(!hasFeatures('sse4_1', 'sse4_2', 'aes', 'pclmulqdq', 'sha_ni'))(
  'vector instructions from SSE4.1 on do what the processor does',
  () => {
    test('integer arithmetic', () => {
      compare(packed(INTEGERS), integers);
      compare(packed('mpsadbw', numbers(0, 1, 2, 3, 4, 5, 6, 7, 0xff)), integers);
    });

    test('widening', () => {
      for (const sign of ['sx', 'zx'])
        compare(
          [
            ...scalar(`pmov${sign}bw pmov${sign}wd pmov${sign}dq`, 'qword'),
            ...scalar(`pmov${sign}bd pmov${sign}wq`, 'dword'),
            ...scalar(`pmov${sign}bq`, 'word'),
          ],
          integers,
        );
    });

    test('choosing lanes', () => {
      compare([...packed('blendps blendpd pblendw', ALL), ...packed('blendvps blendvpd pblendvb')], integers);
      compare(['blendvps xmm0, xmm1', 'pblendvb xmm0, xmm0', 'blendvpd xmm3, xmm0'], integers);
    });

    test('lanes from and to general registers and memory', () => {
      const lanes = [0, 1, 2, 3, 7, 8, 15, 16, 0xff];
      compare(
        lanes.flatMap((lane) => [
          ...['pextrb eax', 'pextrb r9', 'pextrb byte ptr [rdi + 3]'].map((to) => `${to}, xmm3, ${lane}`),
          ...['pextrd eax', 'pextrd dword ptr [rdi + 3]', 'pextrq rax', 'pextrq qword ptr [rdi + 3]'].map(
            (to) => `${to}, xmm3, ${lane}`,
          ),
          ...['extractps eax', 'extractps r10', 'extractps dword ptr [rdi + 3]'].map(
            (to) => `${to}, xmm3, ${lane}`,
          ),
          `pextrw word ptr [rdi + 3], xmm3, ${lane}`,
          `pinsrb xmm1, eax, ${lane}`,
          `pinsrb xmm1, byte ptr [rdi + 3], ${lane}`,
          `pinsrd xmm1, r8d, ${lane}`,
          `pinsrd xmm1, dword ptr [rdi + 3], ${lane}`,
          `pinsrq xmm1, r8, ${lane}`,
          `pinsrq xmm1, qword ptr [rdi + 3], ${lane}`,
        ]),
        integers,
      );
      const selectors = numbers(0, 0x0f, 0x1a, 0x4e, 0x91, 0xd2, 0xe4, 0xff, 0x30, 0xc5);
      compare(scalar('insertps', 'dword', selectors), integers);
      compare(['movntdqa xmm1, xmmword ptr [rdi + 16]', 'movntdqa xmm1, xmmword ptr [rdi + 17]'], integers);
    });

    test('scalar products and rounding', () => {
      compare(packed('dpps', numbers(0, 0xff, 0xf1, 0x71, 0x3f, 0x85, 0x5a, 0x1f)), singles);
      compare(packed('dppd', numbers(0, 0x33, 0x31, 0x12, 0x23, 0xff)), double);
      compare([...packed('roundps', ALL), ...scalar('roundss', 'dword', ALL)], singles);
      compare([...packed('roundpd', ALL), ...scalar('roundsd', 'qword', ALL)], double);
    });

    test('scalar products and rounding in other modes of MXCSR', () => {
      const modes = { mxcsr: anyMode };
      compare(packed('dpps', numbers(0xff, 0xf1, 0x71, 0x3f)), singles, modes);
      compare(packed('dppd', numbers(0x33, 0x31, 0x12)), double, modes);
      compare([...packed('roundps', ALL), ...scalar('roundss', 'dword', ALL)], singles, modes);
      compare([...packed('roundpd', ALL), ...scalar('roundsd', 'qword', ALL)], double, modes);
    });

    test('strings, with every selector', () => {
      const selectors = Array.from({ length: 128 }, (_, i) => i);
      const operands = ['xmm1, xmm2', 'xmm3, xmmword ptr [rdi + 17]'];
      compare(
        selectors.flatMap((select) =>
          ['pcmpistri', 'pcmpistrm', 'pcmpestri', 'pcmpestrm', 'rex.w pcmpestri', 'rex.w pcmpestrm'].map(
            (name, i) => `${name} ${operands[(i + select) % 2]}, ${select}`,
          ),
        ),
        text,
        { lengths: true, cases: 12 },
      );
    });

    test('AES, carry-less products and SHA', () => {
      compare(packed('aesenc aesenclast aesdec aesdeclast aesimc'), (random) => random.bits());
      compare(packed('aeskeygenassist', numbers(0, 1, 0x36, 0xff)), integers);
      compare(packed('pclmulqdq', numbers(0, 1, 0x10, 0x11, 0xee)), (random) => random.bits());
      compare(packed('pclmulqdq', numbers(0, 0x11)), integers);
      // Misaligned operands fault by both manuals; AMD's Zen 5 takes them all the same.
      const aligned = (lines: string[]) => lines.filter((line) => !line.includes('rdi + 17'));
      compare(aligned(packed('sha1nexte sha1msg1 sha1msg2 sha256rnds2 sha256msg1 sha256msg2')), integers);
      compare(aligned(packed('sha1rnds4', numbers(0, 1, 2, 3, 0xfe))), integers);
    });

    test('every row was compared', () => {
      const missing = EXTENSION_ROWS.map(([mnemonic]) => mnemonic).filter(
        (mnemonic) => !compared.has(mnemonic),
      );
      expect(missing.map((mnemonic) => Mnemonic[mnemonic])).toEqual([]);
    });
  },
);

/** Few different characters, and an end here and there. */
function text(random: Random): bigint {
  if (random.below(6) === 0) return integers(random);
  const end = random.below(12);
  const letters = 2 + random.below(3);
  let all = 0n;
  for (let at = 0; at < 8; at++) {
    const letter = at === end ? 0 : 0x61 + random.below(letters) + (random.below(8) === 0 ? 0x80 : 0);
    all |= BigInt(letter) << BigInt(8 * at);
  }
  return all;
}
