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

export type Metric = 'instructions' | 'cycles' | 'ilp';

export const METRICS: readonly Metric[] = ['instructions', 'cycles', 'ilp'];

/** What one level of the configuration says; absent metrics are left to the level above. */
export type MetricLimits = { readonly [M in Metric]?: Limit };

/** The limits of the configuration or of one target. */
export interface Limits extends MetricLimits {
  /** By a function's exact name; `*` stands for every function that is not named. */
  readonly functions?: Readonly<Record<string, MetricLimits>>;
}

const ZERO: Limit = { kind: 'absolute', amount: { units: 0, decimals: 0 } };
const NONE: Limit = { kind: 'none' };

/** The run is deterministic, so its own growth is never noise: not one instruction more unless the user allows it. */
const DEFAULT_LIMITS: Required<MetricLimits> = { instructions: ZERO, cycles: ZERO, ilp: NONE };

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
export function exceeds(metric: Metric, limit: Limit, base: Counts, head: Counts): boolean {
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
  const after = BigInt(head[metric]);
  return limit.kind === 'percent'
    ? after * 100n * scale > before * (100n * scale + units)
    : after * scale > before * scale + units;
}

/** As a configuration would write it. */
export function printLimit(metric: Metric, limit: Limit): string {
  if (limit.kind === 'none') return 'none';
  const text = printDecimal(limit.amount);
  if (text === '0') return '0';
  return `${metric === 'ilp' ? '-' : '+'}${text}${limit.kind === 'percent' ? '%' : ''}`;
}

function printDecimal({ units, decimals }: Decimal): string {
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
