import { LAST_ADDRESS, PRECISE_ADDRESS, PRECISE_FUEL } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import type { Kernel } from '../../linux/kernel.ts';
import type { Instruction } from '../../x86/decode.ts';
import { keepGathered } from '../../x86/interrupted-gather.ts';
import { modifies } from '../../x86/stores.ts';
import type { CodeSpace } from '../code/code-space.ts';
import { lookAt, runsOut } from '../code/guest-code.ts';
import type { Tier } from '../code/tiers.ts';
import { type FaultPlace, GuestFault, informationOf, resumption, signalOf } from '../machine/fault.ts';
import type { StateMachine } from '../machine/state.ts';
import { knowsLast } from '../memory/last-retired.ts';
import { Outgrown } from '../memory/measure-plan.ts';
import type { SliceClock } from '../slices/slice-clock.ts';

export interface CaughtFaultsOptions {
  readonly memory: GuestMemory;
  readonly kernel: Kernel;
  readonly clock: SliceClock;
  readonly machine: StateMachine;
  readonly space: CodeSpace;
}

/** Faults of the guest's instructions: which one it was, and the way to the guest's handler. */
export class CaughtFaults {
  private readonly options: CaughtFaultsOptions;
  private readonly place: FaultPlace;

  constructor(options: CaughtFaultsOptions) {
    this.options = options;
    const { memory, kernel } = options;
    this.place = {
      memory,
      isBeyondFile: (address) => kernel.isBeyondFile(address),
      runsOut: (address) => runsOut(memory, address),
    };
  }

  signalOf(fault: GuestFault): number {
    return signalOf(fault, this.place);
  }

  /** Whether the guest has a handler for it. */
  catches(fault: GuestFault): boolean {
    return this.options.kernel.catches(this.signalOf(fault));
  }

  /**
   * An instruction has faulted in code of the tier, and the guest has a handler: its signal waits to be delivered. Gives the address to
   * which the handler returns. Throws Outgrown where it is not known which instruction it was or what retired before it.
   */
  take(fault: GuestFault, tier: Tier): bigint {
    const { memory, kernel } = this.options;
    const { rip, isFetch } = this.locate(fault, tier);
    const isLoad = fault.fault === 'page-fault' && !fault.isWrite && !isFetch;
    const isWrite = fault.isWrite || (isLoad && lookAt(memory, Number(rip), (each) => this.leaveLoad(each)));
    kernel.fault(informationOf({ ...fault, isWrite }, { rip, isFetch }, this.place));
    return resumption(fault.fault, rip, memory);
  }

  /** What an instruction leaves one of whose loads has faulted. Tells whether it would have written there. */
  private leaveLoad(instruction: Instruction): boolean {
    keepGathered(this.options.machine, instruction);
    // What loads and stores one place asks for both, though it is the load that finds the fault here.
    return modifies(instruction);
  }

  /** Which instruction has faulted, or could not be fetched; the clock tells how many retired before it. Throws as `take`. */
  locate(fault: GuestFault, tier: Tier): { readonly rip: bigint; readonly isFetch: boolean } {
    const { memory, clock, space } = this.options;
    const { view } = memory;
    const { faults, places } = space;
    // Where code is not stepped: at the last event.
    const { executed } = clock;
    const address = places.addressOf(view.getInt32(PRECISE_ADDRESS, true));
    const isStepping = tier === 'stepping' || (tier === 'logging' && faults.isSeeking);
    if (address === 0 && !isStepping) {
      faults.ask(executed);
      throw new Outgrown('faults');
    }
    // Where nothing was being executed the next instruction could not be fetched.
    const rip = address === 0 ? fault.address : BigInt(address);
    if (address !== 0) {
      clock.goBackTo(view.getBigInt64(PRECISE_FUEL, true));
      view.setInt32(PRECISE_ADDRESS, 0, true);
      space.uncount(address, tier);
    }
    if (!knowsLast(view)) {
      faults.ask(executed);
      throw new Outgrown('faults');
    }
    const sites = [Number(rip), places.addressOf(view.getInt32(LAST_ADDRESS, true))];
    for (const site of faults.found(clock.executed, sites)) space.setApart(site);
    return { rip, isFetch: address === 0 };
  }
}

/** The fault that ended generated code; none if something else did. */
export function faultOf(problem: unknown): GuestFault | undefined {
  if (problem instanceof GuestFault) return problem;
  // Generated code only leaves its memory where the guest's address was wild. Its tables it never leaves: that would be this program's mistake.
  if (problem instanceof WebAssembly.RuntimeError && /memory access out of bounds/.test(problem.message))
    return new GuestFault('page-fault', 0n);
  return undefined;
}
