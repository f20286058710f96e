/** Every kind of cause, by what it stands behind. The report has words for each. */
export const CAUSE_KINDS = [
  // What the source asks for.
  'latency-bound-recurrence',
  'load-chain',
  'loads-and-stores',
  'unfused-operations',
  'division',
  'other-operations',
  'essential-work',
  // What the compiler added.
  'unoptimised-code',
  'spill',
  'call',
  'missed-vectorisation',
  'narrow-vectors',
  'uncombined-multiply-add',
  'redundant-load',
  'reloaded-store',
  'redundant-store',
  'redundant-instruction',
  'address-arithmetic',
  'indexed-store',
  'partial-unrolling',
  'code-alignment',
  'compiled-work',
  // What it saved.
  'wider-vectors',
  'contraction',
  'reassociation',
  'fewer-operations',
  'cheaper-instructions',
  // How it is scheduled.
  'port-contention',
  'window',
  'front-end',
  'store-forwarding',
  'schedule',
  // What hardware did.
  'cache-misses',
  'mispredicted-branches',
  'called-code',
  'not-modelled',
  'overlapping-runs',
  'faster-than-model',
] as const;

export type CauseKind = (typeof CAUSE_KINDS)[number];
