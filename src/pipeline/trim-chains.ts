import type { Chain, ChainLink, ChainRest, Profile } from '../profile/profile.ts';

/**
 * A profile whose chains are short enough to be committed and reviewed. Before `main` and behind the last `return` a
 * chain goes once through some thousand instructions of the loader and the C library: 660 of them in a static glibc
 * program, 2,200 to 5,400 in dynamic ones, 85 to 590 KB a target, and all their addresses change with every link.
 *
 * What a comparison needs stays exact. Links with a source line are kept, since the lines around them shift with an
 * edit and only their instructions tell which is which; so are those that carry the chain. Of the others, the counts
 * are summed by function, or by module where no symbol is known: that is how a comparison groups them anyway.
 */
export function trimChains(profile: Profile): Profile {
  return { ...profile, chains: profile.chains.map(trimmed) };
}

/** A chain with fewer small links than this is kept as it is. */
const MANY = 50;
/** A link carries its chain from a thousandth of it; of code without lines, this many of the heaviest are kept. */
const CARRYING = 0.001;
const MOST_CARRYING = 100;

function trimmed(chain: Chain): Chain {
  const carrying = chain.links
    .filter((link) => link.line === undefined && link.count >= chain.length * CARRYING)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_CARRYING);
  const kept = new Set(carrying);
  const links = chain.links.filter((link) => link.line !== undefined || kept.has(link));
  if (chain.links.length - links.length < MANY) return { ...chain, links: chain.links.map(outlined) };
  const retained = new Set(links);
  const rest = summed(chain.links.filter((link) => !retained.has(link)));
  return { ...chain, links: links.map(outlined), rest };
}

/** Only what a report shows of the head has use for inlined calls. */
function outlined({ inlined: _, ...link }: ChainLink): ChainLink {
  return link;
}

/** In order of first occurrence along the chain. */
function summed(links: readonly ChainLink[]): ChainRest[] {
  const sums = new Map<string, { module: string; function?: string; links: number; count: number }>();
  for (const link of links) {
    const module = link.address.slice(0, link.address.lastIndexOf('+'));
    const key = JSON.stringify([module, link.function]);
    const sum = sums.get(key);
    if (sum === undefined) {
      const { function: name, count } = link;
      sums.set(key, { module, ...(name === undefined ? {} : { function: name }), links: 1, count });
    } else {
      sum.links += 1;
      sum.count += link.count;
    }
  }
  return [...sums.values()];
}
