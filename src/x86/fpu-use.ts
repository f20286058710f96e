import { Code, CpuidFeature, type Instruction } from 'iced-x86';

const FPU_FEATURES: ReadonlySet<number> = new Set([
  CpuidFeature.FPU,
  CpuidFeature.FPU287,
  CpuidFeature.FPU387,
  CpuidFeature.MMX,
  CpuidFeature.CYRIX_EMMI,
]);

/** Of later extensions, the forms that name an MMX register (SDM volume 2; iced's descriptions, which the test reads). */
const MMX_FORMS: ReadonlySet<Code> = new Set([
  Code.Cvtpi2ps_xmm_mmm64,
  Code.Cvtpi2pd_xmm_mmm64,
  Code.Cvttps2pi_mm_xmmm64,
  Code.Cvttpd2pi_mm_xmmm128,
  Code.Cvtps2pi_mm_xmmm64,
  Code.Cvtpd2pi_mm_xmmm128,
  Code.Pshufw_mm_mmm64_imm8,
  Code.Pinsrw_mm_r32m16_imm8,
  Code.Pinsrw_mm_r64m16_imm8,
  Code.Pextrw_r32_mm_imm8,
  Code.Pextrw_r64_mm_imm8,
  Code.Movq2dq_xmm_mm,
  Code.Movdq2q_mm_xmm,
  Code.Pmovmskb_r32_mm,
  Code.Pmovmskb_r64_mm,
  Code.Pminub_mm_mmm64,
  Code.Pmaxub_mm_mmm64,
  Code.Pavgb_mm_mmm64,
  Code.Pavgw_mm_mmm64,
  Code.Pmulhuw_mm_mmm64,
  Code.Movntq_m64_mm,
  Code.Pminsw_mm_mmm64,
  Code.Pmaxsw_mm_mmm64,
  Code.Pmuludq_mm_mmm64,
  Code.Psadbw_mm_mmm64,
  Code.Maskmovq_rDI_mm_mm,
  Code.Psubq_mm_mmm64,
  Code.Pshufb_mm_mmm64,
  Code.Phaddw_mm_mmm64,
  Code.Phaddd_mm_mmm64,
  Code.Phaddsw_mm_mmm64,
  Code.Pmaddubsw_mm_mmm64,
  Code.Phsubw_mm_mmm64,
  Code.Phsubd_mm_mmm64,
  Code.Phsubsw_mm_mmm64,
  Code.Psignb_mm_mmm64,
  Code.Psignw_mm_mmm64,
  Code.Psignd_mm_mmm64,
  Code.Pmulhrsw_mm_mmm64,
  Code.Pabsb_mm_mmm64,
  Code.Pabsw_mm_mmm64,
  Code.Pabsd_mm_mmm64,
  Code.Palignr_mm_mmm64_imm8,
]);

/** Whether an instruction works on x87 or MMX registers. */
export function usesFpu(instruction: Instruction): boolean {
  const { code } = instruction;
  return (
    MMX_FORMS.has(code) ||
    (code >= Code.D3NOW_Pi2fw_mm_mmm64 && code <= Code.D3NOW_Pavgusb_mm_mmm64) ||
    instruction.cpuidFeatures().some((feature) => FPU_FEATURES.has(feature))
  );
}
