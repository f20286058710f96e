import type { LoopBounds, LoopCause, LoopGaps } from '../../profile/loops.ts';
import { causesOfA } from './application.ts';
import { causesOfC } from './compiler.ts';
import { contextOf } from './context.ts';
import type { LoopFindings } from './findings.ts';
import { causesOfP } from './hardware.ts';
import { causesOfS } from './scheduling.ts';

export interface Explanation {
  readonly gaps: LoopGaps;
  readonly causes: readonly LoopCause[];
}

/**
 * A loop's gaps and what stands behind them. What a cause costs is found by taking it away and bounding what is left on the
 * same machine, one cause at a time: costs of causes that hide one another need not add up to the gap.
 */
export function explainLoop(findings: LoopFindings): Explanation {
  const gaps = gapsOf(findings.bounds);
  const context = contextOf(findings);
  return {
    gaps,
    causes: [
      ...causesOfA(context, gaps.A),
      ...causesOfC(context, gaps.C),
      ...causesOfS(context, gaps.S),
      ...causesOfP(context, gaps.P),
    ],
  };
}

/** Differences of the bounds: signed, never clamped. */
export function gapsOf({ M, MA, MAC, MACS, measured }: LoopBounds): LoopGaps {
  return {
    ...(M === undefined || MA === undefined ? {} : { A: rounded(MA - M) }),
    ...(MA === undefined ? {} : { C: rounded(MAC - MA) }),
    S: rounded(MACS - MAC),
    ...(measured === undefined ? {} : { P: rounded(measured - MACS) }),
  };
}

export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000 + 0;
