import { Bytes } from './bytes.ts';
import { MISC, OPCODES, SIMD } from './opcodes.ts';

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

export const TYPE_CODES: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

/** Result of a block, loop or if: nothing, or one value. */
export type BlockType = ValueType | undefined;

export interface Signature {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** Which way a branch mostly goes: V8 lays the other one out of line and spills registers only there. */
export type Hint = 'likely' | 'unlikely';

/** A function that is written. */
export interface FunctionBody {
  readonly signature: Signature;
  /** Where in its code entry, behind the size, which branches go mostly one way. */
  branchHints(): readonly { readonly at: number; readonly hint: Hint }[];
  /** Writes the size-prefixed code entry: locals, instructions, end. */
  finish(out: Bytes): void;
}

const FRAME_OVERHEAD = 512;

/** Writes the body of one function. Locals are numbered after the parameters. */
export class FunctionBuilder implements FunctionBody {
  readonly signature: Signature;
  private code = new Bytes();
  private readonly prologue = new Bytes();
  private readonly locals: ValueType[];
  private readonly hints: { inPrologue: boolean; at: number; hint: Hint }[] = [];
  /**
   * Bytes that a call of this function takes of the host's stack, at most: V8's baseline compiler gives every local a
   * slot, and the values on the operand stack and the frame's header come on top.
   */
  frameSize = FRAME_OVERHEAD;
  /** Open blocks around the current position: a branch to `depth - label` reaches the block opened at `label`. */
  depth = 0;

  constructor(signature: Signature) {
    this.signature = signature;
    this.locals = [];
    for (const type of signature.params) this.local(type);
  }

  local(type: ValueType): number {
    this.locals.push(type);
    this.frameSize += type === 'v128' ? 16 : 8;
    return this.locals.length - 1;
  }

  /** Emits code that runs before everything else: for values that the body turns out to need. */
  inPrologue(emit: () => void): void {
    const code = this.code;
    this.code = this.prologue;
    emit();
    this.code = code;
  }

  get size(): number {
    return this.code.length;
  }

  /** An instruction without immediates. */
  op(name: string): void {
    const code = OPCODES.get(name);
    if (code === undefined) throw new Error(`no WebAssembly instruction ${name}`);
    if (code < 0x100) this.code.u8(code);
    else if (code >= SIMD) {
      this.code.u8(0xfd);
      this.code.unsigned(code - SIMD);
    } else {
      this.code.u8(0xfc);
      this.code.unsigned(code - MISC);
    }
  }

  get(local: number): void {
    this.code.u8(0x20);
    this.code.unsigned(local);
  }

  set(local: number): void {
    this.code.u8(0x21);
    this.code.unsigned(local);
  }

  tee(local: number): void {
    this.code.u8(0x22);
    this.code.unsigned(local);
  }

  i32(value: number): void {
    this.code.u8(0x41);
    this.code.signed32(value);
  }

  /** An i32 constant that is known only when the function is finished; see `patch`. */
  i32Later(): number {
    this.code.u8(0x41);
    return this.code.reserveSigned32();
  }

  patch(position: number, value: number): void {
    this.code.patchSigned32(position, value);
  }

  i64(value: bigint): void {
    this.code.u8(0x42);
    this.code.signed64(value);
  }

  v128(low: bigint, high: bigint): void {
    this.op('v128.const');
    this.code.u64(low);
    this.code.u64(high);
  }

  /** A load or store; alignment hints change nothing on the hosts we know and are left at 0. */
  memory(name: string, offset: number): void {
    this.op(name);
    this.code.u8(0);
    this.code.unsigned(offset);
  }

  /** (to, from, length), which may overlap. */
  memoryCopy(): void {
    for (const byte of [0xfc, 10, 0, 0]) this.code.u8(byte);
  }

  /** v128.store32_lane and its like. */
  memoryLane(name: string, offset: number, lane: number): void {
    this.memory(name, offset);
    this.code.u8(lane);
  }

  /** extract_lane, replace_lane. */
  lane(name: string, lane: number): void {
    this.op(name);
    this.code.u8(lane);
  }

