import type { Chain, ChainLink } from '../profile/profile.ts';
import { alignLinks } from './align.ts';
import { groupByLine, type Line, shareOf } from './chain-lines.ts';
import type { ChainDiff, ChainGrowth, ChainLineDiff } from './diff.ts';

/** The head's chains beside the base's chain of the same function, line by line. */
export function diffChains(
  base: readonly Chain[],
  head: readonly Chain[],
  /** From the base's names to the head's. */
  renamed: ReadonlyMap<string, string>,
): ChainDiff[] {
  const nameInHead = (chain: Chain): string =>
    chain.function === undefined ? '' : (renamed.get(chain.function) ?? chain.function);
  const before = new Map([...base].reverse().map((chain) => [nameInHead(chain), chain]));
  return head.map((chain) => diffChain(before.get(chain.function ?? ''), chain, renamed));
}

/**
 * The lines of both chains, paired. A line of the base belongs to that line of the head which holds most of its
 * matched links, if that is half of the line; else it belongs to the head's line of the same place, or left the chain.
 * So an instruction that was replaced within its line does not look like a line that went and a line that came.
 */
function diffChain(base: Chain | undefined, head: Chain, renamed: ReadonlyMap<string, string>): ChainDiff {
  const about = head.function === undefined ? {} : { function: head.function };
  const headLines = groupByLine(head);
  if (base === undefined) {
    return {
      ...about,
      head,
      lines: headLines.map((line) => ({ head: shareOf(line, head), delta: line.count })),
    };
  }
  const baseLines = groupByLine(base, renamed);
  const matched = alignLinks(base.links, head.links, renamed);
  const partners = partnersOf({ base: baseLines, head: headLines, matched });
  const lines: ChainLineDiff[] = headLines.map((line, at) => {
    const old = merge(baseLines.filter((_, index) => partners[index] === at));
    const headShare = shareOf(line, head);
    return old === undefined
      ? { head: headShare, delta: line.count }
      : { base: shareOf(old, base), head: headShare, delta: line.count - old.count };
  });
  for (const [index, line] of baseLines.entries()) {
    if (partners[index] === -1) lines.push({ base: shareOf(line, base), delta: -line.count });
  }
  const growth = growthOf({ base, head, lines, matched });
  return { ...about, base, head, lines, ...(growth === undefined ? {} : { growth }) };
}

function partnersOf(input: {
  readonly base: readonly Line[];
  readonly head: readonly Line[];
  readonly matched: Int32Array;
}): number[] {
  const lineOfHeadIndex = new Map<number, number>();
  for (const [at, line] of input.head.entries())
    for (const index of line.indices) lineOfHeadIndex.set(index, at);
  const headIndexOf = new Map<number, number>();
  for (const [headIndex, baseIndex] of input.matched.entries())
    if (baseIndex >= 0) headIndexOf.set(baseIndex, headIndex);

  return input.base.map((line) => {
    const votes = new Map<number, number>();
    for (const [nth, index] of line.indices.entries()) {
      const headIndex = headIndexOf.get(index);
      if (headIndex === undefined) continue;
      const at = lineOfHeadIndex.get(headIndex)!;
      votes.set(at, (votes.get(at) ?? 0) + line.links[nth]!.count);
    }
    let winner = -1;
    for (const [at, count] of votes) if (winner === -1 || count > votes.get(winner)!) winner = at;
    return winner !== -1 && votes.get(winner)! * 2 >= line.count
      ? winner
      : input.head.findIndex((each) => each.key === line.key);
  });
}

function merge(lines: readonly Line[]): Line | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const { key, place } = lines.reduce((most, line) => (line.count > most.count ? line : most), first);
  return {
    key,
    place,
    links: lines.flatMap((line) => line.links),
    indices: lines.flatMap((line) => line.indices),
    count: lines.reduce((sum, line) => sum + line.count, 0),
  };
}

/** Only a longer chain needs an explanation: the line that gained most links, the first of several. */
function growthOf(input: {
  readonly base: Chain;
  readonly head: Chain;
  readonly lines: readonly ChainLineDiff[];
  readonly matched: Int32Array;
}): ChainGrowth | undefined {
  if (input.head.length <= input.base.length) return undefined;
  let most: ChainLineDiff | undefined;
  for (const line of input.lines) if (line.head !== undefined && line.delta > (most?.delta ?? 0)) most = line;
  if (most?.head === undefined) return undefined;

  const gain = (link: ChainLink): number => {
    const partner = input.matched[input.head.links.indexOf(link)] ?? -1;
    return link.count - (partner < 0 ? 0 : input.base.links[partner]!.count);
  };
  const [first, ...others] = most.head.links;
  const link =
    first === undefined
      ? undefined
      : others.reduce((best, each) => (gain(each) > gain(best) ? each : best), first);
  return {
    line: most.head,
    ...(link === undefined ? {} : { link }),
    baseCount: most.base?.count ?? 0,
    headCount: most.head.count,
  };
}
