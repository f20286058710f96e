import {
  Code,
  CpuidFeature,
  Decoder,
  DecoderOptions,
  Encoder,
  EncodingKind,
  Instruction,
  OpCodeOperandKind as Kind,
  MemorySizeExt,
  Mnemonic,
  OpKind,
  Register,
  RegisterExt,
} from 'iced-x86';
import { double, integers, single } from '../operands.ts';
import type { Random } from './random.ts';
import { codeSelector, randomSelector, takesSelector, usableSelector } from './selectors.ts';
import { ALL_FLAGS, CODE_ADDRESS, DATA_ADDRESS, FX_MXCSR, State, TAKEN_ADDRESS } from './state.ts';

/** One encoding of an instruction, as iced names them (`Add_rm32_r32`). */
export interface Form {
  readonly code: Code;
  readonly name: string;
  readonly mnemonic: Mnemonic;
  readonly kinds: readonly Kind[];
  readonly memorySize: number;
  readonly lock: boolean;
  readonly repeat: boolean;
  readonly string: boolean;
  readonly stack: boolean;
  readonly vex: boolean;
  readonly encoding: EncodingKind;
  /** What a processor must have for it, in the decoder's words. */
  readonly features: readonly string[];
}

/** Every legacy or VEX (not EVEX, XOP) encoding of 64-bit mode with a mnemonic that is wanted. */
export function formsOf(wanted: (form: Form) => boolean): Form[] {
  return everyForm().filter((form) => (form.encoding === EncodingKind.Legacy || form.vex) && wanted(form));
}

/** Every encoding of 64-bit mode that the decoder knows without an option. */
export function everyForm(): Form[] {
  const forms: Form[] = [];
  for (const name of Object.keys(Code).filter((key) => Number.isNaN(Number(key)))) {
    const code = Code[name as keyof typeof Code];
    const instruction = new Instruction();
    instruction.code = code;
    const info = instruction.opCode;
    const form: Form = {
      code,
      name,
      mnemonic: info.mnemonic,
      kinds: Array.from({ length: info.opCount }, (_, k) => info.opKind(k)),
      memorySize: MemorySizeExt.size(info.memorySize),
      lock: info.canUseLockPrefix,
      repeat: info.canUseRepPrefix,
      string: instruction.isStringInstruction,
      stack: instruction.isStackInstruction,
      vex: info.encoding === EncodingKind.VEX,
      encoding: info.encoding,
      features: [...instruction.cpuidFeatures()].map((feature) => CpuidFeature[feature]),
    };
    // Forms of AMD's decoders alone (16-bit branches) are none of ours.
    if (info.isInstruction && info.mode64 && info.intelDecoder64 && info.decoderOption === 0)
      forms.push(form);
    info.free();
    instruction.free();
  }
  return forms;
}

/** A form with operands and a state to run it in. */
export interface Example {
  readonly form: Form;
  readonly code: Uint8Array;
  readonly text: string;
  readonly before: State;
  /** Address of the memory operand, 0 if there is none. */
  readonly memory: number;
}

/** Operands of a kind that is one of several registers of a file. */
const FILES: ReadonlyMap<Kind, readonly [first: Register, count: number]> = new Map([
  [Kind.r8_or_mem, [Register.AL, 20]],
  [Kind.r8_reg, [Register.AL, 20]],
  [Kind.r8_opcode, [Register.AL, 20]],
  [Kind.r16_or_mem, [Register.AX, 16]],
  [Kind.r16_reg, [Register.AX, 16]],
  [Kind.r16_rm, [Register.AX, 16]],
  [Kind.r16_opcode, [Register.AX, 16]],
  [Kind.r16_reg_mem, [Register.AX, 16]],
  [Kind.r32_or_mem, [Register.EAX, 16]],
  [Kind.r32_reg, [Register.EAX, 16]],
  [Kind.r32_rm, [Register.EAX, 16]],
  [Kind.r32_opcode, [Register.EAX, 16]],
  [Kind.r32_reg_mem, [Register.EAX, 16]],
  [Kind.r64_or_mem, [Register.RAX, 16]],
  [Kind.r64_reg, [Register.RAX, 16]],
  [Kind.r64_rm, [Register.RAX, 16]],
  [Kind.r64_opcode, [Register.RAX, 16]],
  [Kind.r64_reg_mem, [Register.RAX, 16]],
  [Kind.r32_vvvv, [Register.EAX, 16]],
  [Kind.r64_vvvv, [Register.RAX, 16]],
  [Kind.mm_or_mem, [Register.MM0, 8]],
  [Kind.mm_reg, [Register.MM0, 8]],
  [Kind.mm_rm, [Register.MM0, 8]],
  [Kind.xmm_or_mem, [Register.XMM0, 16]],
  [Kind.xmm_reg, [Register.XMM0, 16]],
  [Kind.xmm_rm, [Register.XMM0, 16]],
  [Kind.xmm_vvvv, [Register.XMM0, 16]],
  [Kind.xmm_is4, [Register.XMM0, 16]],
  [Kind.ymm_or_mem, [Register.YMM0, 16]],
  [Kind.ymm_reg, [Register.YMM0, 16]],
  [Kind.ymm_rm, [Register.YMM0, 16]],
  [Kind.ymm_vvvv, [Register.YMM0, 16]],
  [Kind.ymm_is4, [Register.YMM0, 16]],
  [Kind.sti_opcode, [Register.ST0, 8]],
  [Kind.seg_reg, [Register.ES, 6]],
  [Kind.cr_reg, [Register.CR0, 16]],
  [Kind.dr_reg, [Register.DR0, 8]],
]);

