import { OPEN } from '../../contexts/leaf-log.ts';
import type { CallInLine, RegionBlock } from '../../regions/region.ts';
import type { LeafLocals } from '../../steps/measure.ts';
import { FUEL_LOCAL, MAXIMUM_LOCAL, RSP_LOCAL, RSP_STEP_LOCAL } from '../residence.ts';
import type { Calls } from './calls.ts';
import type { ContextOpenings } from './context-openings.ts';
import type { Emission, TakeEdge } from './emission.ts';

/**
 * Calls whose functions are in the region (see translate/regions/calls-in-line.ts). A context that opens is the call's own: nothing opens inside, so that
 * its return closes that one, and it has a frame only where control may leave the region before (contexts/leaf-log.ts). Steps of
 * registers in memory do not rise when it opens: they do where they are loaded inside, or where control leaves.
 */
export class CallsInLine {
  private readonly emission: Emission;
  private readonly openings: ContextOpenings;
  private readonly calls: Calls;
  /** Of the call at hand. */
  private readonly locals: LeafLocals;

  constructor(emission: Emission, openings: ContextOpenings, calls: Calls) {
    this.emission = emission;
    this.openings = openings;
    this.calls = calls;
    const { f, region } = emission;
    const hasAny = region.blocks.some((block) => block.calls !== undefined);
    this.locals = {
      isOpen: hasAny ? f.local('i32') : -1,
      slot: hasAny ? f.local('i64') : -1,
      start: hasAny ? f.local('i64') : -1,
      rsp: RSP_LOCAL,
      fuel: FUEL_LOCAL,
      rspStep: RSP_STEP_LOCAL,
      maximum: MAXIMUM_LOCAL,
    };
  }

  /** To the function of a successor. */
  call(block: RegionBlock, successor: number, take: TakeEdge): number | undefined {
    const { f, state, imports, environment, measure } = this.emission;
    const { locals } = this;
    const call = block.calls![successor];
    environment.instruments.counters.emit(f, 'calls: in line');
    f.i32(0);
    f.set(locals.isOpen);
    this.openings.ifContextsOpen('contexts: perhaps opened by a call', () =>
      measure.inLine!.open(imports, locals, (raised) => state.raiseForCall(call, raised)),
    );
    return take(block.successors[successor]);
  }

  /** To a function that is not in the region; where the call's address is given, it may be when the region is made anew. */
  callElsewhere(block: RegionBlock, pushTarget: () => void, from?: number): void {
    const { f, state, imports, environment, slot } = this.emission;
    environment.instruments.counters.emit(f, 'exits: call of what is not in line');
    state.storeItems(block.index);
    this.openings.byCall(pushTarget);
    if (from !== undefined) {
      f.i32(slot);
      f.i32(environment.placeOf(from));
      pushTarget();
      f.call(imports.noteCall);
    }
    pushTarget();
    state.pushCarried();
    f.return();
  }

  /** To the address in a local, as a rule that behind the call: rsp is there what it was before. */
  return(block: RegionBlock, call: CallInLine, target: number, take: TakeEdge): number | undefined {
    const { f, state, imports, environment, measure } = this.emission;
    const { locals } = this;
    f.get(locals.isOpen);
    f.if(undefined, 'unlikely');
    state.foldAfterCall(block, call);
    f.get(locals.isOpen);
    f.i32(OPEN);
    f.op('i32.eq');
    f.if();
    measure.inLine!.close(imports.countLeaves, environment.placeOf(call.target), locals);
    f.end();
    f.end();
    // One with a frame, too.
    this.calls.closeHere(block);
    f.get(target);
    f.i64(BigInt(call.next));
    f.op('i64.ne');
    f.if(undefined, 'unlikely');
    environment.instruments.counters.emit(f, 'exits: a call came back elsewhere');
    state.storeItems(block.index);
    f.get(target);
    state.pushCarried();
    f.return();
    f.end();
    return take(block.successors[0]);
  }

  /** Before control leaves the region, or may leave it, from a block that may be a function's: all state is in memory. */
  leave({ inside }: RegionBlock): void {
    if (inside === undefined) return;
    const { f, imports, environment } = this.emission;
    const { isOpen, slot, start } = this.locals;
    f.get(isOpen);
    f.i32(OPEN);
    f.op('i32.eq');
    f.if();
    f.i32(environment.placeOf(inside.target));
    f.get(slot);
    f.get(start);
    f.call(imports.pushLeaf);
    f.set(isOpen);
    f.end();
    f.call(imports.raiseSteps);
  }
}
