// One representative of every instruction form of 64-bit mode, as machine code and as text for LLVM.
import {
  Code,
  CpuidFeature,
  Decoder,
  DecoderOptions,
  Encoder,
  EncodingKind,
  Formatter,
  FormatterSyntax,
  Instruction,
  InstructionInfoFactory,
  OpCodeOperandKind as Kind,
  OpAccess,
  OpKind,
  Register,
} from 'iced-x86';
import { formOf } from '../src/x86/form.ts';

/** A form with the text of one instance and how it touches memory. */
export interface Representative {
  readonly form: string;
  /** AT&T syntax, as LLVM may spell it: with a suffix for the size of operands, and without. */
  readonly texts: readonly [string, string];
  readonly loads: boolean;
  readonly stores: boolean;
  /** Needs AVX-512 or what came with it. */
  readonly avx512: boolean;
}

const CODE = 0x1000n;

/** Distinct registers, so that no operand pair is an idiom of one register. */
const GENERAL = [Register.AX, Register.CX, Register.DX, Register.BX];

const REGISTERS: readonly [test: RegExp, register: (k: number) => Register][] = [
  [/^r8_/, (k) => [Register.AL, Register.CL, Register.DL, Register.BL][k]],
  [/^r16_/, (k) => GENERAL[k]],
  [/^r32_/, (k) => Register.EAX + (GENERAL[k] - Register.AX)],
  [/^r64_/, (k) => Register.RAX + (GENERAL[k] - Register.AX)],
  [/^mm_/, (k) => Register.MM1 + k],
  [/^xmm/, (k) => Register.XMM1 + k],
  [/^ymm/, (k) => Register.YMM1 + k],
  [/^zmm/, (k) => Register.ZMM1 + k],
  [/^k/, (k) => Register.K1 + k],
  [/^sti/, (k) => Register.ST1 + k],
  [/^seg_reg/, () => Register.FS],
  [/^cr_/, () => Register.CR0],
  [/^dr_/, () => Register.DR0],
];

const FIXED: Readonly<Partial<Record<Kind, Register>>> = {
  [Kind.al]: Register.AL,
  [Kind.cl]: Register.CL,
  [Kind.ax]: Register.AX,
  [Kind.dx]: Register.DX,
  [Kind.eax]: Register.EAX,
  [Kind.rax]: Register.RAX,
  [Kind.st0]: Register.ST0,
  [Kind.fs]: Register.FS,
  [Kind.gs]: Register.GS,
};

const IMMEDIATES: Readonly<Partial<Record<Kind, OpKind>>> = {
  [Kind.imm4_m2z]: OpKind.Immediate8,
  [Kind.imm8]: OpKind.Immediate8,
  [Kind.imm8_const_1]: OpKind.Immediate8,
  [Kind.imm8sex16]: OpKind.Immediate8to16,
  [Kind.imm8sex32]: OpKind.Immediate8to32,
  [Kind.imm8sex64]: OpKind.Immediate8to64,
  [Kind.imm16]: OpKind.Immediate16,
  [Kind.imm32]: OpKind.Immediate32,
  [Kind.imm32sex64]: OpKind.Immediate32to64,
  [Kind.imm64]: OpKind.Immediate64,
};

const VECTOR_INDEX: Readonly<Partial<Record<Kind, Register>>> = {
  [Kind.mem_vsib32x]: Register.XMM5,
  [Kind.mem_vsib64x]: Register.XMM5,
  [Kind.mem_vsib32y]: Register.YMM5,
  [Kind.mem_vsib64y]: Register.YMM5,
  [Kind.mem_vsib32z]: Register.ZMM5,
  [Kind.mem_vsib64z]: Register.ZMM5,
};

const STRING_KINDS: Readonly<Partial<Record<Kind, OpKind>>> = {
  [Kind.seg_rSI]: OpKind.MemorySegRSI,
  [Kind.es_rDI]: OpKind.MemoryESRDI,
  [Kind.seg_rDI]: OpKind.MemorySegRDI,
};

interface Shape {
  readonly memory: boolean;
  readonly broadcast: boolean;
  readonly lock: boolean;
  readonly rep: boolean;
  /** Base, index, scale and displacement of an address. */
  readonly address: readonly [Register, Register, number, number];
}

