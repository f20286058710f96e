import { type AbstractMachine, interpret, type Run } from '../../../src/ir/interpreter.ts';
import { CodeReader } from '../../../src/x86/decode.ts';
import { type LiftedBlock, liftBlock } from '../../../src/x86/lift/block.ts';
import { readRflags, writeRflags } from '../../../src/x86/rflags.ts';
import { SERVICES } from '../../../src/x86/services/index.ts';
import {
  DS,
  ES,
  FPU_CONDITION,
  FPU_CONTROL,
  FPU_EXPONENT,
  FPU_SIGNIFICAND,
  FPU_STATUS,
  FPU_TAGS,
  FPU_TOP,
  FS,
  FS_BASE,
  GPR,
  GS,
  GS_BASE,
  MXCSR,
  MXCSR_STATUS,
  XMM,
  YMM_HIGH,
} from '../../../src/x86/state.ts';
import { memoryAt, PageFault, ReferenceMachine } from '../../reference/machine.ts';
import type { NativeCase } from './runner.ts';
import {
  CODE_ADDRESS,
  DATA_ADDRESS,
  DATA_MARGIN,
  DATA_SIZE,
  FX_CONTROL,
  FX_MXCSR,
  FX_STATUS,
  FX_TAGS,
  State,
  TAKEN_ADDRESS,
} from './state.ts';

const MEMORY_SIZE = DATA_SIZE + 2 * DATA_MARGIN;
/** Of the status word: exceptions, stack fault, error summary and busy; the condition codes; top. */
const FSW_STICKY = 0x80ff;
const FSW_CONDITIONS = 0x4700;
const MXCSR_STICKY = 0x3f;

/** A case's registers and memory. */
export class CaseMachine extends ReferenceMachine {
  /** Blocks are lifted for the case's MXCSR. */
  readonly followsMxcsr: boolean = true;
  private readonly bytes: Uint8Array;

  constructor(state: State, helpers?: AbstractMachine['helpers']) {
    const bytes = new Uint8Array(MEMORY_SIZE);
    super(memoryAt(DATA_ADDRESS - DATA_MARGIN, bytes), helpers);
    this.bytes = bytes;
    GPR.forEach((variable, i) => {
      this.set(variable, BigInt.asIntN(64, state.gpr(i)));
    });
    XMM.forEach((variable, i) => {
      this.set(variable, state.xmm(i).slice());
    });
    YMM_HIGH.forEach((variable, i) => {
      this.set(variable, state.ymmHigh(i).slice());
    });
    this.set(ES, state.selector('es'));
    this.set(DS, state.selector('ds'));
    this.set(FS, state.selector('fs'));
    this.set(GS, state.selector('gs'));
    this.set(FS_BASE, state.selector('fs') === 0 ? BigInt(DATA_ADDRESS) : 0n);
    this.set(GS_BASE, state.selector('gs') === 0 ? BigInt(DATA_ADDRESS) : 0n);
    writeRflags(this, BigInt(state.rflags));
    this.loadFx(state);
    this.bytes.set(state.data, DATA_MARGIN);
  }

  private loadFx(state: State): void {
    const { fx } = state;
    const mxcsr = fx.getUint32(FX_MXCSR, true);
    this.set(MXCSR, mxcsr & ~MXCSR_STICKY);
    this.set(MXCSR_STATUS, mxcsr & MXCSR_STICKY);
    const status = fx.getUint16(FX_STATUS, true);
    const top = (status >> 11) & 7;
    this.set(FPU_CONTROL, fx.getUint16(FX_CONTROL, true));
    this.set(FPU_STATUS, status & FSW_STICKY);
    this.set(FPU_CONDITION, status & FSW_CONDITIONS);
    this.set(FPU_TOP, top);
    this.set(FPU_TAGS, fx.getUint8(FX_TAGS));
    for (let i = 0; i < 8; i++) {
      const st = state.st(i);
      const view = new DataView(st.buffer, st.byteOffset, 10);
      this.set(FPU_SIGNIFICAND[(top + i) & 7], view.getBigInt64(0, true));
      this.set(FPU_EXPONENT[(top + i) & 7], view.getUint16(8, true));
    }
  }

