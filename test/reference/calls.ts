import { STACK_TOP } from '../../src/guest/layout.ts';
import { STACK_SIZE } from '../../src/linux/main-stack.ts';
import type { DataFlowGraph, Step } from './graph.ts';
import type { Range, Trace } from './trace.ts';

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
  readonly slot: number;
  end: Step;
  readonly calls: OpenCall[];
}

/**
 * The run with its calls to any depth. `root` is where the tree of calls begins: main, or the program's entry; without
 * it every call of the run is a context.
 */
export function callTree(
  view: ThreadView,
  trace: Trace,
  code: CodeMap,
  root?: number,
  programEntry?: number,
): Call {
  const run: OpenCall = {
    callee: view.address(0),
    start: view.stepOf(0),
    slot: Infinity,
    end: view.end,
    calls: [],
  };
  const open = [run];
  let isRooted = root === undefined;
  /** Return slot of a call that is still on its way through a stub or the resolver. */
  let linking: number | undefined;
  let alternate: Range | undefined;
  let handlerSlot = 0;
  const innermost = (): OpenCall => open[open.length - 1];
  const enter = (callee: number, slot: number, start: Step): void => {
    const call: OpenCall = { callee, start: view.startOf(start), slot, end: view.end, calls: [] };
    innermost().calls.push(call);
    open.push(call);
  };
  /** What the handler of a signal jumps to returns where the handler would; so does what runs on another stack. */
  const tailSlot = (slot: number, rsp: number): number =>
    slot === Infinity || (rsp !== handlerSlot && stackOf(slot, alternate) === stackOf(rsp, alternate))
      ? slot
      : rsp;
  for (let step = 0; step < view.length; step++) {
    const address = view.address(step);
    if (!isRooted && address === root) {
      isRooted = true;
      enter(address, address === programEntry ? Infinity : stackPointerBefore(trace, step), step);
    }
    const rsp = trace.stackPointers[step];
    while (open.length > 1 && hasRisenAbove(rsp, innermost().slot, alternate))
      (open.pop() as OpenCall).end = view.stepOf(step) + 1;
    if (linking !== undefined && hasRisenAbove(rsp, linking, alternate)) linking = undefined;
    const move = trace.moves.get(step);
    if (move !== undefined) ({ alternate } = move);
    const isInTree = isRooted && (root === undefined || open.length > 1);
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
      else if (code.isEntry(next) && code.functionAt(address) !== next && open.length > 1)
        enter(next, tailSlot(innermost().slot, rsp), step + 1);
    }
    handlerSlot = move?.handlerSlot ?? handlerSlot;
  }
  return run;
}

/** The outermost calls of the function at an address, wherever control reaches its first instruction. */
export function outermostCalls(view: ThreadView, trace: Trace, entry: number, programEntry: number): Call[] {
  const calls: Call[] = [];
  let open: { readonly start: Step; readonly slot: number } | undefined;
  let alternate: Range | undefined;
  for (let step = 0; step < view.length; step++) {
    if (open === undefined && view.address(step) === entry)
      open = { start: step, slot: entry === programEntry ? Infinity : stackPointerBefore(trace, step) };
    const before = alternate;
    alternate = trace.moves.get(step)?.alternate ?? alternate;
    if (open === undefined) continue;
    if (step + 1 < view.length && !hasRisenAbove(trace.stackPointers[step], open.slot, before)) continue;
    calls.push({
      callee: entry,
      start: view.stepOf(open.start),
      end: view.stepOf(step) + 1,
      calls: [],
    });
    open = undefined;
  }
  return calls;
}

function stackPointerBefore(trace: Trace, step: Step): number {
  if (step === 0) return trace.initialStackPointer;
  return trace.moves.get(step - 1)?.stackPointer ?? trace.stackPointers[step - 1];
}

/**
 * Rule 9 compares stack pointers on one stack only: the main one, the alternate one of signals, or another. Nothing on
 * the alternate stack outlives the handler, which left it.
 */
function hasRisenAbove(rsp: number, slot: number, alternate: Range | undefined): boolean {
  const [to, from] = [stackOf(rsp, alternate), stackOf(slot, alternate)];
  return to === from ? rsp > slot : from === 'alternate';
}

function stackOf(rsp: number, alternate: Range | undefined): 'alternate' | 'main' | 'other' {
  if (alternate !== undefined && rsp > alternate.start && rsp <= alternate.end) return 'alternate';
  return rsp > STACK_TOP - STACK_SIZE && rsp <= STACK_TOP ? 'main' : 'other';
}
