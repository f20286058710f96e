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
  RflagsBits,
} from 'iced-x86';
import {
  ARGUMENTS,
  copyOf,
  forgetRegister,
  frameOffset,
  holdsLowByte,
  holdsPointer,
  isGiven,
  isHeld,
  join,
  type Kind,
  type Known,
  lose,
  numberOf,
  Observed,
  RAX,
  reads,
  refuse,
  slotsIn,
  type Used,
  type UsedBytes,
} from './status-known.ts';

/**
 * Whether a program looks at MXCSR's sticky exception bits (0 to 5) that an instruction stores.
 *
 * Keeping them makes floating-point code several times slower, so a run does without until the program may look. But storing
 * MXCSR does not mean looking: C libraries do so in sin, cos, exp and many more to see and set the rounding mode, and the
 * dynamic linker's resolver saves it. So the code behind the instruction is followed, along every way to the function's end,
 * with the registers and stack slots whose low bits hang on the sticky bits. They are taken to be observed unless on every
 * way nothing becomes of these but
 *
 * - copies to registers and to the function's own stack frame, which end with the function;
 * - values of which `and` or a shift leaves none of the bits, and comparisons of two values with the same low bits;
 * - what ldmxcsr and fxrstor load again: bits that nobody looks at may be anything.
 *
 * What a register still holds of a value that ldmxcsr has loaded is no argument and no result. A called function is followed
 * too where its registers hold the bits or a slot's address. Like a compiler, this takes it that a stack slot is reached through rsp as long as
 * its address is not taken, and not at all after its function has returned. Anything else, and what is too long to follow,
 * counts as a look.
 */
export function observesStatus(fetch: (address: number) => Uint8Array, address: number): boolean {
  return new StatusUse(fetch).isObserved(address);
}

/** Stores all of MXCSR: of these the offset of MXCSR in what is stored. */
const STORES: ReadonlyMap<Mnemonic, number> = new Map([
  [Mnemonic.Stmxcsr, 0],
  [Mnemonic.Vstmxcsr, 0],
  [Mnemonic.Fxsave, 24],
  [Mnemonic.Fxsave64, 24],
  [Mnemonic.Xsave, 24],
  [Mnemonic.Xsave64, 24],
  [Mnemonic.Xsavec, 24],
  [Mnemonic.Xsavec64, 24],
  [Mnemonic.Xsaveopt, 24],
  [Mnemonic.Xsaveopt64, 24],
]);

export const storesStatus = (mnemonic: Mnemonic): boolean => STORES.has(mnemonic);

const LOADS: ReadonlySet<Mnemonic> = new Set([
  Mnemonic.Ldmxcsr,
  Mnemonic.Vldmxcsr,
  Mnemonic.Fxrstor,
  Mnemonic.Fxrstor64,
  Mnemonic.Xrstor,
  Mnemonic.Xrstor64,
]);

const STICKY = 0x3fn;
/** How many instructions are followed at most, those met again included. */
const MOST = 5000;

const KEPT_BY_CALLS = [3, 5, 12, 13, 14, 15];
/** What a function gives back to its caller, or keeps for it. */
const LEFT_BY_RETURNS = [RAX, ...KEPT_BY_CALLS];
const CONDITIONS = RflagsBits.CF | RflagsBits.ZF | RflagsBits.SF | RflagsBits.OF | RflagsBits.PF;
/** fenv_t's and fxsave's place of MXCSR: whoever has the address of these has its too. */
const WITHIN = [0, 24, 28];

/** Calls within calls that are followed. */
const DEEPEST = 3;

class StatusUse {
  private readonly fetch: (address: number) => Uint8Array;
  private readonly instruction = new Instruction();
  private readonly info = new InstructionInfoFactory();
  /** By address and by the calls that led there. */
  private readonly known = new Map<string, Known>();
  private readonly waiting: Place[] = [];
  private origin = 0;
  /** Where the calls that are followed return to. */
  private calls: readonly number[] = [];

