import { ENTRY_TARGET } from '../../../guest/layout.ts';
import { pushEntryOf } from '../../cached-lookup.ts';
import type { Edge, RegionBlock } from '../../regions/region.ts';
import type { ContextOpenings } from './context-openings.ts';
import type { Emission } from './emission.ts';
import type { SliceEnds } from './slice-ends.ts';

/** Jumps to addresses that are known when they are executed: through a table of the region's own targets, or out of it. */
export class IndirectJumps {
  private readonly emission: Emission;
  private readonly slices: SliceEnds;
  private readonly openings: ContextOpenings;
  /** Where an indirect jump goes and where it is, until the dispatching block has looked it up. */
  private readonly jump: { readonly target: number; readonly from: number } | undefined;

  constructor(emission: Emission, slices: SliceEnds, openings: ContextOpenings) {
    this.emission = emission;
    this.slices = slices;
    this.openings = openings;
    const { f, region } = emission;
    if (region.blocks.some(({ targets }) => targets !== undefined))
      this.jump = { target: f.local('i64'), from: f.local('i32') };
  }

  /** A jump whose targets are not known: out of the region, to the address in an i64 local. */
  leave(target: number, address: number): void {
    const { f, environment } = this.emission;
    const from = environment.placeOf(address);
    environment.instruments.counters.emit(f, 'exits: indirect jump');
    this.openings.byJump(
      () => f.i32(from),
      () => f.get(target),
    );
    this.countJump(() => f.i32(from), target);
    if (environment.learns(address)) this.note(target, () => f.i32(from));
    this.goTo(target);
  }

  /** A jump with known targets hands its own over to the dispatching block. */
  route(target: number, address: number): void {
    const { f, environment, tally } = this.emission;
    const { jump } = this;
    const from = environment.placeOf(address);
    f.get(target);
    f.set(jump!.target);
    f.i32(from);
    f.set(jump!.from);
    tally?.route(f, address);
    if (tally?.countsJumpsFirst === true) this.countJump(() => f.i32(from), target);
  }

  /** The table is about to be asked at an entry: it has the target, so that where the jump was does not matter. */
  takeTarget(): void {
    const { f } = this.emission;
    f.i32(0);
    f.memory('i64.load', ENTRY_TARGET);
    f.set(this.jump!.target);
  }

  /** Goes to the successor of the target that was handed over; to another region when it is not one of the targets. */
  dispatch(block: RegionBlock, targets: readonly number[], follow: (edge: Edge) => void): void {
    const { f, state, environment, tally } = this.emission;
    const { counters } = environment.instruments;
    const { target, from } = this.jump!;
    const table = environment.jumpTable(targets);
    const offset = f.local('i64');
    const elsewhere = f.block();
    const arms = targets.map(() => f.block()).reverse();
    f.get(target);
    f.i64(BigInt(table.start));
    f.op('i64.sub');
    f.tee(offset);
    f.i64(BigInt(table.length));
    f.op('i64.ge_u');
    f.brIf(elsewhere, 'unlikely');
    f.get(offset);
    f.op('i32.wrap_i64');
    f.i32(1);
    f.op('i32.shl');
    f.memory('i32.load16_u', table.at);
    f.brTable([elsewhere, ...arms], elsewhere);
    for (const edge of block.successors) {
      f.end();
      counters.emit(f, 'jumps: found in the table');
      follow(edge);
    }
    f.end();
    state.storeItems(block.index);
    counters.emit(f, 'exits: indirect jump that its table lacks');
    this.openings.byJump(
      () => f.get(from),
      () => f.get(target),
    );
    tally?.out(f, block);
    this.countUnrouted();
    this.note(target, () => f.get(from));
    this.goTo(target);
  }

  /** When the slice is over before the dispatching block: leaves for the target that was handed over. */
  pushTarget(): void {
    this.emission.f.get(this.jump!.target);
  }

  /** For a tally: the dispatching block does not go on to one of its successors. */
  countUnrouted(): void {
    const { f, tally } = this.emission;
    const { target, from } = this.jump!;
    if (tally?.countsJumpsFirst === false) this.countJump(() => f.get(from), target);
  }

  /** For a tally: which of the indirect jumps went where. */
  private countJump(pushFrom: () => void, target: number): void {
    const { f, imports, tally } = this.emission;
    if (tally === undefined) return;
    pushFrom();
    f.get(target);
    f.call(imports.countJump);
  }

  /** Where indirect jumps go is learned for the region's next translation. */
  private note(target: number, pushFrom: () => void): void {
    const { f, imports, slot } = this.emission;
    f.i32(slot);
    pushFrom();
    f.get(target);
    f.call(imports.noteJump);
  }

  /** To whichever region begins at the address in an i64 local; all state is in memory. */
  private goTo(target: number): void {
    const { f, imports, state, environment } = this.emission;
    this.slices.leaveIfSpent(() => f.get(target));
    state.pushCarried();
    pushEntryOf(f, target, environment.jumpTargets, imports.lookup);
    f.returnCallIndirect(imports.regionType);
  }
}
