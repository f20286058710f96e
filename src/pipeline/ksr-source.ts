import { floatingPointOperations, type KsrCounts } from '../analysis/macs/ksr1.ts';
import type { KsrLoop } from '../ksr/loops.ts';
import type { SourceLoopBounds } from './source-bounds.ts';

/** What a listing's loop needs of the source's. */
export type ListedSource = Pick<
  SourceLoopBounds,
  'function' | 'line' | 'innermost' | 'essential' | 'bounds' | 'reasons'
>;

/**
 * The source loop of each innermost loop of a listing, by label. A compiler keeps their order, which shows where both have as
 * many; where the source has one, all are its: the unrolled one and what is left over.
 */
export function sourceLoopsByLabel(
  loops: readonly KsrLoop[],
  source: readonly ListedSource[],
): ReadonlyMap<string, ListedSource> {
  const compiled = loops.filter(({ innermost }) => innermost).toSorted((a, b) => a.line - b.line);
  const written = source.filter(({ innermost }) => innermost);
  if (written.length !== 1 && written.length !== compiled.length) return new Map();
  return new Map(compiled.map(({ label }, i) => [label, written[written.length === 1 ? 0 : i]]));
}

/** Iterations of the source in one of the compiled loop, by floating-point operations; undefined where they do not tell. */
export function degreeByOperations(compiled: KsrCounts, source: ListedSource): number | undefined {
  const one = floatingPointOperations(source.essential);
  if (one === 0) return undefined;
  const ratio = floatingPointOperations(compiled) / one;
  const degree = Math.round(ratio);
  return degree >= 1 && Math.abs(ratio - degree) <= NEAR * degree ? degree : undefined;
}

/** Moves and conversions are operations of the compiled code, too. */
const NEAR = 0.2;
