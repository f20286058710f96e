import type { Area } from './areas.ts';
import type { KsrLoop, KsrLoops } from './loops.ts';
import { operationsOf, type Statistics } from './statistics.ts';

/** The report of K-MACSTAT, in the layout of figure 25 of the paper. */
export function macstat({ loops, unacceptable, unknown }: KsrLoops): string {
  const lines = relations(loops);
  if (loops.length > 0) lines.push('Listed by loop completed order inside the machine code');
  loops.forEach((loop, i) => {
    if (i > 0) lines.push('_____');
    for (const line of block(loop, i)) lines.push(line);
  });
  for (const { label, line, branchLine, reason } of unacceptable)
    lines.push(`Loop labelled ${label} ${line} ${branchLine} is not acceptable: ${reason}`);
  if (unknown.length > 0)
    lines.push(`Unknown instructions, one operation of their column each = ${unknown.join(' ')}`);
  lines.push(`Number of loops = ${loops.length}`);
  return `${lines.join('\n')}\n`;
}

/** As figure 21 finds them: every loop with every one around it. */
function relations(loops: readonly KsrLoop[]): string[] {
  const lines: string[] = [];
  for (const { label, outer } of loops)
    for (let around = outer; around !== undefined; around = loops[around].outer)
      lines.push(`${label} is an inner loop of ${loops[around].label}`);
  return lines;
}

function block(loop: KsrLoop, region: number): readonly string[] {
  return [
    `Loop labelled ${loop.label}-- Branch Region = ${region} --`,
    loop.innermost ? '--> An inner-most loop' : '--> A residue of an outer loop',
    ...counts(loop.statistics),
    ...loop.areas.flatMap((area, i) => areaBlock(area, i + 1, region)),
  ];
}

function areaBlock(area: Area, number: number, region: number): readonly string[] {
  return [
    `Forward branch area ${number}`,
    `Forward Branch exists in backward branch region -- ${region} --`,
    ...(area.crosses.length === 0 ? [] : [`Intersects forward branch area ${area.crosses.join(' ')}`]),
    '*'.repeat(26),
    `*Target Label = ${area.target} ${area.branchLine} ${area.targetLine}`,
    ...counts(area.statistics).map((line) =>
      `* ${line}`.replace('Floating-point operations =', 'Floating-point operations='),
    ),
    '*'.repeat(28),
  ];
}

function counts(of: Statistics): readonly string[] {
  const { left, right, length, fa, fm, fma, fmisc, lfl, sfl, loads, stores } = of;
  return [
    `FPU/IPU instructions except nop = ${left}`,
    `CEU/XIU instructions except nop = ${right}`,
    `KSR compiled codes length = ${length} instructions`,
    `Fa = ${fa} Fm = ${fm} Fma = ${fma} Fmisc/Other FPU = ${fmisc} Lfl = ${lfl} Sfl = ${sfl}`,
    `Load = ${loads} Store = ${stores}`,
    `Floating-point operations = ${operationsOf(of)}`,
    `Memory accesses = ${loads + stores}`,
    `Fma+Sfl (Conflict on FPUC)= ${fma + sfl}`,
  ];
}
