import { STACK_SIZE, STACK_TOP } from '../../src/guest/layout.ts';
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
  graph: DataFlowGraph,
  trace: Trace,
  code: CodeMap,
  root?: number,
  programEntry?: number,
): Call {
  const run: OpenCall = { callee: graph.address(0), start: 0, slot: Infinity, end: graph.length, calls: [] };
  const open = [run];
  let isRooted = root === undefined;
  /** Return slot of a call that is still on its way through a stub or the resolver. */
  let linking: number | undefined;
  const innermost = (): OpenCall => open[open.length - 1];
  const enter = (callee: number, slot: number, start: Step): void => {
    const call: OpenCall = { callee, start, slot, end: graph.length, calls: [] };
    innermost().calls.push(call);
    open.push(call);
  };
  for (let step = 0; step < graph.length; step++) {
    const address = graph.address(step);
    if (!isRooted && address === root) {
      isRooted = true;
      enter(address, address === programEntry ? Infinity : stackPointerBefore(trace, step), step);
    }
    const rsp = trace.stackPointers[step];
    while (open.length > 1 && hasRisenAbove(rsp, innermost().slot)) (open.pop() as OpenCall).end = step + 1;
    if (linking !== undefined && hasRisenAbove(rsp, linking)) linking = undefined;
    const isInTree = isRooted && (root === undefined || open.length > 1);
    if (!isInTree || step + 1 === graph.length) continue;
    const next = graph.address(step + 1);
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
        enter(next, innermost().slot, step + 1);
    }
  }
  return run;
}

/** The outermost calls of the function at an address, wherever control reaches its first instruction. */
export function outermostCalls(
  graph: DataFlowGraph,
  trace: Trace,
  entry: number,
  programEntry: number,
): Call[] {
  const calls: Call[] = [];
  let open: { readonly start: Step; readonly slot: number } | undefined;
  for (let step = 0; step < graph.length; step++) {
    if (open === undefined && graph.address(step) === entry)
      open = { start: step, slot: entry === programEntry ? Infinity : stackPointerBefore(trace, step) };
    if (open === undefined) continue;
    if (step + 1 < graph.length && !hasRisenAbove(trace.stackPointers[step], open.slot)) continue;
    calls.push({ callee: entry, start: open.start, end: step + 1, calls: [] });
    open = undefined;
  }
  return calls;
}

function stackPointerBefore(trace: Trace, step: Step): number {
  return step === 0 ? trace.initialStackPointer : trace.stackPointers[step - 1];
}

/** Rule 9 compares stack pointers on one stack only: the main one, or another. */
function hasRisenAbove(rsp: number, slot: number): boolean {
  return rsp > slot && isOnMainStack(rsp) === isOnMainStack(slot);
}

const isOnMainStack = (rsp: number): boolean => rsp > STACK_TOP - STACK_SIZE && rsp <= STACK_TOP;
