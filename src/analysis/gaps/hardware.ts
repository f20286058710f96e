import type { LoopCause } from '../../profile/loops.ts';
import { type Context, shows } from './context.ts';
import { printed } from './words.ts';

/** Gap P, from MACS to what was measured: only what numbers speak for. */
export function causesOfP(context: Context, gap: number | undefined): readonly LoopCause[] {
  if (gap === undefined || gap === 0) return [];
  if (gap < 0) return [fasterCause(context, gap)];
  if (!shows(gap)) return [];
  const causes = [
    ...cacheCause(context),
    ...endCause(context, gap),
    ...branchCause(context, gap),
    ...calledCause(context),
  ];
  if (causes.length > 0) return causes;
  return [
    context.cause('P', 'not-modelled', {
      text: 'The measurement is above MACS by what the model leaves out: caches, address translation, mispredicted branches, other programs',
      advice: 'Count cache misses and mispredicted branches with perf stat',
      cycles: gap,
    }),
  ];
}

/** Runs of a loop this short overlap with what comes before and after them. */
const SHORT = 64;

function fasterCause(context: Context, gap: number): LoopCause {
  const length = lengthOf(context);
  if (length !== undefined && length < SHORT)
    return context.cause('P', 'overlapping-runs', {
      text: `A run of the loop has ${printed(length)} iterations on average: the processor works on the next run before it has finished one`,
      cycles: gap,
    });
  return context.cause('P', 'faster-than-model', {
    text: 'The processor takes less than the schedule of the model: neighbouring iterations overlap more, or instructions are quicker than published',
    cycles: gap,
  });
}

/** Source iterations in a run of the loop. */
function lengthOf({ entries, iterations, source }: Context): number | undefined {
  if (entries !== undefined && entries > 0 && iterations !== undefined) return iterations / entries;
  return source?.demand.trips;
}

function cacheCause(context: Context): readonly LoopCause[] {
  const { source, machine } = context;
  const length = lengthOf(context);
  if (source === undefined || length === undefined) return [];
  const { bytes, hitRatio, streams } = source.demand.workingSet;
  const total = bytes * length;
  const exceeded = machine.caches.filter((cache) => total > cache.bytes);
  if (exceeded.length === 0) return [];
  const last = exceeded.reduce((a, b) => (b.level > a.level ? b : a));
  const next = machine.caches.find(({ level }) => level === last.level + 1);
  const found =
    hitRatio === undefined
      ? ''
      : `, where ${Math.round(hitRatio * 1000) / 10} % of the references find their line`;
  const from = next === undefined ? 'memory' : `the cache of level ${next.level} (${next.latency} cycles)`;
  return [
    context.cause('P', 'cache-misses', {
      text: `A run of the loop touches ${size(total)} in ${streams === 1 ? 'one stream' : `${streams} streams`}, more than the ${size(last.bytes)} of the cache of level ${last.level}${found}; the rest comes from ${from}`,
      advice:
        'Block the loops so that what is used again is still in the cache, fuse loops over the same arrays, or use smaller elements',
    }),
  ];
}

function size(bytes: number): string {
  if (bytes >= 2 ** 20) return `${printed(bytes / 2 ** 20)} MiB`;
  return bytes >= 2 ** 10 ? `${printed(bytes / 2 ** 10)} KiB` : `${printed(bytes)} bytes`;
}

/** The branch that ends a run is mispredicted where runs differ or are long. */
function endCause(context: Context, gap: number): readonly LoopCause[] {
  const length = lengthOf(context);
  const { cycles: penalty } = context.machine.mispredict;
  if (length === undefined || length <= 0 || penalty / length < gap / 10) return [];
  return [
    context.cause('P', 'mispredicted-branches', {
      text: `A run of the loop has only ${printed(length)} iterations on average: where its end is mispredicted, that takes ${penalty} cycles of each run`,
      advice: 'Make runs longer: interchange or join loops',
      cycles: Math.min(gap, penalty / length),
    }),
  ];
}

/** Executed both ways often enough that no predictor that only counts is right. */
function branchCause(context: Context, gap: number): readonly LoopCause[] {
  const { instructions, knowledge, weights, machine, unroll } = context;
  const taken = knowledge.weights?.taken;
  if (taken === undefined) return [];
  const found = instructions.flatMap(({ address, flow }) => {
    const executed = weights.get(address) ?? 0;
    const often = taken.get(address) ?? 0;
    const share = executed === 0 ? 0 : Math.min(often, executed - often) / executed;
    return flow === 'conditional' && share >= 0.05 && !isLast(context, address)
      ? [{ address, rare: share * executed }]
      : [];
  });
  if (found.length === 0) return [];
  const most = (found.reduce((sum, { rare }) => sum + rare, 0) * machine.mispredict.cycles) / unroll;
  return [
    context.cause('P', 'mispredicted-branches', {
      text: `${found.length === 1 ? 'A branch of the loop goes' : `${found.length} branches of the loop go`} both ways; each time that it is mispredicted takes ${machine.mispredict.cycles} cycles`,
      advice: 'Compute both ways and choose (c ? a : b), or sort the data by the condition',
      at: found.map(({ address }) => address),
      cycles: Math.min(gap, most),
    }),
  ];
}

function isLast({ loop }: Context, address: number): boolean {
  return loop.latches.some(
    (latch) => loop.blocks.find(({ start }) => start === latch)?.instructions.at(-1)?.address === address,
  );
}

function calledCause(context: Context): readonly LoopCause[] {
  const calls = context.instructions.filter(
    ({ flow, address }) => flow === 'call' && (context.weights.get(address) ?? 0) > 0,
  );
  if (calls.length === 0) return [];
  return [
    context.cause('P', 'called-code', {
      text: 'What was measured contains the functions that the loop calls; the bounds do not',
      advice: 'Look at the bounds of the loops in them',
      at: calls.map(({ address }) => address),
    }),
  ];
}