  constructor(fetch: (address: number) => Uint8Array) {
    this.fetch = fetch;
  }

  isObserved(address: number): boolean {
    this.origin = address;
    try {
      const start: Known = {
        registers: new Map(),
        slots: new Map(),
        pointers: new Map(),
        stored: new Map(),
        flags: false,
        isGuard: false,
        rsp: 0,
      };
      this.decode(address);
      this.store(start);
      this.reach(address + this.instruction.length, start);
      for (let steps = 0; this.waiting.length > 0; steps++) {
        if (steps > MOST) return true;
        this.follow(this.waiting.pop() as Place);
      }
      return false;
    } catch (problem) {
      if (problem instanceof Observed) return true;
      throw problem;
    } finally {
      this.instruction.free();
      this.info.free();
    }
  }

  private decode(address: number): void {
    const decoder = new Decoder(64, this.fetch(address).slice(0, 15), DecoderOptions.None);
    decoder.ip = BigInt(address);
    decoder.decodeOut(this.instruction);
    decoder.free();
  }

  /** Control comes to an address with this known, besides what is known already. */
  private reach(address: number, now: Known): void {
    if (now.registers.size + now.slots.size === 0 && !now.flags) return;
    const place = { address, calls: this.calls };
    const before = this.known.get(keyOf(place));
    if (before === undefined) {
      this.known.set(keyOf(place), copyOf(now));
      this.waiting.push(place);
      return;
    }
    refuse(before.rsp !== now.rsp);
    if (join(before, now)) this.waiting.push(place);
  }

  private follow(place: Place): void {
    const { address } = place;
    this.calls = place.calls;
    this.decode(address);
    const { instruction: i } = this;
    // A wild way; whatever is there faults.
    if (i.isInvalid) return;
    const now = copyOf(this.known.get(keyOf(place)) as Known);
    const next = address + i.length;
    switch (i.flowControl) {
      case FlowControl.Return:
        return this.return(now);
      case FlowControl.Call:
        if (isGiven(now) && i.mnemonic === Mnemonic.Call)
          return this.enter(now, Number(i.nearBranchTarget), next);
        this.call(now);
        return this.reach(next, now);
      case FlowControl.IndirectCall:
        refuse(isGiven(now));
        this.call(now);
        return this.reach(next, now);
      case FlowControl.UnconditionalBranch:
        return this.reach(Number(i.nearBranchTarget), now);
      case FlowControl.ConditionalBranch:
        refuse(now.flags || this.readsKnown(now));
        // Where the stack's guard is not what it was, the program ends.
        if (!now.isGuard || i.mnemonic !== Mnemonic.Jne) this.reach(Number(i.nearBranchTarget), now);
        if (!now.isGuard || i.mnemonic !== Mnemonic.Je) this.reach(next, now);
        return;
      case FlowControl.IndirectBranch: {
        // Another function's turn; or a table's jump within this one, whose ways are not known.
        const lives = [...now.slots.keys()].some((slot) => slot >= now.rsp);
        return refuse(lives || isHeld(now, [...now.registers.keys()]) || this.readsKnown(now));
      }
      case FlowControl.Next:
        this.perform(now);
        return this.reach(next, now);
      case FlowControl.Exception:
      case FlowControl.Interrupt:
        return;
      default:
        throw new Observed();
    }
  }

  /** The called function may be given the bits or a slot's address: it is part of the way. */
  private enter(now: Known, target: number, next: number): void {
    refuse(this.calls.length === DEEPEST);
    this.calls = [...this.calls, next];
    now.rsp -= 8;
    this.reach(target, now);
  }

  private return(now: Known): void {
    const next = this.calls.at(-1);
    if (next === undefined) return refuse(isHeld(now, LEFT_BY_RETURNS));
    this.calls = this.calls.slice(0, -1);
    now.rsp += 8;
    lose(now, (register) => !LEFT_BY_RETURNS.includes(register));
    now.flags = false;
    this.reach(next, now);
  }

