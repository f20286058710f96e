import { type OwnedStack, Stack, Stacks } from '../../src/emulator/contexts/stacks.ts';
import { STACK_TOP } from '../../src/guest/layout.ts';
import { STACK_SIZE } from '../../src/linux/main-stack.ts';
import type { DataFlowGraph, Step } from './graph.ts';
import type { Trace } from './trace.ts';

/** A measured call, or the run at the root: the instructions from `start` up to, not including, `end` (rule 9). */
export interface Call {
  /** Entry address of the callee. */
  readonly callee: number;
  readonly start: Step;
  readonly end: Step;
  readonly calls: readonly Call[];
}

/** What rule 9 must know of the code: whose it is. */
export interface CodeMap {
  isEntry(address: number): boolean;
  /** Entry of the function whose code covers the address. */
  functionAt(address: number): number | undefined;
  /** Whether the address is in a PLT stub. */
  isStub(address: number): boolean;
}

/** Code of which only calls and returns are known. */
export const PLAIN_CODE: CodeMap = {
  isEntry: () => false,
  functionAt: () => undefined,
  isStub: () => false,
};

/** What one thread executed, as if there were no others: by its own steps. */
export interface ThreadView {
  readonly length: number;
  address(own: number): number;
  /** The step of the run. */
  stepOf(own: number): Step;
  /** Where something begins of which that is the first step: right behind the one before, though others may run first. */
  startOf(own: number): Step;
  /** Of the run. */
  readonly end: Step;
}

export function threadView(graph: DataFlowGraph, { steps }: Trace): ThreadView {
  return {
    length: steps.length,
    address: (own) => graph.address(steps[own]),
    stepOf: (own) => steps[own],
    startOf: (own) => (own === 0 ? steps[0] : steps[own - 1] + 1),
    end: graph.length,
  };
}

interface OpenCall {
  readonly callee: number;
  readonly start: Step;
  /** Address of the return address. */
  slot: number;
  end: Step;
  readonly calls: OpenCall[];
}

/** What is open on the stacks of one thread. */
class OpenCalls<T extends { slot: number }> {
  readonly stacks: Stacks;
  private readonly on = new Map<Stack, T[]>();
  private readonly close: (call: T, around: T | undefined) => void;
  private owner: OwnedStack | undefined;

  constructor(trace: Trace, close: (call: T, around: T | undefined) => void) {
    const { initialStackPointer: rsp, stack } = trace;
    const main = { start: STACK_TOP - STACK_SIZE, end: STACK_TOP };
    const isMain = rsp > main.start && rsp <= main.end;
    const own = stack === undefined ? Stack.other(rsp) : Stack.given(stack);
    this.stacks = new Stacks(
      isMain ? Stack.main(main) : own,
      () => this.owner,
      (stack, distance) => {
        for (const call of this.on.get(stack) ?? []) call.slot += distance;
      },
    );
    this.close = close;
  }

  get present(): T[] {
    const { present } = this.stacks;
    let calls = this.on.get(present);
    if (calls === undefined) {
      calls = [];
      this.on.set(present, calls);
    }
    return calls;
  }

  /** One in the other. */
  get chain(): readonly T[] {
    return this.stacks.entered.flatMap((stack) => this.on.get(stack) ?? []);
  }

  /** What the thread does at a step to its stack pointer; `closing` is what ends with the step. */
  step(trace: Trace, step: number, linking: (risen: (slot: number) => boolean) => void): void {
    const rsp = trace.stackPointers[step];
    const before = trace.stackSets.get(step);
    this.owner = trace.stackOwners.get(step);
    if (before !== undefined) this.goTo(this.stacks.after(before, rsp));
    while ((this.present.at(-1)?.slot ?? Infinity) < rsp) this.closeOne();
    linking((slot) => rsp > slot);
    const alternate = trace.moves.get(step)?.alternate;
    if (alternate === undefined) return;
    this.stacks.present.note(rsp);
    const known = this.stacks.entered.find(({ kind }) => kind === 'alternate');
    this.goTo(known ?? Stack.alternate(alternate));
  }

  private closeOne(): void {
    const call = this.present.pop()!;
    this.close(call, this.chain.at(-1));
  }

  private leave(): void {
    const { entered, left, present } = this.stacks;
    if (present.kind === 'alternate') while (this.present.length > 0) this.closeOne();
    if (this.present.length > 0) {
      present.reach(this.present[0].slot);
      left.add(present);
    }
    entered.pop();
  }

