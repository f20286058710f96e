import type { Step } from './graph.ts';

/** A measured call, or the run at the root: the instructions from `start` up to, not including, `end` (rule 9). */
export interface Call {
  /** Entry address of the callee. */
  readonly callee: number;
  readonly start: Step;
  readonly end: Step;
  readonly calls: readonly Call[];
}

interface OpenCall {
  readonly callee: number;
  readonly start: Step;
  /** Address of the return address; the root has none. */
  readonly slot: bigint | undefined;
  end: Step;
  readonly calls: OpenCall[];
}

/** Follows calls, tail calls and returns. */
export class CallTracker {
  private readonly isEntry: (address: number) => boolean;
  private readonly root: OpenCall;
  private readonly open: OpenCall[];

  constructor(entry: number, isEntry: (address: number) => boolean) {
    this.isEntry = isEntry;
    this.root = { callee: entry, start: 0, slot: undefined, end: 0, calls: [] };
    this.open = [this.root];
  }

  /** A call instruction has pushed the return address at `rsp`; the callee's first instruction is `next`. */
  call(callee: number, rsp: bigint, next: Step): void {
    this.push(callee, rsp, next);
  }

  /** A jump to another function's entry is a tail call: the caller's `ret` closes both. */
  jump(target: number, next: Step): void {
    const current = this.open[this.open.length - 1];
    if (current.slot !== undefined && target !== current.callee && this.isEntry(target))
      this.push(target, current.slot, next);
  }

  private push(callee: number, slot: bigint, start: Step): void {
    const call: OpenCall = { callee, start, slot, end: start, calls: [] };
    this.open[this.open.length - 1].calls.push(call);
    this.open.push(call);
  }

  /** After an instruction: calls above whose return slot the stack pointer has risen are over, the instruction included. */
  retire(rsp: bigint, next: Step): void {
    for (;;) {
      const { slot } = this.open[this.open.length - 1];
      if (slot === undefined || rsp <= slot) return;
      (this.open.pop() as OpenCall).end = next;
    }
  }

  /** The run is over: what is still open ends with it. */
  finish(next: Step): Call {
    for (const call of this.open) call.end = next;
    return this.root;
  }
}
