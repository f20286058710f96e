import { FUEL, MAXIMUM, stepOffset, valueOffset } from '../../guest/layout.ts';
import type { FunctionBuilder } from '../../wasm/function.ts';
import { FPU_TOP, LOCATIONS, locationOf, RSP, VARIABLES } from '../../x86/state.ts';
import { exceedsMaximum, isRaised, isRare, noteRareSteps } from '../contexts/meters.ts';
import { Bits } from '../regions/bits.ts';
import { type BlockItems, type ItemFlow, itemFlow } from '../regions/dataflow.ts';
import type { CallInLine, Edge, Region, RegionBlock } from '../regions/region.ts';
import { clobbers, type Segments, staysInside } from '../regions/segments.ts';
import { loadName, sizeOf, storeName } from '../steps/access-names.ts';
import type { Measure } from '../steps/measure.ts';

/** Parameters and results of every region, in this order (see REGION_TYPE). */
export const RSP_LOCAL = 0;
export const FUEL_LOCAL = 1;
export const RSP_STEP_LOCAL = 2;
export const MAXIMUM_LOCAL = 3;
export const RSP_LOCATION = locationOf(RSP);

const CARRIED_VARIABLES = Bits.of(VARIABLES.length, [RSP]);
const NOWHERE = -1;
const CARRIED_LOCATIONS = Bits.of(LOCATIONS, [RSP_LOCATION]);

/** By variable: how it is read from and written to the state area. */
const CELLS = VARIABLES.map(({ type }, variable) => ({
  load: loadName(type, sizeOf(type)),
  store: storeName(type, sizeOf(type)),
  offset: valueOffset(variable),
}));

/**
 * Where a region keeps the guest's state: variables and steps live in locals between their first use and the next call
 * or exit, in the state area otherwise; what every region needs is carried in parameters and results.
 */
export class Residence {
  readonly variables: ItemFlow;
  readonly steps: ItemFlow;
  private readonly f: FunctionBuilder;
  private readonly region: Region;
  private readonly segments: Segments;
  private readonly measure: Measure;
  private readonly stepItems: readonly BlockItems[];
  private readonly variableLocals: (number | undefined)[] = new Array(VARIABLES.length);
  private readonly stepLocals: (number | undefined)[] = new Array(LOCATIONS);
  /** What the block that is being emitted has still to load. */
  private readonly pending = {
    variables: new Bits(VARIABLES.length),
    steps: new Bits(LOCATIONS),
    isInside: false,
    nesting: 0,
  };
  /** By block: what was written back before its ways out parted. */
  private readonly written = new Map<number, { readonly variables: Bits; readonly steps: Bits }>();

  constructor(
    f: FunctionBuilder,
    region: Region,
    segments: Segments,
    measure: Measure,
    stepItems: readonly BlockItems[],
    keepsAll: boolean,
  ) {
    this.f = f;
    this.region = region;
    this.segments = segments;
    this.measure = measure;
    this.stepItems = stepItems;
    this.variableLocals[RSP] = RSP_LOCAL;
    this.stepLocals[RSP_LOCATION] = RSP_STEP_LOCAL;
    const variableItems = region.blocks.map(({ lifted }) => ({
      uses: Bits.of(VARIABLES.length, lifted.uses),
      writes: Bits.of(VARIABLES.length, lifted.assignments.keys()),
    }));
    this.variables = itemFlow(region, segments, variableItems, VARIABLES.length, CARRIED_VARIABLES, keepsAll);
    this.steps = itemFlow(region, segments, stepItems, LOCATIONS, CARRIED_LOCATIONS, keepsAll);
  }

  stepLocal(location: number): number {
    let local = this.stepLocals[location];
    if (local === undefined) {
      local = this.f.local('v128');
      this.stepLocals[location] = local;
    }
    return local;
  }

  variableLocal(variable: number): number {
    let local = this.variableLocals[variable];
    if (local === undefined) {
      local = this.f.local(VARIABLES[variable].type);
      this.variableLocals[variable] = local;
    }
    return local;
  }

