import {
  CONTEXT_OPENS,
  CONTEXT_SLOT,
  ENTRY,
  ENTRY_TARGET,
  HOST_STACK,
  valueOffset,
} from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import { FPU_TOP, MXCSR } from '../x86/state.ts';
import { pushCached } from './cached-lookup.ts';
import type { Counting } from './instruments.ts';
import { ifProbed } from './probes.ts';
import type { Edge, Gate, Region, RegionBlock } from './region.ts';
import type { RegionEnvironment, RegionImports } from './region-interface.ts';
import { FUEL_LOCAL, type Residence, RSP_LOCAL } from './residence.ts';
import { findStackOffsets, isRise } from './stack-offsets.ts';
import type { RegionTally } from './tally.ts';

export type ExitEdge = Extract<Edge, { kind: 'exit' }>;

const NO_LABEL = -1;

/** Leaves a block along an edge; returns the block to emit right behind, if that is where the edge leads. */
export type TakeEdge = (edge: Edge) => number | undefined;

/**
 * The ways out of a region and back in: calls and returns, jumps to other regions, the end of a slice, another mode of
 * the processor. "Return the next address" unwinds for all that is not a plain return.
 */
export class Exits {
  private readonly f: FunctionBuilder;
  private readonly region: Region;
  private readonly imports: RegionImports;
  private readonly environment: RegionEnvironment;
  private readonly state: Residence;
  /** The slot that the region is made for. */
  private readonly slot: number;
  private readonly counters: Counting;
  private readonly tally: RegionTally | undefined;
  /** rsp at each block's entry relative to the region's entry, when known. */
  private readonly stackOffsets: (number | undefined)[];
  private readonly returnStack: number;
  private readonly nextAddress: number;
  private readonly hostStack: number;
  /** Where an indirect jump goes and where it is, until the dispatching block has looked it up. */
  private readonly jump: { readonly target: number; readonly from: number } | undefined;
  /** The number of the entry that is being gone to; 0 for none. */
  private readonly entry: number | undefined;
  /** Where all ways out to a known address meet, see `leaveTo`. */
  private readonly out:
    | { readonly address: number; readonly slot: number; readonly place: number }
    | undefined;
  private outLabels = { noting: NO_LABEL, plain: NO_LABEL };
  /** Places where the size of this function's frame on the host's stack is filled in. */
  private readonly frameSizes: number[] = [];

  constructor(
    f: FunctionBuilder,
    region: Region,
    state: Residence,
    imports: RegionImports,
    environment: RegionEnvironment,
    slot: number,
    tally: RegionTally | undefined,
  ) {
    this.f = f;
    this.region = region;
    this.state = state;
    this.imports = imports;
    this.environment = environment;
    this.slot = slot;
    this.tally = tally;
    this.counters = environment.instruments.counters;
    this.stackOffsets = findStackOffsets(region.blocks);
    this.returnStack = f.local('i64');
    this.nextAddress = f.local('i64');
    this.hostStack = f.local('i32');
    if (region.blocks.some(({ successors }) => successors.some(({ kind }) => kind === 'exit')))
      this.out = { address: f.local('i64'), slot: f.local('i32'), place: f.local('i32') };
    if (region.entries.length > 0) this.entry = f.local('i32');
    if (region.blocks.some(({ targets }) => targets !== undefined))
      this.jump = { target: f.local('i64'), from: f.local('i32') };
  }

  /** Around all blocks: what all ways out to a known address have in common is there once, behind them. */
  around(emitBlocks: () => void): void {
    const { f, out, imports, state } = this;
    if (out === undefined) return emitBlocks();
    this.outLabels = { plain: f.block(), noting: f.block() };
    emitBlocks();
    f.end();
    f.i32(this.slot);
    f.get(out.place);
    f.call(imports.noteExit);
    f.end();
    this.leaveIfSpent(() => f.get(out.address));
    state.pushCarried();
    f.get(out.slot);
    f.returnCallIndirect(imports.regionType);
  }

