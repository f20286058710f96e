import type { LoopDemand } from '../../source/demand.ts';
import type { MachineCounts } from '../loops/counts.ts';
import type { Unrolling } from '../loops/unroll.ts';
import type { EssentialCounts } from '../macs/essential.ts';
import type { LoopRun } from './loop-run.ts';

/** What is known of the source loop of a loop of machine code. */
export interface SourceKnowledge {
  readonly demand: LoopDemand;
  readonly essential: EssentialCounts;
  /** Whether no other loop of machine code was made of it. */
  readonly isOnly: boolean;
}

/**
 * How many source iterations one of the machine code does. First by floating-point operations, which compilers neither add
 * nor take away, as a rule; then by the code's own strides and copies; then by stores; then by iterations, where the source
 * says how many there are.
 */
export function unrollDegree(
  own: Unrolling,
  compiled: MachineCounts,
  { entries, iterations }: Pick<LoopRun, 'entries' | 'iterations'>,
  source: SourceKnowledge | undefined,
): Pick<Unrolling, 'degree' | 'from'> {
  if (source === undefined || source.demand.reasons.length > 0) return own;
  const { demand, essential, isOnly } = source;
  const asked = essential.fa + essential.fm + 2 * essential.fma;
  const done = compiled.fa + compiled.fm + 2 * compiled.fma;
  const byOperations = wholeRatio(done, asked);
  if (byOperations !== undefined) return { degree: byOperations, from: 'operations' };
  if (own.degree > 1) return own;
  const stores = essential.stores + (essential.integerStores ?? 0);
  const byStores = asked > 0 ? undefined : wholeRatio(compiled.stores - compiled.spills, stores);
  if (byStores !== undefined && byStores > 1) return { degree: byStores, from: 'operations' };
  const byCounts =
    isOnly && demand.trips !== undefined && entries > 0
      ? wholeRatio(demand.trips * entries, iterations)
      : undefined;
  if (byCounts !== undefined && byCounts > 1) return { degree: byCounts, from: 'counts' };
  return own;
}

/** The most that a compiler unrolls: eight vectors of sixteen elements. */
const MOST = 128;

function wholeRatio(made: number, asked: number): number | undefined {
  if (asked <= 0 || made <= 0) return undefined;
  const ratio = made / asked;
  const whole = Math.round(ratio);
  return whole >= 1 && whole <= MOST && Math.abs(ratio - whole) < 0.01 * whole ? whole : undefined;
}
