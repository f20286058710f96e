import { CONTEXT_OPENS } from '../../../guest/layout.ts';
import type { Emission } from './emission.ts';

/** Calls, and jumps into functions, may open contexts. That is rare and shallow. */
export class ContextOpenings {
  private readonly emission: Emission;

  constructor(emission: Emission) {
    this.emission = emission;
  }

  byCall(pushTarget: () => void): void {
    const { f, state, imports } = this.emission;
    this.ifContextsOpen('contexts: perhaps opened by a call', () => {
      pushTarget();
      state.pushCarried();
      f.call(imports.openByCall);
      state.popCarriedSteps();
    });
  }

  /** `pushFrom` pushes the place of the jump. */
  byJump(pushFrom: () => void, pushTarget: () => void): void {
    const { f, state, imports } = this.emission;
    this.ifContextsOpen('contexts: perhaps opened by a jump', () => {
      state.storeCarried();
      pushFrom();
      pushTarget();
      f.call(imports.openByJump);
      state.loadCarriedSteps();
    });
  }

  ifContextsOpen(counter: string, emit: () => void): void {
    const { f, environment } = this.emission;
    f.i32(0);
    f.memory('i32.load', CONTEXT_OPENS);
    f.if(undefined, 'unlikely');
    environment.instruments.counters.emit(f, counter);
    emit();
    f.end();
  }
}