  /** Once the function is complete: its frame's size is known. */
  finish(): void {
    for (const position of this.frameSizes) this.f.patch(position, this.f.frameSize);
  }

  /** At the region's start: where it is to be entered. */
  takeEntry(): void {
    const { f, entry } = this;
    if (entry === undefined) return;
    f.i32(0);
    f.memory('i32.load', ENTRY);
    f.tee(entry);
    f.if(undefined, 'unlikely');
    f.i32(0);
    f.i32(0);
    f.memory('i32.store', ENTRY);
    f.end();
  }

  /** In the prologue, so before `takeEntry`. */
  unlessAtEntry(emit: () => void): void {
    const { f, entry } = this;
    if (entry === undefined) return emit();
    f.i32(0);
    f.memory('i32.load', ENTRY);
    f.op('i32.eqz');
    f.if();
    emit();
    f.end();
  }

  /** On to the entry, if it is being gone to. */
  passGate(block: RegionBlock, { arms }: Gate, follow: (edge: Edge) => number | undefined): void {
    const { f } = this;
    const entry = this.entry!;
    f.get(entry);
    f.if(undefined, 'unlikely');
    const { entries } = this.region;
    const table: number[] = new Array(entries[entries.length - 1].number + 1);
    const nowhere = f.block();
    const labels = arms.map(() => f.block()).reverse();
    arms.forEach(({ number }, i) => {
      table[number] = labels[i];
    });
    f.get(entry);
    f.brTable(
      Array.from(table, (label) => label ?? nowhere),
      nowhere,
    );
    arms.forEach(({ isThere }, i) => {
      f.end();
      const edge = block.successors[i + 1];
      if (isThere) {
        f.i32(0);
        f.set(entry);
        if (edge.kind === 'block' && this.region.blocks[edge.index].targets !== undefined) this.takeTarget();
      }
      if (follow(edge) !== undefined) throw new Error('an entry needs a label');
    });
    f.end();
    f.unreachable();
    f.end();
  }

  /** The table is about to be asked: it has the target, so that where the jump was does not matter. */
  private takeTarget(): void {
    const { f } = this;
    f.i32(0);
    f.memory('i64.load', ENTRY_TARGET);
    f.set(this.jump!.target);
  }

  /** Blocks are valid for one x87 top: a region entered with another one goes to its variant. */
  checkTop(): void {
    const { f, imports, state } = this;
    f.i32(0);
    f.memory('i32.load', valueOffset(FPU_TOP));
    f.i32(this.region.top);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    this.counters.emit(f, 'exits: entered with another x87 top');
    state.pushCarried();
    f.i32(this.environment.placeOf(this.region.entry));
    f.call(imports.variant);
    f.returnCallIndirect(imports.regionType);
    f.end();
  }

