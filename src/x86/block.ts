import {
  Code,
  Decoder,
  DecoderOptions,
  EncodingKind,
  FlowControl,
  Instruction,
  InstructionInfoFactory,
  MemorySizeExt,
  Mnemonic,
  OpAccess,
  OpKind,
  Register,
  RegisterExt,
  RflagsBits,
  type UsedMemory,
  type UsedRegister,
} from 'iced-x86';
import { formOf } from './form.ts';
import { type Work, workOf } from './work.ts';

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

export interface MemoryAccess {
  readonly base: Location | undefined;
  readonly index: Location | undefined;
  readonly scale: number;
  readonly displacement: number;
  /** Relative to the instruction pointer or absolute: the displacement is the whole address. */
  readonly absolute: boolean;
  readonly size: number;
}

/** What is known of the value that an instruction leaves in a general register, for telling equal addresses. */
export type Value =
  | { readonly kind: 'sum'; readonly to: Location; readonly from: Location; readonly plus: number }
  | { readonly kind: 'constant'; readonly to: Location; readonly value: number }
  | { readonly kind: 'loaded'; readonly to: Location }
  | {
      readonly kind: 'address';
      readonly to: Location;
      readonly base: Location | undefined;
      readonly index: Location | undefined;
      readonly scale: number;
      readonly plus: number;
    };

/** An instruction of a block in terms of what it needs and leaves: plain data, of no decoder. */
export interface BlockInstruction {
  readonly form: string;
  readonly mnemonic: string;
  readonly length: number;
  /** Offset of the opcode behind prefixes and escapes. */
  readonly opcodeAt: number;
  /** Has an operand-size prefix that changes the length of its immediate. */
  readonly changesLength: boolean;
  /** Sources other than those of addresses. */
  readonly reads: readonly Location[];
  readonly addressReads: readonly Location[];
  readonly writes: readonly Location[];
  readonly loads: readonly MemoryAccess[];
  readonly stores: readonly MemoryAccess[];
  readonly value: Value | undefined;
  /** The number that it adds to what it loads and stores again; absent where that is not known. */
  readonly storePlus?: number;
  /** Change of the stack pointer that is no operand: push, pop, call, ret. */
  readonly stackChange: number;
  /** Whether rsp is an operand or part of an address that is written out. */
  readonly usesStackPointer: boolean;
  readonly writesStackPointer: boolean;
  readonly indexed: boolean;
  readonly immediate: boolean;
  readonly ripRelative: boolean;
  /** Both register sources are the same register. */
  readonly sameSources: boolean;
  /** A copy of a register to another that renaming alone can do. */
  readonly move: 'general' | 'vector' | undefined;
  /** Two operands, the first both read and written (or compared), not a VEX encoding. */
  readonly readsDestination: boolean;
  readonly flow: 'next' | 'conditional' | 'jump' | 'call' | 'return';
  /** Which result a load gives: a general register, up to 128 bits of vector, more. */
  readonly width: 0 | 1 | 2;
}

export interface DecodedBlock {
  readonly instructions: readonly BlockInstruction[];
  /** Offset of the first byte that is no instruction of 64-bit mode; undefined where all are. */
  readonly invalidAt: number | undefined;
}

/** An instruction where it is, with what it is for. */
export interface CodeInstruction extends BlockInstruction {
  readonly address: number;
  /** Of a direct jump or call. */
  readonly target: number | undefined;
  readonly work: Work;
}

const infos = new InstructionInfoFactory();

