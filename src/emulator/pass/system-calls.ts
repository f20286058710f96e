import type { Kernel, SyscallOutcome } from '../../linux/kernel.ts';
import type { Wait } from '../../linux/not-yet.ts';
import * as x86 from '../../x86/state.ts';
import type { CodeSpace } from '../code/code-space.ts';
import { GuestEnd } from '../machine/fault.ts';
import { type Continuation, REPLACED } from '../slices/continuation.ts';
import type { SliceClock } from '../slices/slice-clock.ts';
import type { Slices } from '../slices/slices.ts';
import { RT_SIGRETURN } from '../threads/signals.ts';
import type { PendingCall, Thread } from '../threads/threads.ts';
import type { ProcessTurn } from './process-turn.ts';
import type { Program } from './program.ts';
import type { Served } from './served.ts';

interface SystemCallParts {
  readonly kernel: Kernel;
  readonly space: CodeSpace;
  readonly clock: SliceClock;
  readonly served: Served;
  readonly program: Program;
  readonly continuation: Continuation;
  readonly slices: Slices;
  readonly turn: ProcessTurn;
}

/** execve and execveat. */
const EXECUTE_CALLS: readonly number[] = [59, 322];

/** System calls, from the instruction to what they do to threads, processes and the program. */
export class SystemCalls {
  private readonly parts: SystemCallParts;

  constructor(parts: SystemCallParts) {
    this.parts = parts;
  }

  /** The instruction at an address makes one. Throws as `make`. */
  serve(address: number, next: number): void {
    const call = this.parts.served.callAt(address, next);
    if (call.number === RT_SIGRETURN) this.leaveHandler(address);
    else this.make(call, undefined);
  }

  /** A thread runs again that waits in one: it retires now. Throws as `make`. */
  answer({ call, wait, retire }: NonNullable<Thread['call']>): void {
    const { clock, continuation } = this.parts;
    clock.count(1);
    retire();
    continuation.next = BigInt(call.next);
    this.make(call, wait);
  }

  /**
   * Makes a system call, again if it has waited. The slice is left when another thread is to run before this one goes on, or the
   * turn is over. Throws REPLACED when the guest is another program.
   */
  private make(call: PendingCall, waited: Wait | undefined): void {
    const { kernel, space, clock, served, program, continuation, slices, turn } = this.parts;
    const { threads } = program;
    const modules = kernel.modules.length;
    // Before another program's names are there.
    const counts = EXECUTE_CALLS.includes(call.number) ? program.counts() : undefined;
    const outcome = this.ask(call, waited);
    if (kernel.born !== undefined) turn.bear(kernel.born, call);
    switch (outcome.kind) {
      case 'wait':
        // It retires when it is answered.
        clock.count(-1);
        threads.wait(call, outcome, space.postpone(call.address));
        return slices.leave();
      case 'replaced':
        program.finish();
        turn.replaced({ ...counts!, cycles: program.contexts.runCycles });
        program.become(outcome.loaded);
        throw REPLACED;
    }
    if (kernel.modules.length > modules) program.contexts.forgetTargets();
    served.finishCall(call, outcome);
    if (outcome.kind === 'thread-exit') {
      space.forks?.ended();
      threads.exit();
      return slices.leave();
    }
    if (outcome.kind !== 'return') throw new GuestEnd(outcome);
    if (outcome.started !== undefined) {
      space.meetThreads();
      threads.start(outcome.started, call.next);
      space.forks?.started();
    }
    const { delivery, restarts = false, yields = false } = outcome;
    continuation.next = BigInt(restarts ? call.address : call.next);
    if (delivery !== undefined) continuation.deliver(delivery, continuation.next);
    const isTurnOver = turn.called(yields);
    // Counts go elsewhere from here on.
    const divides = outcome.started !== undefined && space.forks !== undefined;
    if (threads.called(yields) || isTurnOver || delivery !== undefined || divides || space.isOutdated)
      return slices.leave();
    slices.shorten();
  }

  /** While there is nobody else to run, what a call waits for is time. */
  private ask({ number, args }: PendingCall, waited: Wait | undefined): SyscallOutcome {
    const { kernel, program, turn } = this.parts;
    const outcome = kernel.syscall(number, args, waited);
    if (outcome.kind !== 'wait' || !turn.isAlone || program.threads.scheduler.isShared) return outcome;
    return kernel.answer(number, args, outcome);
  }

  private leaveHandler(address: number): void {
    const { served, space, continuation, slices } = this.parts;
    served.retire({ sources: [x86.locationOf(x86.RAX)], destinations: [], loads: [], stores: [] }, address);
    continuation.leaveHandler((before) => {
      space.opener.setStack(before);
      space.opener.close();
    });
    slices.leave();
  }
}