  /** A variable by its name, a step by that of its location's first variable with an apostrophe. */
  nameLocals(locals: Map<number, string>): void {
    this.stepLocals.forEach((local, location) => {
      const variable = VARIABLES.find((each) => each.location === location);
      if (local !== undefined) locals.set(local, `${variable?.name ?? location}'`);
    });
    this.variableLocals.forEach((local, variable) => {
      if (local !== undefined) locals.set(local, VARIABLES[variable].name);
    });
  }

  /** At every way into the block from another segment. */
  loadItems(index: number): void {
    for (const variable of this.variables.loads[index].items()) this.loadVariable(variable);
    for (const location of this.steps.loads[index].items()) this.loadLocation(location, this.isInside(index));
  }

  /**
   * From here on what the block needs is loaded where it is first read: loaded at the block's beginning, most of it was
   * spilled until then.
   */
  loadItemsWhenRead(index: number): void {
    this.pending.variables.assign(this.variables.loads[index]);
    this.pending.steps.assign(this.steps.loads[index]);
    this.pending.isInside = this.isInside(index);
    this.pending.nesting = this.f.nesting;
  }

  private isInside(index: number): boolean {
    return this.region.blocks[index].inside !== undefined;
  }

  /** Loads what was not read: blocks behind this one find it in locals. */
  loadPending(): void {
    for (const variable of this.pending.variables.items()) this.readVariable(variable);
    for (const location of this.pending.steps.items()) this.readStep(location);
  }

  /** The local of a variable, to be read. */
  readVariable(variable: number): number {
    if (this.pending.variables.has(variable)) {
      this.pending.variables.delete(variable);
      this.expectNesting();
      this.loadVariable(variable);
    }
    return this.variableLocal(variable);
  }

  /** Likewise of a location's step. */
  readStep(location: number): number {
    if (this.pending.steps.has(location)) {
      this.pending.steps.delete(location);
      this.expectNesting();
      this.loadLocation(location, this.pending.isInside);
    }
    return this.stepLocal(location);
  }

  /** A load in an arm would be missing in the others. */
  private expectNesting(): void {
    if (this.f.nesting !== this.pending.nesting) throw new Error('first read in an arm');
  }

  private loadVariable(variable: number): void {
    this.f.i32(0);
    this.f.memory(CELLS[variable].load, CELLS[variable].offset);
    this.f.set(this.variableLocal(variable));
  }

  /** When a context opens for a call in line, only what locals hold rises. */
  private loadLocation(location: number, isInside: boolean): void {
    this.loadStep(stepOffset(location));
    if (isInside || !isRaised(location)) this.measure.raiseToFloor(this.f);
    this.f.set(this.stepLocal(location));
  }

  /** Where a loop is a segment, its items are loaded before it, not every time round. */
  loadsBeforeLoop(index: number): boolean {
    return this.segments.isInLoop[index] === 1;
  }

  /** Writes back everything: the region is left. */
  storeItems(index: number): void {
    this.storeUnwritten(index, this.variables.dirtyOut[index], this.steps.dirtyOut[index]);
  }

  /** On the way to another block: what is wanted in memory there. Calls and services wrote everything back before. */
  storeForEdge(block: RegionBlock, edge: Edge): void {
    if (edge.kind === 'exit' || clobbers(block)) return;
    if (staysInside(this.segments, block.index, edge.index)) return;
    this.storeUnwritten(block.index, this.variables.liveOn(block, edge), this.steps.liveOn(block, edge));
  }

  /** Writes back what both ways out of a branch want in memory. */
  storeForBoth(block: RegionBlock): void {
    const [taken, next] = block.successors;
    for (const edge of [taken, next])
      if (edge.kind === 'block' && staysInside(this.segments, block.index, edge.index)) return;
    const variables = this.variables.liveOn(block, taken);
    variables.intersect(this.variables.liveOn(block, next));
    const steps = this.steps.liveOn(block, taken);
    steps.intersect(this.steps.liveOn(block, next));
    this.storeUnwritten(block.index, variables, steps);
    this.written.set(block.index, { variables, steps });
  }

  private storeUnwritten(index: number, variables: Bits, steps: Bits): void {
    const written = this.written.get(index);
    for (const variable of variables.items()) {
      if (written?.variables.has(variable)) continue;
      this.f.i32(0);
      this.f.get(this.variableLocal(variable));
      this.f.memory(CELLS[variable].store, CELLS[variable].offset);
    }
    let hasRare = false;
    for (const location of steps.items()) {
      if (written?.steps.has(location)) continue;
      this.storeStep(stepOffset(location), this.stepLocal(location));
      hasRare ||= isRare(location);
    }
    if (hasRare) noteRareSteps(this.f);
  }

