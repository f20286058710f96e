import type { CallInLine, RegionBlock } from '../region.ts';
import type { Calls } from './calls.ts';
import type { ContextOpenings } from './context-openings.ts';
import type { Emission, TakeEdge } from './emission.ts';

/**
 * Calls whose functions are in the region (see translate/calls-in-line.ts). A context that opens is the call's own: nothing opens inside, so that
 * its return closes that one. Steps of registers in memory do not rise then: they do where they are loaded inside, or
 * where control leaves the region before the return.
 */
export class CallsInLine {
  private readonly emission: Emission;
  private readonly openings: ContextOpenings;
  private readonly calls: Calls;
  /** Whether the call at hand has opened a context. */
  private readonly isOpen: number;

  constructor(emission: Emission, openings: ContextOpenings, calls: Calls) {
    this.emission = emission;
    this.openings = openings;
    this.calls = calls;
    const { f, region } = emission;
    this.isOpen = region.blocks.some((block) => block.calls !== undefined) ? f.local('i32') : -1;
  }

  call(block: RegionBlock, call: CallInLine, take: TakeEdge): number | undefined {
    const { f, state, imports, environment, measure } = this.emission;
    environment.instruments.counters.emit(f, 'calls: in line');
    f.i32(0);
    f.set(this.isOpen);
    this.openings.ifContextsOpen('contexts: perhaps opened by a call', () => {
      f.i32(environment.placeOf(call.target));
      state.pushCarried();
      f.call(imports.openInLine);
      f.set(this.isOpen);
      state.popCarriedSteps();
      state.raiseForCall(call);
      measure.inLine!.floorRose();
    });
    return take(block.successors[0]);
  }

  /** To the address in a local, as a rule that behind the call: rsp is there what it was before. */
  return(block: RegionBlock, call: CallInLine, target: number, take: TakeEdge): number | undefined {
    const { f, state, imports, environment } = this.emission;
    f.get(this.isOpen);
    f.if(undefined, 'unlikely');
    state.foldAfterCall(block, call);
    state.pushCarried();
    f.call(imports.closeInLine);
    f.end();
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

  /** Before control leaves the region, from a block that may be a function's: all state is in memory. */
  leave({ inside }: RegionBlock): void {
    const { f, imports } = this.emission;
    if (inside !== undefined) f.call(imports.raiseSteps);
  }
}