const FIXED: ReadonlyMap<Kind, Register> = new Map([
  [Kind.al, Register.AL],
  [Kind.cl, Register.CL],
  [Kind.ax, Register.AX],
  [Kind.dx, Register.DX],
  [Kind.eax, Register.EAX],
  [Kind.rax, Register.RAX],
  [Kind.st0, Register.ST0],
  [Kind.fs, Register.FS],
  [Kind.gs, Register.GS],
]);

const IMMEDIATES: ReadonlyMap<Kind, OpKind> = new Map([
  [Kind.imm8, OpKind.Immediate8],
  [Kind.imm8_const_1, OpKind.Immediate8],
  [Kind.imm8sex16, OpKind.Immediate8to16],
  [Kind.imm8sex32, OpKind.Immediate8to32],
  [Kind.imm8sex64, OpKind.Immediate8to64],
  [Kind.imm16, OpKind.Immediate16],
  [Kind.imm32, OpKind.Immediate32],
  [Kind.imm32sex64, OpKind.Immediate32to64],
  [Kind.imm64, OpKind.Immediate64],
]);

const OPTIONAL_MEMORY: ReadonlySet<Kind> = new Set([
  Kind.r8_or_mem,
  Kind.r16_or_mem,
  Kind.r32_or_mem,
  Kind.r64_or_mem,
  Kind.mm_or_mem,
  Kind.xmm_or_mem,
  Kind.ymm_or_mem,
]);

/** Addresses whose index is a vector, by its register file and the bytes of an index. */
const VECTOR_INDICES: ReadonlyMap<Kind, readonly [first: Register, bytes: 4 | 8]> = new Map([
  [Kind.mem_vsib32x, [Register.XMM0, 4]],
  [Kind.mem_vsib32y, [Register.YMM0, 4]],
  [Kind.mem_vsib64x, [Register.XMM0, 8]],
  [Kind.mem_vsib64y, [Register.YMM0, 8]],
]);

/** Restrictions for sequences, where instructions should meet in few registers. */
export interface Choice {
  /** Only the first so many registers of a file. */
  readonly registers?: number;
  /** No optional memory operands. */
  readonly registersOnly?: boolean;
}

const encoder = new Encoder(64);

/** Random operands, state and memory for a form; undefined when this draw has no encoding (ah with a REX prefix). */
export function example(form: Form, random: Random, choice: Choice = {}): Example | undefined {
  const instruction = new Instruction();
  try {
    return build(form, instruction, random, choice);
  } finally {
    instruction.free();
  }
}

function build(form: Form, instruction: Instruction, random: Random, choice: Choice): Example | undefined {
  instruction.code = form.code;
  const before = randomState(random);
  const draft = { form, instruction, before, random, choice, memory: 0 };
  form.kinds.forEach((kind, k) => {
    setOperand(draft, kind, k);
  });
  if (form.lock && draft.memory !== 0 && random.chance(50)) instruction.hasLockPrefix = true;
  if (form.repeat) {
    const prefix = random.below(3);
    if (prefix === 1) instruction.hasRepPrefix = true;
    if (prefix === 2) instruction.hasRepnePrefix = true;
  }
  if (hasConflict(draft)) return undefined;
  prepare(draft);
  try {
    encoder.encode(instruction, BigInt(CODE_ADDRESS));
  } catch {
    encoder.takeBuffer();
    return undefined;
  }
  return { form, code: encoder.takeBuffer(), text: instruction.toString(), before, memory: draft.memory };
}

