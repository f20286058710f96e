import {
  type Instruction as Decoded,
  InstructionInfoFactory,
  MemorySizeExt,
  OpAccess,
  Register,
  RegisterExt,
  RflagsBits,
} from 'iced-x86';
import type { LiftedBlock } from '../../src/x86/lift/block.ts';
import {
  CF,
  DF,
  FPU_SIGNIFICAND,
  FS_BASE,
  GPR,
  GS_BASE,
  OF,
  VARIABLES,
  XMM,
  YMM_HIGH,
  ZR,
} from '../../src/x86/state.ts';

/** Sources and destinations of one instruction in names that a test can print. */
export interface Effects {
  readonly sources: readonly string[];
  readonly destinations: readonly string[];
  /** Sizes of the accesses in bytes. */
  readonly loads: readonly number[];
  readonly stores: readonly number[];
}

const locationNames = new Map(VARIABLES.map(({ location, name }) => [location, name]));
locationNames.set(VARIABLES[ZR].location, 'szap');

const name = (variable: number): string => locationNames.get(VARIABLES[variable].location) as string;

/** What lifting recorded. */
export function liftedEffects(block: LiftedBlock): Effects {
  const [{ sources, destinations, loads, stores }] = block.instructions;
  const names = (locations: readonly number[]) =>
    locations.map((at) => locationNames.get(at) as string).sort();
  return {
    sources: names(sources),
    destinations: names(destinations),
    loads: loads.map(({ size }) => size).sort(),
    stores: stores.map(({ size }) => size).sort(),
  };
}

/** The flag groups of rule 3, as iced's bits. */
const GROUPS: readonly (readonly [string, number])[] = [
  [name(CF), RflagsBits.CF],
  [name(OF), RflagsBits.OF],
  [name(ZR), RflagsBits.SF | RflagsBits.ZF | RflagsBits.AF | RflagsBits.PF],
  [name(DF), RflagsBits.DF],
];

const READS: ReadonlySet<OpAccess> = new Set([
  OpAccess.Read,
  OpAccess.CondRead,
  OpAccess.ReadWrite,
  OpAccess.ReadCondWrite,
]);
const WRITES: ReadonlySet<OpAccess> = new Set([
  OpAccess.Write,
  OpAccess.CondWrite,
  OpAccess.ReadWrite,
  OpAccess.ReadCondWrite,
]);
const CONDITIONAL: ReadonlySet<OpAccess> = new Set([OpAccess.CondWrite, OpAccess.ReadCondWrite]);

const factory = new InstructionInfoFactory();

/**
 * What iced says, with rule 4's general clauses on top: a write of 8 or 16 bits and one that may not happen read what
 * they keep, a flag group is a source when one of its flags is kept and another one written.
 */
export function icedEffects(instruction: Decoded): Effects {
  const info = factory.info(instruction);
  const sources = new Set<string>();
  const destinations = new Set<string>();
  for (const used of info.usedRegisters() as { register: Register; access: OpAccess; free(): void }[]) {
    for (const location of registerLocations(used.register)) {
      const writes = WRITES.has(used.access);
      const partial = RegisterExt.isGPR(used.register) && RegisterExt.size(used.register) <= 2;
      if (READS.has(used.access) || (writes && (partial || CONDITIONAL.has(used.access))))
        sources.add(location);
      if (writes) destinations.add(location);
    }
    used.free();
  }
  const loads: number[] = [];
  const stores: number[] = [];
  for (const used of info.usedMemory() as { memorySize: number; access: OpAccess; free(): void }[]) {
    const size = MemorySizeExt.size(used.memorySize);
    if (READS.has(used.access)) loads.push(size);
    if (WRITES.has(used.access)) stores.push(size);
    used.free();
  }
  info.free();
  const written = instruction.rflagsWritten | instruction.rflagsCleared | instruction.rflagsSet;
  for (const [group, bits] of GROUPS) {
    const kept = bits & ~(written | instruction.rflagsUndefined);
    if (instruction.rflagsRead & bits || (written & bits && kept)) sources.add(group);
    if (written & bits) destinations.add(group);
  }
  return {
    sources: [...sources].sort(),
    destinations: [...destinations].sort(),
    loads: loads.sort(),
    stores: stores.sort(),
  };
}

/** Segment registers other than FS and GS, and RIP, carry no dependence. Registers of 512 bits are those that are cleared. */
function registerLocations(register: Register): string[] {
  const number = RegisterExt.number(register);
  if (RegisterExt.isGPR(register)) return [name(GPR[RegisterExt.number(RegisterExt.fullRegister(register))])];
  if (RegisterExt.isXMM(register)) return [name(XMM[number])];
  if (RegisterExt.isYMM(register) || RegisterExt.isZMM(register))
    return [name(XMM[number]), name(YMM_HIGH[number])];
  if (RegisterExt.isMM(register)) return [name(FPU_SIGNIFICAND[number])];
  if (register === Register.FS) return [name(FS_BASE)];
  if (register === Register.GS) return [name(GS_BASE)];
  return [];
}
