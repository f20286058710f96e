import { HOST_STACK } from '../../guest/layout.ts';
import type { GuestMemory } from '../../guest/memory.ts';
import type { Kernel } from '../../linux/kernel.ts';
import { fullStackAt } from '../../linux/main-stack.ts';
import type { GuestExit } from '../../observation/observation.ts';
import { X87Unmasked } from '../../x86/float/helpers.ts';
import { RSP } from '../../x86/state.ts';
import type { CodeSpace } from '../code/code-space.ts';
import type { Tier } from '../code/tiers.ts';
import type { Forks } from '../counts/forks.ts';
import type { Tracer } from '../counts/tracer.ts';
import { GuestEnd } from '../machine/fault.ts';
import type { StateMachine } from '../machine/state.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import { Outgrown } from '../memory/measure-plan.ts';
import type { TagsLedger } from '../memory/tags-ledger.ts';
import type { Turn } from '../processes/process.ts';
import { type Continuation, REPLACED } from '../slices/continuation.ts';
import type { Deadlines } from '../slices/deadlines.ts';
import type { Halt } from '../slices/halt.ts';
import type { SliceClock } from '../slices/slice-clock.ts';
import type { Slices } from '../slices/slices.ts';
import { AllWait } from '../threads/scheduler.ts';
import type { RootSearch } from '../threads/thread-root.ts';
import { type CaughtFaults, faultOf } from './caught-faults.ts';
import type { ProcessTurn } from './process-turn.ts';
import type { Program } from './program.ts';
import { SYSCALL_ARGUMENTS } from './served.ts';
import type { SystemCalls } from './system-calls.ts';

interface RunLoopParts {
  readonly halt: Halt | undefined;
  /** Whether it is a process that another one has started. */
  readonly isChild: boolean;
  readonly space: CodeSpace;
  readonly memory: GuestMemory;
  readonly lanes: LanesLedger | undefined;
  readonly tags: TagsLedger | undefined;
  readonly clock: SliceClock;
  readonly kernel: Kernel;
  readonly machine: StateMachine;
  readonly faults: CaughtFaults;
  readonly program: Program;
  readonly continuation: Continuation;
  readonly deadlines: Deadlines;
  readonly slices: Slices;
  readonly turn: ProcessTurn;
  readonly calls: SystemCalls;
}

/** Instructions between two looks at the log, which holds some thousand of them. */
const LOGGED_SLICE = 1000;

/** Runs a process slice by slice, and does between them what cannot be done while generated code runs. */
export class RunLoop {
  private readonly parts: RunLoopParts;
  /** Whether nothing has run in the present turn. */
  private isTurnNew = false;

  constructor(parts: RunLoopParts) {
    this.parts = parts;
  }

  /** Runs until the guest ends or waits, or others have waited long enough. Throws Failure when it cannot go on, PassOver when it has seen enough, Outgrown. */
  run(): Turn {
    const { space, lanes, tags, kernel, program, slices, turn } = this.parts;
    turn.begin();
    this.isTurnNew = true;
    try {
      (lanes ?? tags)?.rebase();
      (lanes ?? tags)?.makeRoom();
      slices.look();
      program.threads.wake();
      for (;;) {
        const exit = space.tracer === undefined ? this.slice() : this.tracedSlice(space.tracer);
        if (exit !== undefined) return { kind: 'ended', exit };
        if (space.forks !== undefined) this.divide(space.forks);
        if (turn.isOver || kernel.isStopped) return { kind: 'yields' };
      }
    } catch (problem) {
      if (!(problem instanceof AllWait)) throw problem;
      this.pauseIfAsked();
      return { kind: 'waits', wait: problem.wait };
    }
  }

  /** Runs one slice, of usual length unless it is said. Gives the guest's exit if it has ended; throws as `run`. */
  slice(instructions?: number, tier: 'usual' | 'logging' = 'usual'): GuestExit | undefined {
    try {
      const { space, slices } = this.parts;
      space.renewCode();
      this.switchThread();
      // By a call that was made again between two slices.
      if (slices.wasLeft()) return this.finishSlice();
      const { search } = this.parts.program.threads.running;
      if (search !== undefined) this.searchRoot(search);
      else this.runSlice(instructions, tier);
      return undefined;
    } catch (problem) {
      if (problem === REPLACED) return this.finishSlice();
      const exit = this.exitOf(problem);
      if (exit === undefined) throw problem;
      this.parts.program.finish();
      return exit;
    }
  }

