import type { IsaLevel } from '../../base/isa-level.ts';
import type { Machine } from '../../machines/machine.ts';
import type { LoopDemand, Step, Transfer } from '../../source/demand.ts';
import { type EssentialCounts, EVERY_TIME, elementsOf, essentialCounts, type Weights } from './essential.ts';
import { type Latencies, recurrencesOf, UNIT_LATENCIES } from './essential-recurrence.ts';
import { type Level, levelOf } from './isa-level.ts';
import { cyclesPerOperation, floatingPointOperations, ksrM, ksrMA } from './ksr1.ts';
import { nameOfPorts, weightedPortOptimum } from './port-optimum.ts';

/** M and MA of a source loop in cycles per iteration, and which part of the machine gives MA. */
export interface EssentialBounds {
  /** Absent without floating-point operations. */
  readonly M?: number;
  readonly MA: number;
  readonly limit: string;
  /** Both by floating-point operation (CPF). */
  readonly perOperation?: { readonly M: number; readonly MA: number };
}

export interface EssentialOptions {
  readonly isa: IsaLevel;
  /** Whether sums may be done in another order, as by -ffast-math. */
  readonly reassociate?: boolean;
  readonly weigh?: Weights;
}

/**
 * MA is the largest of what each part needs alone. x = y = 0: keeping the loop going takes nothing.
 *
 * - peak: M, the operations over all that the machine's floating-point ports can do in a cycle at this level;
 * - ports, divider: the best distribution of the operations, in vectors unless a recurrence keeps them apart, with pairs
 *   as one where the level has them, loads and stores in as few vectors as their addresses allow;
 * - issue: slots, where an operation takes a load along;
 * - recurrence: latency around the longest one over the iterations that it spans. A sum may not be done in another order
 *   without permission; an integer one may.
 */
export function essentialBounds(
  demand: LoopDemand,
  machine: Machine,
  options: EssentialOptions,
): EssentialBounds {
  const weigh = options.weigh ?? EVERY_TIME;
  const level = levelOf(machine, options.isa);
  const counts = essentialCounts(demand, weigh);
  const operations = floatingPointOperations(counts);
  const latencies = latenciesOn(level);
  const recurrences = recurrencesOf(demand, latencies, weigh).filter(
    (each) => !(each.reassociable && (options.reassociate === true || isWhole(demand, each.steps))),
  );
  const work = workOf(demand, machine, level, weigh, lanesOf(demand, recurrences));
  const M = operations === 0 ? undefined : peakCycles(demand, level, weigh);
  const ports = weightedPortOptimum(work.ports);
  const parts: readonly (readonly [string, number])[] = [
    ['recurrence', Math.max(0, ...recurrences.map(({ cycles }) => cycles))],
    ['divider', work.divider],
    [nameOfPorts(ports.ports), ports.cycles],
    ['issue', work.slots / machine.issue.width],
    ['peak', M ?? 0],
  ];
  const [limit, MA] = parts.reduce((most, each) => (each[1] > most[1] + 1e-9 ? each : most), ['none', 0]);
  // The largest itself, so that rounding cannot put MA below M.
  const largest = Math.max(MA, M ?? 0);
  return result(M, largest, limit, counts, operations);
}

/**
 * The same by the paper's equations 4.1 to 4.9. Where no latencies are given, an operation around a recurrence takes the one
 * cycle that is the least it can.
 */
export function ksrEssentialBounds(
  demand: LoopDemand,
  weigh: Weights = EVERY_TIME,
  latencies: Latencies = UNIT_LATENCIES,
): EssentialBounds {
  const counts = essentialCounts(demand, weigh);
  const operations = floatingPointOperations(counts);
  const dependence = Math.max(0, ...recurrencesOf(demand, latencies, weigh).map(({ cycles }) => cycles));
  const { cycles, limit } = ksrMA(counts, { x: 0, y: 0, k: 1 }, dependence);
  const M = operations === 0 ? undefined : ksrM(counts);
  return result(M, cycles, cycles === 0 ? 'none' : limit, counts, operations);
}

