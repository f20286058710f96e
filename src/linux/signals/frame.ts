import type { System } from '../system.ts';
import {
  alternateTop,
  holds,
  isOn,
  NO_STACK,
  SS_AUTODISARM,
  stackOf,
  stackRecord,
} from './alternate-stack.ts';
import type { Delivery } from './delivery.ts';
import { INFORMATION_SIZE, informationRecord } from './information.ts';
import { UNBLOCKABLE } from './sets.ts';

/**
 * The frame of a signal's handler (arch/x86/kernel/signal_64.c, uapi/asm/sigcontext.h). From rsp on:
 *
 *     return address, which is sa_restorer
 *     ucontext: flags, link, alternate stack, registers, pointer to the floating-point state, mask
 *     siginfo
 *     floating-point state, at an address that is a multiple of 64
 *
 * Above it the 128 bytes are left alone that a function may use below rsp (red zone).
 */
const CONTEXT = 8;
const CONTEXT_STACK = CONTEXT + 16;
const REGISTERS = CONTEXT + 40;
const INSTRUCTION_POINTER = REGISTERS + 128;
const FLAGS = REGISTERS + 136;
const SELECTORS = REGISTERS + 144;
const ERROR = REGISTERS + 152;
const FLOATING_POINT = REGISTERS + 184;
const MASK = REGISTERS + 256;
const INFORMATION = MASK + 8;
const FRAME_SIZE = INFORMATION + INFORMATION_SIZE;
const RED_ZONE = 128n;

/** Hardware numbers of the general registers in the order of struct sigcontext_64. */
const ORDER = [8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 3, 2, 0, 1, 4];
/** UC_SIGCONTEXT_SS, UC_STRICT_RESTORE_SS, and UC_FP_XSTATE where the state is xsave's. */
const UC_SS = 6n;
const UC_FP_XSTATE = 1n;
/** cs 0x33, gs 0, fs 0, ss 0x2b. */
const USER_SELECTORS = 0x002b_0000_0000_0033n;
const SA_ONSTACK = 0x0800_0000n;

/** What a signal interrupts. General registers by hardware number. */
export interface UserContext {
  readonly registers: readonly bigint[];
  readonly rip: bigint;
  readonly flags: bigint;
  /** As fxsave or xsave writes it. */
  readonly floatingPoint: Uint8Array;
  readonly hasExtendedState: boolean;
}

/** Where things are in a frame that was written or is read. */
export interface FramePlaces {
  /** Of the general registers, by hardware number, 8 bytes each. */
  readonly registers: readonly number[];
  readonly flags: number;
  readonly floatingPoint: number;
}

export interface EnteredHandler {
  readonly address: bigint;
  readonly stackPointer: bigint;
  /** rdi, rsi, rdx. */
  readonly arguments: readonly [bigint, bigint, bigint];
  readonly places: FramePlaces;
  /** The alternate stack, if the handler runs there while what it interrupted does not. */
  readonly stack: { readonly start: bigint; readonly end: bigint } | undefined;
}

function placesAt(frame: number, floatingPoint: number): FramePlaces {
  const registers: number[] = [];
  ORDER.forEach((register, i) => {
    registers[register] = frame + REGISTERS + 8 * i;
  });
  return { registers, flags: frame + FLAGS, floatingPoint };
}

/** Makes the frame. Undefined where there is no room for it or no way back: the guest is to end by SIGSEGV. */
export function enterHandler(
  system: System,
  { info, action, mask }: Delivery,
  context: UserContext,
): EnteredHandler | undefined {
  const { signals } = system.state;
  const stack = signals.alternateStack;
  const interrupted = context.registers[4];
  const rsp = BigInt.asUintN(64, interrupted);
  const top = (action.flags & SA_ONSTACK) === 0n ? undefined : alternateTop(system, rsp);
  const from = top ?? rsp - RED_ZONE;
  const floatingPoint = (from - BigInt(context.floatingPoint.length)) & ~63n;
  const frame = ((floatingPoint - BigInt(FRAME_SIZE)) & ~15n) - 8n;
  if (frame <= 0n || ((top !== undefined || isOn(stack, rsp)) && !holds(stack, frame))) return undefined;

  const bytes = new Uint8Array(FRAME_SIZE);
  const view = new DataView(bytes.buffer);
  const put = (at: number, value: bigint) => view.setBigUint64(at, BigInt.asUintN(64, value), true);
  put(0, action.restorer);
  put(CONTEXT, UC_SS | (context.hasExtendedState ? UC_FP_XSTATE : 0n));
  bytes.set(stackRecord(stack, rsp), CONTEXT_STACK);
  ORDER.forEach((register, i) => {
    put(REGISTERS + 8 * i, context.registers[register]);
  });
  put(INSTRUCTION_POINTER, context.rip);
  put(FLAGS, context.flags);
  put(SELECTORS, USER_SELECTORS);
  const { error, trap, address } = signals.lastFault;
  [error, trap, mask, address].forEach((value, i) => {
    put(ERROR + 8 * i, value);
  });
  put(FLOATING_POINT, floatingPoint);
  put(MASK, mask);
  bytes.set(informationRecord(info), INFORMATION);
  const at = Number(frame);
  try {
    system.user.requireWritable(at, Number(from - frame));
    system.user.write(at, bytes);
    system.user.write(Number(floatingPoint), context.floatingPoint);
  } catch {
    return undefined;
  }
  if ((stack.flags & SS_AUTODISARM) !== 0) signals.alternateStack = NO_STACK;
  const start = stack.address;
  return {
    address: action.handler,
    stackPointer: frame,
    arguments: [BigInt(info.signal), frame + BigInt(INFORMATION), frame + BigInt(CONTEXT)],
    places: placesAt(at, Number(floatingPoint)),
    stack: top === undefined ? undefined : { start, end: start + stack.size },
  };
}

export interface LeftHandler {
  readonly registers: readonly bigint[];
  readonly rip: bigint;
  readonly flags: bigint;
  readonly places: FramePlaces;
  readonly hasFloatingPoint: boolean;
}

/** rt_sigreturn: takes the mask and the alternate stack back, gives the registers. Undefined where the frame cannot be read. */
export function leaveHandler(system: System, stackPointer: bigint): LeftHandler | undefined {
  const { signals } = system.state;
  // The handler's return took the first word off.
  const frame = Number(stackPointer) - 8;
  let bytes: Uint8Array;
  try {
    bytes = system.user.read(frame, INFORMATION).slice();
  } catch {
    return undefined;
  }
  const view = new DataView(bytes.buffer);
  const places = placesAt(frame, Number(view.getBigUint64(FLOATING_POINT, true)));
  const registers = places.registers.map((at) => view.getBigInt64(at - frame, true));
  signals.blocked = view.getBigUint64(MASK, true) & ~UNBLOCKABLE;
  const stack = stackOf(bytes.subarray(CONTEXT_STACK, CONTEXT_STACK + 24));
  // As for sigaltstack, not while it is in use; errors go unheard (restore_altstack).
  if (typeof stack === 'object' && !isOn(signals.alternateStack, BigInt.asUintN(64, registers[4])))
    signals.alternateStack = stack;
  return {
    registers,
    rip: view.getBigUint64(INSTRUCTION_POINTER, true),
    flags: view.getBigUint64(FLAGS, true),
    places,
    hasFloatingPoint: places.floatingPoint !== 0,
  };
}
