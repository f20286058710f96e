import { diskCodeStore } from '../host/kept/disk-code-store.ts';
import { memoryCodeStore } from '../host/kept/memory-code-store.ts';
import { hostMeasuring } from '../host/measuring.ts';
import { helpWith } from '../pipeline/helpers.ts';
import { measureWith } from '../pipeline/measure.ts';
import type { Help, MeasurePorts } from '../pipeline/ports.ts';
import type { Measure } from '../pipeline/request.ts';
import { VERSION } from '../profile/version.ts';

/** Where code is kept: for later processes, or for later measurements of this one. */
export const codeStores = { disk: diskCodeStore, memory: memoryCodeStore };

/** Measures on this machine. */
export function measureHere({
  keepsHashes,
  ...options
}: Pick<MeasurePorts, 'engineStats' | 'reserved' | 'codeStore' | 'helpers'> & {
  readonly keepsHashes?: boolean;
} = {}): Measure {
  return measureWith({ ...hostMeasuring(VERSION, keepsHashes), ...options }, async (run) => {
    const { boundLoops } = await import('./bounding.ts');
    return boundLoops(run);
  });
}

/** Helps another process of this machine. */
export function helpHere(options: Pick<MeasurePorts, 'reserved' | 'codeStore'>, keepsHashes: boolean): Help {
  return helpWith({ ...hostMeasuring(VERSION, keepsHashes), ...options });
}