/** Other values for an example's code: what its addresses, or its effect on control, hang on stays. */
export function varied({ form, code, before }: Example, random: Random): State | undefined {
  if (!isFree(form)) return undefined;
  const decoder = new Decoder(64, code, DecoderOptions.None);
  const instruction = decoder.decode();
  const state = randomState(random);
  for (const register of [instruction.memoryBase, instruction.memoryIndex])
    if (RegisterExt.isGPR(register)) {
      const number = RegisterExt.number(register);
      state.setGpr(number, before.gpr(number));
    }
  for (const segment of ['es', 'ds', 'fs', 'gs'] as const)
    state.setSelector(segment, before.selector(segment));
  decoder.free();
  instruction.free();
  return state;
}

/** Whether any values of registers and memory will do. */
export function isFree(form: Form): boolean {
  return (
    !form.string &&
    !form.stack &&
    !isBitTest(form) &&
    !isIndirect(form) &&
    !takesSelector(form.name) &&
    farSize(form) === undefined &&
    !form.kinds.includes(Kind.seg_rDI) &&
    !form.kinds.some((kind) => VECTOR_INDICES.has(kind)) &&
    !/^(Xlat|Loop|J.*cxz|Div|Idiv|Cmpxchg|Bs[fr]_)/.test(form.name)
  );
}

interface Draft {
  readonly form: Form;
  readonly instruction: Instruction;
  readonly before: State;
  readonly random: Random;
  readonly choice: Choice;
  memory: number;
}

/** 64 bits of a vector register or of memory: numbers as floating-point instructions meet them, integers, and anything. */
const FILLS: readonly ((random: Random) => bigint)[] = [
  (random) => random.bits(),
  integers,
  double,
  (random) => single(random) | (single(random) << 32n),
];

function fillWith(fill: (random: Random) => bigint, random: Random, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) view.setBigUint64(at, fill(random), true);
}

function randomState(random: Random): State {
  const before = State.initial();
  for (let register = 0; register < 16; register++) before.setGpr(register, random.operand());
  const fill = random.pick(FILLS);
  for (let register = 0; register < 16; register++) {
    fillWith(fill, random, before.xmm(register));
    fillWith(fill, random, before.ymmHigh(register));
  }
  // Now and then two operands are equal.
  if (random.chance(20)) before.xmm(random.below(16)).set(before.xmm(random.below(16)));
  before.rflags = 0x202 | (random.u32() & ALL_FLAGS);
  fillWith(fill, random, before.data);
  before.fx.setUint32(FX_MXCSR, 0x1f80, true);
  return before;
}

function setOperand(draft: Draft, kind: Kind, k: number): void {
  const { instruction, random } = draft;
  const fixed = FIXED.get(kind);
  const file = FILES.get(kind);
  const immediate = IMMEDIATES.get(kind);
  if (
    kind === Kind.mem ||
    kind === Kind.mem_offs ||
    (OPTIONAL_MEMORY.has(kind) && draft.choice.registersOnly !== true && random.chance(50))
  )
    setMemory(draft, kind, k);
  else if (VECTOR_INDICES.has(kind)) setVectorAddress(draft, k);
  else if (fixed !== undefined || file !== undefined) {
    instruction.setOpKind(k, OpKind.Register);
    instruction.setOpRegister(k, fixed ?? chooseRegister(draft, file as readonly [Register, number], k));
  } else if (immediate !== undefined) setImmediate(draft, kind, k, immediate);
  else if (kind === Kind.br64_1 || kind === Kind.br64_4) {
    instruction.setOpKind(k, OpKind.NearBranch64);
    instruction.nearBranch64 = BigInt(TAKEN_ADDRESS);
  } else setImplicitMemory(draft, kind, k);
}

/** Sometimes the register of the operand before, because idioms and aliasing live there. */
function chooseRegister(
  { instruction, random, choice }: Draft,
  [first, count]: readonly [Register, number],
  k: number,
): Register {
  const previous = k > 0 ? instruction.opRegister(k - 1) : Register.None;
  if (previous >= first && previous < first + count && random.chance(20)) return previous;
  return first + random.below(Math.min(count, choice.registers ?? count));
}

