import type { IsaLevel } from '../../base/isa-level.ts';
import type { Machine } from '../../machines/machine.ts';
import type { CompiledCounts, LoopProfile, OperationCounts } from '../../profile/loops.ts';
import type { LoopDemand } from '../../source/demand.ts';
import { explainLoop } from '../gaps/explain.ts';
import { boundsOfLoop, countsWith, type LoopKnowledge, type LoopMemoryDependence } from '../loops/bounds.ts';
import type { MachineCounts } from '../loops/counts.ts';
import type { LoopLines, Position } from '../loops/lines.ts';
import type { MachineLoop } from '../loops/machine-loop.ts';
import { type EssentialCounts, essentialCounts, type Weights } from '../macs/essential.ts';
import { essentialBounds } from '../macs/essential-bounds.ts';
import type { LoopCycles } from '../macs/loop.ts';
import type { LoopRun } from './loop-run.ts';
import { unrollDegree } from './unroll-degree.ts';

/** All that is known of a loop of a run. */
export interface RunLoop {
  readonly loop: MachineLoop;
  readonly run: LoopRun;
  /** As the profile names its function. */
  readonly function: string;
  /** `module+0xoffset`. */
  readonly address: string;
  readonly lines: LoopLines | undefined;
  /** Dependences through memory that the run had; undefined where it was not sampled. */
  readonly memory: readonly LoopMemoryDependence[] | undefined;
  readonly source: LoopSource | undefined;
  /** Cycles that hardware spent in its own blocks, of several runs; undefined where that was not asked for or too little. */
  readonly measured: number | undefined;
  readonly notes: readonly string[];
  /** Source position of an instruction of the loop. */
  readonly line: (address: number) => Position | undefined;
  /** Name of the function at an address of its image. */
  readonly nameOf: (address: number) => string | undefined;
}

export interface LoopSource {
  readonly demand: LoopDemand;
  readonly weigh: Weights;
  /** Whether no other loop of machine code was made of it. */
  readonly isOnly: boolean;
}

/** Without its share, which all loops together give. Undefined where the loop is too long for bounds. */
export function loopProfile(
  { loop, run, source, memory, ...known }: RunLoop,
  machine: Machine,
  isa: IsaLevel,
): LoopProfile | undefined {
  const knowledge: LoopKnowledge = { weights: run.weights, isPlaced: true, ...(memory && { memory }) };
  const compiled = countsWith(loop, run.weights);
  const cycles = cyclesOf(loop, knowledge, compiled, machine);
  if (cycles === undefined) return undefined;
  const essential = source && essentialCounts(source.demand, source.weigh);
  const { degree, from } = unrollDegree(
    loop.unrolling,
    compiled,
    run,
    source && essential && { ...source, essential },
  );
  const asked = source && essentialBounds(source.demand, machine, { isa, weigh: source.weigh });
  const bounds = {
    ...(asked?.M === undefined ? {} : { M: asked.M }),
    ...(asked === undefined ? {} : { MA: asked.MA }),
    MAC: rounded(cycles.MAC / degree),
    MACS: rounded(cycles.MACS / degree),
    ...(known.measured === undefined ? {} : { measured: rounded(known.measured / run.iterations / degree) }),
  };
  return {
    function: known.function,
    ...known.lines,
    address: known.address,
    depth: loop.depth,
    innermost: loop.innermost,
    entries: run.entries,
    iterations: run.iterations * degree,
    unroll: degree,
    ...(degree === 1 || from === undefined ? {} : { unrollFrom: from }),
    class: cycles.class,
    ...(essential === undefined ? {} : { essential: operationsOf(essential) }),
    compiled: compiledOf(compiled, degree),
    bounds,
    limits: { ...(asked === undefined ? {} : { MA: asked.limit }), ...cycles.limits },
    ...explainLoop({
      loop,
      knowledge,
      cycles,
      machine,
      isa,
      unroll: degree,
      bounds,
      ...(source && { source }),
      line: known.line,
      nameOf: known.nameOf,
      entries: run.entries,
      iterations: run.iterations * degree,
    }),
    runTime: rounded(cycles.MACS * run.iterations),
    share: 0,
    notes: [...known.notes, ...notesOf(loop, source, cycles.unknown, machine)],
  };
}