  private goTo(stack: Stack): void {
    const { stacks } = this;
    const { entered, left } = stacks;
    if (entered.includes(stack)) {
      while (stacks.present !== stack) this.leave();
      return;
    }
    while (entered.length > 1 && (stacks.present.kind === 'alternate' || this.present.length === 0))
      this.leave();
    left.delete(stack);
    entered.push(stack);
  }

  /** Nothing stays open. */
  finish(): void {
    const { entered, left } = this.stacks;
    const closeAll = () => {
      while (this.present.length > 0) this.closeOne();
      entered.pop();
    };
    while (entered.length > 1) closeAll();
    for (const stack of [...left]) {
      entered.push(stack);
      closeAll();
    }
    while (this.present.length > 0) this.closeOne();
  }
}

/**
 * The run with its calls to a depth, each in the one that is around it when it ends. `root` is where the tree of calls begins: main, or
 * the program's entry; without it every call of the run is a context.
 */
export function callTree(
  view: ThreadView,
  trace: Trace,
  code: CodeMap,
  root?: number,
  programEntry?: number,
  deepest = Infinity,
): Call {
  const run: OpenCall = {
    callee: view.address(0),
    start: view.stepOf(0),
    slot: Infinity,
    end: view.end,
    calls: [],
  };
  let now = 0;
  let isOver = false;
  const open = new OpenCalls<OpenCall>(trace, (call, around) => {
    if (!isOver) call.end = view.stepOf(now) + 1;
    around?.calls.push(call);
  });
  open.present.push(run);
  let isRooted = root === undefined;
  /** Return slot of a call that is still on its way through a stub or the resolver. */
  let linking: number | undefined;
  let handlerSlot = 0;
  const enter = (callee: number, slot: number, start: Step): void => {
    if (open.chain.length > deepest) return;
    open.present.push({ callee, start: view.startOf(start), slot, end: view.end, calls: [] });
  };
  /** What the handler of a signal jumps to returns where the handler would; so does what runs on another stack. */
  const tailSlot = (rsp: number): number => {
    const slot = open.present.at(-1)?.slot ?? rsp;
    return slot === Infinity || rsp !== handlerSlot ? slot : rsp;
  };
  for (let step = 0; step < view.length; step++) {
    now = step;
    const address = view.address(step);
    if (!isRooted && address === root) {
      isRooted = true;
      enter(address, address === programEntry ? Infinity : stackPointerBefore(trace, step), step);
    }
    const rsp = trace.stackPointers[step];
    open.step(trace, step, (hasRisen) => {
      if (linking !== undefined && hasRisen(linking)) linking = undefined;
    });
    const move = trace.moves.get(step);
    const isInTree = isRooted && (root === undefined || open.chain.length > 1);
    if (!isInTree || step + 1 === view.length) {
      handlerSlot = move?.handlerSlot ?? handlerSlot;
      continue;
    }
    const next = move?.interrupted ?? view.address(step + 1);
    const flow = trace.flows[step];
    if (linking !== undefined) {
      // Stub and resolver open nothing; the jump that leaves them with the call's own stack enters the function.
      if (flow === 'jump' && rsp === linking && !code.isStub(next)) {
        linking = undefined;
        enter(next, rsp, step + 1);
      }
    } else if (flow === 'call') {
      if (code.isStub(next)) linking = rsp;
      else enter(next, rsp, step + 1);
    } else if (flow === 'jump') {
      if (code.isStub(next)) linking = rsp;
      else if (code.isEntry(next) && code.functionAt(address) !== next && open.chain.length > 1)
        enter(next, tailSlot(rsp), step + 1);
    }
    handlerSlot = move?.handlerSlot ?? handlerSlot;
  }
  isOver = true;
  open.finish();
  return run;
}

/** The outermost calls of the function at an address, wherever control reaches its first instruction. */
export function outermostCalls(view: ThreadView, trace: Trace, entry: number, programEntry: number): Call[] {
  const calls: Call[] = [];
  let now = 0;
  const open = new OpenCalls<{ readonly start: Step; slot: number }>(trace, ({ start }) => {
    calls.push({ callee: entry, start: view.stepOf(start), end: view.stepOf(now) + 1, calls: [] });
    isOpen = false;
  });
  let isOpen = false;
  for (let step = 0; step < view.length; step++) {
    now = step;
    if (!isOpen && view.address(step) === entry) {
      isOpen = true;
      open.present.push({
        start: step,
        slot: entry === programEntry ? Infinity : stackPointerBefore(trace, step),
      });
    }
    open.step(trace, step, () => {});
  }
  open.finish();
  return calls;
}

function stackPointerBefore(trace: Trace, step: Step): number {
  if (step === 0) return trace.initialStackPointer;
  return trace.moves.get(step - 1)?.stackPointer ?? trace.stackPointers[step - 1];
}
