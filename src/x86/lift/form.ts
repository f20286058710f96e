import { type Code, type Instruction, Mnemonic, OpKind, Register, RegisterExt } from 'iced-x86';
import { BlockBuilder, type Variable } from '../../ir/builder.ts';
import type { Block, Node, VarId } from '../../ir/node.ts';
import type { Type } from '../../ir/ops.ts';
import type { CodeReader } from '../decode.ts';
import { FPU_TOP, FS_BASE, GPR, GS_BASE, HIGH_HALF, LOCATIONS, VARIABLES, XMM } from '../state.ts';
import { liftInstruction } from './block.ts';
import { type Exceptions, GENERAL, Lift, type Size } from './context.ts';
import { type Treatment, treatmentOf } from './rows.ts';

/**
 * Instructions that differ only in their registers, addresses and immediates have one form: one description, in which
 * these are variables. A form's rows are those of the instruction itself, so there is one semantics: register operands
 * are replaced by registers that no instruction uses without naming them, and what the rows ask for besides makes the
 * form special for the answer.
 */
const variables: Variable[] = [...VARIABLES];

function placeholder(name: string, type: Type, location: number | undefined): VarId {
  variables.push({ name, type, location });
  return variables.length - 1;
}

/** The memory operand's address; its sources are the registers that it is made of. */
export const ADDRESS_LOCATION = LOCATIONS;
export const ADDRESS = placeholder('address', 'i64', ADDRESS_LOCATION);
/** The address after the instruction. */
export const NEXT = placeholder('next', 'i64', undefined);
/** Immediates by operand, in either type. */
const OPERANDS = 4;
const each = (type: Type) =>
  Array.from({ length: OPERANDS }, (_, k) => placeholder(`${type} immediate ${k}`, type, undefined));
export const IMMEDIATE32: readonly VarId[] = each('i32');
export const IMMEDIATE64: readonly VarId[] = each('i64');

export const FORM_VARIABLES: readonly Variable[] = variables;

/** Registers that stand for operands: the first of their files is XMM12 (YMM12) or r12. */
const STAND_INS = 4;
const FIRST_STAND_IN = 12;

/** How the address of a memory operand is made. */
export interface AddressShape {
  readonly kind: 'absolute' | 'base' | 'indexed';
  /** Segment base, if it has one. */
  readonly segment: VarId | undefined;
  /** Cut to 32 bits (address-size prefix). */
  readonly narrow: boolean;
}

export interface Form {
  readonly block: Block;
  /** It ends its block; otherwise the block's terminator means nothing. */
  readonly ends: boolean;
  /** For each variable of a register that stands for an operand: the operand, and where it is. */
  readonly standIns: ReadonlyMap<VarId, StandIn>;
  readonly address: AddressShape | undefined;
  /** Top of the x87 stack after it. */
  readonly topAfter: number;
}

export interface StandIn {
  readonly operand: number;
  /** How far behind the operand's variable and its location this one and its location are: a high half's. */
  readonly variable: number;
  readonly location: number;
}

/** What the present instruction supplies to its form: filled in by `FormReader.keyOf`. */
export interface Operands {
  /** By operand: the variable of a register. */
  readonly registers: Int32Array;
  /** Variables of the address, -1 for none. */
  base: number;
  index: number;
}

/** What lifting some instructions with one of iced's codes has shown of all. */
export interface KnownCode {
  /**
   * General registers that operands are not replaced in, a bit each: those that are used without being named, because
   * operands may alias with them, and rsp, whose rise must be seen.
   */
  implicit: number;
  /** The operand whose immediate the rows ask for, or NONE. */
  asked: number;
  /** Every instruction is a form of its own. */
  single: boolean;
}

/** What is known of all instructions with one of iced's codes: asked once, for each question to iced is a call into WebAssembly. */
export interface CodeInfo extends KnownCode {
  readonly code: Code;
  readonly treatment: Treatment;
  readonly fpu: boolean;
  readonly opCount: number;
}

const NONE = -1;
/** The rows ask the instruction for its immediates. */
const SINGLE: ReadonlySet<Mnemonic> = new Set([Mnemonic.Enter]);

const GENERAL_FAMILY = Int8Array.from(GENERAL, ({ variable }) => GPR.indexOf(variable));
const NARROW_STRINGS: ReadonlySet<OpKind> = new Set([
  OpKind.MemorySegESI,
  OpKind.MemorySegEDI,
  OpKind.MemoryESEDI,
]);

