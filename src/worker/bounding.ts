import { hostBounding } from '../host/bounding.ts';
import { boundLoopsWith } from '../pipeline/run-bounds.ts';

/** Bounds the loops of a run on this machine. */
export const boundLoops = boundLoopsWith(hostBounding);
