import type { Instruction } from 'iced-x86';
import { featureName } from './iced-names.ts';

/** Extensions that the emulator does not execute: by the decoder's name for them, how they are called and a compiler's flag. */
const EXTENSIONS: Readonly<Record<string, readonly [name: string, flag: string]>> = {
  AVX512F: ['AVX-512F', 'avx512f'],
  AVX512VL: ['AVX-512VL', 'avx512vl'],
  AVX512DQ: ['AVX-512DQ', 'avx512dq'],
  AVX512BW: ['AVX-512BW', 'avx512bw'],
  AVX512CD: ['AVX-512CD', 'avx512cd'],
  AVX512ER: ['AVX-512ER', 'avx512er'],
  AVX512PF: ['AVX-512PF', 'avx512pf'],
  AVX512_IFMA: ['AVX-512 IFMA', 'avx512ifma'],
  AVX512_VBMI: ['AVX-512 VBMI', 'avx512vbmi'],
  AVX512_VBMI2: ['AVX-512 VBMI2', 'avx512vbmi2'],
  AVX512_VNNI: ['AVX-512 VNNI', 'avx512vnni'],
  AVX512_BITALG: ['AVX-512 BITALG', 'avx512bitalg'],
  AVX512_VPOPCNTDQ: ['AVX-512 VPOPCNTDQ', 'avx512vpopcntdq'],
  AVX512_VP2INTERSECT: ['AVX-512 VP2INTERSECT', 'avx512vp2intersect'],
  AVX512_BF16: ['AVX-512 BF16', 'avx512bf16'],
  AVX512_FP16: ['AVX-512 FP16', 'avx512fp16'],
  AVX512_4FMAPS: ['AVX-512 4FMAPS', 'avx5124fmaps'],
  AVX512_4VNNIW: ['AVX-512 4VNNIW', 'avx5124vnniw'],
  AMX_TILE: ['AMX', 'amx-tile'],
  AMX_INT8: ['AMX INT8', 'amx-int8'],
  AMX_BF16: ['AMX BF16', 'amx-bf16'],
  AMX_FP16: ['AMX FP16', 'amx-fp16'],
  AMX_COMPLEX: ['AMX COMPLEX', 'amx-complex'],
  AVX_VNNI: ['AVX-VNNI', 'avxvnni'],
  AVX_VNNI_INT8: ['AVX-VNNI-INT8', 'avxvnniint8'],
  AVX_VNNI_INT16: ['AVX-VNNI-INT16', 'avxvnniint16'],
  AVX_IFMA: ['AVX-IFMA', 'avxifma'],
  AVX_NE_CONVERT: ['AVX-NE-CONVERT', 'avxneconvert'],
  GFNI: ['GFNI', 'gfni'],
  SHA512: ['SHA512', 'sha512'],
  SM3: ['SM3', 'sm3'],
  SM4: ['SM4', 'sm4'],
  XOP: ['XOP', 'xop'],
  FMA4: ['FMA4', 'fma4'],
  TBM: ['TBM', 'tbm'],
  LWP: ['LWP', 'lwp'],
  SSE4A: ['SSE4a', 'sse4a'],
  D3NOW: ['3DNow!', '3dnow'],
  D3NOWEXT: ['3DNow! extensions', '3dnowa'],
  RTM: ['RTM', 'rtm'],
  HLE: ['HLE', 'hle'],
  WAITPKG: ['WAITPKG', 'waitpkg'],
  MOVDIRI: ['MOVDIRI', 'movdiri'],
  MOVDIR64B: ['MOVDIR64B', 'movdir64b'],
  ENQCMD: ['ENQCMD', 'enqcmd'],
  UINTR: ['UINTR', 'uintr'],
  SERIALIZE: ['SERIALIZE', 'serialize'],
  TSXLDTRK: ['TSXLDTRK', 'tsxldtrk'],
  PTWRITE: ['PTWRITE', 'ptwrite'],
  PKU: ['PKU', 'pku'],
  RAO_INT: ['RAO-INT', 'raoint'],
  CMPCCXADD: ['CMPCCXADD', 'cmpccxadd'],
  KL: ['Key Locker', 'kl'],
  AESKLE: ['Key Locker', 'kl'],
  WIDE_KL: ['Key Locker', 'widekl'],
  MONITORX: ['MWAITX', 'mwaitx'],
  CLZERO: ['CLZERO', 'clzero'],
};

/** How an extension is called that is not executed; undefined for others. */
export const extensionName = (feature: string): string | undefined =>
  Object.hasOwn(EXTENSIONS, feature) ? EXTENSIONS[feature][0] : undefined;

/** What an instruction needs that there is not, and how to build without it; empty where that is not known. */
export function missingExtension(instruction: Instruction): string {
  const features = [...instruction.cpuidFeatures()].map(featureName);
  const needed = features.flatMap((feature) =>
    Object.hasOwn(EXTENSIONS, feature) ? [EXTENSIONS[feature]] : [],
  );
  if (needed.length === 0) return '';
  const names = needed.map(([name]) => name).join(' and ');
  const isAvx512 = features.some((feature) => feature.startsWith('AVX512'));
  // Without its foundation there is nothing of AVX-512.
  const flag = isAvx512 ? 'avx512f' : needed[0][1];
  return `which needs ${names}; build with -mno-${flag}${isAvx512 ? ' or -march=x86-64-v3' : ''}`;
}