  /** Also of the kernel. */
  private call(now: Known): void {
    refuse(isHeld(now, ARGUMENTS) || this.readsKnown(now));
    // Where an argument on the stack would be.
    refuse(now.slots.get(now.rsp) === 'depends');
    lose(now, (register) => !KEPT_BY_CALLS.includes(register));
    now.flags = false;
  }

  /** MXCSR is stored: here, where the analysis began, or at another place, which has an analysis of its own. */
  private store(now: Known): void {
    const { instruction: i } = this;
    const offset = STORES.get(i.mnemonic) as number;
    const at = this.slotOf(now);
    const isOrigin = Number(i.ip) === this.origin;
    if (at === undefined) return refuse(isOrigin);
    now.stored.delete(at + offset);
    if (!isOrigin) {
      now.slots.delete(at + offset);
      return;
    }
    // Come here again, what is known is of bits that were stored before.
    for (const [register] of now.registers) now.registers.set(register, 'depends');
    for (const [slot] of now.slots) now.slots.set(slot, 'depends');
    now.slots.set(at + offset, 'same');
  }

  /** Offset from the first rsp of a memory operand in the stack frame. */
  private slotOf(now: Known): number | undefined {
    const { memoryBase, memoryIndex, memoryDisplacement } = this.instruction;
    return frameOffset(now, { base: memoryBase, index: memoryIndex, displacement: memoryDisplacement });
  }

  private perform(now: Known): void {
    const { instruction: i } = this;
    now.isGuard = i.memorySegment === Register.FS && i.memoryDisplacement === 0x28n && i.rflagsModified !== 0;
    if (STORES.has(i.mnemonic)) return this.store(now);
    if (LOADS.has(i.mnemonic)) return this.load(now);
    if (i.mnemonic === Mnemonic.Syscall) return this.call(now);
    if (this.movesStack(now)) return;
    refuse(now.flags && (i.rflagsRead & CONDITIONS) !== 0);
    if (i.mnemonic === Mnemonic.Lea) {
      const slot = this.addressedSlot(now);
      this.overwrite(now);
      if (slot !== undefined) now.pointers.set(numberOf(i.op0Register), slot);
      return;
    }
    if (this.usesPointer(now)) return this.copyPointer(now);
    if (this.readsKnown(now) && !this.idiom(now)) return this.compute(now);
    this.overwrite(now);
    if ((i.rflagsModified & CONDITIONS) === CONDITIONS) now.flags = false;
  }

  private load(now: Known): void {
    const register = now.stored.get(this.slotOf(now) ?? NaN);
    if (register !== undefined && now.registers.has(register)) now.registers.set(register, 'loaded');
  }

  /** Instructions that write rsp. */
  private movesStack(now: Known): boolean {
    const { instruction: i } = this;
    const by = i.stackPointerIncrement;
    if (i.isStackInstruction && i.mnemonic !== Mnemonic.Leave && i.mnemonic !== Mnemonic.Enter) {
      refuse(this.readsKnown(now));
      for (const slot of now.slots.keys())
        if (by > 0 && slot >= now.rsp && slot < now.rsp + by) throw new Observed();
      this.overwrite(now);
      now.rsp += by;
      for (const slot of now.slots.keys())
        if (by < 0 && slot >= now.rsp && slot < now.rsp - by) now.slots.delete(slot);
      return true;
    }
    const writes =
      i.mnemonic === Mnemonic.Leave || (i.op0Kind === OpKind.Register && i.op0Register === Register.RSP);
    if (!writes || i.mnemonic === Mnemonic.Cmp || i.mnemonic === Mnemonic.Test) return false;
    const immediate =
      i.opCount === 2 && i.op1Kind >= OpKind.Immediate8 && i.op1Kind <= OpKind.Immediate32to64;
    const isAdd = i.mnemonic === Mnemonic.Add;
    if (immediate && (isAdd || i.mnemonic === Mnemonic.Sub)) {
      const amount = Number(BigInt.asIntN(64, i.immediate(1)));
      now.rsp += isAdd ? amount : -amount;
      now.flags = false;
    } else if (
      i.mnemonic === Mnemonic.Lea &&
      i.memoryBase === Register.RSP &&
      i.memoryIndex === Register.None
    )
      now.rsp += Number(BigInt.asIntN(64, i.memoryDisplacement));
    else if (i.mnemonic === Mnemonic.Leave || i.mnemonic === Mnemonic.Mov || i.mnemonic === Mnemonic.Lea) {
      // Back to another frame, or to another stack: this one is left.
      now.slots.clear();
      now.rsp = 0;
    } else throw new Observed();
    return true;
  }

