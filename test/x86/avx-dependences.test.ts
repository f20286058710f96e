import { Code, Decoder, DecoderOptions, InstructionInfoFactory, OpAccess, RegisterExt } from 'iced-x86';
import { describe, expect, it, test } from 'vitest';
import { AVX_ROWS } from '../../src/x86/lift/sse.ts';
import { VARIABLES, XMM, YMM_HIGH } from '../../src/x86/state.ts';
import { dependences } from './dependences.ts';
import { assemble } from './native/assemble.ts';
import { liftCase } from './native/emulated.ts';
import { example, formsOf } from './native/forms.ts';
import { Random } from './native/random.ts';
import { hasNativeOracle } from './native/runner.ts';
import { CODE_ADDRESS } from './native/state.ts';

/** Rules 3 and 4. A register's halves are two locations; `zr` stands for SF, ZF, AF and PF. */
const CASES: Readonly<Record<string, string>> = {
  // VEX.128 reads low halves and writes both, VEX.256 reads and writes both.
  'vaddpd xmm1, xmm2, xmm3': 'xmm2 xmm3 mxcsr -> xmm1 ymm1.high',
  'vaddpd ymm1, ymm2, ymm3': 'xmm2 xmm3 mxcsr ymm2.high ymm3.high -> xmm1 ymm1.high',
  'vaddpd ymm1, ymm2, ymmword ptr [rdi]': 'rdi xmm2 mxcsr ymm2.high [32] -> xmm1 ymm1.high',
  'vaddpd xmm1, xmm2, xmmword ptr [rdi]': 'rdi xmm2 mxcsr [16] -> xmm1 ymm1.high',
  'addpd xmm1, xmm2': 'xmm1 xmm2 mxcsr -> xmm1',
  // Scalars keep what their first source has.
  'vaddsd xmm1, xmm2, xmm3': 'xmm2 xmm3 mxcsr -> xmm1 ymm1.high',
  'vsqrtss xmm1, xmm2, dword ptr [rdi]': 'rdi xmm2 mxcsr [4] -> xmm1 ymm1.high',
  'vcvtsi2sd xmm1, xmm2, eax': 'rax xmm2 -> xmm1 ymm1.high',
  'vmovsd xmm1, xmm2, xmm3': 'xmm2 xmm3 -> xmm1 ymm1.high',
  'vmovsd xmm1, qword ptr [rdi]': 'rdi [8] -> xmm1 ymm1.high',
  'vmovsd qword ptr [rdi], xmm1': 'rdi xmm1 -> [8]',
  'vmovups ymm1, ymmword ptr [rdi]': 'rdi [32] -> xmm1 ymm1.high',
  'vmovups ymmword ptr [rdi], ymm1': 'rdi xmm1 ymm1.high -> [32]',
  'vmovd eax, xmm1': 'xmm1 -> rax',
  'vpmovmskb eax, ymm1': 'xmm1 ymm1.high -> rax',
  'vucomisd xmm1, xmm2': 'xmm1 xmm2 mxcsr -> cf of zr',
  // vzeroupper and vzeroall read nothing.
  vzeroupper: ` -> ${Array.from({ length: 16 }, (_, i) => `ymm${i}.high`).join(' ')}`,
  vzeroall: ` -> ${['xmm#', 'ymm#.high'].flatMap((name) => Array.from({ length: 16 }, (_, i) => name.replace('#', String(i)))).join(' ')}`,
  // One register twice: the closed list.
  'vpxor ymm1, ymm2, ymm2': ' -> xmm1 ymm1.high',
  'vpxor xmm1, xmm1, xmm1': ' -> xmm1 ymm1.high',
  'vxorps ymm1, ymm2, ymm2': ' -> xmm1 ymm1.high',
  'vpcmpeqd ymm1, ymm2, ymm2': ' -> xmm1 ymm1.high',
  'vpcmpgtq ymm1, ymm2, ymm2': ' -> xmm1 ymm1.high',
  'vpsubusw xmm1, xmm2, xmm2': ' -> xmm1 ymm1.high',
  'vandnpd ymm1, ymm2, ymm2': ' -> xmm1 ymm1.high',
  'vpandn ymm1, ymm2, ymm2': ' -> xmm1 ymm1.high',
  'vpand ymm1, ymm2, ymm2': 'xmm2 ymm2.high -> xmm1 ymm1.high',
  'vsubpd ymm1, ymm2, ymm2': 'xmm2 mxcsr ymm2.high -> xmm1 ymm1.high',
  // Halves.
  'vextractf128 xmm1, ymm2, 0': 'xmm2 -> xmm1 ymm1.high',
  'vextractf128 xmm1, ymm2, 1': 'ymm2.high -> xmm1 ymm1.high',
  'vextracti128 xmmword ptr [rdi], ymm2, 1': 'rdi ymm2.high -> [16]',
  'vinsertf128 ymm1, ymm2, xmm3, 1': 'xmm2 xmm3 -> xmm1 ymm1.high',
  'vinsertf128 ymm1, ymm2, xmm3, 0': 'xmm3 ymm2.high -> xmm1 ymm1.high',
  'vperm2f128 ymm1, ymm2, ymm3, 0x21': 'xmm3 ymm2.high -> xmm1 ymm1.high',
  'vperm2f128 ymm1, ymm2, ymm3, 0x88': ' -> xmm1 ymm1.high',
  'vperm2i128 ymm1, ymm2, ymmword ptr [rdi], 0x20': 'rdi xmm2 [32] -> xmm1 ymm1.high',
  'vpermq ymm1, ymm2, 0x44': 'xmm2 -> xmm1 ymm1.high',
  'vpermq ymm1, ymm2, 0x1b': 'xmm2 ymm2.high -> xmm1 ymm1.high',
  'vpermd ymm1, ymm2, ymm3': 'xmm2 xmm3 ymm2.high ymm3.high -> xmm1 ymm1.high',
  'vbroadcastss ymm1, xmm2': 'xmm2 -> xmm1 ymm1.high',
  'vbroadcastf128 ymm1, xmmword ptr [rdi]': 'rdi [16] -> xmm1 ymm1.high',
  'vpbroadcastb xmm1, byte ptr [rdi]': 'rdi [1] -> xmm1 ymm1.high',
  'vpsllw ymm1, ymm2, xmm3': 'xmm2 xmm3 ymm2.high -> xmm1 ymm1.high',
  'vpmovzxbw ymm1, xmm2': 'xmm2 -> xmm1 ymm1.high',
  'vcvtpd2ps xmm1, ymm2': 'xmm2 mxcsr ymm2.high -> xmm1 ymm1.high',
  'vcvtps2ph qword ptr [rdi], xmm2, 0': 'rdi xmm2 mxcsr -> [8]',
  'vtestps ymm1, ymm2': 'xmm1 xmm2 ymm1.high ymm2.high -> cf of zr',
  'vblendvps xmm1, xmm2, xmm3, xmm4': 'xmm2 xmm3 xmm4 -> xmm1 ymm1.high',
  // Three sources.
  'vfmadd231pd ymm1, ymm2, ymm3': 'xmm1 xmm2 xmm3 mxcsr ymm1.high ymm2.high ymm3.high -> xmm1 ymm1.high',
  'vfmadd231sd xmm1, xmm2, qword ptr [rdi]': 'rdi xmm1 xmm2 mxcsr [8] -> xmm1 ymm1.high',
  // Every lane that may be accessed; a known mask decides.
  'vmaskmovps xmm1, xmm2, xmmword ptr [rdi]': 'rdi xmm2 [4] [4] [4] [4] -> xmm1 ymm1.high',
  'vpmaskmovq xmmword ptr [rdi], xmm2, xmm3': 'rdi xmm2 xmm3 -> [8] [8]',
  'vgatherdpd ymm1, [rdi+xmm2*8], ymm3':
    'rdi xmm1 xmm2 xmm3 ymm1.high ymm3.high [8] [8] [8] [8] -> xmm1 xmm3 ymm1.high ymm3.high',
};

