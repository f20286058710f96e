import { Code, EncodingKind, type Instruction, Mnemonic, OpAccess, OpKind, RegisterExt } from 'iced-x86';
import { isHighByte } from './locations.ts';

/** Operands that are part of the code. */
export const IMMEDIATE: ReadonlySet<OpKind> = new Set([
  OpKind.Immediate8,
  OpKind.Immediate8_2nd,
  OpKind.Immediate16,
  OpKind.Immediate32,
  OpKind.Immediate64,
  OpKind.Immediate8to16,
  OpKind.Immediate8to32,
  OpKind.Immediate8to64,
  OpKind.Immediate32to64,
]);

/** Behind legacy prefixes, REX or VEX and the escape bytes (SDM volume 2, 2.1 and 2.3). */
export function opcodeOffset(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && LEGACY_PREFIXES.has(bytes[at])) at++;
  if ((bytes[at] & 0xf0) === 0x40) at++;
  if (bytes[at] === 0xc5) return at + 2;
  if (bytes[at] === 0xc4) return at + 3;
  if (bytes[at] === 0x62) return at + 4;
  if (bytes[at] !== 0x0f) return at;
  return bytes[at + 1] === 0x38 || bytes[at + 1] === 0x3a ? at + 2 : at + 1;
}

const LEGACY_PREFIXES: ReadonlySet<number> = new Set([
  0x66, 0x67, 0xf2, 0xf3, 0xf0, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65,
]);

export function changesLength(instruction: Instruction, bytes: Uint8Array): boolean {
  if (instruction.mnemonic === Mnemonic.Ret || instruction.mnemonic === Mnemonic.Enter) return false;
  for (let k = 0; k < instruction.opCount; k++)
    if (instruction.opKind(k) === OpKind.Immediate16) return bytes.subarray(0, 4).includes(0x66);
  return false;
}

export function sameSources(instruction: Instruction): boolean {
  const count = instruction.opCount;
  if (count < 2) return false;
  const [a, b] = count === 2 ? [0, 1] : [1, 2];
  return (
    instruction.opKind(a) === OpKind.Register &&
    instruction.opKind(b) === OpKind.Register &&
    instruction.opRegister(a) === instruction.opRegister(b)
  );
}

const GENERAL_MOVES: ReadonlySet<Code> = new Set([
  Code.Mov_r32_rm32,
  Code.Mov_rm32_r32,
  Code.Mov_r64_rm64,
  Code.Mov_rm64_r64,
  Code.Movzx_r32_rm8,
  Code.Movzx_r64_rm8,
]);

const VECTOR_MOVES = /^(?:VEX_V|EVEX_V)?mov(?:aps|apd|ups|upd|dqa|dqu)_/i;

export function moveKind(instruction: Instruction): 'general' | 'vector' | undefined {
  if (
    instruction.opCount !== 2 ||
    instruction.op0Kind !== OpKind.Register ||
    instruction.op1Kind !== OpKind.Register
  )
    return undefined;
  if (GENERAL_MOVES.has(instruction.code)) {
    // A register onto itself is not eliminated, nor is the extension of a second byte (uiCA, section 4.2).
    if (
      RegisterExt.fullRegister(instruction.op0Register) === RegisterExt.fullRegister(instruction.op1Register)
    )
      return undefined;
    return isHighByte(instruction.op1Register) ? undefined : 'general';
  }
  return VECTOR_MOVES.test(Code[instruction.code]) ? 'vector' : undefined;
}

export function readsDestination(instruction: Instruction, access: OpAccess): boolean {
  const plain = instruction.encoding === EncodingKind.Legacy && instruction.opCount === 2;
  const compares = instruction.mnemonic === Mnemonic.Cmp || instruction.mnemonic === Mnemonic.Test;
  return plain && (access === OpAccess.ReadWrite || access === OpAccess.ReadCondWrite || compares);
}

export function widthOf(instruction: Instruction): 0 | 1 | 2 {
  for (let k = 0; k < instruction.opCount; k++) {
    if (instruction.opKind(k) !== OpKind.Register) continue;
    const register = instruction.opRegister(k);
    if (RegisterExt.isYMM(register) || RegisterExt.isZMM(register)) return 2;
    if (RegisterExt.isXMM(register) || RegisterExt.isMM(register)) return 1;
  }
  return 0;
}
