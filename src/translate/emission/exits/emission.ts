import type { FunctionBuilder } from '../../../wasm/function.ts';
import type { RegionTally } from '../../counts/tally.ts';
import type { RegionEnvironment, RegionImports } from '../../region-interface.ts';
import type { Edge, Region } from '../../regions/region.ts';
import type { Measure } from '../../steps/measure.ts';
import type { Residence } from '../residence.ts';

/** A region on its way into a function: what all that leaves it is emitted with. */
export interface Emission {
  readonly f: FunctionBuilder;
  readonly region: Region;
  readonly state: Residence;
  readonly measure: Measure;
  readonly imports: RegionImports;
  readonly environment: RegionEnvironment;
  /** The slot that the region is made for. */
  readonly slot: number;
  readonly tally: RegionTally | undefined;
}

/** Leaves a block along an edge; returns the block to emit right behind, if that is where the edge leads. */
export type TakeEdge = (edge: Edge) => number | undefined;
