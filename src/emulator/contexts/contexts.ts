import { Failure } from '../../base/failure.ts';
import {
  CLOCK,
  CONTEXT_DEEPEST,
  CONTEXT_ELSEWHERE,
  CONTEXT_FIRST_DEPTH,
  CONTEXT_IDLE_BELOW,
  CONTEXT_LAYER,
  CONTEXT_LIMIT,
  CONTEXT_LINKING,
  CONTEXT_LOG,
  CONTEXT_LOG_END,
  CONTEXT_STACK,
  CONTEXT_TOP,
  FUEL,
  GUEST_END,
  LEAF_LOG,
  LEAF_LOG_END,
  MAIN_STACK_SIZE,
  MAIN_STACK_START,
  NO_DEPTH,
  valueOffset,
} from '../../guest/layout.ts';
import type { CodePlaces } from '../../translate/code-places.ts';
import type { ContextEvents, ContextFunctions } from '../../translate/contexts/functions.ts';
import {
  EDGE,
  FIRST_NODE,
  FRAME,
  FUNCTION,
  HOOKED,
  JUMP_LINKS,
  JUMP_OPENS,
  LISTED,
  NO_SLOT,
  RUN_FRAME,
  UNLISTED,
  UNLISTED_EDGE,
} from '../../translate/contexts/records.ts';
import { RSP } from '../../x86/state.ts';
import { CallLog, type CallTree } from './call-tree.ts';
import { FunctionRecords, type FunctionSums } from './function-records.ts';
import { StackContexts, type ThreadStacks, threadStacks } from './stack-contexts.ts';
import { Stack, type StackOwners, type StackRange, Stacks } from './stacks.ts';
import { TargetTables } from './target-tables.ts';

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
  /** Whether calls are listed one by one; else they count for their functions only. */
  readonly listsCalls: boolean;
  /** The depth of a thread's contexts that lane 0 measures; lane k measures k more. Below 0 where a whole thread has another lane. */
  readonly firstDepthOf: (thread: number) => number | undefined;
  /** Contexts measured at once. */
  readonly lanes: number;
  /** Of contexts on several stacks: the layer that the pass measures. */
  readonly layer: number;
  /** Whether functions are measured wherever they are entered. */
  readonly hasNamed: boolean;
  /** Lane of a function that is measured wherever it is entered, -1 where the pass does not measure it in this thread. */
  readonly laneOfFunction: (entry: number, thread: number) => number | undefined;
  readonly isStub: (address: number) => boolean;
  readonly entersFunction: (from: number, target: number) => boolean;
  /** Code around both addresses to which no jump at the first one enters a function, as far as that is known. */
  readonly spanOf: (
    from: number,
    target: number,
  ) => { readonly start: number; readonly end: number } | undefined;
  readonly stackOwnerAt?: StackOwners | undefined;
  readonly windowOpened: () => void;
  readonly windowClosed: () => void;
}

/** Sums over the calls of a call that has more than are listed: by callee, in order of first appearance. */
type Edges = Map<number, number>;

/** The contexts of one thread. */
interface ThreadContexts {
  /** In order of creation. */
  readonly index: number;
  readonly log: CallLog;
  /** By key. */
  readonly sums: Map<number, Edges>;
  readonly stacks: ThreadStacks;
  /** Where its call tree begins, once it has begun. */
  root: number | undefined;
  /** Instructions that it has executed, and its deepest context, when it ran last. */
  executed: number;
  deepest: number;
  /** Instructions that the run had executed when it began, when it last executed any, and when it ended. */
  readonly began: number;
  ran: number;
  ended: number;
  /** Its open contexts, and whether a call is in linkage, while others run. */
  frames: Uint8Array;
  linking: bigint;
  hasEnded: boolean;
}

/** What a pass measured of one thread. */
export interface ThreadCounts {
  readonly tree: CallTree;
  readonly root: number | undefined;
  readonly deepest: number;
  readonly instructions: number;
  /** Instructions that the run had executed when it began, when it last executed any (many wait until the run is over), and when it ended. */
  readonly began: number;
  readonly ran: number;
  readonly ended: number;
}

/**
 * What a pass measured of its contexts, and JavaScript's part in it: generated code opens and closes them
 * (translate/contexts/functions.ts) and asks here what it has not met before. One pass after the other uses the memory.
 */
