import type { LoopBounds, LoopCause, LoopGaps } from '../../profile/loops.ts';

/** What is between the bounds of a loop, and why. */
export interface Explanation {
  readonly gaps: LoopGaps;
  readonly causes: readonly LoopCause[];
}

export interface ExplainInput {
  readonly bounds: LoopBounds;
}

export function explainLoop({ bounds: { M, MA, MAC, MACS } }: ExplainInput): Explanation {
  return {
    gaps: {
      ...(M === undefined || MA === undefined ? {} : { A: difference(MA, M) }),
      ...(MA === undefined ? {} : { C: difference(MAC, MA) }),
      S: difference(MACS, MAC),
    },
    causes: [],
  };
}

const difference = (larger: number, smaller: number): number =>
  Math.round((larger - smaller) * 10_000) / 10_000;