function result(
  M: number | undefined,
  MA: number,
  limit: string,
  counts: EssentialCounts,
  operations: number,
): EssentialBounds {
  const perOperation = (cycles: number): number => rounded(cyclesPerOperation(cycles, counts)!);
  return {
    ...(M === undefined ? {} : { M: rounded(M) }),
    MA: rounded(MA),
    limit,
    ...(operations === 0 || M === undefined
      ? {}
      : { perOperation: { M: perOperation(M), MA: perOperation(MA) } }),
  };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

const isWhole = ({ steps }: LoopDemand, members: readonly number[]): boolean =>
  members.every((each) => steps[each].class !== 'float');

function latenciesOn(level: Level): Latencies {
  return {
    of: (step) => {
      if (step.op === 'pass') return 0;
      if (step.op === 'load') return level.loadLatency(step);
      return level.operation(step, 1).needs.latency;
    },
    sooner: (from, to) => level.sooner(from, to),
    fused: (step) => (level.fused ? level.pair(step, 1).needs.latency : undefined),
  };
}

/** How many iterations a step can be done for at once: what is on a recurrence has to wait for those before it. */
function lanesOf(
  demand: LoopDemand,
  recurrences: readonly {
    readonly steps: readonly number[];
    readonly distance: number;
    readonly cycles: number;
  }[],
): readonly number[] {
  const lanes = demand.steps.map(() => Number.POSITIVE_INFINITY);
  for (const { steps, distance, cycles } of recurrences)
    if (cycles > 0) for (const step of steps) lanes[step] = Math.max(1, distance);
  return lanes;
}

interface Work {
  readonly ports: ReadonlyMap<string, number>;
  readonly divider: number;
  readonly slots: number;
}

function workOf(
  demand: LoopDemand,
  machine: Machine,
  level: Level,
  weigh: Weights,
  lanes: readonly number[],
): Work {
  const ports = new Map<string, number>();
  const on = (set: string, amount: number): void => {
    if (set !== '' && amount > 0) ports.set(set, (ports.get(set) ?? 0) + amount);
  };
  let divider = 0;
  let operations = 0;
  const inPair = new Set(
    level.fused ? demand.steps.flatMap(({ fusedWith }) => (fusedWith === undefined ? [] : [fusedWith])) : [],
  );
  demand.steps.forEach((step, i) => {
    if (!step.counts || inPair.has(i)) return;
    const isPair = level.fused && (step.fusedWith !== undefined || step.op === 'fma');
    const { needs, lanes: width } = isPair ? level.pair(step, lanes[i]) : level.operation(step, lanes[i]);
    const amount = weigh(step.area) / width;
    for (const set of needs.compute) on(set, amount);
    divider += needs.divider * amount;
    operations += amount;
  });
  const { memory } = machine;
  const isVector = level.vectorBytes;
  const moved = { load: 0, store: 0 };
  for (const { kind, amount, irregular } of accessesOf(demand.transfers, isVector, weigh)) {
    moved[kind] += amount;
    if (kind === 'load') on(irregular ? memory.load : (memory.loadVector ?? memory.load), amount);
    else {
      on(memory.storeAddress, amount);
      on(irregular ? memory.storeData : (memory.storeDataVector ?? memory.storeData), amount);
    }
  }
  const loadSlots = machine.fusion.micro === 'none' ? moved.load : Math.max(0, moved.load - operations);
  return { ports, divider, slots: operations + moved.store + loadSlots };
}

/**
 * Vectors that loads and stores take at least: a vector covers elements that lie within its size of one another, in this
 * iteration or the next ones.
 */
function accessesOf(
  transfers: readonly Transfer[],
  vectorBytes: number,
  weigh: Weights,
): readonly { readonly kind: 'load' | 'store'; readonly amount: number; readonly irregular: boolean }[] {
  const groups = new Map<string, Transfer[]>();
  const result: { kind: 'load' | 'store'; amount: number; irregular: boolean }[] = [];
  const alone = transfers.filter((each) => each.irregular || each.offset === undefined);
  for (const { of, amount } of elementsOf(alone, weigh)) {
    const stride = of.irregular ? undefined : of.stride;
    const share = stride === undefined ? 1 : Math.min(1, Math.max(Math.abs(stride), of.bytes) / vectorBytes);
    result.push({ kind: of.kind, amount: amount * share, irregular: of.irregular });
  }
  for (const each of transfers) {
    if (each.irregular || each.offset === undefined) continue;
    const key = `${each.kind} ${each.base} ${each.stride}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  for (const group of groups.values()) {
    const sorted = group.toSorted((a, b) => a.offset! - b.offset!);
    let amount = 0;
    let start = Number.NEGATIVE_INFINITY;
    let heaviest = 0;
    for (const each of sorted) {
      if (each.offset! + each.bytes > start + vectorBytes) {
        amount += heaviest;
        heaviest = 0;
        start = each.offset!;
      }
      heaviest = Math.max(heaviest, weigh(each.area));
    }
    amount += heaviest;
    const { stride, kind } = sorted[0];
    const all = sorted.reduce((most, each) => Math.max(most, weigh(each.area)), 0);
    // Elements of neighbouring iterations side by side: no more vectors than the bytes that are walked over.
    const walked =
      stride === undefined || stride === 0
        ? Number.POSITIVE_INFINITY
        : (all * Math.abs(stride)) / vectorBytes;
    result.push({ kind, amount: Math.min(amount, walked), irregular: false });
  }
  return result;
}

/** M: each operation as a share of what all floating-point ports can do of its precision in a cycle. */
function peakCycles(demand: LoopDemand, level: Level, weigh: Weights): number {
  const peaks = new Map<number, number>();
  const peak = (step: Step): number => {
    const bytes = step.bytes === 4 ? 4 : 8;
    let value = peaks.get(bytes);
    if (value === undefined) {
      value = peakOf(level, bytes);
      peaks.set(bytes, value);
    }
    return value;
  };
  return demand.steps.reduce(
    (sum, step) =>
      step.counts && (step.class === 'float' || step.class === 'complex')
        ? sum + (weigh(step.area) * (step.op === 'fma' ? 2 : 1)) / peak(step)
        : sum,
    0,
  );
}

/**
 * Floating-point operations in a cycle at most: a port that does pairs does two for each element of a vector, one that adds
 * or multiplies one. Where adders stand beside the multipliers (AMD), that is more than the published peak, which leaves
 * them out; a bound may not.
 */
export function peakOf(level: Level, bytes: 4 | 8): number {
  const step = (op: 'add' | 'mul'): Step => ({
    op,
    class: 'float',
    bytes,
    area: 0,
    line: 0,
    counts: true,
    leaves: false,
  });
  const portsOf = (needs: { readonly compute: readonly string[] }): readonly string[] => [
    ...needs.compute.join(''),
  ];
  const width = level.vectorBytes / bytes;
  const pairs = new Set(level.fused ? portsOf(level.pair(step('add'), width).needs) : []);
  const single = new Set([
    ...portsOf(level.operation(step('add'), width).needs),
    ...portsOf(level.operation(step('mul'), width).needs),
  ]);
  let operations = 0;
  for (const port of new Set([...pairs, ...single])) operations += pairs.has(port) ? 2 : 1;
  return operations * width;
}
