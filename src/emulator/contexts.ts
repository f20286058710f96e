import type { Address } from '../base/brand.ts';
import { STACK_SIZE, STACK_TOP } from '../guest/layout.ts';
import { CALLS_PER_PARENT, type CallRecord } from '../observation/observation.ts';

/** One open measured call (rule 9). */
export interface Context {
  readonly entry: number;
  /** Depth in the call tree, or undefined for a call that is measured because of its function's name. */
  readonly depth: number | undefined;
  /** Lane that measures its cycles in this pass, or undefined. */
  readonly lane: number | undefined;
  /** Address of its return address: it closes when rsp rises above. */
  readonly slot: bigint;
  /** Instructions the run had executed when it opened. */
  readonly start: number;
  /** Ordinal among its function's outermost calls; undefined for a call inside another of the same function. */
  readonly ordinal: number | undefined;
  readonly record: MutableCall | undefined;
}

/** Growing form of CallRecord. Cycles stay undefined where the pass has no lane for the depth. */
export interface MutableCall {
  readonly entry: number;
  readonly depth: number;
  instructions: number;
  cycles: number | undefined;
  readonly calls: MutableCall[];
  readonly rest: Map<number, { calls: number; instructions: number; cycles: number | undefined }>;
}

/** Sums over the outermost calls of a function that this pass measured. */
export interface FunctionSums {
  calls: number;
  instructions: number;
  cycles: number;
  longest: LongestCall;
  /** Instructions the run had executed when the first of them began. */
  first: number;
}

export interface LongestCall {
  readonly index: number;
  readonly instructions: number;
  readonly cycles: number;
  /** Instructions the run had executed when the call began. */
  readonly start: number;
}

/** What a pass measures: lanes by depth, lanes by function. */
export interface ContextPlan {
  /** Deepest context of the call tree; -1 is unbounded. */
  readonly depth: number;
  readonly laneOfDepth: (depth: number) => number | undefined;
  /** Entry addresses measured wherever they are entered. */
  readonly laneOfFunction: (entry: number) => number | undefined;
}

/** How the measurement begins and ends a context. */
export interface LaneMeter {
  open(lane: number): void;
  cycles(lane: number): number;
}

/** Return slot of what never returns: the run, and code at the ELF entry. */
export const NO_SLOT = 0x7fff_ffff_ffff_ffffn;

/** The stack of open contexts of one pass, and what the closed ones measured. */
export class Contexts {
  readonly run: MutableCall;
  /** By entry address. */
  readonly functions = new Map<number, FunctionSums>();
  /** Deepest depth that opened or would have opened. */
  deepest = 0;
  private readonly plan: ContextPlan;
  private readonly meter: LaneMeter;
  private readonly executed: () => number;
  private readonly stack: Context[] = [];
  private readonly ordinals = new Map<string, number>();
  /** Open contexts by function: the stack may be as deep as the guest's recursion, so it is not searched. */
  private readonly nesting = new Map<string, number>();
  /** The call tree is what main (or the ELF entry) calls: no depth context before or after it. */
  private isRooted = false;
  /** Return slot of a call that went into a linkage stub and has not reached its function yet. */
  private linkingSlot: bigint | undefined;

  constructor(plan: ContextPlan, meter: LaneMeter, entry: number, executed: () => number) {
    this.plan = plan;
    this.meter = meter;
    this.executed = executed;
    this.run = { entry, depth: 0, instructions: 0, cycles: undefined, calls: [], rest: new Map() };
    const lane = plan.laneOfDepth(0);
    if (lane !== undefined) meter.open(lane);
    this.stack.push({ entry, depth: 0, lane, slot: NO_SLOT, start: 0, ordinal: undefined, record: this.run });
  }

  /** Whether a call now would open a context or must be watched: generated code asks before every call while this holds. */
  get opens(): boolean {
    const { depth } = this;
    return depth > 0 && (this.plan.depth < 0 || depth < this.plan.depth);
  }

  /** Return slot of the innermost context. */
  get slot(): bigint {
    return this.stack[this.stack.length - 1].slot;
  }

