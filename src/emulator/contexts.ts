import { Failure } from '../base/failure.ts';
import {
  CALL_TARGETS,
  CONTEXT_DEEPEST,
  CONTEXT_EDGES,
  CONTEXT_FIRST_DEPTH,
  CONTEXT_FUNCTIONS,
  CONTEXT_LIMIT,
  CONTEXT_LINKING,
  CONTEXT_LOG,
  CONTEXT_LOG_END,
  CONTEXT_STACK,
  CONTEXT_TOP,
  JUMP_TARGETS,
  NO_DEPTH,
  TARGET_BITS,
  valueOffset,
  WINDOW_END,
  WINDOW_START,
} from '../guest/layout.ts';
import {
  EDGE,
  FIRST_NODE,
  FUNCTION,
  HOOKED,
  JUMP,
  JUMP_LINKS,
  JUMP_OPENS,
  LISTED,
  NO_SLOT,
  TARGET,
  UNLISTED,
  UNLISTED_EDGE,
} from '../translate/context-records.ts';
import type { ContextEvents, ContextFunctions } from '../translate/support-contexts.ts';
import { RSP } from '../x86/state.ts';
import { CallLog, type CallTree } from './call-tree.ts';

/** Sums over the outermost calls of a function that a pass measured. */
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

/** What a pass measures: the call tree by depth, or functions by name. */
export interface ContextPlan {
  /** Address of the run's first instruction. */
  readonly entry: number;
  /** The ELF entry: nobody called it, so it has no return address. */
  readonly programEntry: number;
  /** Where the call tree begins: no call is a context before it or after it. */
  readonly root: number;
  /** Deepest context of the call tree; -1 is unbounded. 0 where functions are measured. */
  readonly depth: number;
  /** The depth that lane 0 measures; lane k measures k more. */
  readonly firstDepth: number | undefined;
  /** Contexts measured at once. */
  readonly lanes: number;
  /** Lane of a function that is measured wherever it is entered. */
  readonly laneOfFunction: (entry: number) => number | undefined;
  readonly isStub: (address: number) => boolean;
  readonly entersFunction: (from: number, target: number) => boolean;
  /** The call whose chain is sought: instructions executed when it begins and ends. */
  readonly window: { readonly start: number; readonly end: number } | undefined;
  readonly windowOpened: () => void;
  readonly windowClosed: () => void;
}

/** A call that has more calls than are listed: their sums by callee, in order of first appearance. */
interface Sums {
  readonly key: number;
  readonly edges: Map<number, number>;
  /** Where the place of the edges begins. Calls nest, so it is free again when the call has ended. */
  readonly place: number;
}

/**
 * What a pass measured of its contexts, and JavaScript's part in it: generated code opens and closes them
 * (translate/support-contexts.ts) and asks here what it has not met before. One pass after the other uses the memory.
 */
export class Contexts implements ContextEvents {
  /** The run and its calls; known once the pass has finished. */
  tree!: CallTree;
  /** By entry address; complete once the pass has finished. */
  readonly functions = new Map<number, FunctionSums>();
  /** Deepest depth that opened; known once the pass has finished. */
  deepest = 0;
  private readonly plan: ContextPlan;
  private readonly opener: ContextFunctions;
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private readonly log: CallLog;
  private readonly records = new Map<number, number>();
  private nextRecord = CONTEXT_FUNCTIONS;
  private nextEdge = UNLISTED_EDGE + EDGE.size;
  private nextKey = FIRST_NODE;
  private readonly open: Sums[] = [];
  private isRooted = false;

  constructor(buffer: ArrayBuffer, opener: ContextFunctions, plan: ContextPlan) {
    this.plan = plan;
    this.opener = opener;
    this.view = new DataView(buffer);
    this.bytes = new Uint8Array(buffer);
    this.log = new CallLog(buffer);
  }

  /** The pass begins: opens the run. */
  start(): void {
    const { entry, depth, firstDepth, window } = this.plan;
    this.forgetTargets();
    this.setWord(CONTEXT_TOP, CONTEXT_STACK);
    this.setWord(CONTEXT_LIMIT, depth);
    this.setWord(CONTEXT_FIRST_DEPTH, firstDepth ?? NO_DEPTH);
    this.setWord(CONTEXT_DEEPEST, 0);
    this.setWord(CONTEXT_LOG_END, CONTEXT_LOG);
    this.setNumber(CONTEXT_LINKING, 0);
    this.setNumber(WINDOW_START, window?.start ?? -1);
    this.setNumber(WINDOW_END, window?.end ?? -1);
    // The run is no call of the function at its first instruction: a record of its own.
    this.opener.push(this.newRecord(entry), 0, NO_SLOT, 0, this.laneOfDepth(0));
  }

  /** C of the run; known once the pass has finished. -1 where no lane of the pass measured it. */
  get runCycles(): number {
    return this.tree.cycles[this.tree.cycles.length - 1];
  }

  /** Modules were mapped: what was no function and no linkage stub may be one now. */
  forgetTargets(): void {
    for (const cache of [CALL_TARGETS, JUMP_TARGETS])
      this.bytes.fill(0, cache, cache + 16 * (1 << TARGET_BITS));
  }

  /** The guest has ended. */
  finish(): void {
    this.opener.finish();
    this.deepest = this.view.getInt32(CONTEXT_DEEPEST, true);
    this.tree = this.log.tree();
    for (const [entry, record] of this.records) {
      const calls = this.number(record + FUNCTION.calls);
      if (calls === 0) continue;
      this.functions.set(entry, {
        calls,
        instructions: this.number(record + FUNCTION.instructions),
        cycles: this.number(record + FUNCTION.cycles),
        longest: {
          index: this.number(record + FUNCTION.longestIndex),
          instructions: this.number(record + FUNCTION.longestInstructions),
          cycles: this.number(record + FUNCTION.longestCycles),
          start: this.number(record + FUNCTION.longestStart),
        },
        first: this.number(record + FUNCTION.first),
      });
    }
  }

