import type { IsaLevel } from '../../base/isa-level.ts';
import type { Machine } from '../../machines/machine.ts';
import type { LoopBounds } from '../../profile/loops.ts';
import type { LoopDemand } from '../../source/demand.ts';
import type { LoopKnowledge } from '../loops/bounds.ts';
import type { Position } from '../loops/lines.ts';
import type { MachineLoop } from '../loops/machine-loop.ts';
import type { Weights } from '../macs/essential.ts';
import type { LoopCycles } from '../macs/loop.ts';

/** All that is known of a loop when its gaps are to be explained. */
export interface LoopFindings {
  readonly loop: MachineLoop;
  /** As `cycles` was computed with. */
  readonly knowledge: LoopKnowledge;
  /** Per iteration of the machine code. */
  readonly cycles: LoopCycles;
  readonly machine: Machine;
  readonly isa: IsaLevel;
  /** Source iterations in one of the machine code. */
  readonly unroll: number;
  /** Per source iteration, as they are shown: the gaps are the differences of these. */
  readonly bounds: LoopBounds;
  /** Absent where the source is not there or was not understood. */
  readonly source?: SourceFindings;
  /** Source position of an instruction of the loop. */
  readonly line: (address: number) => Position | undefined;
  /** Name of the function at an address, for calls. */
  readonly nameOf?: (address: number) => string | undefined;
  /** Of a run. */
  readonly entries?: number;
  /** Of a run: source iterations in all. */
  readonly iterations?: number;
}

export interface SourceFindings {
  readonly demand: LoopDemand;
  /** What M and MA were computed with, beside machine and level. */
  readonly weigh?: Weights;
  readonly reassociate?: boolean;
}
