import type { DemandArea, LoopDemand, Step } from './demand.ts';
import type { LoopFacts } from './facts.ts';
import { flowsOf, fuse } from './flows.ts';
import type { Graph } from './graph.ts';
import { type Needed, reached } from './reach.ts';
import { complain, stepOf } from './steps.ts';
import { streamsOf } from './streams.ts';
import { isOverwritten, partsUsed, transfersOf } from './transfers.ts';
import { overlaps, workingSetOf } from './working-set.ts';

/** `needed` collects, for each loop outside, what this one takes from its iteration. */
export function demandOf(facts: LoopFacts, graph: Graph, needed: Needed): LoopDemand {
  const loop = facts.id;
  const areaIndex = new Map(facts.areas.map((id, i) => [id, i]));
  const areas = facts.areas.map((id): DemandArea => {
    const { line, endLine, parent } = graph.areas[id];
    return { line, endLine, ...(parent === undefined ? {} : { parent: areaIndex.get(parent) ?? 0 }) };
  });
  const all = streamsOf(facts.accesses, loop, graph);
  const deadStores = new Set(
    all.flatMap((stream) => stream.references.filter((each) => isOverwritten(each, stream, graph, facts))),
  );
  const reach = reached(facts, all, deadStores, graph, needed);
  const used = all
    .map((stream) => ({
      ...stream,
      references: stream.references.filter(
        (each) => !deadStores.has(each) && (each.access.kind === 'store' || reach.any.has(each.access.node)),
      ),
    }))
    .filter(({ references }) => references.length > 0);
  const reasons = [...facts.reasons];
  const steps: Step[] = [];
  const indexOfNode = new Map<number, number>();
  const leaving = new Set(facts.roots.map(({ node }) => node));
  for (const { references, invariant } of used)
    for (const { access } of references) if (access.kind === 'store' && !invariant) leaving.add(access.node);
  for (const id of [...reach.any].sort((a, b) => a - b)) {
    const node = graph.nodes[id];
    indexOfNode.set(id, steps.length);
    steps.push(stepOf(node, reach.values.has(id), areaIndex, leaving.has(id)));
    if (reach.values.has(id)) complain(node, graph, reasons);
  }
  const flows = flowsOf(facts, used, indexOfNode, graph);
  const dead = new Set([...deadStores].map(({ access }) => access));
  fuse(steps, flows, graph, reach, facts, indexOfNode, dead);
  const parts = partsUsed(facts, reach, graph, dead);
  const transfers = used.flatMap((stream) => transfersOf(stream, facts, graph, areaIndex, parts));
  const { induction, trips } = facts;
  return {
    function: facts.function,
    line: facts.line,
    endLine: facts.endLine,
    depth: facts.depth,
    innermost: facts.innermost,
    ...(induction === undefined
      ? {}
      : {
          induction: {
            variable: induction.variable,
            ...(induction.step === undefined ? {} : { step: induction.step }),
          },
        }),
    ...(trips === undefined ? {} : { trips }),
    areas: areas.length === 0 ? [{ line: facts.line, endLine: facts.endLine }] : areas,
    steps,
    flows,
    transfers,
    workingSet: workingSetOf(used, trips),
    reasons: [...new Set(reasons)],
    assumptions: [...facts.assumptions, ...overlaps(used)],
  };
}
