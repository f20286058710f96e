import { linesOf } from '../diff/chain-lines.ts';
import type { ChainDiff, LineShare } from '../diff/diff.ts';
import type { Chain } from '../profile/profile.ts';
import { heaviestLines } from './chain-lines.ts';
import { mermaidLabel } from './escape.ts';
import { printCount, printShare } from './numbers.ts';
import { placeOf } from './view.ts';

const MOST_NODES = 6;

/**
 * Both chains side by side as the source lines that carry them, in the order in which the chain first passes them.
 * Undefined where a diagram would show no more than the table: without a base, or when one line carries each chain.
 */
export function chainDiagram(diff: ChainDiff): string | undefined {
  if (diff.base === undefined) return undefined;
  const before = heaviestLines(linesOf(diff.base), MOST_NODES);
  const after = heaviestLines(linesOf(diff.head), MOST_NODES);
  if (before.length < 2 && after.length < 2) return undefined;
  const culprit = after.findIndex(
    (line) => diff.growth !== undefined && placeOf(line) === placeOf(diff.growth.line),
  );
  return [
    '```mermaid',
    'flowchart LR',
    ...side('before', diff.base, before),
    ...side('after', diff.head, after),
    ...(culprit < 0
      ? []
      : ['  classDef culprit stroke:#d1242f,stroke-width:3px', `  class after${culprit} culprit`]),
    '```',
  ].join('\n');
}

function side(id: 'before' | 'after', chain: Chain, lines: readonly LineShare[]): string[] {
  const nodes = lines.map(
    (line, at) =>
      `    ${id}${at}["${mermaidLabel(placeOf(line))}<br/>${mermaidLabel(printShare(line.share))}"]`,
  );
  const path = lines.length < 2 ? [] : [`    ${lines.map((_, at) => `${id}${at}`).join(' --> ')}`];
  return [
    `  subgraph ${id}["${id}: ${printCount(chain.length)} links"]`,
    '    direction TB',
    ...nodes,
    ...path,
    '  end',
  ];
}
