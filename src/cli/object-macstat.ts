import type { BoundLoop, MachineCounts, ObjectBounds } from '../pipeline/object-bounds.ts';

/**
 * Counts of the machine code by type, in the layout of K-MACSTAT's output (figure 25). An instruction that computes from
 * memory is on both sides. Operations, loads and stores are of elements.
 */
export function objectMacstat({ loops }: ObjectBounds): string {
  const relations = loops.flatMap(({ loop, address, name }) =>
    loop.outer === undefined ? [] : [`${address} is an inner loop of ${name(loop.outer)}`],
  );
  const order = [...loops].sort(byCompletion);
  const sections = order.flatMap((each, region) => section(each, region));
  return [
    ...relations,
    'Listed by loop completed order inside the machine code',
    ...sections,
    `Number of loops = ${loops.length}`,
    '',
  ].join('\n');
}

/** As the branches that repeat them come in the code; of several loops that one branch repeats, the inner first. */
function byCompletion(a: BoundLoop, b: BoundLoop): number {
  return Math.max(...a.loop.latches) - Math.max(...b.loop.latches) || b.loop.depth - a.loop.depth;
}

function section({ loop, address, name }: BoundLoop, region: number): string[] {
  return [
    '-----',
    `Loop labelled ${address}-- Branch Region = ${region} --`,
    loop.innermost ? '--> An inner-most loop' : '--> A residue of an outer loop',
    ...statistics(loop.counts),
    ...loop.areas.flatMap(({ branch, target, counts }, i) => [
      `Forward branch area ${i + 1}`,
      `Forward Branch exists in backward branch region -- ${region} --`,
      '**************************',
      `*Target Label = ${name(target)} ${name(branch)}`,
      ...statistics(counts).map((line) => `* ${line}`),
      '****************************',
    ]),
  ];
}

function statistics(counts: MachineCounts): string[] {
  const { fa, fm, fma, fmisc, floatLoads, floatStores, loads, stores, instructions, nops } = counts;
  const memory = counts.address + counts.branches + counts.calls + counts.loading + counts.storing;
  const computing =
    counts.floating +
    counts.integerInstructions +
    counts.compares +
    counts.moves +
    counts.shuffles +
    counts.other;
  return [
    `FPU/IPU instructions except nop = ${computing}`,
    `CEU/XIU instructions except nop = ${memory}`,
    `Compiled codes length = ${instructions} instructions, of them nop = ${nops}`,
    `Fa = ${fa} Fm = ${fm} Fma = ${fma} Fmisc/Other FPU = ${fmisc} Lfl = ${floatLoads} Sfl = ${floatStores}`,
    `Load = ${loads} Store = ${stores}`,
    `Floating-point operations = ${fa + fm + 2 * fma + fmisc}`,
    `Memory accesses = ${loads + stores}`,
    `Fma+Sfl = ${fma + floatStores}`,
  ];
}