  private exitOf(problem: unknown): GuestExit | undefined {
    if (problem instanceof GuestEnd) return problem.outcome;
    const fault = faultOf(problem);
    if (fault === undefined) return undefined;
    const { faults, kernel } = this.parts;
    const address = Number(fault.address);
    const fullStack = fullStackAt(kernel, address);
    return {
      kind: 'signal',
      signal: faults.signalOf(fault),
      address,
      ...(fullStack !== undefined && { fullStack }),
    };
  }

  private tracedSlice(tracer: Tracer): GuestExit | undefined {
    if (!tracer.begin()) return this.slice();
    try {
      return this.slice(LOGGED_SLICE, 'logging');
    } finally {
      tracer.drain();
    }
  }

  private runSlice(instructions: number | undefined, tier: Tier): void {
    this.parts.slices.start(instructions, tier);
    this.execute();
    this.finishSlice();
  }

  /** Runs until the slice is over, or a signal's handler is entered or left. */
  private execute(): void {
    const { continuation, slices, faults, isChild } = this.parts;
    try {
      while (this.dispatch()) {}
    } catch (problem) {
      if (problem instanceof X87Unmasked) throw new Outgrown('x87 exceptions');
      const fault = faultOf(problem);
      if (fault === undefined) throw problem;
      if (!faults.catches(fault)) {
        // The run goes on, and its clock, with what the child has executed.
        if (isChild) faults.locate(fault, slices.tier);
        throw problem;
      }
      continuation.deliverPending(faults.take(fault, slices.tier));
    }
  }

  /** Runs until the slice is over or code for another mode is to go on with it, which it tells. */
  private dispatch(): boolean {
    const { space, memory, clock, continuation, slices } = this.parts;
    const { mode } = space;
    memory.view.setInt32(HOST_STACK, space.limits.hostStack, true);
    const next = space.dispatch(continuation.next, slices.tier);
    if (slices.wasLeft()) return false;
    continuation.next = next;
    return space.mode !== mode && clock.left >= 0;
  }

  /** Between two slices. */
  private finishSlice(): undefined {
    const { space, lanes, tags, clock, program, continuation, deadlines, slices, turn } = this.parts;
    (lanes ?? tags)?.rebase();
    (lanes ?? tags)?.makeRoom();
    slices.look();
    space.translatePostponed();
    const { executed } = clock;
    if (executed >= deadlines.timer) {
      continuation.seeTimers();
      program.threads.scheduler.look(executed);
    }
    const { until } = deadlines;
    if (executed > until) throw new Error(`a slice ended ${executed - until} instructions late`);
    if (deadlines.isTurnSpent) turn.spend();
    if (executed === program.threads.scheduler.until) program.threads.reached();
    this.pauseIfAsked();
  }

  private pauseIfAsked(): void {
    const { halt, tags, clock, deadlines } = this.parts;
    if (deadlines.isHalt) halt!.reached({ executed: clock.executed, tags: tags! });
  }

  // --- threads

  /** Between slices: the thread runs whose turn it is, and what it waited for is there. */
  private switchThread(): void {
    const { program, continuation, calls, clock, deadlines, slices } = this.parts;
    const { threads } = program;
    const { isTurnNew } = this;
    this.isTurnNew = false;
    const before = threads.running;
    before.next = continuation.next;
    threads.switch();
    const { running } = threads;
    continuation.next = running.next;
    const { call } = running;
    if (call === undefined) {
      if (running !== before || isTurnNew) continuation.resume(running.next);
      return;
    }
    running.call = undefined;
    calls.answer(call);
    // It was an instruction, too: the slice that was to begin may be over.
    if (clock.executed >= deadlines.until) slices.leave();
  }

  /** Goes one instruction on the way to the function that the running thread was started for. */
  private searchRoot(search: RootSearch): void {
    const { space, program, continuation } = this.parts;
    const isCall = space.isIndirectCall(Number(continuation.next));
    this.runSlice(0, 'stepping');
    search.note(isCall, Number(continuation.next));
    if (search.isFound) program.contexts.enterRoot(Number(continuation.next));
    if (!search.isOver) return;
    program.contexts.nameRoot(search.root);
    program.threads.running.search = undefined;
  }

  /** Between slices: the running thread may have come into another region, by a probe or by starting another thread. */
  private divide(forks: Forks): void {
    if (forks.hasStopped) this.fork(forks);
    this.parts.space.divideCounts();
  }

  private fork(forks: Forks): void {
    const { machine, memory, continuation } = this.parts;
    const stackPointer = Number(machine.readI64(RSP));
    forks.stopped({
      address: Number(continuation.next),
      stackPointer,
      argument: (index) => Number(BigInt.asUintN(64, machine.readI64(SYSCALL_ARGUMENTS[index]))),
      returnAddress: () => Number(memory.view.getBigUint64(memory.offsetOf(stackPointer, 8), true)),
    });
  }
}
