import { blockedForever } from '../linux/blocked.ts';
import type { Wait } from '../linux/not-yet.ts';
import type { SharedState } from '../linux/state.ts';
import type { BornProcess } from '../linux/system.ts';
import type { GuestExit } from '../observation/observation.ts';
import type { CodeSpace } from './code/code-space.ts';
import { Outgrown } from './memory/measure-plan.ts';
import { Pass, type PassOptions } from './pass/pass.ts';
import { ChildSpaces } from './processes/child-spaces.ts';
import type { Family, PassCounts, Process } from './processes/process.ts';
import type { PendingCall } from './threads/threads.ts';

/** What happens to processes that the guest starts. */
export interface Children {
  /** Whether their instructions and cycles count; else they run as fast as can be, for what they do. */
  readonly areMeasured: boolean;
  /** Where they run, in this pass and in others. */
  readonly spaces: ChildSpaces;
}

/** One program in one process, in the order in which they ended. */
export interface ProgramCounts extends Omit<PassCounts, 'cycles'> {
  readonly process: number;
  readonly parent: number;
  /** The last cycle in which an instruction of it was executed; undefined where it was not measured. */
  readonly cycles: number | undefined;
}

/** Nanoseconds of sleep that processes are given that outlive the first one: an hour. Daemons would go on for ever. */
const AFTERLIFE = 3_600_000_000_000n;

export interface WorldOptions extends PassOptions {
  /** Unmeasured ones in spaces of their own where nothing is said. */
  readonly children?: Children;
}

interface Running {
  readonly pass: Pass;
  readonly space: CodeSpace;
  /** Why it does not run; undefined while it can. */
  wait: Wait | undefined;
}

/**
 * The guest's processes, of which one runs at a time. The schedule is fixed: a process runs until it waits, yields, stops, ends, or
 * has executed TURN instructions while others can run; then the one runs that has not run for the longest time among those
 * that can. A new process is the last of all, but for one whose parent waits for it to become another program (vfork): it is
 * next. Processes that outlive the first one go on until they have ended, or wait for what cannot happen, or for more than an
 * hour.
 */
export class World implements Family {
  readonly main: Pass;
  /** Programs that have ended, of the first process and of its children. */
  readonly ended: ProgramCounts[] = [];
  private readonly options: PassOptions;
  private readonly children: Children;
  /** In the order in which they are to run. */
  private readonly queue: Running[] = [];
  private readonly shared: SharedState;
  /** Instructions of all processes up to the present turn, of the one that has it up to then. */
  private total = 0;
  private ofRunning = 0;
  /** Nobody is waited for who sleeps longer. */
  private latest: bigint | undefined;

  constructor(options: WorldOptions) {
    this.options = options;
    this.children = options.children ?? { areMeasured: false, spaces: new ChildSpaces(options.space.limits) };
    this.main = new Pass({ ...options, family: this });
    this.shared = this.main.kernel.state.shared;
    this.queue.push({ pass: this.main, space: options.space, wait: undefined });
  }

  /**
   * Runs until every process has ended, or waits for what cannot happen after the first one has ended. Gives how that one
   * ended. Throws as Pass.turn does, and Failure `guest-blocked`.
   */
  run(): GuestExit {
    let exit: GuestExit | undefined;
    try {
      for (;;) {
        const next = this.next(exit !== undefined);
        if (next === undefined) {
          for (const { pass } of this.queue) this.note(pass, pass.stop());
          return exit!;
        }
        const end = this.turnOf(next);
        if (end === undefined) continue;
        if (next.pass === this.main) {
          exit = end;
          this.latest = this.now + AFTERLIFE;
        }
        this.bury(next, end);
      }
    } finally {
      this.main.finish();
      for (const { pass, space } of this.queue) if (pass !== this.main) this.children.spaces.release(space);
    }
  }

  /** Who has the next turn; the clock goes on to when somebody can. Undefined when it is over. */
  private next(isMainOver: boolean): Running | undefined {
    for (;;) {
      const found = this.ready();
      if (found !== undefined) return found;
      const times = this.queue.flatMap((running) => this.wakingTime(running) ?? []);
      if (times.length === 0) break;
      const next = times.reduce((a, b) => (a < b ? a : b));
      if (this.latest !== undefined && next > this.latest) break;
      this.shared.slept += next - this.now;
    }
    if (isMainOver) return undefined;
    const [{ pass, wait }] = this.queue;
    if (wait === undefined || pass.kernel.isStopped) throw blockedForever('a stop', 'nobody lets it go on');
    throw blockedForever(wait.call, wait.reason);
  }

