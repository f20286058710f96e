import type { Chain, ChainLink } from '../profile/profile.ts';
import type { LineShare } from './diff.ts';

/** The links of a chain that come from one place. */
export interface Line {
  readonly key: string;
  readonly place: Place;
  /** Without those that a baseline only counts. */
  readonly links: readonly ChainLink[];
  /** Index in the chain of each link. */
  readonly indices: readonly number[];
  readonly count: number;
}

type Place = Pick<LineShare, 'module' | 'file' | 'line' | 'function'>;

/**
 * In order of first occurrence along the chain; what a baseline only counts comes last. Keys have the names that
 * functions have now.
 */
export function groupByLine(chain: Chain, renamed: ReadonlyMap<string, string> = new Map()): Line[] {
  const nameOf = (name: string | undefined): string | undefined => renamed.get(name ?? '') ?? name;
  const groups = new Map<string, { place: Place; links: ChainLink[]; indices: number[]; count: number }>();
  const groupOf = (key: string, place: Place) => {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group = { place, links: [], indices: [], count: 0 };
    groups.set(key, group);
    return group;
  };
  for (const [index, link] of chain.links.entries()) {
    const group = groupOf(lineKey(link, nameOf(link.function)), placeOfLink(link));
    group.links.push(link);
    group.indices.push(index);
    group.count += link.count;
  }
  for (const { module, function: name, count } of chain.rest ?? []) {
    const place = { module, ...(name === undefined ? {} : { function: name }) };
    groupOf(JSON.stringify([nameOf(name) ?? null, module]), place).count += count;
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

/** The source line; without one, the function; without a symbol, all such code of the module. */
function lineKey(link: ChainLink, name: string | undefined): string {
  if (link.file !== undefined) return JSON.stringify([link.file, link.line ?? 0, name ?? '']);
  return JSON.stringify([name ?? null, moduleOf(link)]);
}

/** Addresses are `module+0xoffset`. */
export function moduleOf(link: ChainLink): string {
  return link.address.slice(0, link.address.lastIndexOf('+'));
}

function placeOfLink(link: ChainLink): Place {
  const { file, line, function: name } = link;
  return {
    module: moduleOf(link),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(name === undefined ? {} : { function: name }),
  };
}

export function shareOf({ place, links, count }: Line, chain: Chain): LineShare {
  return { ...place, links, count, share: chain.length === 0 ? 0 : count / chain.length };
}

/** A chain as shares of source lines, in order of first occurrence. */
export function linesOf(chain: Chain): LineShare[] {
  return groupByLine(chain).map((line) => shareOf(line, chain));
}
