import { FLOOR, GUEST_END, PAGE_SIZE, PERMISSIONS, SHADOW } from '../guest/layout.ts';
import { FAST_STORE } from '../guest/memory.ts';
import type { AccessSize } from '../ir/node.ts';
import { LOCATIONS } from '../x86/state.ts';
import { Bits } from './bits.ts';
import type { BlockItems } from './dataflow.ts';
import type { Measure, MeasureHost } from './measure.ts';
import type { Region, RegionBlock } from './region.ts';
import { baseOf, planSteps, type StepPlan, type Terms } from './steps.ts';

/**
 * Four contexts at once: a step is four i32 lanes, lane k the cycle in the context of depth k (measured on eight kernels:
 * four lanes cost 2-7 % over one). A context needs no reset on entry: its lane's floor becomes the lane's maximum, and
 * what was computed before counts as cycle 0 because it is not above the floor.
 *
 * Memory keeps one step for each aligned 4 bytes in shadow memory. Lane 0 tells three cases apart: positive, the step of
 * all four bytes; 0, nothing is known of the page yet; negative, the bytes differ and have steps of their own elsewhere.
 * The last two, and accesses that are unaligned or outside, go to the support functions.
 */
export class Lanes implements Measure {
  readonly kind = 'lanes';
  readonly stepType = 'v128';
  private plans: readonly StepPlan[] = [];
  /** Per block: overwritten locations that MAXIMUM does not cover. */
  private uncovered: readonly number[][] = [];
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
  private storeLocal: { instruction: number; local: number } | undefined;

  plan(region: Region): readonly BlockItems[] {
    this.plans = region.blocks.map(planSteps);
    const covered = this.coveredAtEntry(region);
    this.uncovered = this.plans.map((plan, b) =>
      plan.dropped.filter((location) => !covered[b].has(location)),
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
    this.storeLocal = undefined;
  }

  load(_instruction: number, address: number, size: AccessSize): void {
    const { f, scratch, functions } = this.host;
    const step = scratch.take('v128');
    this.loadLocals[this.loadIndex++] = step;
    if (this.host.isCold) {
      f.get(address);
      f.i32(size);
      f.call(functions.loadStep);
      return f.set(step);
    }
    const small = scratch.take('i32');
    const done = f.block();
    const slow = f.block();
    branchUnlessInside(f, address, size === 1 ? 0 : size === 2 ? 1 : 2, slow);
    f.get(address);
    f.op('i32.wrap_i64');
    if (size < 4) {
      f.i32(~3);
      f.op('i32.and');
    }
    f.i32(2);
    f.op('i32.shl');
    f.set(small);
    const granules = Math.max(1, size / 4);
    const granule = (i: number) => {
      f.get(small);
      f.memory('v128.load', SHADOW + 16 * i);
    };
    for (let i = 0; i < granules; i++) {
      granule(i);
      if (i > 0) f.op('i32x4.max_s');
    }
    f.set(step);
    if (granules === 1) f.get(step);
    else
      for (let i = 0; i < granules; i++) {
        granule(i);
        if (i > 0) f.op('i32x4.min_s');
      }
    f.lane('i32x4.extract_lane', 0);
    f.i32(0);
    f.op('i32.gt_s');
    f.brIf(done);
    f.end();
    f.get(address);
    f.i32(size);
    f.call(functions.loadStep);
    f.set(step);
    f.end();
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

  store(instruction: number, address: number, size: AccessSize): void {
    const { f, scratch, functions } = this.host;
    const step = this.stepForStores(instruction);
    if (size < 4 || this.host.isCold) {
      f.get(address);
      f.i32(size);
      f.get(step);
      return f.call(functions.storeStep);
    }
    const small = scratch.take('i32');
    const done = f.block();
    const slow = f.block();
    // 8 bytes aligned to 8 never cross a page; 16 bytes are often aligned to 8 only, so both ends are asked.
    branchUnlessInside(f, address, size === 8 ? 3 : 2, slow);
    f.get(address);
    f.op('i32.wrap_i64');
    f.set(small);
    branchUnlessFast(f, small, 0, slow);
    if (size === 16) branchUnlessFast(f, small, 15, slow);
    f.get(small);
    f.i32(2);
    f.op('i32.shl');
    f.set(small);
    for (let i = 0; i < size / 4; i++) {
      f.get(small);
      f.get(step);
      f.memory('v128.store', SHADOW + 16 * i);
    }
    f.br(done);
    f.end();
    f.get(address);
    f.i32(size);
    f.get(step);
    f.call(functions.storeStep);
    f.end();
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
        f.op('i32x4.max_s');
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
    const known = this.known.get(shape);
    if (known !== undefined) {
      f.get(known.local);
      if (shift !== known.shift) {
        this.pushConstant(Math.abs(shift - known.shift));
        f.op(shift > known.shift ? 'i32x4.add' : 'i32x4.sub');
      }
      return;
    }
    entries.forEach(([base, offset], i) => {
      this.pushTerm(base, offset);
      if (i > 0) f.op('i32x4.max_s');
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
    f.op('i32x4.add');
  }

  /** Small offsets live in locals: as constants they are rebuilt at each use (measured: 270 -> 161 ms on matmul). */
  private pushConstant(value: number): void {
    const { f } = this.host;
    let local = this.constants.get(value);
    if (local === undefined) {
      const made = f.local('v128');
      f.inPrologue(() => {
        f.i32(value);
        f.op('i32x4.splat');
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

/** Branches when the address in an i64 local is not a multiple of 2^bits below GUEST_END: one rotation, one comparison. */
function branchUnlessInside(f: MeasureHost['f'], address: number, bits: number, label: number): void {
  f.get(address);
  if (bits > 0) {
    f.i64(BigInt(bits));
    f.op('i64.rotr');
  }
  f.i64(BigInt(GUEST_END >> bits));
  f.op('i64.ge_u');
  f.brIf(label);
}

function branchUnlessFast(f: MeasureHost['f'], address: number, offset: number, label: number): void {
  f.get(address);
  if (offset > 0) {
    f.i32(offset);
    f.op('i32.add');
  }
  f.i32(Math.log2(PAGE_SIZE));
  f.op('i32.shr_u');
  f.memory('i32.load8_u', PERMISSIONS);
  f.i32(FAST_STORE);
  f.op('i32.and');
  f.op('i32.eqz');
  f.brIf(label);
}
