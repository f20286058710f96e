import { FLOOR } from '../guest/layout.ts';
import type { AccessSize } from '../ir/node.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import type { ModuleBuilder } from '../wasm/module.ts';
import { LOCATIONS } from '../x86/state.ts';
import { Bits } from './bits.ts';
import type { BlockItems } from './dataflow.ts';
import { emitRaiseMaximum, HandlerLanes } from './interpreter/handler-measure.ts';
import type { LaneShape } from './lane-shape.ts';
import { does, ENGINE_LIMITS, type EngineLimits } from './limits.ts';
import type { Measure, MeasureHost, MemoryHost, Reached, ServiceParts } from './measure.ts';
import type { QuietBound } from './quiet-pages.ts';
import type { Region, RegionBlock } from './region.ts';
import { laneEntry, type Reach, type StepEntry } from './step-entry.ts';
import { loadStepOf, loadStepWhen, storeStepOf, storeStepWhen } from './step-memory.ts';
import { baseOf, planSteps, type StepPlan, type Terms } from './steps.ts';
import { defineService } from './support-strings.ts';

/**
 * Several contexts at once: a step is four lanes of 32 bits (or two of 64, see lane-shape.ts), lane k the cycle in the context
 * of depth k (measured on eight kernels: four lanes cost 2-7 % over one). A context needs no reset on entry: its lane's
 * floor becomes a bound of all its steps so far, and what was computed before counts as cycle 0 because it is not above the floor.
 *
 * What memory knows of steps is described in step-entry.ts.
 */
export class Lanes implements Measure {
  readonly stepType = 'v128';
  readonly hasQuietPages: boolean;
  readonly entry: StepEntry;
  private readonly shape: LaneShape;
  private readonly sharesTerms: boolean;
  private readonly hasTemporaries: boolean;
  private readonly usesCover: boolean;
  private plans: readonly StepPlan[] = [];
  /** Per block: overwritten locations that MAXIMUM does not cover. */
  private uncovered: readonly number[][] = [];
  private usesFloor = false;
  private host!: MeasureHost;
  private floor: number | undefined;
  private constants = new Map<number, number>();

  private current!: StepPlan;
  private uncoveredNow: readonly number[] = [];
  private loadLocals: number[] = [];
  private loadIndex = 0;
  private temporaryLocals: number[] = [];
  private nextTemporary = 0;
  /** Computed expressions by shape: the same maximum shifted by a constant is one addition. */
  private known = new Map<string, { local: number; shift: number }>();
  private bounds = new Map<string, QuietBound>();
  private storeLocal: { instruction: number; local: number } | undefined;

  constructor(
    shape: LaneShape,
    { end, followsFar }: Pick<Reach, 'end' | 'followsFar'>,
    limits: EngineLimits = ENGINE_LIMITS,
  ) {
    this.shape = shape;
    this.entry = laneEntry(shape, { end, followsFar, isInLine: does(limits, 'steps in line') });
    this.hasQuietPages = shape.hasQuietPages && does(limits, 'quiet pages');
    this.sharesTerms = does(limits, 'shared terms');
    this.hasTemporaries = does(limits, 'temporaries');
    this.usesCover = does(limits, 'covered steps');
  }

  defineService(module: ModuleBuilder, parts: ServiceParts): number {
    return defineService(module, parts, this.shape, this.entry.end);
  }

  plan(region: Region): readonly BlockItems[] {
    this.plans = region.blocks.map((block) => planSteps(block, this.hasTemporaries));
    this.usesFloor = this.plans.some(({ usesFloor }) => usesFloor);
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
        const kind = block.lifted.terminator.kind;
        const out = kind === 'call' || kind === 'service' ? none : entry[block.index].copy();
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
    this.floor = undefined;
    this.constants = new Map();
  }

  startBlock(block: RegionBlock): void {
    this.current = this.plans[block.index];
    this.uncoveredNow = this.uncovered[block.index];
    this.loadLocals = [];
    this.loadIndex = 0;
    this.temporaryLocals = [];
    this.nextTemporary = 0;
    this.known = new Map();
    this.bounds = new Map();
    this.storeLocal = undefined;
  }

