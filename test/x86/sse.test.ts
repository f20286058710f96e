import { describe, expect, test } from 'vitest';
import { assemble } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { hasNativeOracle, type NativeCase, runNative } from './native/runner.ts';
import { ALL_FLAGS, DATA_ADDRESS, State } from './native/state.ts';
import { double, integers, Random, single } from './operands.ts';

/** 64 bits of a vector register or of memory. */
type Fill = (random: Random) => bigint;

const singles: Fill = (random) => single(random) | (single(random) << 32n);

function randomState(random: Random, fill: Fill): State {
  const state = State.initial();
  for (let i = 0; i < 16; i++) {
    state.setGpr(i, random.below(3) === 0 ? random.bits() : integers(random));
    const view = new DataView(state.xmm(i).buffer, state.xmm(i).byteOffset, 16);
    view.setBigUint64(0, fill(random), true);
    view.setBigUint64(8, fill(random), true);
  }
  // Now and then two operands are equal.
  if (random.below(4) === 0) state.xmm(2).set(state.xmm(1));
  for (let at = 0; at < 64; at += 8)
    new DataView(state.data.buffer, state.data.byteOffset + at, 8).setBigUint64(0, fill(random), true);
  if (random.below(4) === 0) state.data.set(state.xmm(1), 16);
  state.setGpr(7, BigInt(DATA_ADDRESS));
  state.rflags = 0x202 | (Number(random.bits()) & 0x8d5);
  return state;
}

/** What the processor and we must agree on, readably; MXCSR's sticky bits are not modelled. */
function summary(state: State): Record<string, string> {
  const facts: Record<string, string> = { signal: String(state.signal) };
  if (state.signal !== 0) return facts;
  for (let i = 0; i < 16; i++) facts[`r${i}`] = state.gpr(i).toString(16);
  for (let i = 0; i < 16; i++) facts[`xmm${i}`] = Buffer.from(state.xmm(i)).reverse().toString('hex');
  facts.flags = (state.rflags & ALL_FLAGS).toString(16);
  facts.data = Buffer.from(state.data.subarray(0, 96)).toString('hex');
  return facts;
}

const CASES = 64;

/** Runs every line on random states here and there. */
function compare(lines: readonly string[], fill: Fill): void {
  const random = new Random(lines.length);
  const code = assemble(lines);
  const cases: NativeCase[] = code.flatMap((bytes) =>
    Array.from({ length: CASES }, () => ({ code: bytes, before: randomState(random, fill) })),
  );
  const expected = runNative(cases);
  cases.forEach((one, i) => {
    const line = lines[Math.floor(i / CASES)];
    const ours = summary(runEmulated(one));
    const host = summary(expected[i]);
    const differing = Object.keys(host).filter((key) => host[key] !== ours[key]);
    if (differing.length > 0)
      expect.fail(
        `${line}: ${differing.map((key) => `${key} is ${ours[key]}, on the host ${host[key]}`).join('; ')}\nbefore: ${JSON.stringify(summary(one.before))}`,
      );
  });
}

/** Forms of a packed instruction: two registers, one register twice, aligned and misaligned memory. */
const packed = (names: string, immediates: readonly string[] = ['']): string[] =>
  names.split(' ').flatMap((name) =>
    immediates.flatMap((immediate) => [
      `${name} xmm1, xmm2${immediate}`,
      `${name} xmm9, xmm9${immediate}`,
      `${name} xmm3, xmmword ptr [rdi + 16]${immediate}`,
      `${name} xmm4, xmmword ptr [rdi + 17]${immediate}`,
    ]),
  );

/** Forms of a scalar instruction with a memory operand of a size. */
const scalar = (names: string, size: string, immediates: readonly string[] = ['']): string[] =>
  names.split(' ').flatMap((name) =>
    immediates.flatMap((immediate) => [
      `${name} xmm1, xmm2${immediate}`,
      `${name} xmm9, xmm9${immediate}`,
      `${name} xmm3, ${size} ptr [rdi + 17]${immediate}`,
    ]),
  );

const numbers = (...values: number[]): string[] => values.map((value) => `, ${value}`);
const PREDICATES = numbers(0, 1, 2, 3, 4, 5, 6, 7);
const SELECTORS = numbers(0, 0x1b, 0x4e, 0xe4, 0xff, 0x93);

describe.skipIf(!hasNativeOracle())('SSE instructions do what the processor does', () => {
  test('moves between vector registers and memory', () => {
    compare(
      [
        ...packed('movaps movapd movdqa movups movupd movdqu'),
        ...['movaps', 'movapd', 'movdqa', 'movups', 'movupd', 'movdqu', 'movntps', 'movntpd', 'movntdq'].flatMap(
          (name) => [`${name} [rdi + 32], xmm5`, `${name} [rdi + 40], xmm5`],
        ),
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
      names.split(' ').flatMap((name) => [
        `${name} eax, xmm1`,
        `${name} r9, xmm2`,
        `${name} eax, ${size} ptr [rdi + 9]`,
        `${name} rcx, ${size} ptr [rdi + 9]`,
      ]);
    compare(
      [...toGeneral('cvtss2si cvttss2si', 'dword'), ...scalar('cvtss2sd', 'dword'), ...scalar('cvtps2pd', 'qword')],
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
    compare(packed('pmullw pmulhw pmulhuw pmuludq pmaddwd psadbw pavgb pavgw pminub pmaxub pminsw pmaxsw'), integers);
  });

  test('integer comparisons and logic', () => {
    compare(packed('pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd pand pandn por pxor'), integers);
  });

  test('shifts by registers and immediates, of any size', () => {
    const shifts = 'psllw pslld psllq psrlw psrld psrlq psraw psrad';
    const immediates = shifts
      .split(' ')
      .flatMap((name) => [0, 1, 15, 16, 31, 32, 63, 64, 255].map((count) => `${name} xmm6, ${count}`));
    const bytes = ['pslldq', 'psrldq'].flatMap((name) => [0, 1, 7, 8, 15, 16, 200].map((n) => `${name} xmm6, ${n}`));
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

  test('the control register, prefetches and clflush', () => {
    compare(
      ['stmxcsr dword ptr [rdi + 8]', 'prefetcht0 [rdi]', 'prefetchnta [rdi + 3]', 'clflush [rdi]'],
      integers,
    );
  });
});
