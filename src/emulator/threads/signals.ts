import { HANDLER_SLOT } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import type { Kernel } from '../../linux/kernel.ts';
import type { Delivery } from '../../linux/signals/delivery.ts';
import type { FramePlaces } from '../../linux/signals/frame.ts';
import type { ProcessEnd } from '../../linux/state.ts';
import { readRflags, writeRflags } from '../../x86/rflags.ts';
import type { Machine } from '../../x86/service.ts';
import { SIGNAL_STATE } from '../../x86/services/signal-state.ts';
import * as x86 from '../../x86/state.ts';
import { SIGSEGV } from '../machine/fault.ts';
import { knowsLast, noteLast } from '../memory/last-retired.ts';
import type { Ledger, SavedLocation } from '../memory/ledger.ts';

/** What a handler returns to the kernel with (rule 8: it reads rax). */
export const RT_SIGRETURN = 15;

/** Each group of flags has a byte of the flags register for itself: whoever reads the register has the largest step of all. */
const FLAG_GROUPS = [x86.ZR, x86.OF, x86.CF, x86.DF].map(x86.locationOf);
/** rdi, rsi, rdx: the handler's arguments. rax is 0, for functions without a prototype. */
const ARGUMENTS = [x86.RDI, x86.RSI, x86.RDX];
const SET_LOCATIONS = [...[...ARGUMENTS, x86.RAX, x86.RSP].map(x86.locationOf), ...SIGNAL_STATE.locations];
/** CF, PF, AF, ZF, SF, DF, OF, AC: what a frame can change of the flags that we have. */
const RESTORED_FLAGS = 0x4_0cd5n;
const DIRECTION = 0x400n;

export interface SignalParts {
  readonly memory: GuestMemory;
  readonly machine: Machine;
  readonly kernel: Kernel;
  readonly ledger: Pick<Ledger, 'enterHandler' | 'leaveHandler'>;
  /** A handler begins on the alternate stack, with rsp there, which was elsewhere before. */
  readonly enterAlternate: (before: bigint, start: bigint, end: bigint) => void;
}

/** What a thread knows of its handlers while others run. */
export interface ParkedSignals {
  readonly words: readonly bigint[];
  readonly handlers: readonly bigint[];
  /** Whether the step of what it retired last is known, which the ledger keeps. */
  readonly knowsLast: boolean;
}

const WORDS = [HANDLER_SLOT];
/** Of a thread that begins. */
export const NO_SIGNALS: ParkedSignals = { words: WORDS.map(() => 0n), handlers: [], knowsLast: true };

/** What control does when a signal has been seen to: it goes on at an address, or the guest has ended. */
export type After = { readonly kind: 'go'; readonly address: bigint } | ProcessEnd;

/**
 * Signals as the processor and the measurement see them: handlers are entered with a frame on the stack and left by
 * rt_sigreturn. linux/signals/ decides what happens and what the frame looks like.
 */
export class Signals {
  private readonly parts: SignalParts;
  /** Where handlers were entered that have not returned: rsp there. */
  private handlers: bigint[] = [];

  constructor(parts: SignalParts) {
    this.parts = parts;
    this.resume(NO_SIGNALS);
  }

  /** What the running thread is to find again. */
  park(): ParkedSignals {
    const { view } = this.parts.memory;
    const words = WORDS.map((word) => view.getBigInt64(word, true));
    return { words, handlers: this.handlers, knowsLast: knowsLast(view) };
  }

  resume({ words, handlers, knowsLast: isKnown }: ParkedSignals): void {
    const { view } = this.parts.memory;
    WORDS.forEach((word, i) => {
      view.setBigInt64(word, words[i], true);
    });
    this.handlers = [...handlers];
    if (isKnown) noteLast(view);
  }

  /**
   * Where the thread goes on that others ran before: see linux/restartable.ts. What the kernel clears keeps its steps, since
   * no instruction of the thread's wrote it.
   */
  restart(next: bigint): After {
    const { kernel } = this.parts;
    const address = kernel.restart(next);
    kernel.user.takeWritten();
    return address === undefined ? { kind: 'signal', signal: SIGSEGV } : { kind: 'go', address };
  }

