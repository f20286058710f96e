import { Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register, RegisterExt } from 'iced-x86';

/** Where an indirect jump takes its targets from, as compilers write switches. */
export interface JumpTable {
  readonly address: number;
  /** 4: signed distances from `base`. 8: addresses. */
  readonly entrySize: 4 | 8;
  readonly base: number;
  /** How many entries a comparison in front allows; undefined where none was seen. */
  readonly count: number | undefined;
}

/**
 * The table of the indirect jump at the end of `bytes`, from the instructions in front of it:
 *
 *     cmp eax,N; ja default; lea rdx,[rip+table]; movsxd rax,[rdx+4*rax]; add rax,rdx; jmp rax
 *     cmp eax,N; ja default; jmp [8*rax+table]                    (or mov rax,[8*rax+table]; jmp rax)
 *
 * `earlier` tells what a register holds that a loop keeps the table's address in: the last address that was put there.
 */
export function jumpTableBefore(
  bytes: Uint8Array,
  start: number,
  earlier: (register: number) => number | undefined,
): JumpTable | undefined {
  const seen = read(bytes, start);
  const jump = seen.pop();
  if (jump === undefined) return undefined;
  const found = tableOf(jump, seen, earlier);
  return found === undefined ? undefined : { ...found, count: countFrom(seen) };
}

/** What the recogniser needs of an instruction. Registers are numbers of whole ones. */
interface Step {
  readonly mnemonic: Mnemonic;
  readonly to: number | undefined;
  readonly from: number | undefined;
  readonly memory:
    | { readonly base: number; readonly index: number; readonly scale: number; readonly plus: number }
    | undefined;
  readonly immediate: number | undefined;
}

function read(bytes: Uint8Array, start: number): Step[] {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = BigInt(start);
  const instruction = new Instruction();
  const steps: Step[] = [];
  while (decoder.canDecode) {
    decoder.decodeOut(instruction);
    if (!instruction.isInvalid) steps.push(stepOf(instruction));
  }
  instruction.free();
  decoder.free();
  return steps;
}

function stepOf(instruction: Instruction): Step {
  const register = (k: number): number | undefined =>
    instruction.opCount > k && instruction.opKind(k) === OpKind.Register
      ? RegisterExt.fullRegister(instruction.opRegister(k))
      : undefined;
  const last = instruction.opCount - 1;
  const isNumber =
    last > 0 &&
    instruction.opKind(last) >= OpKind.Immediate8 &&
    instruction.opKind(last) <= OpKind.Immediate32to64;
  const inMemory = [0, 1].some((k) => instruction.opCount > k && instruction.opKind(k) === OpKind.Memory);
  return {
    mnemonic: instruction.mnemonic,
    to: register(0),
    from: register(1),
    memory: inMemory
      ? {
          base: instruction.memoryBase,
          index: instruction.memoryIndex,
          scale: instruction.memoryIndexScale,
          plus: Number(BigInt.asIntN(64, instruction.memoryDisplacement)),
        }
      : undefined,
    immediate: isNumber ? Number(instruction.immediate(last)) : undefined,
  };
}

function tableOf(
  jump: Step,
  before: readonly Step[],
  earlier: (register: number) => number | undefined,
): Omit<JumpTable, 'count'> | undefined {
  if (jump.memory !== undefined) return addresses(jump, before.length, before, earlier);
  if (jump.to === undefined) return undefined;
  const at = lastWriteOf(jump.to, before, before.length);
  const write = before[at];
  if (write === undefined) return undefined;
  if (write.mnemonic === Mnemonic.Mov && write.memory !== undefined)
    return addresses(write, at, before, earlier);
  if (write.mnemonic !== Mnemonic.Add || write.from === undefined) return undefined;
  // One of the two is the distance from the table, the other one its address.
  for (const [distance, base] of [
    [jump.to, write.from],
    [write.from, jump.to],
  ]) {
    const loadAt = lastWriteOf(distance, before, at);
    const load = before[loadAt];
    if (load?.mnemonic !== Mnemonic.Movsxd || load.memory === undefined) continue;
    const from = holds(base, loadAt, before, earlier) ?? holds(base, at, before, earlier);
    if (from === undefined) continue;
    const { memory } = load;
    if (memory.scale !== 4 || memory.base === Register.None) continue;
    const table = memory.base === base ? from : holds(memory.base, loadAt, before, earlier);
    if (table !== undefined) return { address: table + memory.plus, entrySize: 4, base: from };
  }
  return undefined;
}

function addresses(
  { memory }: Step,
  at: number,
  before: readonly Step[],
  earlier: (register: number) => number | undefined,
): Omit<JumpTable, 'count'> | undefined {
  if (memory === undefined || memory.scale !== 8 || memory.index === Register.None) return undefined;
  const base = memory.base === Register.None ? 0 : holds(memory.base, at, before, earlier);
  if (base === undefined || base + memory.plus <= 0) return undefined;
  return { address: base + memory.plus, entrySize: 8, base: 0 };
}

function lastWriteOf(register: number, before: readonly Step[], end: number): number {
  for (let i = end - 1; i >= 0; i--)
    if (before[i].to === register && !COMPARING.has(before[i].mnemonic)) return i;
  return -1;
}

const COMPARING: ReadonlySet<Mnemonic> = new Set([Mnemonic.Cmp, Mnemonic.Test, Mnemonic.Bt]);

/** The known address that a register holds before step `end`. */
function holds(
  register: number,
  end: number,
  before: readonly Step[],
  earlier: (register: number) => number | undefined,
): number | undefined {
  const at = lastWriteOf(register, before, end);
  if (at < 0) return earlier(register);
  return addressPut(before[at]);
}

function addressPut({ mnemonic, memory, immediate }: Step): number | undefined {
  if (mnemonic === Mnemonic.Lea && memory !== undefined && memory.base === Register.RIP) return memory.plus;
  return mnemonic === Mnemonic.Mov ? immediate : undefined;
}

/** The last comparison with a number that a jump for larger ones follows. */
function countFrom(before: readonly Step[]): number | undefined {
  for (let i = before.length - 2; i >= 0; i--) {
    const { mnemonic, immediate } = before[i];
    if (mnemonic !== Mnemonic.Cmp || immediate === undefined || immediate < 0) continue;
    const follows = before.slice(i + 1, i + 3).find((step) => BRANCHES.has(step.mnemonic));
    if (follows === undefined) continue;
    return follows.mnemonic === Mnemonic.Ja || follows.mnemonic === Mnemonic.Jbe ? immediate + 1 : immediate;
  }
  return undefined;
}

const BRANCHES: ReadonlySet<Mnemonic> = new Set([Mnemonic.Ja, Mnemonic.Jbe, Mnemonic.Jae, Mnemonic.Jb]);

/** For each register the address that was put there last in a stretch of code. */
export function addressesPut(bytes: Uint8Array, start: number): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  for (const step of read(bytes, start)) {
    const address = step.to === undefined ? undefined : addressPut(step);
    if (address !== undefined && step.mnemonic === Mnemonic.Lea) result.set(step.to!, address);
  }
  return result;
}