  // --- what generated code asks

  learnCall(key: number, target: number, entry: number): void {
    if (this.plan.isStub(target >>> 0)) return this.fill(entry, key, target, 0, 0);
    const record = this.recordOf(target >>> 0);
    this.fill(entry, key, target, record, this.edgeFor(key, target >>> 0));
  }

  private edgeFor(key: number, target: number): number {
    if (key === LISTED) return 0;
    if (key === UNLISTED) return UNLISTED_EDGE;
    const { edges } = this.open[this.open.length - 1];
    let edge = edges.get(target);
    if (edge === undefined) {
      edge = this.newEdge();
      edges.set(target, edge);
    }
    return edge;
  }

  learnJump(from: number, target: number, entry: number): void {
    const { isStub, entersFunction } = this.plan;
    this.setWord(entry + JUMP.from, from);
    this.setWord(entry + JUMP.target, target);
    const verdict = isStub(target >>> 0)
      ? JUMP_LINKS
      : entersFunction(from >>> 0, target >>> 0)
        ? JUMP_OPENS
        : 0;
    this.setWord(entry + JUMP.verdict, verdict);
  }

  learnHook(signedAddress: number, entry: number): void {
    const address = signedAddress >>> 0;
    const { root, depth, programEntry, laneOfFunction } = this.plan;
    const isUncalled = address === programEntry;
    if (address === root && !this.isRooted) {
      this.isRooted = true;
      const slot = isUncalled ? NO_SLOT : this.view.getBigInt64(valueOffset(RSP), true);
      if (depth !== 0) this.opener.push(this.recordOf(address), 0, slot, 1, this.laneOfDepth(1));
    }
    const lane = laneOfFunction(address);
    if (lane === undefined) return this.fill(entry, HOOKED, address, 0, 0);
    const record = this.recordOf(address);
    if (!isUncalled) return this.fill(entry, HOOKED, address, record, lane);
    // Its slot is not where rsp is: opened here, once, because it stays open to the end.
    this.fill(entry, HOOKED, address, 0, 0);
    if (this.view.getInt32(record + FUNCTION.nesting, true) === 0)
      this.opener.push(record, UNLISTED_EDGE, NO_SLOT, 0, lane);
  }

  startSums(): number {
    const key = this.nextKey++;
    this.open.push({ key, edges: new Map(), place: this.nextEdge });
    return key;
  }

  endSums(key: number): void {
    const { edges, place } = this.open.pop()!;
    this.nextEdge = place;
    this.log.sums.set(
      key,
      [...edges].map(([entry, edge]) => ({
        entry,
        calls: this.number(edge + EDGE.calls),
        instructions: this.number(edge + EDGE.instructions),
        cycles: this.number(edge + EDGE.cycles),
      })),
    );
  }

  takeLog(): void {
    this.log.take();
  }

  stackFull(): void {
    throw new Failure(
      'guest',
      'calls-too-deep',
      'more than a million measured calls are open at once, which is not supported; limit their depth',
    );
  }

  windowOpened(): void {
    this.plan.windowOpened();
  }

  windowClosed(): void {
    this.plan.windowClosed();
  }

  // --- records

  private fill(entry: number, key: number, target: number, record: number, edge: number): void {
    this.setWord(entry + TARGET.key, key);
    this.setWord(entry + TARGET.target, target);
    this.setWord(entry + TARGET.function, record);
    this.setWord(entry + TARGET.edge, edge);
  }

  private recordOf(entry: number): number {
    let record = this.records.get(entry);
    if (record === undefined) {
      record = this.newRecord(entry);
      this.records.set(entry, record);
    }
    return record;
  }

  private newRecord(entry: number): number {
    const record = this.nextRecord;
    this.nextRecord += FUNCTION.size;
    if (this.nextRecord > CONTEXT_EDGES)
      throw new Failure('guest', 'too-many-functions', 'the program calls more than 260,000 functions');
    this.bytes.fill(0, record, this.nextRecord);
    this.setWord(record + FUNCTION.entry, entry);
    this.setNumber(record + FUNCTION.longestCycles, -1);
    return record;
  }

  private newEdge(): number {
    const edge = this.nextEdge;
    this.nextEdge += EDGE.size;
    if (this.nextEdge > CONTEXT_LOG)
      throw new Failure('guest', 'too-many-functions', 'one call calls more than 260,000 functions');
    this.bytes.fill(0, edge, this.nextEdge);
    return edge;
  }

  private laneOfDepth(depth: number): number {
    const lane = depth - (this.plan.firstDepth ?? NO_DEPTH);
    return lane >= 0 && lane < this.plan.lanes ? lane : -1;
  }

  private setWord(at: number, value: number): void {
    this.view.setInt32(at, value, true);
  }

  private number(at: number): number {
    return this.view.getUint32(at, true) + 0x1_0000_0000 * this.view.getInt32(at + 4, true);
  }

  private setNumber(at: number, value: number): void {
    this.view.setBigInt64(at, BigInt(value), true);
  }
}

/** The call with the larger C, the earlier one on a tie (rule 10). */
export function longer(a: LongestCall, b: LongestCall): LongestCall {
  if (a.cycles !== b.cycles) return a.cycles > b.cycles ? a : b;
  return a.start <= b.start ? a : b;
}
