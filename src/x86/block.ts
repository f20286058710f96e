import {
  Decoder,
  DecoderOptions,
  FlowControl,
  Instruction,
  InstructionInfoFactory,
  MemorySizeExt,
  Mnemonic,
  OpAccess,
  OpKind,
  Register,
  RegisterExt,
  type UsedMemory,
  type UsedRegister,
} from 'iced-x86';
import { formOf } from './form.ts';
import { mnemonicName } from './iced-names.ts';
import { narrowValueLeftBy, storePlusOf, type Value, valueLeftBy } from './left-values.ts';
import {
  flagLocations,
  keepsRest,
  type Location,
  locationOf,
  readLocations,
  STACK_POINTER,
  writtenLocations,
} from './locations.ts';
import {
  changesLength,
  IMMEDIATE,
  moveKind,
  opcodeOffset,
  readsDestination,
  sameSources,
  widthOf,
} from './operands.ts';
import { WRITING } from './stores.ts';
import { type Work, workOf } from './work.ts';

export interface MemoryAccess {
  readonly base: Location | undefined;
  readonly index: Location | undefined;
  readonly scale: number;
  readonly displacement: number;
  /** Relative to the instruction pointer or absolute: the displacement is the whole address. */
  readonly absolute: boolean;
  readonly size: number;
}

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
  /** Of `reads`: what is left as it was unless a condition holds. */
  readonly kept: readonly Location[];
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
    const own = bytes.subarray(at, at + instruction.length);
    const known = wherever(instruction, own);
    const isDirect = known.flow !== 'next' && instruction.nearBranchTarget !== 0n;
    instructions.push({
      ...known,
      address: address + at,
      target: isDirect ? Number(instruction.nearBranchTarget) : undefined,
    });
  }
  instruction.free();
  decoder.free();
  return instructions;
}

type Anywhere = Omit<CodeInstruction, 'address' | 'target'>;

/** By the instruction's bytes: describing one takes ten times as long as decoding it, and half of a program's are repeated. */
const described = new Map<number | string, Anywhere>();
const MOST_DESCRIBED = 50_000;

/** A number for up to six bytes, which is exact, and which nearly all instructions have. */
function keyOf(bytes: Uint8Array): number | string {
  if (bytes.length > 6) return String.fromCharCode(...bytes);
  let key = bytes.length;
  for (const byte of bytes) key = key * 256 + byte;
  return key;
}

/** What an instruction is, wherever it is. */
function wherever(instruction: Instruction, bytes: Uint8Array): Anywhere {
  const key = keyOf(bytes);
  const known = described.get(key);
  if (known !== undefined) return known;
  const facts = describe(instruction, bytes);
  const whole: Anywhere = {
    ...facts,
    value: facts.value ?? narrowValueLeftBy(instruction),
    ...storePlusOf(instruction),
    work: workOf(instruction, facts.sameSources),
  };
  // An address that is relative to the instruction is another one elsewhere.
  if (!facts.ripRelative && described.size < MOST_DESCRIBED) described.set(key, whole);
  return whole;
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
  const kept = new Set<Location>();
  const writes = new Set<Location>();
  const inAddress = new Set(
    memory.flatMap(({ base, index }) => [base, index].map((register) => RegisterExt.fullRegister(register))),
  );
  for (const { register, access } of registers) {
    const full = RegisterExt.fullRegister(register);
    const location = locationOf(register);
    if (location === undefined) continue;
    if (location === STACK_POINTER && stackChange !== 0 && !explicitStack) continue;
    if (access === OpAccess.CondWrite) kept.add(location);
    if (READING.has(access) || access === OpAccess.CondWrite) {
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
    mnemonic: mnemonicName(instruction.mnemonic),
    length: instruction.length,
    opcodeAt: opcodeOffset(bytes),
    changesLength: changesLength(instruction, bytes),
    reads: [...reads],
    addressReads: [...addressReads],
    kept: [...kept].filter((each) => reads.has(each)),
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