const PLAIN = [Register.RDI, Register.None, 1, 0] as const;

const ADDRESSES: readonly Shape['address'][] = [
  PLAIN,
  [Register.RDI, Register.None, 1, 8],
  [Register.RDI, Register.RSI, 1, 0],
  [Register.RDI, Register.RSI, 4, 0],
  [Register.RDI, Register.RSI, 1, 8],
  [Register.RDI, Register.RSI, 4, 8],
  [Register.None, Register.RSI, 4, 8],
  [Register.None, Register.RSI, 4, 0],
  [Register.None, Register.None, 1, 8],
  [Register.RIP, Register.None, 1, 8],
];

const encoder = new Encoder(64);
const formatter = new Formatter(FormatterSyntax.Gas);
formatter.spaceAfterOperandSeparator = true;
const infos = new InstructionInfoFactory();

/** In the order of iced's codes: the first encoding of a form stands for all. */
export function representatives(): readonly Representative[] {
  const found = new Map<string, Representative>();
  for (const name of Object.keys(Code).filter((key) => Number.isNaN(Number(key)))) {
    const code = Code[name as keyof typeof Code];
    if (!isWanted(code)) continue;
    for (const shape of shapesOf(code)) {
      const made = representative(code, shape);
      if (made !== undefined && !found.has(made.form)) found.set(made.form, made);
    }
  }
  return [...found.values()];
}

/** Of processors that we have no model of, and what only systems execute. */
const LEFT_OUT =
  /^(?:XOP|FMA4|MPX|CYRIX|VIA|PADLOCK|KNC|TBM|LWP|D3NOW|CL1INVMB|MVEX|VMX|SVM|SEAM|AVX512ER|AVX512PF|AVX512_4|AVX512_FP16|AVX512_VP2|AMX|KL|AESKLE|WIDE_KL|UINTR|HRESET|SMX|SGX|CET|PTWRITE|PCONFIG|ENQCMD|SEV|INVLPGB|WRMSRNS|MSRLIST|CMPCCXADD|RAO|MOVDIR|RTM|TSX|XSAVES|FRED|LKGS|PREFETCHITI)/i;

function isWanted(code: Code): boolean {
  const instruction = new Instruction();
  instruction.code = code;
  const info = instruction.opCode;
  const features = instruction.cpuidFeatures();
  const wanted =
    info.isInstruction &&
    info.mode64 &&
    info.intelDecoder64 &&
    info.decoderOption === 0 &&
    info.encoding !== EncodingKind.XOP &&
    info.encoding !== EncodingKind.D3NOW &&
    ![...features].some((feature: CpuidFeature) => LEFT_OUT.test(CpuidFeature[feature]));
  info.free();
  instruction.free();
  return wanted;
}

function shapesOf(code: Code): Shape[] {
  const instruction = new Instruction();
  instruction.code = code;
  const info = instruction.opCode;
  const kinds = Array.from({ length: info.opCount }, (_, k) => info.opKind(k));
  const optional = kinds.some((kind) => Kind[kind].endsWith('_or_mem'));
  const always = kinds.some((kind) => /^mem/.test(Kind[kind]));
  const base: Shape = { memory: false, broadcast: false, lock: false, rep: false, address: PLAIN };
  const shapes: Shape[] = [];
  if (!always) shapes.push(base);
  if (optional || always) {
    const isLea = code === Code.Lea_r64_m || code === Code.Lea_r32_m || code === Code.Lea_r16_m;
    for (const address of isLea ? ADDRESSES : [PLAIN]) shapes.push({ ...base, memory: true, address });
    if (info.canBroadcast) shapes.push({ ...base, memory: true, broadcast: true });
    if (info.canUseLockPrefix) shapes.push({ ...base, memory: true, lock: true });
  }
  if (info.canUseRepPrefix && instruction.isStringInstruction) shapes.push({ ...base, rep: true });
  info.free();
  instruction.free();
  return shapes;
}

