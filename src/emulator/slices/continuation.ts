import type { Kernel } from '../../linux/kernel.ts';
import type { Delivery } from '../../linux/signals/delivery.ts';
import type { ProcessEnd } from '../../linux/state.ts';
import { GuestEnd } from '../machine/fault.ts';
import type { After, Signals } from '../threads/signals.ts';

/** Thrown out of generated code: the guest is another program. */
export const REPLACED = new Error('another program runs');

/** Where the guest goes on once generated code has been left. Signals lead it to their handlers and back. */
export class Continuation {
  /** Where the next slice begins. */
  next = 0n;
  private readonly kernel: Kernel;
  private readonly signals: Signals;

  constructor(kernel: Kernel, signals: Signals) {
    this.kernel = kernel;
    this.signals = signals;
  }

  /** At the handler of what is delivered, which returns to an address. Throws GuestEnd. */
  deliver(delivery: Delivery | ProcessEnd | undefined, returnAddress: bigint): void {
    this.next = place(this.signals.deliver(delivery, returnAddress));
  }

  /** The same of what waits to be delivered. */
  deliverPending(returnAddress: bigint): void {
    this.deliver(this.kernel.nextDelivery(), returnAddress);
  }

  /** Signals of timers that have expired by now go to their handlers. */
  seeTimers(): void {
    this.kernel.expireTimers();
    this.deliverPending(this.next);
  }

  /** Of a thread before which others ran. */
  resume(next: bigint): void {
    this.next = place(this.signals.restart(next));
    // Signals that came while others ran.
    if (this.kernel.interrupts()) this.deliverPending(this.next);
  }

  /** rt_sigreturn has retired. `close` lets contexts end, as Signals.leave has it. */
  leaveHandler(close: (before: bigint) => void): void {
    this.next = place(this.signals.leave(close));
  }
}

/** Where the guest goes on, unless that is its end. */
function place(after: After): bigint {
  if (after.kind === 'go') return after.address;
  throw new GuestEnd(after);
}