  /** All that can be delivered is, each on top of what was delivered before; the last handler is the first to run. */
  deliver(first: Delivery | ProcessEnd | undefined, rip: bigint): After {
    let address = rip;
    for (let next = first; next !== undefined; next = this.parts.kernel.nextDelivery()) {
      if (next.kind !== 'deliver') return next;
      const interrupted = this.restart(address);
      if (interrupted.kind !== 'go') return interrupted;
      const entered = this.enter(next, interrupted.address);
      if (entered === undefined) return { kind: 'signal', signal: SIGSEGV };
      address = entered;
    }
    return { kind: 'go', address };
  }

  private enter(delivery: Delivery, rip: bigint): bigint | undefined {
    const { machine, kernel, ledger, memory } = this.parts;
    const flags = readRflags(machine);
    const floatingPoint = new Uint8Array(SIGNAL_STATE.size);
    SIGNAL_STATE.save(machine, floatingPoint);
    const handler = kernel.enterHandler(delivery, {
      registers: x86.GPR.map((register) => machine.readI64(register)),
      rip,
      flags,
      floatingPoint,
      hasExtendedState: SIGNAL_STATE.hasExtendedState,
    });
    const written = kernel.user.takeWritten();
    if (handler === undefined) return undefined;
    ledger.enterHandler({ written, saved: this.savedIn(handler.places), set: SET_LOCATIONS });
    SIGNAL_STATE.reset(machine);
    machine.writeI64(x86.RAX, 0n);
    ARGUMENTS.forEach((register, i) => {
      machine.writeI64(register, handler.arguments[i]);
    });
    const interrupted = machine.readI64(x86.RSP);
    machine.writeI64(x86.RSP, handler.stackPointer);
    writeRflags(machine, flags & ~DIRECTION);
    this.handlers.push(handler.stackPointer);
    memory.view.setBigInt64(HANDLER_SLOT, handler.stackPointer, true);
    if (handler.stack !== undefined)
      this.parts.enterAlternate(interrupted, handler.stack.start, handler.stack.end);
    return handler.address;
  }

  private savedIn({ registers, flags, floatingPoint }: FramePlaces): readonly SavedLocation[] {
    const at = (location: number, address: number, length: number): SavedLocation => ({
      location,
      range: { address, length },
    });
    const parts = floatingPoint === 0 ? [] : SIGNAL_STATE.parts(this.parts.machine);
    return [
      ...x86.GPR.map((register, i) => at(x86.locationOf(register), registers[i], 8)),
      ...FLAG_GROUPS.map((location, i) => at(location, flags + i, 1)),
      ...parts.map(({ location, offset, length }) => at(location, floatingPoint + offset, length)),
    ];
  }

  /** rt_sigreturn, which has retired. `close` lets contexts end (rule 9) once rsp is what it was; it hears where it was on return. */
  leave(close: (before: bigint) => void): After {
    const { machine, kernel, ledger, memory } = this.parts;
    const before = BigInt.asUintN(64, machine.readI64(x86.RSP));
    const frame = before - 8n;
    const left = kernel.leaveHandler();
    if (left === undefined) return { kind: 'signal', signal: SIGSEGV };
    const { places } = left;
    if (places.floatingPoint === 0) SIGNAL_STATE.reset(machine);
    else {
      const at = places.floatingPoint;
      if (!kernel.user.isReadable(at, SIGNAL_STATE.size)) return { kind: 'signal', signal: SIGSEGV };
      SIGNAL_STATE.restore(machine, memory.read(at, SIGNAL_STATE.size).slice());
    }
    left.registers.forEach((value, i) => {
      machine.writeI64(x86.GPR[i], value);
    });
    writeRflags(machine, (readRflags(machine) & ~RESTORED_FLAGS) | (left.flags & RESTORED_FLAGS));
    ledger.leaveHandler(this.savedIn(places));
    while (this.handlers.length > 0 && this.handlers[this.handlers.length - 1] <= frame) this.handlers.pop();
    memory.view.setBigInt64(HANDLER_SLOT, this.handlers.at(-1) ?? 0n, true);
    close(before);
    return this.deliver(kernel.nextDelivery(), left.rip);
  }
}