function representative(code: Code, shape: Shape): Representative | undefined {
  const draft = new Instruction();
  draft.code = code;
  const info = draft.opCode;
  try {
    for (let k = 0; k < info.opCount; k++) if (!setOperand(draft, info.opKind(k), k, shape)) return undefined;
    if (shape.lock) draft.hasLockPrefix = true;
    if (shape.rep) draft.hasRepPrefix = true;
    if (shape.broadcast) draft.isBroadcast = true;
    if (info.requireOpMaskRegister) draft.opMask = Register.K7;
    encoder.encode(draft, CODE);
  } catch {
    encoder.takeBuffer();
    return undefined;
  } finally {
    info.free();
    draft.free();
  }
  return described(encoder.takeBuffer());
}

function described(bytes: Uint8Array): Representative | undefined {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = CODE;
  const instruction = decoder.decode();
  decoder.free();
  if (instruction.isInvalid) return undefined;
  const memory = infos.info(instruction).usedMemory() as { access: OpAccess }[];
  const made = {
    form: formOf(instruction),
    texts: [formatted(instruction, true), formatted(instruction, false)] as const,
    loads: memory.some(({ access }) => READS.has(access)),
    stores: memory.some(({ access }) => WRITES.has(access)),
    avx512: instruction
      .cpuidFeatures()
      .some((feature: CpuidFeature) => CpuidFeature[feature].startsWith('AVX512')),
  };
  instruction.free();
  return made;
}

function formatted(instruction: Instruction, suffix: boolean): string {
  formatter.gasShowMnemonicSizeSuffix = suffix;
  return formatter.format(instruction);
}

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

/** False where the operand is of a kind that no program of today has (far pointers). */
function setOperand(draft: Instruction, kind: Kind, k: number, shape: Shape): boolean {
  const name = Kind[kind];
  const fixed = FIXED[kind];
  const immediate = IMMEDIATES[kind];
  const string = STRING_KINDS[kind];
  if (shape.memory && (name.endsWith('_or_mem') || name.startsWith('mem'))) {
    const [base, index, scale, displacement] = shape.address;
    draft.setOpKind(k, OpKind.Memory);
    if (kind === Kind.mem_offs) {
      draft.memoryDisplSize = 8;
      draft.memoryDisplacement = 0x1122_3344_5566_7788n;
      return true;
    }
    draft.memoryBase = base;
    draft.memoryIndex = VECTOR_INDEX[kind] ?? index;
    draft.memoryIndexScale = scale;
    draft.memoryDisplSize = displacement === 0 ? 0 : base === Register.RIP || base === Register.None ? 4 : 1;
    draft.memoryDisplacement = base === Register.RIP ? CODE + 64n : BigInt(displacement);
    if (base === Register.None) draft.memoryDisplSize = 4;
    return true;
  }
  if (fixed !== undefined) {
    draft.setOpKind(k, OpKind.Register);
    draft.setOpRegister(k, fixed);
    return true;
  }
  if (immediate !== undefined) {
    const second = k > 0 && draft.opKind(k - 1) === OpKind.Immediate16;
    draft.setOpKind(k, second ? OpKind.Immediate8_2nd : immediate);
    if (second) draft.immediate8_2nd = 0;
    else if (immediate === OpKind.Immediate8) draft.immediate8 = kind === Kind.imm8_const_1 ? 1 : 3;
    else if (immediate === OpKind.Immediate64) draft.immediate64 = 0x1122_3344_5566_7788n;
    else if (immediate === OpKind.Immediate16) draft.immediate16 = 0x1122;
    else if (immediate === OpKind.Immediate32) draft.immediate32 = 0x1122_3344;
    else draft.setImmediateI64(k, immediate === OpKind.Immediate32to64 ? 0x1122_3344n : 3n);
    return true;
  }
  if (string !== undefined) {
    draft.setOpKind(k, string);
    return true;
  }
  if (/^br64_[14]$/.test(name)) {
    draft.setOpKind(k, OpKind.NearBranch64);
    draft.nearBranch64 = name === 'br64_1' ? CODE + 16n : CODE + 4096n;
    return true;
  }
  const register = REGISTERS.find(([test]) => test.test(name))?.[1];
  if (register === undefined) return false;
  draft.setOpKind(k, OpKind.Register);
  draft.setOpRegister(k, register(k));
  return true;
}
