import type { Chain, ChainLink } from '../profile/profile.ts';
import type { LineShare } from './diff.ts';

/** The links of a chain that come from one place. */
export interface Line {
  readonly key: string;
  readonly links: readonly ChainLink[];
  /** Index in the chain of each link. */
  readonly indices: readonly number[];
  readonly count: number;
}

/** In order of first occurrence along the chain. */
export function groupByLine(links: readonly ChainLink[]): Line[] {
  const groups = new Map<string, { links: ChainLink[]; indices: number[]; count: number }>();
  for (const [index, link] of links.entries()) {
    const key = lineKey(link);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { links: [link], indices: [index], count: link.count });
    else {
      group.links.push(link);
      group.indices.push(index);
      group.count += link.count;
    }
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

function lineKey(link: ChainLink): string {
  if (link.file !== undefined) return JSON.stringify([link.file, link.line ?? 0, link.function ?? '']);
  return JSON.stringify([link.function ?? link.address]);
}

/** The place is that of the heaviest link: lines that were merged for a comparison have several. */
export function shareOf(line: Line, chain: Chain): LineShare {
  const {
    file,
    line: number,
    function: name,
  } = line.links.reduce((most, link) => (link.count > most.count ? link : most));
  return {
    ...(file === undefined ? {} : { file }),
    ...(number === undefined ? {} : { line: number }),
    ...(name === undefined ? {} : { function: name }),
    links: line.links,
    count: line.count,
    share: chain.length === 0 ? 0 : line.count / chain.length,
  };
}

/** A chain as shares of source lines, in order of first occurrence. */
export function linesOf(chain: Chain): LineShare[] {
  return groupByLine(chain.links).map((line) => shareOf(line, chain));
}
