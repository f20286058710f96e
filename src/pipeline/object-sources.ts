import { essentialCounts } from '../analysis/macs/essential.ts';
import { sourceLoopFor } from '../analysis/run/source-match.ts';
import { unrollDegree } from '../analysis/run/unroll-degree.ts';
import { languageOf, sourceLoops } from '../source/analyse.ts';
import type { LoopDemand } from '../source/demand.ts';
import type { ReadGrammar } from '../source/ports.ts';
import { headersOf } from './headers.ts';
import type { BoundLoop, ObjectBounds } from './object-bounds.ts';
import type { ReadSource } from './ports.ts';

/** A file of more sources is bounded without them: its loops are counted by what the code tells. */
const MOST_SOURCES = 50;

/**
 * The same with the degrees of unrolling that sources tell: operations of a loop of machine code over those of its source
 * loop. Without a source below the root, or one that was understood, what the code tells stays.
 */
export async function degreesFromSources(
  bounds: ObjectBounds,
  sourceRoot: string,
  { readSource, readGrammar }: { readonly readSource: ReadSource; readonly readGrammar: ReadGrammar },
): Promise<ObjectBounds> {
  const concerned = bounds.loops.filter(({ loop, cycles }) => loop.innermost && cycles !== undefined);
  const names = [...new Set(concerned.flatMap(({ anchor }) => anchor?.file ?? []))];
  if (names.length > MOST_SOURCES) return bounds;
  const demands = new Map<string, readonly LoopDemand[]>();
  for (const file of names) {
    const language = languageOf(file);
    // What lies outside of the source root has an absolute path, or leads upwards.
    if (language === undefined || file.startsWith('/') || file.split('/').includes('..')) continue;
    const text = readSource(sourceRoot, file);
    if (text === undefined) continue;
    const readHeader = headersOf(file, '', (path) => readSource(sourceRoot, path));
    demands.set(file, (await sourceLoops(text, language, readGrammar, { readHeader, defines: [] })).loops);
  }
  const degreeOf = (each: BoundLoop): BoundLoop => {
    const { loop, anchor } = each;
    const own = anchor && demands.get(anchor.file);
    const demand = own && loop.innermost ? sourceLoopFor(true, anchor, [], own, loop.counts) : undefined;
    if (demand === undefined || !demand.innermost) return each;
    const source = { demand, essential: essentialCounts(demand), isOnly: false };
    const found = unrollDegree(loop.unrolling, loop.counts, { entries: 0, iterations: 0 }, source);
    const isDoubtful = loop.unrolling.isDoubtful && found.from !== 'operations';
    return { ...each, loop: { ...loop, unrolling: { ...loop.unrolling, ...found, isDoubtful } } };
  };
  return { ...bounds, loops: bounds.loops.map(degreeOf) };
}