function setImmediate({ instruction, random }: Draft, kind: Kind, k: number, opKind: OpKind): void {
  // enter has two: the second one has its own place.
  const second = k > 0 && instruction.opKind(k - 1) === OpKind.Immediate16;
  instruction.setOpKind(k, second ? OpKind.Immediate8_2nd : opKind);
  if (second) instruction.immediate8_2nd = random.chance(50) ? 0 : random.below(40);
  else if (kind === Kind.imm8_const_1) instruction.immediate8 = 1;
  else {
    const value = random.chance(30) ? BigInt(random.below(66)) : random.operand();
    if (opKind === OpKind.Immediate8) instruction.immediate8 = Number(value & 0xffn);
    else if (opKind === OpKind.Immediate16) instruction.immediate16 = Number(value & 0xffffn);
    else if (opKind === OpKind.Immediate32) instruction.immediate32 = Number(value & 0xffff_ffffn);
    else if (opKind === OpKind.Immediate64) instruction.immediate64 = value;
    else instruction.setImmediateI64(k, BigInt.asIntN(opKind === OpKind.Immediate32to64 ? 32 : 8, value));
  }
}

const IMPLICIT: ReadonlyMap<Kind, readonly [OpKind, OpKind]> = new Map([
  [Kind.seg_rSI, [OpKind.MemorySegRSI, OpKind.MemorySegESI]],
  [Kind.es_rDI, [OpKind.MemoryESRDI, OpKind.MemoryESEDI]],
  [Kind.seg_rDI, [OpKind.MemorySegRDI, OpKind.MemorySegEDI]],
]);

/** Operands of string instructions and xlat. */
function setImplicitMemory(draft: Draft, kind: Kind, k: number): void {
  const { instruction, random } = draft;
  if (kind === Kind.seg_rBX_al) {
    instruction.setOpKind(k, OpKind.Memory);
    instruction.memoryBase = random.chance(30) ? Register.EBX : Register.RBX;
    instruction.memoryIndex = Register.AL;
    return;
  }
  const kinds = IMPLICIT.get(kind);
  if (kinds === undefined) throw new Error(`operand kind ${Kind[kind]} of ${draft.form.name} is not known`);
  const narrow = k > 0 && isNarrow(instruction.opKind(0)) ? true : k === 0 && random.chance(20);
  instruction.setOpKind(k, kinds[narrow ? 1 : 0]);
}

function isNarrow(kind: OpKind): boolean {
  return kind === OpKind.MemorySegESI || kind === OpKind.MemoryESEDI || kind === OpKind.MemorySegEDI;
}

/** A memory operand inside the data: any addressing mode, aligned for 16-byte and larger operands. */
function setMemory(draft: Draft, kind: Kind, k: number): void {
  const { instruction, before, random, form } = draft;
  instruction.setOpKind(k, OpKind.Memory);
  const aligned = form.memorySize >= 16 && !(form.vex && random.chance(50));
  const offset = aligned ? 32 * (4 + random.below(8)) : 256 + random.below(256);
  const address = DATA_ADDRESS + offset;
  draft.memory = address;
  const gs = random.chance(10);
  if (gs) instruction.segmentPrefix = Register.GS;
  const target = BigInt(gs ? offset : address);
  if (kind === Kind.mem_offs) {
    instruction.memoryDisplSize = 8;
    instruction.memoryDisplacement = target;
    return;
  }
  if (random.chance(8)) {
    instruction.memoryDisplSize = 4;
    instruction.memoryDisplacement = target;
    return;
  }
  if (!gs && random.chance(8)) {
    instruction.memoryBase = Register.RIP;
    instruction.memoryDisplSize = 4;
    instruction.memoryDisplacement = target;
    return;
  }
  const narrow = random.chance(10);
  const file = narrow ? Register.EAX : Register.RAX;
  const used = usedRegisters(instruction, k);
  const free = (except: readonly number[]): number => {
    for (;;) {
      const number = random.below(16);
      if (!except.includes(number)) return number;
    }
  };
  const displacement = random.pick([
    0,
    1,
    -1,
    random.below(256) - 128,
    form.stack ? 64 : (random.u32() | 0) >> 2,
  ]);
  let rest = target - BigInt(displacement);
  // The bit number of bt and its like is an address too; it must not be the base.
  const base = free(used);
  if (random.chance(50)) {
    const index = free([4, base, ...used]);
    const scale = random.pick([1, 2, 4, 8]);
    const value = BigInt(random.below(64) - 32);
    instruction.memoryIndex = file + index;
    instruction.memoryIndexScale = scale;
    before.setGpr(index, garbage(value, narrow, random));
    rest -= value * BigInt(scale);
  }
  instruction.memoryBase = file + base;
  instruction.memoryDisplSize = displacement === 0 ? 0 : displacement >= -128 && displacement <= 127 ? 1 : 8;
  instruction.memoryDisplacement = BigInt.asUintN(64, BigInt(displacement));
  before.setGpr(base, garbage(rest, narrow, random));
}