export class Contexts implements ContextEvents {
  /** In order of creation; known once the pass has finished. The first one's tree is the run. */
  threads!: readonly ThreadCounts[];
  /** Indices of the threads that entered functions which are measured by name. */
  readonly hooked = new Set<number>();
  /** Entries of functions of which calls were not measured, because another one with their name was open. */
  readonly leftOut = new Set<number>();
  /** By entry address; complete once the pass has finished. */
  readonly functions = new Map<number, FunctionSums>();
  private readonly plan: ContextPlan;
  private readonly opener: ContextFunctions;
  private readonly places: CodePlaces;
  private readonly view: DataView;
  private readonly bytes: Uint8Array;
  private readonly words: Int32Array;
  private readonly known: ThreadContexts[] = [];
  private current!: ThreadContexts;
  private readonly records: FunctionRecords;
  private readonly stacks: StackContexts;
  private readonly targets: TargetTables;
  /** Instructions executed before. */
  private startedAt = 0;
  private nextKey = FIRST_NODE;

  constructor(buffer: ArrayBuffer, opener: ContextFunctions, plan: ContextPlan, places: CodePlaces) {
    this.plan = plan;
    this.places = places;
    this.opener = opener;
    this.view = new DataView(buffer);
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.records = new FunctionRecords(buffer, places);
    this.targets = new TargetTables(buffer);
    this.stacks = new StackContexts({
      buffer,
      opener,
      layer: plan.layer,
      thread: () => this.current.stacks,
      moved: (move) => this.current.log.noteMove(move),
      edgeFor: (key, fn) =>
        this.edgeFor(key, this.places.addressOf(this.view.getInt32(fn + FUNCTION.entry, true))),
      dropSums: (key) => this.takeEdges(key),
      stackFull: () => this.stackFull(),
    });
  }

  /** Layers of contexts on several stacks that the pass has met. */
  get layers(): number {
    return this.stacks.layers;
  }

  /** The pass begins: opens the run. */
  start(): void {
    const { entry, depth, layer } = this.plan;
    this.setWord(CONTEXT_LAYER, layer);
    this.setWord(LEAF_LOG_END, LEAF_LOG);
    this.forgetTargets();
    this.setWord(CONTEXT_LIMIT, depth);
    this.setWord(CONTEXT_LOG_END, CONTEXT_LOG);
    this.startedAt = this.executed();
    this.begin(entry, Stack.main(this.mainStack));
  }

  // --- threads

  /** The running thread gives way to a new one, which begins at an address, on a stack that may be known. */
  startThread(entry: number, stack: StackRange | undefined): void {
    this.leave();
    this.begin(entry, stack === undefined ? Stack.other(this.stackPointer) : Stack.given(stack));
  }

  private begin(entry: number, own: Stack): void {
    this.current = {
      index: this.known.length,
      log: new CallLog(this.view.buffer as ArrayBuffer, this.places),
      sums: new Map(),
      stacks: threadStacks(
        new Stacks(own, this.plan.stackOwnerAt, (stack, distance) => this.stacks.shift(stack, distance)),
      ),
      root: undefined,
      executed: 0,
      deepest: 0,
      began: this.executed(),
      ran: this.executed(),
      ended: Infinity,
      frames: NO_FRAMES,
      linking: 0n,
      hasEnded: false,
    };
    this.known.push(this.current);
    this.enter();
    // The run, or the thread, is no call of the function at its first instruction: a record of its own.
    this.opener.push(this.records.add(entry), 0, NO_SLOT, 0, this.laneOfDepth(0));
    if (!this.plan.listsCalls) this.setWord(RUN_FRAME + FRAME.key, UNLISTED);
  }

  /** The running thread gives way to another one, by its index. */
  switchThread(index: number): void {
    this.leave();
    this.current = this.known[index];
    this.enter();
  }

  private leave(): void {
    const { current, view } = this;
    if (current.hasEnded) return;
    this.opener.countLeaves?.();
    current.log.take();
    this.stacks.eachFunction((fn) => this.addToNesting(fn, -1));
    const frames = this.bytes.subarray(RUN_FRAME, view.getInt32(CONTEXT_TOP, true) + FRAME.size);
    if (frames.length === current.frames.length) current.frames.set(frames);
    else current.frames = frames.slice();
    current.linking = view.getBigInt64(CONTEXT_LINKING, true);
    this.account();
  }