/** Reads instructions as forms: their keys, and what they supply to the forms. */
export class FormReader {
  readonly operands: Operands = { registers: new Int32Array(OPERANDS), base: NONE, index: NONE };
  private readonly infos: (CodeInfo | undefined)[] = [];
  readonly mxcsr: number;
  private readonly exceptions: Exceptions;
  private readonly isNew: (instruction: Instruction) => void;
  private readonly learned: () => ReadonlyMap<number, KnownCode>;
  private known: ReadonlyMap<number, KnownCode> | undefined;
  private readonly kinds = new Int32Array(OPERANDS);
  private readonly names = new Int32Array(OPERANDS);
  private readonly standIns = new Int32Array(STAND_INS);

  /** `isNew` hears of the first instruction of each of iced's codes; what is known of them from other readers is asked for with the first of all. */
  constructor(
    mxcsr: number,
    exceptions: Exceptions,
    isNew: (instruction: Instruction) => void = () => {},
    learned: () => ReadonlyMap<number, KnownCode> = () => new Map(),
  ) {
    this.learned = learned;
    this.mxcsr = mxcsr;
    this.exceptions = exceptions;
    this.isNew = isNew;
  }

  infoOf(instruction: Instruction): CodeInfo {
    const { code } = instruction;
    let info = this.infos[code];
    if (info === undefined) {
      this.known ??= this.learned();
      const treatment = treatmentOf(instruction);
      info = {
        code,
        treatment,
        fpu: treatment.usesFpu,
        opCount: instruction.opCount,
        implicit: 1 << GENERAL_FAMILY[Register.RSP],
        asked: NONE,
        single: SINGLE.has(instruction.mnemonic) || instruction.opCount > OPERANDS,
        ...this.known.get(code),
      };
      this.infos[code] = info;
      this.isNew(instruction);
    }
    return info;
  }

  /** What another reader need not learn again, by code. */
  codes(): (readonly [code: number, known: KnownCode])[] {
    return this.infos.flatMap((info, code) => {
      if (info === undefined) return [];
      const { implicit, asked, single } = info;
      return [[code, { implicit, asked, single }] as const];
    });
  }

  /** A number that the instruction has in common with others of its form, or -1 when it is a form of its own. */
  keyOf(instruction: Instruction, info: CodeInfo, top: number): number {
    if (info.single) return NONE;
    const { kinds, names, operands, standIns } = this;
    const { opCount } = info;
    let concrete = info.implicit;
    let shape = 0;
    let segment = 0;
    for (let k = 0; k < opCount; k++) {
      const kind = instruction.opKind(k);
      kinds[k] = kind;
      if (kind === OpKind.Register) {
        const register = instruction.opRegister(k);
        names[k] = register;
        if (register >= Register.AH && register <= Register.BH) concrete |= 1 << GENERAL_FAMILY[register];
      } else if (kind === OpKind.Memory) {
        shape = this.shapeOf(instruction);
        if (shape < 0) return NONE;
      } else if (kind >= OpKind.MemorySegSI && kind <= OpKind.MemorySegRDI) segment = segmentOf(instruction);
    }
    let classes = 0;
    let used = 0;
    for (let k = 0; k < opCount; k++) {
      let found = 0;
      if (kinds[k] === OpKind.Register) {
        const name = names[k];
        if (name <= Register.R15) {
          const family = GENERAL_FAMILY[name];
          if ((concrete >> family) & 1)
            found = name >= Register.AH && name <= Register.BH ? 21 + family : 5 + family;
          else {
            operands.registers[k] = family;
            let j = 0;
            while (j < used && standIns[j] !== family) j++;
            standIns[j] = family;
            if (j === used) used++;
            found = 1 + j;
          }
        } else if (isVectorRegister(name)) {
          const variable = XMM[name - (name >= Register.YMM0 ? Register.YMM0 : Register.XMM0)];
          operands.registers[k] = variable;
          let j = 0;
          while (j < used && standIns[j] !== variable) j++;
          standIns[j] = variable;
          if (j === used) used++;
          found = 34 + j;
        } else if (name >= Register.ST0 && name <= Register.ST7) found = 26 + name - Register.ST0;
        else return NONE;
      } else if (NARROW_STRINGS.has(kinds[k])) found = 40;
      classes = classes * 41 + found;
    }
    let asked = 0;
    if (info.asked !== NONE) {
      const value = Number(BigInt.asIntN(64, instruction.immediate(info.asked)));
      if (value < -128 || value > 255) return NONE;
      asked = value + 129;
    }
    // Below 2^53: the code has 13 bits, four classes 22, the rest 9 + 5 + 3.
    return (
      (((info.code * 41 ** 4 + classes) * 512 + asked) * 64 + shape * 3 + segment) * 8 + (info.fpu ? top : 0)
    );
  }

