import type { Machine, Needs } from '../../machines/machine.ts';
import type { LoopCause } from '../../profile/loops.ts';
import type { CodeInstruction } from '../../x86/block.ts';
import { levelOf } from '../macs/isa-level.ts';
import type { Context } from './context.ts';
import { DefUse } from './def-use.ts';
import { numbered } from './words.ts';

/** A multiplication whose only use is an addition, which one instruction could do. */
interface Pair {
  readonly product: CodeInstruction;
  readonly sum: CodeInstruction;
}

export function multiplyAddCauses(context: Context): readonly LoopCause[] {
  const { machine, isa, unroll, weights } = context;
  const pairs = new Map<number, Pair>();
  for (const { instructions } of context.paths)
    for (const pair of pairsOf(instructions)) pairs.set(pair.sum.address, pair);
  if (pairs.size === 0) return [];
  const all = [...pairs.values()];
  const instead = new Map<number, Needs>();
  for (const { sum } of all) {
    const needs = fusedNeeds(sum, machine);
    if (needs === undefined) return [];
    instead.set(sum.address, needs);
  }
  const hasFused = levelOf(machine, isa).fused;
  // A table of instructions has those that the processor lacks too.
  if (!hasFused && !levelOf(machine, 'x86-64-v3').fused) return [];
  const cycles = context.saves({
    without: new Map(
      all.map(({ product }) => [product.address, product.loads.length > 0 ? 'compute' : 'whole']),
    ),
    instead,
  });
  const count =
    all.reduce((total, { sum }) => total + (weights.get(sum.address) ?? 0) * (sum.work.elements ?? 1), 0) /
    unroll;
  const what = `${numbered(count, 'multiplication and the addition of its result are', 'multiplications and the additions of their results are')} separate instructions`;
  return [
    context.cause('C', 'uncombined-multiply-add', {
      text: hasFused ? what : `${what}, because ${isa} has no multiply-add`,
      advice: hasFused
        ? 'Build with -mfma (or -march=x86-64-v3) and -ffp-contract=fast'
        : 'Build with -march=x86-64-v3 and -ffp-contract=fast, where all machines that run it have FMA',
      at: all.map(({ sum }) => sum.address),
      count,
      cycles,
    }),
  ];
}

function pairsOf(instructions: readonly CodeInstruction[]): readonly Pair[] {
  const flow = new DefUse(instructions);
  const taken = new Set<number>();
  return instructions.flatMap((product, i): Pair[] => {
    if (product.work.kind !== 'fm' || !/mul/.test(product.mnemonic) || product.work.vector === 0) return [];
    const [to] = product.writes.filter(isVector);
    if (to === undefined) return [];
    const readers = flow.readers(i, to).filter((at) => !isOnlyMerge(instructions[at], to));
    const [at] = readers;
    if (readers.length !== 1 || at <= i || taken.has(at)) return [];
    const sum = instructions[at];
    const isSum = sum.work.kind === 'fa' && /^v?(?:add|sub)[ps][sd]$/.test(sum.mnemonic);
    const isAlike =
      sum.work.elements === product.work.elements && sum.work.elementSize === product.work.elementSize;
    if (!isSum || !isAlike || sum.sameSources) return [];
    taken.add(at);
    return [{ product, sum }];
  });
}

const isVector = (location: number): boolean => location >= 16 && location < 48;

/** A load or a copy into the register that keeps nothing of it, though a merging form reads it. */
const isOnlyMerge = ({ work, loads, writes }: CodeInstruction, location: number): boolean =>
  work.kind === 'move' && loads.length > 0 && writes.includes(location);

function fusedNeeds({ work }: CodeInstruction, machine: Machine): Needs | undefined {
  const size = work.elementSize === 4 ? 's' : 'd';
  if ((work.elements ?? 1) === 1) return machine.needsOf(`vfmadd231s${size} x,x,x`);
  const operand = work.vector === 32 ? 'y' : 'x';
  return machine.needsOf(`vfmadd231p${size} ${operand},${operand},${operand}`);
}
