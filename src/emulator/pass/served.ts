import { LAST_ADDRESS, PRECISE_ADDRESS } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import type { SyscallOutcome } from '../../linux/kernel.ts';
import type { Wait } from '../../linux/not-yet.ts';
import type { SegmentBases } from '../../linux/system.ts';
import type { ServiceSite } from '../../translate/region-interface.ts';
import { readRflags } from '../../x86/rflags.ts';
import { type ServiceEffects, ServiceFault } from '../../x86/service.ts';
import { SERVICES } from '../../x86/services/index.ts';
import * as x86 from '../../x86/state.ts';
import type { CodeSpace } from '../code/code-space.ts';
import { GuestFault } from '../machine/fault.ts';
import type { StateMachine } from '../machine/state.ts';
import type { Ledger } from '../memory/ledger.ts';
import { Outgrown } from '../memory/measure-plan.ts';
import type { PendingCall } from '../threads/threads.ts';

/** Registers of a system call's arguments, in order. */
export const SYSCALL_ARGUMENTS = [x86.GPR[7], x86.GPR[6], x86.GPR[2], x86.GPR[10], x86.GPR[8], x86.GPR[9]];
/** What a call with so many of them depends on. */
const CALL_SOURCES = Array.from({ length: SYSCALL_ARGUMENTS.length + 1 }, (_, count) =>
  [x86.RAX, ...SYSCALL_ARGUMENTS.slice(0, count)].map(x86.locationOf),
);
const NOTHING: readonly never[] = [];
const CALL_DESTINATIONS = [x86.RAX, x86.RCX, x86.R11].map(x86.locationOf);

interface ServedParts {
  readonly memory: GuestMemory;
  readonly machine: StateMachine;
  readonly ledger: Ledger;
  readonly space: CodeSpace;
  /** Whether it is logged what instructions access. */
  readonly isLogging: () => boolean;
}

/** Instructions that the host executes: services, and what system calls leave behind. They are measured like all others. */
export class Served {
  private readonly parts: ServedParts;

  constructor(parts: ServedParts) {
    this.parts = parts;
  }

  /** Any service but a system call. */
  run({ service, argument, address }: ServiceSite): void {
    if (service === 'status-observed') throw new Outgrown('status');
    const run = SERVICES.get(service);
    if (run === undefined) throw new Error(`no service ${service}`);
    let effects: ServiceEffects;
    try {
      effects = run(this.parts.machine, argument);
    } catch (problem) {
      throw problem instanceof ServiceFault ? new GuestFault(problem.fault, BigInt(address)) : problem;
    }
    this.retire(effects, address);
  }

  /** The instruction at an address has read and written this (rules 3 to 8). */
  retire(effects: ServiceEffects, address: number): void {
    this.parts.ledger.apply(effects, address);
    const { view } = this.parts.memory;
    view.setInt32(LAST_ADDRESS, this.parts.space.places.of(address), true);
    view.setInt32(PRECISE_ADDRESS, 0, true);
    const { tracer } = this.parts.space;
    if (tracer === undefined || !this.parts.isLogging()) return;
    for (const { address: at, length } of effects.loads) tracer.noteAccess('load', length, address, at);
    for (const { address: at, length } of effects.stores) tracer.noteAccess('store', length, address, at);
  }

  /** What the system call at an address asks for. */
  callAt(address: number, next: number): PendingCall {
    const { machine } = this.parts;
    const number = Number(BigInt.asIntN(32, machine.readI64(x86.RAX)));
    const args = SYSCALL_ARGUMENTS.map((variable) => machine.readI64(variable));
    return { number, args, flags: readRflags(machine), address, next };
  }

  /** Rule 8: what the call writes, and what that depends on. */
  finishCall(
    { next, flags, address, number }: PendingCall,
    outcome: Exclude<SyscallOutcome, Wait | { readonly kind: 'replaced' }>,
  ): void {
    const { machine } = this.parts;
    const sources = CALL_SOURCES[outcome.sources];
    const written = 'written' in outcome ? outcome.written : NOTHING;
    const effects = { sources, destinations: CALL_DESTINATIONS, loads: NOTHING, stores: written };
    if (outcome.kind !== 'return') return this.parts.ledger.apply(effects, address);
    machine.writeI64(x86.RAX, outcome.restarts === true ? BigInt(number) : outcome.result);
    machine.writeI64(x86.RCX, BigInt(next));
    machine.writeI64(x86.R11, flags);
    const bases = this.setBases(outcome);
    this.retire(
      bases.length === 0 ? effects : { ...effects, destinations: [...CALL_DESTINATIONS, ...bases] },
      address,
    );
  }

  /** The locations of those that the call has set. */
  private setBases({ fsBase, gsBase }: SegmentBases): readonly number[] {
    if (fsBase === undefined && gsBase === undefined) return NOTHING;
    const { machine } = this.parts;
    const set: number[] = [];
    for (const [base, variable, selector] of [
      [fsBase, x86.FS_BASE, x86.FS],
      [gsBase, x86.GS_BASE, x86.GS],
    ] as const) {
      if (base === undefined) continue;
      machine.writeI64(variable, base);
      machine.writeI32(selector, 0);
      set.push(x86.locationOf(variable));
    }
    return set;
  }
}
