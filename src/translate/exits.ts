import { CONTEXT_OPENS, CONTEXT_SLOT, HOST_STACK, valueOffset } from '../guest/layout.ts';
import type { FunctionBuilder } from '../wasm/function.ts';
import { FPU_TOP, MXCSR } from '../x86/state.ts';
import { type Edge, findStackOffsets, isRise, type Region, type RegionBlock } from './region.ts';
import type { RegionEnvironment, RegionImports } from './region-interface.ts';
import { FUEL_LOCAL, type Residence, RSP_LOCAL } from './residence.ts';

export type ExitEdge = Extract<Edge, { kind: 'exit' }>;

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
  /** The slot whose entries a cold region counts. */
  private readonly countedSlot: number | undefined;
  /** rsp at each block's entry relative to the region's entry, when known. */
  private readonly stackOffsets: (number | undefined)[];
  private readonly returnStack: number;
  private readonly nextAddress: number;
  private readonly hostStack: number;
  /** Places where the size of this function's frame on the host's stack is filled in. */
  private readonly frameSizes: number[] = [];

  constructor(
    f: FunctionBuilder,
    region: Region,
    state: Residence,
    imports: RegionImports,
    environment: RegionEnvironment,
    countedSlot: number | undefined,
  ) {
    this.f = f;
    this.region = region;
    this.state = state;
    this.imports = imports;
    this.environment = environment;
    this.countedSlot = countedSlot;
    this.stackOffsets = findStackOffsets(region.blocks);
    this.returnStack = f.local('i64');
    this.nextAddress = f.local('i64');
    this.hostStack = f.local('i32');
  }

  /** Once the function is complete: its frame's size is known. */
  finish(): void {
    for (const position of this.frameSizes) this.f.patch(position, this.f.frameSize);
  }

  /** Counts the region's slot down and pushes whether it deserves a better translation now. */
  private countDown(slot: number): void {
    const { f } = this;
    const at = this.environment.entryCounters + 4 * slot;
    f.i32(0);
    f.i32(0);
    f.memory('i32.load', at);
    f.i32(1);
    f.op('i32.sub');
    f.memory('i32.store', at);
    f.i32(0);
    f.memory('i32.load', at);
    f.i32(0);
    f.op('i32.le_s');
  }

  /** A cold region that has been entered often enough is translated anew. */
  countEntry(slot: number): void {
    const { f, imports, state } = this;
    this.countDown(slot);
    f.if(undefined, 'unlikely');
    f.i32(slot);
    f.call(imports.promote);
    state.pushCarried();
    f.i32(slot);
    f.returnCallIndirect(imports.regionType);
    f.end();
  }

  /** Blocks are valid for one x87 top: a region entered with another one goes to its variant. */
  checkTop(): void {
    const { f, imports, state } = this;
    f.i32(0);
    f.memory('i32.load', valueOffset(FPU_TOP));
    f.i32(this.region.top);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    state.pushCarried();
    f.i32(this.region.entry);
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
    // What rsp must be when the callee has returned: its return address popped.
    f.get(RSP_LOCAL);
    f.i64(8n);
    f.op('i64.add');
    f.set(this.returnStack);
    this.ifContextsOpen(() => {
      pushTarget();
      f.call(imports.openByCall);
    });
    f.i32(0);
    f.memory('i32.load', HOST_STACK);
    this.frameSizes.push(f.i32Later());
    f.op('i32.sub');
    f.tee(this.hostStack);
    f.i32(0);
    f.op('i32.lt_s');
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.op('i32.or');
    f.if(undefined, 'unlikely');
    pushTarget();
    state.pushCarried();
    f.return();
    f.end();
    f.i32(0);
    f.get(this.hostStack);
    f.memory('i32.store', HOST_STACK);
    state.pushCarried();
    if (typeof target === 'number') f.i32(this.environment.slotOf(target));
    else {
      f.get(operand);
      f.call(imports.lookup);
    }
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
    f.op('i64.ne');
    f.get(RSP_LOCAL);
    f.get(this.returnStack);
    f.op('i64.ne');
    f.op('i32.or');
    f.if(undefined, 'unlikely');
    f.get(this.nextAddress);
    state.pushCarried();
    f.return();
    f.end();
    return this.resume(block, take);
  }

  /** The code behind is valid for one mode of MXCSR: with another one everything unwinds to the run loop. */
  leaveOnOtherMode(next: number): void {
    const { f, state } = this;
    f.i32(0);
    f.memory('i32.load', valueOffset(MXCSR));
    f.i32(this.region.mxcsr);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    f.i64(BigInt(next));
    state.pushCarried();
    f.return();
    f.end();
  }

  /** After a call or a service: state is in memory, the next block wants it in locals. */
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
        f.i64(BigInt(this.region.blocks[edge.index].lifted.address));
        state.pushCarried();
        f.return();
        f.end();
      }
      state.loadItems(edge.index);
    }
    return take(edge);
  }

  /** Leaves the region for a known address: into its region directly, unless the slice is over. */
  leaveTo(from: RegionBlock, { address, enters }: ExitEdge): void {
    const { f, imports, state } = this;
    const kind = from.lifted.terminator.kind;
    if (kind !== 'call' && kind !== 'service') state.storeItems(from.index);
    if (enters)
      this.ifContextsOpen(() => {
        f.i32(from.lifted.instructions.at(-1)!.address);
        f.i64(BigInt(address));
        f.call(imports.openByJump);
      });
    this.leaveIfSpent(() => f.i64(BigInt(address)));
    state.pushCarried();
    f.i32(this.environment.slotOf(address));
    f.returnCallIndirect(imports.regionType);
  }

  jumpIndirect(target: number, from: number): void {
    const { f, imports, state } = this;
    this.ifContextsOpen(() => {
      f.i32(from);
      f.get(target);
      f.call(imports.openByJump);
    });
    this.leaveIfSpent(() => f.get(target));
    state.pushCarried();
    f.get(target);
    f.call(imports.lookup);
    f.returnCallIndirect(imports.regionType);
  }

  private leaveIfSpent(pushAddress: () => void): void {
    const { f, state } = this;
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if(undefined, 'unlikely');
    pushAddress();
    state.pushCarried();
    f.return();
    f.end();
  }

  /** A loop leaves here when the slice is over; its way back in is a region that begins here. */
  checkFuel(index: number): void {
    const { f, state } = this;
    const { address } = this.region.blocks[index].lifted;
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if(undefined, 'unlikely');
    state.storeForLoop(index);
    f.i64(BigInt(address));
    state.pushCarried();
    f.return();
    f.end();
    if (this.countedSlot === undefined) return;
    // A loop that keeps running in cold code goes on in a region of its own, which becomes a hot one.
    this.countDown(this.countedSlot);
    f.if(undefined, 'unlikely');
    state.storeForLoop(index);
    state.pushCarried();
    f.i32(this.environment.slotOf(address));
    f.returnCallIndirect(this.imports.regionType);
    f.end();
  }

  /** Opening contexts is rare and shallow: `emit` runs with the carried state in memory. */
  private ifContextsOpen(emit: () => void): void {
    const { f, state } = this;
    f.i32(0);
    f.memory('i32.load', CONTEXT_OPENS);
    f.if(undefined, 'unlikely');
    state.storeCarried();
    emit();
    state.loadCarriedSteps();
    f.end();
  }

  /** Closes contexts when this block may have raised rsp above the innermost one's return slot (rule 9). */
  closeIfRisen(block: RegionBlock): void {
    const { f, state } = this;
    const offset = this.stackOffsets[block.index];
    const isReturn = block.lifted.terminator.kind === 'return';
    const risky = isReturn || block.lifted.stackRises.some((rise) => isRise(rise.value, offset));
    if (!risky) return;
    f.get(RSP_LOCAL);
    f.i32(0);
    f.memory('i64.load', CONTEXT_SLOT);
    f.op('i64.gt_u');
    f.if(undefined, 'unlikely');
    state.storeItems(block.index);
    state.storeCarried();
    f.call(this.imports.close);
    state.loadCarriedSteps();
    f.end();
  }
}
