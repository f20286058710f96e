/** The bounds of the paper for its machine: equations 4.1 to 4.14. Cycles per loop iteration (CPL) unless said otherwise. */

/** Floating-point instructions and their memory accesses in an iteration. */
export interface KsrCounts {
  readonly fa: number;
  readonly fm: number;
  /** Linked triads, a multiplication and an addition each. */
  readonly fma: number;
  readonly fmisc: number;
  readonly loads: number;
  readonly stores: number;
}

/** Instructions that only keep the loop going, for all of its `k` unrolled iterations. */
export interface KsrOverhead {
  /** For the FPU/IPU side: index decrement, comparison. */
  readonly x: number;
  /** For the CEU/XIU side: the branch, increments of base addresses. */
  readonly y: number;
  readonly k: number;
}

export interface KsrBound {
  readonly cycles: number;
  /** Times of the units (4.4 to 4.7) and which of them is the bound. */
  readonly floatingPoint: number;
  readonly memory: number;
  readonly issue: number;
  readonly dependence: number;
  readonly limit: 'issue' | 'dependence';
}

/** TNF, equation 4.1. */
export const floatingPointOperations = ({ fa, fm, fma, fmisc }: KsrCounts): number =>
  fa + fm + 2 * fma + fmisc;

/** Equation 4.3, of 0.5 cycles per operation (4.2). */
export const ksrM = (counts: KsrCounts): number => 0.5 * floatingPointOperations(counts);

/** Equations 4.4 to 4.8. `dependence` is t_d (4.7), 0 where there is no recurrence. */
export function ksrMA(counts: KsrCounts, { x, y, k }: KsrOverhead, dependence: number): KsrBound {
  const { fa, fm, fma, fmisc, loads, stores } = counts;
  const floatingPoint = fma + fm + fa + fmisc;
  const memory = loads + stores;
  const issue = Math.max(memory + y / k, floatingPoint + x / k, fma + stores);
  return bound(floatingPoint, memory, issue, dependence);
}

/**
 * Equations 4.10 and 4.11: as MA, of what was compiled. `otherIpu` and `otherCeu` are the instructions besides floating
 * point, memory and loop overhead, without no-operations.
 */
export function ksrMAC(
  counts: KsrCounts,
  { x, y, k }: KsrOverhead,
  otherIpu: number,
  otherCeu: number,
  dependence: number,
): KsrBound {
  const { fa, fm, fma, fmisc, loads, stores } = counts;
  const floatingPoint = fma + fm + fa + fmisc;
  const memory = loads + stores;
  const issue = Math.max(floatingPoint + otherIpu + x / k, memory + otherCeu + y / k, fma + stores);
  return bound(floatingPoint, memory, issue, dependence);
}

/** Equation 4.13: pairs of the compiled loop, no-operations included, for each of its `k` unrolled iterations. */
export const ksrMACS = (codeLength: number, k: number): number => codeLength / k;

/** Cycles per floating-point operation (4.9, 4.12, 4.14); undefined for a loop without any. */
export function cyclesPerOperation(cycles: number, counts: KsrCounts): number | undefined {
  const operations = floatingPointOperations(counts);
  return operations === 0 ? undefined : cycles / operations;
}

function bound(floatingPoint: number, memory: number, issue: number, dependence: number): KsrBound {
  const limit = dependence > issue ? 'dependence' : 'issue';
  return { cycles: Math.max(issue, dependence), floatingPoint, memory, issue, dependence, limit };
}
