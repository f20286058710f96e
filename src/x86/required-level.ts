import { CpuidFeature, type Instruction, Mnemonic } from 'iced-x86';
import { type IsaLevel, includes } from '../base/isa-level.ts';
import { mnemonicName } from './iced-names.ts';

/** Extensions of the levels above the baseline; others belong to none. */
const LEVEL_OF: ReadonlyMap<CpuidFeature, IsaLevel> = new Map<CpuidFeature, IsaLevel>([
  [CpuidFeature.SSE3, 'x86-64-v2'],
  [CpuidFeature.SSSE3, 'x86-64-v2'],
  [CpuidFeature.SSE4_1, 'x86-64-v2'],
  [CpuidFeature.SSE4_2, 'x86-64-v2'],
  [CpuidFeature.POPCNT, 'x86-64-v2'],
  [CpuidFeature.CMPXCHG16B, 'x86-64-v2'],
  [CpuidFeature.AVX, 'x86-64-v3'],
  [CpuidFeature.AVX2, 'x86-64-v3'],
  [CpuidFeature.FMA, 'x86-64-v3'],
  [CpuidFeature.F16C, 'x86-64-v3'],
  [CpuidFeature.BMI1, 'x86-64-v3'],
  [CpuidFeature.BMI2, 'x86-64-v3'],
  [CpuidFeature.LZCNT, 'x86-64-v3'],
  [CpuidFeature.MOVBE, 'x86-64-v3'],
]);

/** gcc writes it for the baseline too, as `rep bsf`: there it is bsf, and the operand is known not to be 0. */
const FOR_ALL: ReadonlySet<Mnemonic> = new Set([Mnemonic.Tzcnt]);

/** The lowest level whose processors have the instruction; the baseline where it is in an extension of no level. */
export function requiredLevel(instruction: Instruction): IsaLevel {
  if (FOR_ALL.has(instruction.mnemonic)) return 'x86-64';
  return [...instruction.cpuidFeatures()]
    .map((feature) => LEVEL_OF.get(feature) ?? 'x86-64')
    .reduce((highest, level) => (includes(highest, level) ? highest : level), 'x86-64');
}

/** An instruction that the shown processor would not have. */
export interface BeyondLevel {
  readonly mnemonic: string;
  /** The guest's. */
  readonly address: number;
  /** The lowest level that has it. */
  readonly level: IsaLevel;
}

/** Finds the instruction of the highest level among those that are executed, the first of several. */
export class LevelWatch {
  /** Undefined as long as there was none above the shown level. */
  found: BeyondLevel | undefined;
  private highest: IsaLevel;

  constructor(shown: IsaLevel) {
    this.highest = shown;
  }

  /** Called for each form of instruction once, or more often. */
  note(instruction: Instruction): void {
    const level = requiredLevel(instruction);
    if (includes(this.highest, level)) return;
    this.highest = level;
    const mnemonic = mnemonicName(instruction.mnemonic);
    this.found = { mnemonic, address: Number(instruction.ip), level };
  }
}
