import type { LoopDemand, Step } from '../../source/demand.ts';
import { EVERY_TIME, type Weights } from './essential.ts';
import { type Edge, maximumRecurrence } from './recurrence.ts';

/** Values that wait for one another from iteration to iteration. */
export interface Recurrence {
  /** Around the longest way: `add`, `mul`, `fma`, `load`, ... in order. */
  readonly operations: readonly string[];
  /** Iterations that it spans. */
  readonly distance: number;
  /** A sum (product, extreme) of which only the last value is asked for: another order would break it up. */
  readonly reassociable: boolean;
}

/** Cycles from a step's last input to its result. */
export interface Latencies {
  of(step: Step): number;
  /** Of a product and the addition that takes it, as one; undefined where they are two. */
  fused(step: Step): number | undefined;
  /** Cycles that the result of one operation is there sooner for another; absent for none ever. */
  sooner?(from: Step, to: Step): number;
}

/** What each takes is 1: for what is said of a loop without a machine. */
export const UNIT_LATENCIES: Latencies = { of: ({ op }) => (op === 'pass' ? 0 : 1), fused: () => 1 };

interface Component {
  readonly steps: readonly number[];
  readonly reassociable: boolean;
  readonly cycles: number;
  readonly around: readonly number[];
  readonly distance: number;
}

/** Every set of steps that depend on each other around the loop. */
export function recurrencesOf(
  demand: LoopDemand,
  latencies: Latencies,
  weigh: Weights = EVERY_TIME,
): readonly Component[] {
  const { steps, flows } = demand;
  return components(steps.length, flows).map((members) => {
    const position = new Map(members.map((step, i) => [step, i]));
    const inside = flows.filter(({ from, to }) => position.has(from) && position.has(to));
    const behind = operationsBehind(steps, inside);
    const soonerInto = (from: number, to: number): number => {
      const { sooner } = latencies;
      if (sooner === undefined || !isComputed(steps[to])) return 0;
      return Math.max(0, ...behind(from).map((each) => sooner(steps[each], steps[to])));
    };
    const edges = inside.map(
      ({ from, to, distance, address }): Edge => ({
        from: position.get(from)!,
        to: position.get(to)!,
        cycles:
          weigh(steps[to].area) *
          Math.max(0, cyclesInto(steps, from, to, address, latencies) - soonerInto(from, to)),
        distance,
      }),
    );
    const { cycles, nodes } = maximumRecurrence(members.length, edges);
    const distance = nodes.reduce((sum, node, i) => {
      const next = nodes[(i + 1) % nodes.length];
      const taken = edges
        .filter(({ from, to }) => from === node && to === next)
        .reduce((best, edge) =>
          edge.cycles - cycles * edge.distance > best.cycles - cycles * best.distance ? edge : best,
        );
      return sum + taken.distance;
    }, 0);
    const around = nodes.map((node) => members[node]);
    return { steps: members, reassociable: isReduction(demand, members), cycles, around, distance };
  });
}

const isComputed = ({ op }: Step): boolean => op !== 'pass' && op !== 'load';

/** The operations whose values come to a step without another one on the way. */
function operationsBehind(
  steps: readonly Step[],
  flows: LoopDemand['flows'],
): (step: number) => readonly number[] {
  const into = new Map<number, number[]>();
  for (const { from, to, address } of flows) {
    if (address) continue;
    const list = into.get(to);
    if (list === undefined) into.set(to, [from]);
    else list.push(from);
  }
  const known = new Map<number, readonly number[]>();
  return (step) => {
    const before = known.get(step);
    if (before !== undefined) return before;
    const seen = new Set([step]);
    for (const each of seen)
      if (!isComputed(steps[each])) for (const from of into.get(each) ?? []) seen.add(from);
    const found = [...seen].filter((each) => isComputed(steps[each]));
    known.set(step, found);
    return found;
  };
}

/** The longest one, as it is told to people. */
export function longestRecurrence(demand: LoopDemand): Recurrence | undefined {
  const found = recurrencesOf(demand, UNIT_LATENCIES).filter(({ cycles }) => cycles > 0);
  if (found.length === 0) return undefined;
  // Of equals the one that no other order breaks up.
  const longest = found.reduce((best, each) =>
    each.cycles > best.cycles || (each.cycles === best.cycles && best.reassociable && !each.reassociable)
      ? each
      : best,
  );
  return {
    operations: namesOf(demand, longest),
    distance: longest.distance,
    reassociable: longest.reassociable,
  };
}