  /** Notes what the running thread has done so far. */
  private account(): void {
    const { current, view } = this;
    const executed = this.executed() - this.number(CONTEXT_ELSEWHERE);
    if (executed > current.executed) current.ran = this.executed();
    current.executed = executed;
    current.deepest = view.getInt32(CONTEXT_DEEPEST, true);
  }

  private enter(): void {
    const { frames, linking, index, deepest, executed } = this.current;
    this.bytes.set(frames, RUN_FRAME);
    this.setWord(CONTEXT_TOP, CONTEXT_STACK + frames.length);
    this.stacks.eachFunction((fn) => this.addToNesting(fn, 1));
    this.view.setBigInt64(CONTEXT_LINKING, linking, true);
    this.stacks.share();
    this.setWord(CONTEXT_DEEPEST, deepest);
    this.setNumber(CONTEXT_ELSEWHERE, this.executed() - executed);
    const first = this.plan.firstDepthOf(index) ?? NO_DEPTH;
    this.setWord(CONTEXT_FIRST_DEPTH, first);
    // Other threads' contexts are not on the stack; functions by name have lanes at any depth.
    this.setWord(CONTEXT_IDLE_BELOW, this.known.length > 1 || this.plan.hasNamed ? 0 : first);
    // Which lane measures a function that was entered depends on the thread.
    if (this.plan.hasNamed && this.known.length > 1) this.forgetCallTargets();
  }

  private executed(): number {
    return this.number(CLOCK) - this.number(FUEL);
  }

  private addToNesting(fn: number, change: number): void {
    const at = fn + FUNCTION.nesting;
    this.setWord(at, this.view.getInt32(at, true) + change);
  }

  /** The running thread is about to execute the first instruction of the function that it was started for. */
  enterRoot(address: number): void {
    const { current, opener } = this;
    current.root = address;
    if (this.plan.depth === 0) return;
    opener.push(this.records.of(address), 0, BigInt(this.stackPointer), 1, this.laneOfDepth(1));
  }

  private get stackPointer(): number {
    return Number(this.view.getBigUint64(valueOffset(RSP), true));
  }

  private get mainStack(): StackRange {
    const start = this.words[MAIN_STACK_START >> 2] >>> 0;
    return { start, end: start + this.words[MAIN_STACK_SIZE >> 2] };
  }

  /** The handler of a signal begins on the alternate stack, where rsp is now; it was on another before. */
  enterAlternate(before: bigint, start: bigint, end: bigint): void {
    this.opener.countLeaves?.();
    this.stacks.enterAlternate(Number(before), { start: Number(start), end: Number(end) });
  }

  /** Which function the running thread was started for, as far as can be told. */
  nameRoot(address: number | undefined): void {
    this.current.root ??= address;
  }

  /** The running thread has ended, and all its contexts with it. */
  endThread(): void {
    this.stacks.finish();
    const { current } = this;
    current.log.take();
    this.account();
    Object.assign(current, { ended: this.executed(), hasEnded: true });
  }

  /** C of the run; known once the pass has finished. -1 where no lane of the pass measured it. */
  get runCycles(): number {
    return this.threads[0].tree.cycles.at(-1)!;
  }

  /** Modules were mapped: what was no function and no linkage stub may be one now. */
  forgetTargets(): void {
    this.opener.countLeaves?.();
    this.targets.forget();
  }

  private forgetCallTargets(): void {
    this.opener.countLeaves?.();
    this.targets.forgetCalls();
  }

  /** The guest has ended. */
  finish(): void {
    const executed = this.executed();
    for (const { index, hasEnded } of this.known) {
      if (hasEnded) continue;
      if (this.current.index !== index) this.switchThread(index);
      this.endThread();
    }
    this.threads = this.known.map((thread) => countsOf(thread));
    // The run is all threads'.
    const { instructions } = this.threads[0].tree;
    instructions[instructions.length - 1] = executed - this.startedAt;
    for (const [entry, sums] of this.records.sums()) this.functions.set(entry, sums);
  }

  // --- what generated code asks

  placeOf(address: bigint): number {
    return this.places.of(Number(BigInt.asUintN(64, address)));
  }

  learnCall(key: number, place: number, entry: number): void {
    const target = this.places.addressOf(place);
    if (this.plan.isStub(target)) return this.targets.setCall(entry, key, place, 0, 0);
    const record = this.records.of(target);
    this.targets.setCall(entry, key, place, record, this.edgeFor(key, target));
  }

