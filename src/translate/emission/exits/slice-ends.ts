import { FUEL_LOCAL } from '../residence.ts';
import type { Emission } from './emission.ts';

/** When the slice is over, a region goes on with the next one in place, or leaves. */
export class SliceEnds {
  private readonly emission: Emission;

  constructor(emission: Emission) {
    this.emission = emission;
  }

  /** All state is in memory. */
  leaveIfSpent(pushAddress: () => void): void {
    this.ifSpent(() => {}, pushAddress);
  }

  /** `store` brings into memory what is not there yet. */
  ifSpent(store: () => void, pushAddress: () => void, leaving?: () => void): void {
    const { f, state, environment } = this.emission;
    this.ifOver(() => {
      store();
      this.pushIsToLeave();
      f.if();
      environment.instruments.counters.emit(f, 'exits: slice over');
      leaving?.();
      pushAddress();
      state.pushCarried();
      f.return();
      f.end();
      state.loadFuel();
    });
  }

  /** In an arm. */
  ifOver(emit: () => void): void {
    const { f } = this.emission;
    f.get(FUEL_LOCAL);
    f.i64(0n);
    f.op('i64.lt_s');
    f.if(undefined, 'unlikely');
    emit();
    f.end();
  }

  /** Ends the slice; pushes 0 when the next one has begun and the region goes on: nothing but the fuel has changed. */
  pushIsToLeave(): void {
    const { f, state, imports, slot } = this.emission;
    state.pushCarried();
    f.i32(slot);
    f.call(imports.endSlice);
  }
}