/** A gather's memory operand: `prepareGather` sees to its index. */
function setVectorAddress({ instruction, before, random }: Draft, k: number): void {
  instruction.setOpKind(k, OpKind.Memory);
  instruction.memoryIndexScale = random.pick([1, 2, 4, 8]);
  instruction.memoryBase = Register.RAX + random.below(16);
  instruction.memoryDisplSize = 1;
  const displacement = BigInt(random.below(256) - 128);
  instruction.memoryDisplacement = BigInt.asUintN(64, displacement);
  before.setGpr(RegisterExt.number(instruction.memoryBase), BigInt(DATA_ADDRESS + 512) - displacement);
}

/**
 * Three different vector registers, as the processor demands. Elements lie near the middle of the data; what the mask
 * leaves out may have any index.
 */
function prepareGather({ form, instruction, before, random }: Draft): void {
  const [first, bytes] = VECTOR_INDICES.get(form.kinds[1]) as readonly [Register, 4 | 8];
  const [destination, index, mask] = [0, 5, 10].map((from) => from + random.below(5));
  const file = instruction.opRegister(0) >= Register.YMM0 ? Register.YMM0 : Register.XMM0;
  instruction.setOpRegister(0, file + destination);
  instruction.setOpRegister(2, file + mask);
  instruction.memoryIndex = first + index;
  const halves = (register: number) =>
    [before.xmm(register), before.ymmHigh(register)].map(
      (half) => new DataView(half.buffer, half.byteOffset, 16),
    );
  const size = form.memorySize;
  for (let i = 0; i < 32 / bytes; i++) {
    const sign = size * i + size - 1;
    const selected = sign >= 32 || halves(mask)[sign >> 4].getUint8(sign & 15) >= 0x80;
    const value = selected || random.chance(50) ? BigInt(random.below(40) - 20) : random.bits();
    const place = halves(index)[(bytes * i) >> 4];
    if (bytes === 4) place.setInt32((4 * i) & 15, Number(BigInt.asIntN(32, value)), true);
    else place.setBigInt64((8 * i) & 15, BigInt.asIntN(64, value), true);
  }
}

/** With 32-bit addresses the registers' upper halves do not matter. */
function garbage(value: bigint, narrow: boolean, random: Random): bigint {
  return narrow ? BigInt.asUintN(32, value) | (BigInt(random.u32()) << 32n) : value;
}

function usedRegisters(instruction: Instruction, count: number): number[] {
  const used: number[] = [];
  for (let k = 0; k < count; k++)
    if (instruction.opKind(k) === OpKind.Register && RegisterExt.isGPR(instruction.opRegister(k)))
      used.push(RegisterExt.number(RegisterExt.fullRegister(instruction.opRegister(k))));
  return used;
}

const at = (random: Random): bigint => BigInt(DATA_ADDRESS + 256 + random.below(256));

function write(before: State, address: number, value: bigint, size: number): void {
  for (let i = 0; i < size; i++)
    before.data[address - DATA_ADDRESS + i] = Number((value >> BigInt(8 * i)) & 0xffn);
}

function write64(before: State, address: number, value: bigint): void {
  write(before, address, value, 8);
}

