import { ifProbed } from '../../counts/probes.ts';
import type { Edge, RegionBlock } from '../../regions/region.ts';
import { clobbers } from '../../regions/segments.ts';
import { Calls } from './calls.ts';
import { CallsInLine } from './calls-in-line.ts';
import { CodeChanges } from './code-changes.ts';
import { ContextOpenings } from './context-openings.ts';
import type { Emission } from './emission.ts';
import { EntryGates } from './entry-gates.ts';
import { IndirectJumps } from './indirect-jumps.ts';
import { Modes } from './modes.ts';
import { SliceEnds } from './slice-ends.ts';

export type ExitEdge = Extract<Edge, { kind: 'exit' }>;

const NO_LABEL = -1;

/**
 * The ways out of a region and back in: calls and returns, jumps to other regions, the end of a slice, another mode of
 * the processor. "Return the next address" unwinds for all that is not a plain return.
 */
export class Exits {
  readonly calls: Calls;
  readonly inLine: CallsInLine;
  readonly jumps: IndirectJumps;
  readonly gates: EntryGates;
  readonly modes: Modes;
  readonly changes: CodeChanges;
  private readonly emission: Emission;
  private readonly slices: SliceEnds;
  private readonly openings: ContextOpenings;
  /** Where all ways out to a known address meet, see `leaveTo`. */
  private readonly out:
    | { readonly address: number; readonly slot: number; readonly place: number }
    | undefined;
  private outLabels = { noting: NO_LABEL, plain: NO_LABEL };

  constructor(emission: Emission) {
    const { f, region } = emission;
    this.emission = emission;
    this.slices = new SliceEnds(emission);
    this.openings = new ContextOpenings(emission);
    this.changes = new CodeChanges(emission);
    this.modes = new Modes(emission, this.changes, this.slices);
    this.calls = new Calls(emission, this.slices, this.openings, this.modes);
    this.inLine = new CallsInLine(emission, this.openings, this.calls);
    if (region.blocks.some(({ successors }) => successors.some(({ kind }) => kind === 'exit')))
      this.out = { address: f.local('i64'), slot: f.local('i32'), place: f.local('i32') };
    const entry = region.entries.length > 0 ? f.local('i32') : undefined;
    this.jumps = new IndirectJumps(emission, this.slices, this.openings);
    this.gates = new EntryGates(emission, this.jumps, entry);
  }

  /** Around all blocks: what all ways out to a known address have in common is there once, behind them. */
  around(emitBlocks: () => void): void {
    const { out } = this;
    const { f, imports, state, slot } = this.emission;
    if (out === undefined) return emitBlocks();
    this.outLabels = { plain: f.block(), noting: f.block() };
    emitBlocks();
    f.end();
    f.i32(slot);
    f.get(out.place);
    f.call(imports.noteExit);
    f.end();
    this.slices.leaveIfSpent(() => f.get(out.address));
    state.pushCarried();
    f.get(out.slot);
    f.returnCallIndirect(imports.regionType);
  }

  /**
   * Leaves the region for a known address: into its region directly, unless the slice is over. Every branch to a block that the
   * region lacks is such a way, so what they have in common is there once (4 % of the WebAssembly of python's regions).
   */
  leaveTo(from: RegionBlock, { address, enters }: ExitEdge): void {
    const { f, state, environment, slot } = this.emission;
    const { counters } = environment.instruments;
    if (!clobbers(from)) state.storeItems(from.index);
    this.inLine.leave(from);
    const isWarm = environment.isWarm(address, slot);
    if (enters) counters.emit(f, 'exits: jump into a function');
    else if (isWarm) counters.emit(f, 'exits: jump to another region');
    else counters.emit(f, 'exits: to a block that it lacks');
    if (enters)
      this.openings.byJump(
        () => f.i32(environment.placeOf(from.lifted.instructions.at(-1)!.address)),
        () => f.i64(BigInt(address)),
      );
    const out = this.out!;
    f.i64(BigInt(address));
    f.set(out.address);
    f.i32(environment.slotOf(address));
    f.set(out.slot);
    if (isWarm) return f.br(this.outLabels.plain);
    f.i32(environment.placeOf(address));
    f.set(out.place);
    f.br(this.outLabels.noting);
  }

  /** Where a loop leaves when the slice is over, its way back in is a region that begins here. */
  checkFuel(index: number): void {
    const { f, region, state, tally } = this.emission;
    const { lifted, targets } = region.blocks[index];
    this.slices.ifSpent(
      () => {
        state.storeForLoop(index);
        this.inLine.leave(region.blocks[index]);
      },
      () => {
        if (targets === undefined) f.i64(BigInt(lifted.address));
        else this.jumps.pushTarget();
      },
      () => {
        tally?.leave(f, index);
        if (targets !== undefined) this.jumps.countUnrouted();
      },
    );
  }

  /** Leaves before a block whose code may have been written since the region was entered. */
  leaveIfChanged(block: RegionBlock): void {
    const { f, state, tally } = this.emission;
    this.changes.leaveBefore(block, () => {
      state.storeForLoop(block.index);
      this.inLine.leave(block);
      tally?.leave(f, block.index);
    });
  }

  /** Leaves before a block at which control is to stop now. */
  probe({ index, lifted: { address } }: RegionBlock): void {
    const { f, imports, state, environment } = this.emission;
    const cell = environment.probes?.cellOf(address);
    if (cell === undefined) return;
    ifProbed(f, () => f.i32(0), cell);
    state.storeForLoop(index);
    state.storeCarried();
    f.call(imports.probed);
    state.loadFuel();
    f.i64(BigInt(address));
    state.pushCarried();
    f.return();
    f.end();
  }
}