  private edgeFor(key: number, target: number): number {
    if (key === LISTED) return 0;
    if (key === UNLISTED) return UNLISTED_EDGE;
    const edges = this.current.sums.get(key)!;
    let edge = edges.get(target);
    if (edge === undefined) {
      edge = this.records.addEdge();
      edges.set(target, edge);
    }
    return edge;
  }

  learnJump(fromPlace: number, targetPlace: number, entry: number): void {
    const { isStub, entersFunction } = this.plan;
    const [from, target] = [fromPlace, targetPlace].map((place) => this.places.addressOf(place));
    const verdict = isStub(target) ? JUMP_LINKS : entersFunction(from, target) ? JUMP_OPENS : 0;
    this.targets.setJump(entry, fromPlace, targetPlace, verdict);
    if (verdict === 0) this.learnSpan(fromPlace, targetPlace);
  }

  /** Other targets in the same part of the same function need not be asked for. Where code has addresses as places, which go up with them. */
  private learnSpan(from: number, target: number): void {
    const span = from < 0 || target < 0 ? undefined : this.plan.spanOf(from, target);
    if (span === undefined || span.end > GUEST_END) return;
    this.targets.setSpan(from, span);
  }

  learnHook(place: number, entry: number): void {
    const address = this.places.addressOf(place);
    const { root, depth, listsCalls, programEntry, laneOfFunction } = this.plan;
    const { current } = this;
    const isUncalled = address === programEntry;
    if (address === root && current.index === 0 && current.root === undefined) {
      current.root = address;
      const slot = isUncalled ? NO_SLOT : this.view.getBigInt64(valueOffset(RSP), true);
      const edge = listsCalls ? 0 : UNLISTED_EDGE;
      if (depth !== 0) this.opener.push(this.records.of(address), edge, slot, 1, this.laneOfDepth(1));
    }
    const lane = laneOfFunction(address, current.index);
    if (lane === undefined) return this.targets.setCall(entry, HOOKED, place, 0, 0);
    this.hooked.add(current.index);
    const record = this.records.of(address);
    if (!isUncalled) return this.targets.setCall(entry, HOOKED, place, record, lane);
    // Its slot is not where rsp is: opened here, once, because it stays open to the end.
    this.targets.setCall(entry, HOOKED, place, 0, 0);
    if (this.view.getInt32(record + FUNCTION.nesting, true) === 0)
      this.opener.push(record, UNLISTED_EDGE, NO_SLOT, 0, lane);
  }

  leaveOut(place: number, entry: number): void {
    this.leftOut.add(this.places.addressOf(place));
    this.targets.setCall(entry, HOOKED, place, 0, 0);
  }

  layerOf(depth: number): number {
    return this.stacks.layerOf(depth);
  }

  stackSet(before: number, rsp: number): void {
    this.stacks.set(before, rsp);
  }

  startSums(): number {
    const key = this.nextKey++;
    this.current.sums.set(key, new Map());
    return key;
  }

  endSums(key: number): void {
    const sums = [...this.takeEdges(key)].map(([entry, edge]) => ({
      entry,
      calls: this.number(edge + EDGE.calls),
      instructions: this.number(edge + EDGE.instructions),
      cycles: this.number(edge + EDGE.cycles),
    }));
    // Calls on a stack that was left may have ended elsewhere.
    this.current.log.sums.set(
      key,
      sums.filter(({ calls }) => calls > 0),
    );
  }

  /** Nothing is added to a call's sums any more. */
  private takeEdges(key: number): Edges {
    const { sums } = this.current;
    const edges = sums.get(key)!;
    sums.delete(key);
    this.records.freeEdges(edges.values());
    return edges;
  }

  takeLog(): void {
    this.current.log.take();
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

  private laneOfDepth(depth: number): number {
    const { firstDepthOf, lanes, layer } = this.plan;
    const lane = depth - (firstDepthOf(this.current.index) ?? NO_DEPTH);
    return lane >= 0 && lane < lanes && layer === 1 ? lane : -1;
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

const NO_FRAMES = new Uint8Array(0);

function countsOf({ log, root, deepest, executed, began, ran, ended }: ThreadContexts): ThreadCounts {
  return { tree: log.tree(), root, deepest, instructions: executed, began, ran, ended };
}