  /** A call of the guest is one of the host, so that its return comes back here. */
  call(block: RegionBlock, operand: number, take: TakeEdge): number | undefined {
    const { f, imports, state } = this;
    const { terminator } = block.lifted;
    if (terminator.kind !== 'call') throw new Error('not a call');
    const { target, next } = terminator;
    const pushTarget = () => {
      if (typeof target === 'number') f.i64(BigInt(target));
      else f.get(operand);
    };
    state.storeItems(block.index);
    this.counters.emit(f, typeof target === 'number' ? 'exits: call' : 'exits: indirect call');
    // What rsp must be when the callee has returned: its return address popped.
    f.get(RSP_LOCAL);
    f.i64(8n);
    f.op('i64.add');
    f.set(this.returnStack);
    this.ifContextsOpen('by a call', () => {
      pushTarget();
      state.pushCarried();
      f.call(imports.openByCall);
      state.popCarriedSteps();
    });
    f.i32(0);
    f.memory('i32.load', HOST_STACK);
    this.frameSizes.push(f.i32Later());
    f.op('i32.sub');
    f.tee(this.hostStack);
    // Whether one of the two is below 0.
    f.op('i64.extend_i32_s');
    f.get(FUEL_LOCAL);
    f.op('i64.or');
    f.i64(0n);
    f.op('i64.lt_s');
    f.if(undefined, 'unlikely');
    const stay = f.block();
    const leave = f.block();
    f.get(this.hostStack);
    f.i32(0);
    f.op('i32.lt_s');
    f.brIf(leave);
    this.pushIsToLeave();
    f.op('i32.eqz');
    f.brIf(stay);
    this.counters.emit(f, 'exits: slice over');
    f.end();
    this.countFullStack();
    pushTarget();
    state.pushCarried();
    f.return();
    f.end();
    state.loadFuel();
    f.end();
    f.i32(0);
    f.get(this.hostStack);
    f.memory('i32.store', HOST_STACK);
    state.pushCarried();
    if (typeof target === 'number') f.i32(this.environment.slotOf(target));
    else pushCached(f, operand, this.environment.jumpTargets, imports.lookup);
    f.callIndirect(imports.regionType);
    state.popCarried();
    f.set(this.nextAddress);
    f.i32(0);
    f.get(this.hostStack);
    this.frameSizes.push(f.i32Later());
    f.op('i32.add');
    f.memory('i32.store', HOST_STACK);
    // Anything but the plain return unwinds to the dispatcher: fuel, longjmp, a callee that moved its return address.
    f.get(this.nextAddress);
    f.i64(BigInt(next));
    f.op('i64.xor');
    f.get(RSP_LOCAL);
    f.get(this.returnStack);
    f.op('i64.xor');
    f.op('i64.or');
    f.i64(0n);
    f.op('i64.ne');
    f.if(undefined, 'unlikely');
    this.counters.emit(f, 'exits: a call came back elsewhere');
    f.get(this.nextAddress);
    state.pushCarried();
    f.return();
    f.end();
    // A long way back through many calls comes to no other check, and timers, turns and logs end slices exactly.
    this.leaveIfSpent(() => f.i64(BigInt(next)));
    return this.resume(block, take);
  }

  private countFullStack(): void {
    const { f, counters } = this;
    if (!counters.isOn) return;
    counters.emit(f, 'exits: host stack full', () => {
      f.get(this.hostStack);
      f.i32(31);
      f.op('i32.shr_u');
      f.op('i64.extend_i32_u');
    });
  }

  /** The code behind is valid for one mode of MXCSR: with another one everything unwinds to the run loop. */
  leaveOnOtherMode(next: number): void {
    const { f, state } = this;
    f.i32(0);
    f.memory('i32.load', valueOffset(MXCSR));
    f.i32(this.region.mxcsr);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    this.counters.emit(f, 'exits: another mode of MXCSR');
    f.i64(BigInt(next));
    state.pushCarried();
    f.return();
    f.end();
  }

  /** After a call or a service: state is in memory. */
  resume(block: RegionBlock, take: TakeEdge): number | undefined {
    const { f, state } = this;
    const edge = block.successors[0];
    if (edge.kind === 'block') {
      if (this.region.usesFpu) {
        f.i32(0);
        f.memory('i32.load', valueOffset(FPU_TOP));
        f.i32(block.lifted.topAfter);
        f.op('i32.ne');
        f.if(undefined, 'unlikely');
        this.counters.emit(f, 'exits: another x87 top after a call or service');
        f.i64(BigInt(this.region.blocks[edge.index].lifted.address));
        state.pushCarried();
        f.return();
        f.end();
      }
    }
    return take(edge);
  }