  /** The state after; signal and taken are the caller's. */
  toState(): State {
    const state = new State();
    GPR.forEach((variable, i) => {
      state.setGpr(i, this.readI64(variable));
    });
    XMM.forEach((variable, i) => {
      state.xmm(i).set(this.v128(variable));
    });
    YMM_HIGH.forEach((variable, i) => {
      state.ymmHigh(i).set(this.v128(variable));
    });
    state.rflags = Number(readRflags(this));
    state.setSelector('es', this.readI32(ES));
    state.setSelector('ds', this.readI32(DS));
    state.setSelector('fs', this.readI32(FS));
    state.setSelector('gs', this.readI32(GS));
    state.flat = (this.readI64(FS_BASE) === 0n ? 1 : 0) | (this.readI64(GS_BASE) === 0n ? 2 : 0);
    const { fx } = state;
    const top = this.readI32(FPU_TOP);
    fx.setUint32(FX_MXCSR, this.readI32(MXCSR) | this.readI32(MXCSR_STATUS), true);
    fx.setUint16(FX_CONTROL, this.readI32(FPU_CONTROL), true);
    fx.setUint16(FX_STATUS, this.readI32(FPU_STATUS) | this.readI32(FPU_CONDITION) | (top << 11), true);
    fx.setUint8(FX_TAGS, this.readI32(FPU_TAGS));
    for (let i = 0; i < 8; i++) {
      const st = state.st(i);
      const view = new DataView(st.buffer, st.byteOffset, 10);
      view.setBigInt64(0, this.readI64(FPU_SIGNIFICAND[(top + i) & 7]), true);
      view.setUint16(8, this.readI32(FPU_EXPONENT[(top + i) & 7]), true);
    }
    state.data.set(this.bytes.subarray(DATA_MARGIN, DATA_MARGIN + DATA_SIZE));
    return state;
  }
}

const SIGNALS = { 'divide-error': 8, 'invalid-opcode': 4, 'general-protection': 11, breakpoint: 5 } as const;

/** Runs a case of `instructions` instructions with our lifter, interpreter and services. */
export function runEmulated(
  { code, before }: NativeCase,
  instructions = 1,
  helpers?: AbstractMachine['helpers'],
): State {
  const machine = new CaseMachine(before, helpers);
  const block = liftCase({ code, before }, instructions);
  try {
    return finish(machine, block, interpret(block, machine), code.length);
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    return faulted(new CaseMachine(before), SIGNALS['general-protection'], CODE_ADDRESS);
  }
}

/** The first instructions of a case, lifted as one block. */
export function liftCase({ code, before }: NativeCase, instructions = 1): LiftedBlock {
  const reader = new CodeReader((address) =>
    code.subarray(address - CODE_ADDRESS, address - CODE_ADDRESS + 15),
  );
  return liftBlock(reader, CODE_ADDRESS, {
    top: (before.fx.getUint16(FX_STATUS, true) >> 11) & 7,
    limit: instructions,
    mxcsr: before.fx.getUint32(FX_MXCSR, true) & ~MXCSR_STICKY,
  });
}

function finish(machine: CaseMachine, block: LiftedBlock, { outcome }: Run, length: number): State {
  const fallThrough = CODE_ADDRESS + length;
  switch (outcome.kind) {
    case 'unsupported':
      throw new Error(`unsupported: ${outcome.text}`);
    case 'fault':
      // A breakpoint is reported after the instruction.
      return faulted(
        machine,
        SIGNALS[outcome.fault],
        outcome.fault === 'breakpoint' ? fallThrough : CODE_ADDRESS,
      );
    case 'service': {
      const service = SERVICES.get(outcome.service);
      if (service === undefined) throw new Error(`unknown service ${outcome.service}`);
      service(machine, outcome.argument);
      return machine.toState();
    }
    default: {
      // There is no memory below this address, so that execution ends there.
      if (outcome.target < LOWEST_ADDRESS)
        return faulted(machine, SIGNALS['general-protection'], outcome.target);
      if (outcome.target !== fallThrough && outcome.target !== TAKEN_ADDRESS)
        throw new Error(`the block at ${block.address} went to 0x${outcome.target.toString(16)}`);
      const after = machine.toState();
      after.taken = outcome.target === TAKEN_ADDRESS;
      return after;
    }
  }
}

/** vm.mmap_min_addr of Linux. */
const LOWEST_ADDRESS = 0x1_0000;

function faulted(machine: CaseMachine, signal: number, rip: number): State {
  const after = machine.toState();
  after.signal = signal;
  after.rip = BigInt(rip);
  return after;
}
