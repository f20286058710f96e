import { hostMeasuring } from '../host/measuring.ts';
import { measureWith } from '../pipeline/measure.ts';
import type { MeasurePorts } from '../pipeline/ports.ts';
import type { Measure } from '../pipeline/request.ts';
import { VERSION } from '../profile/version.ts';

/** Measures on this machine. */
export function measureHere(options: Pick<MeasurePorts, 'engineStats' | 'reserved'> = {}): Measure {
  return measureWith({ ...hostMeasuring(VERSION), ...options }, async (run) => {
    const { boundLoops } = await import('./bounding.ts');
    return boundLoops(run);
  });
}