  shuffle(lanes: readonly number[]): void {
    this.op('i8x16.shuffle');
    for (const lane of lanes) this.code.u8(lane);
  }

  /** Of the branch that is written next. */
  private hint(hint: Hint | undefined): void {
    if (hint === undefined) return;
    this.hints.push({ inPrologue: this.code === this.prologue, at: this.code.length, hint });
  }

  /** Offsets from the start of the function's declaration of locals, ascending, as the hint section wants them. */
  branchHints(): readonly { readonly at: number; readonly hint: Hint }[] {
    if (this.hints.length === 0) return [];
    const declarations = new Bytes();
    this.declareLocals(declarations);
    const head = declarations.length;
    declarations.release();
    return this.hints
      .map(({ inPrologue, at, hint }) => ({
        at: head + at + (inPrologue ? 0 : this.prologue.length),
        hint,
      }))
      .sort((a, b) => a.at - b.at);
  }

  private open(code: number, type: BlockType): number {
    this.code.u8(code);
    this.code.u8(type === undefined ? 0x40 : TYPE_CODES[type]);
    return ++this.depth;
  }

  /** How many blocks are open. */
  get nesting(): number {
    return this.depth;
  }

  /** Opens a block and returns its label for `br`. */
  block(type?: BlockType): number {
    return this.open(0x02, type);
  }

  loop(type?: BlockType): number {
    return this.open(0x03, type);
  }

  if(type?: BlockType, hint?: Hint): number {
    this.hint(hint);
    return this.open(0x04, type);
  }

  else(): void {
    this.code.u8(0x05);
  }

  end(): void {
    this.code.u8(0x0b);
    this.depth--;
  }

  br(label: number): void {
    this.code.u8(0x0c);
    this.code.unsigned(this.depth - label);
  }

  brIf(label: number, hint?: Hint): void {
    this.hint(hint);
    this.code.u8(0x0d);
    this.code.unsigned(this.depth - label);
  }

  brTable(labels: readonly number[], otherwise: number): void {
    this.code.u8(0x0e);
    this.code.unsigned(labels.length);
    for (const label of labels) this.code.unsigned(this.depth - label);
    this.code.unsigned(this.depth - otherwise);
  }

  call(functionIndex: number): void {
    this.code.u8(0x10);
    this.code.unsigned(functionIndex);
  }

  returnCall(functionIndex: number): void {
    this.code.u8(0x12);
    this.code.unsigned(functionIndex);
  }

  callIndirect(typeIndex: number): void {
    this.code.u8(0x11);
    this.code.unsigned(typeIndex);
    this.code.u8(0);
  }

  returnCallIndirect(typeIndex: number): void {
    this.code.u8(0x13);
    this.code.unsigned(typeIndex);
    this.code.u8(0);
  }

  return(): void {
    this.code.u8(0x0f);
  }

  unreachable(): void {
    this.code.u8(0x00);
  }

  /** The function as something that can be in several modules, with the same imports. The builder is of no use afterwards. */
  sealed(): FunctionBody {
    const hints = this.branchHints();
    const entry = new Bytes();
    this.finish(entry);
    const written = entry.view().slice();
    entry.release();
    return {
      signature: this.signature,
      branchHints: () => hints,
      finish: (out) => out.append(written),
    };
  }

  /** The builder is of no use afterwards. */
  finish(out: Bytes): void {
    const head = new Bytes();
    this.declareLocals(head);
    out.unsigned(head.length + this.prologue.length + this.code.length + 1);
    for (const part of [head, this.prologue, this.code]) {
      out.append(part.view());
      part.release();
    }
    out.u8(0x0b);
  }

  private declareLocals(out: Bytes): void {
    const { locals } = this;
    const first = this.signature.params.length;
    let runs = 0;
    for (let i = first; i < locals.length; i++) if (i === first || locals[i] !== locals[i - 1]) runs++;
    out.unsigned(runs);
    for (let i = first; i < locals.length; ) {
      let end = i + 1;
      while (end < locals.length && locals[end] === locals[i]) end++;
      out.unsigned(end - i);
      out.u8(TYPE_CODES[locals[i]]);
      i = end;
    }
  }
}
