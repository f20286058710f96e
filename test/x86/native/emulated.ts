import { type AbstractMachine, interpret, type Run } from '../../../src/ir/interpreter.ts';
import { CodeReader } from '../../../src/x86/decode.ts';
import { type LiftedBlock, liftBlock } from '../../../src/x86/lift/block.ts';
import { ServiceFault } from '../../../src/x86/service.ts';
import { SERVICES } from '../../../src/x86/services/index.ts';
import { memoryAt, PageFault, ReferenceMachine } from '../../reference/machine.ts';
import type { NativeCase } from './runner.ts';
import {
  CODE_ADDRESS,
  DATA_ADDRESS,
  DATA_MARGIN,
  DATA_SIZE,
  FX_MXCSR,
  FX_STATUS,
  type State,
  TAKEN_ADDRESS,
} from './state.ts';
import { loadState, MXCSR_STICKY, savedState } from './transfer.ts';

const MEMORY_SIZE = DATA_SIZE + 2 * DATA_MARGIN;

/** A case's registers and memory. */
export class CaseMachine extends ReferenceMachine {
  /** Blocks are lifted for the case's MXCSR. */
  readonly followsMxcsr: boolean = true;
  private readonly bytes: Uint8Array;

  constructor(
    state: State,
    helpers?: AbstractMachine['helpers'],
    bytes: Uint8Array = new Uint8Array(MEMORY_SIZE),
  ) {
    super(memoryAt(DATA_ADDRESS - DATA_MARGIN, bytes), helpers);
    this.bytes = bytes;
    loadState(this, state);
    this.bytes.set(state.data, DATA_MARGIN);
  }

  /** The state after; signal and taken are the caller's. */
  toState(): State {
    const state = savedState(this);
    state.data.set(this.bytes.subarray(DATA_MARGIN, DATA_MARGIN + DATA_SIZE));
    return state;
  }
}

/** By fault; a page fault is SIGSEGV too. */
export const SIGNALS = {
  'divide-error': 8,
  'invalid-opcode': 4,
  'general-protection': 11,
  breakpoint: 5,
  debug: 5,
  overflow: 11,
  'float-invalid': 8,
  'float-divide-by-zero': 8,
  'float-overflow': 8,
  'float-underflow': 8,
  'float-inexact': 8,
} as const;

/** Faults that are reported after the instruction. */
export const isTrap = (fault: string): boolean => ['breakpoint', 'debug', 'overflow'].includes(fault);

/** The memory of one case after another. */
const SCRATCH = new Uint8Array(MEMORY_SIZE);

/** Runs a case of `instructions` instructions with our lifter, interpreter and services. */
export function runEmulated(
  { code, before }: NativeCase,
  instructions = 1,
  helpers?: AbstractMachine['helpers'],
  keepsStatus = true,
): State {
  const machine = new CaseMachine(before, helpers, SCRATCH.fill(0));
  const block = liftCase({ code, before }, instructions, keepsStatus);
  try {
    return finish(machine, block, interpret(block, machine), code.length);
  } catch (error) {
    if (error instanceof ServiceFault)
      return faulted(new CaseMachine(before), SIGNALS[error.fault], CODE_ADDRESS);
    if (!(error instanceof PageFault)) throw error;
    return faulted(new CaseMachine(before), SIGNALS['general-protection'], CODE_ADDRESS);
  }
}

/** The first instructions of a case, lifted as one block. */
export function liftCase({ code, before }: NativeCase, instructions = 1, keepsStatus = true): LiftedBlock {
  const reader = new CodeReader(
    (address) => code.subarray(address - CODE_ADDRESS, address - CODE_ADDRESS + 15),
    { keepsStatus, signalsX87: keepsStatus },
  );
  try {
    return liftBlock(reader, CODE_ADDRESS, {
      top: (before.fx.getUint16(FX_STATUS, true) >> 11) & 7,
      limit: instructions,
      mxcsr: before.fx.getUint32(FX_MXCSR, true) & ~MXCSR_STICKY,
    });
  } finally {
    // The collector would learn of the ten thousands of them between tests only.
    reader.free();
  }
}

function finish(machine: CaseMachine, block: LiftedBlock, { outcome }: Run, length: number): State {
  const fallThrough = CODE_ADDRESS + length;
  switch (outcome.kind) {
    case 'unsupported':
      throw new Error(`unsupported: ${outcome.text}`);
    case 'fault':
      // A trap is reported after the instruction.
      return faulted(machine, SIGNALS[outcome.fault], isTrap(outcome.fault) ? fallThrough : CODE_ADDRESS);
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