  /** In an arm behind a block that calls in line: a context has opened. What the function reads rises to a step, as far as a local has it. */
  raiseForCall(call: CallInLine, raised: number): void {
    for (const location of this.stepsInside(call, 'uses').items()) {
      if (location === RSP_LOCATION) continue;
      const local = this.stepLocal(location);
      this.f.get(local);
      this.f.get(raised);
      this.measure.inLine!.later(this.f);
      this.f.set(local);
    }
  }

  /** In an arm behind a block that returns in line: brings the steps that the function has made into the maximum. */
  foldAfterCall({ index }: RegionBlock, call: CallInLine): void {
    const { f } = this;
    for (const location of this.stepsInside(call, 'writes').items()) {
      if (!exceedsMaximum(location)) continue;
      f.get(MAXIMUM_LOCAL);
      if (location === RSP_LOCATION || this.steps.dirtyOut[index].has(location))
        f.get(this.stepLocal(location));
      else this.loadStep(stepOffset(location));
      this.measure.inLine!.later(f);
      f.set(MAXIMUM_LOCAL);
    }
  }

  private stepsInside(call: CallInLine, kind: keyof BlockItems): Bits {
    const all = new Bits(LOCATIONS);
    for (const { inside, index } of this.region.blocks)
      if (inside === call) all.union(this.stepItems[index][kind]);
    return all;
  }

  private loadStep(offset: number): void {
    this.f.i32(0);
    this.f.memory('v128.load', offset);
  }

  private storeStep(offset: number, local: number): void {
    this.f.i32(0);
    this.f.get(local);
    this.f.memory('v128.store', offset);
  }

  pushCarried(): void {
    for (const local of [RSP_LOCAL, FUEL_LOCAL, RSP_STEP_LOCAL, MAXIMUM_LOCAL]) this.f.get(local);
  }

  popCarried(): void {
    for (const local of [MAXIMUM_LOCAL, RSP_STEP_LOCAL, FUEL_LOCAL, RSP_LOCAL]) this.f.set(local);
  }

  popCarriedSteps(): void {
    for (const local of [MAXIMUM_LOCAL, RSP_STEP_LOCAL]) this.f.set(local);
  }

  storeCarried(): void {
    const { f } = this;
    f.i32(0);
    f.get(RSP_LOCAL);
    f.memory('i64.store', valueOffset(RSP));
    f.i32(0);
    f.get(FUEL_LOCAL);
    f.memory('i64.store', FUEL);
    this.storeStep(stepOffset(RSP_LOCATION), RSP_STEP_LOCAL);
    this.storeStep(MAXIMUM, MAXIMUM_LOCAL);
  }

  loadCarriedSteps(): void {
    this.loadStep(stepOffset(RSP_LOCATION));
    this.f.set(RSP_STEP_LOCAL);
    this.loadStep(MAXIMUM);
    this.f.set(MAXIMUM_LOCAL);
  }

  loadFuel(): void {
    const { f } = this;
    f.i32(0);
    f.memory('i64.load', FUEL);
    f.set(FUEL_LOCAL);
  }

  loadCarried(): void {
    const { f } = this;
    f.i32(0);
    f.memory('i64.load', valueOffset(RSP));
    f.set(RSP_LOCAL);
    this.loadFuel();
    this.loadCarriedSteps();
  }

  /** At a loop's entry: what the loop will need, wherever it goes on. */
  storeForLoop(index: number): void {
    const dirty = ({ dirtyIn, liveIn }: ItemFlow): Bits => {
      const items = dirtyIn[index].copy();
      items.intersect(liveIn[index]);
      return items;
    };
    // None of it is written back yet: a block's ways out part behind it.
    this.storeUnwritten(NOWHERE, dirty(this.variables), dirty(this.steps));
    if (!this.region.usesFpu) return;
    // Which region the loop goes on in depends on it, even where every path would soon overwrite it.
    this.f.i32(0);
    this.f.i32(this.region.blocks[index].top);
    this.f.memory('i32.store', valueOffset(FPU_TOP));
  }
}
