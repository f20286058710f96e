import { FLOOR, OFFSET_COUNT, OFFSETS } from '../../guest/layout.ts';
import type { AccessSize } from '../../ir/node.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import type { ModuleBuilder } from '../../wasm/module.ts';
import { LOCATIONS } from '../../x86/state.ts';
import { emitCloseLeaf, emitOpenLeaf } from '../contexts/leaf-log.ts';
import { emitRaiseMaximum } from '../contexts/meters.ts';
import { does, ENGINE_LIMITS, type EngineLimits } from '../limits.ts';
import { Bits } from '../regions/bits.ts';
import type { BlockItems } from '../regions/dataflow.ts';
import type { Region, RegionBlock } from '../regions/region.ts';
import { clobbers } from '../regions/segments.ts';
import { loadStepAt, storeStepAt } from '../steps/grouped-steps.ts';
import type { LaneShape } from '../steps/lane-shape.ts';
import type {
  Address,
  Measure,
  MeasureHost,
  MemoryHost,
  Reached,
  ServiceParts,
  StepsInLine,
} from '../steps/measure.ts';
import { laneEntry, type Reach, type StepEntry } from '../steps/step-entry.ts';
import { loadStepWhen, storeStepWhen } from '../steps/step-memory.ts';
import { defineService } from '../strings/service.ts';
import { HandlerLanes } from './handler-measure.ts';
import { findScatteredLoads } from './scattered-loads.ts';
import { baseOf, planSteps, type StepPlan, Terms } from './symbolic-steps.ts';

/**
 * Several contexts at once: a step is four lanes of 32 bits (or two of 64, see lane-shape.ts), lane k the cycle in the context
 * of depth k (measured on eight kernels: four lanes cost 2-7 % over one). A context needs no reset on entry: its lane's
 * floor becomes a bound of all its steps so far, and what was computed before counts as cycle 0 because it is not above the floor.
 *
 * What memory knows of steps is described in step-entry.ts.
 */
export class Lanes implements Measure {
  readonly hasQuietPages: boolean;
  readonly mayBeIdle: boolean;
  readonly entry: StepEntry;
  private readonly shape: LaneShape;
  private readonly asksChasesOnly: boolean;
  private readonly sharesTerms: boolean;
  private readonly carriesLast: boolean;
  private readonly hasTemporaries: boolean;
  private readonly usesCover: boolean;
  private plans: readonly StepPlan[] = [];
  /** Per block: overwritten locations that MAXIMUM does not cover. */
  private uncovered: readonly number[][] = [];
  private scattered: ReadonlyMap<RegionBlock, ReadonlySet<number>> = new Map();
  private usesFloor = false;
  hasAsked = false;
  areBytesResting = false;
  readonly inLine: StepsInLine = {
    open: (imports, locals, raise) => {
      const { f, isInLoop } = this.host;
      const { floorOfLoops } = this;
      emitOpenLeaf(f, this.shape, imports, locals, (raised) => {
        raise(raised);
        if (isInLoop && floorOfLoops !== undefined) this.raise(floorOfLoops, raised);
      });
    },
    close: (countLeaves, place, locals) => emitCloseLeaf(this.host.f, this.shape, countLeaves, place, locals),
    later: (f) => {
      f.op(this.shape.max);
    },
  };
  private host!: MeasureHost;
  private floorOfLoops: number | undefined;
  private floorHere: number | undefined;
  private constants = new Map<number, number>();

  private current!: StepPlan;
  private scatteredHere: ReadonlySet<number> | undefined;
  private uncoveredNow: readonly number[] = [];
  private loadLocals: number[] = [];
  private loadIndex = 0;
  private temporaryLocals: number[] = [];
  private nextTemporary = 0;
  /** Expressions that the block has computed: shifted, they are parts of others. */
  private known: { readonly terms: Terms; readonly local: number }[] = [];
  private constantsHere = new Map<number, number>();
  private storeLocal: { instruction: number; local: number } | undefined;

  constructor(
    shape: LaneShape,
    { end, followsFar }: Pick<Reach, 'end' | 'followsFar'>,
    limits: EngineLimits = ENGINE_LIMITS,
  ) {
    this.shape = shape;
    this.entry = laneEntry(shape, { end, followsFar, isInLine: does(limits, 'steps in line') });
    this.hasQuietPages = shape.hasQuietPages && does(limits, 'quiet pages');
    this.mayBeIdle = does(limits, 'idle lanes');
    this.asksChasesOnly = does(limits, 'asking chases');
    this.sharesTerms = does(limits, 'shared terms');
    this.carriesLast = does(limits, 'carried last');
    this.hasTemporaries = does(limits, 'temporaries');
    this.usesCover = does(limits, 'covered steps');
  }

