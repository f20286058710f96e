import { CpuidFeature, type Instruction } from 'iced-x86';

const FPU_FEATURES: ReadonlySet<number> = new Set([
  CpuidFeature.FPU,
  CpuidFeature.FPU287,
  CpuidFeature.FPU387,
  CpuidFeature.MMX,
]);

/** Those of most instructions, none of which names an MMX register. */
const GENERAL_FEATURES: ReadonlySet<number> = new Set([
  CpuidFeature.INTEL8086,
  CpuidFeature.INTEL186,
  CpuidFeature.INTEL386,
  CpuidFeature.INTEL486,
  CpuidFeature.X64,
  CpuidFeature.CMOV,
]);

/** Whether an instruction works on x87 or MMX registers. */
export function usesFpu(instruction: Instruction): boolean {
  const features = instruction.cpuidFeatures();
  if (features.every((feature) => GENERAL_FEATURES.has(feature))) return false;
  return features.some((feature) => FPU_FEATURES.has(feature)) || namesMmx(instruction);
}

/** SSE and SSE2 have instructions on MMX registers too: `CVTPI2PS xmm, mm/m64`, `MOVDQ2Q mm, xmm`. */
function namesMmx(instruction: Instruction): boolean {
  const form = instruction.opCode;
  const names = /\bmm/.test(form.instructionString);
  form.free();
  return names;
}