  /**
   * Leaves the region for a known address: into its region directly, unless the slice is over. Every branch to a block that the
   * region lacks is such a way, so what they have in common is there once (4 % of the WebAssembly of python's regions).
   */
  leaveTo(from: RegionBlock, { address, enters }: ExitEdge): void {
    const { f, state } = this;
    const kind = from.lifted.terminator.kind;
    if (kind !== 'call' && kind !== 'service') state.storeItems(from.index);
    const isWarm = this.environment.isWarm(address, this.slot);
    if (enters) this.counters.emit(f, 'exits: jump into a function');
    else if (isWarm) this.counters.emit(f, 'exits: jump to another region');
    else this.counters.emit(f, 'exits: to a block that it lacks');
    if (enters)
      this.openByJump(
        () => f.i32(this.environment.placeOf(from.lifted.instructions.at(-1)!.address)),
        () => f.i64(BigInt(address)),
      );
    const out = this.out!;
    f.i64(BigInt(address));
    f.set(out.address);
    f.i32(this.environment.slotOf(address));
    f.set(out.slot);
    if (isWarm) return f.br(this.outLabels.plain);
    f.i32(this.environment.placeOf(address));
    f.set(out.place);
    f.br(this.outLabels.noting);
  }

  jumpIndirect(target: number, address: number): void {
    const { f } = this;
    const from = this.environment.placeOf(address);
    this.counters.emit(f, 'exits: indirect jump');
    this.openByJump(
      () => f.i32(from),
      () => f.get(target),
    );
    this.countJump(() => f.i32(from), target);
    if (this.environment.learns(address)) this.note(target, () => f.i32(from));
    this.goTo(target);
  }

  /** To whichever region begins at the address in an i64 local; all state is in memory. */
  private goTo(target: number): void {
    const { f, imports, state } = this;
    this.leaveIfSpent(() => f.get(target));
    state.pushCarried();
    pushCached(f, target, this.environment.jumpTargets, imports.lookup);
    f.returnCallIndirect(imports.regionType);
  }

  /** Where indirect jumps go is learned for the region's next translation. */
  private note(target: number, pushFrom: () => void): void {
    const { f, imports } = this;
    f.i32(this.slot);
    pushFrom();
    f.get(target);
    f.call(imports.noteJump);
  }

  /** An indirect jump with known targets hands its own over to the dispatching block. */
  routeJump(target: number, address: number): void {
    const { f, jump } = this;
    const from = this.environment.placeOf(address);
    f.get(target);
    f.set(jump!.target);
    f.i32(from);
    f.set(jump!.from);
    this.tally?.route(f, address);
    if (this.tally?.countsJumpsFirst === true) this.countJump(() => f.i32(from), target);
  }

  /** For a tally: the dispatching block does not go on to one of its successors. */
  private countUnrouted(): void {
    const { target, from } = this.jump!;
    if (this.tally?.countsJumpsFirst === false) this.countJump(() => this.f.get(from), target);
  }

  /** For a tally: which of the indirect jumps went where. */
  private countJump(pushFrom: () => void, target: number): void {
    if (this.tally === undefined) return;
    pushFrom();
    this.f.get(target);
    this.f.call(this.imports.countJump);
  }

