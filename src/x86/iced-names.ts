import { CpuidFeature, Mnemonic } from 'iced-x86';

// The build replaces this file (scripts/iced.mjs): the package's objects with all names are not made at each start then.

/** In lower case. `movsd` names a string instruction and an SSE one. */
export const mnemonicName = (mnemonic: Mnemonic): string => Mnemonic[mnemonic].toLowerCase();

/** As iced spells it: `AVX512F`. */
export const featureName = (feature: CpuidFeature): string => CpuidFeature[feature];

/** By the name that iced has for it: `Movsd`. */
export const mnemonicCalled = (name: string): Mnemonic | undefined =>
  Mnemonic[name as keyof typeof Mnemonic] as Mnemonic | undefined;