  private get depth(): number {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const { depth } = this.stack[i];
      if (depth !== undefined) return depth;
    }
    return 0;
  }

  /** A call instruction has pushed its return address at rsp and goes to `target`. */
  call(target: number, rsp: bigint, isStub: boolean): void {
    if (!this.opens || this.isLinking(rsp)) return;
    if (isStub) this.linkingSlot = rsp;
    else this.openDepth(target, rsp);
  }

  /** A jump leaves a region; `enters` when it goes to another function's entry or into a linkage stub. */
  jump(target: number, rsp: bigint, isStub: boolean, enters: boolean): void {
    if (!this.opens) return;
    if (this.isLinking(rsp)) {
      // Stubs jump to their second half and to the resolver; what leaves them with the call's own stack is the function.
      if (rsp !== this.linkingSlot || isStub) return;
      this.linkingSlot = undefined;
      this.openDepth(target, rsp);
    } else if (isStub) this.linkingSlot = rsp;
    else if (enters) this.openDepth(target, this.returnSlot(rsp));
  }

  /** Whether a call on its way to its function is still in a linkage stub or the resolver, which open no context. */
  private isLinking(rsp: bigint): boolean {
    if (this.linkingSlot !== undefined && rsp > this.linkingSlot) this.linkingSlot = undefined;
    return this.linkingSlot !== undefined;
  }

  /** Of a tail call: the one `ret` closes it together with its caller. */
  private returnSlot(rsp: bigint): bigint {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const { depth, slot } = this.stack[i];
      if (depth !== undefined) return slot === NO_SLOT || isSameStack(slot, rsp) ? slot : rsp;
    }
    return rsp;
  }

  /** The function where the call tree begins is entered. */
  root(entry: number, slot: bigint): void {
    if (this.isRooted) return;
    this.isRooted = true;
    if (this.plan.depth !== 0) this.openDepth(entry, slot);
  }

  /** A function that is measured by name is entered. */
  enterNamed(entry: number, slot: bigint): void {
    const lane = this.plan.laneOfFunction(entry);
    if (lane === undefined) return;
    // A loop that jumps back to its function's first instruction is no call.
    if ((this.nesting.get(keyOf(entry, undefined)) ?? 0) > 0) return;
    this.push(entry, undefined, lane, slot, undefined);
  }

  private openDepth(entry: number, slot: bigint): void {
    const depth = this.depth + 1;
    this.deepest = Math.max(this.deepest, depth);
    const record: MutableCall = {
      entry,
      depth,
      instructions: 0,
      cycles: undefined,
      calls: [],
      rest: new Map(),
    };
    this.push(entry, depth, this.plan.laneOfDepth(depth), slot, record);
  }

  private push(
    entry: number,
    depth: number | undefined,
    lane: number | undefined,
    slot: bigint,
    record: MutableCall | undefined,
  ): void {
    const key = keyOf(entry, depth);
    const nested = this.nesting.get(key) ?? 0;
    this.nesting.set(key, nested + 1);
    const ordinal = nested === 0 ? (this.ordinals.get(key) ?? 0) : undefined;
    if (ordinal !== undefined) this.ordinals.set(key, ordinal + 1);
    if (lane !== undefined) this.meter.open(lane);
    this.stack.push({ entry, depth, lane, slot, start: this.executed(), ordinal, record });
  }

  /** rsp is now here: every context on the same stack whose return slot lies below has ended. */
  unwind(rsp: bigint): void {
    while (this.stack.length > 1) {
      const top = this.stack[this.stack.length - 1];
      if (top.slot >= rsp || !isSameStack(top.slot, rsp)) return;
      this.closeTop();
    }
  }

  /** The guest has ended: so have all its calls. */
  finish(): void {
    while (this.stack.length > 0) this.closeTop();
  }

  private closeTop(): void {
    const context = this.stack.pop()!;
    const key = keyOf(context.entry, context.depth);
    this.nesting.set(key, (this.nesting.get(key) ?? 0) - 1);
    const instructions = this.executed() - context.start;
    const cycles = context.lane === undefined ? undefined : this.meter.cycles(context.lane);
    const { record } = context;
    if (record !== undefined) {
      record.instructions = instructions;
      record.cycles = cycles;
      if (context.depth !== 0) this.attach(record);
    }
    if (context.depth === 0 || context.ordinal === undefined) return;
    if (cycles === undefined) return;
    this.sum(context.entry, { index: context.ordinal, instructions, cycles, start: context.start });
  }

  private attach(record: MutableCall): void {
    const parent = this.stack.findLast((context) => context.record !== undefined)?.record ?? this.run;
    if (parent.calls.length < CALLS_PER_PARENT) {
      parent.calls.push(record);
      return;
    }
    const sums = parent.rest.get(record.entry) ?? {
      calls: 0,
      instructions: 0,
      cycles: record.cycles === undefined ? undefined : 0,
    };
    sums.calls++;
    sums.instructions += record.instructions;
    if (record.cycles !== undefined) sums.cycles = (sums.cycles ?? 0) + record.cycles;
    parent.rest.set(record.entry, sums);
  }

  private sum(entry: number, call: LongestCall): void {
    const known = this.functions.get(entry);
    if (known === undefined) {
      this.functions.set(entry, {
        calls: 1,
        instructions: call.instructions,
        cycles: call.cycles,
        longest: call,
        first: call.start,
      });
      return;
    }
    known.calls++;
    known.instructions += call.instructions;
    known.cycles += call.cycles;
    known.longest = longer(known.longest, call);
    known.first = Math.min(known.first, call.start);
  }
}

/** The call with the larger C, the earlier one on a tie (rule 10). */
export function longer(a: LongestCall, b: LongestCall): LongestCall {
  if (a.cycles !== b.cycles) return a.cycles > b.cycles ? a : b;
  return a.start <= b.start ? a : b;
}

/** "On its own stack": the main stack, or any other one. */
function isSameStack(a: bigint, b: bigint): boolean {
  const isMain = (address: bigint) =>
    address > BigInt(STACK_TOP - STACK_SIZE) && address <= BigInt(STACK_TOP);
  return isMain(a) === isMain(b);
}

/** Calls of the tree and calls that are measured for their function's name are counted apart. */
const keyOf = (entry: number, depth: number | undefined): string =>
  `${depth === undefined ? 'named' : 'depth'} ${entry}`;

/** The finished tree of one or several merged passes, as the observation holds it. Iterative: it is as deep as the guest's recursion. */
export function callRecord(root: MutableCall): CallRecord {
  const roots: CallRecord[] = [];
  const pending: { readonly call: MutableCall; readonly into: CallRecord[] }[] = [
    { call: root, into: roots },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { call, into } = next;
    const calls: CallRecord[] = [];
    into.push({
      entry: call.entry as Address,
      depth: call.depth,
      instructions: call.instructions,
      cycles: call.cycles ?? 0,
      calls,
      rest: [...call.rest].map(([entry, sums]) => ({
        entry: entry as Address,
        calls: sums.calls,
        instructions: sums.instructions,
        cycles: sums.cycles ?? 0,
      })),
    });
    for (const inner of [...call.calls].reverse()) pending.push({ call: inner, into: calls });
  }
  return roots[0];
}
