import type { FlowEvent, Sweep } from '../../x86/sweep.ts';

/** The control-flow graph of a function. Blocks are numbered in ascending order of address; 0 is the entry. */
export interface FlowGraph {
  /** Of each block. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly successors: readonly (readonly number[])[];
  /** The instruction at the block's end that directs control; undefined where the next block is merely jumped to. */
  readonly exits: readonly (FlowEvent | undefined)[];
  /** Indirect jumps whose targets are not known. */
  readonly unresolved: readonly number[];
}

/** What the graph needs to know beside the code itself. */
export interface GraphKnowledge {
  /** Targets of the indirect jump at the address; undefined where they are not known. */
  readonly jumpTargets: (event: FlowEvent) => readonly number[] | undefined;
  /** Whether what is called at the address never comes back. */
  readonly neverReturns: (target: number) => boolean;
}

/** Whether a function can have a loop at all: a cycle goes back somewhere. */
export function mayLoop({ events, start }: Sweep): boolean {
  return events.some(
    ({ flow, target, address }) =>
      flow === 'indirect-jump' ||
      (target !== undefined && flow !== 'call' && target <= address && target >= start),
  );
}

export function flowGraph(swept: Sweep, knowledge: GraphKnowledge): FlowGraph {
  const { start, end, events, boundaries } = swept;
  const isInside = (address: number): boolean =>
    address >= start && address < end && boundaries[address - start] === 1;
  const leaders = new Set<number>([start]);
  const enders: FlowEvent[] = [];
  const targets = new Map<FlowEvent, readonly number[]>();
  const unresolved: number[] = [];
  for (const event of events) {
    const { flow, target } = event;
    if (flow === 'indirect-call') continue;
    if (flow === 'call' && !(target !== undefined && knowledge.neverReturns(target))) continue;
    enders.push(event);
    if (event.end < end) leaders.add(event.end);
    const goes = flow === 'call' ? [] : (targetsOf(event, knowledge) ?? []);
    if (flow === 'indirect-jump' && goes.length === 0) unresolved.push(event.address);
    const inside = goes.filter(isInside);
    for (const each of inside) leaders.add(each);
    targets.set(event, inside);
  }
  const starts = [...leaders].sort((a, b) => a - b);
  const ends = starts.map((_, i) => starts[i + 1] ?? end);
  const blockAt = new Map(starts.map((address, i) => [address, i]));
  const exits: (FlowEvent | undefined)[] = starts.map(() => undefined);
  const successors: number[][] = starts.map(() => []);
  let next = 0;
  for (let block = 0; block < starts.length; block++) {
    while (next < enders.length && enders[next].end < ends[block]) next++;
    const event = next < enders.length && enders[next].end === ends[block] ? enders[next] : undefined;
    exits[block] = event;
    const following =
      event === undefined || event.flow === 'conditional' ? blockAt.get(ends[block]) : undefined;
    const list = successors[block];
    if (following !== undefined) list.push(following);
    for (const target of event === undefined ? [] : (targets.get(event) ?? [])) {
      const to = blockAt.get(target)!;
      if (!list.includes(to)) list.push(to);
    }
  }
  return { starts, ends, successors, exits, unresolved };
}

function targetsOf(event: FlowEvent, knowledge: GraphKnowledge): readonly number[] | undefined {
  if (event.flow === 'indirect-jump') return [...new Set(knowledge.jumpTargets(event) ?? [])];
  return event.target === undefined ? [] : [event.target];
}

export function predecessorsOf(successors: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const predecessors: number[][] = successors.map(() => []);
  successors.forEach((list, from) => {
    for (const to of list) predecessors[to].push(from);
  });
  return predecessors;
}
