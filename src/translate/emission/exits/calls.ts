import { CONTEXT_SLOT, HOST_STACK } from '../../../guest/layout.ts';
import { pushEntryOf } from '../../cached-lookup.ts';
import { pushStays } from '../../contexts/words.ts';
import type { RegionBlock } from '../../regions/region.ts';
import { findStackOffsets, isRise, stackSetIn } from '../../regions/stack-offsets.ts';
import { FUEL_LOCAL, RSP_LOCAL } from '../residence.ts';
import type { ContextOpenings } from './context-openings.ts';
import type { Emission, TakeEdge } from './emission.ts';
import type { Modes } from './modes.ts';
import type { SliceEnds } from './slice-ends.ts';

/** Calls and returns of the guest are those of the host; contexts close where rsp rises, as at returns. */
export class Calls {
  private readonly emission: Emission;
  private readonly slices: SliceEnds;
  private readonly openings: ContextOpenings;
  private readonly modes: Modes;
  /** rsp at each block's entry relative to the region's entry, when known. */
  private readonly stackOffsets: (number | undefined)[];
  private readonly returnStack: number;
  private readonly nextAddress: number;
  /** Where rsp was before it was set, in the functions that set it. */
  private stackBefore: number | undefined;
  private readonly hostStack: number;
  /** Places where the size of this function's frame on the host's stack is filled in. */
  private readonly frameSizes: number[] = [];

  constructor(emission: Emission, slices: SliceEnds, openings: ContextOpenings, modes: Modes) {
    this.emission = emission;
    this.slices = slices;
    this.openings = openings;
    this.modes = modes;
    const { f, region } = emission;
    this.stackOffsets = findStackOffsets(region.blocks);
    this.returnStack = f.local('i64');
    this.nextAddress = f.local('i64');
    this.hostStack = f.local('i32');
  }

  /** Once the function is complete: its frame's size is known. */
  finish(): void {
    const { f } = this.emission;
    for (const position of this.frameSizes) f.patch(position, f.frameSize);
  }

  /** A call of the guest is one of the host, so that its return comes back here. */
  call(block: RegionBlock, operand: number, take: TakeEdge): number | undefined {
    const { f, imports, state, environment } = this.emission;
    const { counters } = environment.instruments;
    const { terminator } = block.lifted;
    if (terminator.kind !== 'call') throw new Error('not a call');
    const { target, next } = terminator;
    const pushTarget = () => {
      if (typeof target === 'number') f.i64(BigInt(target));
      else f.get(operand);
    };
    state.storeItems(block.index);
    counters.emit(f, typeof target === 'number' ? 'exits: call' : 'exits: indirect call');
    // What rsp must be when the callee has returned: its return address popped.
    f.get(RSP_LOCAL);
    f.i64(8n);
    f.op('i64.add');
    f.set(this.returnStack);
    this.openings.byCall(pushTarget);
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
    this.slices.pushIsToLeave();
    f.op('i32.eqz');
    f.brIf(stay);
    counters.emit(f, 'exits: slice over');
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
    if (typeof target === 'number') f.i32(environment.slotOf(target));
    else pushEntryOf(f, operand, environment.jumpTargets, imports.lookup);
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
    counters.emit(f, 'exits: a call came back elsewhere');
    f.get(this.nextAddress);
    state.pushCarried();
    f.return();
    f.end();
    // A long way back through many calls comes to no other check, and timers, turns and logs end slices exactly.
    this.slices.leaveIfSpent(() => f.i64(BigInt(next)));
    return this.modes.resume(block, take);
  }

  private countFullStack(): void {
    const { f, environment } = this.emission;
    const { counters } = environment.instruments;
    if (!counters.isOn) return;
    counters.emit(f, 'exits: host stack full', () => {
      f.get(this.hostStack);
      f.i32(31);
      f.op('i32.shr_u');
      f.op('i64.extend_i32_u');
    });
  }

  /** Returns to the address in a local. */
  return(block: RegionBlock, target: number): void {
    const { f, imports, state, environment } = this.emission;
    environment.instruments.counters.emit(f, 'exits: return');
    state.storeItems(block.index);
    this.ifRisen(() => {
      f.get(target);
      state.pushCarried();
      f.returnCall(imports.close);
    });
    f.get(target);
    state.pushCarried();
    f.return();
  }

  /** Keeps where rsp is before the block's last instruction sets it to what may be on another stack. */
  keepStack(block: RegionBlock): void {
    const distance = stackSetIn(block.lifted);
    if (distance === undefined) return;
    const { f } = this.emission;
    f.get(RSP_LOCAL);
    f.i64(BigInt(distance));
    f.op('i64.add');
    this.stackBefore ??= f.local('i64');
    f.set(this.stackBefore);
  }

  /** Behind a block that has moved rsp: contexts are open on another stack now, or close. */
  moved(block: RegionBlock): void {
    this.setStack(block);
    this.closeIfRisen(block);
  }

  /** Tells where contexts are open from now on, when rsp may have been set to another stack. */
  private setStack(block: RegionBlock): void {
    const { stackBefore } = this;
    if (stackSetIn(block.lifted) === undefined || stackBefore === undefined) return;
    const { f, imports, state } = this.emission;
    pushStays(f, stackBefore, RSP_LOCAL);
    f.op('i32.eqz');
    f.if(undefined, 'unlikely');
    state.storeItems(block.index);
    state.storeCarried();
    f.get(stackBefore);
    f.call(imports.setStack);
    state.loadCarriedSteps();
    f.end();
  }

  /** Closes contexts when this block may have raised rsp above the innermost one's return slot (rule 9). A return asks in `return`. */
  private closeIfRisen(block: RegionBlock): void {
    const offset = this.stackOffsets[block.index];
    const isRisky = block.lifted.stackRises.some((rise) => isRise(rise.value, offset));
    if (!isRisky || block.inside !== undefined || block.lifted.terminator.kind === 'return') return;
    this.closeHere(block);
  }

  /** Closes contexts where rsp has risen above the innermost one's return slot. */
  closeHere(block: RegionBlock): void {
    const { f, imports, state } = this.emission;
    this.ifRisen(() => {
      state.storeItems(block.index);
      f.i64(0n);
      state.pushCarried();
      f.call(imports.close);
      state.popCarried();
      f.set(this.nextAddress);
    });
  }

  private ifRisen(emit: () => void): void {
    const { f, environment } = this.emission;
    f.get(RSP_LOCAL);
    f.i32(0);
    f.memory('i64.load', CONTEXT_SLOT);
    f.op('i64.gt_u');
    f.if(undefined, 'unlikely');
    environment.instruments.counters.emit(f, 'contexts: closed');
    emit();
    f.end();
  }
}
