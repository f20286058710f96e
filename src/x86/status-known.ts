import { MemorySizeExt, OpAccess, Register, RegisterExt } from 'iced-x86';

/**
 * What the low bits of a value are: the SAME as the sticky bits that were stored, or something that DEPENDS on them; LOADED
 * is what a register holds that ldmxcsr has loaded since.
 */
export type Kind = 'same' | 'loaded' | 'depends';

/** Of general registers by number, and of stack slots by the offset of their lowest byte from the first rsp. */
export interface Known {
  readonly registers: Map<number, Kind>;
  readonly slots: Map<number, Kind>;
  /** Registers that hold the address of a slot. */
  readonly pointers: Map<number, number>;
  /** By slot, the register that it was stored from, as long as that is the same. */
  readonly stored: Map<number, number>;
  /** Whether flags depend on the bits. */
  flags: boolean;
  /** Whether flags tell of a comparison with the stack's guard, which glibc and musl keep at fs:28h. */
  isGuard: boolean;
  /** rsp, from what it was at first. */
  rsp: number;
}

/** Registers by number: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ... */
export const RAX = 0;
export const ARGUMENTS = [1, 2, 6, 7, 8, 9];
/** Something is done with the bits that may let them be seen. */
export class Observed extends Error {}

export interface Used {
  readonly register: Register;
  readonly access: OpAccess;
}

export interface UsedBytes {
  readonly base: Register;
  readonly index: Register;
  readonly displacement: bigint;
  readonly memorySize: number;
  readonly access: OpAccess;
}

export function frameOffset(
  now: Known,
  { base, index, displacement }: Pick<UsedBytes, 'base' | 'index' | 'displacement'>,
): number | undefined {
  if (index !== Register.None) return undefined;
  const from =
    base === Register.RSP
      ? now.rsp
      : RegisterExt.isGPR64(base)
        ? now.pointers.get(numberOf(base))
        : undefined;
  return from === undefined ? undefined : from + Number(BigInt.asIntN(64, displacement));
}

/** The slots that an access is about. */
export function slotsIn(now: Known, used: UsedBytes): number[] {
  const at = frameOffset(now, used);
  if (at === undefined) return [];
  const size = MemorySizeExt.size(used.memorySize);
  return [...now.slots.keys()].filter((slot) => slot >= at && slot < at + size);
}

export const reads = (access: OpAccess): boolean => access !== OpAccess.Write && access !== OpAccess.None;

export function refuse(condition: boolean): void {
  if (condition) throw new Observed();
}

/** Whether a call is given the bits or a slot's address. */
export const isGiven = (now: Known): boolean =>
  isHeld(now, ARGUMENTS) || ARGUMENTS.some((register) => now.pointers.has(register));

/** Whether one of the registers holds what depends on the bits, and may be meant. */
export const isHeld = (now: Known, registers: readonly number[]): boolean =>
  registers.some((register) => now.registers.has(register) && now.registers.get(register) !== 'loaded');

export const holdsPointer = (now: Known, register: Register): boolean =>
  RegisterExt.isGPR(register) && now.pointers.has(numberOf(register));

/** A register gets another value. */
export function forgetRegister(now: Known, register: number): void {
  now.pointers.delete(register);
  for (const [slot, from] of now.stored) if (from === register) now.stored.delete(slot);
}

export function lose(now: Known, isLost: (register: number) => boolean): void {
  for (const register of [...now.registers.keys(), ...now.pointers.keys(), ...now.stored.values()])
    if (isLost(register)) {
      forgetRegister(now, register);
      now.registers.delete(register);
    }
}

export const copyOf = ({ registers, slots, pointers, stored, flags, isGuard, rsp }: Known): Known => ({
  registers: new Map(registers),
  slots: new Map(slots),
  pointers: new Map(pointers),
  stored: new Map(stored),
  flags,
  isGuard,
  rsp,
});

/** Adds to what is known; tells whether there is more. */
export function join(into: Known, from: Known): boolean {
  let grew = false;
  for (const which of ['registers', 'slots'] as const)
    for (const [key, kind] of from[which]) {
      const before = into[which].get(key);
      if (before === kind || before === 'depends') continue;
      into[which].set(key, before === undefined ? kind : 'depends');
      grew = true;
    }
  for (const [register, slot] of from.pointers) {
    const before = into.pointers.get(register);
    refuse(before !== undefined && before !== slot);
    if (before === slot) continue;
    into.pointers.set(register, slot);
    grew = true;
  }
  // What is so on one way only is not so.
  for (const [slot, register] of into.stored)
    if (from.stored.get(slot) !== register) {
      into.stored.delete(slot);
      grew = true;
    }
  if (!from.isGuard && into.isGuard) {
    into.isGuard = false;
    grew = true;
  }
  if (from.flags && !into.flags) {
    into.flags = true;
    grew = true;
  }
  return grew;
}

export const numberOf = (register: Register): number =>
  RegisterExt.number(RegisterExt.fullRegister(register));

/** Not ah, ch, dh, bh. */
export const holdsLowByte = (register: Register): boolean =>
  !(register >= Register.AH && register <= Register.BH);
