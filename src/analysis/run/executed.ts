import { lastAtOrBelow } from '../../elf/ascending.ts';
import type { Executions } from '../../observation/observation.ts';

/** How often the code of one module was executed, by the addresses of its image. */
export interface ExecutedCode {
  /** Executions of the instruction at the address. */
  at(address: number): number;
  /** How often the conditional branch at the address was taken. */
  taken(address: number): number;
  /** Where the indirect jump at the address went, and how often. */
  jumps(address: number): readonly { readonly target: number; readonly executions: number }[];
  /** Instructions executed in a stretch of code; where its ends cut a run of equal counts, in proportion to the bytes. */
  within(start: number, end: number): number;
}

/** `base` is what a guest address has more than the image's. */
export function executedCode({ ranges, branches, jumps }: Executions, base: number): ExecutedCode {
  const starts = Float64Array.from(ranges, ({ start }) => start - base);
  const branchAt = new Map(branches.map((each) => [each.address - base, each]));
  const jumpAt = new Map(jumps.map((each) => [each.address - base, each]));
  return {
    at(address) {
      // Ranges overlap where control went into the middle of an instruction: the one that begins last holds the address.
      const last = lastAtOrBelow(starts, address);
      for (let i = last; i >= 0 && i > last - OVERLAPPING; i--)
        if (address < ranges[i].end - base) return ranges[i].executions;
      return 0;
    },
    taken: (address) => branchAt.get(address)?.taken ?? 0,
    jumps: (address) =>
      jumpAt.get(address)?.targets.map(({ address: target, executions }) => ({
        target: target - base,
        executions,
      })) ?? [],
    within(start, end) {
      let sum = 0;
      for (let i = Math.max(0, lastAtOrBelow(starts, start)); i < ranges.length && starts[i] < end; i++) {
        const { executions, instructions } = ranges[i];
        const [from, to] = [starts[i], ranges[i].end - base];
        const inside = Math.min(to, end) - Math.max(from, start);
        if (inside > 0) sum += executions * instructions * (inside / (to - from));
      }
      return sum;
    },
  };
}

const OVERLAPPING = 3;