function cyclesOf(
  loop: MachineLoop,
  knowledge: LoopKnowledge,
  compiled: MachineCounts,
  machine: Machine,
): LoopCycles | undefined {
  const ofPaths = boundsOfLoop(loop, machine, knowledge);
  return ofPaths && atLeastIssued(ofPaths, compiled, machine);
}

/** Weights that differ less give the same bound. */
const SAME = 0.001;

/**
 * The run-time bound in cycles of one thread's iterations of a loop: with its own ways through it where they are others than
 * all threads' together (`whole`, whose bound is `runTime`).
 */
export function threadRunTime(
  { loop, run: whole, memory }: Pick<RunLoop, 'loop' | 'run' | 'memory'>,
  runTime: number,
  run: LoopRun,
  machine: Machine,
): number {
  const isSame = loop.blocks.every(
    ({ start }) =>
      Math.abs((whole.weights.blocks.get(start) ?? 0) - (run.weights.blocks.get(start) ?? 0)) <= SAME,
  );
  const proportional = (runTime / whole.iterations) * run.iterations;
  if (isSame) return proportional;
  const knowledge: LoopKnowledge = { weights: run.weights, isPlaced: true, ...(memory && { memory }) };
  const cycles = cyclesOf(loop, knowledge, countsWith(loop, run.weights), machine);
  return cycles === undefined ? proportional : cycles.MACS * run.iterations;
}

/**
 * Bounds are those of the most frequent ways through a loop. What takes many, each of them seldom (an interpreter's), has
 * all its instructions to issue in any case; a branch may be one with the comparison in front of it.
 */
function atLeastIssued(
  cycles: LoopCycles,
  { instructions, branches }: MachineCounts,
  machine: Machine,
): LoopCycles {
  const least = (instructions - branches) / machine.issue.width;
  if (least <= cycles.MAC) return cycles;
  const { limits, MACS } = cycles;
  return {
    ...cycles,
    MAC: least,
    MACS: Math.max(MACS, least),
    limits: { MAC: 'issue', MACS: MACS > least ? limits.MACS : 'issue' },
  };
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function notesOf(
  loop: MachineLoop,
  source: LoopSource | undefined,
  unknown: readonly string[],
  machine: Machine,
): readonly string[] {
  return [
    ...loop.notes,
    ...(loop.innermost ? [] : ['the bounds are those of its residue: what is in no loop inside it']),
    ...(source?.demand.reasons ?? []).map((why) => `in the source: ${why}`),
    ...(unknown.length === 0
      ? []
      : [
          `${machine.name} does not know ${unknown.slice(0, 4).join('; ')}${unknown.length > 4 ? '; ...' : ''}: one addition each`,
        ]),
  ];
}

function operationsOf(counts: EssentialCounts): OperationCounts {
  const { fa, fm, fma, fmisc, loads, stores, integer } = counts;
  return {
    ...roundedAll({ fa, fm, fma, fmisc, loads, stores }),
    ...(integer === undefined ? {} : { integer: rounded(integer) }),
  };
}

function compiledOf(counts: MachineCounts, degree: number): CompiledCounts {
  const { instructions, branches, fa, fm, fma, fmisc, loads, stores, integer } = counts;
  const per = (value: number): number => value / degree;
  return roundedAll({
    instructions: per(instructions),
    fa: per(fa),
    fm: per(fm),
    fma: per(fma),
    fmisc: per(fmisc),
    loads: per(loads),
    stores: per(stores),
    ...(fa + fm + fma + fmisc > 0 ? {} : { integer: per(integer) }),
    branches: per(branches),
  });
}

function roundedAll<T extends object>(counts: T): T {
  return Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, rounded(value)])) as T;
}