  /** Below 0: not as a form. */
  private shapeOf(instruction: Instruction): number {
    const { operands } = this;
    const base = instruction.memoryBase;
    const index = instruction.memoryIndex;
    const segment = segmentOf(instruction);
    if (
      base === Register.RIP ||
      base === Register.EIP ||
      (base === Register.None && index === Register.None)
    ) {
      operands.base = NONE;
      operands.index = NONE;
      return 1 + 3 * segment;
    }
    const narrow = RegisterExt.size(base === Register.None ? index : base) === 4 ? 9 : 0;
    // `pop` computes its address with the stack pointer already raised.
    if ((base === Register.RSP || base === Register.ESP) && instruction.mnemonic === Mnemonic.Pop)
      return NONE;
    operands.base = base === Register.None ? NONE : GENERAL_FAMILY[base];
    if (index === Register.None) {
      operands.index = NONE;
      return 2 + 3 * segment + narrow;
    }
    if (index > Register.R15) return NONE;
    operands.index = GENERAL_FAMILY[index];
    return 3 + 3 * segment + narrow;
  }

  /** Lifts the instruction's form. `keyOf` must be asked again afterwards: what the rows use is known only then. */
  lift(code: CodeReader, instruction: Instruction, info: CodeInfo, top: number): Form {
    return this.keyOf(instruction, info, top) === NONE
      ? this.liftSingle(code, instruction, top)
      : (this.liftShared(code, instruction, info, top) ?? this.lift(code, instruction, info, top));
  }

  private liftSingle(code: CodeReader, instruction: Instruction, top: number): Form {
    const b = new BlockBuilder(FORM_VARIABLES, Number(instruction.ip));
    return this.finish(
      code,
      b,
      new Lift(b, top, this.mxcsr, this.exceptions),
      instruction,
      top,
      new Map(),
      undefined,
    );
  }

  /** Undefined when lifting showed that the key is another one. */
  private liftShared(
    code: CodeReader,
    instruction: Instruction,
    info: CodeInfo,
    top: number,
  ): Form | undefined {
    const { kinds, names, operands } = this;
    const highBytes = this.highBytes(info);
    const concrete = info.implicit | highBytes;
    const changed = instruction.clone();
    const standIns = new Map<VarId, StandIn>();
    const known = new Map<number, number>();
    for (let k = 0; k < info.opCount; k++) {
      if (kinds[k] !== OpKind.Register) continue;
      const name = names[k];
      const isGeneral = name <= Register.R15;
      if (isGeneral ? ((concrete >> GENERAL_FAMILY[name]) & 1) !== 0 : !isVectorRegister(name)) continue;
      const variable = operands.registers[k];
      const j = known.get(variable) ?? known.size;
      known.set(variable, j);
      changed.setOpRegister(k, standIn(name, j));
      const first = (isGeneral ? GPR : XMM)[FIRST_STAND_IN + j];
      standIns.set(first, { operand: k, variable: 0, location: 0 });
      if (!isGeneral) standIns.set(first + HIGH_HALF.variable, { operand: k, ...HIGH_HALF });
    }
    const shape = kinds.subarray(0, info.opCount).includes(OpKind.Memory)
      ? this.addressShape(instruction)
      : undefined;
    const b = new BlockBuilder(FORM_VARIABLES, Number(instruction.ip));
    const lift = new FormLift(b, top, this.mxcsr, this.exceptions);
    const form = this.finish(code, b, lift, changed, top, standIns, shape);
    changed.free();
    const implicit = implicitRegisters(form, highBytes);
    if (
      implicit === undefined ||
      lift.isSingle ||
      (lift.asked !== NONE && info.asked !== NONE && lift.asked !== info.asked)
    ) {
      info.single = true;
      return undefined;
    }
    const isNews = (implicit & ~info.implicit) !== 0 || (lift.asked !== NONE && lift.asked !== info.asked);
    info.implicit |= implicit;
    if (lift.asked !== NONE) info.asked = lift.asked;
    return isNews ? undefined : form;
  }

