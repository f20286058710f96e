import { CODE_CHANGES } from '../../../guest/layout.ts';
import type { RegionBlock } from '../../regions/region.ts';
import type { Emission } from './emission.ts';

/**
 * Whether code has changed since the region was entered: what the region itself has written, or what it has called, may be its own code, or that of functions that
 * it has in line. No region is entered again then that may have changed, but one that runs would go on.
 */
export class CodeChanges {
  private readonly emission: Emission;
  /** CODE_CHANGES when the region was entered. */
  private before: number | undefined;

  constructor(emission: Emission) {
    this.emission = emission;
  }

  private pushNow(): void {
    const { f } = this.emission;
    f.i32(0);
    f.memory('i32.load', CODE_CHANGES);
  }

  private get atEntry(): number {
    const { f } = this.emission;
    if (this.before === undefined) {
      const before = f.local('i32');
      f.inPrologue(() => {
        this.pushNow();
        f.set(before);
      });
      this.before = before;
    }
    return this.before;
  }

  /** In an arm, leaves the region if any has. */
  ifAny(leave: () => void): void {
    const { f } = this.emission;
    const before = this.atEntry;
    this.pushNow();
    f.get(before);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    leave();
    f.end();
  }

  /** Before a block whose code can be written; `store` brings into memory what is not there yet, and counts the way. */
  leaveBefore(block: RegionBlock, store: () => void): void {
    const { f, state, environment } = this.emission;
    if (!environment.isVolatile || block.predecessors.length === 0) return;
    this.ifAny(() => {
      environment.instruments.counters.emit(f, 'exits: code has changed');
      store();
      f.i64(BigInt(block.lifted.address));
      state.pushCarried();
      f.return();
    });
  }
}