/** Registers that would have to hold two things: an address and a bit number or the stack, a branch target and the stack. */
function hasConflict({ form, instruction, memory }: Draft): boolean {
  const inAddress = (register: Register): boolean =>
    [instruction.memoryBase, instruction.memoryIndex].some(
      (used) => RegisterExt.fullRegister(used) === RegisterExt.fullRegister(register),
    );
  // The stack pointer's upper half would be arbitrary.
  if (form.stack && instruction.memoryBase === Register.ESP) return true;
  if (isBitTest(form) && memory !== 0 && instruction.opKind(1) === OpKind.Register)
    return inAddress(instruction.opRegister(1));
  return isIndirect(form) && memory === 0 && instruction.opRegister(0) === Register.RSP;
}

const isBitTest = (form: Form): boolean => /^Bt[src]?$/.test(Mnemonic[form.mnemonic]);
const isIndirect = (form: Form): boolean =>
  (form.mnemonic === Mnemonic.Jmp || form.mnemonic === Mnemonic.Call) && form.kinds[0] === Kind.r64_or_mem;

/** Gives implicit operands sensible values: pointers into the data, counts that end, branch targets that exist. */
function prepare(draft: Draft): void {
  const { form, before, random, instruction } = draft;
  const name = Mnemonic[form.mnemonic];
  if (form.string) {
    before.setGpr(6, garbage(at(random), isNarrow(instruction.opKind(0)), random));
    before.setGpr(7, random.chance(30) ? before.gpr(6) + BigInt(random.below(17) - 8) : at(random));
    const narrow = form.kinds.some((_, k) => isNarrow(instruction.opKind(k)));
    before.setGpr(1, garbage(BigInt(random.below(20)), narrow, random));
    if (random.chance(60)) before.data.fill(random.below(2));
    if (random.chance(60)) before.setGpr(0, before.gpr(0) & 1n);
  }
  if (form.kinds.includes(Kind.seg_rDI)) before.setGpr(7, at(random));
  if (form.stack && instruction.memoryBase !== Register.RSP) before.setGpr(4, at(random));
  if (name === 'Xlatb')
    before.setGpr(3, garbage(at(random), instruction.memoryBase === Register.EBX, random));
  if (name === 'Leave') before.setGpr(5, at(random));
  if (name === 'Enter') {
    instruction.immediate16 = random.below(200);
    before.setGpr(5, at(random));
  }
  if (name === 'Ret') {
    write64(before, Number(before.gpr(4)), BigInt(TAKEN_ADDRESS));
    if (form.kinds.length > 0) instruction.immediate16 = random.below(64);
  }
  prepareSegments(draft);
  if (form.kinds.length > 1 && VECTOR_INDICES.has(form.kinds[1])) prepareGather(draft);
  if (isIndirect(form)) {
    if (draft.memory !== 0) write64(before, draft.memory, BigInt(TAKEN_ADDRESS));
    else before.setGpr(RegisterExt.number(instruction.opRegister(0)), BigInt(TAKEN_ADDRESS));
  }
  if (name.startsWith('Popf')) {
    const flags = BigInt(0x202 | (random.u32() & ALL_FLAGS));
    write64(before, Number(before.gpr(4)), flags);
  }
  if ((name === 'Loop' || name === 'Loope' || name === 'Loopne' || name.endsWith('cxz')) && random.chance(60))
    before.setGpr(1, BigInt(random.below(3)));
  if (name === 'Div' || name === 'Idiv') prepareDivision(draft);
  if (form.kinds[0] === Kind.r32_reg && (name === 'Bsf' || name === 'Bsr')) {
    // AMD's manual says that a destination which is kept is kept whole; Intel's leaves its upper half open.
    const destination = RegisterExt.number(instruction.opRegister(0));
    const inAddress = [instruction.memoryBase, instruction.memoryIndex].includes(Register.RAX + destination);
    if (!inAddress) before.setGpr(destination, before.gpr(destination) & 0xffff_ffffn);
  }
  if (/^Cmpxchg(8b|16b)?$/.test(name)) prepareComparison(draft);
  // A field of some width, most of the time.
  if (/^(Bextr|Bzhi)$/.test(name) && random.chance(70)) prepareField(draft);
  if (isBitTest(form) && draft.memory !== 0 && instruction.opKind(1) === OpKind.Register)
    before.setGpr(usedRegisters(instruction, 2)[0] ?? 0, BigInt(random.below(4000) - 2000));
}

