export interface Range {
  readonly least: number;
  readonly median: number;
  readonly most: number;
  readonly count: number;
}

export function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return {
    least: sorted[0],
    median: sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2,
    most: sorted[sorted.length - 1],
    count: sorted.length,
  };
}

/** The mean of ratios (undefined of none): 2 and 0.5 make 1. */
export function geometricMean(ratios: readonly number[]): number | undefined {
  if (ratios.length === 0) return undefined;
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
