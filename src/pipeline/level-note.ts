import type { Observation } from '../observation/observation.ts';

/**
 * What the user should know of instructions above the level that the processor shows: they are executed, so that a program
 * for a higher level runs whatever was asked for, but libraries chose their routines for the shown level.
 */
export function levelNote({ beyondLevel, isa, modules }: Observation): string | undefined {
  if (beyondLevel === undefined) return undefined;
  const { mnemonic, address, level } = beyondLevel;
  const module = modules.findLast(({ start, end }) => address >= start && address < end);
  const place =
    module === undefined
      ? `0x${address.toString(16)}`
      : `${module.path}+0x${(address - module.base).toString(16)}`;
  return `the program executes instructions of ${level} (${mnemonic} at ${place}), which a processor of ${isa} does not have; to measure it on one that has them, set "isa: ${level}" in the configuration or give --isa ${level}`;
}
