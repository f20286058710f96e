import type { ChainDiff, ChainLineDiff, LineShare } from '../diff/diff.ts';

export interface ChainExcerpt {
  /** In chain order. */
  readonly lines: readonly ChainLineDiff[];
  readonly omitted: number;
}

/** The lines of a chain that matter: those that moved most, then those that hold most of it; in chain order. */
export function excerpt(chain: ChainDiff, most: number): ChainExcerpt {
  const weight = (line: ChainLineDiff): number =>
    Math.abs(line.delta) + (line.head?.count ?? 0) + (line.base?.count ?? 0);
  const kept = new Set(
    [...chain.lines]
      .sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta) || weight(b) - weight(a))
      .slice(0, most),
  );
  const lines = chain.lines.filter((line) => kept.has(line));
  return { lines, omitted: chain.lines.length - lines.length };
}

/** The instruction that stands for a row: of the line that explains the growth the one that grew, else the one with most links. */
export function rowInstruction(chain: ChainDiff, { base, head }: ChainLineDiff): string {
  if (head !== undefined && head === chain.growth?.line) return chain.growth.link.instruction;
  return leadingInstruction((head ?? base)!);
}

/** The instruction with most links. */
export function leadingInstruction(line: LineShare): string {
  return line.links.reduce((best, each) => (each.count > best.count ? each : best)).instruction;
}