describe.skipIf(!hasNativeOracle())('VEX instructions depend on what the rules say', () => {
  const lines = Object.keys(CASES);
  const codes = hasNativeOracle() ? assemble(lines) : [];
  test.each(lines.map((line, i) => [line, i] as const))('%s', (line, i) => {
    expect(dependences(codes[i])).toBe(CASES[line]);
  });
});

const factory = new InstructionInfoFactory();
const WRITES = new Set([OpAccess.Write, OpAccess.CondWrite, OpAccess.ReadWrite, OpAccess.ReadCondWrite]);
const READS = new Set([OpAccess.Read, OpAccess.CondRead, OpAccess.ReadWrite, OpAccess.ReadCondWrite]);

/** Vector registers by what iced says: all of a YMM register are both halves; a write of an XMM register zeroes the high one. */
function icedVectors(bytes: Uint8Array): { reads: Set<number>; writes: Set<number> } {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  const instruction = decoder.decode();
  const info = factory.info(instruction);
  const [reads, writes] = [new Set<number>(), new Set<number>()];
  for (const used of info.usedRegisters()) {
    if (RegisterExt.isVectorRegister(used.register)) {
      const n = RegisterExt.number(used.register);
      const halves = [XMM[n], ...(RegisterExt.isXMM(used.register) ? [] : [YMM_HIGH[n]])];
      if (READS.has(used.access)) for (const half of halves) reads.add(half);
      if (WRITES.has(used.access)) for (const half of [XMM[n], YMM_HIGH[n]]) writes.add(half);
    }
    used.free();
  }
  info.free();
  instruction.free();
  decoder.free();
  return { reads, writes };
}

/** Where rule 4 says other than iced: one half of a register, idioms, all registers. */
const APART = /^VEX_V(extract|insert|perm2|permq|permpd|zero|psub|pcmpeq|pcmpgt|pandn|andn|xor|pxor)/;

describe('vector registers that VEX instructions use', () => {
  const rows = new Set(AVX_ROWS.map(([mnemonic]) => mnemonic));
  const forms = formsOf((form) => form.vex && rows.has(form.mnemonic) && !APART.test(Code[form.code]));

  it(`are those that the decoder's tables say (${forms.length} forms)`, () => {
    const locations = (variables: Iterable<number>) =>
      [...variables].map((variable) => VARIABLES[variable].location).sort();
    const isVector = new Set(locations([...XMM, ...YMM_HIGH]));
    const found: string[] = [];
    for (const form of forms)
      for (let n = 0; n < 3; n++) {
        const made = example(form, new Random(form.code + n));
        if (made === undefined) continue;
        const block = liftCase(made);
        if (block.terminator.kind === 'service') continue;
        const [instruction] = block.instructions;
        const { reads, writes } = icedVectors(made.code);
        const ours = [instruction.sources, instruction.destinations].map((list) =>
          list.filter((at) => isVector.has(at)).sort(),
        );
        const expected = [locations(reads), locations(writes)];
        if (JSON.stringify(ours) !== JSON.stringify(expected))
          found.push(`${made.text} at ${CODE_ADDRESS}: ${JSON.stringify({ ours, expected })}`);
      }
    expect(found.slice(0, 10)).toEqual([]);
  });
});
