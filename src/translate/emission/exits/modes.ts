import { valueOffset } from '../../../guest/layout.ts';
import { FPU_TOP, MXCSR } from '../../../x86/state.ts';
import type { RegionBlock } from '../../regions/region.ts';
import type { CodeChanges } from './code-changes.ts';
import type { Emission, TakeEdge } from './emission.ts';
import type { SliceEnds } from './slice-ends.ts';

/** Services that may change MXCSR's control bits. */
const MODE_SERVICES: ReadonlySet<string> = new Set(['ldmxcsr', 'fxrstor', 'xrstor']);

/** A region's code is valid for one mode of the processor: one top of the x87 stack, one state of MXCSR's control bits. */
export class Modes {
  private readonly emission: Emission;
  private readonly changes: CodeChanges;
  private readonly slices: SliceEnds;

  constructor(emission: Emission, changes: CodeChanges, slices: SliceEnds) {
    this.emission = emission;
    this.changes = changes;
    this.slices = slices;
  }

  /** A region entered with another top of the x87 stack goes to its variant. */
  checkTop(): void {
    const { f, region, state, imports, environment } = this.emission;
    this.ifOther(FPU_TOP, region.top, 'exits: entered with another x87 top', () => {
      state.pushCarried();
      f.i32(environment.placeOf(region.entry));
      f.call(imports.variant);
      f.returnCallIndirect(imports.regionType);
    });
  }

  /**
   * Where a service has set another mode of MXCSR, or has ended the slice, everything unwinds to the run loop: what is at the next address is not this
   * code's, or not this thread's, to execute then.
   */
  leaveBehind(service: string, next: number): void {
    const leave = () => this.leaveTo(next);
    if (MODE_SERVICES.has(service))
      this.ifOther(MXCSR, this.emission.region.mxcsr, 'exits: another mode of MXCSR', leave);
    this.slices.ifOver(leave);
  }

  /** After a call or a service: state is in memory. */
  resume(block: RegionBlock, take: TakeEdge): number | undefined {
    const { region } = this.emission;
    const edge = block.successors[0];
    if (edge.kind !== 'block') return take(edge);
    const next = region.blocks[edge.index].lifted.address;
    this.changes.ifAny(() => this.leaveTo(next));
    if (region.usesFpu)
      this.ifOther(FPU_TOP, block.lifted.topAfter, 'exits: another x87 top after a call or service', () =>
        this.leaveTo(next),
      );
    return take(edge);
  }

  /** `emit` leaves. */
  private ifOther(variable: number, valid: number, counter: string, emit: () => void): void {
    const { f, environment } = this.emission;
    f.i32(0);
    f.memory('i32.load', valueOffset(variable));
    f.i32(valid);
    f.op('i32.ne');
    f.if(undefined, 'unlikely');
    environment.instruments.counters.emit(f, counter);
    emit();
    f.end();
  }

  private leaveTo(address: number): void {
    const { f, state } = this.emission;
    f.i64(BigInt(address));
    state.pushCarried();
    f.return();
  }
}
