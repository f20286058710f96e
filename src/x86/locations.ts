import { type Instruction, Register, RegisterExt, RflagsBits } from 'iced-x86';

/**
 * A location that instructions depend on one another through, as processors rename them: 0 to 15 general registers, then
 * vector registers, x87 and MMX registers, masks, the carry flag, the other flags, and the second bytes of ax, cx, dx and bx.
 */
export type Location = number;

const VECTOR = 16;
const X87 = 48;
const MMX = 56;
const MASK = 64;
export const CARRY: Location = 72;
export const OTHER_FLAGS: Location = 73;
const HIGH_BYTE = 74;
const OTHER = 78;
export const LOCATION_COUNT = 80;
export const STACK_POINTER: Location = 4;

export const isGeneral = (location: Location): boolean => location < VECTOR;
export function locationOf(register: Register): Location | undefined {
  if (register === Register.None || RegisterExt.isIP(register) || RegisterExt.isSegmentRegister(register))
    return undefined;
  if (RegisterExt.isGPR(register)) return RegisterExt.number(RegisterExt.fullRegister(register));
  if (RegisterExt.isVectorRegister(register)) return VECTOR + RegisterExt.number(register);
  if (RegisterExt.isST(register)) return X87 + RegisterExt.number(register);
  if (RegisterExt.isMM(register)) return MMX + RegisterExt.number(register);
  if (RegisterExt.isK(register)) return MASK + RegisterExt.number(register);
  return OTHER;
}

export const isHighByte = (register: Register): boolean => register >= Register.AH && register <= Register.BH;
const highByteOf = (location: Location): Location[] => (location < 4 ? [HIGH_BYTE + location] : []);

export function readLocations(register: Register): Location[] {
  if (isHighByte(register)) return [HIGH_BYTE + (register - Register.AH)];
  const location = locationOf(register)!;
  return RegisterExt.isGPR(register) && RegisterExt.size(register) > 1
    ? [location, ...highByteOf(location)]
    : [location];
}

/** A write of more than the lowest byte is one of the second byte, too. */
export function writtenLocations(register: Register): Location[] {
  if (isHighByte(register)) return [HIGH_BYTE + (register - Register.AH)];
  const location = locationOf(register)!;
  return RegisterExt.isGPR(register) && RegisterExt.size(register) > 1
    ? [location, ...highByteOf(location)]
    : [location];
}

/** A write of the low 8 or 16 bits merges with the rest. */
export const keepsRest = (register: Register): boolean =>
  RegisterExt.isGPR(register) && RegisterExt.size(register) < 4 && !isHighByte(register);

export function flagLocations(instruction: Instruction, reads: Set<Location>, writes: Set<Location>): void {
  const others = RflagsBits.OF | RflagsBits.SF | RflagsBits.ZF | RflagsBits.AF | RflagsBits.PF;
  const read = instruction.rflagsRead;
  const written = instruction.rflagsModified;
  if (read & RflagsBits.CF) reads.add(CARRY);
  if (read & others) reads.add(OTHER_FLAGS);
  if (written & RflagsBits.CF) writes.add(CARRY);
  if (written & others) writes.add(OTHER_FLAGS);
}
