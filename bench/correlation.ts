/** Mean of |predicted - measured| / measured. */
export function meanRelativeError(predicted: readonly number[], measured: readonly number[]): number {
  return measured.reduce((sum, each, i) => sum + Math.abs(predicted[i] - each) / each, 0) / measured.length;
}

/** Kendall's tau-b: pairs ordered alike less pairs ordered otherwise, ties in one of the two taken out of its total. */
export function kendallTau(a: readonly number[], b: readonly number[]): number {
  let balance = 0;
  let inA = 0;
  let inB = 0;
  for (let i = 0; i < a.length; i++)
    for (let j = i + 1; j < a.length; j++) {
      const x = Math.sign(a[i] - a[j]);
      const y = Math.sign(b[i] - b[j]);
      balance += x * y;
      if (x !== 0) inA++;
      if (y !== 0) inB++;
    }
  return balance / Math.sqrt(inA * inB);
}