function namesOf({ steps, flows }: LoopDemand, { around }: Component): readonly string[] {
  return around.flatMap((index, i): string[] => {
    const step = steps[index];
    if (step.op === 'pass') return [];
    const next = steps[around[(i + 1) % around.length]];
    // A product on the way is part of the pair with the addition behind it.
    if (step.op === 'mul' && next.fusedWith === index) return [];
    // A load that takes its value from a store of an earlier iteration is a register.
    if (step.op === 'load') return isForwarded(around, i, flows) ? [] : ['load'];
    return [step.fusedWith === undefined ? step.op : 'fma'];
  });
}

/** Whether a load is on the way because of its value rather than its address: what comes before it was stored. */
function isForwarded(around: readonly number[], i: number, flows: LoopDemand['flows']): boolean {
  const before = around[(i + around.length - 1) % around.length];
  return !flows.some(({ from, to, address }) => address && from === before && to === around[i]);
}

function cyclesInto(
  steps: readonly Step[],
  from: number,
  to: number,
  address: boolean,
  latencies: Latencies,
): number {
  const step = steps[to];
  if (step.op === 'pass') return 0;
  // Through memory to a load of a later iteration: an ideal compiler keeps the value in a register.
  if (step.op === 'load') return address ? latencies.of(step) : 0;
  const own = latencies.of(step);
  if (step.fusedWith === undefined) return own;
  const whole = latencies.fused(step);
  if (whole === undefined) return own;
  // Through the product the pair takes its own time, of which the product's was counted before.
  return step.fusedWith === from
    ? Math.max(0, Math.min(own, whole - latencies.of(steps[from])))
    : Math.min(own, whole);
}

const SUMS = new Set(['add', 'sub', 'fma']);

/** One kind of operation that may be done in any order, with nobody who looks at the values on the way. */
function isReduction({ steps, flows }: LoopDemand, members: readonly number[]): boolean {
  const inside = new Set(members);
  const operations = members.filter((each) => steps[each].op !== 'pass' && steps[each].op !== 'load');
  if (operations.length === 0) return false;
  if (members.some((each) => steps[each].leaves)) return false;
  if (flows.some(({ from, to }) => inside.has(from) && !inside.has(to))) return false;
  if (flows.some(({ from, to, distance }) => distance > 1 && inside.has(from) && inside.has(to)))
    return false;
  // Of a sum one side is what was summed up before; one of two values that both come from there is more than that (Kahan's).
  const sums = (step: number): number =>
    flows.filter(
      ({ from, to, distance }) =>
        to === step && distance === 0 && inside.has(from) && isComputed(steps[from]),
    ).length;
  if (operations.some((each) => sums(each) > 1)) return false;
  const kinds = new Set(operations.map((each) => steps[each].op));
  if ([...kinds].every((op) => SUMS.has(op)))
    // An addend, not a factor, is what comes around.
    return operations.every((each) => steps[each].op !== 'fma');
  return kinds.size === 1 && ['mul', 'min', 'max', 'and', 'or', 'xor'].includes([...kinds][0]);
}

/** Sets of steps that reach each other (Tarjan, without recursion), where there is a way around at all. */
function components(count: number, flows: LoopDemand['flows']): readonly (readonly number[])[] {
  const next: number[][] = Array.from({ length: count }, () => []);
  const own = new Set<number>();
  for (const { from, to } of flows) {
    next[from].push(to);
    if (from === to) own.add(from);
  }
  const seen = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const open = new Uint8Array(count);
  const stack: number[] = [];
  const result: number[][] = [];
  let clock = 0;
  for (let start = 0; start < count; start++) {
    if (seen[start] >= 0) continue;
    const path: { readonly node: number; at: number }[] = [{ node: start, at: 0 }];
    while (path.length > 0) {
      const top = path.at(-1)!;
      const { node } = top;
      if (top.at === 0) {
        seen[node] = clock;
        low[node] = clock++;
        stack.push(node);
        open[node] = 1;
      }
      const target = next[node][top.at++];
      if (target !== undefined) {
        if (seen[target] < 0) path.push({ node: target, at: 0 });
        else if (open[target] === 1) low[node] = Math.min(low[node], seen[target]);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.node;
      if (parent !== undefined) low[parent] = Math.min(low[parent], low[node]);
      if (low[node] !== seen[node]) continue;
      const members: number[] = [];
      let member: number;
      do {
        member = stack.pop()!;
        open[member] = 0;
        members.push(member);
      } while (member !== node);
      if (members.length > 1 || own.has(node)) result.push(members.sort((a, b) => a - b));
    }
  }
  return result;
}
