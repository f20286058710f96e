import type { Fault } from '../ir/node.ts';

/** The guest did something that its processor or kernel answers with a signal. */
export class GuestFault extends Error {
  readonly fault: Fault | 'page-fault';
  /** The address accessed, for a page fault; else of the instruction. */
  readonly address: bigint;
  readonly isWrite: boolean;

  constructor(fault: Fault | 'page-fault', address: bigint, isWrite = false) {
    super(`${fault} at 0x${address.toString(16)}`);
    this.fault = fault;
    this.address = address;
    this.isWrite = isWrite;
  }
}

/** The guest ended itself. */
export class GuestEnd extends Error {
  readonly outcome:
    | { readonly kind: 'exit'; readonly status: number }
    | { readonly kind: 'signal'; readonly signal: number };

  constructor(outcome: GuestEnd['outcome']) {
    super('the guest ended');
    this.outcome = outcome;
  }
}

/** Signals by fault, as Linux raises them on x86-64. */
export const SIGNALS: Readonly<Record<GuestFault['fault'], number>> = {
  'divide-error': 8,
  'invalid-opcode': 4,
  'general-protection': 11,
  breakpoint: 5,
  'float-invalid': 8,
  'float-divide-by-zero': 8,
  'float-overflow': 8,
  'float-underflow': 8,
  'float-inexact': 8,
  'page-fault': 11,
};

/** Control goes on at another address, in a state that is all in memory: a signal's handler is entered or left. */
export class GuestMoved extends Error {
  readonly address: bigint;

  constructor(address: bigint) {
    super('control goes on elsewhere');
    this.address = address;
  }
}
