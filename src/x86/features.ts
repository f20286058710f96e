import { type IsaLevel, includes } from '../base/isa-level.ts';

/** Registers of a CPUID leaf, in the order of its result. */
const REGISTERS = ['eax', 'ebx', 'ecx', 'edx'] as const;
type Place = `${'1' | '7' | 'd:1' | '80000001'}:${(typeof REGISTERS)[number]}`;

/**
 * What CPUID shows at a level: exactly what the level has (System V ABI, AMD64 supplement, 3.1.1), and XSAVE with its
 * variants, without which no program may use AVX. AES, SHA and the like are in no level, and so are not shown, though they
 * are executed. Names are those of /proc/cpuinfo, in its order; OSXSAVE has none there.
 */
const FEATURES: readonly (readonly [place: Place, bit: number, level: IsaLevel, name?: string])[] = [
  ['1:edx', 0, 'x86-64', 'fpu'],
  ['1:edx', 4, 'x86-64', 'tsc'],
  ['1:edx', 8, 'x86-64', 'cx8'],
  ['1:edx', 15, 'x86-64', 'cmov'],
  ['1:edx', 19, 'x86-64', 'clflush'],
  ['1:edx', 23, 'x86-64', 'mmx'],
  ['1:edx', 24, 'x86-64', 'fxsr'],
  ['1:edx', 25, 'x86-64', 'sse'],
  ['1:edx', 26, 'x86-64', 'sse2'],
  ['80000001:edx', 11, 'x86-64', 'syscall'],
  ['80000001:edx', 20, 'x86-64', 'nx'],
  ['80000001:edx', 29, 'x86-64', 'lm'],
  ['1:ecx', 0, 'x86-64-v2', 'pni'],
  ['1:ecx', 9, 'x86-64-v2', 'ssse3'],
  ['1:ecx', 12, 'x86-64-v3', 'fma'],
  ['1:ecx', 13, 'x86-64-v2', 'cx16'],
  ['1:ecx', 19, 'x86-64-v2', 'sse4_1'],
  ['1:ecx', 20, 'x86-64-v2', 'sse4_2'],
  ['1:ecx', 22, 'x86-64-v3', 'movbe'],
  ['1:ecx', 23, 'x86-64-v2', 'popcnt'],
  ['1:ecx', 26, 'x86-64-v3', 'xsave'],
  ['1:ecx', 27, 'x86-64-v3'],
  ['1:ecx', 28, 'x86-64-v3', 'avx'],
  ['1:ecx', 29, 'x86-64-v3', 'f16c'],
  ['80000001:ecx', 0, 'x86-64-v2', 'lahf_lm'],
  ['80000001:ecx', 5, 'x86-64-v3', 'abm'],
  ['7:ebx', 3, 'x86-64-v3', 'bmi1'],
  ['7:ebx', 5, 'x86-64-v3', 'avx2'],
  ['7:ebx', 8, 'x86-64-v3', 'bmi2'],
  ['d:1:eax', 0, 'x86-64-v3', 'xsaveopt'],
  ['d:1:eax', 1, 'x86-64-v3', 'xsavec'],
  ['d:1:eax', 2, 'x86-64-v3', 'xgetbv1'],
];

/** The bits of one register of a leaf that a level sets. */
export function featureBits(isa: IsaLevel, place: Place): number {
  return FEATURES.filter(([at, , level]) => at === place && includes(isa, level)).reduce(
    (all, [, bit]) => all | (1 << bit),
    0,
  );
}

/** What a processor is, as CPUID's leaf 1 has it. */
interface Model {
  readonly family: number;
  readonly model: number;
  readonly stepping: number;
}

/**
 * Of Intel's first processors with each level: Prescott, Nehalem, Haswell. Libraries of numerical kernels go by the model, not by what
 * it can do: OpenBLAS has only SSE3 for family 15, whatever bits it shows.
 */
const MODELS: Readonly<Record<IsaLevel, Model>> = {
  'x86-64': { family: 15, model: 4, stepping: 1 },
  'x86-64-v2': { family: 6, model: 26, stepping: 5 },
  'x86-64-v3': { family: 6, model: 60, stepping: 3 },
};

/** EAX of leaf 1 (SDM volume 2, CPUID, figure 3-6; no family here has an extended part). */
export function signature(isa: IsaLevel): number {
  const { family, model, stepping } = MODELS[isa];
  return ((model >> 4) << 16) | (family << 8) | ((model & 15) << 4) | stepping;
}

/** What the kernel tells a program of its processor. */
export interface ProcessorFacts extends Model {
  /** CPUID's brand string. */
  readonly name: string;
  /** As /proc/cpuinfo lists them. */
  readonly flags: string;
  /** AT_HWCAP: CPUID.1:EDX. */
  readonly hwcap: number;
  /** AT_HWCAP2: no FSGSBASE, which no level has. */
  readonly hwcap2: number;
}

/** Of its name at most 48 bytes are shown. */
const NAMES: Readonly<Record<IsaLevel, string>> = {
  'x86-64': 'ILP Gate baseline x86-64 processor',
  'x86-64-v2': 'ILP Gate x86-64-v2 processor',
  'x86-64-v3': 'ILP Gate x86-64-v3 processor',
};

export function processorFacts(isa: IsaLevel): ProcessorFacts {
  const names = FEATURES.filter(([, , level]) => includes(isa, level)).flatMap(([, , , name]) => name ?? []);
  // A property that the kernel finds out, behind those of the first two leaves.
  names.splice(names.indexOf('lm') + 1, 0, 'constant_tsc');
  return {
    ...MODELS[isa],
    name: NAMES[isa],
    flags: names.join(' '),
    hwcap: featureBits(isa, '1:edx'),
    hwcap2: 0,
  };
}