  /** Goes to the successor of the address in the dispatch local; to another region when it is not one of the targets. */
  dispatch(block: RegionBlock, targets: readonly number[], follow: (edge: Edge) => void): void {
    const { f, environment } = this;
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
      this.counters.emit(f, 'jumps: found in the table');
      follow(edge);
    }
    f.end();
    this.state.storeItems(block.index);
    this.counters.emit(f, 'exits: indirect jump that its table lacks');
    this.openByJump(
      () => f.get(from),
      () => f.get(target),
    );
    this.tally?.out(f, block);
    this.countUnrouted();
    this.note(target, () => f.get(from));
    this.goTo(target);
  }

  private leaveIfSpent(pushAddress: () => void): void {
    this.ifSpent(() => {}, pushAddress);
  }

  /** When the slice is over: goes on with the next one in place, or leaves. `store` brings into memory what is not there yet. */
  private ifSpent(store: () => void, pushAddress: () => void, leaving?: () => void): void {
    const { f, state } = this;
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if(undefined, 'unlikely');
    store();
    this.pushIsToLeave();
    f.if();
    this.counters.emit(f, 'exits: slice over');
    leaving?.();
    pushAddress();
    state.pushCarried();
    f.return();
    f.end();
    state.loadFuel();
    f.end();
  }

  /** Ends the slice; pushes 0 when the next one has begun and the region goes on: nothing but the fuel has changed. */
  private pushIsToLeave(): void {
    this.state.pushCarried();
    this.f.i32(this.slot);
    this.f.call(this.imports.endSlice);
  }

  /** Where a loop leaves when the slice is over, its way back in is a region that begins here. */
  checkFuel(index: number): void {
    const { f, state } = this;
    const { address } = this.region.blocks[index].lifted;
    const pushAddress = () => {
      if (this.region.blocks[index].targets === undefined) f.i64(BigInt(address));
      else f.get(this.jump!.target);
    };
    this.ifSpent(
      () => state.storeForLoop(index),
      pushAddress,
      () => {
        this.tally?.leave(f, index);
        if (this.region.blocks[index].targets !== undefined) this.countUnrouted();
      },
    );
  }

  /** Leaves before a block at which control is to stop now. */
  probe({ index, lifted: { address } }: RegionBlock): void {
    const { f, state } = this;
    const cell = this.environment.probes?.cellOf(address);
    if (cell === undefined) return;
    ifProbed(f, () => f.i32(0), cell);
    state.storeForLoop(index);
    state.storeCarried();
    f.call(this.imports.probed);
    state.loadFuel();
    f.i64(BigInt(address));
    state.pushCarried();
    f.return();
    f.end();
  }

  private openByJump(pushFrom: () => void, pushTarget: () => void): void {
    const { f, state } = this;
    this.ifContextsOpen('by a jump', () => {
      state.storeCarried();
      pushFrom();
      pushTarget();
      f.call(this.imports.openByJump);
      state.loadCarriedSteps();
    });
  }

  /** Opening contexts is rare and shallow. */
  private ifContextsOpen(way: 'by a call' | 'by a jump', emit: () => void): void {
    const { f } = this;
    f.i32(0);
    f.memory('i32.load', CONTEXT_OPENS);
    f.if(undefined, 'unlikely');
    this.counters.emit(f, `contexts: perhaps opened ${way}`);
    emit();
    f.end();
  }

  /** Closes contexts when this block may have raised rsp above the innermost one's return slot (rule 9). A return asks in `return`. */
  closeIfRisen(block: RegionBlock): void {
    const { f, state, nextAddress } = this;
    const offset = this.stackOffsets[block.index];
    const isRisky = block.lifted.stackRises.some((rise) => isRise(rise.value, offset));
    if (!isRisky || block.lifted.terminator.kind === 'return') return;
    this.ifRisen(() => {
      state.storeItems(block.index);
      f.i64(0n);
      state.pushCarried();
      f.call(this.imports.close);
      state.popCarried();
      f.set(nextAddress);
    });
  }

  /** Returns to the address in a local. */
  return(block: RegionBlock, target: number): void {
    const { f, state } = this;
    this.counters.emit(f, 'exits: return');
    state.storeItems(block.index);
    this.ifRisen(() => {
      f.get(target);
      state.pushCarried();
      f.returnCall(this.imports.close);
    });
    f.get(target);
    state.pushCarried();
    f.return();
  }

  private ifRisen(emit: () => void): void {
    const { f } = this;
    f.get(RSP_LOCAL);
    f.i32(0);
    f.memory('i64.load', CONTEXT_SLOT);
    f.op('i64.gt_u');
    f.if(undefined, 'unlikely');
    this.counters.emit(f, 'contexts: closed');
    emit();
    f.end();
  }
}