  /** Contexts that the call opened may be open still, on another stack that the program has left for this one. */
  callReturned(): void {
    if (!this.usesFloor) return;
    const { f } = this.host;
    f.i32(0);
    f.memory('v128.load', FLOOR);
    f.set(this.floorLocal());
  }

  load(_instruction: number, address: number, size: AccessSize): number {
    const { step, bound } = this.nextLoad();
    return loadStepOf(this.host, this.entry, address, size, step, bound);
  }

  loadWhen(when: number, _instruction: number, address: number, size: AccessSize, read: Reached): void {
    const { step, bound } = this.nextLoad();
    loadStepWhen(this.host, this.entry, when, address, size, step, read, bound);
  }

  private nextLoad() {
    const step = this.host.scratch.take('v128');
    const bound = this.hasQuietPages ? this.current.bounds[this.loadIndex] : undefined;
    this.loadLocals[this.loadIndex++] = step;
    return { step, bound: bound && this.boundLocals(bound) };
  }

  private boundLocals(bound: Terms): QuietBound {
    const { f, scratch } = this.host;
    const key = [...bound].join(';');
    let known = this.bounds.get(key);
    if (known === undefined) {
      known = { value: scratch.take('v128'), complement: scratch.take('v128') };
      this.pushTerms(bound);
      f.tee(known.value);
      f.op('v128.not');
      f.set(known.complement);
      this.bounds.set(key, known);
    }
    return known;
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

  store(instruction: number, address: number, size: AccessSize): number {
    return storeStepOf(this.host, this.entry, address, size, this.stepForStores(instruction));
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
    const folds = new Map(this.current.folds);
    for (const location of this.uncoveredNow) folds.set(location, 0);
    if (folds.size > 0) {
      f.get(maximum);
      for (const [base, offset] of folds) {
        this.pushTerm(base, offset);
        f.op(this.shape.max);
      }
      f.set(maximum);
    }
    for (const location of written) this.pushTerms(this.current.finals.get(location)!);
  }

  private pushTerms(terms: Terms): void {
    const { f, scratch } = this.host;
    const entries = [...terms].sort((a, b) => a[0] - b[0]);
    if (entries.length === 1) return this.pushTerm(entries[0][0], entries[0][1]);
    const shift = Math.min(...entries.map(([, offset]) => offset));
    const shape = entries.map(([base, offset]) => `${base}+${offset - shift}`).join();
    const known = this.sharesTerms ? this.known.get(shape) : undefined;
    if (known !== undefined) {
      f.get(known.local);
      if (shift !== known.shift) {
        this.pushConstant(Math.abs(shift - known.shift));
        f.op(shift > known.shift ? this.shape.add : this.shape.sub);
      }
      return;
    }
    entries.forEach(([base, offset], i) => {
      this.pushTerm(base, offset);
      if (i > 0) f.op(this.shape.max);
    });
    const local = scratch.take('v128');
    f.tee(local);
    this.known.set(shape, { local, shift });
  }

  private pushTerm(number: number, offset: number): void {
    const { f } = this.host;
    const base = baseOf(number);
    switch (base.kind) {
      case 'location':
        f.get(this.host.stepLocal(base.location));
        break;
      case 'load':
        f.get(this.loadLocals[base.load]);
        break;
      case 'temporary':
        f.get(this.temporaryLocals[base.temporary]);
        break;
      case 'floor':
        f.get(this.floorLocal());
        break;
    }
    if (offset === 0) return;
    this.pushConstant(offset);
    f.op(this.shape.add);
  }

  /** Small offsets live in locals: as constants they are rebuilt at each use (measured: 270 -> 161 ms on matmul). */
  private pushConstant(value: number): void {
    const { f } = this.host;
    let local = this.constants.get(value);
    if (local === undefined) {
      const made = f.local('v128');
      f.inPrologue(() => {
        this.shape.pushOffset(f, value);
        f.set(made);
      });
      this.constants.set(value, made);
      local = made;
    }
    f.get(local);
  }

  private floorLocal(): number {
    const { f } = this.host;
    if (this.floor === undefined) {
      const made = f.local('v128');
      f.inPrologue(() => {
        f.i32(0);
        f.memory('v128.load', FLOOR);
        f.set(made);
      });
      this.floor = made;
    }
    return this.floor;
  }
}