/** Segment registers before the case, and selectors and far pointers where the form takes one. */
function prepareSegments({ form, instruction, before, random, memory }: Draft): void {
  before.setSelector('es', usableSelector(random));
  before.setSelector('ds', usableSelector(random));
  before.setSelector('fs', usableSelector(random));
  // A selector takes the base from it that gs: operands count on.
  if (instruction.segmentPrefix !== Register.GS) before.setSelector('gs', usableSelector(random));
  const name = Mnemonic[form.mnemonic];
  const stack = Number(before.gpr(4));
  if (takesSelector(form.name)) {
    const selector = randomSelector(random, form.name);
    if (memory !== 0) write(before, memory + Math.max(0, form.memorySize - 2), BigInt(selector), 2);
    else if (name === 'Pop') write(before, stack, BigInt(selector), 2);
    else {
      const register = RegisterExt.number(instruction.opRegister(form.kinds.length - 1));
      before.setGpr(register, (before.gpr(register) & ~0xffffn) | BigInt(selector));
    }
  }
  const size = farSize(form);
  if (size === undefined) return;
  const target = BigInt(TAKEN_ADDRESS);
  // The highest bits of a selector's slot are ignored.
  const selector = (): bigint => BigInt(codeSelector(random)) | (random.bits() << 16n);
  if (form.kinds[0] === Kind.mem) {
    write(before, memory, target, size);
    write(before, memory + size, selector(), 2);
    return;
  }
  const slots = [target, selector()];
  if (name.startsWith('Iret')) {
    const flags = BigInt(0x202 | (random.u32() & ALL_FLAGS));
    const stackSegment = random.chance(80) ? 0x2bn | (random.bits() << 16n) : selector();
    slots.push(flags, random.operand(), stackSegment);
  } else if (form.kinds.length > 0) instruction.immediate16 = random.below(64);
  slots.forEach((value, i) => {
    write(before, stack + size * i, value, size);
  });
}

/** Size of the offset of a far jump, call or return. */
function farSize({ name }: Form): number | undefined {
  const size = /^(?:Jmp|Call)_m16(16|32|64)$/.exec(name)?.[1] ?? /^(?:Retf|Iret)([wdq])/.exec(name);
  if (size === null) return undefined;
  if (typeof size === 'string') return Number(size) / 8;
  return { w: 2, d: 4, q: 8 }[size[1] as 'w' | 'd' | 'q'];
}

/** Dividends that mostly fit: extended from one register, or of a small upper half. */
function prepareDivision({ before, random, memory }: Draft): void {
  const upper = random.below(4);
  if (upper === 0) before.setGpr(2, 0n);
  if (upper === 1) before.setGpr(2, random.chance(50) ? 0n : -1n);
  if (upper === 2) before.setGpr(2, BigInt(random.below(8) - 4));
  if (random.chance(50)) before.setGpr(0, before.gpr(0) & 0xffff_ffff_ffff_00ffn);
  if (memory !== 0 && random.chance(30)) before.data.fill(random.pick([0, 0xff, 1]));
}

/** Half the comparisons find what they expect. */
function prepareComparison({ form, before, random, memory, instruction }: Draft): void {
  if (random.chance(50)) return;
  if (memory === 0) {
    const register = instruction.opRegister(0);
    const value = before.gpr(RegisterExt.number(RegisterExt.fullRegister(register)));
    before.setGpr(
      0,
      register >= Register.AH && register <= Register.BH ? value : value ^ (random.bits() << 32n),
    );
    return;
  }
  const data = before.data;
  const view = new DataView(data.buffer, data.byteOffset);
  const at = memory - DATA_ADDRESS;
  if (Mnemonic[form.mnemonic] === 'Cmpxchg8b') {
    view.setUint32(at, Number(before.gpr(0) & 0xffff_ffffn), true);
    view.setUint32(at + 4, Number(before.gpr(2) & 0xffff_ffffn), true);
  } else if (Mnemonic[form.mnemonic] === 'Cmpxchg16b') {
    view.setBigUint64(at, before.gpr(0), true);
    view.setBigUint64(at + 8, before.gpr(2), true);
  } else view.setBigUint64(at, before.gpr(0), true);
}

/** Start and length in the low bytes of the last operand, unless its register is an address too. */
function prepareField({ before, random, instruction }: Draft): void {
  const register = instruction.opRegister(2);
  const number = RegisterExt.number(register);
  if ([instruction.memoryBase, instruction.memoryIndex].some((used) => RegisterExt.number(used) === number))
    return;
  before.setGpr(number, BigInt(random.below(70) | (random.below(70) << 8)));
}
