import type { ChainDiff, ChainLineDiff, LineShare } from '../diff/diff.ts';
import { plural, printCount } from './numbers.ts';
import { instructionOf, placeOf } from './view.ts';

export interface ChainExcerpt {
  /** In chain order. */
  readonly lines: readonly ChainLineDiff[];
  /** What is not shown, as a sentence; absent where all is. */
  readonly omitted?: string;
}

/** Below a hundredth of its chain a line explains nothing: a run passes hundreds of them before `main`. */
const NOTABLE = 0.01;
/** So few are shown whatever they hold: to say that they are left out would take as much room. */
const FEW = 4;

/** The lines of a chain that matter: those that moved most, then those that hold most of it; in chain order. */
export function excerpt(chain: ChainDiff, most: number): ChainExcerpt {
  const weight = (line: ChainLineDiff): number =>
    Math.abs(line.delta) + (line.head?.count ?? 0) + (line.base?.count ?? 0);
  const longest = Math.max(chain.head.length, chain.base?.length ?? 0);
  const ordered = [...chain.lines].sort(
    (a, b) => Math.abs(b.delta) - Math.abs(a.delta) || weight(b) - weight(a),
  );
  const notable = ordered.filter(
    (line) => Math.max(line.head?.count ?? 0, line.base?.count ?? 0) >= longest * NOTABLE,
  );
  const culprit = ordered.filter((line) => line.head !== undefined && line.head === chain.growth?.line);
  const wanted = notable.length === 0 || ordered.length <= FEW ? ordered.slice(0, FEW) : notable;
  const kept = new Set([...culprit, ...wanted].slice(0, most));
  const lines = chain.lines.filter((line) => kept.has(line));
  const rest = chain.lines.filter((line) => !kept.has(line));
  if (rest.length === 0) return { lines };
  const links = (side: 'base' | 'head'): string =>
    printCount(rest.reduce((sum, line) => sum + (line[side]?.count ?? 0), 0));
  const moved = chain.base === undefined ? links('head') : `${links('base')} → ${links('head')}`;
  return { lines, omitted: `And ${plural(rest.length, 'more line')} with ${moved} links.` };
}

/** Where the base's part of a row was, when that is another place than the head's. */
export function formerPlace({ base, head }: ChainLineDiff): string | undefined {
  if (base === undefined || head === undefined) return undefined;
  const before = placeOf(base);
  return before === placeOf(head) ? undefined : before;
}

/** The instruction that stands for a row: of the line that explains the growth the one that grew, else the one with most links. */
export function rowInstruction(chain: ChainDiff, { base, head }: ChainLineDiff): string {
  if (head !== undefined && head === chain.growth?.line)
    return chain.growth.link === undefined ? '' : instructionOf(chain.growth.link);
  return leadingInstruction((head ?? base)!);
}

/** The instruction with most links; empty where a baseline only counts them. */
export function leadingInstruction({ links: [first, ...others] }: LineShare): string {
  if (first === undefined) return '';
  return instructionOf(others.reduce((best, each) => (each.count > best.count ? each : best), first));
}

/** The lines with at least a hundredth of a chain, at most so many, in chain order. */
export function heaviestLines(lines: readonly LineShare[], most: number): readonly LineShare[] {
  const notable = lines.filter((line) => line.share >= NOTABLE);
  const few = notable.length === 0 || lines.length <= FEW;
  const kept = new Set(
    [...(few ? lines : notable)].sort((a, b) => b.count - a.count).slice(0, few ? FEW : most),
  );
  return lines.filter((line) => kept.has(line));
}
