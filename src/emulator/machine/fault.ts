import { Unwinding } from '../../base/unwinding.ts';
import { GUEST_END } from '../../guest/layout.ts';
import { EXECUTE, type GuestMemory } from '../../guest/memory.ts';
import type { Fault } from '../../ir/node.ts';
import type { FaultInformation } from '../../linux/kernel.ts';

/** The guest did something that its processor or kernel answers with a signal. */
export class GuestFault extends Unwinding {
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

const SIGILL = 4;
const SIGTRAP = 5;
const SIGBUS = 7;
const SIGFPE = 8;
export const SIGSEGV = 11;
/** si_code (uapi/asm-generic/siginfo.h). */
const ILL_ILLOPN = 2;
const TRAP_BRKPT = 1;
const FPE_INTDIV = 1;
const FPE_FLTDIV = 3;
const FPE_FLTOVF = 4;
const FPE_FLTUND = 5;
const FPE_FLTRES = 6;
const FPE_FLTINV = 7;
const BUS_ADRERR = 2;
const SEGV_MAPERR = 1;
const SEGV_ACCERR = 2;
const SI_KERNEL = 0x80;

/** Number of SSE's exception; that of the x87 is 16, which nobody tells apart. */
const FLOATING_POINT = 19n;

const LONGEST_INSTRUCTION = 15;
/** The breakpoint without an operand; `int 3` has one. */
const INT3 = 0xcc;

/** Bits of a page fault's error code (SDM volume 3, figure 4-12). */
const PRESENT = 1n;
const IS_WRITE = 2n;
const BY_USER = 4n;
const IS_FETCH = 16n;

/** Addresses in between are not canonical: whoever uses them gets a general protection fault. */
const USER_END = 1n << 47n;
const KERNEL_START = 2n ** 64n - USER_END;

/** Signals by fault, as Linux raises them on x86-64. */
const SIGNALS: Readonly<Record<GuestFault['fault'], number>> = {
  'divide-error': SIGFPE,
  'invalid-opcode': SIGILL,
  'general-protection': SIGSEGV,
  breakpoint: SIGTRAP,
  debug: SIGTRAP,
  overflow: SIGSEGV,
  'float-invalid': SIGFPE,
  'float-divide-by-zero': SIGFPE,
  'float-overflow': SIGFPE,
  'float-underflow': SIGFPE,
  'float-inexact': SIGFPE,
  'page-fault': SIGSEGV,
};

/** What must be known of memory to tell of a fault. */
export interface FaultPlace {
  readonly memory: GuestMemory;
  /** Whether the address is mapped to a file that has ended before. */
  readonly isBeyondFile: (address: number) => boolean;
  /** Whether the instruction at an address goes on behind what can be executed. */
  readonly runsOut: (address: number) => boolean;
}

/** The signal that a fault raises. */
export function signalOf(
  { fault, address }: Pick<GuestFault, 'fault' | 'address'>,
  { isBeyondFile }: Pick<FaultPlace, 'isBeyondFile'>,
): number {
  return fault === 'page-fault' && isBeyondFile(Number(address)) ? SIGBUS : SIGNALS[fault];
}

/** What the kernel tells the guest of a fault of the instruction at `rip` (arch/x86/kernel/traps.c, arch/x86/mm/fault.c). */
export function informationOf(
  { fault, address, isWrite }: Pick<GuestFault, 'fault' | 'address' | 'isWrite'>,
  { rip, isFetch = false }: { readonly rip: bigint; readonly isFetch?: boolean },
  { memory, isBeyondFile, runsOut }: FaultPlace,
): FaultInformation {
  const plain = { signal: SIGNALS[fault], address: rip, error: 0n, isPageFault: false };
  switch (fault) {
    case 'divide-error':
      return { ...plain, code: FPE_INTDIV, trap: 0n };
    case 'float-invalid':
      return { ...plain, code: FPE_FLTINV, trap: FLOATING_POINT };
    case 'float-divide-by-zero':
      return { ...plain, code: FPE_FLTDIV, trap: FLOATING_POINT };
    case 'float-overflow':
      return { ...plain, code: FPE_FLTOVF, trap: FLOATING_POINT };
    case 'float-underflow':
      return { ...plain, code: FPE_FLTUND, trap: FLOATING_POINT };
    case 'float-inexact':
      return { ...plain, code: FPE_FLTRES, trap: FLOATING_POINT };
    case 'breakpoint':
      return { ...plain, code: SI_KERNEL, trap: 3n };
    case 'debug':
      return { ...plain, code: TRAP_BRKPT, trap: 1n, address: resumption(fault, rip, memory) };
    case 'overflow':
      return { ...plain, code: SI_KERNEL, trap: 4n };
    case 'invalid-opcode':
      return { ...plain, code: ILL_ILLOPN, trap: 6n };
    case 'general-protection': {
      // Code that cannot be fetched is told of so, too.
      const missing = runsOut(Number(rip))
        ? memory.firstWithout(Number(rip), LONGEST_INSTRUCTION, EXECUTE)
        : undefined;
      if (missing !== undefined) return pageFault(BigInt(missing), IS_FETCH, memory);
      return { ...plain, code: SI_KERNEL, trap: 13n };
    }
    case 'page-fault':
      if (address >= USER_END && address < KERNEL_START) return { ...plain, code: SI_KERNEL, trap: 13n };
      return {
        ...pageFault(address, isFetch ? IS_FETCH : isWrite ? IS_WRITE : 0n, memory),
        ...(isBeyondFile(Number(address)) && { signal: SIGBUS, code: BUS_ADRERR }),
      };
  }
}

function pageFault(address: bigint, access: bigint, memory: GuestMemory): FaultInformation {
  const at = Number(address);
  const isMapped = address < USER_END && memory.isMapped(at);
  // The kernel gives a page its memory when it is first touched, and PROT_NONE takes it away again.
  const isPresent = isMapped && memory.permission(at) !== 0 && (at >= GUEST_END || memory.isTouched(at));
  return {
    signal: SIGSEGV,
    code: isMapped ? SEGV_ACCERR : SEGV_MAPERR,
    address,
    trap: 14n,
    // Of the kernel's half nobody is told what is mapped there.
    error: BY_USER | access | (isPresent || address >= KERNEL_START ? PRESENT : 0n),
    isPageFault: true,
  };
}

/** Where the handler's return goes on: what traps has been executed, all else has not. */
export function resumption(fault: GuestFault['fault'], rip: bigint, memory: GuestMemory): bigint {
  switch (fault) {
    case 'breakpoint':
      return rip + (memory.read(Number(rip), 1)[0] === INT3 ? 1n : 2n);
    case 'debug':
      return rip + 1n;
    case 'overflow':
      return rip + 2n;
    default:
      return rip;
  }
}
