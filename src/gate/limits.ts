/**
 * How far a metric may move for the worse before a change is blocked. For instructions and cycles worse is more, for
 * ILP it is less. Amounts are decimals as written (units / 10^decimals), never floating point: `+0.1%` of a large
 * count must not pass or fail by a rounding.
 */
export type Limit =
  | { readonly kind: 'none' }
  | { readonly kind: 'absolute'; readonly amount: Decimal }
  | { readonly kind: 'percent'; readonly amount: Decimal };

interface Decimal {
  readonly units: number;
  readonly decimals: number;
}

/** What is counted of the run and of each function. */
export type CountMetric = 'instructions' | 'cycles' | 'ilp';

/**
 * What is bounded on a machine: MAC and MACS of each loop in cycles per iteration, and the run-time bound in cycles, of
 * the run or of a function's loops. What hardware measured has no limit: it is never the same twice.
 */
export type LoopMetric = 'mac' | 'macs' | 'run-time-bound';

/**
 * Of a run with several threads, with a processor for each: its run-time bound in cycles, how many times as long that is as
 * with equal shares, and the share of it that a processor has work.
 */
export type ParallelMetric = 'parallel-bound' | 'load-imbalance' | 'utilisation';

export type BoundMetric = LoopMetric | ParallelMetric;

export type Metric = CountMetric | BoundMetric;

export const COUNT_METRICS: readonly CountMetric[] = ['instructions', 'cycles', 'ilp'];
const LOOP_METRICS: readonly LoopMetric[] = ['mac', 'macs', 'run-time-bound'];
export const PARALLEL_METRICS: readonly ParallelMetric[] = [
  'parallel-bound',
  'load-imbalance',
  'utilisation',
];
export const BOUND_METRICS: readonly BoundMetric[] = [...LOOP_METRICS, ...PARALLEL_METRICS];
export const METRICS: readonly Metric[] = [...COUNT_METRICS, ...BOUND_METRICS];

/** Where a diff has them. */
export const PARALLEL_FIGURES = {
  'parallel-bound': 'runTime',
  'load-imbalance': 'imbalance',
  utilisation: 'utilisation',
} as const satisfies Record<ParallelMetric, string>;

/** Of all others worse is more. */
export const isWorseBelow = (metric: Metric): boolean => metric === 'ilp' || metric === 'utilisation';

/** What one level of the configuration says; absent metrics are left to the level above. */
export type MetricLimits = { readonly [M in Metric]?: Limit };

/** The limits of the configuration or of one target. */
export interface Limits extends MetricLimits {
  /** By a function's exact name; `*` stands for every function that is not named. */
  readonly functions?: Readonly<Record<string, MetricLimits>>;
}

const ZERO: Limit = { kind: 'absolute', amount: { units: 0, decimals: 0 } };
const NONE: Limit = { kind: 'none' };

/**
 * The run is deterministic, so its own growth is never noise: not one instruction more unless the user allows it. Bounds
 * are for one machine of many, so they are shown, and limited only where the user says so.
 */
const DEFAULT_LIMITS: Required<MetricLimits> = {
  instructions: ZERO,
  cycles: ZERO,
  ilp: NONE,
  mac: NONE,
  macs: NONE,
  'run-time-bound': NONE,
  'parallel-bound': NONE,
  'load-imbalance': NONE,
  utilisation: NONE,
};

/**
 * The limit of a metric of the run (`name` absent) or of a function. What is said about a function beats what is said
 * about all of them, and then the target's word beats the configuration's.
 */
export function limitFor(metric: Metric, name: string | undefined, levels: readonly Limits[]): Limit {
  const mostSpecific = [...levels].reverse();
  if (name !== undefined) {
    for (const key of [name, '*']) {
      for (const level of mostSpecific) {
        const limits = level.functions;
        const limit = limits !== undefined && Object.hasOwn(limits, key) ? limits[key]?.[metric] : undefined;
        if (limit !== undefined) return limit;
      }
    }
  }
  for (const level of mostSpecific) {
    const limit = level[metric];
    if (limit !== undefined) return limit;
  }
  return DEFAULT_LIMITS[metric];
}

/** I and C of a run or of a function; ILP is taken from them exactly, not from its rounded form. */
export interface Counts {
  readonly instructions: number;
  readonly cycles: number;
}

/** Whether `head` is worse than `base` by more than the limit. Exact: everything is cross-multiplied as integers. */
export function exceeds(metric: CountMetric, limit: Limit, base: Counts, head: Counts): boolean {
  if (limit.kind === 'none') return false;
  const units = BigInt(limit.amount.units);
  const scale = 10n ** BigInt(limit.amount.decimals);
  if (metric === 'ilp') {
    if (base.cycles === 0 || head.cycles === 0) return false;
    const [baseI, baseC, headI, headC] = [base.instructions, base.cycles, head.instructions, head.cycles].map(
      BigInt,
    ) as [bigint, bigint, bigint, bigint];
    return limit.kind === 'percent'
      ? headI * baseC * 100n * scale < baseI * headC * (100n * scale - units)
      : headI * baseC * scale < baseI * headC * scale - units * baseC * headC;
  }
  const before = BigInt(base[metric]);
  return isBeyond(limit, before, BigInt(head[metric]) - before, 1n);
}

/** The same for a bound. Bounds have at most 4 decimals, so they are compared as integers of that unit. */
export function boundExceeds(metric: BoundMetric, limit: Limit, base: number, head: number): boolean {
  if (limit.kind === 'none') return false;
  const [before, after] = [base, head].map((value) => BigInt(Math.round(value * UNITS_OF_A_BOUND)));
  const one = BigInt(UNITS_OF_A_BOUND);
  return isBeyond(limit, before!, isWorseBelow(metric) ? before! - after! : after! - before!, one);
}

const UNITS_OF_A_BOUND = 10_000;

/** Whether a value has got worse by more than is allowed. `one`: in what unit the values are, which absolute limits are not. */
function isBeyond(
  { kind, amount }: Exclude<Limit, { kind: 'none' }>,
  before: bigint,
  worse: bigint,
  one: bigint,
): boolean {
  const units = BigInt(amount.units);
  const scale = 10n ** BigInt(amount.decimals);
  return kind === 'percent' ? worse * 100n * scale > before * units : worse * scale > units * one;
}

/** As a configuration would write it. */
export function printLimit(metric: Metric, limit: Limit): string {
  if (limit.kind === 'none') return 'none';
  const text = printDecimal(limit.amount);
  if (text === '0') return '0';
  return `${isWorseBelow(metric) ? '-' : '+'}${text}${limit.kind === 'percent' ? '%' : ''}`;
}

function printDecimal({ units, decimals }: Decimal): string {
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
