import { Code, type Instruction, MemorySizeExt, Mnemonic, OpKind, Register, RegisterExt } from 'iced-x86';
import { mnemonicName } from './iced-names.ts';

/**
 * The name of an instruction form, by which machine models list it: the mnemonic and one word for each operand.
 *
 *     add r32,m32      imul r64,r64,i      shl r32,cl      vaddps y,y,m256      lea r64,bid      lock xadd m64,r64
 *
 * Registers are `r8` to `r64`, `mm`, `x`, `y`, `z`, `k`, `st`, `sr`, `cr`, `dr`; memory is `m` and its bits (`m128b` is a
 * broadcast, `v` a vector of addresses); `i` is an immediate and `1` the constant of a shift by one; `rel` a branch target.
 * An address that is computed rather than accessed is its parts: base, index (`s` where it is scaled), displacement; `rip`.
 * Which encoding was chosen among several of the same operation does not matter to any port, so it is not part of the name.
 */
export function formOf(instruction: Instruction): string {
  const operands: string[] = [];
  for (let k = 0; k < instruction.opCount; k++) operands.push(operandWord(instruction, k));
  const mnemonic = `${prefixOf(instruction)}${mnemonicName(instruction.mnemonic)}`;
  return operands.length === 0 ? mnemonic : `${mnemonic} ${operands.join(',')}`;
}

function prefixOf(instruction: Instruction): string {
  if (instruction.hasLockPrefix) return 'lock ';
  // F2 and F3 are part of the encoding elsewhere; iced reports them for string instructions only.
  if (!instruction.isStringInstruction) return '';
  return instruction.hasRepPrefix || instruction.hasRepnePrefix ? 'rep ' : '';
}

function operandWord(instruction: Instruction, k: number): string {
  switch (instruction.opKind(k)) {
    case OpKind.Register:
      return registerWord(instruction, k);
    case OpKind.Memory:
      return memoryWord(instruction);
    case OpKind.MemorySegSI:
    case OpKind.MemorySegESI:
    case OpKind.MemorySegRSI:
    case OpKind.MemorySegDI:
    case OpKind.MemorySegEDI:
    case OpKind.MemorySegRDI:
    case OpKind.MemoryESDI:
    case OpKind.MemoryESEDI:
    case OpKind.MemoryESRDI:
      return memoryWord(instruction);
    case OpKind.NearBranch16:
    case OpKind.NearBranch32:
    case OpKind.NearBranch64:
    case OpKind.FarBranch16:
    case OpKind.FarBranch32:
      return 'rel';
    default:
      return instruction.code in SHIFTS_BY_ONE ? '1' : 'i';
  }
}

/** The D0 and D1 encodings, which processors treat apart from an immediate count (flags). */
const SHIFTS_BY_ONE: Readonly<Record<number, true>> = Object.fromEntries(
  Object.keys(Code)
    .filter((name) => /^(Ro[lr]|Rc[lr]|S[ah][lr])_.*_1$/.test(name))
    .map((name) => [Code[name as keyof typeof Code], true]),
);

function registerWord(instruction: Instruction, k: number): string {
  const register = instruction.opRegister(k);
  if (register === Register.CL && COUNT_KINDS.has(instruction.mnemonic) && k > 0) return 'cl';
  return registerClass(register);
}

const COUNT_KINDS: ReadonlySet<Mnemonic> = new Set([
  Mnemonic.Shl,
  Mnemonic.Sal,
  Mnemonic.Shr,
  Mnemonic.Sar,
  Mnemonic.Rol,
  Mnemonic.Ror,
  Mnemonic.Rcl,
  Mnemonic.Rcr,
  Mnemonic.Shld,
  Mnemonic.Shrd,
]);

export function registerClass(register: Register): string {
  if (RegisterExt.isGPR(register)) return `r${RegisterExt.size(register) * 8}`;
  if (RegisterExt.isXMM(register)) return 'x';
  if (RegisterExt.isYMM(register)) return 'y';
  if (RegisterExt.isZMM(register)) return 'z';
  if (RegisterExt.isMM(register)) return 'mm';
  if (RegisterExt.isK(register)) return 'k';
  if (RegisterExt.isST(register)) return 'st';
  if (RegisterExt.isSegmentRegister(register)) return 'sr';
  if (RegisterExt.isCR(register)) return 'cr';
  if (RegisterExt.isDR(register)) return 'dr';
  return 'other';
}

function memoryWord(instruction: Instruction): string {
  if (instruction.mnemonic === Mnemonic.Lea) return addressWord(instruction);
  const size = MemorySizeExt.size(instruction.memorySize) * 8;
  if (RegisterExt.isVectorRegister(instruction.memoryIndex))
    return `v${registerClass(instruction.memoryIndex)}${size}`;
  return `m${size}${instruction.isBroadcast ? 'b' : ''}`;
}

function addressWord(instruction: Instruction): string {
  const { memoryBase, memoryIndex } = instruction;
  if (memoryBase === Register.RIP || memoryBase === Register.EIP) return 'rip';
  const base = memoryBase === Register.None ? '' : 'b';
  const index = memoryIndex === Register.None ? '' : instruction.memoryIndexScale > 1 ? 's' : 'i';
  // A displacement of 0 counts where it is encoded, as rbp and r13 need it.
  const displacement = instruction.memoryDisplSize === 0 ? '' : 'd';
  return `${base}${index}${displacement}` || 'd';
}
