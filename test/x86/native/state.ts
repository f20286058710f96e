/**
 * The processor state that the native runner loads before an instruction and stores after it: struct state of runner.c.
 */
/** Also the runner's GS base. FS belongs to its C library. */
export const DATA_ADDRESS = 0x1000_1000;
export const DATA_SIZE = 1024;
/** Mapped and zero around the data, on both sides. */
export const DATA_MARGIN = 4096;
export const CODE_ADDRESS = 0x4000_0000;
/** Where branches of the tested code should go: leaving there sets `taken`. */
export const TAKEN_ADDRESS = CODE_ADDRESS + 0x80;

const GPR = 0;
const RFLAGS = 128;
const SIGNAL = 136;
const TAKEN = 140;
const FX = 144;
const DATA = 656;
const SELECTORS = DATA + DATA_SIZE;
const RIP = SELECTORS + 8;
const FLAT = RIP + 8;
const HIGH = FLAT + 8;
export const STATE_SIZE = HIGH + 256;

export const SEGMENT_INDEX = { es: 0, ds: 1, fs: 2, gs: 3 } as const;

/** RFLAGS bits. */
export const FLAG_BITS = { CF: 0x1, PF: 0x4, AF: 0x10, ZF: 0x40, SF: 0x80, DF: 0x400, OF: 0x800 } as const;
export const ALL_FLAGS = 0xcd5;

/** fxsave64 image (SDM volume 1, table 10-2). */
export const FX_CONTROL = 0;
export const FX_STATUS = 2;
/** Abridged tags: bit i set when physical slot i is not empty. */
export const FX_TAGS = 4;
export const FX_MXCSR = 24;
/** st(0) to st(7), 16 bytes each, 10 used. */
export const FX_STACK = 32;
export const FX_XMM = 160;

/** States are made by the ten thousand: with a buffer each, most of the time would go to collecting these. */
const SLAB = 512 * STATE_SIZE;
let slab = new Uint8Array(0);

function fresh(): Uint8Array {
  if (slab.length === 0) slab = new Uint8Array(SLAB);
  const bytes = slab.subarray(0, STATE_SIZE);
  slab = slab.subarray(STATE_SIZE);
  return bytes;
}

export class State {
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(bytes: Uint8Array = fresh()) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** All registers 0, x87 and SSE as the kernel starts a process (all exceptions masked, round to nearest, empty stack). */
  static initial(): State {
    const state = new State();
    state.rflags = 0x202;
    state.fx.setUint16(FX_CONTROL, 0x37f, true);
    state.fx.setUint32(FX_MXCSR, 0x1f80, true);
    return state;
  }

  /** By hardware number; unsigned. */
  gpr(register: number): bigint {
    return this.view.getBigUint64(GPR + 8 * register, true);
  }

  setGpr(register: number, value: bigint): void {
    this.view.setBigUint64(GPR + 8 * register, BigInt.asUintN(64, value), true);
  }

  get rflags(): number {
    return Number(this.view.getBigUint64(RFLAGS, true));
  }

  set rflags(value: number) {
    this.view.setBigUint64(RFLAGS, BigInt(value), true);
  }

  /** The signal that the instruction raised (4 SIGILL, 5 SIGTRAP, 8 SIGFPE, 11 SIGSEGV), 0 if none. */
  get signal(): number {
    return this.view.getUint32(SIGNAL, true);
  }

  set signal(value: number) {
    this.view.setUint32(SIGNAL, value, true);
  }

  get taken(): boolean {
    return this.view.getUint32(TAKEN, true) !== 0;
  }

  set taken(value: boolean) {
    this.view.setUint32(TAKEN, value ? 1 : 0, true);
  }

  /** Selector in a segment register. Where FS or GS is not 0 before a case, its base is. */
  selector(segment: keyof typeof SEGMENT_INDEX): number {
    return this.view.getUint16(SELECTORS + 2 * SEGMENT_INDEX[segment], true);
  }

  setSelector(segment: keyof typeof SEGMENT_INDEX, value: number): void {
    this.view.setUint16(SELECTORS + 2 * SEGMENT_INDEX[segment], value, true);
  }

  /** The instruction pointer that the signal's frame tells; 0 without a signal. */
  get rip(): bigint {
    return this.view.getBigUint64(RIP, true);
  }

  set rip(value: bigint) {
    this.view.setBigUint64(RIP, value, true);
  }

  /** Bits 0 and 1: the base of FS and GS is 0 after the case. */
  get flat(): number {
    return this.view.getUint32(FLAT, true);
  }

  set flat(value: number) {
    this.view.setUint32(FLAT, value, true);
  }

  /** The fxsave64 image. */
  get fx(): DataView {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + FX, 512);
  }

  /** 16 bytes, writable in place. */
  xmm(register: number): Uint8Array {
    return this.bytes.subarray(FX + FX_XMM + 16 * register, FX + FX_XMM + 16 * register + 16);
  }

  /** The 16 bytes above them, writable in place. */
  ymmHigh(register: number): Uint8Array {
    return this.bytes.subarray(HIGH + 16 * register, HIGH + 16 * register + 16);
  }

  /** 10 bytes of st(i), writable in place. */
  st(i: number): Uint8Array {
    return this.bytes.subarray(FX + FX_STACK + 16 * i, FX + FX_STACK + 16 * i + 10);
  }

  /** The bytes at DATA_ADDRESS, writable in place. */
  get data(): Uint8Array {
    return this.bytes.subarray(DATA, DATA + DATA_SIZE);
  }
}
