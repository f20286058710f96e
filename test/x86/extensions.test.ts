import { describe, expect, test } from 'vitest';
import { assemble } from './native/assemble.ts';
import { runEmulated } from './native/emulated.ts';
import { hasNativeOracle } from './native/runner.ts';
import { State } from './native/state.ts';

const LEVEL = 'build with -mno-avx512f or -march=x86-64-v3';
const MESSAGES: Readonly<Record<string, string>> = {
  'vaddps zmm1, zmm2, zmm3': `which needs AVX-512F; ${LEVEL}`,
  'vaddps xmm1, xmm2, xmm17': `which needs AVX-512VL and AVX-512F; ${LEVEL}`,
  'kmovd k1, eax': `which needs AVX-512BW; ${LEVEL}`,
  'vpdpbusd zmm1, zmm2, zmm3': `which needs AVX-512 VNNI; ${LEVEL}`,
  '{vex} vpdpbusd ymm1, ymm2, ymm3': 'which needs AVX-VNNI; build with -mno-avxvnni',
  'tdpbssd tmm1, tmm2, tmm3': 'which needs AMX INT8; build with -mno-amx-int8',
  'gf2p8mulb xmm1, xmm2': 'which needs GFNI; build with -mno-gfni',
  'vfmaddpd xmm1, xmm2, xmm3, xmm4': 'which needs FMA4; build with -mno-fma4',
  'extrq xmm1, xmm2': 'which needs SSE4a; build with -mno-sse4a',
};

describe.skipIf(!hasNativeOracle())('an extension that is not executed', () => {
  test.each(Object.entries(MESSAGES))('%s is named, with the flag that avoids it', (line, message) => {
    const [code] = assemble([line]);
    const name = line.replace('{vex} ', '').split(' ')[0];
    const bytes = Array.from(code, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    expect(() => runEmulated({ code, before: State.initial() })).toThrow(
      `unsupported: ${name} (0x40000000, ${bytes}), ${message}`,
    );
  });
});