/** The instructions of a stretch of machine code at an address, up to the first byte that is none. */
export function decodeCode(bytes: Uint8Array, address: number): readonly CodeInstruction[] {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = BigInt(address);
  const instructions: CodeInstruction[] = [];
  const instruction = new Instruction();
  while (decoder.canDecode) {
    const at = decoder.position;
    decoder.decodeOut(instruction);
    if (instruction.isInvalid) break;
    const described = describe(instruction, bytes.subarray(at, at + instruction.length));
    const value = described.value ?? narrowValueLeftBy(instruction);
    const isDirect = described.flow !== 'next' && instruction.nearBranchTarget !== 0n;
    instructions.push({
      ...described,
      value,
      ...storePlusOf(instruction),
      address: address + at,
      target: isDirect ? Number(instruction.nearBranchTarget) : undefined,
      work: workOf(instruction, described.sameSources),
    });
  }
  instruction.free();
  decoder.free();
  return instructions;
}

/** The instructions of a stretch of machine code, up to the first byte that is none. */
export function decodeBlock(bytes: Uint8Array): DecodedBlock {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  const instructions: BlockInstruction[] = [];
  let invalidAt: number | undefined;
  while (decoder.canDecode && invalidAt === undefined) {
    const at = decoder.position;
    const instruction = decoder.decode();
    if (instruction.isInvalid) invalidAt = at;
    else instructions.push(describe(instruction, bytes.subarray(at, at + instruction.length)));
    instruction.free();
  }
  decoder.free();
  return { instructions, invalidAt };
}

function describe(instruction: Instruction, bytes: Uint8Array): BlockInstruction {
  const info = infos.info(instruction);
  const registers = info.usedRegisters() as UsedRegister[];
  const memory = info.usedMemory() as UsedMemory[];
  const operands = Array.from({ length: instruction.opCount }, (_, k) => k);
  const isLea = instruction.mnemonic === Mnemonic.Lea;
  const inMemory = operands.some((k) => instruction.opKind(k) === OpKind.Memory);
  const stackChange = instruction.isStackInstruction ? instruction.stackPointerIncrement : 0;
  const explicitData = new Set(
    operands
      .filter((k) => instruction.opKind(k) === OpKind.Register && READING.has(info.opAccess(k)))
      .map((k) => RegisterExt.fullRegister(instruction.opRegister(k))),
  );
  const explicitStack =
    (inMemory && instruction.memoryBase === Register.RSP) ||
    operands.some(
      (k) =>
        instruction.opKind(k) === OpKind.Register &&
        RegisterExt.fullRegister(instruction.opRegister(k)) === Register.RSP,
    );
  const reads = new Set<Location>();
  const addressReads = new Set<Location>();
  const writes = new Set<Location>();
  const inAddress = new Set(
    memory.flatMap(({ base, index }) => [base, index].map((register) => RegisterExt.fullRegister(register))),
  );
  for (const { register, access } of registers) {
    const full = RegisterExt.fullRegister(register);
    const location = locationOf(register);
    if (location === undefined) continue;
    if (location === STACK_POINTER && stackChange !== 0 && !explicitStack) continue;
    if (READING.has(access)) {
      const isAddress =
        inAddress.has(full) && !explicitData.has(full) && !IMPLICIT_SOURCES.has(instruction.mnemonic);
      if (isAddress) addressReads.add(location);
      else for (const each of readLocations(register)) reads.add(each);
      // add rax,[rax]: the address needs it as well.
      if (inAddress.has(full)) addressReads.add(location);
    }
    if (WRITING.has(access)) {
      for (const each of writtenLocations(register)) writes.add(each);
      if (keepsRest(register)) reads.add(location);
    }
  }
  flagLocations(instruction, reads, writes);
  // Which reads and writes all vector registers in iced's words, but leaves what anybody waits for as it is.
  if (instruction.mnemonic === Mnemonic.Vzeroupper) {
    reads.clear();
    writes.clear();
  }
  const accesses = isLea ? [] : memory.filter(({ access }) => access !== OpAccess.NoMemAccess);
  const facts = {
    form: formOf(instruction),
    mnemonic: Mnemonic[instruction.mnemonic].toLowerCase(),
    length: instruction.length,
    opcodeAt: opcodeOffset(bytes),
    changesLength: changesLength(instruction, bytes),
    reads: [...reads],
    addressReads: [...addressReads],
    writes: [...writes],
    loads: accesses.filter(({ access }) => READING.has(access)).map(accessOf),
    stores: accesses.filter(({ access }) => WRITING.has(access)).map(accessOf),
    value: valueLeftBy(instruction),
    stackChange,
    usesStackPointer: explicitStack,
    writesStackPointer: writes.has(STACK_POINTER),
    indexed: inMemory && instruction.memoryIndex !== Register.None,
    immediate: operands.some((k) => IMMEDIATE.has(instruction.opKind(k))),
    ripRelative: inMemory && instruction.memoryBase === Register.RIP,
    sameSources: sameSources(instruction),
    move: moveKind(instruction),
    readsDestination: readsDestination(instruction, info.op0Access),
    flow: FLOW.get(instruction.flowControl) ?? ('next' as const),
    width: widthOf(instruction),
  };
  for (const each of [...registers, ...memory]) each.free();
  info.free();
  return facts;
}