  private ready(): Running | undefined {
    return this.queue.find((running) => this.canRun(running));
  }

  private canRun({ pass, wait }: Running): boolean {
    if (pass.kernel.isStopped) return false;
    if (wait === undefined || (wait.deadline !== undefined && wait.deadline <= this.now)) return true;
    this.turnTo(pass);
    pass.kernel.expireTimers();
    return wait.isReady();
  }

  get isShared(): boolean {
    return this.queue.length > 0;
  }

  areOthersReady(process: Process): boolean {
    // The clock has gone on since the turn began.
    const { total, ofRunning } = this;
    this.total += process.executed() - ofRunning;
    const isReady = this.ready() !== undefined;
    this.total = total;
    this.ofRunning = ofRunning;
    this.shared.elsewhere = BigInt(this.elsewhere());
    return isReady;
  }

  /** When the process wakes by itself, by the deadline of its wait or by a timer. */
  private wakingTime({ pass, wait }: Running): bigint | undefined {
    if (pass.kernel.isStopped) return undefined;
    this.turnTo(pass);
    const expiry = pass.kernel.untilNextExpiry();
    const timer = expiry === undefined ? undefined : this.now + expiry;
    const deadline = wait?.deadline;
    if (timer === undefined || deadline === undefined) return timer ?? deadline;
    return timer < deadline ? timer : deadline;
  }

  /** What the process's kernel says of time is right from now on. */
  private turnTo(pass: Pass): void {
    this.ofRunning = pass.executed();
    this.shared.elsewhere = BigInt(this.elsewhere());
  }

  /** The virtual clock between turns. */
  private get now(): bigint {
    return BigInt(this.total) + this.shared.slept;
  }

  elsewhere(): number {
    return this.total - this.ofRunning;
  }

  private turnOf(running: Running): GuestExit | undefined {
    const { pass } = running;
    this.queue.splice(this.queue.indexOf(running), 1);
    this.turnTo(pass);
    const { kernel } = pass;
    kernel.refresh();
    const turn = this.orChildren(pass, () => pass.turn());
    this.total += pass.executed() - this.ofRunning;
    if (turn.kind === 'ended') return turn.exit;
    kernel.publish();
    running.wait = turn.kind === 'waits' ? turn.wait : undefined;
    this.queue.push(running);
    return undefined;
  }

  /** Where a child lacks something that is not its parent's concern, that is noted. Throws Outgrown all the same. */
  private orChildren<T>(pass: Pass, run: () => T): T {
    try {
      return run();
    } catch (problem) {
      if (pass === this.main || !(problem instanceof Outgrown)) throw problem;
      const { areMeasured, spaces } = this.children;
      if (areMeasured && problem.what !== 'faults') throw problem;
      spaces.outgrow(problem.what);
      throw new Outgrown('children');
    }
  }

  private bury({ pass, space }: Running, exit: GuestExit): void {
    const { kernel } = pass;
    this.note(pass, pass.finalCounts());
    kernel.end(exit.kind === 'exit' ? exit : { kind: 'signal', signal: exit.signal });
    if (pass !== this.main) this.children.spaces.release(space);
  }

  private note(process: Process, counts: PassCounts): void {
    const { id, parent } = process.kernel.state.process;
    const isMeasured = process === this.main || this.children.areMeasured;
    this.ended.push({ process: id, parent, ...counts, cycles: isMeasured ? counts.cycles : undefined });
  }

  // --- what processes do

  born(parent: Process, born: BornProcess, call: PendingCall): void {
    const isMeasured = this.children.areMeasured;
    const { spaces } = this.children;
    const plan = isMeasured ? this.options.space.measurePlan : undefined;
    const space = spaces.take(born.process.id, plan);
    const { guest } = this.options;
    const pass = new Pass({
      guest,
      space,
      named: [],
      depth: 0,
      firstDepth: 0,
      family: this,
      origin: { parent, born, call, isMeasured },
    });
    const child = { pass, space, wait: undefined };
    if (born.process.isWaitedFor) this.queue.unshift(child);
    else this.queue.push(child);
  }

  replaced(process: Process, counts: PassCounts): void {
    this.note(process, counts);
  }
}
