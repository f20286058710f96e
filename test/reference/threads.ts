import { Scheduler } from '../../src/emulator/threads/scheduler.ts';
import { RootSearch } from '../../src/emulator/threads/thread-root.ts';
import type { Value } from '../../src/ir/value.ts';
import type { Kernel } from '../../src/linux/kernel.ts';
import type { Wait } from '../../src/linux/not-yet.ts';
import type { StartedThread } from '../../src/linux/system.ts';
import type { CodeReader } from '../../src/x86/decode.ts';
import { FS_BASE, RAX, RSP, VARIABLES } from '../../src/x86/state.ts';
import type { DataFlowGraph } from './graph.ts';
import type { ReferenceMachine } from './machine.ts';
import type { Schedule } from './run.ts';
import type { ReferenceSignals } from './signals.ts';

interface Parts {
  readonly kernel: Kernel;
  readonly machine: ReferenceMachine;
  readonly graph: DataFlowGraph;
  readonly code: CodeReader;
  readonly handlers: ReferenceSignals;
  readonly quantum: number | undefined;
}

/** How the system call at hand ended for the thread that made it. */
type CallEnd =
  | { readonly kind: 'return'; readonly started: StartedThread | undefined; readonly yields: boolean }
  | { readonly kind: 'wait'; readonly wait: Wait }
  | { readonly kind: 'exit' };

/** The threads of a reference run: the schedule is that of a measurement, one instruction at a time. */
export class ReferenceThreads implements Schedule {
  private readonly parts: Parts;
  private readonly scheduler: Scheduler;
  /** By index. */
  private readonly ids: number[];
  private readonly searches: (RootSearch | undefined)[] = [undefined];
  private readonly waits = new Map<number, Wait>();
  private readonly signals = new Map<number, ReturnType<ReferenceSignals['park']>>();
  private readonly fresh: { next: number; values: readonly Value[]; stack: StartedThread['stack'] }[] = [];
  private end: CallEnd | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
    const { kernel, quantum } = parts;
    this.ids = [kernel.state.running];
    this.scheduler = new Scheduler(kernel, this.ids[0], true, quantum);
  }

  /** Of each thread but the first: the function that it was started for, and whether its calls are known. */
  get roots(): readonly { readonly root: number | undefined; readonly isFound: boolean }[] {
    return this.searches.map((search) => ({ root: search?.root, isFound: search?.isFound === true }));
  }

  /** What a timer that expired has made ready. */
  look(): void {
    if (this.scheduler.hasWaiting) this.scheduler.look(this.parts.graph.length);
  }

  get hasWaiting(): boolean {
    return this.scheduler.hasWaiting;
  }

  /** What the running thread's call answered before. */
  takeWait(): Wait | undefined {
    const { running } = this.scheduler;
    const wait = this.waits.get(running);
    this.waits.delete(running);
    return wait;
  }

  called(end: CallEnd): void {
    this.end = end;
  }

  retired(address: number, next: number): void {
    const { scheduler } = this;
    const { graph, code } = this.parts;
    const executed = graph.length;
    const index = this.running();
    const search = this.searches[index];
    if (search !== undefined && !search.isOver)
      search.note(code.scan(address).flow === 'indirect-call', next);
    const { end } = this;
    this.end = undefined;
    if (end?.kind === 'wait') {
      this.waits.set(scheduler.running, end.wait);
      scheduler.wait(end.wait, executed);
    } else if (end?.kind === 'exit') scheduler.exit(executed);
    else if (end !== undefined || executed >= scheduler.until) {
      if (end?.started !== undefined) this.start(end.started, next);
      scheduler.look(executed);
      if (end?.yields === true || scheduler.isOver(executed)) scheduler.yield(executed);
    }
    this.switchFrom(index);
  }

  private start({ id, stackPointer, stack, fsBase }: StartedThread, next: number): void {
    const { graph, machine } = this.parts;
    const values = machine.values.map((value) => (value instanceof Uint8Array ? value.slice() : value));
    values[RAX] = 0n;
    if (stackPointer !== undefined) values[RSP] = stackPointer;
    if (fsBase !== undefined) values[FS_BASE] = fsBase;
    graph.startThread(
      this.ids.length,
      [RSP, FS_BASE].map((variable) => VARIABLES[variable].location!),
    );
    this.ids.push(id);
    this.searches.push(new RootSearch(fsBase));
    this.fresh.push({ next, values, stack });
    this.scheduler.start(id, graph.length);
  }

  private switchFrom(before: number): void {
    const { kernel, handlers } = this.parts;
    const index = this.running();
    if (index === before) return;
    this.signals.set(before, handlers.park());
    handlers.resume(this.signals.get(index));
    kernel.switchTo(this.scheduler.running);
  }

  running(): number {
    return this.ids.indexOf(this.scheduler.running);
  }

  started(): ReturnType<Schedule['started']> {
    return this.fresh.splice(0);
  }
}
