import { lastAtOrBelow } from '../../elf/ascending.ts';
import type { Segment } from '../../elf/image.ts';
import type { MachineLoop } from '../loops/machine-loop.ts';

/** Cycles that hardware spent at places of a file: of each place the offset in the file and the cycles sampled there. */
export type SampledFile = readonly { readonly offset: number; readonly cycles: number }[];

/** The same by the addresses of an image, for sums over stretches of code. */
export interface SampledCode {
  /** Cycles, and how many samples they come from, in the loop's own blocks. */
  within(loop: MachineLoop): { readonly cycles: number; readonly samples: number };
}

export function sampledCode(samples: SampledFile, segments: readonly Segment[]): SampledCode {
  const placed = samples
    .flatMap(({ offset, cycles }) => {
      const segment = segments.find(
        (each) => each.executable && offset >= each.offset && offset < each.offset + each.fileSize,
      );
      return segment === undefined ? [] : [{ address: offset - segment.offset + segment.address, cycles }];
    })
    .sort((a, b) => a.address - b.address);
  const addresses = Float64Array.from(placed, ({ address }) => address);
  return {
    within(loop) {
      let cycles = 0;
      let count = 0;
      for (const { start, end } of loop.blocks) {
        for (
          let i = lastAtOrBelow(addresses, start - 0.5) + 1;
          i < placed.length && addresses[i] < end;
          i++
        ) {
          cycles += placed[i].cycles;
          count++;
        }
      }
      return { cycles, samples: count };
    },
  };
}

/** Of fewer samples no number of cycles is made: its standard error would be above a seventh. */
export const LEAST_SAMPLES = 50;

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
