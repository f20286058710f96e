import { runsOut } from '../../src/emulator/code/guest-code.ts';
import { informationOf, resumption, signalOf } from '../../src/emulator/machine/fault.ts';
import { type After, NO_SIGNALS, type ParkedSignals, Signals } from '../../src/emulator/threads/signals.ts';
import { HANDLER_SLOT } from '../../src/guest/layout.ts';
import type { GuestMemory } from '../../src/guest/memory.ts';
import type { Kernel } from '../../src/linux/kernel.ts';
import type { Delivery } from '../../src/linux/signals/delivery.ts';
import { RSP } from '../../src/x86/state.ts';
import type { DataFlowGraph } from './graph.ts';
import type { ReferenceMachine } from './machine.ts';
import type { RaisedFault, SignalEffects } from './run.ts';
import type { Range } from './trace.ts';

export interface SignalParts {
  readonly kernel: Kernel;
  readonly memory: GuestMemory;
  readonly machine: ReferenceMachine;
  readonly graph: DataFlowGraph;
}

/** Signals of a reference run: the registers and frames are those of a measurement, the data flow is the graph's. */
export class ReferenceSignals {
  private readonly parts: SignalParts;
  private readonly signals: Signals;
  private alternate: Range | undefined;

  constructor(parts: SignalParts) {
    const { kernel, memory, machine, graph } = parts;
    this.parts = parts;
    this.signals = new Signals({
      kernel,
      memory,
      machine,
      ledger: {
        enterHandler: ({ written, saved, set }) => graph.enterHandler(written, saved, set),
        leaveHandler: (saved) => graph.leaveHandler(saved),
      },
      enterAlternate: (_, start, end) => {
        this.alternate = { start: Number(start), end: Number(end) };
      },
    });
  }

  park(): ParkedSignals {
    return this.signals.park();
  }

  /** Of a thread that has not run yet nothing is known. */
  resume(parked: ParkedSignals | undefined): void {
    this.signals.resume(parked ?? NO_SIGNALS);
  }

  deliver(delivery: Delivery, interrupted: number): SignalEffects {
    const stackPointer = this.rsp;
    return this.effects(this.signals.deliver(delivery, BigInt(interrupted)), interrupted, stackPointer);
  }

  /** rt_sigreturn has retired. */
  leave(): SignalEffects {
    let stackPointer = 0;
    const after = this.signals.leave(() => {
      stackPointer = this.rsp;
    });
    return this.effects(after, 0, stackPointer);
  }

  /** An instruction has faulted. */
  fault({ fault, rip, address, isWrite }: RaisedFault): SignalEffects {
    const { kernel, memory } = this.parts;
    const place = {
      memory,
      isBeyondFile: (at: number) => kernel.isBeyondFile(at),
      runsOut: (at: number) => runsOut(memory, at),
    };
    if (!kernel.catches(signalOf({ fault, address }, place)))
      throw new Error(`0x${rip.toString(16)}: ${fault}`);
    kernel.fault(informationOf({ fault, address, isWrite }, { rip: BigInt(rip) }, place));
    const next = Number(resumption(fault, BigInt(rip), memory));
    const delivery = kernel.nextDelivery();
    if (delivery?.kind !== 'deliver') throw new Error('the program died by a signal');
    return this.deliver(delivery, next);
  }

  /** Between two instructions: a timer may have expired. */
  seeTimers(next: number, isFresh: boolean, hasWaiting: boolean): SignalEffects | undefined {
    const { kernel } = this.parts;
    if ((kernel.nextTimerSignal(hasWaiting) ?? Infinity) <= kernel.instructions()) kernel.expireTimers();
    else if (!isFresh || !kernel.interrupts()) return undefined;
    const delivery = kernel.nextDelivery();
    if (delivery === undefined) return undefined;
    if (delivery.kind !== 'deliver') throw new Error('the program died by a signal');
    return this.deliver(delivery, next);
  }

  private get rsp(): number {
    return Number(BigInt.asUintN(64, this.parts.machine.readI64(RSP)));
  }

  private effects(after: After, interrupted: number, stackPointer: number): SignalEffects {
    if (after.kind !== 'go') throw new Error('the program died by a signal');
    const { view } = this.parts.memory;
    const word = (at: number) => Number(view.getBigUint64(at, true));
    const { alternate } = this;
    this.alternate = undefined;
    return {
      next: Number(after.address),
      stackPointer,
      move: {
        interrupted,
        stackPointer: this.rsp,
        handlerSlot: word(HANDLER_SLOT),
        alternate,
      },
    };
  }
}