  defineService(module: ModuleBuilder, parts: ServiceParts): number {
    return defineService(module, parts, this.shape, this.entry.end);
  }

  plan(region: Region): readonly BlockItems[] {
    this.plans = region.blocks.map((block) => planSteps(block, this.hasTemporaries));
    this.usesFloor = this.plans.some(({ usesFloor }) => usesFloor);
    if (this.hasQuietPages) {
      if (this.asksChasesOnly) this.scattered = findScatteredLoads(region);
      this.hasAsked ||= !this.asksChasesOnly || this.scattered.size > 0;
    }
    const covered = this.coveredAtEntry(region);
    this.uncovered = this.plans.map((plan, b) =>
      plan.dropped.filter((location) => !this.usesCover || !covered[b].has(location)),
    );
    return this.plans.map((plan, b) => {
      const uses = plan.uses.copy();
      for (const location of this.uncovered[b]) uses.add(location);
      return { uses, writes: plan.writes };
    });
  }

  /** Locations whose step is at most MAXIMUM on every path to the block. */
  private coveredAtEntry(region: Region): Bits[] {
    const all = Bits.of(
      LOCATIONS,
      Array.from({ length: LOCATIONS }, (_, i) => i),
    );
    const none = new Bits(LOCATIONS);
    const entry = region.blocks.map((block) => (block.index === 0 ? none : all).copy());
    for (let changed = true; changed; ) {
      changed = false;
      for (const block of region.blocks) {
        const out = clobbers(block) ? none : entry[block.index].copy();
        if (out !== none) {
          out.subtract(this.plans[block.index].writes);
          out.union(this.plans[block.index].covered);
        }
        for (const edge of block.successors)
          if (edge.kind === 'block') changed = entry[edge.index].intersect(out) || changed;
      }
    }
    return entry;
  }

  raiseToFloor(f: FunctionBuilder): void {
    f.i32(0);
    f.memory('v128.load', FLOOR);
    f.op(this.shape.max);
  }

  handle(host: MemoryHost): HandlerLanes {
    return new HandlerLanes(host, this.shape, this.entry);
  }

  raiseMaximum(f: FunctionBuilder): void {
    emitRaiseMaximum(f, this.shape);
  }

  start(host: MeasureHost): void {
    this.host = host;
    this.floorOfLoops = undefined;
    this.constants = new Map();
  }

  private raise(step: number, other: number): void {
    const { f } = this.host;
    f.get(step);
    f.get(other);
    f.op(this.shape.max);
    f.set(step);
  }

  startBlock(block: RegionBlock): void {
    this.current = this.plans[block.index];
    this.scatteredHere = this.scattered.get(block);
    this.uncoveredNow = this.uncovered[block.index];
    this.loadLocals = [];
    this.loadIndex = 0;
    this.temporaryLocals = [];
    this.nextTemporary = 0;
    this.known = [];
    this.constantsHere = new Map();
    this.floorHere = undefined;
    this.storeLocal = undefined;
  }

  /**
   * Loops keep the floor, all other code reads it where it is used: a call may leave contexts open, on another stack that the
   * program has left for this one.
   */
  beforeLoop(): void {
    if (!this.usesFloor) return;
    const { f } = this.host;
    this.floorOfLoops ??= f.local('v128');
    f.i32(0);
    f.memory('v128.load', FLOOR);
    f.set(this.floorOfLoops);
  }

  load(_instruction: number, address: Address, size: AccessSize): number {
    const { step, bound } = this.nextLoad(size);
    return loadStepAt(this.host, this.entry, address, size, step, bound);
  }

  loadWhen(when: number, _instruction: number, address: number, size: AccessSize, read: Reached): void {
    const { step, bound } = this.nextLoad(size);
    loadStepWhen(this.host, this.entry, when, address, size, step, read, bound);
  }

