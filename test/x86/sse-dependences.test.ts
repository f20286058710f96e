import { describe, expect, test } from 'vitest';
import { VARIABLES } from '../../src/x86/state.ts';
import { assemble } from './native/assemble.ts';
import { liftCase } from './native/emulated.ts';
import { hasNativeOracle } from './native/runner.ts';
import { State } from './native/state.ts';

/** Locations by the name of their first variable. */
function named(locations: readonly number[]): string {
  return locations.map((at) => VARIABLES.find(({ location }) => location === at)?.name).join(' ');
}

/** `sources -> destinations`, with memory as its size. */
function dependences(code: Uint8Array): string {
  const [instruction] = liftCase({ code, before: State.initial() }).instructions;
  const memory = (accesses: readonly { size: number }[]) => accesses.map(({ size }) => `[${size}]`);
  const side = (locations: readonly number[], accesses: readonly { size: number }[]) =>
    [named(locations), ...memory(accesses)].filter((text) => text !== '').join(' ');
  return `${side(instruction.sources, instruction.loads)} -> ${side(instruction.destinations, instruction.stores)}`;
}

/** Rules 3 and 4. `zr` stands for SF, ZF, AF and PF, `fp7` for the slot that is pushed onto an empty stack. */
const CASES: Readonly<Record<string, string>> = {
  // Scalars keep the rest of their destination; loads and packed instructions do not.
  'addsd xmm1, xmm2': 'xmm1 xmm2 mxcsr -> xmm1',
  'addsd xmm1, qword ptr [rdi]': 'rdi xmm1 mxcsr [8] -> xmm1',
  'sqrtsd xmm1, xmm0': 'xmm0 xmm1 mxcsr -> xmm1',
  'sqrtpd xmm1, xmm0': 'xmm0 mxcsr -> xmm1',
  'cvtsd2ss xmm1, xmm0': 'xmm0 xmm1 mxcsr -> xmm1',
  'cvtsi2sd xmm1, eax': 'rax xmm1 -> xmm1',
  'cvtsi2sd xmm1, rax': 'rax xmm1 mxcsr -> xmm1',
  'cvtsi2ss xmm1, eax': 'rax xmm1 mxcsr -> xmm1',
  'cvttsd2si rax, xmm1': 'xmm1 mxcsr -> rax',
  'cvtdq2pd xmm1, xmm2': 'xmm2 -> xmm1',
  'movsd xmm1, xmm2': 'xmm1 xmm2 -> xmm1',
  'movsd xmm1, qword ptr [rdi]': 'rdi [8] -> xmm1',
  'movss xmm1, dword ptr [rdi]': 'rdi [4] -> xmm1',
  'movhpd xmm1, qword ptr [rdi]': 'rdi xmm1 [8] -> xmm1',
  'movsd qword ptr [rdi], xmm1': 'rdi xmm1 -> [8]',
  'movq xmm1, xmm2': 'xmm2 -> xmm1',
  'movaps xmm1, xmm2': 'xmm2 -> xmm1',
  'movaps xmm1, xmmword ptr [rdi]': 'rdi [16] -> xmm1',
  // Moves, logic and integers do not depend on MXCSR; comparisons and min do.
  'andps xmm1, xmm2': 'xmm1 xmm2 -> xmm1',
  'rcpps xmm1, xmm2': 'xmm2 -> xmm1',
  'comisd xmm1, xmm2': 'xmm1 xmm2 mxcsr -> cf of zr',
  'cmpsd xmm1, xmm2, 1': 'xmm1 xmm2 mxcsr -> xmm1',
  'minps xmm1, xmm2': 'xmm1 xmm2 mxcsr -> xmm1',
  'pshufd xmm1, xmm2, 27': 'xmm2 -> xmm1',
  'shufps xmm1, xmm2, 27': 'xmm1 xmm2 -> xmm1',
  'pinsrw xmm1, eax, 1': 'rax xmm1 -> xmm1',
  // SSE4: what is kept is read, a mask or words in xmm0 are, MXCSR governs rounding; memory is as small as the lanes.
  'blendvps xmm1, xmm2': 'xmm0 xmm1 xmm2 -> xmm1',
  'pblendw xmm1, xmm2, 255': 'xmm1 xmm2 -> xmm1',
  'dpps xmm1, xmm2, 255': 'xmm1 xmm2 mxcsr -> xmm1',
  'roundps xmm1, xmm2, 8': 'xmm2 mxcsr -> xmm1',
  'roundsd xmm1, qword ptr [rdi], 1': 'rdi xmm1 mxcsr [8] -> xmm1',
  'pmovzxbw xmm1, xmm2': 'xmm2 -> xmm1',
  'pmovsxbq xmm1, word ptr [rdi]': 'rdi [2] -> xmm1',
  'pinsrb xmm1, eax, 1': 'rax xmm1 -> xmm1',
  'pextrb byte ptr [rdi], xmm1, 1': 'rdi xmm1 -> [1]',
  'insertps xmm1, dword ptr [rdi], 15': 'rdi xmm1 [4] -> xmm1',
  'ptest xmm1, xmm1': 'xmm1 -> cf of zr',
  'phminposuw xmm1, xmm2': 'xmm2 -> xmm1',
  'pcmpistri xmm1, xmm2, 12': 'xmm1 xmm2 -> rcx cf of zr',
  'pcmpistrm xmm1, xmmword ptr [rdi], 12': 'rdi xmm1 [16] -> xmm0 cf of zr',
  'pcmpestri xmm1, xmm2, 12': 'rax rdx xmm1 xmm2 -> rcx cf of zr',
  'pcmpestrm xmm1, xmm2, 12': 'rax rdx xmm1 xmm2 -> xmm0 cf of zr',
  'pcmpeqq xmm1, xmm1': ' -> xmm1',
  'pcmpgtq xmm1, xmm1': ' -> xmm1',
  'aesenc xmm1, xmm2': 'xmm1 xmm2 -> xmm1',
  'aesimc xmm1, xmm2': 'xmm2 -> xmm1',
  'pclmulqdq xmm1, xmm2, 17': 'xmm1 xmm2 -> xmm1',
  'sha256rnds2 xmm1, xmm2': 'xmm0 xmm1 xmm2 -> xmm1',
  'sha1msg1 xmm1, xmm2': 'xmm1 xmm2 -> xmm1',
  // MMX registers are the x87 slots; top and tags are none.
  'paddb mm1, mm2': 'fp1.m fp2.m -> fp1.m',
  'paddb mm1, qword ptr [rdi]': 'rdi fp1.m [8] -> fp1.m',
  'punpcklbw mm1, dword ptr [rdi]': 'rdi fp1.m [4] -> fp1.m',
  'packsswb mm1, mm2': 'fp1.m fp2.m -> fp1.m',
  'pxor mm1, mm1': ' -> fp1.m',
  'psllw mm1, 3': 'fp1.m -> fp1.m',
  'movq mm1, mm2': 'fp2.m -> fp1.m',
  'movd mm1, eax': 'rax -> fp1.m',
  'movq qword ptr [rdi], mm1': 'rdi fp1.m -> [8]',
  'movq2dq xmm1, mm2': 'fp2.m -> xmm1',
  'movdq2q mm1, xmm2': 'xmm2 -> fp1.m',
  'pinsrw mm1, eax, 1': 'rax fp1.m -> fp1.m',
  'pshufw mm1, mm2, 27': 'fp2.m -> fp1.m',
  'cvtpi2ps xmm1, mm2': 'xmm1 mxcsr fp2.m -> xmm1',
  'cvtpi2pd xmm1, mm2': 'fp2.m -> xmm1',
  'cvttps2pi mm1, xmm2': 'xmm2 mxcsr -> fp1.m',
  emms: ' -> ',
  // One register twice: a closed list reads nothing.
  'pxor xmm1, xmm1': ' -> xmm1',
  'xorps xmm1, xmm1': ' -> xmm1',
  'psubd xmm1, xmm1': ' -> xmm1',
  'psubusb xmm1, xmm1': ' -> xmm1',
  'pcmpeqb xmm1, xmm1': ' -> xmm1',
  'pcmpgtw xmm1, xmm1': ' -> xmm1',
  'pandn xmm1, xmm1': ' -> xmm1',
  'andnpd xmm1, xmm1': ' -> xmm1',
  'andpd xmm1, xmm1': 'xmm1 -> xmm1',
  'subpd xmm1, xmm1': 'xmm1 mxcsr -> xmm1',
  // Control, and instructions that touch no memory.
  'stmxcsr dword ptr [rdi]': 'rdi mxcsr -> [4]',
  'prefetcht0 [rdi + rsi]': 'rsi rdi -> ',
  // x87: slots, control word, condition codes; neither top nor tags.
  'fld qword ptr [rdi]': 'rdi fcw [8] -> fcc fp7.m',
  'fld tbyte ptr [rdi]': 'rdi [8] [2] -> fcc fp7.m',
  'fild dword ptr [rdi]': 'rdi [4] -> fcc fp7.m',
  fld1: ' -> fcc fp7.m',
  fldpi: 'fcw -> fcc fp7.m',
  'fadd st, st(1)': 'fcw fp0.m fp1.m -> fcc fp0.m',
  'faddp st(1), st': 'fcw fp0.m fp1.m -> fcc fp1.m',
  'fstp qword ptr [rdi]': 'rdi fcw fp0.m -> fcc [8]',
  'fstp tbyte ptr [rdi]': 'rdi fp0.m -> fcc [8] [2]',
  'fxch st(1)': 'fp0.m fp1.m -> fcc fp0.m fp1.m',
  fchs: 'fp0.m -> fcc fp0.m',
  'fcomi st, st(1)': 'fcw fp0.m fp1.m -> cf of zr fcc',
  fucompp: 'fcw fp0.m fp1.m -> fcc',
  'fcmovb st, st(1)': 'cf fp0.m fp1.m -> fp0.m',
  'fnstsw ax': 'rax fcc -> rax',
  'fnstcw word ptr [rdi]': 'rdi fcw -> [2]',
  'fldcw word ptr [rdi]': 'rdi [2] -> fcw',
  fninit: ' -> fcw fcc',
  'ffree st(1)': ' -> ',
  fwait: ' -> ',
};

describe.skipIf(!hasNativeOracle())('rules 3 and 4: what floating-point instructions depend on', () => {
  const code = hasNativeOracle() ? assemble(Object.keys(CASES)) : [];
  test.each(Object.entries(CASES).map(([line, expected], i) => [line, expected, code[i]] as const))(
    '%s: %s',
    (_, expected, bytes) => {
      expect(dependences(bytes)).toBe(expected);
    },
  );
});
