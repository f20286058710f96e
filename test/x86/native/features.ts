import { readFileSync } from 'node:fs';
import { CpuidFeature, Instruction } from 'iced-x86';
import type { Form } from './forms.ts';
import { hasNativeOracle } from './runner.ts';

/** Extensions by iced's name and by that of /proc/cpuinfo; what is not here every x86-64 processor has. */
const NAMES: ReadonlyMap<CpuidFeature, string> = new Map([
  [CpuidFeature.SSE3, 'pni'],
  [CpuidFeature.SSSE3, 'ssse3'],
  [CpuidFeature.SSE4_1, 'sse4_1'],
  [CpuidFeature.SSE4_2, 'sse4_2'],
  [CpuidFeature.POPCNT, 'popcnt'],
  [CpuidFeature.CMPXCHG16B, 'cx16'],
  [CpuidFeature.LZCNT, 'abm'],
  [CpuidFeature.BMI1, 'bmi1'],
  [CpuidFeature.BMI2, 'bmi2'],
  [CpuidFeature.MOVBE, 'movbe'],
  [CpuidFeature.ADX, 'adx'],
  [CpuidFeature.AES, 'aes'],
  [CpuidFeature.PCLMULQDQ, 'pclmulqdq'],
  [CpuidFeature.SHA, 'sha_ni'],
  [CpuidFeature.RDRAND, 'rdrand'],
  [CpuidFeature.RDSEED, 'rdseed'],
  [CpuidFeature.FSGSBASE, 'fsgsbase'],
  [CpuidFeature.RDPID, 'rdpid'],
  [CpuidFeature.CLFLUSHOPT, 'clflushopt'],
  [CpuidFeature.CLWB, 'clwb'],
  [CpuidFeature.AVX, 'avx'],
  [CpuidFeature.AVX2, 'avx2'],
  [CpuidFeature.FMA, 'fma'],
  [CpuidFeature.F16C, 'f16c'],
  [CpuidFeature.VAES, 'vaes'],
  [CpuidFeature.VPCLMULQDQ, 'vpclmulqdq'],
]);

const flags: ReadonlySet<string> = new Set(
  hasNativeOracle()
    ? (/^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? '').trim().split(' ')
    : [],
);

/** The extensions, of those named as in /proc/cpuinfo, that the host's processor lacks. */
function lacking(...names: string[]): string[] {
  return names.filter((name) => !flags.has(name));
}

/** Whether the host's processor has all that an encoding needs. */
export function hostExecutes(form: Form): boolean {
  const instruction = new Instruction();
  instruction.code = form.code;
  const needed = [...instruction.cpuidFeatures()].flatMap((feature) => NAMES.get(feature) ?? []);
  instruction.free();
  return hasFeatures(...needed);
}

/**
 * Whether the host can be the oracle for extensions, named as in /proc/cpuinfo. Processors differ from one machine to the next, so that not even REQUIRE_ORACLES insists
 * on any.
 */
export function hasFeatures(...names: string[]): boolean {
  return hasNativeOracle() && lacking(...names).length === 0;
}