  private nextLoad(size: AccessSize) {
    const step = this.host.scratch.take('v128');
    const bound = this.asks(this.loadIndex, size) ? this.current.bounds[this.loadIndex] : undefined;
    this.loadLocals[this.loadIndex++] = step;
    // The bound is pushed in an arm, where nothing may be read for the first time.
    for (const base of bound?.bases ?? []) {
      const at = baseOf(base);
      if (at.kind === 'location') this.host.stepLocal(at.location);
    }
    return {
      step,
      bound: bound && {
        push: () => this.pushTerms(bound, true),
        pushOne: () => this.pushTerms(this.earliestOf(bound), true),
      },
    };
  }

  /** The term that least is carried into at the block's end: it depends on least in a loop. */
  private earliestOf({ bases, offsets }: Terms): Terms {
    const carried = (base: number) => this.current.finals.get(base)?.bases.length ?? 0;
    let best = 0;
    for (let i = 1; i < bases.length; i++) if (carried(bases[i]) < carried(bases[best])) best = i;
    const one = new Terms();
    one.raise(bases[best], offsets[best]);
    return one;
  }

  get asksHere(): boolean {
    return this.hasQuietPages && (!this.asksChasesOnly || this.scatteredHere !== undefined);
  }

  private asks(load: number, size: AccessSize): boolean {
    if (this.asksHere && this.scatteredHere?.has(load) !== false) return true;
    return size <= 2 && this.host.asksForBytes;
  }

  settle(instruction: number): void {
    const { temporaries } = this.current;
    while (
      this.nextTemporary < temporaries.length &&
      temporaries[this.nextTemporary].instruction === instruction
    ) {
      const local = this.host.scratch.take('v128');
      this.pushTerms(temporaries[this.nextTemporary].terms);
      this.host.f.set(local);
      this.temporaryLocals[this.nextTemporary++] = local;
    }
  }

  store(instruction: number, address: Address, size: AccessSize): number {
    return storeStepAt(this.host, this.entry, address, size, this.stepForStores(instruction));
  }

  storeWhen(when: number, instruction: number, address: number, size: AccessSize, write: Reached): void {
    const step = this.stepForStores(instruction);
    storeStepWhen(this.host, this.entry, when, address, size, step, write);
  }

  private stepForStores(instruction: number): number {
    if (this.storeLocal?.instruction === instruction) return this.storeLocal.local;
    const local = this.host.scratch.take('v128');
    this.pushTerms(this.current.cycles[instruction]);
    this.host.f.set(local);
    this.storeLocal = { instruction, local };
    return local;
  }

  finishBlock(written: readonly number[]): void {
    const { f, maximum } = this.host;
    const folds = new Terms();
    folds.raiseAll(this.current.folds, 0);
    for (const location of this.uncoveredNow) folds.raise(location, 0);
    if (folds.bases.length > 0) {
      f.get(maximum);
      this.pushTerms(folds);
      f.op(this.shape.max);
      f.set(maximum);
    }
    for (const location of written) this.pushFinal(location, this.current.finals.get(location)!);
  }

  /**
   * In a loop the step that a location had before is what the processor waits for: it comes last, two operations away from the
   * step that the location has then. A sum took 0.63 of the time by it, where each of these operations takes two cycles (Zen 5).
   */
  private pushFinal(location: number, terms: Terms): void {
    const offset = this.carriesLast ? terms.get(location) : undefined;
    if (offset === undefined || terms.bases.length === 1) return this.pushTerms(terms);
    if (offset === Math.min(...terms.offsets)) return this.pushTerms(terms, false, location);
    const rest = new Terms();
    rest.raiseAll(terms, 0);
    rest.delete(location);
    this.pushTerms(rest);
    this.pushBase(location, false);
    this.pushShift(offset);
    this.host.f.op(this.shape.max);
    this.keep(terms);
  }

  /**
   * In an arm of the generated code (`isArm`), nothing may be kept for later. The base `last` comes after all others of its
   * offset, and is not looked for in other expressions.
   */
  private pushTerms(terms: Terms, isArm = false, last?: number): void {
    const { f } = this.host;
    const known = this.sharesTerms ? this.findKnown(terms, last) : undefined;
    // max(a + 2, b + 1) is max(a + 1, b) + 1: one addition for each different offset.
    const parts = new DescendingTerms();
    const { bases } = terms;
    for (let i = 0; i < bases.length; i++)
      if (bases[i] !== last && known?.terms.get(bases[i]) === undefined)
        parts.insert(bases[i], terms.offsets[i]);
    if (known !== undefined) parts.insert(KNOWN, known.shift);
    if (last !== undefined) parts.insert(last, terms.get(last)!);
    const { length } = parts.bases;
    for (let i = 0; i < length; i++) {
      if (i > 0) this.pushShift(parts.offsets[i - 1] - parts.offsets[i], isArm);
      const base = parts.bases[i];
      if (base === KNOWN) f.get(known!.local);
      else this.pushBase(base, isArm);
      if (i > 0) f.op(this.shape.max);
    }
    this.pushShift(parts.offsets[length - 1], isArm);
    if (!isArm && length > 1) this.keep(terms);
  }