  /** What lea gives the address of, where that is a slot that depends on the bits, or begins something that may hold one. */
  private addressedSlot(now: Known): number | undefined {
    const at = this.slotOf(now);
    if (at === undefined) return undefined;
    const found = [...now.slots.keys()].some(
      (slot) => WITHIN.includes(slot - at) || (slot > at - 4 && slot <= at),
    );
    return found ? at : undefined;
  }

  /** Whether a slot's address is read otherwise than to access what is there. */
  private usesPointer(now: Known): boolean {
    const { instruction: i } = this;
    for (let operand = 0; operand < i.opCount; operand++)
      if (i.opKind(operand) === OpKind.Register && holdsPointer(now, i.opRegister(operand))) {
        const isWritten = operand === 0 && !this.readsRegister(i.opRegister(0));
        if (!isWritten) return true;
      }
    return holdsPointer(now, i.memoryIndex);
  }

  private readsRegister(register: Register): boolean {
    return this.uses((registers) =>
      registers.some((used) => numberOf(used.register) === numberOf(register) && reads(used.access)),
    );
  }

  private copyPointer(now: Known): void {
    const { instruction: i } = this;
    refuse(
      i.mnemonic !== Mnemonic.Mov || i.op0Kind !== OpKind.Register || RegisterExt.size(i.op0Register) !== 8,
    );
    const slot = now.pointers.get(numberOf(i.op1Register)) as number;
    this.overwrite(now);
    now.pointers.set(numberOf(i.op0Register), slot);
  }

  /** xor x, x and the like read nothing. */
  private idiom(now: Known): boolean {
    const { instruction: i } = this;
    const clears = i.mnemonic === Mnemonic.Xor || i.mnemonic === Mnemonic.Sub || i.mnemonic === Mnemonic.Cmp;
    return clears && this.kindOf(now, 0) === 'same' && this.kindOf(now, 1) === 'same';
  }

  /** What an operand's low bits are; undefined where they do not depend on the sticky bits. */
  private kindOf(now: Known, operand: number): Kind | undefined {
    const { instruction: i } = this;
    if (operand >= i.opCount) return undefined;
    const kind = i.opKind(operand);
    if (kind === OpKind.Register) {
      const register = i.opRegister(operand);
      return holdsLowByte(register) ? now.registers.get(numberOf(register)) : undefined;
    }
    if (kind !== OpKind.Memory) return undefined;
    const at = this.slotOf(now);
    if (at === undefined) return undefined;
    const size = MemorySizeExt.size(i.memorySize);
    for (const [slot, known] of now.slots)
      if (slot >= at && slot < at + size) return slot === at ? known : 'depends';
    return undefined;
  }