const READING: ReadonlySet<OpAccess> = new Set([
  OpAccess.Read,
  OpAccess.CondRead,
  OpAccess.ReadWrite,
  OpAccess.ReadCondWrite,
]);
const WRITING: ReadonlySet<OpAccess> = new Set([
  OpAccess.Write,
  OpAccess.CondWrite,
  OpAccess.ReadWrite,
  OpAccess.ReadCondWrite,
]);

const IMMEDIATE: ReadonlySet<OpKind> = new Set([
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

/** Instructions that read registers which are no operands, so that these may be data though they are in an address too. */
const IMPLICIT_SOURCES: ReadonlySet<Mnemonic> = new Set([
  Mnemonic.Mul,
  Mnemonic.Imul,
  Mnemonic.Div,
  Mnemonic.Idiv,
  Mnemonic.Cmpxchg,
  Mnemonic.Cmpxchg8b,
  Mnemonic.Cmpxchg16b,
  Mnemonic.Mulx,
]);

const FLOW: ReadonlyMap<FlowControl, BlockInstruction['flow']> = new Map([
  [FlowControl.ConditionalBranch, 'conditional'],
  [FlowControl.UnconditionalBranch, 'jump'],
  [FlowControl.IndirectBranch, 'jump'],
  [FlowControl.Call, 'call'],
  [FlowControl.IndirectCall, 'call'],
  [FlowControl.Return, 'return'],
]);

function locationOf(register: Register): Location | undefined {
  if (register === Register.None || RegisterExt.isIP(register) || RegisterExt.isSegmentRegister(register))
    return undefined;
  if (RegisterExt.isGPR(register)) return RegisterExt.number(RegisterExt.fullRegister(register));
  if (RegisterExt.isVectorRegister(register)) return VECTOR + RegisterExt.number(register);
  if (RegisterExt.isST(register)) return X87 + RegisterExt.number(register);
  if (RegisterExt.isMM(register)) return MMX + RegisterExt.number(register);
  if (RegisterExt.isK(register)) return MASK + RegisterExt.number(register);
  return OTHER;
}

const isHighByte = (register: Register): boolean => register >= Register.AH && register <= Register.BH;
const highByteOf = (location: Location): Location[] => (location < 4 ? [HIGH_BYTE + location] : []);

function readLocations(register: Register): Location[] {
  if (isHighByte(register)) return [HIGH_BYTE + (register - Register.AH)];
  const location = locationOf(register)!;
  return RegisterExt.isGPR(register) && RegisterExt.size(register) > 1
    ? [location, ...highByteOf(location)]
    : [location];
}

/** A write of more than the lowest byte is one of the second byte, too. */
function writtenLocations(register: Register): Location[] {
  if (isHighByte(register)) return [HIGH_BYTE + (register - Register.AH)];
  const location = locationOf(register)!;
  return RegisterExt.isGPR(register) && RegisterExt.size(register) > 1
    ? [location, ...highByteOf(location)]
    : [location];
}

/** A write of the low 8 or 16 bits merges with the rest. */
const keepsRest = (register: Register): boolean =>
  RegisterExt.isGPR(register) && RegisterExt.size(register) < 4 && !isHighByte(register);

function flagLocations(instruction: Instruction, reads: Set<Location>, writes: Set<Location>): void {
  const others = RflagsBits.OF | RflagsBits.SF | RflagsBits.ZF | RflagsBits.AF | RflagsBits.PF;
  const read = instruction.rflagsRead;
  const written = instruction.rflagsModified;
  if (read & RflagsBits.CF) reads.add(CARRY);
  if (read & others) reads.add(OTHER_FLAGS);
  if (written & RflagsBits.CF) writes.add(CARRY);
  if (written & others) writes.add(OTHER_FLAGS);
}

function accessOf({ base, index, scale, displacement, memorySize }: UsedMemory): MemoryAccess {
  const absolute = base === Register.RIP || (base === Register.None && index === Register.None);
  return {
    base: base === Register.RIP ? undefined : locationOf(base),
    index: locationOf(index),
    scale,
    displacement: Number(BigInt.asIntN(64, displacement)),
    absolute,
    size: Math.max(1, MemorySizeExt.size(memorySize)),
  };
}

/** Behind legacy prefixes, REX or VEX and the escape bytes (SDM volume 2, 2.1 and 2.3). */
function opcodeOffset(bytes: Uint8Array): number {
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

function changesLength(instruction: Instruction, bytes: Uint8Array): boolean {
  if (instruction.mnemonic === Mnemonic.Ret || instruction.mnemonic === Mnemonic.Enter) return false;
  for (let k = 0; k < instruction.opCount; k++)
    if (instruction.opKind(k) === OpKind.Immediate16) return bytes.subarray(0, 4).includes(0x66);
  return false;
}

function sameSources(instruction: Instruction): boolean {
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

function moveKind(instruction: Instruction): 'general' | 'vector' | undefined {
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

function readsDestination(instruction: Instruction, access: OpAccess): boolean {
  const plain = instruction.encoding === EncodingKind.Legacy && instruction.opCount === 2;
  const compares = instruction.mnemonic === Mnemonic.Cmp || instruction.mnemonic === Mnemonic.Test;
  return plain && (access === OpAccess.ReadWrite || access === OpAccess.ReadCondWrite || compares);
}

function widthOf(instruction: Instruction): 0 | 1 | 2 {
  for (let k = 0; k < instruction.opCount; k++) {
    if (instruction.opKind(k) !== OpKind.Register) continue;
    const register = instruction.opRegister(k);
    if (RegisterExt.isYMM(register) || RegisterExt.isZMM(register)) return 2;
    if (RegisterExt.isXMM(register) || RegisterExt.isMM(register)) return 1;
  }
  return 0;
}

function valueLeftBy(instruction: Instruction): Value | undefined {
  if (instruction.opCount < 1 || instruction.op0Kind !== OpKind.Register) return undefined;
  const size = RegisterExt.size(instruction.op0Register);
  if (!RegisterExt.isGPR(instruction.op0Register) || size < 4) return undefined;
  const to = locationOf(instruction.op0Register)!;
  const second = instruction.opCount > 1 ? instruction.op1Kind : undefined;
  const constant =
    second !== undefined && IMMEDIATE.has(second)
      ? Number(BigInt.asIntN(64, instruction.immediate(1)))
      : undefined;
  switch (instruction.mnemonic) {
    case Mnemonic.Mov:
      if (constant !== undefined) return { kind: 'constant', to, value: constant };
      if (second === OpKind.Memory) return { kind: 'loaded', to };
      if (second === OpKind.Register && RegisterExt.isGPR(instruction.op1Register))
        return { kind: 'sum', to, from: locationOf(instruction.op1Register)!, plus: 0 };
      return undefined;
    case Mnemonic.Pop:
      return { kind: 'loaded', to };
    case Mnemonic.Add:
      return constant === undefined || size < 8 ? undefined : { kind: 'sum', to, from: to, plus: constant };
    case Mnemonic.Sub:
      if (constant !== undefined && size === 8) return { kind: 'sum', to, from: to, plus: -constant };
      return sameSources(instruction) ? { kind: 'constant', to, value: 0 } : undefined;
    case Mnemonic.Xor:
      return sameSources(instruction) ? { kind: 'constant', to, value: 0 } : undefined;
    case Mnemonic.Inc:
      return size < 8 ? undefined : { kind: 'sum', to, from: to, plus: 1 };
    case Mnemonic.Dec:
      return size < 8 ? undefined : { kind: 'sum', to, from: to, plus: -1 };
    case Mnemonic.Lea: {
      const plus = Number(BigInt.asIntN(64, instruction.memoryDisplacement));
      if (instruction.memoryBase === Register.RIP) return { kind: 'constant', to, value: plus };
      const base = locationOf(instruction.memoryBase);
      const index = locationOf(instruction.memoryIndex);
      if (size < 8) return undefined;
      return { kind: 'address', to, base, index, scale: instruction.memoryIndexScale, plus };
    }
    default:
      return undefined;
  }
}

function storePlusOf(instruction: Instruction): { readonly storePlus?: number } {
  if (instruction.opCount < 1 || instruction.op0Kind !== OpKind.Memory) return {};
  const step = (): number | undefined =>
    IMMEDIATE.has(instruction.op1Kind) ? Number(BigInt.asIntN(32, instruction.immediate(1))) : undefined;
  switch (instruction.mnemonic) {
    case Mnemonic.Add: {
      const plus = step();
      return plus === undefined ? {} : { storePlus: plus };
    }
    case Mnemonic.Sub: {
      const minus = step();
      return minus === undefined ? {} : { storePlus: -minus };
    }
    case Mnemonic.Inc:
      return { storePlus: 1 };
    case Mnemonic.Dec:
      return { storePlus: -1 };
    default:
      return {};
  }
}

/**
 * The same of 32 bits, as counters of loops in C are: that they do not overflow is what a compiler takes for granted, too,
 * where it extends them to index an array.
 */
function narrowValueLeftBy(instruction: Instruction): Value | undefined {
  const { mnemonic } = instruction;
  if (mnemonic === Mnemonic.Cdqe) return { kind: 'sum', to: 0, from: 0, plus: 0 };
  if (instruction.opCount < 1 || instruction.op0Kind !== OpKind.Register) return undefined;
  if (!RegisterExt.isGPR(instruction.op0Register) || RegisterExt.size(instruction.op0Register) < 4)
    return undefined;
  const to = locationOf(instruction.op0Register)!;
  const second = instruction.opCount > 1 ? instruction.op1Kind : undefined;
  const step =
    second !== undefined && IMMEDIATE.has(second)
      ? Number(BigInt.asIntN(32, instruction.immediate(1)))
      : undefined;
  switch (mnemonic) {
    case Mnemonic.Add:
      return step === undefined ? undefined : { kind: 'sum', to, from: to, plus: step };
    case Mnemonic.Sub:
      return step === undefined ? undefined : { kind: 'sum', to, from: to, plus: -step };
    case Mnemonic.Inc:
      return { kind: 'sum', to, from: to, plus: 1 };
    case Mnemonic.Dec:
      return { kind: 'sum', to, from: to, plus: -1 };
    case Mnemonic.Movsxd:
      if (second === OpKind.Memory) return { kind: 'loaded', to };
      return { kind: 'sum', to, from: locationOf(instruction.op1Register)!, plus: 0 };
    case Mnemonic.Lea: {
      const base = locationOf(instruction.memoryBase);
      const index = locationOf(instruction.memoryIndex);
      const plus = Number(BigInt.asIntN(32, instruction.memoryDisplacement));
      return { kind: 'address', to, base, index, scale: instruction.memoryIndexScale, plus };
    }
    default:
      return undefined;
  }
}