  /** Keeps the expression on the stack. */
  private keep(terms: Terms): void {
    const local = this.host.scratch.take('v128');
    this.host.f.tee(local);
    this.known.push({ terms, local });
  }

  /** The largest expression at hand that is, shifted by so many cycles, a part of this one, without a certain base. */
  private findKnown(
    terms: Terms,
    without: number | undefined,
  ): { terms: Terms; local: number; shift: number } | undefined {
    let best: { terms: Terms; local: number; shift: number } | undefined;
    for (const { terms: part, local } of this.known) {
      if (part.bases.length > terms.bases.length || part.bases.length <= (best?.terms.bases.length ?? 1))
        continue;
      if (without !== undefined && part.get(without) !== undefined) continue;
      const shift = (terms.get(part.bases[0]) ?? 0) - part.offsets[0];
      if (part.bases.every((base, i) => terms.get(base) === part.offsets[i] + shift))
        best = { terms: part, local, shift };
    }
    return best;
  }

  private pushBase(number: number, isArm: boolean): void {
    const { f } = this.host;
    const base = baseOf(number);
    switch (base.kind) {
      case 'location':
        return f.get(this.host.stepLocal(base.location));
      case 'load':
        return f.get(this.loadLocals[base.load]);
      case 'temporary':
        return f.get(this.temporaryLocals[base.temporary]);
      case 'floor':
        return this.host.isInLoop ? f.get(this.floorOfLoops!) : this.pushFloor(isArm);
    }
  }

  /** Shifts the step on the stack. */
  private pushShift(cycles: number, isArm = false): void {
    if (cycles === 0) return;
    this.pushConstant(Math.abs(cycles), isArm);
    this.host.f.op(cycles > 0 ? this.shape.add : this.shape.sub);
  }

  /**
   * Offsets of loops live in locals (as constants they are rebuilt at each use: 270 -> 161 ms on matmul), those of other code
   * no longer than a block: at the beginning of a function they cost every call of it.
   */
  private pushConstant(value: number, isArm: boolean): void {
    const { f, scratch, isInLoop } = this.host;
    const kept = isInLoop ? this.constants : this.constantsHere;
    const local = kept.get(value);
    if (local !== undefined) return f.get(local);
    if (isInLoop) {
      const made = f.local('v128');
      f.inPrologue(() => {
        this.pushOffset(value);
        f.set(made);
      });
      kept.set(value, made);
      f.get(made);
    } else {
      this.pushOffset(value);
      if (isArm) return;
      const made = scratch.take('v128');
      f.tee(made);
      kept.set(value, made);
    }
  }

  private pushOffset(value: number): void {
    const { f } = this.host;
    if (value >= OFFSET_COUNT) return this.shape.pushOffset(f, value);
    f.i32(0);
    f.memory('v128.load', OFFSETS + 16 * value);
  }

  private pushFloor(isArm: boolean): void {
    const { f, scratch } = this.host;
    if (this.floorHere !== undefined) return f.get(this.floorHere);
    f.i32(0);
    f.memory('v128.load', FLOOR);
    if (isArm) return;
    this.floorHere = scratch.take('v128');
    f.tee(this.floorHere);
  }
}

/** In place of a base: an expression that the block has computed. */
const KNOWN = -1;

/** Terms by falling offset; those with the same one in the order in which they came. */
class DescendingTerms {
  readonly bases: number[] = [];
  readonly offsets: number[] = [];

  insert(base: number, offset: number): void {
    const { bases, offsets } = this;
    let at = offsets.length;
    bases.push(base);
    offsets.push(offset);
    for (; at > 0 && offsets[at - 1] < offset; at--) {
      bases[at] = bases[at - 1];
      offsets[at] = offsets[at - 1];
    }
    bases[at] = base;
    offsets[at] = offset;
  }
}