  /** An instruction reads what depends on the bits: what its result and its flags are. */
  private compute(now: Known): void {
    const { instruction: i } = this;
    const [x, y] = [this.kindOf(now, 0), this.kindOf(now, 1)];
    const either = x === undefined && y === undefined ? undefined : 'depends';
    const mask = i.opCount > 1 && i.op1Kind >= OpKind.Immediate8 && i.op1Kind <= OpKind.Immediate32to64;
    const bits = mask ? i.immediate(1) & STICKY : undefined;
    switch (i.mnemonic) {
      case Mnemonic.Mov:
        return this.result(now, y);
      case Mnemonic.Movzx:
      case Mnemonic.Movsxd:
        return this.result(now, y === undefined ? undefined : 'depends');
      case Mnemonic.And:
        now.flags = bits !== 0n;
        return this.result(now, bits === 0n ? undefined : bits === STICKY ? x : either);
      case Mnemonic.Or:
      case Mnemonic.Xor:
        now.flags = true;
        return this.result(now, bits === 0n ? x : either);
      case Mnemonic.Not:
        return this.result(now, either);
      case Mnemonic.Shr:
        now.flags = true;
        return this.result(now, mask && (i.immediate(1) & 0x1fn) > 6n ? undefined : either);
      case Mnemonic.Shl:
      case Mnemonic.Add:
      case Mnemonic.Sub:
        now.flags = true;
        return this.result(now, either);
      case Mnemonic.Test:
        now.flags = bits !== 0n;
        return;
      case Mnemonic.Cmp:
        now.flags = true;
        return;
      default:
        throw new Observed();
    }
  }

  private result(now: Known, kind: Kind | undefined): void {
    const { instruction: i } = this;
    if (i.op0Kind === OpKind.Memory) {
      const at = this.slotOf(now);
      if (kind === undefined) return this.overwrite(now);
      if (at === undefined) throw new Observed();
      this.overwrite(now);
      now.slots.set(at, kind);
      if (i.mnemonic === Mnemonic.Mov && i.op1Kind === OpKind.Register)
        now.stored.set(at, numberOf(i.op1Register));
      return;
    }
    const register = i.op0Register;
    forgetRegister(now, numberOf(register));
    refuse(!RegisterExt.isGPR(register) || (kind !== undefined && !holdsLowByte(register)));
    if (!holdsLowByte(register)) return;
    if (kind === undefined) now.registers.delete(numberOf(register));
    else now.registers.set(numberOf(register), kind === 'loaded' ? 'depends' : kind);
  }

  private uses<T>(ask: (registers: readonly Used[], memory: readonly UsedBytes[]) => T): T {
    const info = this.info.info(this.instruction);
    const registers = info.usedRegisters() as (Used & { free(): void })[];
    const memory = info.usedMemory() as (UsedBytes & { free(): void })[];
    try {
      return ask(registers, memory);
    } finally {
      for (const used of [...registers, ...memory]) used.free();
      info.free();
    }
  }

  /** Whether the instruction reads a register or a stack slot that depends on the bits. */
  private readsKnown(now: Known): boolean {
    if (now.registers.size + now.slots.size === 0) return false;
    return this.uses(
      (registers, memory) =>
        registers.some(
          ({ register, access }) =>
            reads(access) &&
            RegisterExt.isGPR(register) &&
            holdsLowByte(register) &&
            now.registers.has(numberOf(register)),
        ) || memory.some((used) => reads(used.access) && slotsIn(now, used).length > 0),
    );
  }

  /** What the instruction writes no longer depends on the bits. */
  private overwrite(now: Known): void {
    if (now.registers.size + now.slots.size === 0) return;
    this.uses((registers, memory) => {
      for (const { register, access } of registers)
        if (RegisterExt.isGPR(register) && access !== OpAccess.Read && access !== OpAccess.CondRead) {
          forgetRegister(now, numberOf(register));
          const always = access === OpAccess.Write || access === OpAccess.ReadWrite;
          if (always && holdsLowByte(register)) now.registers.delete(numberOf(register));
        }
      for (const used of memory)
        if (used.access === OpAccess.Write || used.access === OpAccess.ReadWrite)
          for (const slot of slotsIn(now, used)) {
            now.slots.delete(slot);
            now.stored.delete(slot);
          }
    });
  }
}

interface Place {
  readonly address: number;
  readonly calls: readonly number[];
}

const keyOf = ({ address, calls }: Place): string => `${address} ${calls.join()}`;