  private highBytes(info: CodeInfo): number {
    let mask = 0;
    for (let k = 0; k < info.opCount; k++) {
      const name = this.names[k];
      if (this.kinds[k] === OpKind.Register && name >= Register.AH && name <= Register.BH)
        mask |= 1 << GENERAL_FAMILY[name];
    }
    return mask;
  }

  private addressShape(instruction: Instruction): AddressShape {
    const shape = this.shapeOf(instruction) - 1;
    return {
      kind: (['absolute', 'base', 'indexed'] as const)[shape % 3],
      segment: [undefined, FS_BASE, GS_BASE][Math.floor(shape / 3) % 3],
      narrow: shape >= 9,
    };
  }

  private finish(
    code: CodeReader,
    b: BlockBuilder,
    lift: Lift,
    instruction: Instruction,
    top: number,
    standIns: ReadonlyMap<VarId, StandIn>,
    address: AddressShape | undefined,
  ): Form {
    lift.begin(instruction, b.nextAddress);
    const terminator = liftInstruction(code, lift, treatmentOf(instruction));
    if (lift.top !== top) b.poke(FPU_TOP, b.i32(lift.top));
    const block = b.finish(terminator ?? { kind: 'jump', target: b.nextAddress });
    return { block, ends: terminator !== undefined, standIns, address, topAfter: lift.top };
  }
}

/** Lifts with variables in place of addresses and immediates. */
class FormLift extends Lift {
  /** The operand whose immediate was asked for, or NONE. */
  asked = NONE;
  /** More was asked for than a form can leave open. */
  isSingle = false;

  override immediate(operand: number): bigint {
    if (this.asked !== NONE && this.asked !== operand) this.isSingle = true;
    this.asked = operand;
    return super.immediate(operand);
  }

  override literal(operand: number, size: Size): Node {
    return this.b.get(size === 8 ? IMMEDIATE64[operand] : IMMEDIATE32[operand]);
  }

  override address(): Node {
    return this.b.get(ADDRESS);
  }

  override offset(): Node {
    if (segmentOf(this.instruction) !== 0) this.isSingle = true;
    return this.b.get(ADDRESS);
  }

  override next(): Node {
    return this.b.get(NEXT);
  }
}

/** Of a number that `FormReader.keyOf` gave. */
export const codeOfKey = (key: number): Code => Math.floor(key / (41 ** 4 * 512 * 64 * 8));

function segmentOf(instruction: Instruction): 0 | 1 | 2 {
  const segment = instruction.memorySegment;
  return segment === Register.FS ? 1 : segment === Register.GS ? 2 : 0;
}

const isVectorRegister = (name: Register): boolean =>
  (name >= Register.XMM0 && name <= Register.XMM15) || (name >= Register.YMM0 && name <= Register.YMM15);

/** The j-th register that stands for a register of the same size. */
function standIn(register: Register, j: number): Register {
  if (register >= Register.YMM0) return Register.YMM12 + j;
  if (register >= Register.XMM0) return Register.XMM12 + j;
  if (register >= Register.RAX) return Register.R12 + j;
  if (register >= Register.EAX) return Register.R12D + j;
  return (register >= Register.AX ? Register.R12W : Register.R12L) + j;
}

/**
 * The general registers that the form uses without their being operands, apart from some; undefined when it uses registers
 * that operands may be replaced by.
 */
function implicitRegisters({ block, standIns }: Form, apart: number): number | undefined {
  let mask = 0;
  const touched: number[] = [...block.uses, ...block.assignments.keys()];
  // Variables of registers and their locations have the same numbers, but for the high halves, which nobody uses alone
  // who has operands.
  for (const { sources, destinations } of block.instructions) touched.push(...sources, ...destinations);
  for (const register of touched) {
    if (register > XMM[15] || standIns.has(register)) continue;
    if (register > GPR[7]) return undefined;
    mask |= 1 << register;
  }
  return mask & ~apart;
}
